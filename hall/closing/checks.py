"""The open issues that the director checks before closing a session, with their texts."""

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
from scoring.sheets.doubts import list_session_doubts
from scoring.standings_engine.result_lines import EventTally
from server.formatting import format_ranges
from tournaments.models import Entry, Session


class OpenIssueKind(StrEnum):
    """The kinds of open issues that the director sees before closing a session."""

    MISSING_RESULT = "missing"
    UNSCORED_REDEAL = "renewed"  # the result is void, and the new deal has no result yet
    UNPLAYED_BOARD = "nobody"  # no table has played the board
    QUERIED_RESULT = "queried"
    UNCONFIRMED_RESULT = "unconfirmed"
    PROVISIONAL_RULING = "provisional"  # a ruling that may change until all results are in
    UNCONFIRMED_RULING = "confirm"  # a ruling whose score the director has to confirm
    OPEN_CALL = "call"  # a table waits for the director
    UNKNOWN_PARTNER = "partner"  # a pair's partner is not known yet


@dataclass(frozen=True, slots=True)
class OpenIssue:
    """One open issue with its text, and the board, sitting or entry that it concerns."""

    issue_kind: OpenIssueKind
    text: str
    board_number: int = 0
    sitting_pk: int = 0  # the primary key
    entry_number: int = 0  # the number of the entry


def list_open_issues(snapshot: SessionSnapshot, tally: EventTally) -> list[OpenIssue]:
    """Return all open issues of a session that the director should settle before closing."""
    return [
        *_iter_open_calls(snapshot),
        *_iter_queried_results(snapshot),
        *_iter_open_rulings(snapshot, tally),
        *_iter_unconfirmed_results(snapshot),
        *_iter_missing_results(snapshot),
        *_iter_unscored_redeals(snapshot),
        *_iter_unknown_partners(snapshot),
    ]


def summarize_open_issues(
    snapshot: SessionSnapshot, open_issues: list[OpenIssue], open_challenge_count: int
) -> list[str]:
    """Return sentences with the number of open issues of each kind.

    `open_challenge_count` is the number of open challenges, which are not in `open_issues`.
    """
    counts_by_kind = Counter(issue.issue_kind for issue in open_issues)
    sentences = [
        issue.text for issue in open_issues if issue.issue_kind == OpenIssueKind.OPEN_CALL
    ]
    sentences += [_format_missing_results(snapshot)] if snapshot.missing_result_count else []
    unplayed_boards = _list_unplayed_boards(snapshot)
    if unplayed_boards and not snapshot.missing_result_count:
        sentence = ngettext(
            "No one has played board %(boards)s.",
            "No one has played boards %(boards)s.",
            len(unplayed_boards),
        )
        sentences.append(sentence % {"boards": format_ranges(unplayed_boards)})
    count_texts = (
        (count, sentence % {"count": count})
        for count, sentence in _iter_issue_counts(counts_by_kind, open_challenge_count)
    )
    return sentences + [sentence for count, sentence in count_texts if count]


def _iter_issue_counts(
    counts_by_kind: Mapping[OpenIssueKind, int], open_challenge_count: int
) -> Iterator[tuple[int, str]]:
    queried_result_count, unconfirmed_result_count = (
        counts_by_kind[OpenIssueKind.QUERIED_RESULT],
        counts_by_kind[OpenIssueKind.UNCONFIRMED_RESULT],
    )
    open_ruling_count = (
        counts_by_kind[OpenIssueKind.UNCONFIRMED_RULING]
        + counts_by_kind[OpenIssueKind.PROVISIONAL_RULING]
    )
    yield (
        queried_result_count,
        ngettext("%(count)s score to check", "%(count)s scores to check", queried_result_count),
    )
    yield (
        unconfirmed_result_count,
        ngettext(
            "%(count)s score not confirmed by the other side",
            "%(count)s scores not confirmed by the other side",
            unconfirmed_result_count,
        ),
    )
    yield (
        open_challenge_count,
        ngettext(
            "%(count)s score queried by players",
            "%(count)s scores queried by players",
            open_challenge_count,
        ),
    )
    yield (
        open_ruling_count,
        ngettext("%(count)s open ruling", "%(count)s open rulings", open_ruling_count),
    )


def _format_missing_results(snapshot: SessionSnapshot) -> str:
    board_numbers = [
        board_number
        for board_number in snapshot.boards
        if not snapshot.is_board_finished(board_number)
    ]
    if len(board_numbers) == 1:
        text = ngettext(
            "%(count)s result missing: board %(boards)s",
            "%(count)s results missing: board %(boards)s",
            snapshot.missing_result_count,
        )
    else:
        text = _("%(count)s results missing: boards %(boards)s")
    return text % {
        "count": snapshot.missing_result_count,
        "boards": format_ranges(board_numbers),
    }


def _iter_missing_results(snapshot: SessionSnapshot) -> Iterator[OpenIssue]:
    unplayed_boards = _list_unplayed_boards(snapshot)
    if unplayed_boards:  # one text for all boards, since a session may end early
        text = ngettext(
            "Board %(boards)s has no scores.",
            "Boards %(boards)s have no scores.",
            len(unplayed_boards),
        )
        yield OpenIssue(
            OpenIssueKind.UNPLAYED_BOARD,
            text % {"boards": format_ranges(unplayed_boards)},
            unplayed_boards[0],
        )
    for board_number, tables in snapshot.tables_by_board.items():
        tables_without_result = [
            table
            for table in tables
            if table.is_played
            and not snapshot.find_result(table, board_number)
            and (table.sitting_id, board_number) not in snapshot.settled_plays
        ]
        if tables_without_result and board_number not in unplayed_boards:
            text = describe_tables_without_result(board_number, tables_without_result)
            yield OpenIssue(OpenIssueKind.MISSING_RESULT, text, board_number)


def describe_tables_without_result(
    board_number: int, tables_without_result: Sequence[SeatedTable]
) -> str:
    """Return a text that names the tables whose result of a board is missing."""
    text = (
        _("Board %(board)s: table %(tables)s missing")
        if len(tables_without_result) == 1
        else _("Board %(board)s: tables %(tables)s missing")
    )
    return text % {"board": board_number, "tables": _format_tables(tables_without_result)}


def _iter_unscored_redeals(snapshot: SessionSnapshot) -> Iterator[OpenIssue]:
    """Yield the results that are void because a new deal was ordered and has no result yet."""
    text_template = _("%(where)s: redealt but not yet scored")
    for board_number, table, _result in _iter_entered_results(snapshot):
        if not snapshot.has_result_or_ruling(table, board_number):
            placeholders = {"where": _format_play_location(board_number, table)}
            yield OpenIssue(
                OpenIssueKind.UNSCORED_REDEAL,
                text_template % placeholders,
                board_number,
                table.sitting_id,
            )


def _iter_unknown_partners(snapshot: SessionSnapshot) -> Iterator[OpenIssue]:
    """Yield the pairs whose second player is not known yet."""
    entries = Entry.objects.filter(
        event=snapshot.session.event, players__shown=Player.Shown.UNKNOWN
    )
    for entry_number, entry_name in entries.order_by("number").values_list("number", "name"):
        placeholders = {"number": entry_number, "name": entry_name}
        text = _("Pair %(number)s, %(name)s: enter the partner’s name") % placeholders
        yield OpenIssue(OpenIssueKind.UNKNOWN_PARTNER, text, entry_number=entry_number)


def _list_unplayed_boards(snapshot: SessionSnapshot) -> list[int]:
    """Return the boards that the movement uses but that have no result or ruling."""
    board_numbers = []
    for board_number, tables in snapshot.tables_by_board.items():
        played_tables = [table for table in tables if table.is_played]
        results = [snapshot.find_result(table, board_number) for table in played_tables]
        is_settled = any(
            (table.sitting_id, board_number) in snapshot.settled_plays
            for table in played_tables
        )
        is_played = any(result and result.outcome == Outcome.PLAYED for result in results)
        if played_tables and not is_played and not is_settled:
            board_numbers.append(board_number)
    return board_numbers


def _format_tables(tables_without_result: Sequence[SeatedTable]) -> str:
    """Return table numbers as ranges, with section letters if there are several sections."""
    if all(table.label == str(table.table_number) for table in tables_without_result):
        return format_ranges(table.table_number for table in tables_without_result)
    return ", ".join(table.label for table in tables_without_result)


def _iter_open_calls(snapshot: SessionSnapshot) -> Iterator[OpenIssue]:
    """Yield an open issue for each unanswered call of a table for the director."""
    if snapshot.session.state != Session.State.OPEN:
        return
    text_template = _("Table %(table)s is still waiting for the director.")
    for call in list_waiting_calls(
        DirectorCall.objects.filter(evening=snapshot.session.evening_id)
    ):
        yield OpenIssue(OpenIssueKind.OPEN_CALL, text_template % {"table": call.table_label})


def _iter_queried_results(snapshot: SessionSnapshot) -> Iterator[OpenIssue]:
    text_template = _("%(where)s: check N-S %(tricks)s")
    for queried_result in list_session_doubts(
        snapshot, load_best_play(snapshot.session)
    ).queried_results:
        placeholders = {"where": queried_result.location, "tricks": queried_result.typed_tricks}
        yield OpenIssue(
            OpenIssueKind.QUERIED_RESULT,
            text_template % placeholders,
            queried_result.board_number,
            queried_result.sitting_id,
        )


def _iter_unconfirmed_results(snapshot: SessionSnapshot) -> Iterator[OpenIssue]:
    text_template = _("%(where)s: N-S %(tricks)s not confirmed")
    for board_number, table, result in _iter_entered_results(snapshot):
        if result.agreement == Agreement.AWAITED:
            placeholders = {
                "where": _format_play_location(board_number, table),
                "tricks": result.mark,
            }
            if result.ns_points is not None:
                text_template = _("%(where)s: %(tricks)s not confirmed")
            yield OpenIssue(
                OpenIssueKind.UNCONFIRMED_RESULT,
                text_template % placeholders,
                board_number,
                table.sitting_id,
            )


def _iter_entered_results(
    snapshot: SessionSnapshot,
) -> Iterator[tuple[int, SeatedTable, Result]]:
    for board_number, tables in snapshot.tables_by_board.items():
        for table in tables:
            result = snapshot.find_result(table, board_number)
            if result is not None:
                yield board_number, table, result


def _iter_open_rulings(snapshot: SessionSnapshot, tally: EventTally) -> Iterator[OpenIssue]:
    tables_by_sitting = {table.sitting_id: table for table in snapshot.tables}
    for sitting_pk, board_number in sorted(
        tally.plays_with_open_rulings, key=lambda play: play[1]
    ):
        if sitting_pk not in tables_by_sitting:
            continue
        ruled_play = tally.ruled_results_by_play[sitting_pk, board_number]
        text_template = (
            _("%(where)s: both sides revoked. Confirm the score.")
            if ruled_play.is_confirmation_needed
            else _("%(where)s: ruling provisional until all tables are in")
        )
        issue_kind = (
            OpenIssueKind.UNCONFIRMED_RULING
            if ruled_play.is_confirmation_needed
            else OpenIssueKind.PROVISIONAL_RULING
        )
        placeholders = {
            "where": _format_play_location(board_number, tables_by_sitting[sitting_pk])
        }
        yield OpenIssue(issue_kind, text_template % placeholders, board_number, sitting_pk)


def _format_play_location(board_number: int, table: SeatedTable) -> str:
    return _("Board %(board)s, round %(round)s, table %(table)s") % {
        "board": board_number,
        "round": table.round,
        "table": table.label,
    }
