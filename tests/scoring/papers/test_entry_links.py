"""The slips with the pairs' personal links."""

import pytest

from scoring.papers import entry_links
from scoring.papers.entry_links import format_hall_instructions, format_link_instructions
from tests.scoring.papers import reading, samples


@pytest.mark.slow
@pytest.mark.parametrize("paper_size", ["A4", "Letter"])
def test_eight_slips_fit_a_page_without_overlapping(paper_size: str) -> None:
    cards = samples.build_entry_link_slips(9)
    pages = reading.PdfReader(
        reading.BytesIO(entry_links.draw_pdf(cards, paper_size=paper_size))
    ).pages
    assert len(pages) == 2
    for page in pages:
        assert reading.list_outside_marks(page) == []
        assert reading.list_collisions(page) == []
        assert reading.list_crossed_strings(page) == []
    text = "".join(page.extract_text() for page in pages)
    assert all(card.name.split(" & ")[0] in text for card in cards)
    assert all(card.url in text.replace("\n", "") for card in cards)


def test_slip_says_how_long_a_score_can_be_queried() -> None:
    assert "within 24 hours" in format_link_instructions(24)
    assert "within 1 hour." in format_link_instructions(1)
    assert "Wrong" not in format_link_instructions(0)


def test_slip_usable_only_in_the_hall_names_no_later_deadline() -> None:
    hall_instructions = format_hall_instructions(24)
    assert "before you leave" in hall_instructions
    assert "hours" not in hall_instructions
    assert "Wrong" not in format_hall_instructions(0)
