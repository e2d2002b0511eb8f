"""A large field is divided into several sections using the pages."""

import pytest
from django.test import Client

import scoring.services
import tournaments.services
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tournaments.errors import ActionUnavailable, InvalidSeating
from tournaments.models import Event, Place, Session
from tournaments.movements import build_named_movement
from tournaments.movements.suggest import list_suggestions_for_limits
from tournaments.services import PlannedSection
from tournaments.sheets.options import build_option, format_title_with_rounds

pytestmark = pytest.mark.django_db


def test_field_is_divided_in_blocks_or_alternately() -> None:
    field = list(range(1, 12))
    assert tournaments.services.divide_entries(field, 3) == [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
        [9, 10, 11],
    ]
    assert tournaments.services.divide_entries(field, 2, "turn") == [
        [1, 3, 5, 7, 9, 11],
        [2, 4, 6, 8, 10],
    ]


@pytest.mark.parametrize("sections", range(1, 11))
@pytest.mark.parametrize("how", ["blocks", "turn"])
def test_everyone_is_in_one_section_and_sizes_differ_by_at_most_one(
    sections: int, how: str
) -> None:
    for size in range(sections, 60):
        groups = tournaments.services.divide_entries(list(range(size)), sections, how)
        assert sorted(entry for group in groups for entry in group) == list(range(size))
        assert {len(group) for group in groups} <= {size // sections, -(-size // sections)}


def test_two_sections_are_seated_and_played_using_pages(client: Client) -> None:
    event, user = evenings.create_event(12)
    client.force_login(user)
    address = f"/director/events/{event.slug}/movement/sections/"
    page = client.get(address + "?sections=2&how=turn").content.decode()
    assert "Section A: 6 pairs" in page
    assert "Section B: 6 pairs" in page
    movement_choice = 'compass|{"pairs": 6}'
    response = client.post(
        address,
        {
            "sections": "2",
            "how": "turn",
            "movement-A": movement_choice,
            "movement-B": movement_choice,
            "boards_a_round": "2",
            "across": "on",
        },
    )
    assert response["Location"] == f"/director/events/{event.slug}/"
    session = event.sessions.get()
    assert session.across_sections
    places_in_a = Place.objects.filter(section__session=session, section__letter="A")
    assert {place.entry.number for place in places_in_a if place.entry} == {1, 3, 5, 7, 9, 11}
    scoring.services.open_session(session=session, by=user)
    assert client.get(f"/director/events/{event.slug}/scores/").status_code == 200


def test_error_names_section_without_movement(client: Client) -> None:
    event, user = evenings.create_event(12)
    client.force_login(user)
    response = client.post(
        f"/director/events/{event.slug}/movement/sections/",
        {
            "sections": "2",
            "how": "blocks",
            "movement-A": 'compass|{"pairs": 6}',
            "boards_a_round": "2",
        },
    )
    assert response.status_code == 400
    assert "Section B:" in response.content.decode()
    assert not event.sessions.get().sections.exists()


def test_random_draw_keeps_entries_within_section(client: Client) -> None:
    session = create_two_sections(client)
    entries_before = set(
        session.sections.get(letter="B").places.values_list("entry", flat=True)
    )
    client.post(
        f"/director/events/{session.event.slug}/seats/", {"how": "random", "section": "B"}
    )
    entries_after = set(session.sections.get(letter="B").places.values_list("entry", flat=True))
    assert entries_after == entries_before


def test_entry_of_another_section_cannot_be_seated_manually(client: Client) -> None:
    session = create_two_sections(client)
    first_section = session.sections.get(letter="A")
    seating = {place.number: place.entry for place in first_section.places.all()}
    other_place = session.sections.get(letter="B").places.first()
    assert other_place is not None
    with pytest.raises(InvalidSeating, match="plays in another section"):
        tournaments.services.assign_seats(
            section=first_section,
            entries_by_place=seating | {1: other_place.entry},
            by=evenings.create_club_with_director()[1],
        )


def test_session_in_play_cannot_be_divided(client: Client) -> None:
    session = create_two_sections(client)
    user = evenings.create_club_with_director()[1]
    scoring.services.open_session(session=session, by=user)
    with pytest.raises(ActionUnavailable):
        tournaments.services.seat_sections(
            session=session, planned_sections=[], boards_a_round=2, by=user
        )


def create_two_sections(client: Client) -> Session:
    """Return twelve pairs in two sections of six."""
    event, user = evenings.create_event(12)
    client.force_login(user)
    groups = tournaments.services.divide_entries(list(event.entries.order_by("number")), 2)
    movement = build_named_movement("compass", pairs=6)
    tournaments.services.seat_sections(
        session=event.sessions.get(),
        planned_sections=[PlannedSection(movement, {}, group) for group in groups],
        boards_a_round=2,
        by=user,
    )
    return event.sessions.get()


def test_movement_for_all_entries_replaces_sections(client: Client) -> None:
    session = create_two_sections(client)
    desk = f"/director/events/{session.event.slug}/"
    assert "2 sections, 2 boards per round" in client.get(f"{desk}movement/").content.decode()
    assert "2 sections, 2 boards per round" in client.get(desk).content.decode()
    response = client.post(
        f"{desk}movement/",
        {"name": "howell", "options": '{"pairs": 12}', "boards_a_round": "4"},
    )
    assert response["Location"] == desk
    assert session.sections.get().places.exclude(entry=None).count() == 12


def test_pair_label_includes_section_if_there_are_several(client: Client) -> None:
    session = create_two_sections(client)
    snapshot = load_session_snapshot(session)
    assert {snapshot.format_place_label(place) for place in snapshot.places} == {
        f"{letter}{number} {side}"
        for letter in "AB"
        for number in range(1, 4)
        for side in ("N-S", "E-W")
    }
    assert snapshot.tables[0].ns.short_label == "A1"


def test_unequal_sections_are_offered_movements_of_equal_length(client: Client) -> None:
    event, user = evenings.create_event(13)
    client.force_login(user)
    address = f"/director/events/{event.slug}/movement/sections/"
    choices = client.get(f"{address}?sections=2&how=blocks").context["choices"]
    assert [len(choice.entries) for choice in choices] == [7, 6]
    round_count_options = [{option.rounds for option in choice.options} for choice in choices]
    rounds = {choice.chosen_option.rounds for choice in choices}
    assert len(rounds) == 1 or not round_count_options[0] & round_count_options[1]


def test_sections_of_unequal_length_are_reported(client: Client) -> None:
    event, user = evenings.create_event(12)
    client.force_login(user)
    response = client.post(
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
    assert "section A plays 3 rounds, section B plays 5 rounds" in response.content.decode()


def test_sections_are_suggested_for_large_field_and_created_in_one_step(
    client: Client,
) -> None:
    event, user = evenings.create_event(38)
    client.force_login(user)
    address = f"/director/events/{event.slug}/movement/"
    response = client.get(f"{address}?boards=&sets=2")
    assert "Create sections" in response.content.decode()
    option = response.context["options"][0]
    assert (option.sizes, option.round_count, option.boards_a_round) == ("20,18", 9, 3)
    assert option.has_same_boards
    form_data = {
        "sections": "2",
        "sizes": option.sizes,
        "how": "turn",
        "boards_a_round": "3",
        "across": "on",
        **{f"movement-{section.section_letter}": section.choice for section in option.sections},
    }
    assert client.post(f"{address}sections/", form_data)["Location"] == build_desk_path(
        event.slug
    )
    session = event.sessions.get()
    assert session.across_sections
    assert [
        (section.tables, section.rounds) for section in session.sections.order_by("letter")
    ] == [
        (10, 9),
        (9, 9),
    ]
    places = Place.objects.filter(section__session=session).exclude(entry=None)
    assert places.count() == 38
    assert places.filter(section__letter="A", entry__number__in=(1, 3, 37, 38)).count() == 4


def build_desk_path(slug: str) -> str:
    return f"/director/events/{slug}/"


def test_rounds_of_all_sections_can_be_chosen(client: Client) -> None:
    event, user = evenings.create_event(24)
    client.force_login(user)
    address = f"/director/events/{event.slug}/movement/sections/"
    context = client.get(f"{address}?sections=2&how=blocks").context
    assert len({choice.chosen_option.rounds for choice in context["choices"]}) == 1
    assert context["boards_a_round"] > 1
    response = client.get(f"{address}?sections=2&how=blocks&rounds=5")
    assert 'name="rounds" value="5"' in response.content.decode()
    assert {choice.chosen_option.rounds for choice in response.context["choices"]} == {5}
    invalid_rounds_response = client.get(f"{address}?sections=2&how=blocks&rounds=99")
    assert invalid_rounds_response.status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("sizes", ["20,20", "1", "x", "0,12", "5,6"])
def test_section_sizes_with_wrong_sum_are_refused(client: Client, sizes: str) -> None:
    event, user = evenings.create_event(12)
    client.force_login(user)
    response = client.post(
        f"/director/events/{event.slug}/movement/sections/",
        {
            "sections": "2",
            "sizes": sizes,
            "how": "blocks",
            "movement-A": 'compass|{"pairs": 6}',
            "movement-B": 'compass|{"pairs": 6}',
            "boards_a_round": "2",
        },
    )
    assert response.status_code == 400
    assert not event.sessions.get().sections.exists()
    page = client.get(
        f"/director/events/{event.slug}/movement/sections/",
        {"sections": "2", "how": "blocks", "sizes": sizes},
    )
    assert page.status_code == 200


def test_page_shows_effect_of_more_boards(client: Client) -> None:
    event, user = evenings.create_event(26)
    client.force_login(user)
    address = f"/director/events/{event.slug}/movement/?boards_at_hand=24"
    page = client.get(address).content.decode()
    assert "26 boards make 13 rounds of two boards." in page
    assert "Advantage:" in page
    assert "Downside: One board per round" in " ".join(page.split())


@pytest.mark.slow
@pytest.mark.parametrize("contest", Event.Contest.values)
def test_field_of_any_size_is_divided_or_refused_with_reason(
    client: Client, contest: str
) -> None:
    event, user = evenings.create_event(0, contest=contest)
    client.force_login(user)
    people = {"individual": 1, "teams": 4}.get(contest, 2)
    for count in range(13):
        if count:
            names = [f"Player {count} {'abcd'[number]}" for number in range(people)]
            tournaments.services.create_entry(event=event, names=names, by=user)
        for sections in (2, 3) if count % 12 else (2, 3, 10):  # ten are always too many
            response = client.get(
                f"/director/events/{event.slug}/movement/sections/", {"sections": sections}
            )
            assert response.status_code == 200
            page_text = "Fewer tables than sections" in response.content.decode()
            assert page_text is not bool(response.context["choices"]), (count, sections)


def test_suggestion_summary_states_winners_and_rounds_without_repetition() -> None:
    options = [
        build_option(suggestion, is_best=False)
        for suggestion in list_suggestions_for_limits(pairs=98, sections=7)
    ]
    assert {item.winners_text for item in options} <= {"1 each", "2 each"}
    option = build_option(list_suggestions_for_limits(pairs=12)[0], is_best=True)
    assert option.winners_text in ("one winner", "two winners")
    titles = [
        format_title_with_rounds(title, 13)
        for title in (
            "Mitchell, 14 tables",
            "Three-quarter Howell, 13 rounds",
            "Mitchell, 14 tables, 13 rounds, one winner",
        )
    ]
    assert titles == [
        "Mitchell, 14 tables: 13 rounds",
        "Three-quarter Howell, 13 rounds",
        "Mitchell, 14 tables, 13 rounds, one winner",
    ]
    assert format_title_with_rounds("Two rounds", 1) == "Two rounds: 1 round"


def test_forms_have_descriptive_submit_buttons(client: Client) -> None:
    session, user = evenings.play_session(6)
    event_url = f"/director/events/{session.event.slug}/"
    client.force_login(user)
    papers = client.get(f"{event_url}papers/").content.decode()
    assert papers.count("Print full set") == 1  # everything else is a single paper
    scoring.services.close_session(session=session, by=user)
    second_session = tournaments.services.add_session(event=session.event, by=user)
    page = client.get(f"{event_url}session-{second_session.number}/").content.decode()
    form = page.split('name="date"')[1].split("</form>")[0]
    assert ">Save</button>" in form
