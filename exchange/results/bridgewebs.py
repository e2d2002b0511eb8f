"""The export of an event as CSV for BridgeWebs: header, scores and travellers."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from boards.whist import Seat
from exchange.data_tables import escape_formula, format_decimal
from exchange.results.event_results import BoardPlayResult, EventResults
from exchange.results.usebio import compute_contract_score, format_pair_number
from scoring.sheets.values import RankedGroup, RankRow
from server.version import VERSION

SCORE_COLUMNS = ("POSITION", "PAIR", "NAME1", "NAME2", "SCORE", "PERCENT")
TRAVELLER_COLUMNS = (
    "NSPAIR",
    "EWPAIR",
    "CONTRACT",
    "PLAYEDBY",
    "TRICKS",
    "SCORE",
    "NSMP",
    "EWMP",
)


Row = Sequence[object]


def build_bridgewebs_file(results: EventResults) -> bytes:
    """Return the results of an event as a CSV file for BridgeWebs."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    ranked_groups = [
        ranked_group for ranked_group in results.rank_table.fields if ranked_group.rows
    ]
    writer.writerows(_iter_header_rows(results, ranked_groups))
    for block_ranked_groups in _group_score_blocks(ranked_groups):
        writer.writerow(("#SCORES",))
        writer.writerow(SCORE_COLUMNS)
        writer.writerows(
            _build_score_row(results, rank_row, ranked_group)
            for ranked_group in block_ranked_groups
            for rank_row in ranked_group.rows
        )
    writer.writerow(("#BOARDFORMAT", "BOARD"))
    writer.writerow(("#TRAVELLERS",))
    writer.writerow(TRAVELLER_COLUMNS)
    writer.writerows(_iter_traveller_rows(results, ranked_groups))
    return buffer.getvalue().encode("utf-8-sig")


def _group_score_blocks(ranked_groups: Sequence[RankedGroup]) -> list[list[RankedGroup]]:
    """Return the rankings in each #SCORES block of the file.

    An event with one winner has one block. Otherwise North-South comes before East-West, which
    is the order in which BridgeWebs reads the blocks.
    """
    east_west_groups = [
        ranked_group for ranked_group in ranked_groups if ranked_group.field == "EW"
    ]
    other_groups = [
        ranked_group for ranked_group in ranked_groups if ranked_group.field != "EW"
    ]
    return [block_groups for block_groups in (other_groups, east_west_groups) if block_groups]


def _iter_header_rows(
    results: EventResults, ranked_groups: Sequence[RankedGroup]
) -> Iterator[Row]:
    yield "#VERSION", f"Overplay {VERSION}"
    yield "#DATE", results.event.date.strftime("%d/%m/%Y")
    yield "#TITLE", escape_formula(results.event.name)
    yield "#PAIRS", sum(len(ranked_group.rows) for ranked_group in ranked_groups)
    yield "#BOARDS", len({(play.session_number, play.board_number) for play in results.plays})
    yield "#WINNERS", 2 if any(ranked_group.field for ranked_group in ranked_groups) else 1
    yield "#ROUNDS", max((play.round_number for play in results.plays), default=0)


def _build_score_row(
    results: EventResults, rank_row: RankRow, ranked_group: RankedGroup
) -> Row:
    first_player_name, second_player_name = [
        *results.entry_names_by_number[rank_row.entry].player_names,
        "",
        "",
    ][:2]
    return (
        f"{rank_row.rank}{'=' if rank_row.tied else ''}",
        format_pair_number(rank_row.entry, ranked_group.field),
        escape_formula(first_player_name),
        escape_formula(second_player_name),
        format_decimal(rank_row.score),
        "" if rank_row.percent is None else format_decimal(rank_row.percent * 100),
    )


def _iter_traveller_rows(
    results: EventResults, ranked_groups: Sequence[RankedGroup]
) -> Iterator[Row]:
    """Yield the rows of each board's traveller: the board number, then the results."""
    ranking_field_by_entry = {
        rank_row.entry: ranked_group.field
        for ranked_group in ranked_groups
        for rank_row in ranked_group.rows
    }
    sorted_plays = sorted(
        results.plays,
        key=lambda play_result: (
            play_result.session_number,
            play_result.pool,
            play_result.board_number,
        ),
    )
    plays_by_board = groupby(
        sorted_plays,
        key=lambda play_result: (
            play_result.session_number,
            play_result.pool,
            play_result.board_number,
        ),
    )
    for (_session, _pool, board_number), plays in plays_by_board:
        yield "#BOARD", board_number
        for play in plays:
            yield _build_traveller_row(play, ranking_field_by_entry)


def _build_traveller_row(
    play: BoardPlayResult, ranking_field_by_entry: Mapping[int, str]
) -> list[str]:
    pairs = [
        "-".join(
            format_pair_number(entry_number, ranking_field_by_entry.get(entry_number, ""))
            for entry_number in entry_numbers
        )
        for entry_numbers in (play.ns_entries, play.ew_entries)
    ]
    matchpoint_texts = [
        "" if points is None else format_decimal(points) for points in play.matchpoints
    ]
    ns_tricks = play.traveller_line.ns_tricks
    if play.traveller_line.ns_points is not None and not play.traveller_line.ruling_kind:
        return [*pairs, "", "", "", str(play.traveller_line.ns_value), *matchpoint_texts]
    if ns_tricks is None or play.traveller_line.ruling_kind:
        return [*pairs, "", "", "", "", *matchpoint_texts]
    declarer = play.dealer if play.trumps else Seat.NORTH
    is_ns_declarer = declarer in (Seat.NORTH, Seat.SOUTH)
    declarer_tricks = ns_tricks if is_ns_declarer else 13 - ns_tricks
    score = compute_contract_score(declarer_tricks, play.trumps)
    contract = f"1{play.trumps.value if play.trumps else 'NT'}"
    score_text = str(score if is_ns_declarer else -score)
    return [
        *pairs,
        contract,
        declarer.value,
        str(declarer_tricks),
        score_text,
        *matchpoint_texts,
    ]
