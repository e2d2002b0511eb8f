"""A club's front page shows current events first, then upcoming ones and public winners."""

from datetime import timedelta
from itertools import product

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import scoring.services
from scoring.standings_engine import standings
from tests import evenings
from tournaments.models import Event, Session

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def read_front_page() -> str:
    """Return the front page as an anonymous visitor sees it."""
    return Client().get("/").content.decode()


def create_event_days_from_today(event: Event, name: str, days: int) -> Event:
    """Create another evening of the club, this many days from today."""
    return scoring.services.create_event(
        club=event.club,
        name=name,
        date=timezone.localdate() + timedelta(days=days),
        by=evenings.create_club_with_director()[1],
    )


@pytest.mark.parametrize(
    ("standings_visibility", "missing_result_count", "has_upcoming_event"),
    list(product(("always", "after", "never"), (18, 5, 0), (False, True))),
)
def test_current_event_is_first_and_names_leaders_only_if_public(
    standings_visibility: str, missing_result_count: int, has_upcoming_event: bool
) -> None:
    session, _user = evenings.play_session(but=missing_result_count)
    Event.objects.update(standings_shown=standings_visibility)
    if has_upcoming_event:
        create_event_days_from_today(session.event, "Next week", 7)
    standings.update_standings(session.event)
    text = read_front_page()
    are_leaders_shown = standings_visibility == "always" and missing_result_count < 18
    assert f"{18 - missing_result_count} / 18 results in" in text
    assert ("Follow the standings" in text) is are_leaders_shown
    assert text.count('class="leaders"') == (2 if are_leaders_shown else 0)
    assert text.count("leaders__rank") == (6 if are_leaders_shown else 0)
    assert ("Next evening" in text) is has_upcoming_event
    assert text.index("results in") < text.index("New to whist?")


@pytest.mark.parametrize("but", [0, 1, 9, 18])
def test_current_round_is_first_unfinished_by_any_table(but: int) -> None:
    session, _user = evenings.play_session(but=but)
    standings.update_standings(session.event)
    played_result_count = 18 - but  # six results make a round
    assert f"Round {min(3, played_result_count // 6 + 1)} of 3" in read_front_page()


def test_next_evening_is_first_with_nothing_in_play() -> None:
    event, _user = evenings.create_event()
    Event.objects.update(put_away_at=timezone.now())
    for name, days in (("In a month", 30), ("In a week", 7), ("Long ago", -30)):
        create_event_days_from_today(event, name, days)
    text = read_front_page()
    assert text.index("Next evening") < text.index("In a week") < text.index("Latest evenings")
    latest_section = text[text.index("Latest evenings") :]
    assert "In a week" not in latest_section
    assert "In a month" in latest_section
    assert "Long ago" in latest_section


@pytest.mark.parametrize("shown", ["always", "after", "never"])
def test_winners_of_past_evening_are_named_if_published(shown: str) -> None:
    session, user = evenings.play_session()
    Event.objects.update(standings_shown=shown)
    scoring.services.close_session(session=session, by=user)
    ranking = standings.update_standings(session.event)
    text = read_front_page()
    winners = [row.entry.name for row in ranking.standings.filter(rank=1)]
    assert winners
    for name in winners:
        surnames = " &amp; ".join(player_name.split()[-1] for player_name in name.split(" & "))
        assert (surnames in text) is (shown != "never")


def test_number_of_queries_is_independent_of_number_of_evenings() -> None:
    session, user = evenings.play_session(but=4)
    standings.update_standings(session.event)
    create_event_days_from_today(session.event, "Next week", 7)
    query_counts = []
    for _repetition in range(2):
        with CaptureQueriesContext(connection) as captured_queries:
            read_front_page()
        query_counts.append(len(captured_queries))
        for number in range(12):
            late_event = create_event_days_from_today(
                session.event, f"Evening {number}", -number - 1
            )
            Session.objects.filter(event=late_event).update(
                state="closed", closed_at=timezone.now()
            )
            create_event_days_from_today(session.event, f"Coming {number}", number + 8)
    assert query_counts[0] == query_counts[1]
    assert query_counts[0] <= 25
    assert user


def test_front_page_hides_rehearsals_and_archived_events() -> None:
    session, _user = evenings.play_session(but=4)
    standings.update_standings(session.event)
    create_event_days_from_today(session.event, "Next week", 7)
    Event.objects.filter(name="Tuesday").update(is_rehearsal=True)
    Event.objects.filter(name="Next week").update(put_away_at=timezone.now())
    text = read_front_page()
    assert "results in" not in text
    assert "Next week" not in text
