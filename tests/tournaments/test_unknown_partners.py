"""A partner entered as "?" plays and counts, but has no person until named."""

import pytest
from django.test import Client

import scoring.services
from clubs.models import Player
from hall.closing.checks import OpenIssueKind, list_open_issues
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine.result_lines import load_tally
from seasons.grades.club_plays import iter_graded_evenings, list_graded_events
from tests import evenings
from tournaments.rosters import read_text
from tournaments.services import create_entries, rename_entry, rename_player

pytestmark = pytest.mark.django_db
PARTNER_NAME = "Partner of Nora Moore"


@pytest.mark.parametrize(
    "typed_value", ["Nora Moore, ?", "Nora Moore & ?", "Nora Moore\ttba", "?, Nora Moore"]
)
def test_question_mark_in_list_is_unknown_partner(typed_value: str) -> None:
    event, user = evenings.create_event(0)
    rows = [(row.position, row.names) for row in read_text(typed_value, 2).rows]
    [entry] = create_entries(event=event, rows=rows, by=user)
    assert entry.name == "Nora Moore & a partner"
    assert {player.name: player.shown for player in entry.players.all()} == {
        "Nora Moore": Player.Shown.NAME,
        PARTNER_NAME: Player.Shown.UNKNOWN,
    }


def test_typed_question_mark_is_unknown_partner_and_two_are_refused(client: Client) -> None:
    event, user = evenings.create_event(0)
    client.force_login(user)
    path = f"/director/events/{event.slug}/entries/"
    client.post(path, {"player1": "Nora Moore", "player2": "?"})
    assert event.entries.get().name == "Nora Moore & a partner"
    client.post(path, {"player1": "?", "player2": "?"})
    assert event.entries.count() == 1


@pytest.fixture
def played_session():
    """Return a session of six pairs in which Nora Moore's partner is unknown."""
    session, user = evenings.play_session()
    entry = session.event.entries.get(number=1)
    rename_entry(entry=entry, names=["Nora Moore", "?"], by=user)
    return session, user, entry


def test_unknown_partner_has_no_page_or_grade(played_session) -> None:
    session, user, entry = played_session
    assert list_partner_checks(session) == [entry.number]
    scoring.services.close_session(session=session, by=user)
    partner = entry.players.get(shown=Player.Shown.UNKNOWN)
    assert Client().get(f"/players/{partner.pk}/").status_code == 404
    assert PARTNER_NAME not in Client().get("/players/").content.decode()
    card = Client().get(f"/events/{session.event.slug}/entries/1/").content.decode()
    assert PARTNER_NAME not in card
    assert "Nora Moore &amp; a partner" in card
    graded_people = {
        person
        for evening in iter_graded_evenings(list_graded_events(session.event.club))
        for play in evening.plays
        for unit in (play.ns_partnership, play.ew_partnership)
        for person in unit
    }
    assert str(partner.pk) not in graded_people


def list_partner_checks(session) -> list[int]:
    session_snapshot = load_session_snapshot(session)
    closing_checks = list_open_issues(session_snapshot, load_tally(session.event))
    return [
        check.entry_number
        for check in closing_checks
        if check.issue_kind == OpenIssueKind.UNKNOWN_PARTNER
    ]


def test_replacing_unknown_partner_leaves_no_unused_player(
    played_session,
) -> None:
    _session, user, entry = played_session
    rename_entry(entry=entry, names=["Nora Moore", "Kit Vale"], by=user)
    assert not Player.objects.filter(shown=Player.Shown.UNKNOWN).exists()


def test_naming_unknown_partner_creates_player(played_session) -> None:
    session, user, entry = played_session
    partner = entry.players.get(shown=Player.Shown.UNKNOWN)
    rename_player(player=partner, name="Kit Vale", by=user)
    entry.refresh_from_db()
    assert entry.name == "Nora Moore & Kit Vale"
    assert Player.objects.get(pk=partner.pk).shown == Player.Shown.NAME
    assert list_partner_checks(session) == []
