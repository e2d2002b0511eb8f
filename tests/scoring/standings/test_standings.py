"""Standings follow the results: provisional while some are missing, exact at the end."""

from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import Ranking, Result, Standing, Terms
from scoring.services import close_session
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.ranks import load_rank_table
from scoring.standings_engine import incremental, standings
from scoring.tasks import list_stale_events
from tests import evenings
from tournaments.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def compute_standings(event: Event) -> Ranking:
    return standings.update_standings(event)


def test_standings_are_provisional_while_results_are_missing() -> None:
    session, _ = evenings.play_session(but=3)
    ranking = compute_standings(session.event)
    assert (ranking.complete, ranking.missing) == (False, 3)


def test_standings_of_a_complete_session_are_complete() -> None:
    session, _ = evenings.play_session()
    ranking = compute_standings(session.event)
    assert (ranking.complete, ranking.missing) == (True, 0)


def test_each_field_of_a_mitchell_has_its_average_and_sums_to_zero() -> None:
    session, _ = evenings.play_session()
    compute_standings(session.event)
    table = load_rank_table(session.event)
    assert [field.field for field in table.fields] == ["NS", "EW"]
    for field in table.fields:
        totals = [row.tricks for row in field.rows]
        assert field.average == sum(totals) / len(totals)
        assert sum(row.score for row in field.rows) == 0
        for row in field.rows:
            assert row.score == row.tricks - field.average
    assert sum(field.average for field in table.fields if field.average) == 13 * 6


def test_overall_winner_has_the_largest_plus_of_both_fields() -> None:
    session, _ = evenings.play_session()
    compute_standings(session.event)
    table = load_rank_table(session.event)
    rows = [row for field in table.fields for row in field.rows]
    best_score = max(row.score for row in rows)
    assert table.overall_winners == tuple(row.entry for row in rows if row.score == best_score)


def test_howell_is_ranked_in_one_field() -> None:
    session, _ = evenings.play_session(movement="howell")
    compute_standings(session.event)
    table = load_rank_table(session.event)
    assert [field.field for field in table.fields] == [""]
    assert sum(row.score for row in table.fields[0].rows) == 0


def test_pairs_that_sat_out_are_compared_deal_by_deal() -> None:
    session, _ = evenings.play_session(pairs=5)
    compute_standings(session.event)
    table = load_rank_table(session.event)
    boards = {row.entry: row.boards for field in table.fields for row in field.rows}
    assert boards == {1: 4, 2: 4, 3: 4, 4: 6, 5: 6}
    for field in table.fields:
        assert sum(row.score for row in field.rows) == 0


def test_matchpoints_rank_by_percentage() -> None:
    session, _ = evenings.play_session()
    Terms.objects.filter(event=session.event_id).update(method="matchpoints")
    session.event.refresh_from_db()
    compute_standings(session.event)
    for field in load_rank_table(session.event).fields:
        percents = [row.percent for row in field.rows if row.percent is not None]
        assert percents == sorted(percents, reverse=True)
        assert sum(percents, Fraction()) / len(percents) == Fraction(1, 2)


def test_repeated_computation_changes_nothing() -> None:
    session, _ = evenings.play_session()
    first_standings = compute_standings(session.event)
    rows = list(Standing.objects.values())
    repeated_standings = compute_standings(session.event)
    assert (repeated_standings.version, list(Standing.objects.values())) == (
        first_standings.version,
        rows,
    )


def test_every_entry_creates_a_new_version() -> None:
    session, user = evenings.play_session()
    first_standings = compute_standings(session.event)
    evenings.enter_result(
        session, load_session_snapshot(session).tables[0].sitting_id, 1, "13", user
    )
    assert list_stale_events() == [session.event_id]
    assert compute_standings(session.event).version == first_standings.version + 1
    assert list_stale_events() == []


def test_number_of_queries_does_not_grow_with_the_field() -> None:
    query_counts = set()
    for pairs in (6, 18):
        session, _ = evenings.play_session(pairs=pairs)
        incremental._POOL_CACHE.clear()  # a copy of an event has the stamps of the first
        with CaptureQueriesContext(connection) as captured_queries:
            compute_standings(session.event)
        query_counts.add(len(captured_queries))
    assert query_counts in ({19}, {20}, {21}, {22})  # PostgreSQL also gets a NOTIFY


def test_standings_are_final_when_results_are_complete_and_session_closed() -> None:
    session, user = evenings.play_session()
    standings.update_standings(session.event)
    table = load_rank_table(Event.objects.get())
    assert (table.complete, table.is_final) == (True, False)
    close_session(session=session, by=user)
    assert load_rank_table(Event.objects.get()).is_final


def test_totals_of_unequal_numbers_of_boards_show_no_average() -> None:
    session, user = evenings.play_session()
    standings.update_standings(session.event)
    assert all(field.average is not None for field in load_rank_table(session.event).fields)
    last = Result.objects.latest("pk")
    evenings.enter_result(session, last.sitting_id, last.board, "", user)
    standings.update_standings(session.event)
    assert {field.average for field in load_rank_table(session.event).fields} == {None}
