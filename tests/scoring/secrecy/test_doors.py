"""While a deal may still be played, no page, file or API reveals its cards or its secret.

The only exceptions are a director's orders for the trays: trump slips and such papers, and the
file for a dealing machine. With sealed cards not even these reveal them.
"""

import logging
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client, TestCase
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from boards import batches
from boards.tasks import analyse_boards, deal_boards
from boards.whist.notation import format_hand
from clubs.models import Act
from hall.challenges.services import create_entry_links
from hall.models import HandLink
from hall.phones.services import create_table_links
from hall.rehearsal.services import create_rehearsal
from printing.kinds import ShownCards
from scoring.models import Paper
from scoring.papers import PAPER_KINDS
from scoring.papers.waits import describe_required_step
from scoring.services import open_session, order_paper
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from server.models import User
from server.page_cache import PAGE_CACHE
from tests import evenings
from tests.copies import build_once
from tests.refusals import short_error_responses
from tests.scoring.papers import reading
from tournaments.models import EntryLink, Event, Session
from tournaments.services import request_dealing, seal_boards

pytestmark = pytest.mark.django_db
SUIT_PATTERN = re.compile("[♠♥♦♣♤♡♢♧]|card suit-[shdc]")
CARD_PAGE_PREFIXES = ("worked-hands/", "laws/")  # public pages whose cards belong to no session
FROZEN_URL = "api/schema/"  # exactly a file of `tests/golden`, whatever is played


@build_once
def create_dealt_session() -> Session:
    """Return a session in play with boards dealt by the program, and one result."""
    dealt_session, user = evenings.seat_session()
    with TestCase.captureOnCommitCallbacks(execute=True):
        request_dealing(session=dealt_session, by=user)
    open_session(session=dealt_session, by=user)
    evenings.enter_result(
        dealt_session, dealt_session.sections.get().sittings.first().pk, 1, "8", user
    )
    standings.update_standings(dealt_session.event)
    dealt_session.refresh_from_db()
    return dealt_session


@pytest.fixture
def session() -> Session:
    return create_dealt_session()


def list_secrets(session: Session) -> list[str]:
    """Return every text that would reveal something: hands, complete deals, the secret."""
    deals = session.board_set.load_deals().values()
    hands = [format_hand(hand) for deal in deals for hand in deal.hands.values()]
    texts = [
        "".join(card.rank.letter for card in sorted(deal.hands[seat]))
        for deal in deals
        for seat in deal.hands
    ]
    return [*hands, *texts, bytes(session.board_set.secret).hex()]


def find_revealed_texts(secrets: list[str], text: str) -> list[str]:
    return [secret for secret in secrets if secret in text] + SUIT_PATTERN.findall(text)


def list_routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_routes(pattern.url_patterns, route)
        else:
            yield route


def list_secret_link_paths(session: Session) -> list[str]:
    """Return the pages of secret links: a table's, a pair's, a helper's."""
    user = evenings.create_club_with_director()[1]
    table = create_table_links(session=session, by=user)[0]
    create_entry_links(event=session.event, by=user)
    hand_link = HandLink.objects.filter(session=session).first() or HandLink.create_link(
        session=session, are_outsiders=True, ends_at=timezone.now() + timedelta(hours=1)
    )
    hand_link_path = hand_link.path
    return [
        table.path,
        *(link.path for link in EntryLink.objects.all()),
        *(
            hand_link_path + page
            for page in ("", "state/", "state/?board=1", "1/N/", "1/N/?again=yes")
        ),
    ]


def list_addresses(session: Session) -> list[str]:
    """Return every readable URL of the site, filled in with this session's rows."""
    url_paths = list_secret_link_paths(session)
    for route in list_routes(get_resolver().url_patterns):
        if route.startswith((*CARD_PAGE_PREFIXES, FROZEN_URL)) or "logout" in route:
            continue
        route = route.replace("<event:slug>", session.event.slug).replace("<slug:kind>", "pbn")
        route = re.sub(r"<int:\w+>", "1", route)
        route = route.replace("<path:object_id>", str(session.board_set_id))
        route = re.sub(r"<(?:\w+:)?\w+>", session.event.slug, route)
        url_paths.append("/" + re.sub(r"[\^$]|\\Z|\(\?P.*?\)", "", route))
    return url_paths


def sign_in(who: str, session: Session) -> Client:
    client = Client()
    if who == "director":
        client.force_login(evenings.create_club_with_director()[1])
    elif who == "scorer":
        client.force_login(evenings.create_scorer(session.event.club))
    elif who == "keeper":
        client.force_login(User.objects.create_superuser("keeper"))
    return client


@pytest.mark.slow
@pytest.mark.parametrize("who", ["anybody", "scorer", "director", "keeper"])
@short_error_responses()
def test_no_url_shows_cards_while_session_is_open(session, who):
    client = sign_in(who, session)
    client.raise_request_exception = False
    secrets = list_secrets(session)
    revealed_by_url, read_count = {}, 0
    for url in list_addresses(session):
        response = client.get(url)
        body = b"".join(response.streaming_content) if response.streaming else response.content
        read_count += response.status_code == 200
        if revealed_texts := find_revealed_texts(secrets, body.decode("utf-8", "replace")):
            revealed_by_url[url] = revealed_texts
    assert read_count > len(list_secret_link_paths(session)) > 10
    assert revealed_by_url == {}


@pytest.mark.slow
@short_error_responses()
def test_no_public_url_shows_result_of_board_still_in_play(session):
    Event.objects.update(standings_shown=Event.StandingsVisibility.AFTER)
    sitting = session.sections.get().sittings.first().pk
    user = evenings.create_club_with_director()[1]
    pages = [page for page in list_addresses(session) if page.startswith(PUBLIC_PREFIXES)]
    bodies_by_mark = {}
    for mark in ("8", "1", "12"):
        evenings.enter_result(session, sitting, 1, mark, user)
        standings.update_standings(session.event)
        PAGE_CACHE.clear()
        bodies_by_mark[mark] = {page: read_body(page) for page in pages}
    assert len(pages) > 20
    for page in pages:
        assert (
            bodies_by_mark["8"][page] == bodies_by_mark["1"][page] == bodies_by_mark["12"][page]
        ), page
    for table in load_session_snapshot(session).tables_by_board[1]:
        for board in table.boards:  # a set is public when all its boards are finished
            evenings.enter_result(session, table.sitting_id, board, "5", user)
    PAGE_CACHE.clear()
    board = f"/events/{session.event.slug}/boards/1/"
    assert read_body(board) != bodies_by_mark["12"][board]  # no one plays it any more


PUBLIC_PREFIXES = ("/events/", "/players/", "/api/events/", "/clubs/")


def read_body(address: str) -> str:
    """Return a page's body as the public sees it, without the parts that change per request."""
    client = Client()
    client.raise_request_exception = False
    text = client.get(address).content.decode("utf-8", "replace")
    return VOLATILE_PATTERN.sub("", text)


VOLATILE_PATTERN = re.compile(
    r'csrf\w+" value="\w+"|seen=\d+|"version": ?\d+|"\d{4}-\d\d-\d\dT[^"]*"|"now": ?[\d.]+'
)


def test_only_director_with_reason_can_view_one_tray(session):
    page = f"/director/events/{session.event.slug}/deals/tray/"
    form_data = {"board": "1", "part": "hands", "ground": "outside"}
    first = session.board_set.load_deals()[1]
    other_hands = {
        format_hand(hand)
        for number, deal in session.board_set.load_deals().items()
        if number != 1
        for hand in deal.hands.values()
    }
    responses_by_role = {
        who: sign_in(who, session).post(page, form_data) for who in ("director", "scorer")
    }
    assert responses_by_role["director"].context["deal"] == first
    assert (
        find_revealed_texts(list_secrets(session), responses_by_role["scorer"].content.decode())
        == []
    )
    assert not [
        hand for hand in other_hands if hand in responses_by_role["director"].content.decode()
    ]


@pytest.mark.slow
def test_rehearsal_of_open_session_uses_other_cards(session):
    copy = create_rehearsal(session=session, by=evenings.create_club_with_director()[1])
    new_session = copy.event.sessions.get()
    deals = set(session.board_set.load_deals().values())
    if new_session.board_set is not None:
        assert not deals & set(new_session.board_set.load_deals().values())
        assert new_session.board_set_id != session.board_set_id


@pytest.mark.slow
def test_documents_show_no_cards_unless_trays_need_them(
    session, django_capture_on_commit_callbacks
):
    user = evenings.create_club_with_director()[1]
    cardless_paper_kinds = [
        paper for paper in PAPER_KINDS if paper.shown_cards is ShownCards.NONE
    ]
    names = [
        paper_kind.name
        for paper_kind in cardless_paper_kinds
        if not describe_required_step(session, paper_kind)
    ]
    assert {paper_kind.name for paper_kind in cardless_paper_kinds} - {*names} <= {
        *("ranking", "recap", "explanations", "table_links", "entry_links", "pack_changed"),
        *("draw_list", "draw_slips", "victory_scale"),  # where rounds are drawn
        *("bracket", "prize_list", "strata_list"),  # where there are some
    }
    for kind in names:
        with django_capture_on_commit_callbacks(execute=True):
            paper = order_paper(session=session, kind=kind, size="A4", by=user)
        paper.refresh_from_db()
        error = paper.error
        if paper.state == Paper.State.READY:
            with paper.file.open() as file:
                error = "\n".join(reading.read_texts(file.read()))
        assert (kind, find_revealed_texts(list_secrets(session), error)) == (kind, [])


def test_history_contains_no_cards(session):
    sign_in("director", session).post(
        f"/director/events/{session.event.slug}/deals/file/", {"kind": "pbn"}
    )
    acts = Act.objects.all()
    assert acts.filter(action="boards.filed").count() == 1
    text = "\n".join(f"{act.where} {act.before} {act.after}" for act in acts)
    assert find_revealed_texts(list_secrets(session), text) == []


@pytest.mark.slow
def test_event_file_contains_no_cards(session):
    response = sign_in("director", session).get(
        f"/director/events/{session.event.slug}/export/"
    )
    assert find_revealed_texts(list_secrets(session), response.content.decode()) == []


@pytest.mark.slow
def test_error_pages_contain_no_cards(session):
    client = sign_in("director", session)
    event_url = f"/director/events/{session.event.slug}/"
    for page, posted in [
        ("deals/", {"how": "pasted", "text": "1 N:nonsense H2"}),
        ("deals/make/", {"anew": "1"}),
        ("deals/value/", {"value": "7"}),
        ("boards/1/play/", {"t1N": "SA"}),
        ("boards/1/play/check/", {"t1N": "SA"}),
        ("papers/order/", {"kind": "hand_records"}),
    ]:
        response = client.post(event_url + page, posted, follow=True)
        assert (
            page,
            find_revealed_texts(list_secrets(session), response.content.decode()),
        ) == (
            page,
            [],
        )


@pytest.mark.slow
def test_logs_and_task_results_contain_no_cards(caplog):
    caplog.set_level(logging.DEBUG)
    session = create_dealt_session.__wrapped__()  # a copy has no record of how it was dealt
    assert deal_boards(session.board_set.pk) is None
    assert analyse_boards(session.board_set.pk) in (True, False)
    batches.record_failure(session.board_set, "broken")
    assert find_revealed_texts(list_secrets(session), caplog.text) == []


@pytest.mark.slow
def test_sealed_boards_are_shown_to_nobody(session, django_capture_on_commit_callbacks):
    client = sign_in("director", session)
    root = f"/director/events/{session.event.slug}/"
    for kind in ("pbn", "dup"):
        response = client.post(f"{root}deals/file/", {"kind": kind})
        assert "attachment" in response.headers["Content-Disposition"]
    user = evenings.create_club_with_director()[1]
    with django_capture_on_commit_callbacks(execute=True):
        slips = order_paper(session=session, kind="trump_slips", size="A4", by=user)
    client.post(f"{root}deals/seal/")
    session.refresh_from_db()
    assert session.board_set.is_sealed
    assert client.post(f"{root}deals/file/", {"kind": "pbn"}).status_code == 302
    assert client.get(f"/director/papers/{slips.pk}/").status_code == 404
    turn_up_kinds = [
        paper.name for paper in PAPER_KINDS if paper.shown_cards is ShownCards.TURN_UPS
    ]
    assert turn_up_kinds
    for kind in turn_up_kinds:
        next_response = client.post(f"{root}papers/order/", {"kind": kind}, follow=True)
        assert "after the session is closed" in next_response.content.decode()
    assert Paper.objects.count() == 1


def test_sealing_is_recorded_once_and_requires_boards(session):
    user = evenings.create_club_with_director()[1]
    for _ in range(2):
        seal_boards(session=session, by=user)
        session.refresh_from_db()
    assert Act.objects.filter(action="boards.sealed").count() == 1
    assert "cards are hidden from everyone" in (
        sign_in("director", session)
        .get(f"/director/events/{session.event.slug}/deals/")
        .content.decode()
    )
