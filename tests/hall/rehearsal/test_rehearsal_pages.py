"""The pages of a rehearsal: access rights and content."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

import boards.batches
import hall.rehearsal.services
import hall.rehearsal.simulation
import scoring.services
import tournaments.services
from clubs.models import Act, RoundClock
from hall.models import Rehearsal
from hall.rehearsal.evening import get_session
from scoring.models import Result
from tests import evenings
from tests.factories import SessionFactory
from tournaments.models import Event, Session
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    """Return seven seated tables; the boards are shuffled at the tables."""
    session, user = evenings.seat_session(14)
    return tournaments.services.set_table_shuffling(session=session, by=user)


@pytest.fixture
def director(client: Client, session: Session) -> Client:
    _club, user = evenings.create_club_with_director()
    client.force_login(user)
    return client


def build_root_path(event: Event) -> str:
    return f"/director/events/{event.slug}/"


def create_rehearsal_event(session: Session) -> Event:
    return hall.rehearsal.services.create_rehearsal(session=session, by=None).event


@pytest.mark.slow
def test_button_creates_a_rehearsal_and_redirects_to_it(
    director: Client, session: Session
) -> None:
    page = director.get(build_root_path(session.event)).content.decode()
    assert "Create rehearsal" in page
    response = director.post(f"{build_root_path(session.event)}rehearse/")
    event = Event.objects.get(is_rehearsal=True)
    assert response.headers["Location"] == f"{build_root_path(event)}rehearsal/"
    repeated_response = director.post(f"{build_root_path(session.event)}rehearse/")
    assert repeated_response.headers["Location"] == response.headers["Location"]
    assert "Create rehearsal" not in director.get(build_root_path(event)).content.decode()
    made_by = Act.objects.get(action="rehearsal.made").by
    assert made_by == "director"


@pytest.mark.slow
def test_closed_session_cannot_be_rehearsed(client: Client) -> None:
    session, user = evenings.play_session()
    client.force_login(user)
    assert "Create rehearsal" in client.get(build_root_path(session.event)).content.decode()
    scoring.services.close_session(session=session, by=user)
    assert "Create rehearsal" not in client.get(build_root_path(session.event)).content.decode()


def test_unseated_session_shows_reason_instead_of_rehearsal_button(client: Client) -> None:
    event, user = evenings.create_event()
    client.force_login(user)
    assert "Create rehearsal" not in client.get(build_root_path(event)).content.decode()
    page = client.post(f"{build_root_path(event)}rehearse/", follow=True).content.decode()
    assert "Choose the movement first" in page


@pytest.mark.slow
@pytest.mark.parametrize("act", ["rehearse/", "rehearsal/act/", "rehearsal/away/"])
def test_scorer_can_watch_but_not_control_a_rehearsal(
    client: Client, session: Session, act: str
) -> None:
    rehearsal_event = create_rehearsal_event(session)
    client.force_login(evenings.create_scorer(session.event.club))
    assert (
        client.post(build_root_path(rehearsal_event) + act, {"act": "run"}).status_code == 403
    )
    response = client.post(
        f"{build_root_path(rehearsal_event)}rehearsal/tick/", {"part": "bar"}
    )
    assert response.status_code == 200
    assert "Open rehearsal" not in response.content.decode()
    assert Event.objects.filter(pk=rehearsal_event.pk).exists()


@pytest.mark.slow
@pytest.mark.parametrize("act", ["rehearsal/", "rehearsal/tick/", "rehearsal/away/"])
def test_director_of_another_club_cannot_see_a_rehearsal(
    client: Client, session: Session, act: str
) -> None:
    rehearsal_event = create_rehearsal_event(session)
    _other_club, stranger = evenings.create_club_with_director("Other Club", "stranger")
    client.force_login(stranger)
    send_request = client.get if act == "rehearsal/" else client.post
    assert send_request(build_root_path(rehearsal_event) + act).status_code == 403


@pytest.mark.parametrize("act", ["rehearsal/tick/", "rehearsal/act/", "rehearsal/away/"])
def test_real_event_has_no_rehearsal_controls(
    director: Client, session: Session, act: str
) -> None:
    assert (
        director.post(build_root_path(session.event) + act, {"act": "run"}).status_code == 404
    )
    assert director.get(f"{build_root_path(session.event)}rehearsal/").status_code == 404
    assert Event.objects.get() == session.event


@pytest.mark.slow
def test_rehearsal_is_controlled_from_its_page(director: Client, session: Session) -> None:
    rehearsal_event = create_rehearsal_event(session)
    rehearsal_url = f"{build_root_path(rehearsal_event)}rehearsal/"
    assert "Start rehearsal" in director.get(rehearsal_url).content.decode()
    director.post(f"{rehearsal_url}act/", {"act": "run"})
    assert "Round 1 of 7" in director.get(rehearsal_url).content.decode()
    director.post(f"{rehearsal_url}act/", {"act": "speed", "speed": "10"})
    assert Rehearsal.objects.get().speed == 10
    director.post(f"{rehearsal_url}act/", {"act": "pause"})
    page = director.get(rehearsal_url).content.decode()
    assert "paused" in page
    assert "Continue" in page
    director.post(f"{rehearsal_url}act/", {"act": "round", "round": "1"})
    assert Result.objects.count() == 14
    while director.post(f"{rehearsal_url}tick/", {"part": "page"}).headers["X-Left"] != "0":
        pass
    director.post(f"{rehearsal_url}act/", {"act": "evening"})
    remaining_result_counts = [
        int(director.post(f"{rehearsal_url}tick/", {"part": "page"}).headers["X-Left"])
    ]
    while remaining_result_counts[-1]:
        remaining_result_counts.append(
            int(director.post(f"{rehearsal_url}tick/", {"part": "page"}).headers["X-Left"])
        )
    assert remaining_result_counts[-1] == 0
    page = director.get(rehearsal_url).content.decode()
    assert "97 / 98 results in" in page
    assert "3 things to do" in page


@pytest.mark.parametrize(
    "form_data",
    [
        {"act": "fly"},
        {"act": "speed", "speed": "7"},
        {"act": "speed", "speed": "ten"},
        {"act": "speed", "speed": "9" * 30},
        {"act": "round"},
        {"act": "round", "round": "1"},
        {},
    ],
)
def test_unknown_rehearsal_action_shows_an_error(
    director: Client, session: Session, form_data: dict[str, str]
) -> None:
    rehearsal_event = create_rehearsal_event(session)
    page = director.post(
        f"{build_root_path(rehearsal_event)}rehearsal/act/", form_data, follow=True
    )
    assert page.status_code == 200
    text = page.content.decode()
    assert re.search(r'<p class="toast toast--error"><span data-said>[^<]', text)
    assert re.search(r'<div id="announcer"[^>]* role="status"[^>]*></div>', text)  # empty
    assert Rehearsal.objects.get().speed == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "back_url", ["//elsewhere.example/", "https://elsewhere.example/", "room"]
)
def test_rehearsal_button_never_redirects_to_another_site(
    director: Client, session: Session, back_url: str
) -> None:
    rehearsal_event = create_rehearsal_event(session)
    response = director.post(
        f"{build_root_path(rehearsal_event)}rehearsal/act/", {"act": "run", "back": back_url}
    )
    assert (
        response.headers["Location"]
        == f"{build_root_path(rehearsal_event)}rehearsal/#rehearsal"
    )


@pytest.mark.slow
def test_keyboard_focus_returns_to_the_pressed_button(
    director: Client, session: Session
) -> None:
    """The page is redrawn at the button, and every link that redraws itself has an id."""
    rehearsal_event = create_rehearsal_event(session)
    response = director.post(
        f"{build_root_path(rehearsal_event)}rehearsal/act/", {"act": "speed", "speed": "10"}
    )
    assert (
        response.headers["Location"]
        == f"{build_root_path(rehearsal_event)}rehearsal/#speed-title"
    )
    director.post(f"{build_root_path(rehearsal_event)}rehearsal/act/", {"act": "run"})
    director.post(f"{build_root_path(rehearsal_event)}rehearsal/act/", {"act": "evening"})
    page = director.post(
        f"{build_root_path(rehearsal_event)}rehearsal/tick/", {"part": "page"}
    ).content.decode()
    link_tags = re.findall(r"<a [^>]*>", page)
    assert len(link_tags) > 3
    assert all(" id=" in link_tag for link_tag in link_tags)


@pytest.mark.slow
def test_rehearsal_button_redirects_to_current_page(director: Client, session: Session) -> None:
    rehearsal_event = create_rehearsal_event(session)
    back = f"{build_root_path(rehearsal_event)}room/"
    response = director.post(
        f"{build_root_path(rehearsal_event)}rehearsal/act/", {"act": "run", "back": back}
    )
    assert response.headers["Location"] == back


@pytest.mark.slow
def test_discarding_a_rehearsal_redirects_to_the_real_event(
    director: Client, session: Session
) -> None:
    rehearsal_event = create_rehearsal_event(session)
    page = director.post(f"{build_root_path(rehearsal_event)}rehearsal/away/", follow=True)
    assert page.redirect_chain[-1][0] == build_root_path(session.event)
    assert "Rehearsal deleted" in page.content.decode()
    assert director.get(build_root_path(rehearsal_event)).status_code == 404
    repeated_response = director.post(f"{build_root_path(rehearsal_event)}rehearsal/away/")
    assert repeated_response.headers["Location"] == "/director/"


@pytest.mark.slow
def test_second_session_of_an_event_is_rehearsed_separately(
    director: Client, session: Session
) -> None:
    second_session = SessionFactory(event=session.event, number=2)
    tournaments.services.seat_section(
        session=second_session,
        movement=build_named_movement("compass", pairs=14),
        boards_a_round=1,
        by=None,
    )
    director.post(f"/director/events/{session.event.slug}/session-2/rehearse/")
    rehearsal = Rehearsal.objects.get()
    assert rehearsal.of == second_session
    assert get_session(rehearsal).boards_a_round == 1
    page = director.get(f"{build_root_path(rehearsal.event)}rehearsal/").content.decode()
    assert f'href="/director/events/{session.event.slug}/session-2/"' in page


@pytest.mark.slow
def test_public_lists_omit_rehearsals(director: Client, session: Session) -> None:
    rehearsal_event = create_rehearsal_event(session)
    client = Client()
    assert "Rehearsal" not in client.get("/").content.decode()
    data = client.get("/api/events/").json()
    assert rehearsal_event.slug not in str(data)
    desk = director.get("/director/").content.decode()
    assert "Rehearsals" in desk
    assert rehearsal_event.name in desk


@pytest.mark.slow
def test_rehearsal_shows_no_cards_of_the_real_session(client: Client) -> None:
    session, user = evenings.seat_session(6)
    boards.batches.deal_missing_boards(
        tournaments.services.request_dealing(session=session, by=user)
    )
    session.refresh_from_db()
    rehearsal_session = get_session(
        hall.rehearsal.services.create_rehearsal(session=session, by=user)
    )
    assert rehearsal_session.board_set is not None
    boards.batches.deal_missing_boards(rehearsal_session.board_set)
    scoring.services.open_session(session=rehearsal_session, by=user)
    scoring.services.close_session(session=rehearsal_session, by=user)
    client.force_login(user)
    page = client.get(f"/events/{rehearsal_session.event.slug}/hands/").content.decode()
    assert "Board 1" in page
    assert session.board_set is not None
    rehearsal_deals = set(rehearsal_session.board_set.boards.values_list("deal", flat=True))
    deals = set(session.board_set.boards.values_list("deal", flat=True))
    assert rehearsal_deals.isdisjoint(deals)
    assert client.get(f"/events/{session.event.slug}/hands/").status_code in (200, 404)


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [6, 14])
def test_query_count_of_rehearsal_bar_does_not_depend_on_size(
    pairs: int,
    client: Client,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    session, user = evenings.seat_session(pairs)
    tournaments.services.set_table_shuffling(session=session, by=user)
    rehearsal_event = create_rehearsal_event(session)
    rehearsal = Rehearsal.objects.get()
    hall.rehearsal.services.run_rehearsal(rehearsal=rehearsal, by=None)
    RoundClock.objects.update(started_at="2026-03-10T19:00Z")
    hall.rehearsal.services.finish_evening(rehearsal=rehearsal, by=None)
    while hall.rehearsal.simulation.enter_due_results(rehearsal=rehearsal):
        pass
    client.force_login(user)
    address = f"{build_root_path(rehearsal_event)}rehearsal/"
    with django_assert_max_num_queries(32):
        client.get(address)
    with django_assert_max_num_queries(60):
        client.post(f"{address}tick/", {"part": "bar"})


@pytest.mark.slow
def test_desk_page_offers_rehearsal_of_a_seated_session(
    director: Client, session: Session
) -> None:
    event, _user = evenings.create_event(8, name="Not seated yet")
    page = director.get("/director/").content.decode()
    assert page.count("Rehearse first") == 1
    assert f"{build_root_path(session.event)}#rehearse-title" in page
    assert f"{build_root_path(event)}#rehearse-title" not in page
    scoring.services.open_session(session=session, by=None)
    assert "Rehearse first" not in director.get("/director/").content.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("endpoint", "sent"),
    [
        ("tick", {"part": "page"}),
        ("tick", {"part": "bar"}),
        ("tick", {}),
        ("act", {"act": "run"}),
    ],
)
@pytest.mark.parametrize("is_started", [False, True])
def test_poll_during_discard_of_a_rehearsal_gets_a_response(
    director: Client,
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
    endpoint: str,
    sent: dict[str, str],
    is_started: bool,
) -> None:
    """One window requests the page while another discards: it responds, and nothing fails."""
    rehearsal_event = create_rehearsal_event(session)
    if is_started:
        hall.rehearsal.services.run_rehearsal(rehearsal=rehearsal_event.rehearsal, by=None)
    enter_due_results = hall.rehearsal.simulation.enter_due_results

    def delete_rehearsal_first(*, rehearsal: Rehearsal) -> int:
        if Event.objects.filter(pk=rehearsal_event.pk).exists():
            hall.rehearsal.services.delete_rehearsal(event=rehearsal_event, by=None)
        return enter_due_results(rehearsal=rehearsal)

    monkeypatch.setattr(hall.rehearsal.simulation, "enter_due_results", delete_rehearsal_first)
    response = director.post(f"{build_root_path(rehearsal_event)}rehearsal/{endpoint}/", sent)
    assert response.status_code == 404
    assert "This rehearsal was deleted." in response.content.decode()


def test_failed_deal_is_reported_with_a_retry_link(
    client: Client,
) -> None:
    session, user = evenings.seat_session(14)
    tournaments.services.request_dealing(session=session, by=user)
    client.force_login(user)
    event = create_rehearsal_event(session)
    board_set = event.sessions.get().board_set
    assert board_set is not None
    boards.batches.record_failure(board_set, "the program stopped during the job")
    page = client.get(f"{build_root_path(event)}rehearsal/").content.decode()
    assert "The boards couldn’t be dealt: the program stopped during the job" in page
    assert "being dealt" not in page
    assert f"{build_root_path(event)}deals/" in page
