"""A large field in several sections, from the pages."""

import pytest
from django.test import Client

import scoring.services
import tournaments.services
from scoring.sittings import read_sittings
from tests import evenings
from tournaments.errors import NotNow, SeatingRefused
from tournaments.models import Place, Session
from tournaments.movements import build
from tournaments.services import SectionPlan

pytestmark = pytest.mark.django_db


def test_a_field_is_divided_in_blocks_or_turn_about() -> None:
    field = list(range(1, 12))
    assert tournaments.services.divided(field, 3) == [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
        [9, 10, 11],
    ]
    assert tournaments.services.divided(field, 2, "turn") == [
        [1, 3, 5, 7, 9, 11],
        [2, 4, 6, 8, 10],
    ]


@pytest.mark.parametrize("sections", range(1, 11))
@pytest.mark.parametrize("how", ["blocks", "turn"])
def test_everybody_is_in_one_section_and_they_differ_by_one_at_most(
    sections: int, how: str
) -> None:
    for size in range(sections, 60):
        groups = tournaments.services.divided(list(range(size)), sections, how)
        assert sorted(entry for group in groups for entry in group) == list(range(size))
        assert {len(group) for group in groups} <= {size // sections, -(-size // sections)}


def test_the_pages_seat_two_sections_and_play_them(client: Client) -> None:
    event, user = evenings.event(12)
    client.force_login(user)
    address = f"/director/events/{event.slug}/movement/sections/"
    page = client.get(address + "?sections=2&how=turn").content.decode()
    assert "Section A: 6 pairs" in page
    assert "Section B: 6 pairs" in page
    chosen = 'compass|{"pairs": 6}'
    answer = client.post(
        address,
        {
            "sections": "2",
            "how": "turn",
            "movement-A": chosen,
            "movement-B": chosen,
            "boards_a_round": "2",
            "across": "on",
        },
    )
    assert answer["Location"] == f"/director/events/{event.slug}/"
    session = event.sessions.get()
    assert session.across_sections
    in_a = Place.objects.filter(section__session=session, section__letter="A")
    assert {place.entry.number for place in in_a if place.entry} == {1, 3, 5, 7, 9, 11}
    scoring.services.open_session(session=session, by=user)
    assert client.get(f"/director/events/{event.slug}/scores/").status_code == 200


def test_a_section_without_a_choice_is_named(client: Client) -> None:
    event, user = evenings.event(12)
    client.force_login(user)
    answer = client.post(
        f"/director/events/{event.slug}/movement/sections/",
        {
            "sections": "2",
            "how": "blocks",
            "movement-A": 'compass|{"pairs": 6}',
            "boards_a_round": "2",
        },
    )
    assert answer.status_code == 400
    assert "Section B:" in answer.content.decode()
    assert not event.sessions.get().sections.exists()


def test_a_draw_stays_within_its_section(client: Client) -> None:
    session = two_sections(client)
    before = set(session.sections.get(letter="B").places.values_list("entry", flat=True))
    client.post(
        f"/director/events/{session.event.slug}/seats/", {"how": "random", "section": "B"}
    )
    after = set(session.sections.get(letter="B").places.values_list("entry", flat=True))
    assert after == before


def test_nobody_is_seated_by_hand_from_another_section(client: Client) -> None:
    session = two_sections(client)
    first = session.sections.get(letter="A")
    seating = {place.number: place.entry for place in first.places.all()}
    other = session.sections.get(letter="B").places.first()
    assert other is not None
    with pytest.raises(SeatingRefused, match="plays in another section"):
        tournaments.services.give_seats(
            section=first, seating=seating | {1: other.entry}, by=evenings.club()[1]
        )


def test_a_session_in_play_is_not_divided(client: Client) -> None:
    session = two_sections(client)
    user = evenings.club()[1]
    scoring.services.open_session(session=session, by=user)
    with pytest.raises(NotNow):
        tournaments.services.seat_sections(session=session, plans=[], boards_a_round=2, by=user)


def two_sections(client: Client) -> Session:
    """Twelve pairs in two sections of six."""
    event, user = evenings.event(12)
    client.force_login(user)
    groups = tournaments.services.divided(list(event.entries.order_by("number")), 2)
    movement = build("compass", pairs=6)
    tournaments.services.seat_sections(
        session=event.sessions.get(),
        plans=[SectionPlan(movement, {}, group) for group in groups],
        boards_a_round=2,
        by=user,
    )
    return event.sessions.get()


def test_one_movement_for_all_takes_the_place_of_the_sections(client: Client) -> None:
    session = two_sections(client)
    desk = f"/director/events/{session.event.slug}/"
    assert "2 sections, 2 boards a round" in client.get(f"{desk}movement/").content.decode()
    assert "2 sections, 2 boards a round" in client.get(desk).content.decode()
    answer = client.post(
        f"{desk}movement/",
        {"name": "howell", "options": '{"pairs": 12}', "boards_a_round": "4"},
    )
    assert answer["Location"] == desk
    assert session.sections.get().places.exclude(entry=None).count() == 12


def test_a_pair_is_called_by_its_section_where_there_are_several(client: Client) -> None:
    session = two_sections(client)
    found = read_sittings(session)
    assert {found.label(place) for place in found.places} == {
        f"{letter}{number} {side}"
        for letter in "AB"
        for number in range(1, 4)
        for side in ("N-S", "E-W")
    }
    assert found.tables[0].ns.short == "A1"


def test_sections_of_unequal_sizes_are_offered_movements_of_one_length(client: Client) -> None:
    event, user = evenings.event(13)
    client.force_login(user)
    address = f"/director/events/{event.slug}/movement/sections/"
    choices = client.get(f"{address}?sections=2&how=blocks").context["choices"]
    assert [len(choice.entries) for choice in choices] == [7, 6]
    lengths = [{option.rounds for option in choice.options} for choice in choices]
    chosen = {choice.chosen.rounds for choice in choices}
    assert len(chosen) == 1 or not lengths[0] & lengths[1]


def test_sections_that_are_not_equally_long_are_told(client: Client) -> None:
    event, user = evenings.event(12)
    client.force_login(user)
    answer = client.post(
        f"/director/events/{event.slug}/movement/sections/",
        {
            "sections": "2",
            "how": "blocks",
            "movement-A": 'compass|{"pairs": 6}',
            "movement-B": 'howell|{"pairs": 6}',
            "boards_a_round": "2",
        },
        follow=True,
    )
    assert "section A plays 3 rounds, section B plays 5 rounds" in answer.content.decode()
