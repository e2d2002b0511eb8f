"""Plausibility checks: query results far from the expected ones, and results they
contradict.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from clubs.audit import Actor
from scoring.doubts.open_doubts import (
    BestPlay,
    DoubtfulResult,
    find_query,
    find_round_correction,
    load_best_play,
    load_best_play_for,
)
from scoring.models import Doubt, Result
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from tournaments.models import Session

PlayKey = tuple[int, int]
"""A sitting and a board."""
BoardGroupSnapshots = dict[tuple[int, int], SessionSnapshot]
"""Partial snapshots of sessions, by session key and board group."""


def load_board_groups(plays: Iterable[tuple[Session, int, int]]) -> BoardGroupSnapshots:
    """Load the board groups of some plays, each group once.

    A play is a session, the key of a sitting and a board.
    """
    sittings: dict[tuple[int, int], set[int]] = {}
    sessions: dict[int, Session] = {}
    for session, sitting, board in plays:
        sessions.setdefault(session.pk, session)
        sittings.setdefault((session.pk, session.group_of(board)), set()).add(sitting)
    return {
        group_key: load_session_snapshot(
            sessions[group_key[0]], group=group_key[1], extra_sittings=also
        )
        for group_key, also in sittings.items()
    }


def check_saved_results(
    rooms: BoardGroupSnapshots, results: Iterable[Result], by: Actor
) -> dict[PlayKey, DoubtfulResult]:
    """Check results that were just saved, and save each doubt that changed."""
    groups: dict[tuple[int, int], list[Result]] = {}
    for result in results:
        session = result.sitting.section.session
        groups.setdefault((session.pk, session.group_of(result.board)), []).append(result)
    queries: dict[PlayKey, DoubtfulResult] = {}
    for group_key, group_results in groups.items():
        for result in group_results:
            rooms[group_key].put_result(result)
        doubts_by_play = {find_play(each): each.doubt for each in group_results}
        group_queries, other_results = check_plausibility(rooms[group_key], group_results, by)
        queries |= group_queries
        marked = [
            each for each in group_results if each.doubt != doubts_by_play[find_play(each)]
        ]
        save_doubts([*marked, *other_results])
    return queries


def check_plausibility(
    snapshot: SessionSnapshot, results: Collection[Result], by: Actor
) -> tuple[dict[PlayKey, DoubtfulResult], list[Result]]:
    """Query results that are far from expected, and other results that they contradict.

    Queries that the results make unjustified are removed. Returns the queries about `results`,
    and the other results whose doubt has changed; nothing is saved.
    """
    best = load_best_play_for(snapshot.session, by)
    before = {find_play(each): each.doubt for each in snapshot.results.values()}
    queries: dict[PlayKey, DoubtfulResult] = {}
    for result in results:
        query = _check_result(snapshot, result, best)
        if query is not None:
            mend = find_round_correction(snapshot, query.table, best)
            queries[find_play(result)] = replace(query, table_correction=mend)
    own_plays = {find_play(each) for each in results}
    other_results = (each for play, each in snapshot.results.items() if play not in own_plays)
    return queries, [each for each in other_results if each.doubt != before[find_play(each)]]


def _check_result(
    snapshot: SessionSnapshot, result: Result, best: BestPlay
) -> DoubtfulResult | None:
    """Flag or clear a result as doubtful, and any results on its board that it confirms or
    contradicts.
    """
    table = next(
        seated_table
        for seated_table in snapshot.tables
        if seated_table.sitting == result.sitting_id
    )
    query = find_query(snapshot, table, result.board, best)
    result.doubt = Doubt.QUERIED if query else Doubt.NONE
    for other in snapshot.tables_by_board.get(result.board, ()):
        earlier = snapshot.find_result(other, result.board)
        if earlier is None or earlier is result or earlier.doubt != Doubt.NONE:
            continue
        if find_query(snapshot, other, result.board, best):
            earlier.doubt = Doubt.QUERIED
    _remove_unjustified_queries(snapshot, result)
    return query


def _remove_unjustified_queries(snapshot: SessionSnapshot, result: Result) -> None:
    """Remove queries on a board that a new result makes unjustified."""
    tables = snapshot.tables_by_board.get(result.board, ())
    queried_results = [
        (table, earlier)
        for table in tables
        if (earlier := snapshot.find_result(table, result.board))
        and earlier.doubt == Doubt.QUERIED
    ]
    best = load_best_play(snapshot.session) if queried_results else {}
    for table, earlier in queried_results:
        if earlier is not result and not find_query(snapshot, table, result.board, best):
            earlier.doubt = Doubt.NONE


def find_play(result: Result) -> PlayKey:
    """Return the sitting and the board of a result."""
    return result.sitting_id, result.board


def save_doubts(results: Collection[Result]) -> None:
    """Save the doubts of some results in one query."""
    if results:
        Result.objects.bulk_update(results, ["doubt"])
