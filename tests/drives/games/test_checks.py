"""Surprising hands get hints, wrong sums list mistakes, and changed points have a preview."""

import random
from typing import Any

import pytest

from drives.games import GAMES_BY_CODE
from drives.games.hints import find_hints
from drives.games.mistakes import Mistake, MistakeKind, find_mistakes
from drives.games.reading import parse_hand
from drives.services import change_points
from drives.sheets.points_preview import preview_points
from drives.snapshot import load_drive_snapshot
from tests.drives.games.test_hand_services import (
    begin_drive,
    enter_hand,
    list_sheet_rows,
    reload_drive,
)

TABLE = GAMES_BY_CODE["colour-whist"].points_table


def list_hints(previous_hand: dict[str, Any] | None = None, **hand: Any) -> list[str]:
    hand_before = parse_hand(previous_hand, TABLE) if previous_hand else None
    return find_hints(parse_hand(hand, TABLE), hand_before)


def test_surprising_hands_have_a_hint() -> None:
    assert list_hints(contract="together-8", by=[1, 2], tricks=4) == []
    assert list_hints(contract="together-8", by=[1, 2], tricks=3) == [
        "samen 8, tricks: 3. Is that right?"
    ]
    assert list_hints(contract="alone-5", by=[1], tricks=10) == []
    assert len(list_hints(contract="alone-5", by=[1], tricks=11)) == 1
    assert list_hints(contract="slam", by=[1], tricks=13) == [
        "solo slim was made: is that right?"
    ]
    troel = {"contract": "troel", "by": [1, 2], "tricks": 9}
    assert list_hints(troel, contract="troel-9", by=[1, 3], tricks=9) == [
        "troel, troef veranderd twice in a row: is that right?"
    ]


def test_wrong_sum_lists_the_likeliest_mistake_first() -> None:
    points = [11, -3, 15, -26]
    assert find_mistakes(points, -3) == []
    assert find_mistakes(points, -18)[0] == Mistake(MistakeKind.OMISSION, 3)
    assert find_mistakes(points, 3) == [
        Mistake(MistakeKind.WRONG_SIGN, 2),
    ]
    assert Mistake(MistakeKind.EXCHANGED_DIGITS, 3) in find_mistakes(points, -3 + 36)


def test_planted_mistake_is_always_listed_and_nearly_always_first() -> None:
    rng, listed_first_count = random.Random(8), 0
    for _sheet in range(1000):
        points = [rng.choice((-26, -21, -14, -7, -6, 3, 4, 7, 15, 21)) for _ in range(8)]
        hand = rng.randrange(8)
        kind, written_points = rng.choice(
            (
                (MistakeKind.OMISSION, sum(points) - points[hand]),
                (MistakeKind.WRONG_SIGN, sum(points) - 2 * points[hand]),
            )
        )
        mistakes = find_mistakes(points, written_points)
        assert Mistake(kind, hand + 1) in mistakes
        listed_first_count += (
            points[(mistakes[0].hand_number or 1) - 1] == points[hand]
            and mistakes[0].kind is kind
        )
    assert listed_first_count >= 850


@pytest.mark.django_db
def test_preview_shows_the_hands_and_totals_that_will_change() -> None:
    drive = begin_drive()
    enter_hand(drive, 1, contract="misere", by=[1], tricks=0)
    enter_hand(drive, 2, contract="slam", by=[2], tricks=13)
    snapshot, sheet_rows_before = (
        load_drive_snapshot(reload_drive(drive)),
        list_sheet_rows(drive),
    )
    house = {"contracts": {"misere": {"made": [10]}}}
    preview = preview_points(snapshot, None, house)
    seats = snapshot.round_by_number[1].seats_by_table[1]
    assert (preview.cells, preview.changed_hand_count) == (("misere.made",), 1)
    assert preview.totals_by_player[seats[0]] == (-9, 0)
    assert preview.totals_by_player[seats[1]] == (83, 80)
    assert list_sheet_rows(drive) == sheet_rows_before
    change_points(drive=drive, custom=None, house=house, by=None)
    tallies_after = load_drive_snapshot(reload_drive(drive)).scores.tallies
    assert {total: tallies_after[total].total for total in preview.totals_by_player} == {
        player: new_total
        for player, (_old_total, new_total) in preview.totals_by_player.items()
    }
