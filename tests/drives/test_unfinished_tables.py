"""The next round starts after a question if tables have unfinished hands."""

from typing import Any

import pytest
from django.test import Client

from drives.models import Drive
from drives.services import enter_sheet, enter_total
from drives.snapshot import load_drive_snapshot
from tests.drives.test_pages import DRIVES_URL, create_organiser, read_text, sign_in
from tests.drives.test_services import begin_drive

pytestmark = pytest.mark.django_db
WIEZEN_SCORING = {"kind": "player", "sum": 0, "game": "wiezen"}


class OrganiserBrowser:
    """An organiser's browser, and a drive of two tables with two hands a round."""

    def __init__(self, form: str = "social", **terms: Any) -> None:
        user = create_organiser()
        club = user.memberships.get().club
        self.drive: Drive = begin_drive(form, 8, club=club, **{"rounds": 3, "hands": 2} | terms)
        self.client: Client = sign_in(user)

    def next_round(self, **form: str) -> str:
        """Click *Next round*; return the text of the question, "" if there is none."""
        url = f"{DRIVES_URL}{self.drive.slug}/next/"
        response = self.client.post(url, {"at": str(self.drive.at_round)} | form)
        self.drive.refresh_from_db()
        return read_text(response) if response.status_code == 200 else ""

    def enter_hand(self, table: int, hand: int, **values: Any) -> None:
        enter_sheet(drive=self.drive, round_number=1, table=table, hand=hand, by=None, **values)


def test_question_lists_the_unfinished_tables_and_starts_the_round_anyway() -> None:
    organiser = OrganiserBrowser(score=WIEZEN_SCORING)
    misere = {"contract": "misere", "by": [2], "made": [True]}
    for table, hand in ((1, 1), (1, 2), (2, 1)):
        organiser.enter_hand(table, hand, contract=misere)
    question = organiser.next_round()
    assert "Start round 2 anyway?" in question
    assert "1 table has unfinished hands" in question
    assert "hands/?round=1&amp;table=2" in question
    assert "hands/?round=1&amp;table=1" not in question
    assert "1 of 2 hands" in question
    assert "Missing hands score nothing until you enter them" in question
    assert f'href="{DRIVES_URL}{organiser.drive.slug}/">Go back</a>' in question
    assert organiser.drive.at_round == 1
    assert organiser.next_round(anyway="1") == ""
    assert organiser.drive.at_round == 2


def test_game_with_contracts_asks_even_if_no_hand_is_entered() -> None:
    organiser = OrganiserBrowser(score=WIEZEN_SCORING)
    assert "2 tables have unfinished hands" in organiser.next_round()


def test_complete_rounds_second_clicks_and_drives_without_scores_are_not_asked_about() -> None:
    organiser = OrganiserBrowser()
    assert organiser.next_round() == ""
    assert organiser.drive.at_round == 2
    assert organiser.next_round(at="1") == ""  # a second click on the page of round 1
    assert organiser.drive.at_round == 2


def test_drive_asks_once_a_table_of_the_round_has_a_score() -> None:
    organiser = OrganiserBrowser()
    organiser.enter_hand(1, 0, score=[14])
    assert "0 of 2 hands" in organiser.next_round()
    organiser.enter_hand(2, 0, score=[14])
    assert organiser.next_round() == ""
    assert organiser.drive.at_round == 2


def test_nothing_is_asked_where_cards_are_handed_in() -> None:
    organiser = OrganiserBrowser(score=WIEZEN_SCORING)
    number = load_drive_snapshot(organiser.drive).ranked_players[0].number
    enter_total(drive=organiser.drive, number=number, total=5, by=None)
    assert organiser.next_round() == ""


def test_question_keeps_the_chosen_winners() -> None:
    organiser = OrganiserBrowser("progressive")
    organiser.enter_hand(1, 1, score=[9])
    question = organiser.next_round(**{"won-2": "B"})
    assert 'name="won-2" value="B"' in question
    assert "1 table has unfinished hands" in question
    assert organiser.next_round(**{"won-2": "B", "anyway": "1"}) == ""
    assert organiser.drive.at_round == 2


def test_bell_ends_a_round_with_unfinished_hands_without_a_question() -> None:
    organiser = OrganiserBrowser("progressive", terms={"bell": "head"})
    organiser.enter_hand(1, 0, score=[14])
    organiser.enter_hand(2, 1, score=[9])
    assert organiser.next_round() == ""
    assert organiser.drive.at_round == 2
