"""The sheets of papers: slips and guide cards before play, ranking and recap after it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from django.utils.translation import gettext as _

from clubs.name_order import sort_by_name
from printing.values import Heading
from scoring.models import Result
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.corrections import load_standings_edition
from scoring.sheets.explained_numbers import Explanation
from scoring.sheets.explanations import build_all_explanations
from scoring.sheets.headings import build_heading
from scoring.sheets.next_moves import (
    describe_moves,
    find_partner_label,
    find_seat,
    format_board_range,
    format_seat_name,
    format_short_seat,
    list_round_notes,
)
from scoring.sheets.plays import EventPlays, PlayDetail, load_plays
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.short_names import list_names_by_partner
from scoring.sheets.trays import split_deals_by_play
from scoring.sheets.values import (
    GuideCard,
    GuideCardRound,
    RankTable,
    Recap,
    RecapGroup,
    RecapRow,
    ScoreSlip,
    ScoreSlipLine,
    TravellerSlip,
    TravellerSlipLine,
    TrumpSlip,
)
from server import formatting
from tournaments.models import Event, Place

EMPTY_CELL = ("", 0)
"""A recap cell without a result: no text, and neither above nor below the average."""


def build_traveller_slips(snapshot: SessionSnapshot) -> list[TravellerSlip]:
    """Return a slip for each board, with the pairs that will play it in the order of play."""
    headings_by_section = _build_headings(snapshot)
    dealers_by_board = snapshot.session.load_dealers(snapshot.tables_by_board)
    return [
        TravellerSlip(
            heading=headings_by_section[section_letter],
            board_number=board_number,
            dealer=dealers_by_board[board_number],
            lines=tuple(
                TravellerSlipLine(
                    table.round,
                    table.label,
                    table.ns.short_label,
                    table.ew.short_label,
                    is_for_singles=len(table.ns.places) > 1,
                )
                for table in tables
                if table.section == section_letter
            ),
            has_declared_trumps=snapshot.session.event.has_declared_trumps,
            is_in_points=snapshot.session.event.is_scored_in_points,
        )
        for board_number, tables in snapshot.tables_by_board.items()
        for section_letter in sorted({table.section for table in tables})
    ]


def build_guide_cards(snapshot: SessionSnapshot) -> list[GuideCard]:
    """Return a guide card for each table: the pairs and boards of each round."""
    headings_by_section = _build_headings(snapshot)
    return [
        GuideCard(
            heading=headings_by_section[section_letter],
            table_number=table_number,
            table_label=tables[0].label,
            lines=tuple(_build_guide_line(snapshot, table) for table in tables)
            if any(table.is_played for table in tables)
            else (),
            moves=tuple(describe_moves(snapshot, tables)),
            is_for_singles=len(tables[0].ns.places) > 1,
        )
        for (section_letter, table_number), tables in snapshot.rounds_by_table.items()
    ]


def build_score_slips(snapshot: SessionSnapshot) -> list[ScoreSlip]:
    """Return a slip for each entry: opponents and boards in the order of play (rules J5)."""
    headings_by_section = _build_headings(snapshot)
    return [
        _build_score_slip(snapshot, place, headings_by_section[place.section.letter])
        for place in snapshot.places
        if place.entry is not None
    ]


def sort_slips_by_name(slips: Sequence[ScoreSlip]) -> list[list[ScoreSlip]]:
    """Return the slips of each section sorted by surname; a pair's slip occurs once for each
    player.
    """
    return [
        sort_by_name(_repeat_slips_per_player(section_slips), lambda slip: slip.name)
        for _heading, section_slips in groupby(slips, key=lambda slip: slip.heading)
    ]


def _repeat_slips_per_player(slips: Iterable[ScoreSlip]) -> list[ScoreSlip]:
    return [replace(slip, name=name) for slip in slips for name in _list_names(slip)]


def _list_names(slip: ScoreSlip) -> list[str]:
    return list_names_by_partner(slip.name, is_single_person=slip.is_single)


def build_trump_slips(snapshot: SessionSnapshot) -> list[TrumpSlip]:
    """Build a slip for each board and play: the turn-up if known, else a box to write it in.

    Before the close, only this paper shows turn-ups. The director orders it for the trays (Law
    IV §1; rules D1).
    """
    known_deals = list(snapshot.session.load_known_deals().items())
    dealers_by_board = snapshot.session.load_dealers(snapshot.boards)
    heading = build_heading(snapshot.session)
    slips = []
    for play_name, play_deals in split_deals_by_play(snapshot.session.event, known_deals):
        deal_by_board = dict(play_deals)
        for board_number in snapshot.boards:
            turn_up = (
                deal_by_board[board_number].turn_up if board_number in deal_by_board else None
            )
            slips.append(
                TrumpSlip(
                    heading=heading,
                    board_number=board_number,
                    dealer=dealers_by_board[board_number],
                    turn_up=turn_up.code if turn_up else None,
                    play_name=play_name,
                )
            )
    return slips


def build_ranking(snapshot: SessionSnapshot) -> RankTable:
    """Return the standings of the event, with their version."""
    event = snapshot.session.event
    return replace(
        load_rank_table(event, should_include_hidden_results=True),
        edition=load_standings_edition(event),
    )


def build_recap(snapshot: SessionSnapshot) -> Recap:
    """Build the recap: all results in one grid, entries down by rank, boards across."""
    rank_table = load_rank_table(snapshot.session.event, should_include_hidden_results=True)
    return build_partial_recap(snapshot, rank_table, snapshot.boards, load_plays(snapshot))


def build_partial_recap(
    snapshot: SessionSnapshot,
    rank_table: RankTable,
    boards: Sequence[int],
    event_plays: EventPlays,
) -> Recap:
    """Build the recap of some fields of a ranking, with the columns of some boards.

    `event_plays` has the plays of the event, from `load_plays(snapshot)`.
    """
    cell_by_entry_and_board = _build_recap_cells(snapshot, set(boards), event_plays)
    return Recap(
        heading=build_heading(snapshot.session),
        method=rank_table.method,
        boards=tuple(boards),
        fields=tuple(
            RecapGroup(
                section=ranked_group.section,
                field=ranked_group.field,
                average=ranked_group.average,
                rows=tuple(
                    RecapRow(
                        rank=rank_row,
                        cells=tuple(
                            cell_by_entry_and_board.get(
                                (rank_row.entry, board_number), EMPTY_CELL
                            )[0]
                            for board_number in boards
                        ),
                        average_comparisons=tuple(
                            cell_by_entry_and_board.get(
                                (rank_row.entry, board_number), EMPTY_CELL
                            )[1]
                            for board_number in boards
                        ),
                    )
                    for rank_row in ranked_group.rows
                ),
            )
            for ranked_group in rank_table.fields
        ),
        is_complete=rank_table.complete,
    )


def build_explanations(snapshot: SessionSnapshot) -> list[Explanation]:
    """Return the explanations of every entry's numbers, for the director."""
    return build_all_explanations(snapshot.session.event)


def _build_headings(snapshot: SessionSnapshot) -> Mapping[str, Heading]:
    section_count = len(snapshot.sections)
    return {
        section.letter: build_heading(snapshot.session, section.letter, section_count)
        for section in snapshot.sections
    }


def _build_guide_line(snapshot: SessionSnapshot, table: SeatedTable) -> GuideCardRound:
    return GuideCardRound(
        round_number=table.round,
        ns=table.ns.short_label if table.ns.entries else "–",
        ew=table.ew.short_label if table.ew.entries else "–",
        boards=format_board_range(table.boards) if table.is_played else "–",
        note="; ".join(list_round_notes(snapshot, table)),
    )


def _build_score_slip(snapshot: SessionSnapshot, place: Place, heading: Heading) -> ScoreSlip:
    assert place.entry is not None
    own_tables = snapshot.tables_by_place.get(place.pk, [])
    first_table = next((table for table in own_tables if table.is_played), None)
    return ScoreSlip(
        heading=heading,
        label=snapshot.format_place_label(place),
        name=place.entry.name,
        start_seat_text=_format_seat(first_table, place) if first_table else "",
        lines=tuple(line for table in own_tables for line in _build_slip_lines(table, place)),
        start_round_number=first_table.round if first_table else 1,
        first_table_number=own_tables[0].table_number if own_tables else 0,
        is_single=snapshot.session.event.contest == Event.Contest.INDIVIDUAL,
    )


def _format_seat(table: SeatedTable, place: Place) -> str:
    seat_name = format_seat_name(find_seat(table, place.pk))
    return _("table %(table)s, %(side)s") % {"table": table.label, "side": seat_name}


def _build_slip_lines(table: SeatedTable, place: Place) -> list[ScoreSlipLine]:
    own_side, opposing_side = (
        (table.ns, table.ew) if place.pk in table.ns.places else (table.ew, table.ns)
    )
    if not table.is_played:
        return [ScoreSlipLine(table.round, table.label, "", "", None)]
    direction = format_short_seat(find_seat(table, place.pk))
    partner_label = find_partner_label(own_side, place.pk)
    return [
        ScoreSlipLine(
            round_number=table.round,
            table_label=table.label,
            direction=direction,
            opponents=opposing_side.label,
            board_number=board_number,
            partner=partner_label,
        )
        for board_number in table.boards
    ]


def _build_recap_cells(
    snapshot: SessionSnapshot, boards: set[int], event_plays: EventPlays
) -> dict[tuple[int, int], tuple[str, int]]:
    """Return each entry's recap cell for each board: its text, and 1, 0 or -1.

    The number is the result of `_compare_with_average`.

    An entry that plays a board twice (both pairs of a team, or overplays in memory duplicate)
    has both plays in one cell: "9/4".
    """
    positioned_cells_by_key: dict[tuple[int, int], list[tuple[int, str, int]]] = {}
    format_number = (
        formatting.format_signed if event_plays.method.is_in_points else formatting.format_plain
    )
    is_team_event = snapshot.session.event.contest == Event.Contest.TEAMS
    for table in snapshot.tables:
        for board_number in boards.intersection(table.boards):
            result = snapshot.find_result(table, board_number)
            play = event_plays.get_play_detail((table.sitting_id, board_number))
            for entries, side_index in ((table.ns.entries, 0), (table.ew.entries, 1)):
                cell_sort_key = side_index if is_team_event else table.round
                text_and_comparison = (
                    _format_cell(result, play, side_index, format_number),
                    _compare_with_average(result, play, side_index),
                )
                for entry_number in entries:
                    positioned_cells_by_key.setdefault((entry_number, board_number), []).append(
                        (cell_sort_key, *text_and_comparison)
                    )
    return {cell_key: _join_cells(cells) for cell_key, cells in positioned_cells_by_key.items()}


def _join_cells(positioned_cells: list[tuple[int, str, int]]) -> tuple[str, int]:
    """Join the cells of an entry's plays of one board into one cell.

    Each of `positioned_cells` is a number for the order, a text, and a result of
    `_compare_with_average`.
    """
    sorted_cells = [
        (cell_text, average_comparison)
        for _order, cell_text, average_comparison in sorted(
            positioned_cells, key=lambda positioned_cell: positioned_cell[0]
        )
    ]
    if not any(cell_text for cell_text, _average_comparison in sorted_cells):
        return EMPTY_CELL
    average_comparison = sum(
        average_comparison for _cell_text, average_comparison in sorted_cells
    )
    joined_text = "/".join(cell_text or "…" for cell_text, _average_comparison in sorted_cells)
    return joined_text, (average_comparison > 0) - (average_comparison < 0)


def _compare_with_average(
    result: Result | None, play_detail: PlayDetail, side_index: int
) -> int:
    """Return 1 for a trick or more above the average, -1 for a trick or more below, else 0."""
    average, compared_value = (
        play_detail.averages[side_index],
        play_detail.counted_tricks[side_index],
    )
    if average is None or play_detail.ruling_kind in ("void", "average"):
        return 0
    if compared_value is None:
        result_value = _get_side_value(result, side_index)
        if result_value is None:
            return 0
        compared_value = Fraction(result_value)
    return (compared_value - average >= 1) - (average - compared_value >= 1)


def _format_cell(
    result: Result | None,
    play_detail: PlayDetail,
    side_index: int,
    format_number: Callable[[Fraction], str],
) -> str:
    """Format a cell: the result, the value that counts, a revoke's mark: "6→5 −R" (rules H5).

    V is void, A the average. Without a ruling a cell has only the tricks, or the points won
    less those lost.
    """
    if play_detail.ruling_kind == "void":
        return "V"
    counted_value = play_detail.counted_tricks[side_index]
    if play_detail.ruling_kind in _RULING_LETTERS and counted_value is not None:
        return f"{format_number(counted_value)} {_RULING_LETTERS[play_detail.ruling_kind]}"
    if result is None:
        return ""
    result_value = _get_side_value(result, side_index)
    if result_value is None:
        return "–"
    cell_text = format_number(Fraction(result_value))
    if counted_value not in (None, result_value):
        cell_text += f"→{format_number(Fraction(counted_value or 0))}"
    return f"{cell_text} {play_detail.revoke_marks[side_index]}".rstrip()


def _get_side_value(result: Result | None, side_index: int) -> int | None:
    """Return a side's result: its tricks, or the points it won less those it lost."""
    result_value = result.written_score.ns_value if result else None
    if result is None or result_value is None or side_index == 0:
        return result_value
    return result.ew_tricks if result.ns_points is None else -result_value


_RULING_LETTERS = {"average": "A", "adjusted": "D"}
