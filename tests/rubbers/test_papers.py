"""The ledger of a rubber night: the players' names are in a legible font size."""

from datetime import date

import pytest

from printing.values import Heading
from rubbers.papers import ledger
from rubbers.sheets.marker import MarkerHand
from rubbers.sheets.on_paper import PrintedNight, PrintedSpell, PrintedTable
from tests.scoring.papers import reading

SIDE_NAMES = (
    "Maximiliane Schwarzenberg Wittelsbach + Bartholomew Featherstonehaugh",
    "Alexandros Papadiamantopoulos + Wilhelmina Cholmondeley Worcester",
)


def build_night_paper() -> PrintedNight:
    hand = MarkerHand(
        spell=1,
        number=1,
        hand_text="A 11, B 2",
        points_text="A: 5 points for tricks",
        score="5–0",
        win_text="game, a treble",
        dealer="Ann",
        is_reason_required=False,
        data={},
    )
    table = PrintedTable("Table 1", 1, (), (PrintedSpell(SIDE_NAMES, (hand,)),))
    return PrintedNight(
        heading=Heading("Riverside Whist Club", "Rubber night", date(2026, 11, 26)),
        law_code_title="Short whist",
        changed_terms=(),
        rules_text="",
        has_honours=True,
        has_rubbers=True,
        tables=(table,),
        standing_lines=(),
    )


@pytest.mark.parametrize("paper_size", ["A4", "A5", "Letter"])
def test_each_side_has_a_column_for_its_names(paper_size: str) -> None:
    """Regression: both sides were in one column, on three or four lines of three-point type."""
    pdf = ledger.PAPER_KIND.draw_pdf(build_night_paper(), paper_size=paper_size)
    (text,) = reading.read_texts(pdf)
    assert f"A: {SIDE_NAMES[0]} B: {SIDE_NAMES[1]}" in text
    for page in reading.read_pages(pdf):
        assert reading.list_outside_marks(page) == []
        assert reading.list_collisions(page) == []
        texts = [mark for mark in reading.list_marks(page) if mark.kind == "text"]
        assert min(mark.top - mark.bottom for mark in texts if mark.right > mark.left) > 4
