"""Plausibility checks of new results: those far from the expected result become doubtful."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from clubs.audit import Actor
from scoring.doubts.open_doubts import (
    BestPlay,
    DoubtfulResult,
    find_query,
    find_round_correction,
    load_best_play,
    load_visible_best_play,
)
from scoring.models import Doubt, Result
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from tournaments.models import Session

PlayKey = tuple[int, int]
"""The key of a sitting, and the number of a board."""
BoardGroupSnapshots = dict[tuple[int, int], SessionSnapshot]
"""Partial snapshots of sessions, by session key and board group."""


def load_board_groups(plays: Iterable[tuple[Session, int, int]]) -> BoardGroupSnapshots:
    """Load a partial snapshot for each board group to which one of the plays belongs.

    A play is a session, the key of a sitting and the number of a board.
    """
    sitting_ids_by_group: dict[tuple[int, int], set[int]] = {}
    session_by_id: dict[int, Session] = {}
    for session, sitting_id, board in plays:
        session_by_id.setdefault(session.pk, session)
        sitting_ids_by_group.setdefault(
            (session.pk, session.find_board_group(board)), set()
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
    doubtful_results: dict[PlayKey, DoubtfulResult] = {}
    for group_key, group_results in results_by_group.items():
        for result in group_results:
            snapshots[group_key].put_result(result)
        doubts_by_play = {get_play_key(result): result.doubt for result in group_results}
        group_doubtful_results, other_results = check_plausibility(
            snapshots[group_key], group_results, by
        )
        doubtful_results |= group_doubtful_results
        changed_results = [
            result
            for result in group_results
            if result.doubt != doubts_by_play[get_play_key(result)]
        ]
        save_doubts([*changed_results, *other_results])
    return doubtful_results


def check_plausibility(
    snapshot: SessionSnapshot, results: Collection[Result], by: Actor
) -> tuple[dict[PlayKey, DoubtfulResult], list[Result]]:
    """Mark implausible results as doubtful, and other results that they make implausible.

    Marks that are no longer justified are removed. Returns the doubtful ones of `results`, and
    the other results whose `doubt` has changed. Nothing is saved.
    """
    best_play = load_visible_best_play(snapshot.session, by)
    former_doubts = {get_play_key(result): result.doubt for result in snapshot.results.values()}
    doubtful_results: dict[PlayKey, DoubtfulResult] = {}
    for result in results:
        doubtful_result = _check_result(snapshot, result, best_play)
        if doubtful_result is not None:
            round_correction = find_round_correction(snapshot, doubtful_result.table, best_play)
            doubtful_results[get_play_key(result)] = replace(
                doubtful_result, table_correction=round_correction
            )
    checked_plays = {get_play_key(result) for result in results}
    other_results = (
        result for play, result in snapshot.results.items() if play not in checked_plays
    )
    return doubtful_results, [
        result
        for result in other_results
        if result.doubt != former_doubts[get_play_key(result)]
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
        if seated_table.sitting == result.sitting_id
    )
    doubtful_result = find_query(snapshot, table, result.board, best_play)
    result.doubt = Doubt.QUERIED if doubtful_result else Doubt.NONE
    for other_table in snapshot.tables_by_board.get(result.board, ()):
        other_result = snapshot.find_result(other_table, result.board)
        if other_result is None or other_result is result or other_result.doubt != Doubt.NONE:
            continue
        if find_query(snapshot, other_table, result.board, best_play):
            other_result.doubt = Doubt.QUERIED
    _clear_unjustified_doubts(snapshot, result)
    return doubtful_result


def _clear_unjustified_doubts(snapshot: SessionSnapshot, result: Result) -> None:
    """Clear doubts about other results on a board if the new result makes them plausible."""
    tables = snapshot.tables_by_board.get(result.board, ())
    queried_results = [
        (table, queried_result)
        for table in tables
        if (queried_result := snapshot.find_result(table, result.board))
        and queried_result.doubt == Doubt.QUERIED
    ]
    best_play = load_best_play(snapshot.session) if queried_results else {}
    for table, queried_result in queried_results:
        if queried_result is not result and not find_query(
            snapshot, table, result.board, best_play
        ):
            queried_result.doubt = Doubt.NONE


def get_play_key(result: Result) -> PlayKey:
    """Return the sitting and the board of a result."""
    return result.sitting_id, result.board


def save_doubts(results: Collection[Result]) -> None:
    """Save the doubts of some results in one query."""
    if results:
        Result.objects.bulk_update(results, ["doubt"])
