"""Seating respects preferences, draws are reproducible, and the season stays fair."""

import html
import re
from datetime import date

import pytest
from django.test import Client

import scoring.services
import tournaments.services
from clubs import audit
from tests import evenings
from tournaments.errors import ActionUnavailable, InvalidSeating
from tournaments.ledger import SeatingCounts, load_seating_counts
from tournaments.models import Entry, Event, Place, Section
from tournaments.movements import build_named_movement
from tournaments.services import (
    arrange_entries,
    assign_seats,
    draw_seats,
    set_stationary_wishes,
)

pytestmark = pytest.mark.django_db


def list_entries(event: Event) -> list[Entry]:
    return list(event.entries.order_by("number"))


def load_labels_by_number(section: Section) -> dict[int, str]:
    """Return each entry's place by its number."""
    rows = Place.objects.filter(section=section, entry__isnull=False)
    return dict(rows.values_list("entry__number", "label"))


@pytest.mark.parametrize("how", ["list", "random", "fair"])
def test_entry_needing_stationary_position_gets_one(how: str) -> None:
    session, user = evenings.seat_session(10, movement="howell")
    entries = list_entries(session.event)
    set_stationary_wishes(entries=entries, stationary_numbers=[4], by=user)
    section = session.sections.get()
    draw_seats(section=section, method=how, seed="1", by=user)
    assert load_labels_by_number(section)[4] == "10"


def test_more_requests_than_stationary_positions_are_refused() -> None:
    session, user = evenings.seat_session(10, movement="howell")
    set_stationary_wishes(
        entries=list_entries(session.event), stationary_numbers=[1, 2], by=user
    )
    with pytest.raises(
        InvalidSeating, match="2 need a stationary place, but this movement has 1"
    ):
        draw_seats(section=session.sections.get(), method="random", seed="1", by=user)


def test_draw_is_reproducible_from_its_seed() -> None:
    session, user = evenings.seat_session(14)
    section = session.sections.get()
    labels = []
    for seed in ("a", "b", "a"):
        draw_seats(section=section, method="random", seed=seed, by=user)
        labels.append(load_labels_by_number(section))
    assert labels[0] == labels[2] != labels[1]
    assert audit.list_acts(session.event).first().after == {"how": "random", "seed": "a"}


def test_fair_draw_gives_stationary_positions_to_entries_that_had_none() -> None:
    event, _ = evenings.create_event(6)
    entries = list_entries(event)
    movement = build_named_movement("compass", pairs=6)
    season_counts = {
        number: SeatingCounts(stationary_evening_count=3 if number <= 3 else 0)
        for number in range(1, 7)
    }
    for seed in "abcde":
        seating = arrange_entries(
            movement,
            entries,
            method="fair",
            seed=seed,
            season_counts_by_entry_number=season_counts,
        )
        assert {seating[place].number for place in (1, 2, 3)} == {4, 5, 6}


def test_fair_draw_spares_entries_that_already_sat_out() -> None:
    event, _ = evenings.create_event(9)
    entries = list_entries(event)
    movement = build_named_movement("compass", pairs=9, rounds=3)
    past = {
        number: SeatingCounts(sat_out_round_count=0 if number <= 3 else 5)
        for number in range(1, 10)
    }
    idle_places = [
        p
        for p in movement.occupied_places
        if len([e for e in movement.played_meetings if p in e.places]) < 3
    ]
    assert len(idle_places) == 3
    for seed in "abcde":
        seating = arrange_entries(
            movement, entries, method="fair", seed=seed, season_counts_by_entry_number=past
        )
        assert {seating[place].number for place in idle_places} == {1, 2, 3}


def test_team_occupies_positions_of_both_its_pairs() -> None:
    movement = build_named_movement("howell-teams", teams=5)
    club, user = evenings.create_club_with_director()
    event = scoring.services.create_event(
        club=club, name="Teams", date=date(2026, 3, 10), contest="teams", by=user
    )
    entries = [
        Entry.objects.create(event=event, number=number, name=f"Team {number}")
        for number in range(1, 6)
    ]
    seating = arrange_entries(movement, entries)
    assert len(seating) == 10
    assert all(
        movement.get_team_number(place) == entry.number for place, entry in seating.items()
    )


def test_stationary_request_of_team_is_satisfied_by_one_pair() -> None:
    club, user = evenings.create_club_with_director()
    event = scoring.services.create_event(
        club=club, name="Teams", date=date(2026, 3, 10), contest="teams", by=user
    )
    entries = [
        Entry.objects.create(event=event, number=number, name=f"Team {number}")
        for number in range(1, 4)
    ]
    set_stationary_wishes(entries=entries, stationary_numbers=[2], by=user)
    section = tournaments.services.seat_section(
        session=event.sessions.get(),
        movement=(movement := build_named_movement("gilman", teams=3)),
        boards_a_round=2,
        entries_by_place=arrange_entries(movement, list(event.entries.order_by("number"))),
        by=user,
    )
    assert tournaments.services.list_entries_with_unmet_needs(section) == []


def test_ledger_counts_sit_outs_and_stationary_seats_of_earlier_evenings() -> None:
    session, user = evenings.open_session(9)
    names = [
        [player.name for player in entry.players.order_by("entry_memberships__order")]
        for entry in list_entries(session.event)
    ]
    later_event = scoring.services.create_event(
        club=session.event.club, name="Next", date=date(2026, 3, 17), by=user
    )
    for pair in names:
        tournaments.services.create_entry(event=later_event, names=pair, by=user)
    season_records = load_seating_counts(later_event.sessions.get())
    assert all(record.evening_count == 2 for record in season_records.values())
    seats = load_labels_by_number(session.sections.get())
    for number, record in season_records.items():
        assert record.stationary_evening_count == (2 if seats[number].endswith("NS") else 0)
        assert record.sat_out_round_count == (2 if seats[number].endswith("NS") else 0)
    assert load_seating_counts(session)[1] == SeatingCounts()


def test_ledger_counts_earlier_sessions_of_event() -> None:
    session, user = evenings.open_session(9)
    first_sat_outs_by_number = {
        number: record.sat_out_round_count
        for number, record in load_seating_counts(session).items()
    }
    assert set(first_sat_outs_by_number.values()) == {0}
    second_session = tournaments.services.add_session(
        event=session.event, date=date(2026, 3, 17), by=user
    )
    season_records = load_seating_counts(second_session)
    assert {record.evening_count for record in season_records.values()} == {
        2
    }  # two players, one each
    seats = load_labels_by_number(session.sections.get())
    for number, record in season_records.items():
        assert record.sat_out_round_count == (2 if seats[number].endswith("NS") else 0)


def test_ledger_counts_single_players_at_incomplete_tables() -> None:
    session, user = evenings.player_count(7)
    later_event = scoring.services.create_event(
        club=session.event.club,
        name="Next",
        date=date(2026, 3, 17),
        contest="individual",
        by=user,
    )
    for entry in list_entries(session.event):
        tournaments.services.create_entry(event=later_event, names=[entry.name], by=user)
    assert {
        record.sat_out_round_count
        for record in load_seating_counts(later_event.sessions.get()).values()
    } == {3}


def test_manual_seats_are_saved_completely_or_not_at_all() -> None:
    session, user = evenings.seat_session(6)
    section = session.sections.get()
    labels_before = load_labels_by_number(section)
    entries = list_entries(session.event)
    duplicate_seating = dict.fromkeys(range(1, 7), entries[0])
    with pytest.raises(InvalidSeating, match="has two places"):
        assign_seats(section=section, entries_by_place=duplicate_seating, by=user)
    with pytest.raises(InvalidSeating, match="A place is empty"):
        assign_seats(section=section, entries_by_place={1: entries[0]}, by=user)
    assert load_labels_by_number(section) == labels_before
    assign_seats(
        section=section, entries_by_place=dict(enumerate(entries[::-1], start=1)), by=user
    )
    assert load_labels_by_number(section)[6] == "1NS"


def test_seats_cannot_change_after_play_opens() -> None:
    session, user = evenings.open_session(6)
    with pytest.raises(ActionUnavailable, match="so the seats can’t change"):
        draw_seats(section=session.sections.get(), method="list", by=user)


def test_seats_page_supports_draw_preferences_and_manual_seats(client: Client) -> None:
    session, user = evenings.seat_session(6)
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/seats/"
    page = client.get(address).content.decode()
    assert re.search(r"<span class=\"small quiet\">\s*stationary\s", page)
    assert "Seating record" in page
    assert client.post(address, {"how": "wishes", "stays-5": "on"}).status_code == 302
    assert session.event.entries.get(stays_seated=True).number == 5
    for how in ("list", "random", "fair"):
        assert client.post(address, {"how": how}).status_code == 302
        assert load_labels_by_number(session.sections.get())[5].endswith("NS")
    by_hand = {f"place-{number}": str(7 - number) for number in range(1, 7)}
    assert client.post(address, by_hand | {"how": "hand"}).status_code == 302
    assert load_labels_by_number(session.sections.get())[1] == "3EW"
    wrong_response = client.post(address, by_hand | {"how": "hand", "place-1": "5"})
    assert wrong_response.status_code == 400
    assert "has two places" in wrong_response.content.decode()


def test_seats_of_many_entries_are_typed_and_unknown_entry_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.views.seats.MAX_SELECT_ENTRIES", 5)
    session, user = evenings.seat_session(6)
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/seats/"
    page = client.get(address).content.decode()
    assert page.count("<option") == 6
    typed = dict(re.findall(r'name="(place-\d)" list="seat-entries"[^>]*value="([^"]+)"', page))
    assert len(typed) == 6
    typed["place-1"], typed["place-2"] = typed["place-2"], typed["place-1"]
    labels_before = load_labels_by_number(session.sections.get())
    form = {name: html.unescape(value) for name, value in typed.items()}
    assert client.post(address, form | {"how": "hand"}).status_code == 302
    labels_after = load_labels_by_number(session.sections.get())
    first_number, second = (
        number for number, label in labels_before.items() if label in ("1NS", "2NS")
    )
    assert (labels_after[first_number], labels_after[second]) == (
        labels_before[second],
        labels_before[first_number],
    )
    wrong_response = client.post(address, form | {"how": "hand", "place-1": "77 Nobody"})
    assert wrong_response.status_code == 400
    rejected_html = wrong_response.content.decode()
    assert "Place 1 N-S: 77 Nobody isn’t in the list. Enter its number." in rejected_html
    assert 'value="77 Nobody"' in rejected_html
    assert load_labels_by_number(session.sections.get()) == labels_after


def test_preference_violated_by_manual_seats_is_shown(client: Client) -> None:
    session, user = evenings.seat_session(6)
    set_stationary_wishes(entries=list_entries(session.event), stationary_numbers=[5], by=user)
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/seats/"
    assert client.get(address).content.decode().count("moves, should be stationary") == 1
    client.post(address, {"how": "list"})
    assert "moves, should be stationary" not in client.get(address).content.decode()


def test_choosing_movement_respects_preferences(client: Client) -> None:
    event, user = evenings.create_event(10)
    set_stationary_wishes(entries=list_entries(event), stationary_numbers=[3], by=user)
    client.force_login(user)
    fields = {"name": "howell", "options": '{"pairs": 10}', "boards_a_round": "2"}
    client.post(f"/director/events/{event.slug}/movement/", fields)
    assert load_labels_by_number(event.sessions.get().sections.get())[3] == "10"
