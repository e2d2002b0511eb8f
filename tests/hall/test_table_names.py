"""With several sections, every text about a table names its section: "A13".

An evening with something of everything is visited with the tables of all sections numbered
alike, by numbers that nothing else on a page has: 701, 702, 703.
"""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import product
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

import hall.challenges.services
import hall.phones.services
import hall.rehearsal.services
import scoring.services
import tournaments.services
from boards.whist import Play
from clubs.models import TableLink
from printing.kinds import PaperGroup
from scoring.models import Result, ResultVersion
from scoring.papers import PAPER_KINDS
from scoring.services.play_records import PlayContext, create_play_record
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import acts, evenings
from tests.copies import build_once
from tests.refusals import short_error_responses
from tests.releases import night, walk
from tests.scoring.papers import reading
from tournaments.models import Session, Sitting
from tournaments.movements import build_named_movement
from tournaments.movements.changes import list_continuations
from tournaments.movements.changes.incidents import WrongBoards
from tournaments.seating_snapshot import load_movement

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NUMBER_WITHOUT_SECTION = re.compile(r"(?<![A-Za-z0-9.#-])70[123](?![0-9])")
NUMBER_WITH_SECTION = re.compile(r"\b([A-Z])70[123](?![0-9])")
SPOKEN_ATTRIBUTES = ("alt", "aria-label", "content", "placeholder", "title")
EVENT_SIZES = ("one section", "two sections")
MAX_CONTEXT_LENGTH = 90


# ---------------------------------------------------------------- the evening


@build_once
def create_event_of_size(size: str, state: str) -> tuple[Session, User]:
    """Return an event of one section or two, before play, in play or over."""
    if state == "closed":
        session, user = create_event_of_size.__wrapped__(size, "open")
        return close_event(session, user), user
    sections = 1 + EVENT_SIZES.index(size)
    event, user = evenings.create_event(6 * sections)
    entries, movement = (
        list(event.entries.order_by("number")),
        build_named_movement("compass", pairs=6),
    )
    session = event.sessions.get()
    tournaments.services.seat_sections(
        session=session,
        planned_sections=[
            tournaments.services.PlannedSection(movement, {"pairs": 6}, field)
            for field in tournaments.services.divide_entries(entries, sections)
        ],
        boards_a_round=2,
        by=user,
    )
    Sitting.objects.update(table=F("table") + 700)
    acts.create_table_links(night.reload_session(session), user)
    acts.create_entry_links(night.reload_session(session), user)
    if state == "planned":
        rehearsal = hall.rehearsal.services.create_rehearsal(
            session=night.reload_session(session), by=user
        )
        hall.rehearsal.services.run_rehearsal(rehearsal=rehearsal, by=user)
        hall.rehearsal.services.finish_round(rehearsal=rehearsal, round_number=1, by=user)
        return night.reload_session(session), user
    acts.open_session(night.reload_session(session), user)
    return enter_two_rounds(night.reload_session(session), user), user


def enter_two_rounds(session: Session, user: User) -> Session:
    """Enter two rounds of three; faults at tables happen at the last table."""
    acts.set_clock(session, user)
    acts.start_clock(session, user)
    night.enter_results(session, user, rounds=1)
    apply_wrong_boards(session, user)
    night.enter_results(
        session, user, rounds=2, choose_mark=lambda r, t, b: 13 if (t, b % 2) == (703, 0) else 4
    )
    night.enter_by_phone(session, user)
    make_rulings(session, user)
    for sitting in night.list_sittings(session)[-2:]:
        for board in session.get_group_boards(sitting.board_group)[:1]:
            evenings.enter_result(session, sitting.pk, board, "7", user)
    guest = hall.phones.services.build_guest(TableLink.objects.order_by("pk").last())
    last_sitting = night.list_sittings(session)[-1]
    scoring.services.record_result(
        sitting=last_sitting,
        board_number=session.get_group_boards(last_sitting.board_group)[1],
        mark="5",
        seen_score=None,
        channel="phone",
        by=guest,
    )
    return night.reload_session(session)


def make_rulings(session: Session, user: User) -> None:
    """Make one ruling of each kind that needs no cards, each at a sitting of its own."""
    lines: list[tuple[str, dict[str, object]]] = [
        ("revoke", {"side": "NS", "revokes": 1, "won_before": 2}),
        ("average", {}),
        ("adjusted", {"ns_tricks": "13/2", "ew_tricks": "7", "reason": "noise"}),
        ("noted", {"situation": "I26", "reason": "a card led out of turn"}),
    ]
    for (ruling_kind, terms), sitting in zip(lines, night.list_sittings(session), strict=False):
        board = session.get_group_boards(sitting.board_group)[-1]
        scoring.services.make_ruling(
            kind=ruling_kind, sitting=sitting, board_number=board, by=user, **terms
        )


def apply_wrong_boards(session: Session, user: User) -> None:
    section = session.sections.select_related("session__event").last()
    assert section is not None
    change = WrongBoards(round=2, table=702, board_group=1)
    continuation = list_continuations(load_movement(section), 2, change)[0]
    letter = {"section": section.letter} if session.sections.count() > 1 else {}
    incident_data = {"kind": "boards", **letter, "table": 702, "round": 2, "boards": "1–2"}
    scoring.services.apply_seating_change(
        section=section,
        rounds_played=2,
        incident=change,
        continuation_key=continuation.key,
        incident_data=incident_data,
        by=user,
    )
    session.sections.update(tables=3)  # as many as there are, whatever their numbers


def close_event(session: Session, user: User) -> Session:
    acts.close_session(session, user)
    night.create_score_queries(session.event, user)
    acts.enter_deals(night.reload_session(session), user)
    _create_recorded_play(night.reload_session(session), user)
    result = Result.objects.filter(rulings=None, ns_tricks=4).first()
    assert result is not None
    evenings.enter_result(session, result.sitting_id, result.board, "6", user)
    return night.reload_session(session)


def _create_recorded_play(session: Session, user: User) -> None:
    snapshot = load_session_snapshot(session)
    table, deal = snapshot.tables_by_board[1][-1], session.board_set.load_deals()[1]
    create_play_record(
        context=PlayContext(
            club=session.event.club,
            session=session,
            board_number=1,
            round_number=table.round,
            table_number=table.table_number,
            section_letter=table.section if snapshot.has_section_letters else "",
        ),
        play=Play(deal).record_card(
            min(deal.hands[deal.dealer.left_neighbour], key=lambda card: card.code)
        ),
        by=user,
    )


# ---------------------------------------------------------------- reading text


class _TextParser(HTMLParser):
    """The words of a page, including those for screen readers, and its embedded data."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.data: list[str] = []
        self._in = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values_by_name = {name: value or "" for name, value in attrs}
        self._in = values_by_name.get("type", tag) if tag in ("script", "style") else ""
        self.words += [
            value for name, value in values_by_name.items() if name in SPOKEN_ATTRIBUTES
        ]
        if tag == "input" and values_by_name.get("type") in ("submit", "button", "text"):
            self.words.append(values_by_name.get("value", ""))

    def handle_endtag(self, _tag: str) -> None:
        self._in = ""

    def handle_data(self, data: str) -> None:
        if self._in == "application/json":
            self.data.append(data)
        elif not self._in:
            self.words.append(data)


def list_texts(response: Any) -> list[str]:
    """Return all text of a response, whatever its content type."""
    kind = response.headers.get("Content-Type", "")
    if kind.startswith("application/json"):
        return list(list_json_strings(response.json()))
    if kind.startswith("application/pdf"):
        return reading.read_texts(
            b"".join(response) if response.streaming else response.content
        )
    if not kind.startswith("text/html"):
        return []
    page = _TextParser()
    page.feed(response.content.decode())
    return page.words + [
        word for json_text in page.data for word in list_json_strings(json.loads(json_text))
    ]


def list_json_strings(data: Any, is_section_named: bool = False) -> Iterator[str]:
    """Yield the strings of JSON data, and each table number outside any section."""
    if isinstance(data, dict):
        is_section_named = is_section_named or "section" in data or "letter" in data
        if isinstance(data.get("table"), int) and not is_section_named:
            yield f"table {data['table']}"
        for item in data.values():
            yield from list_json_strings(item, is_section_named)
    elif isinstance(data, list):
        for item in data:
            yield from list_json_strings(item, is_section_named)
    elif isinstance(data, str):
        yield data


def find_wrong_table_names(texts: list[str], size: str) -> list[str]:
    """Return texts about a table without its letter, or with an unnecessary letter."""
    wrong_name_pattern = (
        NUMBER_WITHOUT_SECTION if size == "two sections" else NUMBER_WITH_SECTION
    )
    return [
        " ".join(text.split())[:MAX_CONTEXT_LENGTH]
        for word in texts
        for match in wrong_name_pattern.finditer(word)
        for text in [word[max(match.start() - 60, 0) : match.end() + 30]]
    ]


def format_findings(found: dict[str, list[str]]) -> str:
    return "\n".join(f"{path}: {item}" for path, message in found.items() for item in message)


def list_section_letters(texts: list[str]) -> set[str]:
    return {found[1] for word in texts for found in NUMBER_WITH_SECTION.finditer(word)}


# ---------------------------------------------------------------- pages and responses


def request_page_or_fragment(client: Client, path: str) -> list[Any]:
    response = client.get(path, headers={"Accept": "text/html, application/json;q=0.5"})
    if response.status_code != 302:
        return [response]
    return [client.get(path, headers={"HX-Request": "true"})]


def list_query_urls(session: Session) -> list[str]:
    """Return URLs that need query parameters, for a play of the last section."""
    slug = session.event.slug
    last = night.list_sittings(session)[-1]
    board = session.get_group_boards(last.board_group)[0]
    letter = last.section.letter
    event_url = f"/director/events/{slug}"
    text = f"kind=boards&section={letter}&round=2&table={last.table}&board_group=1"
    turned_query = f"kind=turned&section={letter}&table={last.table}&first=2&last=2"
    play = f"{event_url}/rulings/play/?sitting={last.pk}&board={board}"
    return [
        play,
        f"{play}&kind=adjusted&ns_tricks=7&ew_tricks=6&preview=1",
        f"{event_url}/ruling/?board={board}&table={letter}-{last.table}",
        f"{event_url}/ruling/?board={board}&table={letter}-{last.table}&situation=I1",
        f"{event_url}/scores/?by=round",
        f"{event_url}/changes/?section={letter}",
        f"{event_url}/changes/?{text}",
        f"{event_url}/changes/?{turned_query}",
        *(link.path for link in TableLink.objects.filter(revoked_at=None)),
    ]


@pytest.mark.parametrize(
    ("size", "state"),
    [*product(EVENT_SIZES, ("open", "closed")), ("two sections", "planned")],
)
@short_error_responses()
def test_every_page_and_response_names_table_with_its_section(size: str, state: str) -> None:
    session, user = create_event_of_size(size, state)
    director, public_client = Client(), Client()
    director.force_login(user)
    paths = [
        page.path
        for page in walk.list_pages()
        if "events/<" in page.route or page.route == walk.LINK_ROUTE
    ]
    actual, letters = dict[str, list[str]](), set[str]()
    for path in [*paths, *list_query_urls(session)]:
        client = director if path.startswith(("/director/", "/api/")) else public_client
        for response in request_page_or_fragment(client, path):
            texts = list_texts(response)
            letters |= list_section_letters(texts)
            if wrong_table_names := find_wrong_table_names(texts, size):
                actual[path] = sorted(set(wrong_table_names))
    assert not actual, format_findings(actual)
    assert letters == ({"A", "B"} if size == "two sections" else set())


# ---------------------------------------------------------------- responses to acts


DirectorRequest = tuple[str, dict[str, object]]


def list_director_requests(session: Session) -> list[DirectorRequest]:
    """Return requests of a director whose response names a table: done, refused, and undone."""
    last = night.list_sittings(session)[-1]
    first_board, second = session.get_group_boards(last.board_group)
    version = ResultVersion.objects.filter(result__sitting=last).latest("pk")
    link = TableLink.objects.filter(revoked_at=None).order_by("pk").last()
    assert link is not None
    play_fields: dict[str, object] = {"sitting": last.pk, "board": first_board}
    cell = f"r-{last.pk}-{first_board}"
    return [
        ("result/", {**play_fields, "value": "9", "seen": "7"}),
        ("result/", {**play_fields, "value": "44", "seen": "9"}),
        ("result/", {**play_fields, "value": "3", "seen": "12"}),
        ("result/", {**play_fields, "value": "", "seen": "9"}),
        ("result/", {**play_fields, "value": "-", "seen": ""}),
        ("result/", {**play_fields, "board": 99, "value": "3", "seen": ""}),
        ("scores/", {cell: "77", f"seen-{last.pk}-{first_board}": "-"}),
        ("result/doubt/", {**play_fields, "act": "exchange", "other": second}),
        ("history/undo/", {"version": version.pk, "last": version.pk + 900}),
        ("tables/revoke/", {"link": link.pk}),
        (
            "change/",
            {
                "kind": "boards",
                "section": last.section.letter,
                "round": 2,
                "table": 703,
                "board_group": 2,
                "way": "boards",
            },
        ),
    ]


@pytest.mark.parametrize("size", EVENT_SIZES)
def test_every_confirmation_message_names_table_with_its_section(size: str) -> None:
    session, user = create_event_of_size(size, "open")
    client = Client()
    client.force_login(user)
    named_count = 0
    for path, data in list_director_requests(session):
        action_url = f"/director/events/{session.event.slug}/{path}"
        response = client.post(action_url, data, follow=True)
        texts = list_texts(response)
        assert not find_wrong_table_names(texts, size), (
            f"{path} {data}: {find_wrong_table_names(texts, size)}"
        )
        name_matches = (
            list_section_letters(texts)
            if size == "two sections"
            else NUMBER_WITHOUT_SECTION.search(" ".join(texts))
        )
        named_count += bool(name_matches)
    assert named_count >= 10


# ---------------------------------------------------------------- papers


@pytest.mark.parametrize("size", EVENT_SIZES)
def test_every_table_paper_names_table_with_its_section(size: str, settings: Any) -> None:
    settings.PHONE_ADDRESSES = ["http://192.168.1.20:8000"]
    session, _user = create_event_of_size(size, "open")
    room, names = load_session_snapshot(session), set()
    for kind in PAPER_KINDS:
        if kind.group != PaperGroup.TABLES or kind.name.startswith(
            "pack"
        ):  # composed of the others
            continue
        if kind.name.startswith("draw_"):  # its rounds are planned, not drawn
            continue
        texts = reading.read_texts(kind.draw_pdf(kind.build_sheet(room), paper_size="A4"))
        assert not find_wrong_table_names(texts, size), (
            f"{kind.name}: {find_wrong_table_names(texts, size)}"
        )
        names |= (
            {kind.name}
            if list_section_letters(texts) or NUMBER_WITHOUT_SECTION.search(" ".join(texts))
            else set()
        )
    assert names == {
        *("travellers", "guide_cards", "pair_guides", "door_list", "announcement"),
        *("wall_sheet", "score_slips", "table_links"),
    }
