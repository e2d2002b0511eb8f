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
from tournaments.movements import build
from tournaments.sheets.options import find_missing_side

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.parametrize("side", ["NS", "EW"])
def test_the_pair_that_is_missing_is_missing_where_the_card_says(
    client: Client, side: str
) -> None:
    event, user = evenings.create_event(9)
    client.force_login(user)
    options = f'{{"tables": 5, "absent": ["5{side}"]}}'
    actual = build("compass", tables=5, absent=[f"5{side}"])
    assert find_missing_side(actual) == side
    client.post(
        f"/director/events/{event.slug}/movement/",
        {"name": "compass", "options": options, "boards_a_round": "4", "missing": side},
    )
    absent = event.sessions.get().sections.get().places.get(entry=None)
    assert absent.label == f"5{side}"


def test_a_field_that_is_whole_misses_nobody() -> None:
    assert find_missing_side(build("compass", pairs=10)) == ""
    assert find_missing_side(build("howell", pairs=9)) == ""


def test_boards_that_a_new_movement_outgrew_are_the_step_to_do_now(
    client: Client, django_capture_on_commit_callbacks
) -> None:
    session, user = evenings.seat_session(boards_a_round=2)
    with django_capture_on_commit_callbacks(execute=True):
        tournaments.services.prepare_boards(session=session, by=user)
    tournaments.services.seat_section(
        session=session, movement=build("howell", pairs=6), boards_a_round=3, by=user
    )
    client.force_login(user)
    response = client.get(f"/director/events/{session.event.slug}/")
    assert response.context["next"].key == "deals"
    page = response.content.decode()
    assert "9 more boards needed" in page
    assert "Deal more boards" in page
    assert "session/open/" not in page


@pytest.mark.slow
def test_the_limits_of_the_evening_are_remembered(client: Client) -> None:
    event, user = evenings.create_event(10)
    client.force_login(user)
    address = f"/director/events/{event.slug}/movement/"
    client.get(f"{address}?boards=17&minutes=&boards_at_hand=&stationary=&winners=")
    assert 'value="17"' in client.get(address).content.decode()


@pytest.mark.slow
def test_who_must_stay_seated_is_said_at_the_pair_and_asked_of_the_movements(
    client: Client,
) -> None:
    event, user = evenings.create_event(10)
    client.force_login(user)
    desk = f"/director/events/{event.slug}/"
    names = event.entries.get(number=7).name.split(" & ")
    client.post(f"{desk}entries/7/", {"player1": names[0], "player2": names[1], "stays": "on"})
    assert event.entries.get(number=7).stays_seated
    assert "stationary" in client.get(f"{desk}entries/").content.decode()
    assert 'name="stationary" value="1"' in client.get(f"{desk}movement/").content.decode()


@pytest.mark.slow
def test_the_evening_names_who_must_stay_seated_and_moves(client: Client) -> None:
    session, user = evenings.seat_session(10)
    client.force_login(user)
    desk = f"/director/events/{session.event.slug}/"
    assert "all seated" in client.get(desk).content.decode()
    moving = session.sections.get().places.get(label="1EW").entry
    assert moving is not None
    response = client.post(
        f"{desk}seats/", {"how": "wishes", f"stays-{moving.number}": "on"}, follow=True
    )
    assert f"Not stationary yet: {moving.number} " in response.content.decode()
    assert "needs a stationary place" in client.get(desk).content.decode()
    client.post(f"{desk}seats/", {"how": "list"})
    assert tournaments.services.list_unmet_wishes(session.sections.get()) == []
    assert "all seated" in client.get(desk).content.decode()


@pytest.mark.slow
def test_each_movement_tells_how_many_minutes_it_takes(client: Client) -> None:
    event, user = evenings.create_event(10)
    client.force_login(user)
    response = client.get(f"/director/events/{event.slug}/movement/")
    howell = next(option for option in response.context["options"] if option.name == "howell")
    assert (howell.rounds, howell.boards_a_round) == (9, 3)
    assert howell.minutes == 9 * 3 * 7 + 8 * 2
    assert f'<td class="n">{howell.minutes}</td>' in response.content.decode()


@pytest.mark.slow
def test_the_entries_of_an_open_session_lead_to_where_somebody_late_comes_in(
    client: Client,
) -> None:
    session, user = evenings.seat_session(10)
    client.force_login(user)
    desk = f"/director/events/{session.event.slug}/"
    assert f'href="{desk}change/"' not in read_main_content(client, f"{desk}entries/")
    tournaments.services.shuffle_at_table(session=session, by=user)
    scoring.services.open_session(session=session, by=user)
    assert f'href="{desk}change/"' in read_main_content(client, f"{desk}entries/")


@pytest.mark.slow
def test_who_stays_is_asked_after_a_movement_was_asked_for_them(client: Client) -> None:
    session, user = evenings.seat_session(10)
    client.force_login(user)
    desk = f"/director/events/{session.event.slug}/"
    assert "Stationary pairs" in client.get(f"{desk}movement/").content.decode()
    client.get(f"{desk}movement/?stationary=1")
    page = client.get(desk).content.decode()
    assert "enter who needs a stationary place" in page
    assert "all seated" not in page
    assert "You asked for stationary pairs" in client.get(f"{desk}seats/").content.decode()
    client.post(f"{desk}seats/", {"how": "wishes"})
    assert "You asked for" not in client.get(f"{desk}seats/").content.decode()
    assert "all seated" in client.get(desk).content.decode()


@pytest.mark.slow
def test_that_north_south_stays_says_by_itself_who_does(client: Client) -> None:
    session, user = evenings.seat_session(10)
    client.force_login(user)
    desk = f"/director/events/{session.event.slug}/"
    client.get(f"{desk}movement/?hours=180&stay=ns")
    page = client.get(desk).content.decode()
    assert "enter who needs a stationary place" not in page
    assert "all seated" in page
    assert "You asked for" not in client.get(f"{desk}seats/").content.decode()
    client.get(f"{desk}movement/?stay=ns&stationary=1")
    seats = client.get(f"{desk}seats/").content.decode()
    assert "Tick them below, save, then draw the seats." in seats
    assert re.search(r"<button[^>]*>\s*Save", seats)


@pytest.mark.slow
def test_seats_by_hand_warn_as_the_draw_does(client: Client) -> None:
    session, user = evenings.seat_session(10)
    client.force_login(user)
    seats = f"/director/events/{session.event.slug}/seats/"
    places = list(session.sections.get().places.select_related("entry"))
    given = {f"place-{place.number}": place.entry.number for place in places if place.entry}
    entry = next(place.entry for place in places if place.label == "1NS")
    assert entry is not None
    client.post(seats, {"how": "wishes", f"stays-{entry.number}": "on"})
    response = client.post(seats, given | {"how": "hand"}, follow=True)
    assert "Everyone has a seat." in response.content.decode()
    here, there = (
        next(f"place-{place.number}" for place in places if place.label == label)
        for label in ("1NS", "1EW")
    )
    given[here], given[there] = given[there], given[here]
    page = client.post(seats, given | {"how": "hand"}, follow=True).content.decode()
    assert f"Seated, but these should be stationary and move: {entry.number} " in page
    assert "Everyone has a seat." not in page


@pytest.mark.slow
def test_a_slip_of_the_pen_does_not_stay_in_the_clubs_list() -> None:
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
def test_a_partner_who_changed_stays_in_the_clubs_list() -> None:
    event, user = evenings.create_event(0)
    entry = tournaments.services.create_entry(
        event=event, names=["Arthur Mott", "Hilda Crane"], by=user
    )
    tournaments.services.rename_entry(
        entry=entry, names=["Kate Wheelock", "Hilda Crane"], by=user
    )
    assert Player.objects.filter(name="Arthur Mott").exists()


@pytest.mark.slow
def test_a_page_that_waited_for_the_boards_comes_anew(client: Client) -> None:
    session, user = evenings.seat_session()
    client.force_login(user)
    tournaments.services.shuffle_at_table(session=session, by=user)
    response = client.get(
        f"/director/events/{session.event.slug}/deals/status/", headers={"HX-Request": "true"}
    )
    assert response["HX-Refresh"] == "true"


def test_dealt_boards_are_not_replaced_by_one_wrong_press(client: Client) -> None:
    session, user = evenings.seat_session(6)
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/deals/"
    assert "Wrong cards in the boards?" not in client.get(address).content.decode()
    board_set = tournaments.services.prepare_boards(session=session, by=user)
    boards.batches.deal_missing_boards(board_set)
    before, fold, behind = client.get(address).content.decode().partition("Wrong cards in")
    assert fold
    assert "Tap in a board" in behind
    assert "Tap in a board" not in before


def test_a_fingerprint_stands_when_boards_are_added(client: Client) -> None:
    session, user = evenings.seat_session(6)
    client.force_login(user)
    board_set = tournaments.services.prepare_boards(session=session, by=user)
    boards.batches.deal_missing_boards(board_set)
    size, commitment = board_set.size, board_set.commitment
    boards.services.add_boards(board_set=board_set, size=size + 2)
    page = client.get(f"/director/events/{session.event.slug}/deals/").content.decode()
    assert f"(first {size} boards) is still valid" in page
    assert commitment in page


def read_main_content(client: Client, address: str) -> str:
    """Return the content of a page, without its frame."""
    return client.get(address).content.decode().partition("<main")[2].partition("</main>")[0]


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ("planned", "all seated"),
        ("open", "all seated"),
        ("closed", "all seated"),
    ],
)
def test_the_step_of_seats_offers_only_what_can_still_be_done(
    client: Client, state: str, text: str
) -> None:
    session, user = evenings.seat_session() if state == "planned" else evenings.play_session()
    if state == "closed":
        scoring.services.close_session(session=session, by=user)
    client.force_login(user)
    steps = client.get(f"/director/events/{session.event.slug}/").context["steps"]
    assert next(step.text for step in steps if step.key == "seats") == text


@pytest.mark.slow
def test_the_grid_opens_as_it_was_last_laid_out(client: Client) -> None:
    session, user = evenings.open_session()
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/scores/"
    for asked, laid_out in [
        ("", "board"),
        ("?by=round", "round"),
        ("", "round"),
        ("?by=board", "board"),
        ("", "board"),
        ("?by=nonsense", "board"),
    ]:
        assert client.get(address + asked).context["grid"].by == laid_out


@pytest.mark.slow
def test_a_list_that_is_refused_has_the_cursor_where_it_is_put_right(client: Client) -> None:
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
def test_a_partner_who_is_missing_is_named_below_the_box_of_the_partner(client: Client) -> None:
    event, user = evenings.create_event()
    client.force_login(user)
    page_text = client.post(
        f"/director/events/{event.slug}/entries/", {"how": "typed", "player1": "Ada Pole"}
    ).content.decode()
    field = page_text.partition('name="player2"')[2].partition("</div>")[0]
    assert "The partner&#x27;s name is missing." in field


def test_an_optional_step_that_play_went_past_is_skipped_and_not_done(client: Client) -> None:
    session, user = evenings.seat_session()
    client.force_login(user)
    page = f"/director/events/{session.event.slug}/"

    def list_step_states() -> dict[str, str]:
        return {step.key: step.state for step in client.get(page).context["steps"]}

    assert list_step_states()["phones"] == "later"
    scoring.services.open_session(session=session, by=user)
    assert (list_step_states()["papers"], list_step_states()["phones"]) == (
        "skipped",
        "skipped",
    )
    assert "(skipped)" in client.get(page).content.decode()
    hall.phones.services.create_table_links(session=session, by=user)
    assert list_step_states()["phones"] == "done"
