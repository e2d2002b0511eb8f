"""A director's first night, between the names and the boards."""

import re

import pytest
from django.test import Client

import boards.batches
import boards.services
import hall.phones.services
import scoring.services
import tournaments.services
from clubs.models import Player
from tests import evenings
from tournaments.movements import build_named_movement
from tournaments.sheets.options import find_missing_side

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.parametrize("side", ["NS", "EW"])
def test_missing_pair_has_the_side_chosen_in_the_form(client: Client, side: str) -> None:
    event, user = evenings.create_event(9)
    client.force_login(user)
    options = f'{{"tables": 5, "absent": ["5{side}"]}}'
    movement = build_named_movement("compass", tables=5, absent=[f"5{side}"])
    assert find_missing_side(movement) == side
    client.post(
        f"/director/events/{event.slug}/movement/",
        {"name": "compass", "options": options, "boards_a_round": "4", "missing": side},
    )
    missing_place = event.sessions.get().sections.get().places.get(entry=None)
    assert missing_place.label == f"5{side}"


def test_movement_without_missing_pair_has_no_missing_side() -> None:
    assert find_missing_side(build_named_movement("compass", pairs=10)) == ""
    assert find_missing_side(build_named_movement("howell", pairs=9)) == ""


def test_missing_boards_after_movement_change_are_the_next_step(
    client: Client, django_capture_on_commit_callbacks
) -> None:
    session, user = evenings.seat_session(boards_a_round=2)
    with django_capture_on_commit_callbacks(execute=True):
        tournaments.services.request_dealing(session=session, by=user)
    tournaments.services.seat_section(
        session=session,
        movement=build_named_movement("howell", pairs=6),
        boards_a_round=3,
        by=user,
    )
    client.force_login(user)
    response = client.get(f"/director/events/{session.event.slug}/")
    assert response.context["next"].step_key == "deals"
    page = response.content.decode()
    assert "9 more boards needed" in page
    assert "Deal more boards" in page
    assert "session/open/" not in page


@pytest.mark.slow
def test_movement_page_remembers_number_of_boards(client: Client) -> None:
    event, user = evenings.create_event(10)
    client.force_login(user)
    movement_url = f"/director/events/{event.slug}/movement/"
    client.get(f"{movement_url}?boards=17&minutes=&boards_at_hand=&stationary=&winners=")
    assert 'value="17"' in client.get(movement_url).content.decode()


@pytest.mark.slow
def test_stationary_pair_is_marked_and_counted_on_movement_page(
    client: Client,
) -> None:
    event, user = evenings.create_event(10)
    client.force_login(user)
    event_url = f"/director/events/{event.slug}/"
    names = event.entries.get(number=7).name.split(" & ")
    client.post(
        f"{event_url}entries/7/", {"player1": names[0], "player2": names[1], "stays": "on"}
    )
    assert event.entries.get(number=7).stays_seated
    assert "stationary" in client.get(f"{event_url}entries/").content.decode()
    assert 'name="stationary" value="1"' in client.get(f"{event_url}movement/").content.decode()


@pytest.mark.slow
def test_desk_page_lists_stationary_pairs_that_would_move(client: Client) -> None:
    session, user = evenings.seat_session(10)
    client.force_login(user)
    event_url = f"/director/events/{session.event.slug}/"
    assert "all seated" in client.get(event_url).content.decode()
    moving_entry = session.sections.get().places.get(label="1EW").entry
    assert moving_entry is not None
    response = client.post(
        f"{event_url}seats/",
        {"how": "wishes", f"stays-{moving_entry.number}": "on"},
        follow=True,
    )
    assert f"Not stationary yet: {moving_entry.number} " in response.content.decode()
    assert "needs a stationary place" in client.get(event_url).content.decode()
    client.post(f"{event_url}seats/", {"how": "list"})
    assert tournaments.services.list_entries_with_unmet_needs(session.sections.get()) == []
    assert "all seated" in client.get(event_url).content.decode()


@pytest.mark.slow
def test_each_movement_shows_its_duration(client: Client) -> None:
    event, user = evenings.create_event(10)
    client.force_login(user)
    response = client.get(f"/director/events/{event.slug}/movement/")
    howell = next(option for option in response.context["options"] if option.name == "howell")
    assert (howell.round_count, howell.boards_a_round) == (9, 3)
    assert howell.minutes == 9 * 3 * 7 + 8 * 2
    assert f'<td class="n">{howell.minutes}</td>' in response.content.decode()


@pytest.mark.slow
def test_entries_of_an_open_session_link_to_adding_a_late_pair(
    client: Client,
) -> None:
    session, user = evenings.seat_session(10)
    client.force_login(user)
    event_url = f"/director/events/{session.event.slug}/"
    assert f'href="{event_url}change/"' not in read_main_content(client, f"{event_url}entries/")
    tournaments.services.set_table_shuffling(session=session, by=user)
    scoring.services.open_session(session=session, by=user)
    assert f'href="{event_url}change/"' in read_main_content(client, f"{event_url}entries/")


@pytest.mark.slow
def test_choosing_stationary_places_asks_for_the_pairs_that_need_them(client: Client) -> None:
    session, user = evenings.seat_session(10)
    client.force_login(user)
    event_url = f"/director/events/{session.event.slug}/"
    assert "Stationary pairs" in client.get(f"{event_url}movement/").content.decode()
    client.get(f"{event_url}movement/?stationary=1")
    page = client.get(event_url).content.decode()
    assert "enter who needs a stationary place" in page
    assert "all seated" not in page
    assert "You asked for stationary pairs" in client.get(f"{event_url}seats/").content.decode()
    client.post(f"{event_url}seats/", {"how": "wishes"})
    assert "You asked for" not in client.get(f"{event_url}seats/").content.decode()
    assert "all seated" in client.get(event_url).content.decode()


@pytest.mark.slow
def test_choosing_stationary_north_south_asks_for_no_pairs(client: Client) -> None:
    session, user = evenings.seat_session(10)
    client.force_login(user)
    event_url = f"/director/events/{session.event.slug}/"
    client.get(f"{event_url}movement/?hours=180&stay=ns")
    page = client.get(event_url).content.decode()
    assert "enter who needs a stationary place" not in page
    assert "all seated" in page
    assert "You asked for" not in client.get(f"{event_url}seats/").content.decode()
    client.get(f"{event_url}movement/?stay=ns&stationary=1")
    seats = client.get(f"{event_url}seats/").content.decode()
    assert "Tick them below, save, then draw the seats." in seats
    assert re.search(r"<button[^>]*>\s*Save", seats)


@pytest.mark.slow
def test_manual_seating_shows_the_same_warning_as_the_draw(client: Client) -> None:
    session, user = evenings.seat_session(10)
    client.force_login(user)
    seats = f"/director/events/{session.event.slug}/seats/"
    places = list(session.sections.get().places.select_related("entry"))
    entry_numbers_by_field = {
        f"place-{place.number}": place.entry.number for place in places if place.entry
    }
    entry = next(place.entry for place in places if place.label == "1NS")
    assert entry is not None
    client.post(seats, {"how": "wishes", f"stays-{entry.number}": "on"})
    response = client.post(seats, entry_numbers_by_field | {"how": "hand"}, follow=True)
    assert "Everyone has a seat." in response.content.decode()
    first_field, second_field = (
        next(f"place-{place.number}" for place in places if place.label == label)
        for label in ("1NS", "1EW")
    )
    entry_numbers_by_field[first_field], entry_numbers_by_field[second_field] = (
        entry_numbers_by_field[second_field],
        entry_numbers_by_field[first_field],
    )
    page = client.post(
        seats, entry_numbers_by_field | {"how": "hand"}, follow=True
    ).content.decode()
    assert f"Seated, but these should be stationary and move: {entry.number} " in page
    assert "Everyone has a seat." not in page


@pytest.mark.slow
def test_mistyped_name_is_removed_from_the_clubs_list() -> None:
    event, user = evenings.create_event(0)
    entry = tournaments.services.create_entry(
        event=event, names=["Stnaley Crane", "Hilda Crane"], by=user
    )
    tournaments.services.rename_entry(
        entry=entry, names=["Stanley Crane", "Hilda Crane"], by=user
    )
    assert set(Player.objects.values_list("name", flat=True)) == {
        "Stanley Crane",
        "Hilda Crane",
    }


@pytest.mark.slow
def test_replaced_partner_stays_in_the_clubs_list() -> None:
    event, user = evenings.create_event(0)
    entry = tournaments.services.create_entry(
        event=event, names=["Arthur Mott", "Hilda Crane"], by=user
    )
    tournaments.services.rename_entry(
        entry=entry, names=["Kate Wheelock", "Hilda Crane"], by=user
    )
    assert Player.objects.filter(name="Arthur Mott").exists()


@pytest.mark.slow
def test_page_waiting_for_boards_reloads(client: Client) -> None:
    session, user = evenings.seat_session()
    client.force_login(user)
    tournaments.services.set_table_shuffling(session=session, by=user)
    response = client.get(
        f"/director/events/{session.event.slug}/deals/status/", headers={"HX-Request": "true"}
    )
    assert response["HX-Refresh"] == "true"


def test_dealt_boards_are_replaced_only_after_confirmation(client: Client) -> None:
    session, user = evenings.seat_session(6)
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/deals/"
    assert "Wrong cards in the boards?" not in client.get(address).content.decode()
    board_set = tournaments.services.request_dealing(session=session, by=user)
    boards.batches.deal_missing_boards(board_set)
    html_before_heading, heading, html_after_heading = (
        client.get(address).content.decode().partition("Wrong cards in")
    )
    assert heading
    assert "Enter one board" in html_after_heading
    assert "Enter one board" not in html_before_heading


def test_commitment_stays_valid_when_boards_are_added(client: Client) -> None:
    session, user = evenings.seat_session(6)
    client.force_login(user)
    board_set = tournaments.services.request_dealing(session=session, by=user)
    boards.batches.deal_missing_boards(board_set)
    board_count, commitment = board_set.size, board_set.commitment
    boards.services.add_boards(board_set=board_set, total_board_count=board_count + 2)
    page = client.get(f"/director/events/{session.event.slug}/deals/").content.decode()
    assert f"the first {board_count} haven’t changed" in page
    assert commitment in page


def read_main_content(client: Client, address: str) -> str:
    """Return the content of a page, without its frame."""
    return client.get(address).content.decode().partition("<main")[2].partition("</main>")[0]


@pytest.mark.parametrize(
    ("session_state", "expected_text"),
    [
        ("planned", "all seated"),
        ("open", "all seated"),
        ("closed", "all seated"),
    ],
)
def test_seats_step_offers_only_available_actions(
    client: Client, session_state: str, expected_text: str
) -> None:
    session, user = (
        evenings.seat_session() if session_state == "planned" else evenings.play_session()
    )
    if session_state == "closed":
        scoring.services.close_session(session=session, by=user)
    client.force_login(user)
    steps = client.get(f"/director/events/{session.event.slug}/").context["steps"]
    assert next(step.text for step in steps if step.step_key == "seats") == expected_text


@pytest.mark.slow
def test_grid_opens_in_its_last_layout(client: Client) -> None:
    session, user = evenings.open_session()
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/scores/"
    for query_string, expected_layout in [
        ("", "board"),
        ("?by=round", "round"),
        ("", "round"),
        ("?by=board", "board"),
        ("", "board"),
        ("?by=nonsense", "board"),
    ]:
        assert client.get(address + query_string).context["grid"].layout == expected_layout


@pytest.mark.slow
def test_rejected_list_puts_cursor_on_the_error(client: Client) -> None:
    event, user = evenings.create_event()
    client.force_login(user)
    address = f"/director/events/{event.slug}/entries/"
    response = client.post(address, {"how": "pasted", "text": "Ada Pole, Jan Nowak\nKate Lamb"})
    box = re.search(r"<textarea[^>]*>", response.content.decode())
    assert box is not None
    assert "autofocus" in box[0]
    assert "autofocus" not in "".join(
        re.findall(r"<textarea[^>]*>", client.get(address).content.decode())
    )


@pytest.mark.slow
def test_missing_partner_is_reported_below_the_partner_field(client: Client) -> None:
    event, user = evenings.create_event()
    client.force_login(user)
    page_text = client.post(
        f"/director/events/{event.slug}/entries/", {"how": "typed", "player1": "Ada Pole"}
    ).content.decode()
    field = page_text.partition('name="player2"')[2].partition("</div>")[0]
    assert "The partner’s name is missing." in field


def test_optional_step_is_marked_skipped_once_play_starts(client: Client) -> None:
    session, user = evenings.seat_session()
    client.force_login(user)
    url = f"/director/events/{session.event.slug}/"

    def list_step_states() -> dict[str, str]:
        return {step.step_key: step.state for step in client.get(url).context["steps"]}

    assert list_step_states()["phones"] == "later"
    scoring.services.open_session(session=session, by=user)
    assert (list_step_states()["papers"], list_step_states()["phones"]) == (
        "skipped",
        "skipped",
    )
    assert "(skipped)" in client.get(url).content.decode()
    hall.phones.services.create_table_links(session=session, by=user)
    assert list_step_states()["phones"] == "done"
