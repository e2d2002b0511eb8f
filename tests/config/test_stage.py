"""`stage` creates many clubs: a few with the services, the rest as copies."""

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from clubs.models import Act, Club, Membership, Player
from config.management.commands import stage
from scoring.models import Ranking, Result
from scoring.standings_engine import standings
from server.models import User
from tournaments.models import Entry, Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def slugs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(stage, "ORIGINAL_CLUB_COUNT", 2)
    output = StringIO()
    options = {"tables": 3, "boards": 2, "rounds": 3, "played": 2}
    call_command("stage", "--clubs", "7", "--without-deals", stdout=output, **options)
    return re.findall(r"/events/([\w-]+)/", output.getvalue())


def list_standings_rows(slug: str) -> list[tuple[object, ...]]:
    ranking = Ranking.objects.get(event__slug=slug)
    field_names = ("entry__number", "rank", "score", "tricks", "boards", "label")
    return list(ranking.standings.order_by("entry__number").values_list(*field_names))


@pytest.mark.slow
def test_requested_number_of_clubs_is_created_with_complete_events(slugs: list[str]) -> None:
    assert len(slugs) == len(set(slugs)) == Club.objects.count() == 7
    events = Event.objects.in_bulk(field_name="slug")
    assert set(events) == set(slugs)
    for slug, event in events.items():
        assert event.entries.count() == 6
        sections = event.sessions.get().sections
        assert all(item.places.count() == 6 for item in sections.all())
        results = Result.objects.filter(sitting__section__session__event=event)
        assert results.count() == 12, slug
        standings_rows_before = list_standings_rows(slug)
        event.sessions.update(revision=1000)
        standings.update_standings(event)
        assert list_standings_rows(slug) == standings_rows_before
    connection.check_constraints()


@pytest.mark.slow
def test_copies_have_their_own_names_and_links(slugs: list[str]) -> None:
    original, copy = (Event.objects.get(slug=slug) for slug in slugs[:2])
    assert copy.slug == f"{original.slug}-1"
    assert copy.club.name == f"{original.club.name} 1"
    for event in (original, copy):
        people = set(Player.objects.filter(club=event.club).values_list("name", flat=True))
        names = Entry.objects.filter(event=event).values_list("name", flat=True)
        assert {name for pair in names for name in pair.split(" & ")} == people
    assert original.entries.get(number=1).name != copy.entries.get(number=1).name
    assert copy.uid != original.uid


def test_events_differ_in_their_results(slugs: list[str]) -> None:
    tricks = {tuple(list_standings_rows(slug)) for slug in slugs}
    assert len(tricks) == 2  # one for each event that the services created


@pytest.mark.slow
def test_history_of_a_copy_refers_only_to_its_own_rows(slugs: list[str]) -> None:
    original, copy = slugs[:2]
    acts = [Act.objects.filter(about=f"event:{slug}") for slug in (original, copy)]
    assert acts[0].count() == acts[1].count() > 3
    last_act = acts[1].exclude(back={}).order_by("-pk").first()
    assert last_act is not None
    state_before = (
        list_standings_rows(original),
        Result.objects.filter(sitting__section__session__event__slug=original).count(),
    )
    keys = {
        word
        for act in acts[1]
        for word in act.back.get("about", [])
        if word.partition(" ")[2].isdigit()
    }
    original_keys = {word for act in acts[0] for word in act.back.get("about", [])}
    assert keys
    assert not keys & original_keys
    assert (list_standings_rows(original), state_before[1]) == state_before


@pytest.mark.slow
@pytest.mark.parametrize("clubs", ["0", "-1", "10001"])
def test_impossible_number_of_clubs_is_refused(clubs: str) -> None:
    with pytest.raises(CommandError, match="--clubs"):
        call_command("stage", "--clubs", clubs)
    assert not Club.objects.exists()


SMALL_EVENT_OPTIONS = {
    "tables": 3,
    "boards": 1,
    "rounds": 2,
    "played": 1,
    "without_deals": True,
}


def test_single_event_is_printed_with_its_url_and_its_director(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SITE_URL = ""
    monkeypatch.setenv("PORT", "8123")
    User.objects.create_user("other")
    director = User.objects.create_user("director")
    output = StringIO()
    call_command("stage", stdout=output, **SMALL_EVENT_OPTIONS)
    event_url, login = output.getvalue().splitlines()
    event = Event.objects.get()
    assert event_url == f"http://127.0.0.1:8123/director/events/{event.slug}/"
    assert login == "Sign in as director to direct it."
    assert Membership.objects.get(club=event.club).user == director


def test_message_without_a_login_names_the_option() -> None:
    output, error_output = StringIO(), StringIO()
    call_command("stage", stdout=output, stderr=error_output, **SMALL_EVENT_OPTIONS)
    assert "--owner" in error_output.getvalue()
    with pytest.raises(CommandError, match="nobody"):
        call_command("stage", owner="nobody", **SMALL_EVENT_OPTIONS)


@pytest.mark.django_db(transaction=True)
def test_no_transaction_lasts_for_the_whole_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """A running program must be able to write in between."""
    atomic_states: list[bool] = []
    monkeypatch.setattr(
        standings,
        "update_standings",
        lambda _event: atomic_states.append(connection.in_atomic_block),
    )
    connection.ensure_connection()  # a closed one would be reopened under another alias
    call_command("stage", stdout=StringIO(), **SMALL_EVENT_OPTIONS)
    assert atomic_states[-1] is False
