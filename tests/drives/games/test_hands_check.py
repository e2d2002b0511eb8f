"""The director's pages list missing and unusual hands and likely slips."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.activities.secrecy import format_full_name
from drives.models import Drive
from drives.services import NewPlayer, create_drive, enter_sheet, enter_total
from drives.sheets.hands_check import build_hands_report
from drives.snapshot import load_drive_snapshot
from tests import evenings
from tests.factories import ClubFactory

pytestmark = pytest.mark.django_db


def begin_drive(club: Any = None, hand_count: int = 4, **score: Any) -> Drive:
    """Create a wiezen drive of four players, with four hands in its first round."""
    return create_drive(
        club=club or ClubFactory(),
        name="Wiezen",
        date=date(2026, 11, 20),
        form="lot",
        players=[NewPlayer(name=f"P{k}") for k in range(1, 5)],
        secret=b"one",
        rounds=3,
        hands=hand_count,
        score={"kind": "player", "sum": 0} | score,
        by=None,
    )


def enter_hand(drive: Drive, hand: int, **values: Any) -> None:
    enter_sheet(drive=drive, round_number=1, table=1, hand=hand, by=None, **values)


def reload_drive(drive: Drive) -> Drive:
    return Drive.objects.select_related("club", "evening").get(pk=drive.pk)


def test_missing_and_unusual_hands_and_likely_slips_are_listed() -> None:
    drive = begin_drive(game="wiezen")
    enter_hand(drive, 1, contract={"contract": "together-8", "by": [1, 3], "tricks": 3})
    enter_hand(drive, 2, contract={"contract": "misere", "by": [1], "tricks": 0})
    enter_hand(drive, 3, score=[12, -4, -4, -4])
    snapshot = load_drive_snapshot(reload_drive(drive))
    player_number = snapshot.round_by_number[1].seats_by_table[1][0]
    assert isinstance(player_number, int)
    enter_total(drive=drive, number=player_number, total=-14 + 12, by=None)
    snapshot = load_drive_snapshot(reload_drive(drive))
    report = build_hands_report(snapshot, format_full_name)
    assert report is not None
    assert report.missing_hands == ("round 1, table 1: 3 of 4 hands",)
    assert report.unbalanced_hands == ()
    assert len(report.hints) == 1
    assert report.hints[0].startswith("round 1, table 1, hand 1: ")
    assert ", tricks: 3. Is that right?" in report.hints[0]
    (card,) = report.cards
    assert (card.person.number, card.written_total, card.computed_total) == (
        player_number,
        -2,
        19,
    )
    assert card.mistakes[0] == "round 1, table 1, hand 2, 21: left out?"


@pytest.mark.parametrize("page", ["drive_closing", "drive_totals"])
def test_hand_check_is_shown_only_for_drives_with_a_game(client: Client, page: str) -> None:
    club, user = evenings.create_club_with_director()
    client.force_login(user)
    for score, is_shown in (({"game": "wiezen"}, True), ({}, False)):
        drive = begin_drive(club, **score)
        enter_hand(drive, 1, score=[3, -1, -1, -1])
        enter_total(drive=drive, number=1, total=5, by=None)
        response = client.get(reverse(page, args=[drive.slug]))
        assert ("Check hands" in response.text) is is_shown


def test_total_on_a_card_is_not_added_to_the_hand_points() -> None:
    drive = begin_drive(game="wiezen")
    enter_hand(drive, 1, contract={"contract": "misere", "by": [1], "tricks": 0})
    first = int(
        load_drive_snapshot(reload_drive(drive)).round_by_number[1].seats_by_table[1][0]
    )
    enter_total(drive=drive, number=first, total=21, by=None)
    snapshot = load_drive_snapshot(reload_drive(drive))
    assert snapshot.scores.tallies[first].total == 21
    drive_without_contracts = begin_drive()
    enter_total(drive=drive_without_contracts, number=first, total=21, by=None)
    assert (
        load_drive_snapshot(reload_drive(drive_without_contracts)).scores.tallies[first].total
        == 21
    )


@pytest.mark.parametrize(
    ("hands", "words"),
    [(1, "round 1, table 1: 0 of 1 hand"), (8, "round 1, table 1: 0 of 8 hands")],
)
def test_one_hand_of_a_round_is_written_in_the_singular(hands: int, words: str) -> None:
    drive = begin_drive(game="wiezen", hand_count=hands)
    report = build_hands_report(load_drive_snapshot(reload_drive(drive)), format_full_name)
    assert report is not None
    assert report.missing_hands == (words,)
