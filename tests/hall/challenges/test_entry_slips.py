"""The pairs' personal links are printed, shown on the director's page, and revoked."""

import html
import io
import re

import pytest
from django.test import Client
from pypdf import PdfReader

from boards.whist import WhistError
from hall.challenges import services
from scoring.papers import entry_links, paper_files
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.entry_links import build_entry_link_slips
from server.models import User
from tests import evenings
from tournaments.models import EntryLink, Place, Session
from tournaments.movements import build_named_movement
from tournaments.services import seat_section

pytestmark = pytest.mark.django_db
SITE_URL = "http://192.168.1.20:8000"


@pytest.fixture
def evening(client: Client, settings) -> tuple[Session, User]:
    settings.PHONE_ADDRESSES = [f"{SITE_URL}/"]
    session, user = evenings.open_session()
    client.force_login(user)
    return session, user


def build_page_path(session: Session) -> str:
    return f"/director/events/{session.event.slug}/challenges/"


def read_text(response) -> str:
    return html.unescape(response.content.decode())


def test_slip_has_the_link_name_and_seat_of_each_pair(evening) -> None:
    session, user = evening
    services.create_entry_links(event=session.event, by=user)
    pdf = paper_files.draw_session_paper(session, "entry_links", "A4")
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)
    text = text.replace("\n", "")
    for link in EntryLink.objects.select_related("entry"):
        assert SITE_URL + link.path in text
    cards = build_entry_link_slips(load_session_snapshot(session))
    assert [card.label for card in cards[:2]] == ["1 N-S", "2 N-S"]
    assert [card.name for card in cards] == [
        entry.name for entry in session.event.entries.order_by("number")
    ]


def test_slip_shows_the_seat_next_to_the_name_and_not_the_entry_order(
    client: Client, settings
) -> None:
    settings.PHONE_ADDRESSES = [f"{SITE_URL}/"]
    event, user = evenings.create_event(6, name="Numbers")
    session = event.sessions.get()
    order = (3, 1, 2, 6, 5, 4)
    entries_by_place = {
        index: event.entries.get(number=item) for index, item in enumerate(order, 1)
    }
    seat_section(
        session=session,
        movement=build_named_movement("howell", pairs=6),
        boards_a_round=2,
        entries_by_place=entries_by_place,
        by=user,
    )
    services.create_entry_links(event=event, by=user)
    place = Place.objects.get(section__session=session, entry__number=3)
    assert place.label != "3"
    cards = {
        card.entry_number: card
        for card in build_entry_link_slips(load_session_snapshot(session))
    }
    pdf = entry_links.draw_pdf([cards[3]])
    text = PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
    assert f"Pair\n{place.label}\n" in text
    assert "No." not in text
    client.force_login(user)
    shown_text = read_text(client.get(build_page_path(session)))
    assert f">{place.label}</span>\xa0{place.entry.name}<" in shown_text
    pairs = read_text(client.get(f"/director/events/{event.slug}/entries/"))
    row = re.split(r"<tr[^>]*>", pairs)[4]
    assert '<td class="n">3</td>' in row
    assert f">at {place.label}<" in row


def test_revoked_link_has_no_slip(evening) -> None:
    session, user = evening
    services.create_entry_links(event=session.event, by=user)
    link = EntryLink.objects.select_related("entry__event__club").get(entry__number=2)
    services.revoke_entry_link(link=link, by=user)
    assert [
        card.entry_number for card in build_entry_link_slips(load_session_snapshot(session))
    ] == [
        1,
        3,
        4,
        5,
        6,
    ]


def test_no_slip_is_printed_that_no_phone_can_open(evening, settings) -> None:
    session, user = evening
    with pytest.raises(WhistError, match="No links yet"):
        paper_files.draw_session_paper(session, "entry_links", "A4")
    services.create_entry_links(event=session.event, by=user)
    settings.PHONE_ADDRESSES = []
    with pytest.raises(WhistError, match="Phones can’t reach this computer"):
        paper_files.draw_session_paper(session, "entry_links", "A4")


def test_director_creates_prints_shows_and_revokes_links(client: Client, evening) -> None:
    session, _user = evening
    assert "Create all links" in read_text(client.get(build_page_path(session)))
    client.post(f"{build_page_path(session)}links/")
    text = read_text(client.get(build_page_path(session)))
    assert "Print slips" in text
    assert "Create link" not in text
    link = EntryLink.objects.select_related("entry").get(entry__number=3)
    code_page = read_text(client.get(f"{build_page_path(session)}{link.pk}/code/"))
    assert SITE_URL + link.path in code_page
    assert "<svg" in code_page
    client.post(f"{build_page_path(session)}revoke/", {"link": link.pk})
    assert client.get(f"{build_page_path(session)}{link.pk}/code/").status_code == 302
    assert client.get(link.path).status_code == 404
    assert "Create missing links" in read_text(client.get(build_page_path(session)))


def test_scorer_sees_no_personal_link_of_a_pair(client: Client, evening) -> None:
    session, user = evening
    services.create_entry_links(event=session.event, by=user)
    client.force_login(evenings.create_scorer(session.event.club))
    link = EntryLink.objects.all()[0]
    assert client.get(build_page_path(session)).status_code == 403
    assert client.get(f"{build_page_path(session)}{link.pk}/code/").status_code == 403
