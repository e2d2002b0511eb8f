"""Every paper fits its sheet in every language, and its labels are legible."""

import re
from typing import Any

import pytest
from django.utils import translation
from reportlab.pdfgen.canvas import Canvas

from printing import text_boxes
from tests.languages import LONG_LANGUAGE, offer_pseudo_languages
from tests.printing.every_paper import draw_every_paper
from tests.scoring.papers import reading

MIN_LABEL_POINTS = 6.0
WORD_PATTERN = re.compile(r"[^\W\d_]{2}")
LONG_NAMES = ("Maximilian", "Wielkopolska")  # a name may be smaller than a label
OTHER_LANGUAGES = ("nl", "da", "fr", "es", "sv", "nb")


@pytest.mark.parametrize(
    "language",
    [
        "de",
        LONG_LANGUAGE,
        *(pytest.param(code, marks=pytest.mark.slow) for code in OTHER_LANGUAGES),
    ],
)
def test_every_paper_fits_its_sheet_with_legible_labels(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = record_type_sizes(monkeypatch)
    faults: list[Any] = []
    papers: list[str] = []
    with offer_pseudo_languages(LONG_LANGUAGE), translation.override(language):
        for name, pdf in draw_every_paper():
            papers.append(name)
            for page in reading.read_pages(pdf):
                faults += [
                    (name, page.page_number + 1, check.__name__, page_faults[0])
                    for check in (
                        reading.list_outside_marks,
                        reading.list_collisions,
                        reading.list_crossed_strings,
                    )
                    if (page_faults := check(page))
                ]
            faults += [(name, *label) for label in sizes.items() if is_too_small(*label)]
            sizes.clear()
    assert len(papers) > 120
    assert faults == []


def record_type_sizes(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """Record the smallest type size in points of each line that is written from now on."""
    sizes: dict[str, float] = {}
    write_line = text_boxes._write_line

    def record(
        canvas: Canvas, line: str, left: float, baseline: float, font: str, size: float
    ) -> None:
        sizes[line] = min(size, sizes.get(line, size))
        write_line(canvas, line, left, baseline, font, size)

    monkeypatch.setattr(text_boxes, "_write_line", record)
    return sizes


def is_too_small(line: str, size: float) -> bool:
    is_label = WORD_PATTERN.search(line) and not any(name in line for name in LONG_NAMES)
    return bool(is_label) and round(size, 1) < MIN_LABEL_POINTS
