from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printing.paper import NothingToPrint, UnknownPaperSize
from scoring.papers import travellers
from tests.scoring.papers import reading, samples


def test_twenty_eight_travellers_are_printed_four_to_a_page() -> None:
    pdf = travellers.draw_pdf(samples.build_travellers(7, 28))
    page_texts = reading.read_texts(pdf)
    assert len(page_texts) == 7
    assert all(page.count("Riverside Whist Club") == 4 for page in page_texts)
    assert all(page.count("Dealer") == 4 for page in page_texts)


def test_short_travellers_are_printed_eight_to_a_page_with_eight_mm_rows() -> None:
    pdf = travellers.draw_pdf(samples.build_travellers(3, 20))
    assert [page.count("Dealer") for page in reading.read_texts(pdf)] == [8, 8, 4]
    heights = reading.list_row_heights(reading.read_pages(pdf)[0])
    assert min(height for height in heights if height > 7) >= 8


@pytest.mark.parametrize(
    ("paper_size", "millimetres"), [("A4", (210, 297)), ("Letter", (216, 279))]
)
def test_pages_have_the_requested_size(paper_size: str, millimetres: tuple[int, int]) -> None:
    assert reading.list_page_sizes(
        travellers.draw_pdf(samples.build_travellers(3, 9), paper_size=paper_size)
    ) == {millimetres}


def test_traveller_shows_board_dealer_event_and_columns() -> None:
    (text,) = reading.read_texts(travellers.draw_pdf(samples.build_travellers(7, 28)[5:6]))
    for expected in ("Board", "6", "Dealer East", "Tuesday compass", "10 March 2026"):
        assert expected in text
    for column in ("Round", "Table", "N-S pair", "E-W pair", "Tricks N-S", "Tricks E-W"):
        assert column in text
    assert "Initials" in text
    assert text.count(" R ") == 2  # a revoke mark for each side


def test_traveller_shows_neither_cards_nor_trump() -> None:
    text = " ".join(reading.read_texts(travellers.draw_pdf(samples.build_travellers(7, 28))))
    assert "Tuesday" in text
    assert not set("♠♥♦♣♡♢♤♧") & set(text)
    assert "trump" not in text.lower()
    assert "turn-up" not in text.lower()


def test_traveller_rows_are_those_of_the_movement() -> None:
    slip = samples.build_travellers(7, 28)[0]
    (text,) = reading.read_texts(travellers.draw_pdf([slip]))
    rows = " ".join(
        f"{line.round_number} {line.table_label} {line.ns} {line.ew}" for line in slip.lines
    )
    assert rows in text


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_eleven_rows_are_at_least_eight_millimetres_high(size: str) -> None:
    (page,) = reading.read_pages(
        travellers.draw_pdf(samples.build_travellers(11, 1), paper_size=size)
    )
    assert min(reading.list_row_heights(page)) >= 8.0


def test_surplus_rows_continue_on_a_numbered_second_slip() -> None:
    (text,) = reading.read_texts(travellers.draw_pdf(samples.build_travellers(21, 2)))
    assert text.count("slip 1 of 2") == 2
    assert text.count("slip 2 of 2") == 2
    assert text.count("Dealer North") == 2


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 60), st.sampled_from(["A4", "Letter"]), st.integers(1, 3))
def test_nothing_overflows_for_any_number_of_rows(rows: int, size: str, boards: int) -> None:
    slips = samples.build_travellers(13, boards, heading=samples.LONG_HEADING, rows=rows)
    for page in reading.read_pages(travellers.draw_pdf(slips, paper_size=size)):
        assert not reading.list_outside_marks(page)
        assert not reading.list_collisions(page)
        assert not reading.list_crossed_strings(page)
        assert min(reading.list_row_heights(page), default=6.0) >= 6.0


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 45))
def test_every_round_is_printed_once(rows: int) -> None:
    (slip,) = samples.build_travellers(7, 1, rows=rows)
    lines = tuple(replace(line, ns=f"{500 + line.round_number}") for line in slip.lines)
    text = " ".join(reading.read_texts(travellers.draw_pdf([replace(slip, lines=lines)])))
    assert [text.count(str(500 + round_)) for round_ in range(1, rows + 1)] == [1] * rows


def test_identical_sheets_give_identical_bytes() -> None:
    slips = samples.build_travellers(5, 20, heading=samples.LONG_HEADING)
    assert travellers.draw_pdf(slips) == travellers.draw_pdf(slips)


def test_shared_content_of_boards_is_stored_once_in_the_file() -> None:
    pdf = travellers.draw_pdf(samples.build_travellers(1, 8))
    large_pdf = travellers.draw_pdf(samples.build_travellers(1, 80))
    # A board adds its number, its place, and two structure elements.
    assert len(large_pdf) - len(pdf) < 72 * 450


def test_missing_boards_and_unknown_paper_size_are_refused_with_a_message() -> None:
    with pytest.raises(NothingToPrint, match="needs boards and seats first"):
        travellers.draw_pdf([])
    with pytest.raises(UnknownPaperSize, match="Choose A4 or Letter"):
        travellers.draw_pdf(samples.build_travellers(3, 3), paper_size="A3")
