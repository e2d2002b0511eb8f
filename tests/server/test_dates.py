"""Dates and times are written as in the reader's language."""

from datetime import UTC, date, datetime, time

import pytest
from django.template import engines
from django.utils import timezone, translation

from config.formats.en import formats as english_formats
from server.dates import format_date
from tests.languages import MARKED_LANGUAGE, offer_pseudo_languages

FRIDAY = date(2026, 5, 8)
EVENING = datetime(2026, 5, 8, 19, 30, 5, tzinfo=UTC)
DATES = {
    # language: (SHORT_WEEKDAY_DATE, DATE, WEEKDAY_DATE, MONTH_YEAR)
    "en": ("Fri 8 May 2026", "8 May 2026", "Friday 8 May 2026", "May 2026"),
    "nl": ("vr 8 mei 2026", "8 mei 2026", "vrijdag 8 mei 2026", "mei 2026"),
    "da": ("fre. 8. maj 2026", "8. maj 2026", "fredag den 8. maj 2026", "maj 2026"),
    "de": ("Fr., 8. Mai 2026", "8. Mai 2026", "Freitag, 8. Mai 2026", "Mai 2026"),
    "fr": ("ven. 8 mai 2026", "8 mai 2026", "vendredi 8 mai 2026", "mai 2026"),
    "sv": ("fre 8 maj 2026", "8 maj 2026", "fredag 8 maj 2026", "maj 2026"),
    "nb": ("fre. 8. mai 2026", "8. mai 2026", "fredag 8. mai 2026", "mai 2026"),
    "es": (
        "vie, 8 may 2026",
        "8 de mayo de 2026",
        "viernes, 8 de mayo de 2026",
        "mayo de 2026",
    ),
}
"""Written by hand after the patterns of CLDR 44."""
TIMES = {
    # language: (TIME, SHORT_DATE_TIME, DAY_MONTH_TIME, SHORT_DAY_MONTH_SECONDS)
    "en": ("19:30", "8 May 2026, 19:30", "8 May, 19:30", "8 May, 19:30:05"),
    "nl": ("19:30", "8 mei 2026 19:30", "8 mei 19:30", "8 mei 19:30:05"),
    "da": ("19.30", "8. maj 2026 19.30", "8. maj 19.30", "8. maj 19.30.05"),
    "de": ("19:30", "8. Mai 2026, 19:30", "8. Mai, 19:30", "8. Mai, 19:30:05"),
    "fr": ("19:30", "8 mai 2026, 19:30", "8 mai, 19:30", "8 mai, 19:30:05"),
    "sv": ("19:30", "8 maj 2026 19:30", "8 maj 19:30", "8 maj 19:30:05"),
    "nb": ("19:30", "8. mai 2026, 19:30", "8. mai, 19:30", "8. mai, 19:30:05"),
    "es": ("19:30", "8 may 2026, 19:30", "8 de mayo, 19:30", "8 may, 19:30:05"),
}
FORMAT_NAMES = [name for name in vars(english_formats) if name.isupper()]


@pytest.mark.parametrize("language", DATES)
def test_date_is_formatted_in_active_language(language: str) -> None:
    names = ("SHORT_WEEKDAY_DATE", "DATE", "WEEKDAY_DATE", "MONTH_YEAR")
    with translation.override(language):
        assert tuple(format_date(FRIDAY, name) for name in names) == DATES[language]


@pytest.mark.parametrize("language", TIMES)
def test_time_is_formatted_in_active_language(language: str) -> None:
    names = ("TIME", "SHORT_DATE_TIME", "DAY_MONTH_TIME", "SHORT_DAY_MONTH_SECONDS")
    with translation.override(language), timezone.override("UTC"):
        assert tuple(format_date(EVENING, name) for name in names) == TIMES[language]


@pytest.mark.parametrize(
    ("language", "expected_text"),
    [
        ("en", "3 Sep"),
        ("nl", "3 sep"),
        ("da", "3. sept."),
        ("de", "3. Sept."),
        ("fr", "3 sept."),
        ("sv", "3 sep"),
        ("nb", "3. sept."),
        ("es", "3 sep"),
    ],
)
def test_short_month_is_the_abbreviation_of_the_language(
    language: str, expected_text: str
) -> None:
    with translation.override(language):
        assert format_date(date(2026, 9, 3), "SHORT_DAY_MONTH") == expected_text


def test_spanish_hours_have_no_leading_zero() -> None:
    with translation.override("es"):
        assert format_date(time(9, 5), "TIME") == "9:05"


def test_time_is_shown_in_active_time_zone() -> None:
    with timezone.override("Europe/Copenhagen"):
        assert format_date(EVENING, "TIME") == "21:30"


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_language_without_formats_uses_english_formats(name: str) -> None:
    with translation.override("en"):
        english = format_date(EVENING, name)
    with offer_pseudo_languages(MARKED_LANGUAGE), translation.override(MARKED_LANGUAGE):
        marked_text = format_date(EVENING, name)
    assert marked_text.replace("«", "").replace("»", "").casefold() == english.casefold()


def test_unknown_format_is_an_error() -> None:
    with pytest.raises(KeyError):
        format_date(FRIDAY, "j F Y")


def test_page_shows_date_in_the_language_of_its_reader() -> None:
    template = engines["django"].from_string(
        '{{ day|format_date:"DATE" }}|{{ at|format_date:"TIME" }}|{{ none|format_date:"DATE" }}'
    )
    values = {"day": FRIDAY, "at": EVENING, "none": None}
    with translation.override("da"), timezone.override("Europe/Copenhagen"):
        assert template.render(values) == "8. maj 2026|21.30|"
