"""The director's pages of the hall: links, QR codes, calls and accepted host names."""

import html
import io
import re
from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.test import Client
from pypdf import PdfReader

import clubs.evenings.services
import hall.phones.services
import tournaments.services
from boards.whist import WhistError
from clubs.models import DirectorCall, TableLink
from printing.qr import create_qr_code
from scoring.papers import paper_files
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import evenings
from tests.scoring.papers import reading
from tournaments.models import Session
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db

FRAGMENT_HEADERS = {"HX-Request": "true"}
"""The headers of a page that requests a fragment of itself."""
LAPTOP_URL = "http://192.168.1.20:8000"


@pytest.fixture
def evening(client: Client, settings) -> tuple[Session, User]:
    settings.PHONE_ADDRESSES = [f"{LAPTOP_URL}/", "http://laptop.local:8000/"]
    session, user = evenings.open_session()
    client.force_login(user)
    return session, user


def build_root_path(session: Session) -> str:
    return f"/director/events/{session.event.slug}/"


def read_text(response) -> str:
    return html.unescape(response.content.decode())


def test_director_creates_shows_and_revokes_links(client: Client, evening) -> None:
    session, _user = evening
    page = f"{build_root_path(session)}tables/"
    assert "Create QR codes" in read_text(client.get(page))
    client.post(f"{page}make/")
    assert TableLink.objects.count() == 3
    text = read_text(client.get(page))
    assert "Print QR codes" in text
    sides = load_session_snapshot(session).tables[0]
    for side in (sides.ns, sides.ew):
        assert f"{side.label}</span>\xa0{side.name}" in text
    link = TableLink.objects.get(table=2)
    assert LAPTOP_URL + link.path in read_text(client.get(f"{page}{link.pk}/code/"))
    client.post(f"{page}revoke/", {"link": link.pk})
    assert client.get(link.path).status_code == 410
    assert "Create missing codes" in read_text(client.get(page))
    client.post(f"{page}make/", {"section": session.sections.get().pk, "table": 2})
    assert TableLink.objects.filter(revoked_at__isnull=True).count() == 3


@pytest.mark.slow
def test_scorer_cannot_create_links(client: Client, evening) -> None:
    session, _user = evening
    client.force_login(evenings.create_scorer(session.event.club))
    assert client.get(f"{build_root_path(session)}tables/").status_code == 403
    assert client.post(f"{build_root_path(session)}tables/make/").status_code == 403
    assert (
        client.get(f"{build_root_path(session)}calls/", headers=FRAGMENT_HEADERS).status_code
        == 200
    )


@pytest.mark.slow
def test_link_of_another_club_cannot_be_revoked(client: Client, evening) -> None:
    session, _user = evening
    hall.phones.services.create_table_links(session=session, by=None)
    _club, other_user = evenings.create_club_with_director("Other club", "other")
    client.force_login(other_user)
    link = TableLink.objects.all()[0]
    response = client.post(f"{build_root_path(session)}tables/revoke/", {"link": link.pk})
    assert response.status_code == 403
    assert client.get(link.path).status_code == 200


def test_director_call_is_shown_and_answered(client: Client, evening) -> None:
    session, _user = evening
    link = hall.phones.services.create_table_links(session=session, by=None)[2]
    call = clubs.evenings.services.call_director(link=link)
    assert "3 is calling (" in read_text(
        client.get(f"{build_root_path(session)}calls/", headers=FRAGMENT_HEADERS)
    )
    response = client.post(
        f"{build_root_path(session)}calls/answer/", {"call": call.pk}, headers=FRAGMENT_HEADERS
    )
    assert response.status_code == 302
    assert "waiting" not in read_text(
        client.get(f"{build_root_path(session)}calls/", headers=FRAGMENT_HEADERS)
    )
    call.refresh_from_db()
    assert call.answered_by == "director"


@pytest.mark.slow
def test_page_without_calls_links_director_to_phone_setup(client: Client, evening) -> None:
    session, _user = evening
    page = client.get(f"{build_root_path(session)}calls/").content.decode()
    main = page[page.index("<main") :]
    assert f'href="{build_root_path(session)}tables/"' in main


@pytest.mark.slow
def test_printed_cards_contain_each_tables_url(evening) -> None:
    session, _user = evening
    links = hall.phones.services.create_table_links(session=session, by=None)
    pdf = paper_files.draw_session_paper(session, "table_links", "A4")
    pages = PdfReader(io.BytesIO(pdf)).pages
    text = "".join(page.extract_text() for page in pages).replace("\n", "")
    assert len(pages) == 1
    assert [LAPTOP_URL + link.path in text for link in links] == [True] * 3
    assert reading.list_outside_marks(pages[0]) == []


def test_cards_are_not_printed_with_an_unreachable_url(evening, settings) -> None:
    session, _user = evening
    with pytest.raises(WhistError, match="No links yet"):
        paper_files.draw_session_paper(session, "table_links", "A4")
    hall.phones.services.create_table_links(session=session, by=None)
    settings.PHONE_ADDRESSES = []
    with pytest.raises(WhistError, match="can’t reach this computer"):
        paper_files.draw_session_paper(session, "table_links", "A4")


@pytest.mark.slow
def test_qr_code_has_finder_patterns_and_quiet_zone() -> None:
    qr_code = create_qr_code(LAPTOP_URL)
    assert qr_code.rows[0][:8] == (True,) * 7 + (False,)
    assert qr_code.rows[0][-7:] == (True,) * 7
    assert qr_code.rows[-1][:7] == (True,) * 7
    assert qr_code.size == len(qr_code.rows) + 8
    assert qr_code.path.startswith("M4 4h7v1h-7z")


@pytest.mark.slow
def test_hall_page_lists_accepted_host_names(client: Client, evening, settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "192.168.1.20", "laptop.local"]
    response = client.get("/director/hall/", headers={"Host": "192.168.1.20:8000"})
    text = read_text(response)
    assert f"{LAPTOP_URL}/" in text
    assert "laptop.local" in text
    assert "<svg" in text
    rejected_response = client.get("/director/hall/", headers={"Host": "somewhere.example.org"})
    assert rejected_response.status_code == 400


@pytest.mark.slow
def test_laptop_listening_only_locally_explains_how_to_admit_phones(
    client: Client, evening, settings
) -> None:
    settings.PHONE_ADDRESSES = []
    assert "make run HOST=0.0.0.0" in read_text(client.get("/director/hall/"))


def test_director_without_wifi_gets_three_ways_to_a_network(client: Client, evening) -> None:
    session, _user = evening
    address = f"/director/hall/no-wifi/?event={session.event.slug}"
    page = client.get("/director/hall/", {"event": session.event.slug}).content.decode()
    assert f'<a href="{address}">No Wi-Fi here?</a>' in page
    html = client.get(address).content.decode()
    assert html.count("<ol>") == 3
    assert f'<a href="/director/hall/?event={session.event.slug}">Wi-Fi access</a>' in html


class FakeNetworkAccess:
    """Network access of phones that only records its calls."""

    is_always_open, is_open = False, False

    def __init__(self, *, has_network: bool = True) -> None:
        self.has_network = has_network
        self.acts: list[str] = []

    def open(self) -> bool:
        self.acts.append("open")
        return self.has_network

    def close(self) -> None:
        self.acts.append("shut")


def install_fake_network_access(
    monkeypatch: pytest.MonkeyPatch, *, has_network: bool = True
) -> FakeNetworkAccess:
    """Replace the program's network access with one that only records its calls."""
    fake_access = FakeNetworkAccess(has_network=has_network)
    monkeypatch.setattr("server.hall_network._registered_networks", [fake_access])
    return fake_access


def test_director_switches_network_access_for_phones_on_and_off(
    client: Client, evening, settings, monkeypatch
) -> None:
    access = install_fake_network_access(monkeypatch)
    settings.PHONE_ADDRESSES = []
    settings.ALLOWED_HOSTS = ["*"]
    assert "Connect phones" in read_text(client.get("/director/hall/"))
    client.post("/director/hall/switch/", {"act": "open"})
    shut_form, local_host_headers = (
        {"act": "shut"},
        {"Host": "localhost:8000"},
    )  # any client can send that name
    client.post(
        "/director/hall/switch/", shut_form, headers=local_host_headers, REMOTE_ADDR="192.0.2.4"
    )
    assert access.acts == ["open"]
    client.post("/director/hall/switch/", shut_form, REMOTE_ADDR="127.0.0.1")
    assert access.acts == ["open", "shut"]


def test_director_returns_to_same_page_after_admitting_phones(
    client: Client, evening, settings, monkeypatch
) -> None:
    session, user = evening
    install_fake_network_access(monkeypatch)
    settings.PHONE_ADDRESSES = []
    tables = f"{build_root_path(session)}tables/"
    client.post(f"{tables}make/")
    address = f"/director/hall/?next={tables.replace('/', '%2F')}"
    assert f'href="{address}"' in read_text(client.get(tables))
    assert f'name="next" value="{tables}"' in read_text(client.get(address))
    form = {"act": "open", "next": tables}
    assert client.post("/director/hall/switch/", form)["Location"] == tables
    foreign_redirect_form = {"act": "open", "next": "https://elsewhere.example/"}
    assert (
        client.post("/director/hall/switch/", foreign_redirect_form)["Location"]
        == "/director/hall/"
    )
    user.set_unusable_password()
    user.save()
    client.force_login(user)
    password_url = client.post("/director/hall/switch/", form)["Location"]
    assert password_url.startswith("/director/password/?next=")
    assert unquote(unquote(password_url)).endswith(f"/director/hall/?next={tables}")


def test_laptop_without_a_network_shows_a_message(
    client: Client, evening, settings, monkeypatch
) -> None:
    install_fake_network_access(monkeypatch, has_network=False)
    response = client.post("/director/hall/switch/", {"act": "open"}, follow=True)
    assert "Join the room’s Wi-Fi" in read_text(response)


@pytest.mark.slow
def test_scorer_cannot_switch_network_access_on(
    client: Client, evening, settings, monkeypatch
) -> None:
    session, _user = evening
    access = install_fake_network_access(monkeypatch)
    client.force_login(evenings.create_scorer(session.event.club))
    assert client.post("/director/hall/switch/", {"act": "open"}).status_code == 403
    assert access.acts == []
    assert "Connect or disconnect" not in read_text(client.get("/director/hall/"))


@pytest.mark.slow
def test_server_deployment_has_no_hall_network_access(client: Client, evening) -> None:
    response = client.post("/director/hall/switch/", {"act": "open"}, follow=True)
    assert "use this server’s own address" in read_text(response)


def test_terminal_qr_code_is_square_with_light_border() -> None:
    qr_code = create_qr_code(LAPTOP_URL)
    assert {len(line) for line in qr_code.lines} == {qr_code.size}
    assert len(qr_code.lines) == (qr_code.size + 1) // 2
    assert qr_code.lines[0] == "█" * qr_code.size
    assert qr_code.lines[2].startswith("████ ▄▄▄▄▄ ")


@pytest.mark.slow
def test_page_that_already_shows_the_calls_is_not_redrawn(client: Client, evening) -> None:
    session, _user = evening
    link = hall.phones.services.create_table_links(session=session, by=None)[0]
    page = f"{build_root_path(session)}calls/"
    assert client.get(f"{page}?seen=", headers=FRAGMENT_HEADERS).status_code == 204
    call = clubs.evenings.services.call_director(link=link)
    response = client.get(f"{page}?seen=", headers=FRAGMENT_HEADERS)
    assert f"?seen={call.pk}.0" in read_text(response)
    assert client.get(f"{page}?seen={call.pk}.0", headers=FRAGMENT_HEADERS).status_code == 204
    DirectorCall.objects.update(at=call.at - timedelta(minutes=3))
    assert "calling (3" in read_text(
        client.get(f"{page}?seen={call.pk}.0", headers=FRAGMENT_HEADERS)
    )
    clubs.evenings.services.answer_call(call=call, by=None)
    assert client.get(f"{page}?seen={call.pk}.3", headers=FRAGMENT_HEADERS).status_code == 200


@pytest.mark.slow
def test_unreachable_qr_code_shows_a_warning(client: Client, evening, settings) -> None:
    session, _user = evening
    client.post(f"{build_root_path(session)}tables/make/")
    url = f"{build_root_path(session)}tables/{TableLink.objects.get(table=2).pk}/code/"
    assert "Phones can’t connect yet." not in read_text(client.get(url))
    settings.PHONE_ADDRESSES = []
    assert "Phones can’t connect yet." in read_text(client.get(url))


@pytest.mark.slow
def test_desk_page_counts_tables_with_qr_codes(client: Client, evening) -> None:
    session, _user = evening
    section = session.sections.get().pk
    client.post(f"{build_root_path(session)}tables/make/", {"section": section, "table": 2})
    assert "QR codes: 1 of 3 tables" in read_text(client.get(build_root_path(session)))
    client.post(f"{build_root_path(session)}tables/make/")
    assert "QR codes for all tables" in read_text(client.get(build_root_path(session)))


def test_director_call_links_to_its_table(client: Client, evening) -> None:
    session, _user = evening
    client.post(f"{build_root_path(session)}tables/make/")
    link = TableLink.objects.get(table=2)
    client.post(link.path, {"act": "call"})
    assert DirectorCall.objects.count() == 1
    text = read_text(client.get(f"{build_root_path(session)}calls/"))
    assert f"{build_root_path(session)}room/tables/2/?section=A" in text


def test_tables_of_large_hall_are_grouped_by_section(
    client: Client,
) -> None:
    event, user = evenings.create_event(54)
    entries = list(event.entries.order_by("number"))
    tournaments.services.seat_sections(
        session=event.sessions.get(),
        planned_sections=[
            tournaments.services.PlannedSection(
                build_named_movement("compass", pairs=18), {"pairs": 18}, field
            )
            for field in tournaments.services.divide_entries(entries, 3)
        ],
        boards_a_round=2,
        by=user,
    )
    client.force_login(user)
    page = " ".join(read_text(client.get(f"/director/events/{event.slug}/tables/")).split())
    links = re.findall(r'href="#(table-[^"]*)"> (Section [^<]*)</a>', page)
    assert links == [(f"table-{item}-1", f"Section {item}") for item in "ABC"]
    assert all(f'id="{target}"' in page for target, _words in links)
