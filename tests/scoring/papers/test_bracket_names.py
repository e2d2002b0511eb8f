"""A bracket on the wall has legible names, including long ones."""

from dataclasses import replace

import pytest

from scoring.papers import bracket
from scoring.sheets.brackets import BracketMatch, BracketSheet
from tests.scoring.papers import reading, stage_samples

LONG_TEAM_NAME = "The Wanderers of Lower Market Town"


def rename_teams(sheet: BracketSheet) -> BracketSheet:
    """Return the same bracket with team names of several words."""

    def lengthen_names(match: BracketMatch) -> BracketMatch:
        first_side, second_side = (
            side if side.entry is None else replace(side, name=f"{LONG_TEAM_NAME} {side.seed}")
            for side in (match.one, match.other)
        )
        return replace(match, one=first_side, other=second_side)

    rounds = [
        replace(round_, matches=tuple(lengthen_names(match) for match in round_.matches))
        for round_ in sheet.rounds
    ]
    return replace(sheet, rounds=tuple(rounds))


@pytest.mark.parametrize("paper_size", ["A4", "Letter"])
@pytest.mark.parametrize("entrants", [8, 16])
def test_long_name_uses_two_lines_before_shrinking(entrants: int, paper_size: str) -> None:
    pdf = bracket.draw_pdf(
        [rename_teams(stage_samples.build_bracket(entrants))], paper_size=paper_size
    )
    assert LONG_TEAM_NAME in reading.read_texts(pdf)[0]
    for page in reading.read_pages(pdf):
        texts = [mark for mark in reading.list_marks(page) if mark.kind == "text"]
        assert min(mark.top - mark.bottom for mark in texts if mark.right > mark.left) > 5
        assert reading.list_outside_marks(page) == []
        assert reading.list_collisions(page) == []
        assert reading.list_crossed_strings(page) == []
