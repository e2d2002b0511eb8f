"""Slips of several papers share sheets, by table and on as few sheets as possible."""

from functools import partial

import hypothesis.strategies as st
from hypothesis import given, settings
from reportlab.pdfgen.canvas import Canvas

from printing import layout, paper, tags
from printing.box import Box
from printing.fonts import SANS_FONT, register_face
from printing.layout import Slip, SlipLayout

PAGE = paper.get_page_box("A4")
papers = st.lists(
    st.tuples(
        st.sampled_from([(1, 1), (1, 2), (2, 1), (2, 2)]),
        st.lists(st.tuples(st.sampled_from(["", "A", "B"]), st.integers(0, 3)), max_size=6),
    ),
    max_size=4,
)
DrawnSlip = tuple[int, int, tuple[str, int], Box]  # page, slip, table, place


def lay_out_boxes(
    slip_groups: list[tuple[tuple[int, int], list[tuple[str, int]]]],
) -> list[DrawnSlip]:
    drawn_boxes: list[DrawnSlip] = []
    canvas = Canvas("heaps.pdf", initialFontName=register_face(SANS_FONT))

    def record_box(number: int, table: tuple[str, int], canvas: Canvas, box: Box) -> None:
        drawn_boxes.append((canvas.getPageNumber(), number, table, box))

    numbers = iter(range(100))
    slips = [
        SlipLayout(
            *grid_size,
            tuple(Slip(table, partial(record_box, next(numbers), table)) for table in tables),
        )
        for grid_size, tables in slip_groups
    ]
    pages = layout.lay_out_slips_by_table(slips, PAGE)
    pages.draw(canvas)
    assert pages.page_count == canvas.getPageNumber() - 1
    return drawn_boxes


@settings(max_examples=60)
@given(papers)
def test_each_slip_is_drawn_once_in_its_size_and_sections_are_not_mixed(asked) -> None:
    drawn_boxes = lay_out_boxes(asked)
    sizes = [cut for cut, tables in asked for _table in tables]
    assert sorted(number for _page, number, _table, _box in drawn_boxes) == list(
        range(len(sizes))
    )
    for page in {drawn_box[0] for drawn_box in drawn_boxes}:
        boxes_on_page = [drawn_box for drawn_box in drawn_boxes if drawn_box[0] == page]
        assert len({section for _page, _number, (section, _table), _box in boxes_on_page}) == 1
        assert (
            sum(box.width * box.height for *_rest, box in boxes_on_page)
            <= PAGE.width * PAGE.height
        )
        for place, (_page, number, _table, box) in enumerate(boxes_on_page):
            column_count, row_count = sizes[number]
            assert (box.width, box.height) == (
                PAGE.width / column_count,
                PAGE.height / row_count,
            )
            assert not any(
                has_overlap(box, other) for *_rest, other in boxes_on_page[place + 1 :]
            )


@settings(max_examples=60)
@given(papers)
def test_sheets_are_ordered_by_table_and_slips_without_table_come_last(asked) -> None:
    first_tables_by_page = {
        page: table for page, _number, table, _box in reversed(lay_out_boxes(asked))
    }
    tables = [first_tables_by_page[page] for page in sorted(first_tables_by_page)]
    assert tables == sorted(tables, key=lambda table: (table[0], table[1] == 0, table[1]))


def test_card_and_two_slips_share_a_sheet_with_cutting_marks() -> None:
    card, slips = [("", 1)], [("", 1), ("", 1)]
    drawn_boxes = lay_out_boxes([((1, 2), card), ((2, 2), slips)])
    assert [page for page, *_rest in drawn_boxes] == [1, 1, 1]
    assert [box.top for *_rest, box in drawn_boxes] == [PAGE.top, PAGE.middle_y, PAGE.middle_y]


def test_half_sheet_cards_share_a_sheet_and_slips_of_a_table_stay_together() -> None:
    tables = [("", number) for number in range(1, 8)]
    cards, slips = ((1, 2), tables), ((2, 1), [table for table in tables for _pair in "ab"])
    drawn_boxes = lay_out_boxes([cards, slips])
    assert drawn_boxes[-1][0] == 4 + 7  # formerly 14 sheets, half of them half empty
    tables_by_page = {
        page: [at for item, _slip, at, _box in drawn_boxes if item == page]
        for page, *_ in drawn_boxes
    }
    assert tables_by_page[1] == [("", 1), ("", 2)]
    assert tables_by_page[2] == [("", 1)] * 2


def has_overlap(one: Box, other: Box) -> bool:
    return (
        one.left < other.right - 0.01
        and other.left < one.right - 0.01
        and one.bottom < other.top - 0.01
        and other.bottom < one.top - 0.01
    )


def test_canvas_without_tagging_opens_no_elements() -> None:
    canvas = Canvas("bare.pdf", initialFontName=register_face(SANS_FONT))
    with tags.open_element(canvas, "Table"), tags.mark_artifact(canvas):
        assert not tags.can_open_element(canvas)
