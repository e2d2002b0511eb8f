"""Memory duplicate in other suits: the second play on papers, pages and in files."""

import json

import pytest
from django.urls import reverse

import hall.history.undo
import scoring.services
import tournaments.services
from boards import dup, pbn
from boards.whist import Seat, Suit
from boards.whist.second_suits import build_second_play_deal, choose_suit_exchange
from clubs.models import Act
from exchange.eventfile import reader as eventfile
from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.exporter import export_event
from exchange.eventfile.importer import import_event
from exchange.formats import pbn_plays
from scoring.papers.paper_files import draw_session_paper
from scoring.second_plays import find_deal_as_played
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets import papers, records, trays
from scoring.standings_engine import standings
from server.models import User
from tests import evenings
from tests.scoring.papers import reading
from tournaments.errors import InvalidSecondPlay, InvalidTrumps
from tournaments.models import Event, Session
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db
PAIRS = (["Ada Pole", "John Trist"], ["Cassius Paine", "Rosa Gale"])


@pytest.fixture
def planned_session(django_capture_on_commit_callbacks) -> Session:
    event, user = evenings.create_event(0, contest="memory")
    for names in PAIRS:
        tournaments.services.create_entry(event=event, names=names, by=user)
    session = event.sessions.get()
    movement = build_named_movement("memory", pairs=2)
    tournaments.services.seat_section(
        session=session, movement=movement, boards_a_round=3, by=user
    )
    with django_capture_on_commit_callbacks(execute=True):
        tournaments.services.request_dealing(session=session, by=user)
    session.refresh_from_db()
    return session


@pytest.fixture
def user(planned_session: Session) -> User:
    return User.objects.get(username="director")


@pytest.fixture
def session(planned_session: Session, user: User) -> Session:
    tournaments.services.set_second_play(event=planned_session.event, other_suits=True, by=user)
    opened_session = scoring.services.open_session(session=planned_session, by=user)
    return Session.objects.select_related("event", "board_set").get(pk=opened_session.pk)


def close_first_play(session: Session, user: User) -> Session:
    for table in load_session_snapshot(session).tables:
        for board in table.boards:
            evenings.enter_result(session, table.sitting_id, board, str(5 + table.round), user)
    scoring.services.close_session(session=session, by=user)
    return Session.objects.select_related("event", "board_set").get(pk=session.pk)


def test_record_cards_show_the_second_play_in_other_suits(session):
    cards = trays.build_memory_cards(load_session_snapshot(session))
    deals = session.load_known_deals()
    for first_card, second_card in zip(cards[:12], cards[12:], strict=True):
        deal = deals[first_card.board_number]
        assert set(first_card.cards) == deal.hands[first_card.seat]
        assert set(second_card.cards) == build_second_play_deal(deal).hands[second_card.seat]
        assert set(first_card.cards) != set(second_card.cards)
        assert (first_card.turn_up is None) is (second_card.turn_up is None)
    assert draw_session_paper(session, "memory_cards", "A4")


def test_pocket_cards_and_trump_slips_exist_for_both_plays(session):
    snapshot = load_session_snapshot(session)
    cards, slips = trays.build_curtain_cards(snapshot), papers.build_trump_slips(snapshot)
    assert [card.title for card in cards] == ["First play"] * 12 + ["Second play"] * 12
    assert [(slip.board_number, slip.play_name) for slip in slips] == [
        (board, play) for play in ("First play", "Second play") for board in (1, 2, 3)
    ]
    deals = session.load_known_deals()
    assert [slip.turn_up for slip in slips[3:]] == [
        build_second_play_deal(deals[board]).known_turn_up.code for board in (1, 2, 3)
    ]
    (text,) = reading.read_texts(draw_session_paper(session, "trump_slips", "A4"))
    assert "Second play" in text


def test_dealing_machine_list_has_both_plays(session):
    rows = trays.build_dealing_machine_list(load_session_snapshot(session)).rows
    deals = session.load_known_deals()
    assert [row.play_name for row in rows] == ["First play"] * 3 + ["Second play"] * 3
    assert [row.turn_up for row in rows[3:]] == [
        build_second_play_deal(deals[board]).turn_up for board in (1, 2, 3)
    ]
    (text,) = reading.read_texts(draw_session_paper(session, "machine_list", "A4"))
    assert "Second play" in text


def test_plays_in_the_same_suits_have_one_slip_per_board(planned_session):
    snapshot = load_session_snapshot(planned_session)
    assert [
        (slip.board_number, slip.play_name) for slip in papers.build_trump_slips(snapshot)
    ] == [
        (1, ""),
        (2, ""),
        (3, ""),
    ]
    assert {card.title for card in trays.build_curtain_cards(snapshot)} == {""}


def test_closed_session_shows_first_play_hands_and_second_play_suits(session, user, client):
    path = reverse("traveller", args=[session.event.slug, 1])
    html_before = client.get(path).content.decode()
    boards_data = client.get(f"/api/events/{session.event.slug}/sessions/1/boards/").json()
    assert "Second play in other suits" not in html_before
    assert boards_data["results"][0]["second_suits"] is None
    closed_session = close_first_play(session, user)
    deal = closed_session.load_known_deals()[1]
    record = records.load_travellers_with_hands(load_session_snapshot(closed_session))[0]
    assert (record.deal, record.second_suits) == (deal, choose_suit_exchange(deal))
    boards_data = client.get(f"/api/events/{session.event.slug}/sessions/1/boards/").json()
    assert boards_data["results"][0]["second_suits"] == {
        first.value: second_suit.value
        for first, second_suit in choose_suit_exchange(deal).items()
    }
    assert "Second play in other suits" in client.get(path).content.decode()
    assert "Second play: ♠" in " ".join(
        reading.read_texts(draw_session_paper(closed_session, "hand_records", "A4"))
    )


def test_scores_are_compared_as_if_the_suits_were_the_same(session, user):
    first_play = close_first_play(session, user)
    standings.update_standings(first_play.event)
    rows = papers.build_ranking(load_session_snapshot(first_play)).fields[0].rows
    assert {row.name: row.score for row in rows} == {
        "Ada Pole & John Trist": -3,
        "Cassius Paine & Rosa Gale": 3,
    }


def test_play_file_has_the_cards_of_each_play(session, user):
    first_play = close_first_play(session, user)
    text = pbn_plays.format_pbn_plays(load_session_snapshot(first_play)).decode()
    deal = first_play.load_known_deals()[1]
    for cards in (deal, build_second_play_deal(deal)):
        assert f'[WhistTurnUp "{cards.known_turn_up.code}"]' in text


def test_dealing_machines_get_a_file_for_each_play(session, user, client):
    client.force_login(user)
    page = client.get(reverse("deals", args=[session.event.slug])).content.decode()
    assert "PBN, second play" in page
    second_deals_by_board = {
        board: build_second_play_deal(deal)
        for board, deal in session.load_known_deals().items()
    }
    files = [
        client.post(reverse("machine_file", args=[session.event.slug]), {"kind": kind}).content
        for kind in ("pbn-second-play", "dup-second-play")
    ]
    assert pbn.read_pbn(files[0].decode()).deals_by_board == second_deals_by_board
    assert files[1] == dup.format_dup(second_deals_by_board)


def test_event_in_the_same_suits_has_no_second_play_file(planned_session, user, client):
    client.force_login(user)
    page = client.get(reverse("deals", args=[planned_session.event.slug])).content.decode()
    assert "second play" not in page.replace("Second play", "").replace("second-play/", "")
    response = client.post(
        reverse("machine_file", args=[planned_session.event.slug]),
        {"kind": "dup-second-play"},
        follow=True,
    )
    assert "no second play in other suits" in response.content.decode()


def test_director_sees_the_cards_of_both_plays_of_a_tray(session, user, client):
    client.force_login(user)
    page = client.post(
        reverse("tray", args=[session.event.slug]),
        {"board": "1", "part": "turn_up", "ground": "outside"},
    )
    assert page.context["second"] == build_second_play_deal(page.context["deal"])
    assert "Second play" in page.content.decode()


def test_only_a_second_play_is_in_other_suits(session):
    snapshot = load_session_snapshot(session)
    deal = session.load_known_deals()[2]
    first, second = snapshot.tables_by_board[2]
    assert find_deal_as_played(snapshot, first, 2, deal) == deal
    assert find_deal_as_played(snapshot, second, 2, deal) == build_second_play_deal(deal)


def set_second_play(event: Event, user: User, other_suits: bool = True) -> Event:
    return tournaments.services.set_second_play(event=event, other_suits=other_suits, by=user)


def test_second_play_term_is_set_once_and_can_be_undone(planned_session, user):
    for _attempt in range(2):
        set_second_play(planned_session.event, user)
    act = Act.objects.get(action="second_play.settled")
    assert Event.objects.get().other_suits
    hall.history.undo.undo_event_act(event=planned_session.event, act=act, by=user)
    assert not Event.objects.get().other_suits


@pytest.mark.parametrize("other_suits", [True, False])
def test_suits_cannot_be_changed_after_play_has_started(planned_session, user, other_suits):
    set_second_play(planned_session.event, user, other_suits=not other_suits)
    scoring.services.open_session(session=planned_session, by=user)
    with pytest.raises(InvalidSecondPlay, match="Play has started"):
        set_second_play(planned_session.event, user, other_suits=other_suits)
    assert set_second_play(planned_session.event, user, other_suits=not other_suits)


def test_second_play_suits_are_refused_in_other_contests_and_with_declared_trumps(
    planned_session, user
):
    with pytest.raises(InvalidSecondPlay, match="Only memory duplicate"):
        set_second_play(evenings.create_event(2, name="Pairs")[0], user)
    set_second_play(planned_session.event, user)
    with pytest.raises(InvalidTrumps, match="other suits"):
        agree_trumps(planned_session.event, user, "declared")
    set_second_play(planned_session.event, user, other_suits=False)
    agree_trumps(planned_session.event, user, "declared")
    with pytest.raises(InvalidSecondPlay, match="declare"):
        set_second_play(planned_session.event, user)


def agree_trumps(event: Event, user: User, trumps: str) -> None:
    tournaments.services.set_trumps(event=event, trumps=trumps, is_agreed=True, by=user)


def test_suit_agreed_for_all_boards_differs_in_the_second_play(planned_session, user):
    agree_trumps(planned_session.event, user, "H")
    set_second_play(planned_session.event, user)
    session = Session.objects.select_related("event", "board_set").get()
    suits = {
        board: choose_suit_exchange(deal) for board, deal in session.load_known_deals().items()
    }
    for card in trays.build_memory_cards(load_session_snapshot(session))[12:]:
        assert card.trumps == f"Trumps: {suits[card.board_number][Suit.HEARTS].word}"
        assert card.turn_up is None


def test_event_file_keeps_the_second_play_term_and_its_cards(session, user):
    document = export_event(close_first_play(session, user).event, should_include_deals=True)
    assert document["event"]["other_suits"] is True
    event = import_event(document=document, club=session.event.club, by=user)
    assert event.other_suits
    copy = trays.build_memory_cards(load_session_snapshot(event.sessions.get()))
    own_memory_cards = trays.build_memory_cards(load_session_snapshot(session))
    assert [(card.board_number, card.seat, card.cards, card.turn_up) for card in copy] == [
        (card.board_number, card.seat, card.cards, card.turn_up) for card in own_memory_cards
    ]
    document["event"]["contest"] = "pairs"
    with pytest.raises(UnusableEventFile, match=r"event\.other_suits: Only memory duplicate"):
        eventfile.read_event_file(json.dumps(document))


def test_page_and_api_set_the_second_play_term(planned_session, user, client):
    client.force_login(user)
    slug = planned_session.event.slug
    assert (
        "Second play: the same suits"
        in client.get(reverse("deals", args=[slug])).content.decode()
    )
    page = client.post(
        reverse("deals_second_play", args=[slug]), {"other_suits": "on"}, follow=True
    )
    assert "Second play: other suits" in page.content.decode()
    path = f"/api/events/{slug}/second-play/"
    assert client.get(path).json() == {"other_suits": True}
    response = client.put(path, {"other_suits": False}, content_type="application/json")
    assert response.json() == {"other_suits": False}
    scoring.services.open_session(session=planned_session, by=user)
    response = client.put(path, {"other_suits": True}, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (400, "second_play_refused")


def test_play_is_recorded_with_the_cards_of_its_own_table(session, user, client):
    first_play = close_first_play(session, user)
    client.force_login(user)
    second_sitting_id = load_session_snapshot(first_play).tables_by_board[1][1].sitting_id
    path = reverse("play_of_board", args=[first_play.event.slug, 1])
    deal = first_play.load_known_deals()[1]
    assert client.get(path).context["deal"] == deal
    assert client.get(path, {"table": second_sitting_id}).context[
        "deal"
    ] == build_second_play_deal(deal)
    lead = min(build_second_play_deal(deal).hands[deal.leader])
    data = client.post(
        reverse("play_check", args=[first_play.event.slug, 1]),
        {"table": second_sitting_id, f"t1{deal.leader}": lead.code},
    ).json()
    assert data["played"] == [lead.code]
    assert Seat(data["turn"]) is deal.leader.left_neighbour
