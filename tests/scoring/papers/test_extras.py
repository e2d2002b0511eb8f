"""Hand records, the movement for the wall and the announcement, read back."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.whist import PACK, Seat
from scoring.papers import announcement, hand_records, wall_sheet
from scoring.sheets.hall_values import Announcement
from tests.scoring.papers import reading, samples
from tests.scoring.papers.test_slips import PAPER_SIZES, is_laid_out_well

# hand records


def test_suits_are_printed_in_four_colours_if_chosen() -> None:
    sheets = samples.build_hand_records(1)
    fill_colours = reading.list_fill_colours(hand_records.draw_pdf(sheets))
    four_colour_fills = reading.list_fill_colours(hand_records.draw_four_colour_pdf(sheets))
    assert len(fill_colours) == 0
    assert len(four_colour_fills) == 4
    assert reading.read_texts(hand_records.draw_pdf(sheets)) == reading.read_texts(
        hand_records.draw_four_colour_pdf(sheets)
    )


def test_hand_records_are_printed_six_to_a_page() -> None:
    for size in ("A4", "Letter"):
        page_texts = reading.read_texts(
            hand_records.draw_pdf(samples.build_hand_records(14), paper_size=size)
        )
        assert [page.count("Best play") for page in page_texts] == [6, 6, 2]


def test_hand_record_shows_cards_dealer_leader_turn_up_and_best_play() -> None:
    (sheet,) = samples.build_hand_records(1)
    deal = sheet.deal
    assert deal is not None
    (text,) = reading.read_texts(hand_records.draw_pdf([sheet]))
    for seat in Seat:
        for suit in "SHDC":
            ranks = [card.rank.text for card in PACK if card in deal.hands[seat]]
            texts = [card.rank.text for card in sorted(deal.hands[seat]) if card.suit == suit]
            assert len(ranks) == 13
            assert " ".join(texts) in text
    assert "Board 1" in text
    assert "Dealer North" in text
    assert "East leads" in text
    assert "Best play: N-S 1, E-W 12" in text
    assert f"{deal.turn_up.suit.symbol} {deal.turn_up.rank.text}" in text


def test_turn_up_and_dealer_are_framed() -> None:
    (page,) = reading.read_pages(hand_records.draw_pdf(samples.build_hand_records(1)))
    boxes = [mark for mark in reading.list_marks(page) if mark.kind == "box"]
    assert len(boxes) == 3  # the table, the dealer's letter, the turn-up in the dealer's hand


def test_result_counts_show_how_often_each_result_was_made() -> None:
    (sheet,) = samples.build_hand_records(1)
    line = sheet.lines[0]
    lines = tuple(replace(line, ns_tricks=tricks) for tricks in (8, 7, 8, None, 10))
    result_counts = hand_records.format_result_counts(replace(sheet, lines=lines))
    assert result_counts == "N-S tricks, and how often: 7 (1), 8 (2), 10 (1)"
    assert hand_records.format_result_counts(replace(sheet, lines=())) == ""


def test_secret_deal_prints_no_card() -> None:
    (text,) = reading.read_texts(
        hand_records.draw_pdf(samples.build_hand_records(1, known=False))
    )
    assert "This board was redealt. The new hands aren’t known." in text
    assert not set("♠♥♦♣") & set(text)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.integers(1, 20), PAPER_SIZES)
def test_hand_records_never_overflow(boards: int, size: str) -> None:
    pdf = hand_records.draw_pdf(
        samples.build_hand_records(boards, heading=samples.LONG_HEADING), paper_size=size
    )
    assert is_laid_out_well(pdf)


# wall sheet


def test_wall_sheet_shows_every_meeting_with_its_boards() -> None:
    sheet = samples.build_wall_sheet(7, 7, commitment="9f" * 32)
    (text,) = reading.read_texts(wall_sheet.draw_wall_sheet_pdf(sheet))
    assert "Mitchell, 7 tables" in text
    assert "9f" * 32 in text
    assert text.count(" v ") == 49 + 1  # and once in the legend
    assert "North-South pairs stay" in text
    assert all(f"Table {number}" in text for number in range(1, 8))


def test_many_tables_continue_on_further_pages() -> None:
    text = reading.read_texts(wall_sheet.draw_wall_sheet_pdf(samples.build_wall_sheet(14, 13)))
    assert len(text) == 2
    assert "Table 7" in text[0]
    assert "Table 8" in text[1]
    assert "page 2 of 2" in text[1]


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(
    st.integers(1, 20),
    st.integers(0, 24),
    PAPER_SIZES,
    st.sampled_from(["", "shares with table 13"]),
)
def test_wall_sheet_never_overflows(tables: int, rounds: int, size: str, note: str) -> None:
    sheet = samples.build_wall_sheet(
        tables, rounds, heading=samples.LONG_HEADING, note=note, commitment="a1" * 32
    )
    assert is_laid_out_well(wall_sheet.draw_wall_sheet_pdf(sheet, paper_size=size))


# announcement


def test_announcement_is_printed_in_full_on_as_many_pages_as_needed() -> None:
    texts = tuple(f"Thing {number} to say. " + "Boards go down. " * 40 for number in range(9))
    pdf = announcement.draw_announcement_pdf(Announcement(samples.HEADING, texts))
    text = reading.read_texts(pdf)
    assert len(text) > 1
    assert " ".join(text).count("Boards go down.") == 9 * 40
    assert is_laid_out_well(pdf)


def test_paragraph_longer_than_a_page_is_split_between_lines() -> None:
    pdf = announcement.draw_announcement_pdf(
        Announcement(samples.LONG_HEADING, ("Count the cards. " * 300,))
    )
    assert " ".join(reading.read_texts(pdf)).count("cards.") == 300
    assert is_laid_out_well(pdf)
