"""A player's page lists finished evenings and partnerships by the seats actually played."""

from datetime import date
from fractions import Fraction

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

import scoring.services
import tournaments.services
from boards.whist import Side
from clubs.models import Player
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from seasons.people.sheets.records import (
    build_season_page,
    find_club_year,
    list_club_years,
    load_player_record,
)
from seasons.people.tasks import STATISTICS_JOB
from tests import evenings
from tournaments.models import Event, Session
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db


def close_and_compute(session: Session) -> Session:
    """Close a session, with its standings and personal statistics computed."""
    scoring.services.close_session(session=session, by=None)
    standings.update_standings(session.event)
    STATISTICS_JOB.run(session.event_id)
    session.refresh_from_db()
    return session


def find_player(event: Event, number: int = 1) -> Player:
    player = (
        event.entries.get(number=number).players.order_by("entry_memberships__order").first()
    )
    assert player is not None
    return player


def read_player_page(player: Player) -> str:
    response = Client().get(f"/players/{player.pk}/")
    assert response.status_code == 200
    return response.content.decode()


def test_finished_evening_is_listed_on_player_page_with_rank() -> None:
    session, _user = evenings.play_session()
    player = find_player(session.event)
    assert "Nothing yet" in read_player_page(player)
    close_and_compute(session)
    text = read_player_page(player)
    assert "Tuesday" in text
    assert " of 3" in text  # a field of three pairs
    assert f"/events/{session.event.slug}/entries/1/" in text
    visible_part, _fold, folded_part = text.partition("<details>")
    assert "Evening by evening" in visible_part
    assert "Plus/minus by direction" in folded_part


def test_howell_stats_count_boards_by_side_played() -> None:
    session, _user = evenings.play_session(movement="howell", boards_a_round=1)
    player = find_player(session.event, 2)
    close_and_compute(session)
    snapshot = load_session_snapshot(session)
    expected: dict[Side, list[int]] = {Side.NS: [], Side.EW: []}
    for table in snapshot.tables:
        for board in table.boards:
            ns_tricks = (board + table.table_number) % 14
            if 2 in table.ns.entries:
                expected[Side.NS].append(ns_tricks)
            if 2 in table.ew.entries:
                expected[Side.EW].append(13 - ns_tricks)
    sides = {side.side: side for side in load_player_record(player).sides}
    assert set(sides) == {Side.NS, Side.EW}  # a Howell: they sat both ways
    for side, tricks in expected.items():
        assert sides[side].board_count == len(tricks)


def test_weighted_side_averages_sum_to_zero() -> None:
    session, _user = evenings.play_session()
    close_and_compute(session)
    sums = {Side.NS: Fraction(), Side.EW: Fraction()}
    for number in range(1, 7):
        for side in load_player_record(find_player(session.event, number)).sides:
            sums[side.side] += side.tricks_above_average_per_board * side.board_count
    assert sums == {Side.NS: 0, Side.EW: 0}


def test_missing_player_stats_are_computed_on_page_load() -> None:
    session, _user = evenings.play_session()
    scoring.services.close_session(session=session, by=None)
    standings.update_standings(session.event)
    player = find_player(session.event)
    assert load_player_record(player).outdated_event_pks == (session.event_id,)
    assert "still being calculated" not in read_player_page(player)
    assert load_player_record(player).outdated_event_pks == ()


@pytest.mark.parametrize("visibility", [Player.Shown.INITIALS, Player.Shown.NO_NAME])
def test_hidden_player_has_no_page_or_links(visibility: str) -> None:
    session, user = evenings.play_session()
    player = find_player(session.event)
    close_and_compute(session)
    card = f"/events/{session.event.slug}/entries/1/"
    assert f"/players/{player.pk}/" in Client().get(card).content.decode()
    tournaments.services.set_player_visibility(player=player, shown=visibility, by=user)
    assert Client().get(f"/players/{player.pk}/").status_code == 404
    text = Client().get(card).content.decode()
    assert f"/players/{player.pk}/" not in text
    assert player.name not in text


def test_private_events_are_not_shown() -> None:
    session, user = evenings.play_session()
    player = find_player(session.event)
    close_and_compute(session)
    assert len(load_player_record(player).evenings) == 1
    Event.objects.update(standings_shown=Event.StandingsVisibility.NEVER)
    assert load_player_record(player).evenings == ()
    Event.objects.update(standings_shown=Event.StandingsVisibility.AFTER)
    assert len(load_player_record(player).evenings) == 1
    tournaments.services.archive_event(event=session.event, by=user)
    assert load_player_record(player).evenings == ()
    assert load_player_record(player).sides == ()


def test_number_of_queries_does_not_grow_with_evenings_of_player(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    session, user = evenings.play_session()
    close_and_compute(session)
    player = find_player(session.event)
    names = [player.name for player in session.event.entries.get(number=1).players.all()]
    with django_assert_num_queries(10):
        read_player_page(player)
    for week in range(3):
        event = scoring.services.create_event(
            club=session.event.club, name=f"Week {week}", date=date(2026, 4, 1 + week), by=user
        )
        tournaments.services.create_entry(event=event, names=names, by=user)
        for number in range(5):
            tournaments.services.create_entry(
                event=event, names=[f"A{number}", f"B{number}"], by=user
            )
        own_session = event.sessions.get()
        tournaments.services.seat_section(
            session=own_session,
            movement=build_named_movement("compass", pairs=6),
            boards_a_round=2,
            by=user,
        )
        scoring.services.open_session(session=own_session, by=user)
        close_and_compute(own_session)
    with django_assert_num_queries(10):
        text = read_player_page(player)
    assert "Week 2" in text


def test_season_runs_from_september_to_august_and_latest_is_first() -> None:
    session, user = evenings.play_session()
    player = find_player(session.event)
    close_and_compute(session)
    days = {date(2026, 8, 31): "2025/26", date(2026, 9, 1): "2026/27"}
    for day, name in days.items():
        assert find_club_year(day).name == name
    assert find_club_year(date(1999, 12, 1)).name == "1999/00"
    Event.objects.update(date=date(2026, 8, 31))
    assert [club_year.name for club_year in list_club_years(player)] == ["2025/26"]
    text = read_player_page(player)
    assert "Season 2025/26" in text
    assert "<select" not in text  # there is nothing to choose
    autumn = date(2026, 9, 1)
    other_event = scoring.services.create_event(
        club=session.event.club, name="Autumn", date=autumn, by=user
    )
    tournaments.services.create_entry(
        event=other_event, names=[player.name, "Somebody Else"], by=user
    )
    now = timezone.now()
    Session.objects.filter(event=other_event).update(
        state="closed", opened_at=now, closed_at=now
    )
    text = read_player_page(player)
    assert "Season 2026/27" in text
    assert "Autumn" in text
    assert "Tuesday" not in text.partition("<main")[2]
    for season_query, expected_text in (
        ("2025", "Tuesday"),
        ("", "Autumn"),
        ("", "Tuesday"),
        ("x", "Autumn"),
    ):
        assert (
            expected_text
            in Client().get(f"/players/{player.pk}/?season={season_query}").content.decode()
        )


def test_sides_partner_and_evening_have_equal_tricks_above_average() -> None:
    session, _user = evenings.play_session()
    close_and_compute(session)
    for number in range(1, 7):
        record = load_player_record(find_player(session.event, number))
        (evening,) = record.evenings
        assert evening.tricks_above_average == sum(
            side.tricks_above_average_per_board * side.board_count for side in record.sides
        )
        (partner,) = record.partners
        assert (partner.tricks_above_average, partner.evening_count) == (
            evening.tricks_above_average,
            1,
        )
        page = build_season_page(record)
        assert page.average == evening.tricks_above_average
        assert page.chart is not None
        assert len(page.chart.columns) == 1
        text = read_player_page(find_player(session.event, number))
        assert "tricks, 1 evening" in text
        assert f">{partner.name}</a>" in text


def test_hidden_partner_has_no_name_or_link() -> None:
    session, user = evenings.play_session()
    player, partner = session.event.entries.get(number=1).players.order_by(
        "entry_memberships__order"
    )
    close_and_compute(session)
    assert f"/players/{partner.pk}/" in read_player_page(player)
    tournaments.services.set_player_visibility(
        player=partner, shown=Player.Shown.NO_NAME, by=user
    )
    text = read_player_page(player)
    assert f"/players/{partner.pk}/" not in text
    assert partner.name not in text


def test_player_page_sets_no_cookie() -> None:
    session, _user = evenings.play_session()
    response = Client().get(f"/players/{find_player(session.event).pk}/")
    assert "Cookie" not in response.headers.get("Vary", "")
    assert not response.cookies
