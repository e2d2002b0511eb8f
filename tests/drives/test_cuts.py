"""Equals cut cards for a prize: who won is kept, and can only be one of them."""

import pytest

from drives.models import Drive
from drives.services import enter_sheet, set_prizes
from tests.drives.test_desk_sheets import desk_of
from tests.drives.test_services import begun

pytestmark = pytest.mark.django_db
OWN = {"field": "all", "count": "1", "ties": "cut"}


def with_lines(*lines: str) -> Drive:
    """A drive of eight in which all partners are equal; a line is words, and a measure."""
    drive = begun(size=8, rounds=1)
    for table, made in ((1, 9), (2, 8)):
        enter_sheet(drive=drive, round_number=1, table=table, score=[made], by=None)
    told = [line.partition(" ") for line in lines]
    set_prizes(
        drive=drive,
        lines=[{"words": w, "measure": m or "total-high", "ties": "cut"} for w, _, m in told],
        by=None,
    )
    return drive


def posted(*lines: str) -> dict[str, list[str]]:
    told = [line.partition(" ") for line in lines]
    return {
        "words": [words for words, _space, _measure in told],
        "measure": [measure or "total-high" for _words, _space, measure in told],
        **{name: [value] * len(lines) for name, value in OWN.items()},
    }


@pytest.mark.parametrize(
    ("saved", "won"),
    [
        (("Wine", "Wine", "Ham"), [[1], [2], [3]]),  # unchanged
        (("", "Wine", "Ham"), [[2], [3]]),
        (("Wine", "", "Ham"), [[1], [3]]),
        (("Ham", "Wine", "Wine"), [[3], [2], [1]]),
        (("Wine", "Wine", "Wine", "Ham"), [[1], [2], [], [3]]),
        (("Wine total-low", "Wine", "Ham"), [[], [2], [3]]),
        (("Beer", "Wine", "Ham", "Wine"), [[], [2], [3], [1]]),
    ],
)
def test_prizes_of_the_same_words_keep_each_its_own_winner_of_a_cut(
    saved: tuple[str, ...], won: list[list[int]]
) -> None:
    drive = with_lines("Wine", "Wine", "Ham")
    for number in (1, 2, 3):
        drive.prizes.filter(number=number).update(won=[number])
    client, root = desk_of(drive)
    assert client.post(f"{root}prizes/", posted(*saved)).status_code == 302
    assert [prize.won for prize in drive.prizes.order_by("number")] == won
