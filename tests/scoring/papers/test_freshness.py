"""Printed papers: which are needed, which are out of date, which have failed."""

import html

import pytest
from django.test import Client

import hall.phones.services
import scoring.services
import tournaments.services
from hall.challenges import services
from scoring.errors import PaperRefused
from scoring.models import Paper
from scoring.papers import paper_files
from scoring.papers.outdated_papers import list_needed_papers, list_outdated_kinds
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.short_names import list_names_by_partner
from tests import evenings
from tests.scoring.papers import reading
from tournaments.movements import build_named_movement
from tournaments.movements.own_cards import needs_own_guide_cards

pytestmark = pytest.mark.django_db


@pytest.fixture
def draw_ordered_papers(django_capture_on_commit_callbacks):
    """Order papers of a session and have them drawn."""

    def order_papers(session, user, *kinds: str) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            for kind in kinds:
                scoring.services.order_paper(session=session, kind=kind, size="A4", by=user)

    return order_papers


def read_papers_page(client: Client, session) -> str:
    response = client.get(f"/director/events/{session.event.slug}/papers/")
    return html.unescape(response.content.decode())


@pytest.mark.parametrize(
    ("movement", "is_guide_card_needed"), [("compass", False), ("howell", True)]
)
def test_full_set_includes_personal_guide_cards_if_pairs_separate(
    client: Client, movement: str, is_guide_card_needed: bool
) -> None:
    session, user = evenings.seat_session(6, movement=movement)
    client.force_login(user)
    assert (
        "pair_guides" in list_needed_papers(load_session_snapshot(session))
    ) is is_guide_card_needed
    page = client.get(f"/director/events/{session.event.slug}/papers/")
    titles = [title for _s, _n, titles in page.context["pack"]["spots"] for title in titles]
    assert ("Personal guide cards" in titles) is is_guide_card_needed
    assert {"Travellers", "Table guide cards", "Score slips"} <= set(titles)


def test_door_list_shows_number_table_and_side_of_everyone_by_name() -> None:
    session, _user = evenings.seat_session(6)
    pdf = paper_files.draw_session_paper(session, "door_list", "A4")
    (text,) = reading.read_texts(pdf)
    entry_names = session.event.entries.values_list("name", flat=True)
    names = sorted(
        (one_name for name in entry_names for one_name in list_names_by_partner(name)),
        key=str.casefold,
    )
    places = [text.index(name) for name in names]
    assert places == sorted(places)
    first_entry = session.event.entries.get(number=1)
    assert f"{list_names_by_partner(first_entry.name)[0]} 1 N-S table 1, N-S" in text


def test_papers_page_shows_sheet_count_of_score_explanations_in_advance(client: Client) -> None:
    session, user = evenings.seat_session(6)
    client.force_login(user)
    assert "the arithmetic: at least 6 sheets." in read_papers_page(client, session)


@pytest.mark.parametrize(
    ("name", "pairs", "needed"),
    [("compass", 9, False), ("compass-skip", 12, False), ("howell", 8, True)],
)
def test_entry_moving_with_the_table_needs_no_personal_guide_card(
    name: str, pairs: int, needed: bool
) -> None:
    assert needs_own_guide_cards(build_named_movement(name, pairs=pairs)) is needed


def test_corrected_name_marks_papers_with_names_out_of_date(
    client: Client, settings, draw_ordered_papers
) -> None:
    settings.PHONE_ADDRESSES = ["http://192.168.1.20:8000"]
    session, user = evenings.seat_session()
    client.force_login(user)
    services.create_entry_links(event=session.event, by=user)
    draw_ordered_papers(
        session, user, "travellers", "pair_guides", "score_slips", "entry_links"
    )
    assert list_outdated_kinds(session) == []
    entry = session.event.entries.get(number=2)
    tournaments.services.rename_entry(entry=entry, names=["Uma Nu", "Vic Nu"], by=user)
    assert list_outdated_kinds(session) == ["pair_guides", "score_slips", "entry_links"]
    assert read_papers_page(client, session).count("a name has since changed") == 3
    evening = client.get(f"/director/events/{session.event.slug}/").content.decode()
    text = "Personal guide cards, Score slips, Personal QR codes"
    assert text in evening
    draw_ordered_papers(session, user, "pair_guides", "score_slips", "entry_links")
    assert list_outdated_kinds(session) == []


def test_paper_with_qr_codes_requires_hall_access_and_links(
    client: Client, settings, draw_ordered_papers
) -> None:
    settings.PHONE_ADDRESSES = []
    session, user = evenings.seat_session()
    client.force_login(user)
    with pytest.raises(PaperRefused, match="First connect phones"):
        draw_ordered_papers(session, user, "table_links")
    page = read_papers_page(client, session)
    assert "First connect phones" in page
    assert '<a class="button" href="/director/hall/">Connect phones</a>' in page
    settings.PHONE_ADDRESSES = ["http://192.168.1.20:8000"]
    with pytest.raises(PaperRefused, match="First create table links"):
        draw_ordered_papers(session, user, "table_links")
    page = read_papers_page(client, session)
    assert f'href="/director/events/{session.event.slug}/tables/">Create links</a>' in page
    assert not Paper.objects.exists()
    hall.phones.services.create_table_links(session=session, by=user)
    draw_ordered_papers(session, user, "table_links")
    assert [paper.state for paper in Paper.objects.all()] == [Paper.State.READY]
    assert "Printing failed" not in read_papers_page(client, session)
