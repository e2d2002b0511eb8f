"""A bracket on the wall has legible names, including long ones."""

from dataclasses import replace

import pytest

from scoring.papers import bracket
from scoring.sheets.brackets import BracketMatch, BracketSheet
from tests.scoring.papers import reading, stage_samples

LONG = "The Wanderers of Lower Market Town"


def named(sheet: BracketSheet) -> BracketSheet:
    """Return the same bracket with team names of several words."""

    def with_names(match: BracketMatch) -> BracketMatch:
        one, other = (
            side if side.entry is None else replace(side, name=f"{LONG} {side.seed}")
            for side in (match.one, match.other)
        )
        return replace(match, one=one, other=other)

    rounds = [
        replace(each, matches=tuple(with_names(match) for match in each.matches))
        for each in sheet.rounds
    ]
    return replace(sheet, rounds=tuple(rounds))


@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.parametrize("entrants", [8, 16])
def test_a_long_name_goes_on_two_lines_rather_than_be_small(entrants: int, size: str) -> None:
    pdf = bracket.draw_pdf([named(stage_samples.bracket(entrants))], size=size)
    assert LONG in reading.words(pdf)[0]
    for page in reading.pages(pdf):
        texts = [mark for mark in reading.marks(page) if mark.kind == "text"]
        assert min(mark.top - mark.bottom for mark in texts if mark.right > mark.left) > 5
        assert reading.outside(page) == []
        assert reading.collisions(page) == []
        assert reading.crossed(page) == []
