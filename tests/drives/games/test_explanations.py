"""Every number of a hand is explained in sentences."""

import re

import pytest
from django.test import Client

from clubs.activities.secrecy import format_full_name
from clubs.models import TableLink
from drives.games import GAMES_BY_CODE
from drives.games.contracts import replace_local_names_by_titles
from drives.games.explaining import explain_hand
from drives.games.house import build_points_table
from drives.games.reading import parse_hand
from drives.models import CardLink
from drives.services import close_drive, create_card_links, create_table_links, enter_sheet
from drives.sheets.people import build_person
from drives.sheets.seats import build_player_page
from drives.snapshot import load_drive_snapshot
from tests.drives.games.test_hand_services import begin_drive
from tests.factories import MembershipFactory

NAMES = ["Ann", "Bea", "Cy", "Di"]


def explain_for_seat(game: str, hand: dict[str, object], seat: int | None = None) -> list[str]:
    table = replace_local_names_by_titles(build_points_table(GAMES_BY_CODE[game], None, {}))
    return explain_hand(table, parse_hand(hand, table), NAMES, seat_number=seat)


@pytest.mark.parametrize(
    ("game", "hand", "sentences"),
    [
        (
            "colour-whist",
            {"contract": "abondance-9", "by": [1], "tricks": 11},
            ["Ann: Abondance 9, made with 11 tricks, 20 from each of three, +60."],
        ),
        (
            "colour-whist",
            {"contract": "together-12", "by": [2, 4], "tricks": 10},
            ["Bea and Di: Together 12, 10 tricks, 2 short, −26 each."],
        ),
        (
            "wiezen",
            {"contract": "misere", "by": [3], "made": False},
            ["Cy: Misère lost, 7 to each of three, −21."],
        ),
        (
            "solo-whist",
            {"contract": "solo", "by": [1], "tricks": 6, "revokes": 1},
            [
                "Ann: Solo, lost with 6 tricks, 8 to each of three, −24.",
                "Revoke: the contract is lost. Tricks deducted: 3.",
            ],
        ),
        (
            "solo-whist",
            {"contract": "solo", "by": [1], "tricks": 5},
            ["Ann: Solo, made with 5 tricks, 6 from each of three, +18."],
        ),
        (
            "danish-whist",
            {"contract": "9-vip", "by": [1, 2], "tricks": 10, "times": 2},
            [
                "Ann and Bea: 9 vip, made with 10 tricks, +32 each.",
                "Doubled at the table: points × 2.",
            ],
        ),
    ],
)
def test_hand_is_explained(game: str, hand: dict[str, object], sentences: list[str]) -> None:
    assert explain_for_seat(game, hand) == sentences


def test_player_reads_an_explanation_of_each_number_and_the_sum() -> None:
    hand = {"contract": "grand-misere", "by": [1, 3], "tricks": [0, 2]}
    assert explain_for_seat("colour-whist", hand, seat=3) == [
        "Against Ann: Grand misère made, −12.",
        "Cy: Grand misère lost, 12 to each of three, −36.",
        "Total: −48.",
    ]


def test_fine_is_explained_to_the_payer_and_to_the_others() -> None:
    hand = {"fines": [{"by": 4, "each": 5, "why": "revoke"}]}
    assert explain_for_seat("wiezen", hand, seat=4) == [
        "Di: fine (revoke), 5 to each of three, −15."
    ]
    assert explain_for_seat("wiezen", hand, seat=1) == ["From Di: fine (revoke), +5."]


@pytest.mark.django_db
def test_own_page_of_a_player_explains_each_hand_of_the_table() -> None:
    drive = begin_drive()
    contracts = {
        1: {"contract": "together-8", "by": [1, 3], "tricks": 9},
        2: {"contract": "misere", "by": [2], "made": [True]},
    }
    for table in (1, 2):
        for hand, contract in contracts.items():
            enter_sheet(drive=drive, round_number=1, table=table, hand=hand, contract=contract,
                by=None)  # fmt: skip
    enter_sheet(drive=drive, round_number=1, table=1, hand=3, score=[3, -1, -1, -1], by=None)
    snapshot = load_drive_snapshot(drive)
    first_player, second = snapshot.round_by_number[1].seats_by_table[1][:2]
    page = build_player_page(snapshot, int(first_player), format_full_name)
    lines = [
        (hand.hand_number, hand.points, hand.running_total) for hand in page.rounds[0].hands
    ]
    assert lines == [(1, 3, 3), (2, -7, -4), (3, 3, -1)]
    companion_numbers = [person.number for person in page.rounds[0].companions]
    assert companion_numbers == [*snapshot.round_by_number[1].seats_by_table[1][1:]]
    assert "made with 9 tricks, +3 each." in page.rounds[0].hands[0].explanation[0]
    name = build_person(snapshot, second, format_full_name).name
    assert page.rounds[0].hands[1].explanation == (f"Against {name}: miserie made, −7.",)
    create_card_links(drive=drive, by=None)
    link = CardLink.objects.get(holder__drive=drive, holder__number=first_player)
    html = Client().get(link.path).content.decode()
    assert "My points in round 1" in html
    assert "Your total so far: −1" in html
    assert re.findall(r'figure">([^<]+)<', html) == ["+3", "+3", "−7", "−4", "+3", "−1"]
    assert "miserie made, −7." in html


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("standings_shown", "is_closed", "code"),
    [("always", False, 200), ("after", False, 404), ("after", True, 200), ("half", False, 200)],
)
def test_player_points_open_from_the_standings_once_these_are_visible(
    standings_shown: str, code: int, *, is_closed: bool
) -> None:
    drive = begin_drive(standings_shown=standings_shown)
    hand = {"contract": "misere", "by": [2], "made": True}
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, contract=hand, by=None)
    enter_sheet(drive=drive, round_number=1, table=1, hand=2, score=[3, -1, -1, -1], by=None)
    enter_sheet(drive=drive, round_number=1, table=1, hand=3, score=[0] * 4, by=None)
    enter_sheet(drive=drive, round_number=1, table=1, hand=4, score=[5, -5, 0, 0], by=None)
    if is_closed:
        close_drive(drive=drive, anyway=True, by=None)
    number = load_drive_snapshot(drive).round_by_number[1].seats_by_table[1][0]
    path = f"/drives/{drive.slug}/players/{number}/"
    response = Client().get(path)
    assert response.status_code == code
    assert (path in Client().get(f"/drives/{drive.slug}/").text) is (code == 200)
    desk = Client()
    desk.force_login(MembershipFactory(club=drive.club).user)
    own_points_url = f"/director/drives/{drive.slug}/points/{number}/"
    pages = [desk.get(own_points_url)] + ([response] if code == 200 else [])
    for page in pages:
        assert "miserie made, −7." in page.text
        assert "Entered without a contract: +3." in page.text
        assert "Everyone passed: 0." in page.text
        points = re.findall(r"<b>([^<]+)</b>", page.text.partition('id="round-1"')[2])
        assert points[:5] == ["+1", "−7", "+3", "0", "+5"]
        assert "Total: +1" in page.text
        assert f"<h1>P{number} ({number}): points</h1>" in page.text
    standings = desk.get(f"/director/drives/{drive.slug}/standings/").text
    assert own_points_url in standings
    assert f'href="{own_points_url}">+1<' in standings
    assert own_points_url in desk.get(f"/director/drives/{drive.slug}/hands/").text
    assert Client().get(own_points_url).status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize("number", [0, 99])
def test_points_of_an_unknown_player_or_without_a_game_are_not_found(number: int) -> None:
    drive = begin_drive(standings_shown="always")
    assert Client().get(f"/drives/{drive.slug}/players/{number}/").status_code == 404
    drive_without_game = begin_drive(
        standings_shown="always", score={"kind": "player", "sum": 0}
    )
    assert Client().get(f"/drives/{drive_without_game.slug}/players/1/").status_code == 404
    assert (
        f"/drives/{drive_without_game.slug}/players/1/"
        not in Client().get(f"/drives/{drive_without_game.slug}/").text
    )


@pytest.mark.django_db
def test_phone_without_javascript_shows_the_hint_about_a_surprising_hand() -> None:
    drive = begin_drive()
    create_table_links(drive=drive, by=None)
    link = TableLink.objects.get(evening=drive.evening, table=1)
    hand = {"contract": "together-8", "by": [1, 3], "tricks": 3}
    enter_sheet(
        drive=drive,
        round_number=1,
        table=1,
        hand=1,
        contract=hand,
        agreement="awaited",
        by=None,
    )
    assert "vragen en meegaan, tricks: 3. Is that right?" in Client().get(link.path).text
