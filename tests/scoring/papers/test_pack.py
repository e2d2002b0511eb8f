"""The full set of papers: one file in the order of use, with its sheets counted in advance."""

import html
import re
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

import hall.phones.services
import scoring.services
import tournaments.services
from clubs.services.clubs import set_logo
from scoring.models import Paper
from scoring.papers import PAPER_KINDS, paper_files
from scoring.papers.waits import describe_required_step
from tests import evenings
from tests.scoring.papers import reading
from tournaments.models import Session

pytestmark = pytest.mark.django_db


def read_papers_page(client: Client, session: Session, user) -> str:
    client.force_login(user)
    response = client.get(f"/director/events/{session.event.slug}/papers/")
    return " ".join(html.unescape(response.content.decode()).split())


@pytest.mark.slow
@pytest.mark.parametrize("has_table_links", [False, True])
@pytest.mark.parametrize(
    ("movement", "pairs"), [("compass", 6), ("howell", 6), ("compass", 9), ("compass-skip", 8)]
)
def test_printed_sheets_match_the_counted_ones_in_order(
    client: Client, settings, movement: str, pairs: int, has_table_links: bool
) -> None:
    settings.PHONE_ADDRESSES = ["http://192.168.1.20:8000"] if has_table_links else []
    session, user = evenings.seat_session(pairs, movement=movement)
    if has_table_links:
        hall.phones.services.create_table_links(session=session, by=user)
    page = read_papers_page(client, session, user)
    match = re.search(
        r"(\d+) sheets of A4, .*?: (\d+) at the door, (\d+) on the tables, "
        r"(\d+) with the boards, (\d+) on the wall\.",
        page,
    )
    assert match
    sheets, door_sheet_count, tables, boards, wall_sheet_count = map(int, match.groups())
    texts = reading.read_texts(paper_files.draw_session_paper(session, "pack", "A4"))
    assert len(texts) == sheets == door_sheet_count + tables + boards + wall_sheet_count
    assert "Who sits where" in texts[0]
    assert "Trump" not in texts[-1]
    assert "Dealer" in texts[door_sheet_count + tables]
    section = session.sections.get()
    table_texts = texts[door_sheet_count : door_sheet_count + tables]
    for table in range(1, section.tables + 1):
        assert any(f"Table {table} " in text and "Round N-S" in text for text in table_texts), (
            table
        )
    assert ("phone on the hall’s Wi-Fi" in " ".join(table_texts)) is has_table_links
    notice = "Table QR codes: connect phones first"
    assert (notice in page) is not has_table_links


def test_full_set_is_ordered_in_one_click_in_the_events_paper_size(
    client: Client, django_capture_on_commit_callbacks
) -> None:
    session, user = evenings.seat_session()
    session.event.paper_size = "Letter"
    session.event.save()
    client.force_login(user)
    order_url = f"/director/events/{session.event.slug}/papers/order/"
    with django_capture_on_commit_callbacks(execute=True):
        client.post(order_url, {"kind": "pack"})
    (row,) = Paper.objects.all()
    assert (row.kind, row.size, row.state) == ("pack", "Letter", Paper.State.READY)
    with row.file.open("rb") as file:
        assert reading.list_page_sizes(file.read()) == {(216, 279), (279, 216)}


@pytest.mark.parametrize("session_state", ["planned", "open", "played", "closed"])
def test_unavailable_paper_is_explained_and_not_made(
    client: Client, settings, session_state: str
) -> None:
    settings.PHONE_ADDRESSES = []
    session, user = (
        evenings.seat_session()
        if session_state in ("planned", "open")
        else evenings.play_session()
    )
    if session_state == "open":
        session = scoring.services.open_session(session=session, by=user)
    if session_state == "closed":
        session = scoring.services.close_session(session=session, by=user)
    page = read_papers_page(client, session, user)
    required_steps_by_kind = {
        kind.name: describe_required_step(session, kind)
        for kind in PAPER_KINDS
        if kind.is_offered(session.event)
    }
    assert {
        kind_name
        for kind_name, required_step in required_steps_by_kind.items()
        if required_step == "enter scores"
    } == (
        {"ranking", "recap", "explanations"} if session_state in ("planned", "open") else set()
    )
    hand_records_step = "" if session_state == "closed" else "close the session"
    assert required_steps_by_kind["hand_records"] == hand_records_step
    for kind in PAPER_KINDS:
        if not kind.is_offered(session.event) or f'id="kind-{kind.name}"' not in page:
            continue
        entry = page.split(f'id="kind-{kind.name}"')[1].split("</li>")[0]
        assert ("Print" in entry) is (required_steps_by_kind[kind.name] == "")
        assert (f"First {required_steps_by_kind[kind.name]}" in entry) is (
            required_steps_by_kind[kind.name] != ""
        )
        if required_steps_by_kind[kind.name]:
            order = f"/director/events/{session.event.slug}/papers/order/"
            client.post(order, {"kind": kind.name})
            assert not Paper.objects.filter(kind=kind.name).exists()


def test_papers_page_without_movement_only_links_to_choosing_one(
    client: Client,
) -> None:
    event, user = evenings.create_event()
    page = read_papers_page(client, event.sessions.get(), user)
    assert "Choose a movement first." in page
    assert f'href="/director/events/{event.slug}/movement/"' in page
    assert 'id="kind-' not in page


def test_result_papers_before_play_are_refused_with_a_message(client: Client) -> None:
    session, user = evenings.seat_session()
    client.force_login(user)
    order = f"/director/events/{session.event.slug}/papers/order/"
    for kind in ("Standings", "Recap", "How scores are worked out"):
        name = next(paper.name for paper in PAPER_KINDS if paper.title == kind)
        html = client.post(order, {"kind": name}, follow=True).content.decode()
        assert f"{kind} isn’t available yet. First enter scores." in html
    assert not Paper.objects.exists()


def order_paper_and_follow(client: Client, session: Session, kind: str, run) -> Paper:
    """Order a paper, have it drawn, and follow the page's link."""
    with run(execute=True):
        response = client.post(
            f"/director/events/{session.event.slug}/papers/order/", {"kind": kind}
        )
    row = Paper.objects.order_by("pk").last()
    assert response.url.endswith(f"/papers/?wanted={row.pk}")
    page = client.get(response.url).content.decode()
    assert (f'data-open="/director/papers/{row.pk}/"' in page) is (row.state == "ready")
    return row


def read_pages(row: Paper) -> list[str]:
    with row.file.open("rb") as file:
        return reading.read_texts(file.read())


def test_set_after_a_change_contains_only_the_changed_sheets(
    client: Client, django_capture_on_commit_callbacks
) -> None:
    run = django_capture_on_commit_callbacks
    session, user = evenings.seat_session()
    client.force_login(user)
    first_paper = order_paper_and_follow(client, session, "pack", run)
    pages = read_pages(first_paper)
    assert "differ" not in read_papers_page(client, session, user)
    entry = session.event.entries.get(number=2)
    tournaments.services.rename_entry(entry=entry, names=["Uma Nu", "Vic Nu"], by=user)
    page_text = read_papers_page(client, session, user)
    match = re.search(r"a name has since changed\. (\d+) sheets have changed\.", page_text)
    assert match
    changed_pages = read_pages(order_paper_and_follow(client, session, "pack_changed", run))
    assert len(changed_pages) == int(match[1]) < len(pages)
    assert all("Uma Nu" in text for text in changed_pages)
    repeated_pages = read_pages(order_paper_and_follow(client, session, "pack", run))
    assert len(repeated_pages) == len(pages)
    assert [text for text in repeated_pages if text not in pages] == changed_pages
    assert "differ" not in read_papers_page(client, session, user)


def test_set_of_changed_sheets_requires_a_full_set_and_a_change(
    client: Client, django_capture_on_commit_callbacks
) -> None:
    run = django_capture_on_commit_callbacks
    session, user = evenings.seat_session()
    client.force_login(user)
    order_url = f"/director/events/{session.event.slug}/papers/order/"
    html = client.post(order_url, {"kind": "pack_changed"}, follow=True).content.decode()
    assert "First print the full set." in html
    order_paper_and_follow(client, session, "pack", run)
    paper = order_paper_and_follow(client, session, "pack_changed", run)
    assert (paper.state, paper.error) == (
        Paper.State.FAILED,
        "No sheets have changed since the last set.",
    )


def test_paper_size_of_an_event_is_set_once_and_can_be_undone(client: Client) -> None:
    session, user = evenings.seat_session()
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/papers/size/"
    page = client.post(address, {"size": "Letter"}, follow=True).content.decode()
    assert "Paper size is now Letter." in page
    assert "Undo" in page
    session.event.refresh_from_db()
    assert session.event.paper_size == "Letter"
    assert "A4 or Letter" in client.post(address, {"size": "A3"}, follow=True).content.decode()


def test_paper_headings_show_the_clubs_logo_in_black(settings) -> None:
    session, user = evenings.seat_session()
    pdf_without_logo = paper_files.draw_session_paper(session, "door_list", "A4")
    picture = BytesIO()
    Image.new("RGBA", (60, 40), "#a1261c").save(picture, "PNG")
    set_logo(club=session.event.club, content=picture.getvalue(), by=user)
    session = Session.objects.get(pk=session.pk)
    pdf_with_logo = paper_files.draw_session_paper(session, "door_list", "A4")
    assert (
        pdf_without_logo.count(b"/Subtype /Image"),
        pdf_with_logo.count(b"/Subtype /Image"),
    ) == (0, 1)
    assert b"/DeviceRGB" not in pdf_with_logo.partition(b"/Subtype /Image")[0][-400:]
    assert reading.read_texts(pdf_with_logo) == reading.read_texts(pdf_without_logo)
