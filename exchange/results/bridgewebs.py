"""The export of an event as CSV for BridgeWebs: header, scores and travellers."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from boards.whist import Seat
from exchange.data_tables import escape_formula, format_decimal
from exchange.results.event_results import BoardPlayResult, EventResults
from exchange.results.usebio import compute_contract_score, format_pair_number
from scoring.sheets.values import RankField, RankRow
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
    fields = [field for field in results.rank_table.fields if field.rows]
    writer.writerows(_iter_header_rows(results, fields))
    for block in _group_score_blocks(fields):
        writer.writerow(("#SCORES",))
        writer.writerow(SCORE_COLUMNS)
        writer.writerows(
            _build_score_row(results, rank_row, field)
            for field in block
            for rank_row in field.rows
        )
    writer.writerow(("#BOARDFORMAT", "BOARD"))
    writer.writerow(("#TRAVELLERS",))
    writer.writerow(TRAVELLER_COLUMNS)
    writer.writerows(_iter_traveller_rows(results, fields))
    return buffer.getvalue().encode("utf-8-sig")


def _group_score_blocks(fields: Sequence[RankField]) -> list[list[RankField]]:
    """Return the rankings in each #SCORES block of the file.

    An event with one winner has one block. Otherwise North-South comes before East-West, which
    is the order in which BridgeWebs reads the blocks.
    """
    east_west = [field for field in fields if field.field == "EW"]
    other_fields = [field for field in fields if field.field != "EW"]
    return [block for block in (other_fields, east_west) if block]


def _iter_header_rows(results: EventResults, fields: Sequence[RankField]) -> Iterator[Row]:
    yield "#VERSION", f"Overplay {VERSION}"
    yield "#DATE", results.event.date.strftime("%d/%m/%Y")
    yield "#TITLE", escape_formula(results.event.name)
    yield "#PAIRS", sum(len(field.rows) for field in fields)
    yield "#BOARDS", len({(play.session, play.board) for play in results.plays})
    yield "#WINNERS", 2 if any(field.field for field in fields) else 1
    yield "#ROUNDS", max((play.round for play in results.plays), default=0)


def _build_score_row(results: EventResults, rank_row: RankRow, field: RankField) -> Row:
    first_name, second_name = [
        *results.entry_names_by_number[rank_row.entry].player_names,
        "",
        "",
    ][:2]
    return (
        f"{rank_row.rank}{'=' if rank_row.tied else ''}",
        format_pair_number(rank_row.entry, field.field),
        escape_formula(first_name),
        escape_formula(second_name),
        format_decimal(rank_row.score),
        "" if rank_row.percent is None else format_decimal(rank_row.percent * 100),
    )


def _iter_traveller_rows(results: EventResults, fields: Sequence[RankField]) -> Iterator[Row]:
    """Yield the rows of each board's traveller: the board number, then the results."""
    field_names_by_entry = {
        rank_row.entry: field.field for field in fields for rank_row in field.rows
    }
    sorted_plays = sorted(
        results.plays,
        key=lambda play_result: (play_result.session, play_result.pool, play_result.board),
    )
    plays_by_board = groupby(
        sorted_plays,
        key=lambda play_result: (play_result.session, play_result.pool, play_result.board),
    )
    for (_session, _pool, board), plays in plays_by_board:
        yield "#BOARD", board
        for play in plays:
            yield _build_traveller_row(play, field_names_by_entry)


def _build_traveller_row(
    play: BoardPlayResult, field_names_by_entry: Mapping[int, str]
) -> list[str]:
    pairs = [
        "-".join(
            format_pair_number(entry_number, field_names_by_entry.get(entry_number, ""))
            for entry_number in side
        )
        for side in (play.ns_entries, play.ew_entries)
    ]
    matchpoint_texts = [
        "" if points is None else format_decimal(points) for points in play.matchpoints
    ]
    ns_tricks = play.line.ns_tricks
    if play.line.ns_points is not None and not play.line.ruling_kind:
        return [*pairs, "", "", "", str(play.line.ns_value), *matchpoint_texts]
    if ns_tricks is None or play.line.ruling_kind:
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
