"""Trumps declared by consent of all (Law IV §11): no page, paper or file needs a turn-up."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from boards import dup
from boards.models import Board
from boards.tasks import analyse_boards, deal_boards
from boards.whist import Deal, Play, Seat, Suit
from boards.whist.dealing import deal_board
from boards.whist.notation import format_hands
from clubs.models import Act
from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.exporter import export_event
from exchange.eventfile.importer import import_event
from exchange.formats import FORMATS
from hall.challenges.services import create_entry_links
from hall.helpers.services import record_hand
from hall.history.undo import undo_event_act
from hall.models import HandLink
from hall.phones.services import create_table_links
from scoring.doubts.open_doubts import load_best_play
from scoring.errors import TricksRefused
from scoring.models import PlayRecord, Result
from scoring.papers import PAPER_KINDS
from scoring.papers.paper_files import draw_session_paper
from scoring.papers.waits import describe_required_step
from scoring.services import (
    NewScore,
    close_session,
    record_result,
    record_results,
    reopen_session,
)
from scoring.services.undo_results import undo_result
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.travellers import load_travellers
from scoring.standings_engine import standings
from tests import evenings, solving
from tests.copies import build_once
from tests.refusals import short_error_responses
from tests.scoring.papers import reading
from tests.scoring.secrecy.test_doors import list_routes
from tournaments.errors import InvalidTrumps
from tournaments.models import EntryLink, Session, Sitting
from tournaments.services import import_deals, request_dealing, set_trumps

pytestmark = pytest.mark.django_db
TRUMP_TERMS = ("declared", "H")
TURN_UP = re.compile(r"turn-?up|turned up", re.IGNORECASE)
IGNORED_HTML = re.compile(
    r"(?s)<(script|style).*?</\1>|turn_up|turn-up-help|<option value=\"turned\".*?</option>"
    r'|(class|data-\w+)="[^"]*"'
)
GENERAL_PATH_PREFIXES = (
    "laws/",
    "learn/",
    "worked-hands/",
    "static/",
    "api/schema",
    "api/docs",
)


@pytest.fixture(autouse=True)
def replaced_solver(monkeypatch):
    solving.replace_solver(monkeypatch)


@build_once
def create_dealt_session(trumps: str, state: str = "closed") -> Session:
    """Create an event with this source of trumps: dealt, played, and its trumps recorded."""
    session, user = evenings.open_session() if state != "planned" else evenings.seat_session()
    if trumps != "turned":
        set_trumps(event=session.event, trumps=trumps, is_agreed=True, by=user)
    session.refresh_from_db()
    request_dealing(session=session, by=user)
    session.refresh_from_db()
    deal_boards(session.board_set_id)
    while analyse_boards(session.board_set_id):
        pass
    if state == "planned":
        return session
    sittings = Sitting.objects.in_bulk()
    scores = [
        NewScore(
            sittings[table.sitting_id],
            board,
            str((board + table.table_number) % 14),
            trump=list(Suit)[table.table_number % 4] if trumps == "declared" else None,
        )
        for table in load_session_snapshot(session).tables
        for board in table.boards
    ]
    assert not record_results(scores=scores, by=user).errors
    if state == "closed":
        session = close_session(session=session, by=user)
    standings.update_standings(session.event)
    session.refresh_from_db()
    return session


def sign_in_director() -> Client:
    client = Client()
    client.force_login(evenings.User.objects.get(username="director"))
    return client


def list_addresses(session: Session) -> list[str]:
    """Return every readable URL of the site, filled in with this session's rows."""
    user = evenings.User.objects.get(username="director")
    tables = create_table_links(session=session, by=user)[:1] if session.state == "open" else []
    create_entry_links(event=session.event, by=user)
    link = HandLink.create_link(
        session=session, are_outsiders=True, ends_at=timezone.now() + timedelta(hours=1)
    )
    paths = [
        *(table.path for table in tables),
        *(entry_link.path for entry_link in EntryLink.objects.all()[:1]),
    ]
    paths += [link.path + page for page in ("", "1/N/", "1/E/?again=yes")]
    for route in list_routes(get_resolver().url_patterns):
        if route.startswith(GENERAL_PATH_PREFIXES) or "logout" in route or "assistant" in route:
            continue
        route = route.replace("<event:slug>", session.event.slug).replace("<slug:kind>", "pbn")
        route = re.sub(r"<int:\w+>", "1", route)
        route = route.replace("<path:object_id>", str(session.board_set_id))
        route = re.sub(r"<(?:\w+:)?\w+>", session.event.slug, route)
        paths.append("/" + re.sub(r"[\^$]|\\Z|\(\?P.*?\)", "", route))
    return paths


EXEMPT_PATH_PARTS = (
    "/plays/new/",  # a deal on its own, of no event
    "/history/",  # that a card was turned up before
    "/api/",  # its name
    "/drives/points/",  # games of drives
    "/ruling/",  # rulings about a turn-up, in the law's own words
    "/admin/",  # the raw rows
    "/deals/proof.json",  # the deal as derived from the secret, including its last card
    "/deals/verify/",
)


@pytest.mark.slow
@pytest.mark.parametrize("trumps", TRUMP_TERMS)
@pytest.mark.parametrize("state", ["planned", "open", "closed"])
@short_error_responses()
def test_no_page_mentions_a_turn_up_if_trumps_are_declared(trumps, state):
    """Pages outside the event show only closed events, so they are read after the close."""
    session = create_dealt_session(trumps, state)
    client = sign_in_director()
    client.raise_request_exception = False
    turn_ups_by_page, read_page_count = {}, 0
    addresses = list_addresses(session)
    if (trumps, state) != ("declared", "closed"):
        addresses = [
            page_url
            for page_url in addresses
            if is_event_page(page_url, session)
            and not any(exempt_part in page_url for exempt_part in EXEMPT_PATH_PARTS)
        ]
    for address in addresses:
        response = client.get(address)
        assert response.status_code < 500, address
        body = b"".join(response.streaming_content) if response.streaming else response.content
        read_page_count += response.status_code == 200
        if any(exempt_part in address for exempt_part in EXEMPT_PATH_PARTS):
            continue
        text = body.decode("utf-8", "replace")
        if found_texts := TURN_UP.findall(IGNORED_HTML.sub("", text)):
            turn_ups_by_page[address] = found_texts
    assert read_page_count > 40
    assert turn_ups_by_page == {}, turn_ups_by_page


def is_event_page(address: str, session: Session) -> bool:
    """Return whether a page is the event's own or has a secret link."""
    return session.event.slug in address or address.startswith(("/t/", "/e/", "/type/"))


@pytest.mark.slow
@pytest.mark.parametrize("trumps", TRUMP_TERMS)
@pytest.mark.parametrize("state", ["open", "closed"])
def test_every_paper_is_printed_without_a_turn_up(trumps, state):
    session = create_dealt_session(trumps, state)
    kinds = [paper for paper in PAPER_KINDS if paper.is_offered(session.event)]
    assert "trump_slips" not in {paper_kind.name for paper_kind in kinds}
    paper_count = 0
    for paper_kind in kinds:
        if describe_required_step(session, paper_kind):
            continue
        text = "\n".join(reading.read_texts(draw_session_paper(session, paper_kind.name, "A4")))
        assert not TURN_UP.search(text), paper_kind.name
        paper_count += 1
    assert paper_count > 8


@pytest.mark.slow
def test_paper_travellers_have_a_column_for_declared_trumps():
    session = create_dealt_session("declared", "open")
    (text, *_rest) = reading.read_texts(draw_session_paper(session, "travellers", "A4"))
    assert "Trump" in text
    assert (
        "Trump"
        not in reading.read_texts(
            draw_session_paper(fixed_session := change_trumps("H"), "travellers", "A4")
        )[0]
    )
    assert fixed_session.event.trump_suit is Suit.HEARTS


def change_trumps(trumps: str) -> Session:
    session = Session.objects.get()
    set_trumps(event=session.event, trumps=trumps, is_agreed=True, by=None)
    session.refresh_from_db()
    session.event.refresh_from_db()
    return session


@pytest.mark.slow
@pytest.mark.parametrize("trumps", ["turned", *TRUMP_TERMS])
def test_best_play_uses_the_trumps_of_the_table(trumps):
    session = create_dealt_session(trumps)
    snapshot = load_session_snapshot(session)
    for sheet in load_travellers(snapshot):
        row = session.board_set.boards.current().get(number=sheet.board)
        for line in sheet.lines:
            suit = {"declared": line.trump and line.trump.suit, "H": Suit.HEARTS}.get(
                trumps, row.as_deal().trumps
            )
            trump_count = sum(
                card.suit is suit
                for seat in (Seat.NORTH, Seat.SOUTH)
                for card in row.as_deal().hands[seat]
            )
            dealer_side = row.as_deal().dealer.side
            expected_best = (
                trump_count
                if dealer_side == "NS" or trumps == "turned"
                else 13 - (13 - trump_count)
            )
            assert line.best == expected_best
        assert bool(sheet.best_by_suit) is (trumps == "declared")
        assert (sheet.deal.turn_up is None) is (trumps != "turned")


@pytest.mark.slow
def test_result_is_compared_only_with_results_in_the_same_trumps():
    session = create_dealt_session("declared", "open")
    keys = {trump for _board, trump in load_best_play(session)}
    assert keys == {"S", "H", "D", "C"}
    assert {trump for _board, trump in load_best_play(change_trumps("H"))} == {""}


@pytest.mark.slow
def test_grid_accepts_trumps_with_or_without_a_score():
    session = create_dealt_session("declared", "open")
    client, result = sign_in_director(), Result.objects.first()
    root_url = f"/director/events/{session.event.slug}/"
    result_fields = {"sitting": result.sitting_id, "board": result.board}
    data = client.post(
        root_url + "result/", result_fields | {"value": "9", "trump": "D"}
    ).json()
    assert (data["seen"], data["trump"]) == ("9", "D")
    assert "Declared: diamonds." in data["text"]
    repeated_data = client.post(root_url + "result/", result_fields | {"value": "8"}).json()
    assert (repeated_data["seen"], repeated_data["trump"]) == (
        "8",
        "D",
    )  # the recorded trumps stay
    result_key = f"{result.sitting_id}-{result.board}"
    cells = {
        f"r-{result_key}": "8",
        f"seen-{result_key}": "8",
        f"t-{result_key}": "C",
        f"tseen-{result_key}": "D",
    }
    client.post(root_url + "scores/", cells)
    result.refresh_from_db()
    assert (result.mark, result.trump) == ("8", "C")
    page = client.get(root_url + "scores/").content.decode()
    assert 'class="cell-trump"' in page
    undo_result(version=result.versions.last(), by=None)
    result.refresh_from_db()
    assert (result.mark, result.trump) == ("8", "D")
    cleared_data = client.post(root_url + "result/", result_fields | {"value": ""}).json()
    assert (cleared_data["seen"], cleared_data["trump"]) == ("", "")


@pytest.mark.parametrize(("trumps", "trump"), [("turned", "H"), ("H", "S"), ("declared", "N")])
def test_only_suits_are_accepted_and_only_where_tables_declare_trumps(trumps, trump):
    session = create_dealt_session(trumps, "open")
    at = {"sitting": (result := Result.objects.first()).sitting, "board_number": result.board}
    with pytest.raises(TricksRefused, match=r"trumps aren’t declared|can’t be declared"):
        record_result(**at, mark="7", seen_score=None, trump=trump, by=None)
    assert (
        "cell-trump"
        in sign_in_director()
        .get(f"/director/events/{session.event.slug}/scores/")
        .content.decode()
        or trumps != "declared"
    )


def test_public_board_page_shows_trumps_declared_at_each_table():
    session = create_dealt_session("declared")
    page = Client().get(f"/events/{session.event.slug}/boards/1/").content.decode()
    assert "Before the N-S tricks: the trumps declared" in page
    assert page.count("visually-hidden") > 4
    assert "Trumps declared" in page
    card = Client().get(f"/events/{session.event.slug}/entries/1/")
    assert all(line.trump for line in card.context["card"].lines)
    fixed = change_trumps("H")
    board = Client().get(f"/events/{fixed.event.slug}/boards/1/").content.decode()
    assert "Trumps" in board
    assert "the suit that the table declared" not in board


@pytest.mark.parametrize("trumps", TRUMP_TERMS)
def test_every_board_file_is_written_without_a_turn_up(trumps):
    session = create_dealt_session(trumps)
    snapshot = load_session_snapshot(session)
    for board_format in (
        item for item in FORMATS if item.is_offered_for(snapshot.session.event)
    ):
        assert not TURN_UP.search(
            board_format.write_file(snapshot).decode("latin-1").replace("SWhist", "")
        )
    pbn = next(item for item in FORMATS if item.name == "pbn").write_file(snapshot).decode()
    contract, trumps_tag = {"declared": ("1NT", "?"), "H": ("1H", "H")}[trumps]
    assert f'[Contract "{contract}"]' in pbn
    assert f'[WhistTrumps "{trumps_tag}"]' in pbn
    assert (";Trumps" in pbn) is (trumps == "declared")
    assert "OptimumResultTable" in pbn


@pytest.mark.slow
def test_event_file_round_trip_keeps_cards_and_declared_trumps():
    session = create_dealt_session("declared")
    document = export_event(session.event, should_include_deals=True)
    assert document["event"]["trumps"] == "declared"
    assert all("turn_up" not in board for board in document["sessions"][0]["boards"])
    event = import_event(document=document, by=None)
    assert event.trumps == "declared"
    results = Result.objects.filter(sitting__section__session__event=event)
    assert {item.trump for item in results} == {"S", "H", "D", "C"} & {
        result.trump for result in Result.objects.filter(sitting__section__session=session)
    }
    repeated_event = export_event(event, should_include_deals=True)
    for part in ("event", "sessions"):
        assert repeated_event[part] == document[part]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"trumps": "turned"}, "boards[0].turn_up: This is missing"),
        ({"trumps": "H"}, "results[0].trump: Delete this trump"),
        ({"trumps": "NT"}, "event.trumps"),
    ],
)
def test_contradictory_event_file_is_refused(change, path):
    document = export_event(create_dealt_session("declared").event, should_include_deals=True)
    document["event"] |= change
    with pytest.raises(UnusableEventFile) as exc_info:
        import_event(document=document, by=None)
    assert path in str(exc_info.value)


@pytest.mark.slow
def test_api_returns_and_accepts_declared_trumps():
    session = create_dealt_session("declared")
    reopen_session(session=session, by=None)
    client, result = sign_in_director(), Result.objects.first()
    root_url = f"/api/events/{session.event.slug}/"
    event = client.get(root_url).json()
    assert event["trumps"] == "declared"
    data = client.put(
        f"/api/sittings/{result.sitting_id}/results/{result.board}/",
        {"ns_tricks": 9, "trump": "C"},
        content_type="application/json",
    ).json()
    assert (data["ns_tricks"], data["trump"]) == (9, "C")
    close_session(session=Session.objects.get(), by=None)
    sheet = client.get(root_url + "sessions/1/travellers/1/").json()
    assert sheet["turn_up"] is None
    assert set(sheet["best_by_suit"]) == {"S", "H", "D", "C"}
    assert all(line["trump"] for line in sheet["lines"])
    response = client.put(
        root_url + "trumps/", {"trumps": "S", "agreed": True}, content_type="application/json"
    )
    assert response.json()["trumps"] == "S"
    rejected_response = client.put(
        root_url + "trumps/", {"trumps": "H", "agreed": False}, content_type="application/json"
    )
    assert rejected_response.status_code == 400
    assert "every player" in rejected_response.json()["detail"]


# ---------------------------------------------------------------- the term itself


def test_declared_trumps_require_consent_of_every_player():
    event, user = evenings.create_event()
    url = f"/director/events/{event.slug}/deals/"
    client = sign_in_director()
    response = client.post(url + "trumps/", {"trumps": "declared"}, follow=True)
    assert "only if every player in the match agrees" in response.content.decode()
    event.refresh_from_db()
    assert event.has_turn_up
    client.post(url + "trumps/", {"trumps": "declared", "agreed": "on"})
    event.refresh_from_db()
    assert event.has_declared_trumps
    act = Act.objects.get(action="trumps.agreed")
    assert act.after == {"trumps": "declared", "agreed": True}
    undo_event_act(event=event, act=act, by=user)
    event.refresh_from_db()
    assert event.has_turn_up


def test_event_returns_to_turned_trumps_only_if_its_boards_have_turn_ups():
    session = create_dealt_session("declared", "planned")
    user = evenings.User.objects.get(username="director")
    set_trumps(event=session.event, trumps="turned", is_agreed=False, by=user)
    set_trumps(event=session.event, trumps="declared", is_agreed=True, by=user)
    deal = session.board_set.load_deals()[1].with_declared_trumps(None)
    import_deals(session=session, deals_by_board={1: deal}, by=user)
    with pytest.raises(InvalidTrumps, match="board 1"):
        set_trumps(event=session.event, trumps="turned", is_agreed=False, by=user)


# ---------------------------------------------------------------- typed cards


@pytest.fixture
def recorded_session() -> Session:
    """Create a closed event with boards shuffled at the tables and declared trumps."""
    session, user = evenings.play_session()
    set_trumps(event=session.event, trumps="declared", is_agreed=True, by=user)
    return close_session(session=session, by=user)


def deal_numbered_board(board_number: int) -> Deal:
    return deal_board(bytes(32), board_number)


def build_first_trick(deal: Deal) -> str:
    """Return one lawful trick, whatever suit is trumps."""
    play = Play(deal)
    for _card in range(4):
        play = play.play(min(play.list_legal_cards()))
    return " ".join(card.code for card in play.cards)


@pytest.mark.parametrize("input_method", ["typed", "pasted", "file", "helpers"])
def test_cards_are_entered_without_a_turn_up(recorded_session, input_method, tmp_path):
    client, root_url = sign_in_director(), f"/director/events/{recorded_session.event.slug}/"
    deal = deal_numbered_board(1)
    if input_method == "typed":
        hands = format_hands(deal)[2:].split()
        page = client.get(root_url + "boards/1/deal/").content.decode()
        assert "No card is turned: trumps are declared" in page
        fields = {f"hand{seat}": hand for seat, hand in zip(Seat, hands, strict=True)}
        client.post(root_url + "boards/1/deal/", fields)
    elif input_method == "pasted":
        client.post(root_url + "deals/", {"how": "pasted", "text": f"1 {format_hands(deal)}"})
    elif input_method == "file":
        file = SimpleUploadedFile("boards.dup", dup.format_dup({1: deal}))
        client.post(root_url + "deals/", {"how": "file", "file": file, "turn_ups": ""})
    else:
        link = HandLink.create_link(
            session=recorded_session,
            are_outsiders=True,
            ends_at=timezone.now() + timedelta(hours=1),
        )
        for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH):
            hand = format_hands(deal)[2:].split()[list(Seat).index(seat)]
            record_hand(link=link, board_number=1, seat=seat, cards_text=hand)
    while analyse_boards(Board.objects.get(number=1).board_set_id):
        pass
    row = Board.objects.get(number=1)
    assert (row.turn_up, row.as_deal().hands) == ("", deal.hands)
    assert row.table  # best play in every suit
    assert row.best_tricks is None


@pytest.mark.slow
def test_play_is_recorded_with_the_trumps_of_its_table(recorded_session):
    deal = deal_numbered_board(1)
    import_deals(
        session=recorded_session, deals_by_board={1: deal.with_declared_trumps(None)}, by=None
    )
    client, root = (
        sign_in_director(),
        f"/director/events/{recorded_session.event.slug}/boards/1/play/",
    )
    table = load_session_snapshot(recorded_session).tables_by_board[1][0]
    form_data = {"line": build_first_trick(deal), "table": str(table.sitting_id)}
    response = client.post(root, form_data)
    assert response.status_code == 400
    assert "Choose the declared trumps." in response.content.decode()
    assert (
        "Choose the declared trumps" in client.post(root + "check/", form_data).json()["detail"]
    )
    stored_response = client.post(root, form_data | {"declared": "D"})
    assert stored_response.status_code == 302, stored_response.context["problems"]
    assert PlayRecord.objects.get().build_deal().trumps is Suit.DIAMONDS
    record_result(
        sitting=Sitting.objects.get(pk=table.sitting_id),
        board_number=1,
        mark="7",
        seen_score=None,
        trump="C",
        by=None,
    )
    client.post(root, form_data)
    record = PlayRecord.objects.first()
    assert (record.turn_up, record.declared) == ("", "C")
    page = Client().get(f"/plays/{record.pk}/").content.decode()
    assert "Trumps" in page
    assert not TURN_UP.search(IGNORED_HTML.sub("", page))


def test_single_deal_is_recorded_with_a_suit_instead_of_a_turn_up():
    evenings.create_event()
    deal = deal_numbered_board(1)
    response = sign_in_director().post(
        "/director/plays/new/",
        {
            "title": "Declared",
            "dealer": deal.dealer.value,
            "deal": format_hands(deal),
            "turn_up": "s",
            "line": build_first_trick(deal),
        },
    )
    assert response.status_code == 302, response.context["problems"]
    assert PlayRecord.objects.get().build_deal().trumps is Suit.SPADES


@pytest.mark.slow
def test_tray_page_shows_no_turn_up():
    session = create_dealt_session("declared", "open")
    url = f"/director/events/{session.event.slug}/deals/tray/"
    html = sign_in_director().get(url + "?board=1").content.decode()
    assert "turn-up" not in html
    response = sign_in_director().post(
        url, {"board": "1", "part": "hands", "ground": "outside"}
    )
    assert response.context["deal"].turn_up is None
    rejected_response = sign_in_director().post(
        url, {"board": "1", "part": "turn_up", "ground": "outside"}
    )
    assert rejected_response.status_code == 400


@pytest.mark.slow
def test_only_allowed_modules_read_deals_directly():
    root = Path(__file__).parents[3]
    allowed = {
        "tournaments/models/events.py",
        "tournaments/services/session_boards.py",  # compared with imported cards
        "hall/rehearsal/services.py",  # the same cards for a copy
    }
    texts = {
        str(path.relative_to(root))
        for room in ("tournaments", "scoring", "exchange", "hall", "seasons")
        for path in (root / room).rglob("*.py")
        if "board_set.load_deals()" in path.read_text(encoding="utf-8")
    }
    assert texts == allowed


@pytest.mark.slow
def test_announcement_explains_declared_trumps_and_rulings_omit_trump_cards():
    session = create_dealt_session("declared", "open")
    slug = session.event.slug
    public = Client().get(f"/events/{slug}/").content.decode()
    assert "Trumps: declared at the table for each board, by consent of every player" in public
    text = "\n".join(reading.read_texts(draw_session_paper(session, "announcement", "A4")))
    assert "Each table declares trumps for each board" in text.replace("\n", " ")
    client = sign_in_director()
    html = client.get(f"/director/events/{slug}/ruling/").content.decode()
    assert "Trump card and trump slip" not in html
    explanation_page = client.get(
        f"/director/events/{slug}/entries/1/explained/"
    ).content.decode()
    assert "Each table declared its own trumps." in explanation_page
    history = client.get(f"/director/events/{slug}/history/").content.decode()
    assert "all players agree" in history
