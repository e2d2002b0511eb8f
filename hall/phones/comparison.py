"""The results of other tables on the boards just played, and the ranks of the table's pairs.

Only the response to the request that completed the round contains these results. They have no
URL of their own, because the next pair at the table may still have to play those boards (rules
D2).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import prefetch_related_objects

from hall.phones.own_table import OwnTable
from scoring.models import Agreement, Outcome, Ruling
from scoring.secrecy import can_see_other_results
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from scoring.sheets.own_places import load_own_ranks
from scoring.tray_deals import iter_comparable_results
from server import formatting

_RULING_KINDS_WITHOUT_CHANGE = (Ruling.Kind.NOTED_CORRECTION, Ruling.Kind.FOULED_BOARD)
"""The kinds of rulings that do not change a table's result."""


# phones get BoardComparison and Comparison as JSON, so the names of the fields must not change
@dataclass(frozen=True, slots=True)
class BoardComparison:
    """The results on one board: this table's, and the other tables' in ascending order."""

    board: int
    ns: int  # this table's tricks, or the points that N-S won
    ew: int
    others: tuple[int | str, ...]  # tricks of N-S, or points of N-S less those of E-W: "+80"
    gap: str  # N-S compared with the average of all tables: "+1.60"
    side: str  # the sign of the gap: "plus", "minus" or ""


@dataclass(frozen=True, slots=True)
class TableComparison:
    """The results of other tables that a table sees after a round or a board."""

    sitting: int
    boards: tuple[BoardComparison, ...]
    places: tuple[tuple[str, str, str], ...]  # name, rank ("4th of 7") and score


def build_comparison(
    own_table: OwnTable, sitting_pk: int, *, only_board_number: int | None = None
) -> TableComparison | None:
    """Compare this table's results of a sitting with those of other tables.

    With `only_board_number`, compare a single board. Boards that no other table has played are
    left out. Returns None while the other results are secret.
    """
    own_snapshot, table = own_table.own_rounds_snapshot, own_table.find_seated_table(sitting_pk)
    if table is None:
        return None
    # prefetched, because the test of whether a board's results are public reads all sessions
    prefetch_related_objects([own_snapshot.session.event], "sessions")
    board_numbers = [
        board_number
        for board_number in table.boards
        if only_board_number in (None, board_number)
        and can_see_other_results(own_snapshot, table, board_number)
        and (result := own_snapshot.find_result(table, board_number)) is not None
        and result.agreement != Agreement.AWAITED
    ]
    if not board_numbers:
        return None
    comparisons = tuple(_iter_board_comparisons(own_table, table, board_numbers))
    return (
        TableComparison(sitting_pk, comparisons, _list_ranks(own_snapshot, table))
        if comparisons
        else None
    )


def _iter_board_comparisons(
    own_table: OwnTable, table: SeatedTable, board_numbers: Iterable[int]
) -> Iterable[BoardComparison]:
    session = own_table.snapshot.session
    snapshots_by_group = {own_table.board_group: own_table.snapshot}
    for board_number in board_numbers:
        board_group = session.find_board_group(board_number)
        if board_group not in snapshots_by_group:
            snapshots_by_group[board_group] = load_session_snapshot(
                session, board_group=board_group
            )
        written_score = own_table.snapshot.results_by_play[
            table.sitting_id, board_number
        ].written_score
        ns_value, (ns_score, ew_score) = written_score.ns_value, written_score.side_values
        other_results = sorted(
            _iter_other_results(snapshots_by_group[board_group], table, board_number)
        )
        if ns_value is None or not other_results:
            continue
        difference_from_average = ns_value - Fraction(
            sum(other_results) + ns_value, len(other_results) + 1
        )
        yield BoardComparison(
            board=board_number,
            ns=ns_score or 0,
            ew=ew_score or 0,
            others=tuple(
                _format_result(own_table.snapshot, result) for result in other_results
            ),
            gap=formatting.format_signed(difference_from_average),
            side="plus"
            if difference_from_average > 0
            else "minus"
            if difference_from_average < 0
            else "",
        )


def _iter_other_results(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int
) -> Iterable[int]:
    """Yield the other tables' results on the same cards, unless a ruling changed them."""
    ruled_play_keys = {
        (ruled_play.sitting_id, ruled_play.board_number, ruled_play.deal_number)
        for ruled_play in snapshot.rulings
        if ruled_play.ruling_kind not in _RULING_KINDS_WITHOUT_CHANGE
    }
    for other_table, result in iter_comparable_results(snapshot, table, board_number):
        if (
            result.outcome == Outcome.PLAYED
            and (other_table.sitting_id, board_number, result.deal) not in ruled_play_keys
        ):
            yield result.written_score.ns_value or 0


def _format_result(snapshot: SessionSnapshot, ns_value: int) -> int | str:
    return (
        formatting.format_signed(ns_value)
        if snapshot.session.event.is_scored_in_points
        else ns_value
    )


def _list_ranks(
    snapshot: SessionSnapshot, table: SeatedTable
) -> tuple[tuple[str, str, str], ...]:
    """Return the ranks of the entries at the table, named by side (pairs) or seat (players)."""
    entries_by_side = {"N-S": table.ns.entries, "E-W": table.ew.entries}
    sides_by_entry = {
        entries[0]: side_name
        for side_name, entries in entries_by_side.items()
        if len(entries) == 1
    }
    own_ranks = load_own_ranks(snapshot.session.event, [*table.ns.entries, *table.ew.entries])
    return tuple(
        (
            sides_by_entry.get(own_rank.entry_number, own_rank.label),
            own_rank.rank_text,
            own_rank.score,
        )
        for own_rank in own_ranks
    )
