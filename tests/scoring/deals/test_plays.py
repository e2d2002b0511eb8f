"""Plays replayed card by card, and plays recorded."""

import pytest
from django.test import Client

import hall.history.undo
from boards.solver import SolverMissing
from boards.whist import Seat
from boards.worked_hands import read_worked_hands
from clubs.models import Act
from scoring import tasks
from scoring.errors import PlayRefused
from scoring.models import PlayRecord
from scoring.services import close_session, reopen_session
from scoring.services.play_records import PlayContext, create_play_record
from scoring.sheets.replays import build_record_replay, build_worked_replay
from tests import evenings
from tests.page_text import collapse_spaces
from tournaments.models import Session
from tournaments.services import import_deals

pytestmark = pytest.mark.django_db
WORKED_HAND = read_worked_hands()["pole-1"]


@pytest.fixture
def session() -> Session:
    played_session, user = evenings.play_session()
    import_deals(session=played_session, deals_by_board={1: WORKED_HAND.play.deal}, by=user)
    played_session.refresh_from_db()
    return played_session


@pytest.fixture
def closed_session(session) -> Session:
    return close_session(session=session, by=evenings.create_club_with_director()[1])


@pytest.fixture
def director() -> Client:
    client = Client()
    client.force_login(evenings.create_club_with_director()[1])
    return client


def build_address(session: Session, page: str = "") -> str:
    return f"/director/events/{session.event.slug}/boards/1/play/{page}"


def build_grid_form(play=WORKED_HAND.play) -> dict[str, str]:
    return {
        f"t{number}{seat}": card.code
        for number, trick in enumerate(play.tricks, start=1)
        for seat, card in trick.cards_by_seat.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "hand",
    [hand for hand in read_worked_hands().values() if hand.play.cards],
    ids=lambda hand: hand.slug,
)
def test_worked_hand_of_a_book_is_replayed_to_its_result(hand):
    response = Client().get(f"/worked-hands/{hand.slug}/")
    replay = response.context["replay"]
    assert len(replay.play_steps) == 52
    assert (replay.ns_tricks_won, replay.ew_tricks_won) == (
        hand.play.tricks_won["NS"],
        hand.play.tricks_won["EW"],
    )
    assert replay.tricks[-1].best_ns_tricks == replay.ns_tricks_won
    assert (
        sum(trick.ns_tricks_change for trick in replay.tricks)
        == replay.ns_tricks_won - hand.best_play_trick_totals[0]
    )
    assert not response.cookies


def test_cards_not_printed_in_the_book_are_marked():
    replay = build_worked_replay(read_worked_hands()["pole-5"])
    assert [len(trick.chosen_card_seats | trick.forced_seats) for trick in replay.tricks] == [
        0
    ] * 5 + [2] + [3] * 7
    assert replay.tricks[12].forced_seats == {
        Seat.NORTH,
        Seat.EAST,
        Seat.SOUTH,
    }  # their last cards
    assert replay.tricks[8].chosen_card_seats == {Seat.NORTH, Seat.EAST, Seat.SOUTH}
    page = Client().get("/worked-hands/pole-5/").content.decode()
    assert "Cards in brackets aren’t printed in the book." in page
    assert "brackets" not in Client().get("/worked-hands/pole-1/").content.decode()


def test_hand_without_recorded_play_shows_its_cards_and_result():
    response = Client().get("/worked-hands/cavendish-1/")
    replay = response.context["replay"]
    assert (replay.ns_tricks_won, replay.ew_tricks_won, replay.best_ns_tricks) == (7, 6, 7)
    assert replay.tricks == ()
    assert "replay-steps" not in response.content.decode()


def test_library_lists_exactly_the_worked_hands():
    page = Client().get("/worked-hands/").content.decode()
    assert all(hand.title.split(",")[0] in page for hand in read_worked_hands().values())
    assert Client().get("/worked-hands/nobody/").status_code == 404


def test_replay_steps_follow_the_order_of_play_with_running_trick_counts():
    steps = build_worked_replay(WORKED_HAND).play_steps
    assert [step["card"] for step in steps] == [card.code for card in WORKED_HAND.play.cards]
    assert [step["seat"] for step in steps[:5]] == ["S", "W", "N", "E", "S"]
    assert steps[-1] | {"ns": 11, "ew": 2} == steps[-1]


@pytest.mark.slow
def test_play_recorded_by_seats_is_replayed(
    closed_session, director, django_capture_on_commit_callbacks, monkeypatch
):
    monkeypatch.setattr(
        "boards.solver.compute_tricks_in_play",
        lambda play: list(WORKED_HAND.best_play_trick_totals),
    )
    sitting = director.get(build_address(closed_session)).context["tables"][0].sitting_id
    with django_capture_on_commit_callbacks(execute=True):
        response = director.post(
            build_address(closed_session), build_grid_form() | {"table": str(sitting)}
        )
    record = PlayRecord.objects.get()
    assert response.headers["Location"] == f"/plays/{record.pk}/"
    assert record.build_play() == WORKED_HAND.play
    assert record.best == list(WORKED_HAND.best_play_trick_totals)
    assert all(record.players.values())
    page = Client().get(f"/plays/{record.pk}/")
    assert page.context["replay"].tricks == build_record_replay(record).tricks
    board = Client().get(f"/events/{closed_session.event.slug}/boards/1/")
    assert board.context["plays"] == [record]


@pytest.mark.slow
def test_recorded_play_has_no_best_play_without_a_solver(
    closed_session, director, django_capture_on_commit_callbacks, monkeypatch
):
    def raise_solver_missing(play):
        raise SolverMissing

    monkeypatch.setattr("boards.solver.compute_tricks_in_play", raise_solver_missing)
    monkeypatch.setattr("boards.solver.is_available", lambda: False)
    cards_text = " ".join(card.code for card in WORKED_HAND.play.cards)
    with django_capture_on_commit_callbacks(execute=True):
        director.post(build_address(closed_session), {"line": cards_text})
    record = PlayRecord.objects.get()
    assert record.best == []
    assert tasks.list_unanalysed_plays() == []  # none to do without a solver
    page = Client().get(f"/plays/{record.pk}/").content.decode()
    assert page.count("Best play needs the solver") == 1


@pytest.mark.slow
def test_play_is_recorded_in_order_of_play(closed_session, director):
    line = " ".join(card.code for card in WORKED_HAND.play.cards)
    director.post(build_address(closed_session), {"line": line})
    assert PlayRecord.objects.get().build_play() == WORKED_HAND.play


@pytest.mark.slow
def test_invalid_play_shows_an_error_and_input_is_kept(closed_session, director):
    response = director.post(build_address(closed_session), build_grid_form() | {"t5E": "SA"})
    text = response.content.decode()
    assert response.status_code == 400
    assert "Trick 5: it’s East’s turn, but A♠ was already played at trick 2." in text
    assert 'name="t13W" value="DA"' in collapse_spaces(text)
    assert not PlayRecord.objects.exists()


def test_revoke_is_reported_and_stored_only_if_confirmed(closed_session, director):
    revoke_form = {"t1S": "SK", "t1W": "HA", "t1N": "S6", "t1E": "SJ"}
    response = director.post(build_address(closed_session), revoke_form)
    assert "West played A♥ but held 8♠, 7♠, 5♠" in response.content.decode()
    director.post(build_address(closed_session), revoke_form | {"revokes_stand": "on"})
    record = PlayRecord.objects.get()
    assert "A revoke:" in Client().get(f"/plays/{record.pk}/").content.decode()


@pytest.mark.slow
def test_each_card_is_checked_as_it_is_played(closed_session, director):
    play_state = director.post(build_address(closed_session, "check/"), {}).json()
    assert (play_state["turn"], play_state["trick"]) == ("S", 1)
    assert len(play_state["legal"]) == 13
    play_state = director.post(build_address(closed_session, "check/"), {"t1S": "SK"}).json()
    assert (play_state["turn"], play_state["legal"]) == ("W", ["S8", "S7", "S5"])
    play_state = director.post(
        build_address(closed_session, "check/"), {"t1S": "SK", "t1W": "HA"}
    ).json()
    assert play_state["revokes"] == ["Trick 1: West played A♥ but held 8♠, 7♠, 5♠."]
    response = director.post(build_address(closed_session, "check/"), {"t1S": "HA"})
    assert response.status_code == 400
    assert "A♥ is in West’s hand" in response.json()["detail"]
    data = director.post(build_address(closed_session, "check/"), build_grid_form()).json()
    assert (data["turn"], data["text"]) == ("", "N-S 11, E-W 2.")


def test_play_record_is_refused_while_others_may_play_the_board(session, director):
    assert director.get(build_address(session)).status_code == 404
    assert director.post(build_address(session, "check/")).status_code == 404
    play_context = PlayContext(club=session.event.club, session=session, board_number=1)
    with pytest.raises(PlayRefused, match="Others may still play"):
        create_play_record(context=play_context, play=WORKED_HAND.play, by=None)


@pytest.mark.slow
def test_play_record_is_hidden_while_its_session_is_reopened(closed_session, director):
    director.post(build_address(closed_session), build_grid_form())
    record = PlayRecord.objects.get()
    reopen_session(session=closed_session, by=evenings.create_club_with_director()[1])
    assert Client().get(f"/plays/{record.pk}/").status_code == 404


@pytest.mark.slow
def test_board_without_cards_has_no_play_form(closed_session, director):
    path = build_address(closed_session).replace("/boards/1/", "/boards/2/")
    assert director.get(path).status_code == 404


def test_single_deal_is_recorded_and_its_fourth_hand_completed(director):
    evenings.create_event()
    deal = "N:62.K8642.9632.A7 QJ.953.KQJ87.942 AKT943.T7.54.K86 -"
    form_data = {"title": "Pole's first", "dealer": "E", "deal": deal, "turn_up": "H9"}
    line = " ".join(card.code for card in WORKED_HAND.play.cards)
    response = director.post(
        "/director/plays/new/", form_data | {"line": line, "north": "Ada Pole"}
    )
    record = PlayRecord.objects.get()
    assert response.headers["Location"] == f"/plays/{record.pk}/"
    assert record.build_play() == WORKED_HAND.play
    assert record.players[Seat.NORTH] == "Ada Pole"
    assert Client().get(f"/plays/{record.pk}/").status_code == 200
    assert list(Client().get("/worked-hands/").context["own"]) == [record]
    wrong_response = director.post(
        "/director/plays/new/", form_data | {"line": "SA", "turn_up": "SA"}
    )
    assert wrong_response.status_code == 400
    assert "ace of spades" in wrong_response.content.decode()


@pytest.mark.slow
def test_play_without_cards_is_refused(closed_session, director):
    assert (
        "Start with the lead"
        in director.post(build_address(closed_session), {}).content.decode()
    )


@pytest.mark.slow
def test_play_sent_twice_is_stored_once(closed_session, director):
    for _ in range(2):
        response = director.post(build_address(closed_session), build_grid_form())
        assert response.status_code == 302
    assert PlayRecord.objects.count() == 1
    assert Act.objects.filter(action="play.recorded").count() == 1


@pytest.mark.slow
def test_play_recorded_by_mistake_can_be_undone_and_restored(closed_session, director):
    director.post(build_address(closed_session), build_grid_form())
    record = PlayRecord.objects.get()
    act = Act.objects.get(action="play.recorded")
    event = closed_session.event
    for page in (200, 404, 200):
        assert Client().get(f"/plays/{record.pk}/").status_code == page
        if page == 200:
            hall.history.undo.undo_event_act(event=event, act=act, by=None)
            act = Act.objects.latest("pk")
        else:
            director.post(build_address(closed_session), build_grid_form())
            act = Act.objects.latest("pk")
    assert PlayRecord.objects.count() == 1


@pytest.mark.slow
def test_selected_table_stays_selected_after_an_invalid_card(closed_session, director):
    tables = director.get(build_address(closed_session)).context["tables"]
    wrong_grid_form = build_grid_form() | {"t1N": "XX", "table": str(tables[1].sitting_id)}
    response = director.post(build_address(closed_session), wrong_grid_form)
    assert response.status_code == 400
    assert f'value="{tables[1].sitting_id}" selected' in response.content.decode()


def test_play_page_polls_until_best_play_is_found_or_failed(
    session, closed_session, monkeypatch
) -> None:
    from server.jobs import broker
    from server.models import Job

    monkeypatch.setattr(broker, "is_celery_eager", lambda: False)
    record = create_play_record(
        context=PlayContext(
            club=closed_session.event.club,
            session=closed_session,
            board_number=1,
            round_number=1,
            table_number=1,
        ),
        play=WORKED_HAND.play,
        by=evenings.create_club_with_director()[1],
    )
    url = f"/plays/{record.pk}/"
    html = Client().get(url).content.decode()
    assert "Finding best play …" in html
    assert f'data-hx-get="{url}"' in html
    assert "htmx-config" in html
    Job.objects.update(state="failed", trouble="too_long", done_no=1)
    failed_page = Client().get(url).content.decode()
    assert "Best play not found: it took too long." in failed_page
    assert "data-hx-get" not in failed_page
    PlayRecord.objects.update(best=list(WORKED_HAND.best_play_trick_totals))
    page_fragment = Client().get(url, headers={"HX-Request": "true"}).content.decode()
    assert "Show trick by trick" in page_fragment
    assert "Show trick by trick" not in Client().get(url).content.decode()
