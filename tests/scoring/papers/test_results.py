"""The ranking and the recap, read back."""

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printing import grid, paper
from printing.fonts import SANS_FONT, measure_width
from printing.table_flow import paginate_tables
from scoring.papers import ranking, recap
from scoring.sheets.standings_edition import Correction, Edition
from tests.scoring.papers import reading, samples
from tests.scoring.papers.test_slips import PAPER_SIZES, is_laid_out_well


def test_ranking_lists_fields_averages_ties_and_fractions() -> None:
    (text,) = reading.read_texts(ranking.draw_pdf(samples.rank_table(7)))
    assert "Final standings" in text
    assert "North-South average 174 tricks" in text
    assert "East-West average 190.33 tricks" in text
    assert "2 2 N-S Rosa Matthews & Ольга Иванова 28 181 +5.50 58.00 %" in text
    assert text.count("=3") == 4
    assert "page 1 of 1" in text


def test_overall_winner_is_marked_by_a_word_and_a_shape() -> None:
    (text,) = reading.read_texts(ranking.draw_pdf(samples.rank_table(7)))
    assert "★ Overall winner: Ada Pole & Łucja Nowak" in text
    assert "★ Ada Pole & Łucja Nowak (overall winner)" in text
    assert text.count("(overall winner)") == 1


def test_penalties_and_carry_over_are_printed_next_to_the_names() -> None:
    table = samples.rank_table(2, fields=1)
    first, second = table.fields[0].rows
    second = replace(second, notes=("penalty 1.50", "+3 carried over"))
    field = replace(table.fields[0], rows=(first, second))
    (text,) = reading.read_texts(ranking.draw_pdf(replace(table, fields=(field,))))
    assert "(penalty 1.50; +3 carried over)" in text


def test_tied_winners_are_both_named() -> None:
    table = replace(samples.rank_table(2), overall_winners=(1, 4))
    (text,) = reading.read_texts(ranking.draw_pdf(table))
    assert "Overall winners, tied: Ada Pole & Łucja Nowak; Ольга Иванова & Łucja" in text
    assert text.count("(overall winner)") == 2


def test_provisional_ranking_is_marked_and_names_no_winner() -> None:
    table = samples.rank_table(7, complete=False)
    (text,) = reading.read_texts(ranking.draw_pdf(table))
    assert "Provisional standings" in text
    assert "12 results missing" in text
    assert "★" not in text
    (text_with_one_missing,) = reading.read_texts(ranking.draw_pdf(replace(table, missing=1)))
    assert "1 result missing" in text_with_one_missing


def test_sections_are_named_only_if_there_are_several() -> None:
    table = samples.rank_table(2)
    first, second = (replace(field, section="A") for field in table.fields)
    (text,) = reading.read_texts(ranking.draw_pdf(replace(table, fields=(first, second))))
    assert "section A" not in text
    second = replace(second, section="B")
    (text,) = reading.read_texts(ranking.draw_pdf(replace(table, fields=(first, second))))
    assert "North-South, section A" in text
    assert "East-West, section B" in text


@pytest.mark.parametrize(
    ("method", "expected"),
    [("matchpoints", "Points"), ("plus_minus", "+/−"), ("tricks", "Score")],
)
def test_score_column_is_named_after_the_method(method: str, expected: str) -> None:
    (text,) = reading.read_texts(
        ranking.draw_pdf(replace(samples.rank_table(3), method=method))
    )
    assert expected in text


def test_matchpoints_have_no_sign_and_no_percentage_column_if_unused() -> None:
    table = samples.rank_table(1, fields=1)
    row = replace(table.fields[0].rows[0], score=Fraction(17, 2), percent=None)
    field = replace(table.fields[0], rows=(row,))
    (text,) = reading.read_texts(
        ranking.draw_pdf(replace(table, method="matchpoints", fields=(field,)))
    )
    assert "182 8.50" in text
    assert "%" not in text
    assert "Overall" in text


def test_every_name_of_a_large_field_is_printed_across_pages() -> None:
    text = reading.read_texts(ranking.draw_pdf(samples.rank_table(60, fields=1)))
    assert len(text) > 1
    assert f"page 2 of {len(text)}" in text[1]
    assert "Overall, continued" in text[1]
    assert "60 60 N-S" in " ".join(text)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 70), st.integers(0, 3), PAPER_SIZES, st.booleans(), st.integers(0, 40))
def test_rankings_never_overflow(
    pairs: int, fields: int, size: str, complete: bool, corrections: int
) -> None:
    table = samples.rank_table(
        pairs, heading=samples.LONG_HEADING, fields=fields, complete=complete
    )
    table = replace(table, edition=build_edition(corrections))
    assert is_laid_out_well(ranking.draw_pdf(table, paper_size=size))


def build_edition(corrections: int) -> Edition:
    version_time = datetime(2026, 3, 10, 22, 14, tzinfo=UTC)
    text = "Board 18, round 5, table 4: corrected by the director from N-S 5 to not played"
    return Edition(
        version_time, 3, "board 18 corrected", (Correction(version_time, text),) * corrections
    )


def test_corrections_that_do_not_fit_have_their_own_page() -> None:
    short_table, full = (samples.rank_table(pairs, fields=1) for pairs in (4, 24))
    (text,) = reading.read_texts(
        ranking.draw_pdf(replace(short_table, edition=build_edition(3)))
    )
    assert "Version 3: board 18 corrected, 10 March 2026, 22:14." in text
    assert text.count("from N-S 5 to not played.") == 3
    first, second = reading.read_texts(
        ranking.draw_pdf(replace(full, edition=build_edition(25)))
    )
    assert "Corrections after closing" not in first
    assert "page 1 of 2" in first
    assert second.count("from N-S 5 to not played.") == 20
    assert "and 5 earlier ones on the event page" in second


def test_recap_of_twenty_eight_boards_fits_one_landscape_page() -> None:
    for size, millimetres in (("A4", (297, 210)), ("Letter", (279, 216))):
        pdf = recap.draw_pdf(samples.build_recap(7, 28), paper_size=size)
        assert reading.list_page_sizes(pdf) == {millimetres}
        assert len(reading.read_pages(pdf)) == 1


def test_recap_shows_revokes_unplayed_boards_totals_and_scores() -> None:
    (text,) = reading.read_texts(recap.draw_pdf(samples.build_recap(2, 9)))
    assert "1 N-S Ada Pole & Łucja Nowak 8 5 13 7 6→5 −R – 10 11 +R 182 +7.50 1" in text


def test_ruled_board_is_printed_in_readable_type() -> None:
    sheet = samples.build_recap(7, 28)
    rows = [row for field in sheet.fields for row in field.rows]
    for row in rows:
        object.__setattr__(row, "cells", ("7",) * 27 + ("10→9 −R",))
    width = paper.get_page_box("A4", is_landscape=True).inset(paper.PAGE_MARGIN).width
    columns = recap._build_columns(sheet, range(28), width)
    ruled_column_width = (
        columns[2 + 27].weight * width / sum(column.weight for column in columns)
    )
    assert 7 * measure_width("10→9 −R", SANS_FONT) < ruled_column_width  # points


def test_boards_that_do_not_fit_continue_with_repeated_names() -> None:
    text = reading.read_texts(recap.draw_pdf(samples.build_recap(7, 40)))
    assert len(text) == 2
    assert "North-South, boards 1–20" in text[0]
    assert "North-South, boards 21–40" in text[1]
    assert all("Jiří Novák & Ayşe Yılmaz" in page for page in text)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 24), st.integers(0, 45), PAPER_SIZES)
def test_recaps_never_overflow(pairs: int, boards: int, size: str) -> None:
    pdf = recap.draw_pdf(
        samples.build_recap(pairs, boards, heading=samples.LONG_HEADING), paper_size=size
    )
    assert is_laid_out_well(pdf)


@given(st.lists(st.integers(0, 90), max_size=6), st.integers(60, 300), st.integers(5, 40))
def test_pages_contain_every_row_once_and_are_as_few_as_possible(
    counts: list[int], height: int, around: int
) -> None:
    pages = paginate_tables(counts, height, extra_height=around, row_height=7)
    pieces = [piece for page in pages for piece in page]
    for table, count in enumerate(counts):
        rows = [row for piece in pieces if piece.table_index == table for row in piece.rows]
        assert rows == list(range(count))
    for page in pages:
        assert sum(around + 7 * len(piece.rows) for piece in page) <= height or not page


def test_numbers_are_aligned_at_their_decimal_points() -> None:
    canvas = paper.start_canvas("A4", "Figures", [samples.HEADING])
    box = paper.get_page_box("A4").inset(paper.PAGE_MARGIN)
    column = grid.Column("", 10, align="right", size=10)
    grid.draw_grid(
        canvas, box, [column], [["8.00"], ["8.50"], ["12.33"]], head_height=20, row_height=20
    )
    canvas.showPage()
    (page,) = reading.read_pages(paper.finish_canvas(canvas))
    first_right_edge, second_right_edge, third_right_edge = (
        mark.right for mark in reading.list_marks(page) if mark.kind == "text"
    )
    assert first_right_edge == pytest.approx(second_right_edge, abs=0.1)
    assert first_right_edge == pytest.approx(third_right_edge, abs=0.1)


def test_papers_of_an_individual_event_say_player() -> None:
    sheet = samples.rank_table(6)
    individual_sheet = replace(sheet, heading=replace(sheet.heading, entry_kind="Player"))
    (text,) = reading.read_texts(ranking.draw_pdf(individual_sheet))
    assert "Player" in text
    assert "Pair" not in text
