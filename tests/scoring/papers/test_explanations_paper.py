"""Each entry's arithmetic on paper: complete, on separate pages, in a legible font size."""

from dataclasses import replace

import pytest

from scoring.papers import explanations
from tests.scoring.papers import reading, samples


def test_every_explanation_is_printed_once() -> None:
    text = " ".join(
        reading.read_texts(explanations.draw_pdf(samples.build_explanations(2, 28)))
    )
    for board in range(1, 29):
        assert text.count(f"Board {board}, N-S:") == 2
    assert text.count("Revoke by E-W (Law X.4): claimed at once.") == 2


def test_each_entry_has_its_own_pages() -> None:
    pages = reading.read_texts(explanations.draw_pdf(samples.build_explanations(3, 80)))
    page_entry_numbers = [next(n for n in (1, 2, 3) if f"{n} N-S " in page) for page in pages]
    assert page_entry_numbers == [1, 1, 2, 2, 3, 3]


@pytest.mark.slow
def test_text_shrinks_slightly_to_save_a_sheet() -> None:
    def read_pages(boards: int) -> list[str]:
        return reading.read_texts(explanations.draw_pdf(samples.build_explanations(1, boards)))

    max_boards_on_page = next(
        boards for boards in range(69, 19, -1) if len(read_pages(boards)) == 1
    )
    pages = read_pages(max_boards_on_page + 1)
    assert len(pages) == 2
    assert pages[1].count("Board ") > 2


def test_nothing_is_printed_over_the_edge_or_overlaps() -> None:
    for page in reading.read_pages(
        explanations.draw_pdf(samples.build_explanations(1, 80), paper_size="Letter")
    ):
        assert reading.list_outside_marks(page) == []
        assert reading.list_collisions(page) == []


def test_paper_made_too_early_is_marked_provisional() -> None:
    sheet = replace(samples.build_explanations(1, 4)[0], is_complete=False)
    assert "Provisional" in " ".join(reading.read_texts(explanations.draw_pdf([sheet])))
