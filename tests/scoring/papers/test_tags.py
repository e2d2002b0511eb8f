"""Papers are tagged: the role of each part, and the order for screen readers.

Source of the rules: ISO 14289-1 §7 (PDF/UA) and ISO 32000-1 §14.6 to §14.8.
"""

from functools import lru_cache
from typing import Any

import pytest

from boards.whist import Seat
from laws import wall_sheet
from scoring.papers import get_paper_kinds
from tests.scoring.papers import samples, structure_reading
from tests.scoring.papers.structure_reading import TaggedElement
from tests.scoring.papers.test_papers import SHEETS_BY_KIND

ALL_PAPER_KINDS = [*get_paper_kinds(), "laws"]
PARENT_TAGS = {
    "TR": {"Table"},
    "TH": {"TR"},
    "TD": {"TR"},
    "LI": {"L"},
    "LBody": {"LI"},
    "L": {"Document", "LBody"},
}
TABLES = {
    "pack",
    "pack_changed",
    "door_list",
    "draw_list",
    "victory_scale",
    "prize_list",
    "strata_list",
    "guide_cards",
    "pair_guides",
    "wall_sheet",
    "machine_list",
    "result_card",
    "ranking",
    "recap",
    "hand_records",
    "hand_records_four",
}


@lru_cache(maxsize=32)
def draw_paper(kind: str) -> bytes:
    pdf = (
        wall_sheet.draw_laws()
        if kind == "laws"
        else get_paper_kinds()[kind].draw_pdf(SHEETS_BY_KIND[kind])
    )
    assert isinstance(pdf, bytes)
    return pdf


@pytest.mark.slow
@pytest.mark.parametrize("kind", ALL_PAPER_KINDS)
def test_every_mark_belongs_to_one_element_or_is_an_artifact(kind: str) -> None:
    marked_text = structure_reading.read_marked_text(draw_paper(kind))
    assert (marked_text.loose, marked_text.mark_errors) == ([], [])
    assert marked_text.text_by_mark
    # a QR code is a mark without words
    assert all(marked_text.text_by_mark.values()) or kind in ("table_links", "entry_links")
    assert structure_reading.list_unowned_marks(draw_paper(kind)) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ALL_PAPER_KINDS)
def test_every_mark_is_read_exactly_once(kind: str) -> None:
    pdf = draw_paper(kind)
    element_words = [
        element.words
        for element in structure_reading.read_structure_tree(pdf).flattened_elements
    ]
    marked_texts = structure_reading.read_marked_text(pdf).text_by_mark.values()
    assert sorted(" ".join(element_words).split()) == sorted(" ".join(marked_texts).split())


@pytest.mark.parametrize("kind", ALL_PAPER_KINDS)
def test_elements_occur_only_where_pdf_allows_them(kind: str) -> None:
    root = structure_reading.read_structure_tree(draw_paper(kind))
    assert root.tag == "Document"
    for element in root.flattened_elements:
        for child in element.children:
            assert element.tag in PARENT_TAGS.get(child.tag, {element.tag}), (
                element.tag,
                child.tag,
            )
    levels = [int(tagged_element.tag[1]) for tagged_element in root.find_by_tags("H1", "H2")]
    assert levels[0] == 1
    assert all(tagged_element.words for tagged_element in root.find_by_tags("H1", "H2"))
    assert all(tagged_element.alt for tagged_element in root.find_by_tags("Figure"))


@pytest.mark.parametrize("kind", ALL_PAPER_KINDS)
def test_tables_have_headings_and_rows_of_equal_length(kind: str) -> None:
    tables = structure_reading.read_structure_tree(draw_paper(kind)).find_by_tags("Table")
    assert bool(tables) is (kind in TABLES)
    for table in tables:
        assert len({len(row.children) for row in table.children}) == 1
        titles = table.find_by_tags("TH")
        assert titles
        assert all(
            title.words and title.header_scope in ("/Column", "/Row") for title in titles
        )


@pytest.mark.parametrize("kind", ALL_PAPER_KINDS)
def test_paper_declares_title_and_language(kind: str) -> None:
    reader: Any = structure_reading.PdfReader(structure_reading.BytesIO(draw_paper(kind)))
    root = reader.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert root["/MarkInfo"]["/Marked"].value is True
    assert root["/ViewerPreferences"]["/DisplayDocTitle"].value is True
    assert reader.metadata.title
    (title,) = reader.xmp_metadata.dc_title.values()
    assert title == reader.metadata.title
    assert all(page["/Tabs"] == "/S" for page in reader.pages)


def list_table_rows(table: TaggedElement) -> list[list[str]]:
    return [[cell.words for cell in row.children] for row in table.children]


def test_ranking_is_read_field_by_field_and_row_by_row() -> None:
    sheet = samples.rank_table(7)
    root = structure_reading.read_structure_tree(get_paper_kinds()["ranking"].draw_pdf(sheet))
    assert [element.tag for element in root.children[:2]] == ["H1", "P"]
    assert [element.words for element in root.find_by_tags("H2")] == [
        "North-South",
        "East-West",
    ]
    for table, field in zip(root.find_by_tags("Table"), sheet.fields, strict=True):
        head, *body = list_table_rows(table)
        assert head[:3] == ["Place", "Pair", "Names"]
        assert [row[1] for row in body] == [row.label for row in field.rows]
        assert [row[3] for row in body] == [str(row.boards) for row in field.rows]
    assert [row.children[2].header_scope for row in root.find_by_tags("TR")[1:3]] == [
        "/Row",
        "/Row",
    ]


def test_recap_is_read_with_empty_cells_for_unplayed_boards() -> None:
    sheet = samples.build_recap(7, 28)
    tables = structure_reading.read_structure_tree(
        get_paper_kinds()["recap"].draw_pdf(sheet)
    ).find_by_tags("Table")
    for table, field in zip(tables, sheet.fields, strict=True):
        for row, shown_row in zip(list_table_rows(table)[1:], field.rows, strict=True):
            assert row[2:-3] == list(shown_row.cells)


def test_hands_are_read_seat_by_seat_and_suit_by_suit() -> None:
    (sheet,) = samples.build_hand_records(1)
    assert sheet.deal is not None
    root = structure_reading.read_structure_tree(
        get_paper_kinds()["hand_records"].draw_pdf([sheet])
    )
    (table,) = root.find_by_tags("Table")
    assert [row[0] for row in list_table_rows(table)] == ["N", "E", "S", "W"]
    for seat, row in zip(Seat, list_table_rows(table), strict=True):
        suit_symbols = [cell.split()[0] for cell in row[1:]]
        assert suit_symbols == [
            "♠",
            "♥",
            "♦",
            "♣",
        ]  # an outline has its suit as alternative text
        ranks = [rank for cell in row[1:] for rank in cell.split()[1:] if rank != "–"]
        hand = sorted(sheet.deal.hands[seat])
        assert sorted(ranks) == sorted(card.rank.text for card in hand)
    (turn_up_element,) = [element for element in root.find_by_tags("P") if element.alt]
    assert turn_up_element.alt == f"Turn-up: {sheet.deal.turn_up}"
    assert turn_up_element.words.split()[1] == sheet.deal.turn_up.rank.text


def test_explanations_are_read_as_nested_lists() -> None:
    (sheet, *_) = samples.build_explanations(7, 28)
    root = structure_reading.read_structure_tree(
        get_paper_kinds()["explanations"].draw_pdf([sheet])
    )
    titles = [element.words for element in root.find_by_tags("H2")]
    assert titles == [explained_number.title for explained_number in sheet.explained_numbers]
    lines = [
        step for explained_number in sheet.explained_numbers for step in explained_number.steps
    ]
    outer_items = [
        element for kid in root.children if kid.tag == "L" for element in kid.children
    ]
    outer_texts = [item.find_by_tags("P")[0].words for item in outer_items]
    assert [text for text in outer_texts if text in {line.sentence for line in lines}] == [
        line.sentence for line in lines
    ]
    line_with_parts = next(line for line in lines if line.parts)
    (item,) = [
        item
        for item, text in zip(outer_items, outer_texts, strict=True)
        if text == line_with_parts.sentence
    ]
    (inner,) = [element for element in item.children[0].children if element.tag == "L"]
    inner_texts = [element.children[0].children[0].words for element in inner.children]
    assert [part.sentence for part in line_with_parts.parts][: len(inner_texts)] == [
        text for text in inner_texts if not text.startswith("*")
    ][: len(line_with_parts.parts)]


def test_page_heading_is_read_once_for_any_number_of_pages() -> None:
    pdf = get_paper_kinds()["door_list"].draw_pdf(samples.score_slips(80, 8))
    pages = len(structure_reading.PdfReader(structure_reading.BytesIO(pdf)).pages)
    assert pages > 1
    root, marked_text = (
        structure_reading.read_structure_tree(pdf),
        structure_reading.read_marked_text(pdf),
    )
    assert [element.words for element in root.find_by_tags("H1")] == ["Who sits where"]
    assert marked_text.artifact_texts.count("Who sits where") == pages - 1
    assert [text for text in marked_text.artifact_texts if text.startswith("page ")] == [
        f"page {place} of {pages}" for place in range(1, pages + 1)
    ]


def test_traveller_is_read_as_one_heading_and_its_slip() -> None:
    root = structure_reading.read_structure_tree(
        get_paper_kinds()["travellers"].draw_pdf(samples.build_travellers(7, 5))
    )
    assert [element.tag for element in root.children] == ["H1", "P"] * 5
    assert [element.words.split()[:2] for element in root.find_by_tags("H1")] == [
        ["Board", str(board)] for board in range(1, 6)
    ]
