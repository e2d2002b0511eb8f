"""Measure the season's papers: text fits, nothing overlaps, boxes are large enough."""

from collections import defaultdict
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from clubs.models import Club
from printing import paper, text_boxes
from printing.box import MM, Box
from printing.fonts import measure_width
from seasons.calendar import papers as attendance
from seasons.calendar.sheets.evening import (
    AttendanceSheet,
    PersonLine,
    TableMoneySums,
    UnpaidFee,
)
from seasons.ladders import papers
from seasons.ladders.models import Season
from seasons.ladders.rules import LadderEntry
from seasons.ladders.rules.handicaps import HandicapLine
from seasons.ladders.sheets.handicaps import HandicapRanking, HandicapRankingLine
from tests.scoring.papers import reading

LONG_NAME = "Wilhelmina Featherstonehaugh-Cholmondeley of Worcestershire and Massachusetts"


@pytest.fixture
def drawn_lines(monkeypatch: pytest.MonkeyPatch) -> dict[int, list[tuple[str, Box]]]:
    """Record every line of text of each page, with the area that its letters take."""
    actual: dict[int, list[tuple[str, Box]]] = defaultdict(list)
    write = text_boxes._write_line

    def record_text(
        canvas: Canvas, line: str, left: float, base: float, font: str, size: float
    ) -> Any:
        ascent, descent = size * text_boxes.CAP_HEIGHT_RATIO, size * 0.22
        box = Box(left, base - descent, measure_width(line, font) * size, ascent + descent)
        actual[canvas.getPageNumber()].append((line, box))
        return write(canvas, line, left, base, font, size)

    monkeypatch.setattr(text_boxes, "_write_line", record_text)
    return actual


def check_layout(lines_by_page: dict[int, list[tuple[str, Box]]], size: paper.Size) -> None:
    page = paper.get_page_box(size)
    for lines in lines_by_page.values():
        for place, (line, box) in enumerate(lines):
            assert box.left >= 5 * MM, line
            assert box.right <= page.right - 5 * MM, line
            assert box.bottom >= 3 * MM, line
            for other_line, other_box in lines[place + 1 :]:
                is_overlapping = (
                    box.left < other_box.right - 0.3
                    and other_box.left < box.right - 0.3
                    and box.bottom < other_box.top - 0.3
                    and other_box.bottom < box.top - 0.3
                )
                assert not is_overlapping, (line, other_line)


def build_attendance(people: int) -> AttendanceSheet:
    debts = (
        UnpaidFee(1, date(2026, 11, 3), "kr 1234.50"),
        UnpaidFee(2, date(2026, 11, 10), "kr 1234.50"),
    )
    lines = [
        PersonLine(
            pk=n,
            name=LONG_NAME if n % 5 == 0 else f"Player {n}",
            attendance_kind="member",
            kind_label="member" if n % 2 else "visitor from elsewhere",
            fee=123450,
            fee_text="kr 1234.50",
            settled=("owing", "cash", "other", "free")[n % 4],
            settlement_label="",
            debts=debts if n % 3 == 0 else (),
        )
        for n in range(people)
    ]
    money_sums = TableMoneySums(
        "SEK", 99999900, 99999900, 99999900, 99999900, 99999900, 99999900
    )
    return AttendanceSheet(
        LONG_NAME, LONG_NAME, date(2026, 11, 23), "", tuple(lines), money_sums, ()
    )


@pytest.mark.slow
@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.parametrize("people", [0, 19, 20, 21, 22, 23, 24, 60])
def test_attendance_sheet_has_no_overlapping_text(
    people: int, size: paper.Size, drawn_lines: dict[int, list[tuple[str, Box]]]
) -> None:
    attendance.draw_attendance_list(build_attendance(people), paper_size=size)
    check_layout(drawn_lines, size)
    text = " ".join(line for lines in drawn_lines.values() for line, _box in lines)
    assert "Player 1" in text or people < 2


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_tick_boxes_are_at_least_eight_millimetres(
    size: paper.Size, monkeypatch: pytest.MonkeyPatch
) -> None:
    box_sizes = []
    rule = attendance.grid.draw_grid

    def record_box(canvas: Canvas, box: Box, columns: Any, rows: int, **fields: Any) -> float:
        column_boxes = box.split_columns(*(column.weight for column in columns))
        box_sizes.extend(
            (column_box.width, fields["row_height"]) for column_box in column_boxes[3:6]
        )
        return rule(canvas, box, columns, rows, **fields)

    monkeypatch.setattr(attendance.grid, "draw_grid", record_box)
    attendance.draw_attendance_list(build_attendance(5), paper_size=size)
    assert len(box_sizes) == 3
    assert min(min(pair) for pair in box_sizes) >= 8 * MM


@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.parametrize("measure_code", ["plus", "percent"])
def test_handicap_ranking_has_no_overlapping_text(
    size: paper.Size, measure_code: str, drawn_lines: dict[int, list[tuple[str, Box]]]
) -> None:
    lines = []
    for n in range(40):
        entry = LadderEntry((1, 2), Fraction(n), 24, ranked_group_code="ANS", place=100 + n)
        line = HandicapLine(
            entry, Fraction(-12345, 8), Fraction(-47, 100), Fraction(-98765, 100),
            Fraction(n), 100 + n, True,
        )  # fmt: skip
        lines.append(
            HandicapRankingLine(
                (LONG_NAME, LONG_NAME) if n % 7 == 0 else ("Ann", "Bo"), line, ()
            )
        )
    sheet = HandicapRanking(
        Season(club=Club(name=LONG_NAME), name=LONG_NAME),
        "e",
        LONG_NAME,
        date(2026, 11, 23),
        measure_code,
        tuple(lines),
        True,
    )
    papers.draw_ranking(sheet, paper_size=size)
    assert len(drawn_lines) == 2
    check_layout(drawn_lines, size)


def test_attendance_sheet_is_sorted_and_printed_by_surname() -> None:
    whole = build_attendance(3)
    names = ("Ann Young", "Zoë Alder", "Jan van Dyck")
    lines = tuple(
        replace(line, name=name) for line, name in zip(whole.lines, names, strict=True)
    )
    (text,) = reading.read_texts(attendance.draw_attendance_list(replace(whole, lines=lines)))
    sorted_names = ["Alder, Zoë", "van Dyck, Jan", "Young, Ann"]
    assert sorted(sorted_names, key=text.index) == sorted_names
