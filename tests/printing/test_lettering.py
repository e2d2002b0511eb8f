import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.pdfbase import pdfmetrics

from printing import paper, signs
from printing.box import Box
from printing.fonts import (
    BOLD_FONT,
    CAP_HEIGHT_RATIO,
    LEADING_RATIO,
    SANS_FONT,
    SERIF_FONT,
    SYMBOL_FONT,
    get_scale_factor,
    measure_width,
    register_face,
    replace_unprintable,
    split_into_runs,
)
from printing.text_boxes import fit_text, wrap_text, write_text
from tests.scoring.papers import reading, samples

TEXT_STRATEGY = st.text(st.sampled_from("abcxyzMWÉŁñ жЯЛω Σ-–/’ii"), min_size=1, max_size=90)


@pytest.mark.parametrize(
    "text",
    [
        "♠♥♦♣",
        "Łucja Wielkopolska-Nowakowska",
        "Ольга Иванова",
        "Νίκος Παπαδάκης",
        "Ayşe Yılmaz",
        "Bahá’u’lláh K̲h̲án",
        "Անի Հակոբյան",
        "ნინო ბერიძე",
        "አበበ ቢቂላ",
        "דוד לוי",
        "محمد علي",
        "สมชาย ใจดี",
        "ສົມໄຊ",
        "① ↔ ★",
    ],
)
@pytest.mark.parametrize("font", [SANS_FONT, BOLD_FONT, SERIF_FONT])
def test_suits_and_all_supported_alphabets_are_printed(text: str, font: str) -> None:
    assert replace_unprintable(text, font) == text


def test_combining_accent_is_joined_to_its_letter() -> None:
    assert replace_unprintable("Zoe\u0308", SANS_FONT) == "Zoë"


def test_character_missing_from_all_fonts_shows_a_replacement() -> None:
    assert replace_unprintable("Ada 李 🎩", SANS_FONT) == "Ada � �"


def test_line_breaks_become_spaces_and_invisible_characters_are_removed() -> None:
    assert replace_unprintable("Ada\nPole\u200b\ufeff", SANS_FONT) == "Ada Pole"


def test_only_characters_missing_from_a_font_use_another_font() -> None:
    assert [run[:2] for run in split_into_runs("Tuesday", SERIF_FONT)] == [
        ("Tuesday", SERIF_FONT)
    ]
    assert [run[:2] for run in split_into_runs("♥ Αʹ Անի & Ada", SERIF_FONT)] == [
        ("♥", SYMBOL_FONT),
        (" Α", SERIF_FONT),
        ("ʹ", BOLD_FONT),
        (" ", SERIF_FONT),
        ("Անի", "NotoSansArmenian"),
        (" & Ada", SERIF_FONT),
    ]


def test_accent_uses_the_font_of_its_letter() -> None:
    assert [run[:2] for run in split_into_runs("K̲ay", SANS_FONT)] == [
        ("K̲", "NotoSans"),
        ("ay", SANS_FONT),
    ]


def test_word_order_and_letters_of_right_to_left_text_are_reversed() -> None:
    assert (
        "".join(run.text for run in split_into_runs("דוד לוי & Ada", SANS_FONT))
        == "יול דוד & Ada"
    )


@pytest.mark.parametrize(
    "face", [SANS_FONT, BOLD_FONT, SERIF_FONT, "NotoSans", "NotoSansArmenian"]
)
def test_capitals_of_every_font_have_equal_height(face: str) -> None:
    cap_height = pdfmetrics.getFont(register_face(face)).face.capHeight / 1000
    assert cap_height * get_scale_factor(face) == pytest.approx(CAP_HEIGHT_RATIO)


@pytest.mark.parametrize("font", [SANS_FONT, BOLD_FONT, SERIF_FONT])
def test_digits_have_equal_width_and_plus_is_as_wide_as_minus(font: str) -> None:
    assert len({measure_width(digit, font) for digit in "0123456789"}) == 1
    assert measure_width("+", font) == measure_width("−", font)


@pytest.mark.parametrize("sign", "♠♥♦♣★♤♡♢♧☆")
def test_drawn_symbol_is_symmetrical_and_fits_its_box(sign: str) -> None:
    path = signs._build_glyph(sign).rpartition(" j " if sign in "♤♡♢♧☆" else " d1 ")[2]
    points = [int(word) for word in path.split() if word.isdigit()]
    x_coordinates = sorted(points[::2])
    mirrored_coordinates = sorted(signs.ADVANCE_UNITS - x for x in x_coordinates)
    assert x_coordinates == mirrored_coordinates
    assert 0 <= x_coordinates[0] <= x_coordinates[-1] <= signs.ADVANCE_UNITS
    assert min(points[1::2]) == 0 or sign in "★☆"
    assert max(points[1::2]) == signs.CAP_HEIGHT_UNITS


@pytest.mark.parametrize(
    ("sign", "expected_symbol"), [("♥", "♥"), ("♡", "♥"), ("♧", "♣"), ("☆", "★")]
)
def test_drawn_symbol_is_extracted_as_its_text_meaning(sign: str, expected_symbol: str) -> None:
    canvas = paper.start_canvas("A4", "Signs", [samples.HEADING])
    write_text(canvas, f"{sign} Ada", Box(100, 100, 200, 20))
    canvas.showPage()
    assert reading.read_texts(paper.finish_canvas(canvas)) == [f"{expected_symbol} Ada"]


def test_fitting_text_keeps_its_size_on_one_line() -> None:
    assert fit_text("Ada Pole", SANS_FONT, 11, 200, 22, 7) == (("Ada Pole",), 11)


def test_long_text_shrinks_before_it_is_broken() -> None:
    lines, size = fit_text("Ada Pole & Łucja Nowak", SANS_FONT, 11, 120, 22, 7)
    assert lines == ("Ada Pole & Łucja Nowak",)
    assert 7 <= size < 11


def test_text_at_minimum_size_is_broken_between_words() -> None:
    lines, size = fit_text("Ada Pole & Łucja Nowak", SANS_FONT, 11, 70, 30, 8)
    assert lines == ("Ada Pole &", "Łucja Nowak")
    assert size >= 8


def test_word_wider_than_its_box_is_broken_between_letters() -> None:
    lines, size = fit_text("W" * 60, SANS_FONT, 11, 90, 40, 7)
    assert "".join(lines) == "W" * 60
    assert max(measure_width(line, SANS_FONT) for line in lines) * size <= 90.01


@settings(max_examples=60, deadline=None)
@given(
    TEXT_STRATEGY,
    st.floats(15, 300),
    st.floats(8, 40),
    st.sampled_from([SANS_FONT, BOLD_FONT, SERIF_FONT]),
)
def test_text_is_never_lost_or_larger_than_its_box(
    text: str, width: float, height: float, font: str
) -> None:
    lines, size = fit_text(text, font, 12, width, height, 7)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert max(measure_width(line, font) for line in lines) * size <= width + 0.01
    assert len(lines) * size * LEADING_RATIO <= height + 0.01


@settings(max_examples=40, deadline=None)
@given(TEXT_STRATEGY, st.floats(20, 300))
def test_wrapped_paragraph_keeps_every_letter_and_fits_the_width(
    text: str, width: float
) -> None:
    lines = wrap_text(text, SANS_FONT, 12, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert max(measure_width(line, SANS_FONT) for line in lines) * 12 <= width + 0.01
