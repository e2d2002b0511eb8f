"""Every removal can be undone with the button in its message."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

import scoring.services
from server.models import User
from tests import evenings
from tests.factories import UserFactory
from tournaments import services
from tournaments.errors import ActionUnavailable, InvalidEntry
from tournaments.models import Entry, Event, Session
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db


def sign_in(login: str = "director") -> Client:
    client = Client()
    club = "Riverside Whist Club" if login == "director" else "Hillside"
    client.force_login(evenings.create_club_with_director(club, login)[1])
    return client


def remove_pair(client: Client, event: Event, number: int) -> str:
    """Remove a pair and return the URL of the message's button."""
    page = client.post(reverse("entry_remove", args=[event.slug, number]), follow=True)
    (message,) = page.context["messages"]
    assert '<button type="submit">Undo</button>' in page.content.decode()
    return str(message.extra_tags)


def list_entry_names(event: Event) -> list[tuple[int, str]]:
    return list(event.entries.values_list("number", "name"))


def test_restored_pair_keeps_number_and_names() -> None:
    event, _user = evenings.create_event(pairs=4)
    event.entries.filter(number=2).update(stays_seated=True)
    entry = event.entries.get(number=2)
    entry_names_before = list_entry_names(event)
    client = sign_in()
    undo = remove_pair(client, event, 2)
    assert [number for number, _ in list_entry_names(event)] == [1, 2, 3]
    page = client.post(undo, follow=True)
    assert page.request["PATH_INFO"] == reverse("entries", args=[event.slug])
    assert "Undone: Pair removed: 2" in page.content.decode()
    assert escape(entry.name) in page.content.decode()
    assert list_entry_names(event) == entry_names_before
    assert event.entries.get(number=2).stays_seated


def test_double_click_restores_one_pair() -> None:
    event, _user = evenings.create_event(pairs=4)
    entry_names_before = list_entry_names(event)
    client = sign_in()
    undo = remove_pair(client, event, 1)
    for _ in range(2):
        client.post(undo)
    assert list_entry_names(event) == entry_names_before


def test_pair_with_player_entered_elsewhere_is_not_restored() -> None:
    event, user = evenings.create_event(pairs=4)
    entry = event.entries.get(number=2)
    first_name = entry.players.order_by("entry_memberships__order")[0].name
    client = sign_in()
    undo = remove_pair(client, event, 2)
    services.create_entry(event=event, names=[first_name, "Bo Low"], by=user)
    page = client.post(undo, follow=True)
    assert "is already entered, in number 4" in page.content.decode()
    assert event.entries.count() == 4


def test_pair_is_not_restored_into_event_in_play() -> None:
    session, user = evenings.open_session()
    with pytest.raises(ActionUnavailable):
        services.restore_entry(event=session.event, number=1, names=["A", "B"], by=user)


@pytest.mark.parametrize(
    "return_url", ["https://elsewhere.example/", "//elsewhere.example/", ""]
)
def test_undo_button_does_not_redirect_to_other_host(return_url: str) -> None:
    event, _user = evenings.create_event(pairs=4)
    client = sign_in()
    address = remove_pair(client, event, 2).partition("?")[0]
    response = client.post(f"{address}?back={return_url}")
    assert response.headers["Location"] == reverse("history", args=[event.slug])


def test_removed_movement_is_restored_with_one_click() -> None:
    session, _user = evenings.seat_session(6)
    places_before = list(session.sections.get().places.values_list("number", "entry"))
    client = sign_in()
    page = client.post(
        reverse("movement", args=[session.event.slug]), {"act": "unseat"}, follow=True
    )
    assert not session.sections.exists()
    (message,) = page.context["messages"]
    client.post(message.extra_tags)
    assert list(session.sections.get().places.values_list("number", "entry")) == places_before


def test_director_of_another_club_cannot_restore() -> None:
    event, _user = evenings.create_event(pairs=4)
    undo = remove_pair(sign_in(), event, 2)
    response = sign_in("another").post(undo)
    assert response.status_code == 403
    assert event.entries.count() == 3


# ---------------------------------------------------------------- archived events


def test_archived_event_is_hidden_from_lists_and_keeps_its_page() -> None:
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    client = sign_in()
    page = client.post(reverse("event_away", args=[session.event.slug]), follow=True)
    (message,) = page.context["messages"]
    for address in ("/", reverse("desk")):
        assert session.event.slug not in client.get(address).content.decode()
    assert session.event.slug in client.get(reverse("put_away")).content.decode()
    assert Client().get(f"/events/{session.event.slug}/").status_code == 200
    client.post(message.extra_tags)
    for address in ("/", reverse("desk")):
        assert session.event.slug in client.get(address).content.decode()


def test_event_in_play_cannot_be_archived() -> None:
    session, user = evenings.open_session()
    with pytest.raises(ActionUnavailable, match="is in play"):
        services.archive_event(event=session.event, by=user)
    page = sign_in().post(reverse("event_away", args=[session.event.slug]), follow=True)
    assert "is in play" in page.content.decode()


def test_archived_event_does_not_count_for_season() -> None:
    from tournaments.ledger import load_seating_counts

    session, user = evenings.play_session(5)
    scoring.services.close_session(session=session, by=user)
    event = scoring.services.create_event(
        club=session.event.club, name="Next", date=date(2026, 3, 17), by=user
    )
    names = [player.name for player in session.event.entries.get(number=1).players.all()]
    services.create_entry(event=event, names=names, by=user)
    assert (
        load_seating_counts(event.sessions.get())[1].evening_count == 2
    )  # two players, one evening each
    services.archive_event(event=session.event, by=user)
    assert load_seating_counts(event.sessions.get())[1].evening_count == 0


def test_archived_event_loses_no_data() -> None:
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    entries_before = list(session.event.entries.values_list("name", "number"))
    services.archive_event(event=session.event, by=user)
    services.archive_event(event=session.event, by=user)
    services.restore_event(event=session.event, by=user)
    session.event.refresh_from_db()
    assert session.event.put_away_at is None
    assert list(session.event.entries.values_list("name", "number")) == entries_before
    assert session.event.sessions.get().state == Session.State.CLOSED


def test_refused_restore_of_pair_names_player_entered_elsewhere() -> None:
    event, user = evenings.create_event(pairs=2)
    names: list[Any] = [player.name for player in event.entries.get(number=1).players.all()]
    with pytest.raises(InvalidEntry, match="already entered, in number 1"):
        services.restore_entry(event=event, number=3, names=[names[0], "Bo Low"], by=user)


def test_archived_event_page_shows_notice_and_restores_event() -> None:
    event, user = evenings.create_event(pairs=2)
    services.archive_event(event=event, by=user)
    client = sign_in()
    page = client.get(reverse("event_desk", args=[event.slug])).content.decode()
    assert "This event is archived." in page
    url = reverse("event_away", args=[event.slug])
    page = client.post(url, {"action": "back"}, follow=True).content.decode()
    assert "This event is archived" not in page
    event.refresh_from_db()
    assert event.put_away_at is None


# ---------------------------------------------------------------- entries with penalties


def create_penalised_entry(
    session: Session, user: User, number: int, *, is_penalty_withdrawn: bool
) -> Entry:
    """Return an entry with a penalty, its session back at setup and without seats."""
    entry = session.event.entries.get(number=number)
    ruling = scoring.services.make_ruling(
        kind="penalty", entry=entry, session=session, amount="1", reason="late", by=user
    )
    if is_penalty_withdrawn:
        scoring.services.withdraw_ruling(ruling=ruling, by=user)
    scoring.services.return_session_to_setup(session=session, by=user)
    services.remove_seating(session=session, by=user)
    return entry


@pytest.mark.parametrize("withdrawn", [False, True])
@pytest.mark.parametrize("interface", ["service", "page", "program"])
def test_entry_with_penalty_in_history_cannot_be_deleted(
    interface: str, withdrawn: bool
) -> None:
    session, user = evenings.open_session()
    entry = create_penalised_entry(session, user, 6, is_penalty_withdrawn=withdrawn)
    entry_names_before = list_entry_names(session.event)
    error_message = f"{entry.name} has a penalty in the history"
    if interface == "service":
        with pytest.raises(ActionUnavailable, match=error_message):
            services.remove_entry(entry=entry, by=user)
    if interface == "page":
        address = reverse("entry_remove", args=[session.event.slug, 6])
        page = sign_in().post(address, follow=True)
        assert escape(error_message) in page.content.decode()
    if interface == "program":
        response = sign_in().delete(f"/api/events/{session.event.slug}/entries/6/")
        assert response.status_code == 400
        assert error_message in response.json()["detail"]
    assert list_entry_names(session.event) == entry_names_before
    services.remove_entry(entry=session.event.entries.get(number=5), by=user)
    assert session.event.entries.count() == 5


@pytest.mark.parametrize("withdrawn", [False, True])
@pytest.mark.parametrize("way", ["service", "page", "program"])
def test_session_with_penalty_in_history_cannot_be_deleted(way: str, withdrawn: bool) -> None:
    first_session, user = evenings.seat_session()
    second_session = services.add_session(event=first_session.event, by=user)
    services.seat_section(
        session=second_session,
        movement=build_named_movement("compass", pairs=6),
        boards_a_round=2,
        by=user,
    )
    scoring.services.open_session(session=second_session, by=user)
    create_penalised_entry(second_session, user, 6, is_penalty_withdrawn=withdrawn)
    text = "has a penalty in the history"
    if way == "service":
        with pytest.raises(ActionUnavailable, match=text):
            services.remove_session(session=second_session, by=user)
    address = f"{first_session.event.slug}/session-2"
    if way == "page":
        page = sign_in().post(reverse("session_remove", args=[address]), follow=True)
        assert text in page.content.decode()
    if way == "program":
        response = sign_in().delete(f"/api/events/{first_session.event.slug}/sessions/2/")
        assert response.status_code == 400
        assert text in response.json()["detail"]
    assert [session.number for session in first_session.event.sessions.all()] == [1, 2]
    assert services.add_session(event=first_session.event, by=user) == second_session


PAIR_LIST_TEXT = "Ada Una, Bea Una\nCy Una, Di Una\nEd Una, Flo Una"


def paste_pairs(client: Client, event: Event) -> str:
    """Paste three pairs and return the URL of the message's button."""
    page = client.post(
        reverse("entries", args=[event.slug]),
        {"how": "pasted", "text": PAIR_LIST_TEXT},
        follow=True,
    )
    return next(
        str(message.extra_tags) for message in page.context["messages"] if message.extra_tags
    )


@pytest.mark.parametrize("click_count", [1, 2])
def test_pasted_list_is_undone_with_one_click(click_count: int) -> None:
    """Players new to the club are removed too; a second click has no effect."""
    event, user = evenings.create_event(pairs=4)
    services.create_entry(event=event, names=["Gil Una", "Hal Una"], by=user)
    entry_names_before, player_count = list_entry_names(event), event.club.players.count()
    client = sign_in()
    undo = paste_pairs(client, event)
    assert len(list_entry_names(event)) == len(entry_names_before) + 3
    for _click in range(click_count):
        page = client.post(undo, follow=True)
        assert list_entry_names(event) == entry_names_before
        assert event.club.players.count() == player_count
    text = page.content.decode()
    assert ("and 2 linked changes" in text) == (click_count == 1)
    assert ("Already undone." in text) == (click_count == 2)


def test_pasted_list_is_undone_completely_or_not_at_all() -> None:
    event, user = evenings.create_event(pairs=4)
    client = sign_in()
    undo = paste_pairs(client, event)
    entry = event.entries.get(number=6)
    services.rename_entry(entry=entry, names=["Ivy Una", "Jo Una"], by=user)
    entry_names_before = list_entry_names(event)
    page = client.post(undo, follow=True)
    assert "Undo the newer change above first." in page.content.decode()
    assert list_entry_names(event) == entry_names_before
    services.remove_entry(entry=event.entries.get(number=7), by=user)
    client.post(undo, follow=True)
    assert (6, "Ivy Una & Jo Una") in list_entry_names(event)


def test_undo_keeps_concurrent_entries_of_others() -> None:
    event, _user = evenings.create_event(pairs=4)
    client = sign_in()
    undo = paste_pairs(client, event)
    other_user = UserFactory(username="other")
    services.create_entry(event=event, names=["Kit Una", "Lou Una"], by=other_user)
    client.post(undo, follow=True)
    assert [name for _number, name in list_entry_names(event)][4:] == ["Kit Una & Lou Una"]
