"""Tests for every kind of paper."""

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from printing import fonts
from printing.fonts import FontsMissing
from scoring.papers import get_paper_kinds
from scoring.papers.pack import PaperSet
from tests.scoring.papers import (
    drawn_samples,
    reading,
    samples,
    stage_samples,
    tray_samples,
)

KINDS = get_paper_kinds()
PACK_PAPER_KINDS = (
    "door_list",
    "announcement",
    "guide_cards",
    "score_slips",
    "travellers",
    "wall_sheet",
)
SHEETS_BY_KIND: dict[str, Any] = {
    "travellers": samples.build_travellers(7, 28),
    "guide_cards": samples.build_guide_cards(7, 7),
    "score_slips": samples.score_slips(7, 28),
    "pair_guides": samples.build_pair_guides(7, 7),
    "door_list": samples.score_slips(40, 8),
    "wall_sheet": [samples.build_wall_sheet(7, 7)],
    "announcement": [samples.build_announcement()],
    "etiquette": [samples.build_announcement(9)],
    "draw_list": drawn_samples.build_rounds(41),
    "victory_scale": drawn_samples.build_scale(),
    "bracket": [stage_samples.build_bracket(23)],
    "prize_list": stage_samples.build_prizes(14),
    "strata_list": stage_samples.build_strata(30),
    "draw_slips": drawn_samples.build_rounds(9),
    "trump_slips": samples.build_trump_slips(28),
    "hand_records": samples.build_hand_records(14),
    "hand_records_four": samples.build_hand_records(14),
    "tray_labels": tray_samples.build_labels(28),
    "curtain_cards": tray_samples.build_hand_cards(28),
    "machine_list": tray_samples.build_dealing_machine_list(28),
    "memory_cards": tray_samples.build_hand_cards(8, title="First round", player="Ada Pole"),
    "result_card": tray_samples.build_result_card(16),
    "table_links": samples.build_table_cards(7),
    "entry_links": samples.build_entry_link_slips(9),
    "ranking": samples.rank_table(7),
    "recap": samples.build_recap(7, 28),
    "explanations": samples.build_explanations(7, 28),
}
SHEETS_BY_KIND["pack"] = PaperSet(
    samples.HEADING, tuple((KINDS[name], SHEETS_BY_KIND[name]) for name in PACK_PAPER_KINDS)
)

SHEETS_BY_KIND["pack_changed"] = replace(
    SHEETS_BY_KIND["pack"], printed_page_digests=frozenset({"0" * 12})
)


def test_every_paper_has_a_sample_in_this_module() -> None:
    assert set(SHEETS_BY_KIND) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_paper_receives_sheets_of_its_declared_type(kind: str) -> None:
    declared_type = get_type_hints(KINDS[kind].build_sheet)["return"]
    if get_origin(declared_type) is list:
        assert {type(sheet) for sheet in SHEETS_BY_KIND[kind]} == {*get_args(declared_type)}
    else:
        assert type(SHEETS_BY_KIND[kind]) is declared_type


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_paper_is_printed_byte_for_byte_identically(kind: str) -> None:
    draw = KINDS[kind].draw_pdf
    assert draw(SHEETS_BY_KIND[kind]) == draw(SHEETS_BY_KIND[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_paper_embeds_all_its_fonts_and_has_a_title(kind: str) -> None:
    pdf = KINDS[kind].draw_pdf(SHEETS_BY_KIND[kind])
    reader = reading.PdfReader(reading.BytesIO(pdf))
    assert "Tuesday compass" in str(reader.metadata.title if reader.metadata else "")
    used_fonts = [
        font.get_object()
        for page in reader.pages
        for font in page["/Resources"]["/Font"].values()
    ]
    assert used_fonts
    for font in used_fonts:
        is_embedded = "/FontFile2" in font.get("/FontDescriptor", {}) or "/CharProcs" in font
        assert is_embedded, font


def test_missing_font_is_reported_with_the_fix(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(fonts, "_FONT_FOLDER", tmp_path)
    fonts._open_face.cache_clear()
    try:
        with pytest.raises(FontsMissing, match=r"Regular\.ttf is missing"):
            fonts.replace_unprintable("Ada Pole", fonts.SANS_FONT)
    finally:
        fonts._open_face.cache_clear()
