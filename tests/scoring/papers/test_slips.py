"""Guide cards, score slips and trump slips, read back."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.whist import WhistError
from scoring.papers import guide_cards, score_slips, trump_slips
from tests.scoring.papers import reading, samples

PAPER_SIZES = st.sampled_from(["A4", "Letter"])


def is_laid_out_well(pdf: bytes) -> bool:
    """Check that no text is outside the page, over other text, or crossed by a rule."""
    return not any(
        reading.list_outside_marks(page)
        or reading.list_collisions(page)
        or reading.list_crossed_strings(page)
        for page in reading.read_pages(pdf)
    )


# guide cards


def test_guide_cards_of_seven_rounds_are_printed_two_to_a_page() -> None:
    page_texts = reading.read_texts(guide_cards.draw_pdf(samples.build_guide_cards(7, 7)))
    assert len(page_texts) == 4
    assert (
        page_texts[0].count("After each round the E-W pair goes to the next higher table") == 2
    )
    assert "1 1 N-S 1 E-W 1–4 2 1 N-S 7 E-W 5–8" in page_texts[0]


def test_guide_cards_of_many_rounds_take_a_page_each() -> None:
    cards = samples.build_guide_cards(13, 13, note="shares boards with table 1")
    text = reading.read_texts(guide_cards.draw_pdf(cards))
    assert len(text) == 13
    assert all(page.count("shares boards with table 1") == 7 for page in text)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 45), st.integers(0, 3), PAPER_SIZES, st.sampled_from(["", "sit-out"]))
def test_guide_cards_never_overflow(rounds: int, moves: int, size: str, note: str) -> None:
    cards = samples.build_guide_cards(
        14, rounds, heading=samples.LONG_HEADING, note=note, moves=moves
    )[:2]
    pdf = guide_cards.draw_pdf(cards, paper_size=size)
    assert is_laid_out_well(pdf)


# score slips


def test_score_slip_heading_shows_names_pair_and_starting_table() -> None:
    text = reading.read_texts(score_slips.draw_pdf(samples.score_slips(4, 28)))
    assert len(text) == 2
    for expected in ("Ada Pole & Łucja Nowak", "Pair", "1 N-S", "Starts at table 1, N-S"):
        assert expected in text[0]
    for column in (
        "Board",
        "Round",
        "Against",
        "Trump",
        "Won",
        "Lost",
        "+/−",
        "Total",
    ):
        assert text[0].count(column) >= 2


def test_short_score_slips_are_printed_four_to_a_page_up_to_36_boards() -> None:
    assert len(reading.read_pages(score_slips.draw_pdf(samples.score_slips(4, 10)))) == 1
    for size in ("A4", "Letter"):
        assert (
            len(
                reading.read_pages(
                    score_slips.draw_pdf(samples.score_slips(2, 36), paper_size=size)
                )
            )
            == 1
        )


def test_sit_out_has_a_line_with_nothing_to_fill_in() -> None:
    (text,) = reading.read_texts(score_slips.draw_pdf(samples.score_slips(1, 4, sit_out=True)))
    assert "– 2 – – sit-out – – – –" in text


def test_long_score_slip_continues_on_a_second_slip_with_every_board() -> None:
    text = " ".join(reading.read_texts(score_slips.draw_pdf(samples.score_slips(1, 60))))
    assert "Slip 1 of 2." in text
    assert "Slip 2 of 2." in text
    assert text.count("So far") == text.count("Total") == 1
    assert " 60 15 1 N-S" in text


def test_slip_with_opponents_names_uses_the_page_width() -> None:
    (slip,) = samples.score_slips(1, 8)
    lines = tuple(
        replace(line, opponents=samples.make_name(line.board_number or 0))
        for line in slip.lines
    )
    pdf = score_slips.draw_pdf([replace(slip, lines=lines)])
    assert is_laid_out_well(pdf)
    (text,) = reading.read_texts(pdf)
    assert all(samples.make_name(board) in text for board in (1, 2, 5, 6))


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 80), st.integers(1, 3), PAPER_SIZES, st.booleans())
def test_score_slips_never_overflow(boards: int, pairs: int, size: str, sit_out: bool) -> None:
    slips = samples.score_slips(pairs, boards, heading=samples.LONG_HEADING, sit_out=sit_out)
    assert is_laid_out_well(score_slips.draw_pdf(slips, paper_size=size))


# trump slips


def test_trump_slip_shows_only_card_board_number_and_dealer() -> None:
    slip = replace(samples.build_trump_slips(6)[5], turn_up="HT")
    (text,) = reading.read_texts(trump_slips.draw_pdf([slip]))
    assert text == "Board 6 Dealer East ♥ 10"


def test_unknown_turn_up_leaves_a_box_to_write_in() -> None:
    pdf = trump_slips.draw_pdf(samples.build_trump_slips(1, is_turn_up_known=False))
    assert reading.read_texts(pdf) == ["Board 1 Dealer North"]
    (page,) = reading.read_pages(pdf)
    assert [mark.kind for mark in reading.list_marks(page)].count("box") == 1


@pytest.mark.parametrize(
    ("turn_up", "printed_text"), [("SA", "♠ A"), ("HT", "♥ 10"), ("d10", "♦ 10"), ("C2", "♣ 2")]
)
def test_card_is_printed_as_symbol_and_rank(turn_up: str, printed_text: str) -> None:
    slip = replace(samples.build_trump_slips(1)[0], turn_up=turn_up)
    assert reading.read_texts(trump_slips.draw_pdf([slip]))[0].endswith(printed_text)


def test_invalid_turn_up_is_refused_with_a_message() -> None:
    with pytest.raises(WhistError, match="isn’t a card"):
        trump_slips.draw_pdf([replace(samples.build_trump_slips(1)[0], turn_up="X9")])


@given(st.integers(0, 120), st.integers(1, 24))
def test_stacks_cut_from_the_pile_contain_consecutive_boards(count: int, places: int) -> None:
    ordered_slips = trump_slips.order_slips_for_cutting(list(range(count)), places)
    pages = [
        ordered_slips[first_number : first_number + places]
        for first_number in range(0, len(ordered_slips), places)
    ]
    stacked_slips = [
        slip for place in range(places) for page in pages for slip in [page[place]]
    ]
    assert [slip for slip in stacked_slips if slip is not None] == list(range(count))


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.integers(1, 70), st.booleans(), PAPER_SIZES)
def test_trump_slips_never_overflow(boards: int, known: bool, size: str) -> None:
    pdf = trump_slips.draw_pdf(
        samples.build_trump_slips(boards, is_turn_up_known=known), paper_size=size
    )
    assert is_laid_out_well(pdf)
    assert len(reading.read_pages(pdf)) == min(-(-boards // 20), -(-boards // 25))
    assert "".join(reading.read_texts(pdf)).count("Dealer") == boards
