"""Standings computed incrementally equal those computed from scratch, whatever happens."""

from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F

import scoring.services
import tournaments.services
from scoring.models import Result, Ruling, Standing
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import incremental, standings
from server.models import User
from tests import evenings
from tournaments.models import Event, Section, Session
from tournaments.movements import build_named_movement
from tournaments.services.sections import PlannedSection

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(autouse=True)
def empty_pool_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incremental, "_POOL_CACHE", type(incremental._POOL_CACHE)())


def open_two_sections(
    *, is_ranked_across_sections: bool, pairs: int = 12
) -> tuple[Session, User]:
    event, user = evenings.create_event(pairs)
    session = event.sessions.get()
    pairs_per_section = pairs // 2
    entries = list(event.entries.order_by("number"))
    tournaments.services.seat_sections(
        session=session,
        planned_sections=[
            PlannedSection(
                build_named_movement("compass", pairs=pairs_per_section),
                {},
                entries[start_index : start_index + pairs_per_section],
            )
            for start_index in (0, pairs_per_section)
        ],
        boards_a_round=2,
        is_ranked_across_sections=is_ranked_across_sections,
        by=user,
    )
    return scoring.services.open_session(session=session, by=user), user


def list_rows(event: Event) -> list[dict[str, Any]]:
    excluded_columns = ("id", "ranking_id")
    return [
        {key: value for key, value in row.items() if key not in excluded_columns}
        for row in Standing.objects.filter(ranking__event=event).order_by("pk").values()
    ]


def compute_with_cache(event: Event) -> tuple[Any, ...]:
    """Return the standings with the cache in use."""
    ranking = standings.update_standings(event)
    return (
        list_rows(event),
        ranking.public,
        ranking.missing,
        ranking.provisional,
        ranking.complete,
    )


def compute_without_cache(event: Event) -> tuple[Any, ...]:
    """Return the standings computed without the cache and without stored rows."""
    incremental._POOL_CACHE.clear()
    Standing.objects.filter(ranking__event=event).delete()
    event.ranking.refresh_from_db()
    type(event.ranking).objects.filter(pk=event.ranking.pk).update(public_version=0)
    return compute_with_cache(event)


def list_plays(session: Session) -> list[tuple[int, int]]:
    tables = [table for table in load_session_snapshot(session).tables if table.is_played]
    return [(table.sitting_id, board) for table in tables for board in table.boards]


def do_random_act(chance: Random, session: Session, user: User) -> None:
    """Enter, clear, rule, withdraw a ruling, give a penalty, or change the scoring."""
    acts = {"enter": 7, "rule": 2, "withdraw": 1, "fine": 1, "settle": 1}
    act = chance.choices(list(acts), list(acts.values()))[0]
    sitting, board = chance.choice(list_plays(session))
    if act == "enter":
        mark = chance.choice(["", str(chance.randint(0, 13))])
        evenings.enter_result(session, sitting, board, mark, user)
    elif act == "rule":
        for result in Result.objects.filter(sitting=sitting, board=board, outcome="played"):
            make_average_ruling(result, user)
    elif act == "withdraw":
        for ruling in Ruling.objects.exclude_withdrawn().filter(session=session)[:1]:
            scoring.services.withdraw_ruling(ruling=ruling, by=user)
    elif act == "fine":
        add_penalty(session, chance.randint(1, 12), user)
    else:
        method = chance.choice(["plus_minus", "matchpoints", "tricks"])
        scoring.services.set_scoring_terms(event=session.event, method=method, by=user)


def make_average_ruling(result: Result, user: User) -> None:
    scoring.services.make_ruling(
        sitting=result.sitting,
        board_number=result.board,
        kind=Ruling.Kind.AVERAGE,
        reason="a card lay face up",
        by=user,
    )


def add_penalty(session: Session, number: int, user: User) -> None:
    scoring.services.make_ruling(
        session=session,
        entry=session.event.entries.get(number=number),
        kind=Ruling.Kind.PENALTY,
        amount="1",
        reason="late again",
        by=user,
    )


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_cached_lines_equal_recomputed_ones(seed: int, across: bool) -> None:
    session, user = open_two_sections(is_ranked_across_sections=across)
    chance = Random(seed)
    for sitting, board in list_plays(session):
        if chance.random() < 0.7:
            evenings.enter_result(session, sitting, board, str(chance.randint(0, 13)), user)
    for _time in range(12):
        do_random_act(chance, session, user)
        session.refresh_from_db()
        event = Event.objects.get(pk=session.event_id)
        assert compute_with_cache(event) == compute_without_cache(event)


def test_entry_reads_only_its_own_section(monkeypatch: pytest.MonkeyPatch) -> None:
    session, user = open_two_sections(is_ranked_across_sections=False)
    read_section_ids = []

    def read_and_record(event: Event, **options: Any) -> Any:
        read_section_ids.append(options["section_ids"])
        return original_load(event, **options)

    original_load = incremental.load_event_rows
    monkeypatch.setattr(incremental, "load_event_rows", read_and_record)
    first, second = session.sections.order_by("letter")
    standings.update_standings(session.event)
    plays = [play for play in list_plays(session) if find_section_id(play) == second.pk]
    evenings.enter_result(session, *plays[0], "7", user)
    standings.update_standings(session.event)
    assert read_section_ids == [None, [second.pk]]
    evenings.enter_result(session, *list_plays(session)[0], "7", user)
    standings.update_standings(session.event)
    assert read_section_ids[2:] == [[first.pk]]
    add_penalty(session, 1, user)
    standings.update_standings(session.event)
    assert read_section_ids[3:] == [None]


def find_section_id(play: tuple[int, int]) -> int:
    return int(Section.objects.get(sittings=play[0]).pk)


def test_write_by_an_older_release_is_computed_immediately() -> None:
    """During a rolling upgrade old machines raise the revision but do not set the stamp."""
    session, user = open_two_sections(is_ranked_across_sections=False)
    sitting, board = list_plays(session)[0]
    evenings.enter_result(session, sitting, board, "5", user)
    event = Event.objects.get(pk=session.event_id)
    standings_before = compute_with_cache(event)
    Result.objects.filter(sitting=sitting, board=board).update(ns_tricks=12)
    Session.objects.filter(pk=session.pk).update(revision=F("revision") + 1)
    assert compute_with_cache(event) != standings_before
    assert compute_with_cache(event) == compute_without_cache(event)


def test_rolled_back_rows_are_not_cached() -> None:
    session, user = open_two_sections(is_ranked_across_sections=False)
    sitting, board = list_plays(session)[0]
    event = Event.objects.get(pk=session.event_id)
    with transaction.atomic():
        evenings.enter_result(session, sitting, board, "13", user)
        standings.update_standings(event)
        transaction.set_rollback(True)
    evenings.enter_result(session, sitting, board, "1", user)
    event = Event.objects.get(pk=session.event_id)
    assert compute_with_cache(event) == compute_without_cache(event)


def test_sections_written_by_an_older_release_are_not_cached() -> None:
    session, _user = open_two_sections(is_ranked_across_sections=False)
    Section.objects.filter(session=session).update(stamp=0)
    standings.update_standings(session.event)
    assert not incremental._POOL_CACHE


def test_cache_keeps_at_most_the_maximum_number_of_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session, user = open_two_sections(is_ranked_across_sections=False)
    for sitting, board in list_plays(session):
        evenings.enter_result(session, sitting, board, "7", user)
    half = len(list_plays(session)) // 2
    monkeypatch.setattr(incremental, "MAX_CACHED_RESULTS", half)
    standings.update_standings(session.event)
    assert [
        len(cached_pool.rows.results) for cached_pool in incremental._POOL_CACHE.values()
    ] == [half]
