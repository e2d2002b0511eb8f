"""Contracts made and lost, and the best hand, break ties and win prizes."""

import pytest

from clubs.activities.secrecy import format_full_name
from drives.files.drive_file import parse_drive_file
from drives.files.export import export_drive
from drives.files.standings import build_standings_data
from drives.games import GAMES_BY_CODE
from drives.games.hand_tallies import HandTally, PlayedHand, tally_hands
from drives.services import set_prizes
from drives.sheets.standing import build_drive_standings, list_awards
from drives.snapshot import load_drive_snapshot
from tests.drives.games.test_hand_services import (
    WIEZEN_SCORING,
    begin_drive,
    enter_hand,
    reload_drive,
)


def test_tally_counts_contracts_of_each_declarer() -> None:
    hands: list[tuple[tuple[int, ...], dict[str, object]]] = [
        ((3, -3, 3, -3), {"contract": "together-8", "by": [1, 3], "tricks": 9}),
        ((28, -28, 0, 0), {"contract": "misere", "by": [1, 2], "made": [True, False]}),
        ((4, -12, 4, 4), {"contract": "alone-5", "by": [2], "tricks": 4}),
        ((3, -1, -1, -1), {}),
    ]
    played_hands = [PlayedHand((7, 8, 9, 5), score, bid) for score, bid in hands]
    assert tally_hands(GAMES_BY_CODE["wiezen"].points_table, played_hands) == {
        7: HandTally(2, 0, 28),
        8: HandTally(0, 2, -1),
        9: HandTally(1, 0, 4),
        5: HandTally(0, 0, 4),
    }


@pytest.mark.django_db
@pytest.mark.parametrize("measure", ["contracts-made", "best-hand", "fewest-lost"])
def test_equal_totals_are_ranked_by_the_chosen_measure(measure: str) -> None:
    drive = begin_drive(hands=2, size=4, score=WIEZEN_SCORING | {"ties": [measure]})
    enter_hand(drive, 1, contract="misere", by=[1], tricks=0)
    enter_hand(drive, 2, contract="misere", by=[2], tricks=1)
    set_prizes(drive=drive, lines=[{"words": "Best", "measure": measure}], by=None)
    snapshot = load_drive_snapshot(reload_drive(drive))
    seats = snapshot.round_by_number[1].seats_by_table[1]
    lines = build_drive_standings(snapshot, format_full_name, is_for_staff=True).lines
    assert lines[0].person.number == seats[0]
    standings_data = build_standings_data(parse_drive_file(export_drive(snapshot)))
    assert [standing["number"] for standing in standings_data["standings"]][:1] == [seats[0]]
    assert list_awards(snapshot, format_full_name)[0].reason
