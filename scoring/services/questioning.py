"""Plausibility checks: query results that are far from expected, and those they contradict."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from clubs.audit import Actor
from scoring.doubts.reading import (
    Best,
    DoubtfulResult,
    asked_about,
    best_for,
    best_of,
    round_mend,
)
from scoring.models import Doubt, Result
from scoring.sittings import SeatedSession, read_sittings
from tournaments.models import Session

Play = tuple[int, int]
"""A sitting and a board."""
Rooms = dict[tuple[int, int], SeatedSession]
"""Partly read sessions, by the session's key and the board group that was read."""


def read_rooms(plays: Iterable[tuple[Session, int, int]]) -> Rooms:
    """Read the board groups of some plays, each once.

    A play is a session, the key of a sitting and a board.
    """
    sittings: dict[tuple[int, int], set[int]] = {}
    sessions: dict[int, Session] = {}
    for session, sitting, board in plays:
        sessions.setdefault(session.pk, session)
        sittings.setdefault((session.pk, session.group_of(board)), set()).add(sitting)
    return {
        at: read_sittings(sessions[at[0]], group=at[1], also=also)
        for at, also in sittings.items()
    }


def question_saved(
    rooms: Rooms, results: Iterable[Result], by: Actor
) -> dict[Play, DoubtfulResult]:
    """Check results that were just saved, and save the doubts that changed."""
    groups: dict[tuple[int, int], list[Result]] = {}
    for result in results:
        session = result.sitting.section.session
        groups.setdefault((session.pk, session.group_of(result.board)), []).append(result)
    asked: dict[Play, DoubtfulResult] = {}
    for at, together in groups.items():
        for result in together:
            rooms[at].put(result)
        own = {play_of(each): each.doubt for each in together}
        found, others = question(rooms[at], together, by)
        asked |= found
        marked = [each for each in together if each.doubt != own[play_of(each)]]
        save_doubts([*marked, *others])
    return asked


def question(
    room: SeatedSession, results: Collection[Result], by: Actor
) -> tuple[dict[Play, DoubtfulResult], list[Result]]:
    """Query results that are far from expected, and others that they contradict.

    A queried result that they confirm is no longer queried. Returns the queries about
    `results`, and the other results whose doubt has changed; nothing is saved here.
    """
    best = best_for(room.session, by)
    before = {play_of(each): each.doubt for each in room.results.values()}
    asked: dict[Play, DoubtfulResult] = {}
    for result in results:
        found = _question_one(room, result, best)
        if found is not None:
            mend = round_mend(room, found.table, best)
            asked[play_of(result)] = replace(found, round_mend=mend)
    own = {play_of(each) for each in results}
    others = (each for play, each in room.results.items() if play not in own)
    return asked, [each for each in others if each.doubt != before[play_of(each)]]


def _question_one(seated: SeatedSession, result: Result, best: Best) -> DoubtfulResult | None:
    """Set the doubt of a result, and of others on its board that it confirms or contradicts."""
    table = next(each for each in seated.tables if each.sitting == result.sitting_id)
    asked = asked_about(seated, table, result.board, best)
    result.doubt = Doubt.QUERIED if asked else Doubt.NONE
    for other in seated.by_board.get(result.board, ()):
        earlier = seated.result(other, result.board)
        if earlier is None or earlier is result or earlier.doubt != Doubt.NONE:
            continue
        if asked_about(seated, other, result.board, best):
            earlier.doubt = Doubt.QUERIED
    _lift(seated, result)
    return asked


def _lift(seated: SeatedSession, result: Result) -> None:
    """Remove queries on a board that are no longer justified after a new result."""
    tables = seated.by_board.get(result.board, ())
    queried = [
        (table, earlier)
        for table in tables
        if (earlier := seated.result(table, result.board)) and earlier.doubt == Doubt.QUERIED
    ]
    best = best_of(seated.session) if queried else {}
    for table, earlier in queried:
        if earlier is not result and not asked_about(seated, table, result.board, best):
            earlier.doubt = Doubt.NONE


def play_of(result: Result) -> Play:
    """Return the play of a result."""
    return result.sitting_id, result.board


def save_doubts(results: Collection[Result]) -> None:
    """Save the doubts of some results in one query."""
    if results:
        Result.objects.bulk_update(results, ["doubt"])
