"""Checks of a new score: whether it can be entered, and whether it is plausible."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import permissions
from clubs.audit import Actor
from scoring.doubts.open_doubts import (
    BestPlay,
    DoubtfulResult,
    find_doubtful_result,
    find_round_correction,
    load_best_play,
    load_visible_best_play,
)
from scoring.errors import PlayNotFound
from scoring.models import Doubt, Result
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from tournaments.errors import ActionUnavailable
from tournaments.models import Session, Sitting

PlayKey = tuple[int, int]
"""The key of a sitting, and the number of a board."""
BoardGroupSnapshots = dict[tuple[int, int], SessionSnapshot]
"""Partial snapshots of sessions, by session key and board group."""


def check_scores_can_change(session: Session, by: Actor) -> None:
    """Raise ActionUnavailable if scores cannot be changed: the session is planned or closed.

    A director may still correct results in the club's period for corrections (rules J8).
    """
    if session.state == Session.State.PLANNED:
        raise ActionUnavailable(_("The session hasn’t started. Start it to enter scores."))
    corrections_end = session.corrections_end
    if corrections_end is None:
        return
    if corrections_end <= timezone.now():
        raise ActionUnavailable(_("The session is closed. Reopen it to correct a score."))
    if by is not None and not permissions.can_direct(by, session.event.club):
        raise ActionUnavailable(
            _("The session is closed. Only a director can correct a score.")
        )


def check_play_can_be_scored(
    sitting: Sitting | SeatedTable, session: Session, board_number: int, by: Actor
) -> None:
    """Raise PlayNotFound if a sitting does not play a board.

    Raises ActionUnavailable if scores cannot change.
    """
    check_scores_can_change(session, by)
    if board_number not in sitting.boards:
        raise PlayNotFound(
            _("Board %(board)s isn’t played at table %(table)s in round %(round)s.")
            % {"board": board_number, "table": sitting.label, "round": sitting.round}
        )
    if not sitting.is_played:
        raise PlayNotFound(
            _("No one plays at table %(table)s in round %(round)s (sit-out).")
            % {"table": sitting.label, "round": sitting.round}
        )


def load_board_groups(
    play_locations: Iterable[tuple[Session, int, int]],
) -> BoardGroupSnapshots:
    """Load a partial snapshot for each board group to which one of the plays belongs.

    A play is a session, the key of a sitting and the number of a board.
    """
    sitting_ids_by_group: dict[tuple[int, int], set[int]] = {}
    session_by_id: dict[int, Session] = {}
    for session, sitting_id, board_number in play_locations:
        session_by_id.setdefault(session.pk, session)
        sitting_ids_by_group.setdefault(
            (session.pk, session.find_board_group(board_number)), set()
        ).add(sitting_id)
    return {
        group_key: load_session_snapshot(
            session_by_id[group_key[0]], board_group=group_key[1], extra_sitting_ids=sitting_ids
        )
        for group_key, sitting_ids in sitting_ids_by_group.items()
    }


def check_saved_results(
    snapshots: BoardGroupSnapshots, results: Iterable[Result], by: Actor
) -> dict[PlayKey, DoubtfulResult]:
    """Check results that were just saved, and save each `doubt` field that changed.

    Returns the doubtful results among `results`.
    """
    results_by_group: dict[tuple[int, int], list[Result]] = {}
    for result in results:
        session = result.sitting.section.session
        results_by_group.setdefault(
            (session.pk, session.find_board_group(result.board)), []
        ).append(result)
    doubtful_results_by_play: dict[PlayKey, DoubtfulResult] = {}
    for group_key, group_results in results_by_group.items():
        for result in group_results:
            snapshots[group_key].add_or_replace_result(result)
        doubts_by_play = {get_play_key(result): result.doubt for result in group_results}
        doubtful_group_results_by_play, results_with_changed_doubt = check_plausibility(
            snapshots[group_key], group_results, by
        )
        doubtful_results_by_play |= doubtful_group_results_by_play
        changed_results = [
            result
            for result in group_results
            if result.doubt != doubts_by_play[get_play_key(result)]
        ]
        save_doubts([*changed_results, *results_with_changed_doubt])
    return doubtful_results_by_play


def check_plausibility(
    snapshot: SessionSnapshot, results: Collection[Result], by: Actor
) -> tuple[dict[PlayKey, DoubtfulResult], list[Result]]:
    """Mark implausible results as doubtful, and other results that they make implausible.

    Marks that are no longer justified are removed. Returns the doubtful ones of `results`, and
    the other results whose `doubt` has changed. Nothing is saved.
    """
    best_play = load_visible_best_play(snapshot.session, by)
    former_doubts_by_play = {
        get_play_key(result): result.doubt for result in snapshot.results_by_play.values()
    }
    doubtful_results_by_play: dict[PlayKey, DoubtfulResult] = {}
    for result in results:
        doubtful_result = _check_result(snapshot, result, best_play)
        if doubtful_result is not None:
            round_correction = find_round_correction(snapshot, doubtful_result.table, best_play)
            doubtful_results_by_play[get_play_key(result)] = replace(
                doubtful_result, table_correction=round_correction
            )
    checked_plays = {get_play_key(result) for result in results}
    other_results = (
        result for play, result in snapshot.results_by_play.items() if play not in checked_plays
    )
    return doubtful_results_by_play, [
        result
        for result in other_results
        if result.doubt != former_doubts_by_play[get_play_key(result)]
    ]


def _check_result(
    snapshot: SessionSnapshot, result: Result, best_play: BestPlay
) -> DoubtfulResult | None:
    """Set the `doubt` of a result, and of results at other tables that it now contradicts
    or confirms.
    """
    table = next(
        seated_table
        for seated_table in snapshot.tables
        if seated_table.sitting_id == result.sitting_id
    )
    doubtful_result = find_doubtful_result(snapshot, table, result.board, best_play)
    result.doubt = Doubt.QUERIED if doubtful_result else Doubt.NONE
    for other_table in snapshot.tables_by_board.get(result.board, ()):
        other_result = snapshot.find_result(other_table, result.board)
        if other_result is None or other_result is result or other_result.doubt != Doubt.NONE:
            continue
        if find_doubtful_result(snapshot, other_table, result.board, best_play):
            other_result.doubt = Doubt.QUERIED
    _clear_unjustified_doubts(snapshot, result)
    return doubtful_result


def _clear_unjustified_doubts(snapshot: SessionSnapshot, result: Result) -> None:
    """Clear doubts about other results on a board if the new result makes them plausible."""
    tables = snapshot.tables_by_board.get(result.board, ())
    doubted_results = [
        (table, doubted_result)
        for table in tables
        if (doubted_result := snapshot.find_result(table, result.board))
        and doubted_result.doubt == Doubt.QUERIED
    ]
    best_play = load_best_play(snapshot.session) if doubted_results else {}
    for table, doubted_result in doubted_results:
        if doubted_result is not result and not find_doubtful_result(
            snapshot, table, result.board, best_play
        ):
            doubted_result.doubt = Doubt.NONE


def get_play_key(result: Result) -> PlayKey:
    """Return the sitting and the board of a result."""
    return result.sitting_id, result.board


def save_doubts(results: Collection[Result]) -> None:
    """Save the doubts of some results in one query."""
    if results:
        Result.objects.bulk_update(results, ["doubt"])
