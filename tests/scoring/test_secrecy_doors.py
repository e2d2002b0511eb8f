"""From every door: while a deal may still be played, nothing tells its cards or its secret.

Only what a director orders for the trays does: trump slips and such papers, and the file for a
dealing machine; where the cards are sealed, not even these.
"""

import logging
import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from boards import making
from boards.tasks import analyse_boards, make_boards
from boards.whist.notation import hand_text
from scoring import standings
from scoring.models import Paper
from scoring.printing import PAPERS
from scoring.services import order_paper
from scoring.sheets.secrecy import AFTER_THE_CLOSE, FOR_THE_TRAYS
from tests import evenings
from tests.scoring.printing import reading
from tournaments.models import AuditEntry, Session
from tournaments.services import open_session, prepare_boards, seal_boards

pytestmark = pytest.mark.django_db
SIGNS = re.compile("[♠♥♦♣♤♡♢♧]")
ABOUT_CARDS = ("worked-hands/", "laws/")  # public pages whose cards belong to no session


@pytest.fixture
def session(caplog, django_capture_on_commit_callbacks) -> Session:
    caplog.set_level(logging.DEBUG)
    seated, user = evenings.seated()
    with django_capture_on_commit_callbacks(execute=True):
        prepare_boards(session=seated, by=user)
    open_session(session=seated, by=user)
    evenings.enter(seated, seated.sections.get().sittings.first().pk, 1, "8", user)
    standings.recompute(seated.event)
    seated.refresh_from_db()
    return seated


def secrets_of(session: Session) -> list[str]:
    """Every text that would tell something: hands, whole deals, the secret."""
    deals = session.board_set.deals().values()
    hands = [hand_text(hand) for deal in deals for hand in deal.hands.values()]
    plain = [
        "".join(card.rank.letter for card in sorted(deal.hands[seat]))
        for deal in deals
        for seat in deal.hands
    ]
    return [*hands, *plain, bytes(session.board_set.secret).hex()]


def told(session: Session, text: str) -> list[str]:
    return [secret for secret in secrets_of(session) if secret in text] + SIGNS.findall(text)


def routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


def addresses(session: Session) -> list[str]:
    """Every address of the site that can be read, filled in with this session's rows."""
    found = []
    for route in routes(get_resolver().url_patterns):
        if route.startswith(ABOUT_CARDS) or "logout" in route:
            continue
        route = route.replace("<event:slug>", session.event.slug).replace("<slug:kind>", "pbn")
        route = re.sub(r"<int:\w+>", "1", route)
        route = re.sub(r"<(?:\w+:)?\w+>", session.event.slug, route)
        found.append("/" + re.sub(r"[\^$]|\\Z|\(\?P.*?\)", "", route))
    return found


def login(who: str, session: Session) -> Client:
    client = Client()
    if who == "director":
        client.force_login(evenings.club()[1])
    elif who == "scorer":
        client.force_login(evenings.scorer(session.event.club))
    elif who == "keeper":
        client.force_login(User.objects.create_superuser("keeper"))
    return client


@pytest.mark.parametrize("who", ["anybody", "scorer", "director", "keeper"])
def test_no_address_of_the_site_tells_a_card_while_the_session_is_open(session, who):
    client = login(who, session)
    client.raise_request_exception = False
    wrong, read = {}, 0
    for address in addresses(session):
        answer = client.get(address)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        read += answer.status_code == 200
        if found := told(session, body.decode("utf-8", "replace")):
            wrong[address] = found
    assert read > 5
    assert wrong == {}


def test_a_paper_tells_no_card_unless_the_trays_need_it(
    session, django_capture_on_commit_callbacks
):
    user = evenings.club()[1]
    for kind in sorted(set(PAPERS) - set(AFTER_THE_CLOSE) - set(FOR_THE_TRAYS)):
        with django_capture_on_commit_callbacks(execute=True):
            paper = order_paper(session=session, kind=kind, size="A4", by=user)
        paper.refresh_from_db()
        words = paper.error
        if paper.state == Paper.State.READY:
            with paper.file.open() as file:
                words = "\n".join(reading.words(file.read()))
        assert (kind, told(session, words)) == (kind, [])


def test_the_history_tells_no_card(session):
    login("director", session).post(
        f"/director/events/{session.event.slug}/deals/file/", {"kind": "pbn"}
    )
    acts = AuditEntry.objects.all()
    assert acts.filter(action="boards.filed").count() == 1
    text = "\n".join(f"{act.subject} {act.before} {act.after}" for act in acts)
    assert told(session, text) == []


def test_the_event_file_tells_no_card(session):
    answer = login("director", session).get(f"/director/events/{session.event.slug}/export/")
    assert told(session, answer.content.decode()) == []


def test_an_error_tells_no_card(session):
    client = login("director", session)
    root = f"/director/events/{session.event.slug}/"
    for page, posted in [
        ("deals/", {"how": "pasted", "text": "1 N:nonsense H2"}),
        ("deals/make/", {"anew": "1"}),
        ("deals/value/", {"value": "7"}),
        ("boards/1/play/", {"t1N": "SA"}),
        ("boards/1/play/check/", {"t1N": "SA"}),
        ("papers/order/", {"kind": "hand_records"}),
    ]:
        answer = client.post(root + page, posted, follow=True)
        assert (page, told(session, answer.content.decode())) == (page, [])


def test_the_logs_and_what_the_tasks_return_tell_no_card(session, caplog):
    assert make_boards.apply(args=[session.board_set.pk]).result is None
    assert analyse_boards.apply(args=[session.board_set.pk]).result is None
    making.fail(session.board_set, "broken")
    assert told(session, caplog.text) == []


def test_sealed_boards_are_told_to_nobody(session, django_capture_on_commit_callbacks):
    client = login("director", session)
    root = f"/director/events/{session.event.slug}/"
    for kind in ("pbn", "dup"):
        made = client.post(f"{root}deals/file/", {"kind": kind})
        assert "attachment" in made.headers["Content-Disposition"]
    user = evenings.club()[1]
    with django_capture_on_commit_callbacks(execute=True):
        slips = order_paper(session=session, kind="trump_slips", size="A4", by=user)
    client.post(f"{root}deals/seal/")
    session.refresh_from_db()
    assert session.board_set.is_sealed
    assert client.post(f"{root}deals/file/", {"kind": "pbn"}).status_code == 302
    assert client.get(f"/director/papers/{slips.pk}/").status_code == 404
    for kind in FOR_THE_TRAYS:
        answer = client.post(f"{root}papers/order/", {"kind": kind}, follow=True)
        assert "once the session is closed" in answer.content.decode()
    assert Paper.objects.count() == 1


def test_sealing_is_written_down_once_and_needs_boards(session):
    user = evenings.club()[1]
    for _ in range(2):
        seal_boards(session=session, by=user)
        session.refresh_from_db()
    assert AuditEntry.objects.filter(action="boards.sealed").count() == 1
    assert "cards are hidden from everybody" in (
        login("director", session)
        .get(f"/director/events/{session.event.slug}/deals/")
        .content.decode()
    )
