"""Pages of games with contracts have no words and options about partners and winners."""

import re
from typing import Any

import pytest
from django.test import Client

from drives.services import create_drive, set_house_terms, set_pair_kept_apart
from drives.services.players import NewPlayer
from drives.sheets.desk import build_desk_page_data
from drives.snapshot import load_drive_snapshot
from tests import evenings
from tests.browser.drives import DRIVE_DATE, NAMES

pytestmark = pytest.mark.django_db
WIEZEN_SCORING: dict[str, Any] = {"kind": "player", "sum": 0, "game": "wiezen"}
PARTNER_WORD_PATTERN = re.compile(r"partner|[Ll]osers|[Ww]inners|ladies", re.IGNORECASE)


def sign_in_organiser(client: Client) -> Any:
    club, director = evenings.create_club_with_director()
    client.force_login(director)
    return club


def test_new_drive_of_a_game_with_contracts_does_not_mention_partners(client: Client) -> None:
    sign_in_organiser(client)
    ordinary_page = client.get("/director/drives/new/?count=20").content.decode()
    assert PARTNER_WORD_PATTERN.search(
        ordinary_page.split('id="forms"')[1].split("</section>")[0]
    )
    page = client.get("/director/drives/new/?preset=wiezen-evening&count=20").content.decode()
    forms_section = page.split('id="forms"')[1].split("</section>")[0]
    assert not PARTNER_WORD_PATTERN.search(forms_section)
    assert re.findall(r'name="form" value="([^"]+)"', forms_section) == [
        "lot",
        "social",
        "standing",
    ]
    assert re.search(r'value="lot"[^>]*checked', forms_section)
    assert page.count("data-for-partners hidden") == 2
    assert "data-for-partners hidden" not in ordinary_page
    costs_fragment = client.post(
        "/director/drives/new/costs/", {"preset": "rikken", "count": "20", "form": "lot"}
    ).content.decode()
    assert not PARTNER_WORD_PATTERN.search(costs_fragment)


def test_usual_scoring_with_contracts_hides_partners_too(client: Client) -> None:
    club = sign_in_organiser(client)
    set_house_terms(club=club, terms={"score": WIEZEN_SCORING, "form": "lot"}, by=None)
    page = client.get("/director/drives/new/").content.decode()
    assert not PARTNER_WORD_PATTERN.search(page.split('id="forms"')[1].split("</section>")[0])
    assert page.count("data-for-partners hidden") == 2


@pytest.mark.parametrize("form", ["lot", "social", "standing"])
def test_pages_of_a_drive_with_contracts_do_not_mention_partners(
    client: Client, form: str
) -> None:
    club = sign_in_organiser(client)
    drive = create_drive(
        club=club,
        name="Vrijdag",
        date=DRIVE_DATE,
        form=form,
        players=[NewPlayer(name=name) for name in NAMES],
        rounds=3,
        score=WIEZEN_SCORING,
        terms={} if form == "standing" else {"meet": "table"},
        by=None,
    )
    desk = build_desk_page_data(load_drive_snapshot(drive), lambda player: player.name)
    assert desk.round_text == "Find your table and seat on the list."
    drive_url = f"/director/drives/{drive.slug}/"
    if form != "standing":
        set_pair_kept_apart(
            drive=drive, player_number=1, other_player_number=2, is_kept_apart=True, by=None
        )
        players = client.get(f"{drive_url}players/").content.decode()
        assert "Never at one table" in players
        assert "Allow at one table" in players
        answer = client.post(
            f"{drive_url}players/apart/", {"one": "3", "other": "4"}, follow=True
        ).content.decode()
        assert "3 and 4 won’t sit at one table." in answer
        assert "partner" not in answer
    papers = client.get(f"{drive_url}papers/").content.decode()
    assert "partner" not in papers.split("<main")[1]
    closing_page = client.get(f"{drive_url}closing/").content.decode()
    assert 'value="contracts-made"' in closing_page
    assert 'value="head-won"' not in closing_page


def test_prize_list_of_an_ordinary_drive_has_no_measures_of_contracts(client: Client) -> None:
    club = sign_in_organiser(client)
    drive = create_drive(
        club=club,
        name="Friday",
        date=DRIVE_DATE,
        form="head-table",
        players=[NewPlayer(name=name) for name in NAMES],
        by=None,
    )
    page = client.get(f"/director/drives/{drive.slug}/closing/").content.decode()
    assert 'value="head-won"' in page
    assert 'value="contracts-made"' not in page
