"""The open points that the director checks before closing a session, with their texts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import DirectorCall, Player
from hall.phones.calls import list_waiting_calls
from scoring.doubts.open_doubts import load_best_play
from scoring.models import Agreement, Outcome, Result
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.doubts import list_session_queries
from scoring.standings_engine.result_lines import EventTally
from server.formatting import format_ranges
from tournaments.models import Entry, Session


class OpenPointKind(StrEnum):
    """The kinds of open points that the director sees before closing a session."""

    MISSING = "missing"
    RENEWED = "renewed"  # the result is void, and the new deal has none
    NOBODY = "nobody"  # no table has played the board
    QUERIED = "queried"
    UNCONFIRMED = "unconfirmed"
    PROVISIONAL = "provisional"
    CONFIRM = "confirm"  # a result that the director has to confirm
    CALL = "call"  # a table waits for the director
    PARTNER = "partner"  # a pair's partner is not known yet


@dataclass(frozen=True, slots=True)
class ClosingCheck:
    """One open point: its kind, its text, and the board, sitting or entry concerned."""

    kind: OpenPointKind
    text: str
    board: int = 0
    sitting: int = 0
    entry: int = 0


def list_closing_checks(snapshot: SessionSnapshot, tally: EventTally) -> list[ClosingCheck]:
    """Return all open points of a session that the director should settle before the close."""
    return [
        *_iter_calls(snapshot),
        *_iter_queried(snapshot),
        *_iter_open_rulings(snapshot, tally),
        *_iter_unconfirmed(snapshot),
        *_iter_missing(snapshot),
        *_iter_unscored_redeals(snapshot),
        *_iter_unknown_partners(snapshot),
    ]


def summarize_checks(
    snapshot: SessionSnapshot, checks: list[ClosingCheck], query_count: int
) -> list[str]:
    """Return sentences with the number of open points of each kind and of open challenges.

    `query_count` is the number of open challenges.
    """
    counts_by_kind = Counter(check.kind for check in checks)
    lines = [check.text for check in checks if check.kind == OpenPointKind.CALL]
    lines += [_format_missing(snapshot)] if snapshot.missing_result_count else []
    unplayed = _list_unplayed_boards(snapshot)
    if unplayed and not snapshot.missing_result_count:
        text = ngettext(
            "No one has played board %(boards)s.",
            "No one has played boards %(boards)s.",
            len(unplayed),
        )
        lines.append(text % {"boards": format_ranges(unplayed)})
    count_texts = (
        (number, text % {"count": number})
        for number, text in _iter_counts(counts_by_kind, query_count)
    )
    return lines + [text for number, text in count_texts if number]


def _iter_counts(
    counts: Mapping[OpenPointKind, int], query_count: int
) -> Iterator[tuple[int, str]]:
    queried, awaited = counts[OpenPointKind.QUERIED], counts[OpenPointKind.UNCONFIRMED]
    ruled = counts[OpenPointKind.CONFIRM] + counts[OpenPointKind.PROVISIONAL]
    yield (
        queried,
        ngettext("%(count)s score to check", "%(count)s scores to check", queried),
    )
    yield (
        awaited,
        ngettext(
            "%(count)s score not confirmed by the other side",
            "%(count)s scores not confirmed by the other side",
            awaited,
        ),
    )
    yield (
        query_count,
        ngettext(
            "%(count)s score queried by players",
            "%(count)s scores queried by players",
            query_count,
        ),
    )
    yield ruled, ngettext("%(count)s open ruling", "%(count)s open rulings", ruled)


def _format_missing(snapshot: SessionSnapshot) -> str:
    boards = [board for board in snapshot.boards if not snapshot.is_board_finished(board)]
    if len(boards) == 1:
        text = ngettext(
            "%(count)s result missing: board %(boards)s",
            "%(count)s results missing: board %(boards)s",
            snapshot.missing_result_count,
        )
    else:
        text = _("%(count)s results missing: boards %(boards)s")
    return text % {"count": snapshot.missing_result_count, "boards": format_ranges(boards)}


def _iter_missing(snapshot: SessionSnapshot) -> Iterator[ClosingCheck]:
    unplayed = _list_unplayed_boards(snapshot)
    if unplayed:  # one text for all: an evening may end early
        text = ngettext(
            "Board %(boards)s has no scores.",
            "Boards %(boards)s have no scores.",
            len(unplayed),
        )
        yield ClosingCheck(
            OpenPointKind.NOBODY, text % {"boards": format_ranges(unplayed)}, unplayed[0]
        )
    for board, tables in snapshot.tables_by_board.items():
        missing_tables = [
            table
            for table in tables
            if table.is_played
            and not snapshot.find_result(table, board)
            and (table.sitting, board) not in snapshot.settled_plays
        ]
        if missing_tables and board not in unplayed:
            text = describe_absent_tables(board, missing_tables)
            yield ClosingCheck(OpenPointKind.MISSING, text, board)


def describe_absent_tables(board: int, absent: Sequence[SeatedTable]) -> str:
    """Return a text that names the tables whose result of a board is missing."""
    text = (
        _("Board %(board)s: table %(tables)s missing")
        if len(absent) == 1
        else _("Board %(board)s: tables %(tables)s missing")
    )
    return text % {"board": board, "tables": _format_tables(absent)}


def _iter_unscored_redeals(snapshot: SessionSnapshot) -> Iterator[ClosingCheck]:
    """Yield the results that are void because a new deal was ordered and has no result yet."""
    text = _("%(where)s: redealt but not yet scored")
    for board, table, _result in _iter_entered(snapshot):
        if not snapshot.has_result_or_ruling(table, board):
            placeholders = {"where": _format_place(board, table)}
            yield ClosingCheck(OpenPointKind.RENEWED, text % placeholders, board, table.sitting)


def _iter_unknown_partners(snapshot: SessionSnapshot) -> Iterator[ClosingCheck]:
    """Yield the pairs whose second player is not known yet."""
    rows = Entry.objects.filter(
        event=snapshot.session.event, players__shown=Player.Shown.UNKNOWN
    )
    for number, name in rows.order_by("number").values_list("number", "name"):
        placeholders = {"number": number, "name": name}
        text = _("Pair %(number)s, %(name)s: enter the partner’s name") % placeholders
        yield ClosingCheck(OpenPointKind.PARTNER, text, entry=number)


def _list_unplayed_boards(snapshot: SessionSnapshot) -> list[int]:
    """Return the boards that the movement uses but that have no result or ruling."""
    boards = []
    for board, tables in snapshot.tables_by_board.items():
        plays = [table for table in tables if table.is_played]
        results = [snapshot.find_result(table, board) for table in plays]
        is_settled = any((table.sitting, board) in snapshot.settled_plays for table in plays)
        is_played = any(result and result.outcome == Outcome.PLAYED for result in results)
        if plays and not is_played and not is_settled:
            boards.append(board)
    return boards


def _format_tables(absent: Sequence[SeatedTable]) -> str:
    """Return table numbers as ranges, with section letters if there are several sections."""
    if all(table.label == str(table.table) for table in absent):
        return format_ranges(table.table for table in absent)
    return ", ".join(table.label for table in absent)


def _iter_calls(snapshot: SessionSnapshot) -> Iterator[ClosingCheck]:
    """Yield the tables with an open call, because tables cannot call after the close."""
    if snapshot.session.state != Session.State.OPEN:
        return
    text = _("Table %(table)s is still waiting for the director.")
    for call in list_waiting_calls(
        DirectorCall.objects.filter(evening=snapshot.session.evening_id)
    ):
        yield ClosingCheck(OpenPointKind.CALL, text % {"table": call.place})


def _iter_queried(snapshot: SessionSnapshot) -> Iterator[ClosingCheck]:
    text = _("%(where)s: check N-S %(tricks)s")
    for query in list_session_queries(
        snapshot, load_best_play(snapshot.session)
    ).queried_results:
        placeholders = {"where": query.where, "tricks": query.typed}
        yield ClosingCheck(
            OpenPointKind.QUERIED, text % placeholders, query.board, query.sitting
        )


def _iter_unconfirmed(snapshot: SessionSnapshot) -> Iterator[ClosingCheck]:
    text = _("%(where)s: N-S %(tricks)s not confirmed")
    for board, table, result in _iter_entered(snapshot):
        if result.agreement == Agreement.AWAITED:
            placeholders = {"where": _format_place(board, table), "tricks": result.mark}
            if result.ns_points is not None:
                text = _("%(where)s: %(tricks)s not confirmed")
            yield ClosingCheck(
                OpenPointKind.UNCONFIRMED, text % placeholders, board, table.sitting
            )


def _iter_entered(snapshot: SessionSnapshot) -> Iterator[tuple[int, SeatedTable, Result]]:
    for board, tables in snapshot.tables_by_board.items():
        for table in tables:
            result = snapshot.find_result(table, board)
            if result is not None:
                yield board, table, result


def _iter_open_rulings(snapshot: SessionSnapshot, tally: EventTally) -> Iterator[ClosingCheck]:
    tables = {table.sitting: table for table in snapshot.tables}
    for sitting, board in sorted(tally.open_rulings, key=lambda play: play[1]):
        if sitting not in tables:
            continue
        ruled_play = tally.ruled_plays[sitting, board]
        text = (
            _("%(where)s: both sides revoked. Confirm the score.")
            if ruled_play.needs_confirmation
            else _("%(where)s: ruling provisional until all tables are in")
        )
        kind = (
            OpenPointKind.CONFIRM
            if ruled_play.needs_confirmation
            else OpenPointKind.PROVISIONAL
        )
        placeholders = {"where": _format_place(board, tables[sitting])}
        yield ClosingCheck(kind, text % placeholders, board, sitting)


def _format_place(board: int, table: SeatedTable) -> str:
    return _("Board %(board)s, round %(round)s, table %(table)s") % {
        "board": board,
        "round": table.round,
        "table": table.label,
    }
