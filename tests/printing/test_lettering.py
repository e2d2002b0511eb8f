import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printing.fonts import BOLD, LEADING, SANS, SERIF, face_for, printable, width_of
from printing.lettering import fitted, wrapped

LETTERS = st.text(st.sampled_from("abcxyzMWÉŁñ жЯЛω Σ-–/’ii"), min_size=1, max_size=90)


@pytest.mark.parametrize(
    "text",
    [
        "♠♥♦♣",
        "Łucja Wielkopolska-Nowakowska",
        "Ольга Иванова",
        "Νίκος Παπαδάκης",
        "Ayşe Yılmaz",
    ],
)
@pytest.mark.parametrize("font", [SANS, BOLD, SERIF])
def test_suits_and_all_our_alphabets_print(text: str, font: str) -> None:
    assert printable(text, font) == text


def test_an_accent_written_apart_is_joined_to_its_letter() -> None:
    assert printable("Zoe\u0308", SANS) == "Zoë"


def test_a_letter_that_no_font_has_shows_as_a_replacement() -> None:
    assert printable("Ada 李 🎩", SANS) == "Ada � �"


def test_line_breaks_become_spaces_and_invisible_marks_vanish() -> None:
    assert printable("Ada\nPole\u200b\ufeff", SANS) == "Ada Pole"


def test_a_heading_with_letters_that_the_serif_lacks_is_set_in_the_bold_sans() -> None:
    assert face_for("Tuesday", SERIF) == SERIF
    assert face_for("★ Tuesday", SERIF) == BOLD
    assert face_for("李", SERIF) == SERIF  # neither has it


def test_a_text_that_fits_keeps_its_size_and_one_line() -> None:
    assert fitted("Ada Pole", SANS, 11, 200, 22, 7) == (("Ada Pole",), 11)


def test_a_long_text_shrinks_before_it_is_broken() -> None:
    lines, size = fitted("Ada Pole & Łucja Nowak", SANS, 11, 120, 22, 7)
    assert lines == ("Ada Pole & Łucja Nowak",)
    assert 7 <= size < 11


def test_below_the_floor_a_text_is_broken_between_words() -> None:
    lines, size = fitted("Ada Pole & Łucja Nowak", SANS, 11, 70, 30, 8)
    assert lines == ("Ada Pole &", "Łucja Nowak")
    assert size >= 8


def test_a_word_longer_than_its_place_is_broken_between_letters() -> None:
    lines, size = fitted("W" * 60, SANS, 11, 90, 40, 7)
    assert "".join(lines) == "W" * 60
    assert max(width_of(line, SANS) for line in lines) * size <= 90.01


@settings(max_examples=60, deadline=None)
@given(LETTERS, st.floats(15, 300), st.floats(8, 40), st.sampled_from([SANS, BOLD, SERIF]))
def test_no_text_is_ever_lost_or_larger_than_its_place(
    text: str, width: float, height: float, font: str
) -> None:
    lines, size = fitted(text, font, 12, width, height, 7)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert max(width_of(line, font) for line in lines) * size <= width + 0.01
    assert len(lines) * size * LEADING <= height + 0.01


@settings(max_examples=40, deadline=None)
@given(LETTERS, st.floats(20, 300))
def test_a_paragraph_keeps_every_letter_and_its_width(text: str, width: float) -> None:
    lines = wrapped(text, SANS, 12, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert max(width_of(line, SANS) for line in lines) * 12 <= width + 0.01
