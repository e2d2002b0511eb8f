"""The texts of a row in the grid of hands, and the hands that they mean."""

import random
from typing import Any

import pytest

from drives.errors import HandRefused
from drives.games import GAMES
from drives.games.hand_rows import RowTexts, format_row, read_row
from drives.games.house import build_points_table, build_table_data
from drives.games.reading import build_hand_data, parse_hand
from tests.drives.games.random_hands import make_hand, make_house

COLOUR = GAMES["colour-whist"].table


@pytest.mark.parametrize("code", GAMES)
def test_every_random_hand_is_the_same_after_its_texts(code: str) -> None:
    chance = random.Random(39)
    for _house in range(20):
        table = build_points_table(GAMES[code], None, make_house(chance, code))
        for _hand in range(50):
            hand = make_hand(chance, build_table_data(table))
            if chance.random() < 0.2:
                hand["fines"] = [{"by": chance.randint(1, 4), "each": 5, "why": "revoke"}]
            stored = build_hand_data(parse_hand(hand, table).hand)
            read = read_row(table, format_row(table, stored, ()))
            assert (read.score, parse_hand(read.contract, table).hand) == (
                [],
                parse_hand(stored, table).hand,
            )


def read(contract: str = "", players: str = "", tricks: str = "", **more: str) -> Any:
    return read_row(COLOUR, RowTexts(contract, players, tricks, **more))


@pytest.mark.parametrize(
    ("texts", "hand"),
    [
        (("t8", "13", "9"), {"contract": "together-8", "by": [1, 3], "tricks": 9}),
        (("T8", "1 3", " 9 "), {"contract": "together-8", "by": [1, 3], "tricks": 9}),
        (("together-8", "1,3", "9"), {"contract": "together-8", "by": [1, 3], "tricks": 9}),
        (("om", "2", "+"), {"contract": "open-misere", "by": [2], "made": [True]}),
        (("o", "2", "−"), {"contract": "open-misere", "by": [2], "made": [False]}),
        (("gm", "12", "+-"), {"contract": "grand-misere", "by": [1, 2], "made": [True, False]}),
        (("gm", "12", "0 1"), {"contract": "grand-misere", "by": [1, 2], "tricks": [0, 1]}),
        (("ss", "4", "-"), {"contract": "slam", "by": [4], "made": False}),
        (("t8", "13", "9 4"), {"contract": "together-8", "by": [1, 3], "tricks": [9, 4]}),
        (("", "", ""), {}),
    ],
)  # fmt: skip
def test_texts_are_read_as_a_hand(texts: tuple[str, str, str], hand: dict[str, Any]) -> None:
    assert read(*texts).contract == hand


def test_passed_deals_doubling_revokes_fines_and_scores() -> None:
    found = read("t8", "13", "9", passed="2", other="x2; r; f4:5 revoke; f 1 3")
    assert found.contract == {
        "times": 2,
        "revokes": 1,
        "fines": [{"by": 4, "each": 5, "why": "revoke"}, {"by": 1, "each": 3}],
        "passed": 2,
        "contract": "together-8",
        "by": [1, 3],
        "tricks": 9,
    }
    assert read(scores="3 −1 -1 / -1") == ({}, [3, -1, -1, -1])
    assert read(scores="0, 0, 0, 0") == ({}, [0, 0, 0, 0])
    assert read(other="f4:5").contract == {"fines": [{"by": 4, "each": 5}]}


@pytest.mark.parametrize(
    ("texts", "place"),
    [
        ({"contract": "t1", "players": "13", "tricks": "9"}, "contract"),  # t10 to t13
        ({"contract": "zz"}, "contract"),
        ({"players": "13"}, "contract"),
        ({"tricks": "9"}, "contract"),
        ({"contract": "t8", "players": "A C", "tricks": "9"}, "players"),
        ({"contract": "t8", "players": "¹³", "tricks": "9"}, "players"),
        ({"contract": "t8", "players": "13", "tricks": "nine"}, "tricks"),
        ({"contract": "t8", "players": "13", "tricks": "999"}, "tricks"),
        ({"contract": "t8", "players": "13", "tricks": "8.5"}, "tricks"),
        ({"contract": "t8", "passed": "-1"}, "passed"),
        ({"contract": "t8", "other": "doubled"}, "other"),
        ({"contract": "t8", "other": "f5:3"}, "other"),
        ({"contract": "t8", "scores": "1 1 -1 -1"}, "scores"),
        ({"scores": "1 1 -1"}, "scores"),
        ({"scores": "1 1 -1 x"}, "scores"),
        ({"scores": "9999999 1 -1 1"}, "scores"),
    ],
)
def test_unreadable_texts_are_refused_with_the_box(texts: dict[str, str], place: str) -> None:
    with pytest.raises(HandRefused) as refused:
        read(**texts)
    assert refused.value.place == place
    assert refused.value.detail
