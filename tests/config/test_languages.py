"""Every page can be translated completely: no text of ours stays in English."""

import re
import struct
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse

from boards.whist import IllegalPlay, Play
from boards.whist.dealing import deal_board
from boards.worked_hands import read_worked_hands
from clubs.models import Club, Player
from scoring.sheets.old_results import read_printed_events
from server.languages import find_language
from server.models import User
from tests.browser.pages import create_full_event
from tests.languages import MARKED_LANGUAGE, activate_marked_language, list_unmarked_words
from tests.page_text import remove_marked_text, unwrap_nowrap_spans
from tournaments.models import Entry, Event

pytestmark = pytest.mark.django_db

# These texts are not translated: keys, a command, paper sizes, law numbers, cited books.
UNTRANSLATED_TEXTS = {"Enter", "Esc", "Letter", "make run HOST=0.0.0.0"}
UNTRANSLATED_TEXTS |= {MARKED_LANGUAGE}  # the language is named in the footer
UNTRANSLATED_TEXTS |= {"II", "III", "IV", "VI", "VII", "VIII", "IX", "XI"}
UNTRANSLATED_TEXTS |= {"https://whist.example.org", "https://riverside.example"}
SECRET_PATTERN = re.compile(r"(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}")
"""The secret typed into an app where its code cannot be scanned."""
URL_PATTERN = re.compile(r"https?://\S+")
"""The URL of a table's link, printed next to its code."""
CURRENCY = re.compile(r"[A-Z]{3}( \(\S+\))?")
"""A currency by its international code, and its sign."""
BOOKS = {
    *(hand.source for hand in read_worked_hands().values()),
    *(event.source for event in read_printed_events()),
}


def list_names_and_data() -> list[str]:
    """Return names and data, the longest first."""
    names_and_data = {
        *Player.objects.values_list("name", flat=True),
        *Entry.objects.values_list("name", flat=True),
        *Event.objects.values_list("name", flat=True),
        *(clubs := set(Club.objects.values_list("name", flat=True))),
        *(name.split()[0] for name in clubs),  # the short form of the club's name
        *User.objects.values_list("username", flat=True),
        *BOOKS,
        *dict(settings.LANGUAGES).values(),  # each language by its own name
        "Overplay",
    }
    return sorted(names_and_data - {""}, key=len, reverse=True)


def find_english_words(pages: Mapping[str, str]) -> dict[str, str]:
    """Return words that a page in the marked language left in English, each with a URL.

    `test_page_frame` checks every page with it.
    """
    data, english_words = list_names_and_data(), dict[str, str]()
    for address, page in pages.items():
        unmarked_words = {
            unmarked_word
            for unmarked_word in list_unmarked_words(page, data)
            if not any(
                pattern.fullmatch(unmarked_word)
                for pattern in (SECRET_PATTERN, URL_PATTERN, CURRENCY)
            )
        }
        english_words |= dict.fromkeys(unmarked_words - UNTRANSLATED_TEXTS, address)
    return english_words


def test_texts_of_the_pure_packages_are_translated_on_pages() -> None:
    session, user = create_full_event(is_closed=False)
    client = Client()
    client.force_login(user)
    event = session.event.slug
    assistant_url = f"{reverse('assistant', args=[event])}?code=I26&board=1&table=A-1"
    with activate_marked_language():
        movement = unwrap_nowrap_spans(
            client.get("/movements/compass/?tables=7").content.decode()
        )
        unfit_movement_page = client.get("/movements/compass/?tables=8").content.decode()
        assistant = client.get(assistant_url).content.decode()
        explanation_page = client.get(f"/events/{event}/entries/1/explained/").content.decode()
    assert "«North-South pairs stay.» «East-West pairs move up «one» table.»" in movement
    assert "««Mitchell», «7 tables»»" in movement
    assert "«Mitchell» doesn’t fit «8 tables». It needs «an odd number" in unfit_movement_page
    assert "«How many times did that side revoke in this deal?»" in assistant
    assert " against the average of " in explanation_page


def test_language_is_reset_after_a_translated_request() -> None:
    deal = deal_board(bytes(32), 1)
    with activate_marked_language(), pytest.raises(IllegalPlay) as exc_info:
        Play(deal).record_card(next(iter(deal.hands[deal.dealer])))
    assert remove_marked_text(str(exc_info.value)) == ""
    page = Client().get("/movements/compass/?tables=7").content.decode()
    assert "Mitchell, 7 tables" in page
    assert "«" not in page


def compile_catalogue(folder: Path, translations: Mapping[str, str]) -> None:
    """Compile a catalogue as `compilemessages` does. Source: GNU gettext manual, MO files."""
    header = (
        "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"
    )
    rows = sorted(
        (original_text.encode(), translated_text.encode())
        for original_text, translated_text in {"": header, **translations}.items()
    )
    text_offset, tables, texts = 28 + 16 * len(rows), [], b""
    for column in (0, 1):
        for row in rows:
            tables.append(struct.pack("<2I", len(row[column]), text_offset + len(texts)))
            texts += row[column] + b"\0"
    row_count = len(rows)
    start = struct.pack("<7I", 0x950412DE, 0, row_count, 28, 28 + 8 * row_count, 0, text_offset)
    path = folder / "it" / "LC_MESSAGES"
    path.mkdir(parents=True)
    (path / "django.mo").write_bytes(start + b"".join(tables) + texts)


def test_language_with_only_a_catalogue_is_available(tmp_path: Path) -> None:
    # Italian has no real catalogue, whose texts other tests would have left in a cache
    data = {
        "East-West pairs stay.": "Est-Ovest resta seduto.",
        "North-South pairs stay.": "Nord-Sud resta a tavola, più comodo.",
        "Mitchell": "Bussola",
        "%(number)s table\0%(number)s tables": "%(number)s tavolo\0%(number)s tavoli",
        "Rounds": "Turni",
    }
    compile_catalogue(tmp_path, data)
    languages = [("en", "English"), ("it", "Italiano")]
    with override_settings(LOCALE_PATHS=[tmp_path], LANGUAGES=languages):
        find_language.cache_clear()
        client = Client(headers={"Accept-Language": "it-CH, it;q=0.9, en;q=0.8"})
        page = unwrap_nowrap_spans(client.get("/movements/compass/?tables=7").content.decode())
    find_language.cache_clear()
    assert '<html lang="it">' in page
    assert "Bussola, 7 tavoli" in page
    assert "Nord-Sud resta a tavola, più comodo. East-West pairs move up one table." in page
    assert "Turni" in page
