"""Directors suggest better translations, which a translator finds in a `.po` file."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from config.better_words.suggestions import (
    MAX_FILE_BYTES,
    InvalidSuggestion,
    find_messages,
    load_catalogue,
    store_suggestion,
)
from config.catalogues import Catalogue, Message, read_catalogue
from tests import evenings

DAY = date(2026, 11, 29)
URL = "/director/words/"


@pytest.fixture(autouse=True)
def _restore_english() -> Iterator[None]:
    """Restore the language of the tests after requests in Dutch."""
    with translation.override("en"):
        yield


@pytest.fixture
def dutch_catalogue() -> Catalogue:
    catalogue = load_catalogue("nl")
    assert catalogue is not None
    return catalogue


def find_message(catalogue: Catalogue, text: str) -> Message:
    [message] = [message for message in catalogue.messages if message.text == text]
    return message


def test_messages_are_found_by_translation_or_english_text_in_any_case(
    dutch_catalogue: Catalogue,
) -> None:
    assert "Club’s language" in [m.text for m in find_messages(dutch_catalogue, "TAAL VAN DE")]
    assert "Club’s language" in [m.text for m in find_messages(dutch_catalogue, "club’s LANG")]
    assert find_messages(dutch_catalogue, "no such words anywhere") == []
    assert find_messages(dutch_catalogue, "") == []


def test_suggestions_are_collected_in_a_catalogue_file(
    dutch_catalogue: Catalogue, tmp_path: Path
) -> None:
    single_message = find_message(dutch_catalogue, "Club’s language")
    plural_message = next(
        m
        for m in dutch_catalogue.messages
        if m.plural_text and "%(count)s" in m.translations[0]
    )
    suggested_translations = [f"{text} echt" for text in plural_message.translations]
    store_suggestion(tmp_path, "nl", single_message, ['De "taal"\nvan de club'], DAY)
    store_suggestion(tmp_path, "nl", plural_message, suggested_translations, DAY)
    path = store_suggestion(tmp_path, "nl", single_message, ["Clubtaal"], DAY)
    stored_catalogue = read_catalogue(path)
    assert stored_catalogue.header["Language"] == "nl"
    assert [(m.text, m.plural_text, m.translations) for m in stored_catalogue.messages] == [
        (single_message.text, "", ('De "taal"\nvan de club',)),
        (plural_message.text, plural_message.plural_text, tuple(suggested_translations)),
        (single_message.text, "", ("Clubtaal",)),
    ]
    content = path.read_bytes()
    store_suggestion(tmp_path, "nl", single_message, ["Clubtaal"], DAY)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("text", "translation", "reason"),
    [
        ("Club’s language", "Taal van de club", "current translation"),
        ("Club’s language", "", "every form"),
        ("Club’s language", "x" * 2001, "at most 2000"),
        ("Pair %(number)s", "Paar", r"%\(number\)s"),
    ],
)
def test_suggestion_is_refused_with_the_reason(
    dutch_catalogue: Catalogue, tmp_path: Path, text: str, translation: str, reason: str
) -> None:
    with pytest.raises(InvalidSuggestion, match=reason):
        store_suggestion(
            tmp_path, "nl", find_message(dutch_catalogue, text), [translation], DAY
        )
    assert list(tmp_path.iterdir()) == []


def test_suggestion_file_at_its_size_limit_is_not_changed(
    dutch_catalogue: Catalogue, tmp_path: Path
) -> None:
    message = find_message(dutch_catalogue, "Club’s language")
    path = store_suggestion(tmp_path, "nl", message, ["Clubtaal"], DAY)
    path.write_text(path.read_text("utf-8") + "#" * MAX_FILE_BYTES, "utf-8")
    content = path.read_bytes()
    with pytest.raises(InvalidSuggestion, match="is full"):
        store_suggestion(tmp_path, "nl", message, ["Taal"], DAY)
    assert path.read_bytes() == content


@pytest.mark.django_db
def test_director_finds_the_page_in_the_footer_and_suggests_a_word(
    client: Client, tmp_path: Path, settings: Any
) -> None:
    settings.DATA_DIR = tmp_path
    _session, user = evenings.open_session()
    client.force_login(user)
    assert URL not in client.get("/director/").content.decode()
    dutch = {"accept-language": "nl"}
    assert f'href="{URL}"' in client.get("/director/", headers=dutch).content.decode()
    page = client.get(URL, {"q": "taal van de club"}, headers=dutch).content.decode()
    assert re.search(r"<textarea[^>]*>Taal van de club</textarea>", page)
    form = {"text": "Club’s language", "context": "", "translation": "Clubtaal"}
    response = client.post(f"{URL}?q=taal", form, headers=dutch)
    assert (response.status_code, response["Location"]) == (302, f"{URL}?q=taal")
    file = b"".join(client.get(f"{URL}file/", headers=dutch))
    assert b'msgstr "Clubtaal"' in file


@pytest.mark.django_db
def test_bad_requests_store_nothing(client: Client, tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    assert client.get(URL).status_code == 302
    _session, user = evenings.open_session()
    client.force_login(user)
    dutch = {"accept-language": "nl"}
    unknown_message = {"text": "No such message", "translation": "x"}
    assert client.post(URL, unknown_message, headers=dutch).status_code == 404
    empty_response = client.post(URL, {"text": "Club’s language"}, headers=dutch)
    assert empty_response.status_code == 400
    assert client.post(URL, {"text": "Club’s language", "translation": "x"}).status_code == 200
    assert client.get(f"{URL}file/", headers=dutch).status_code == 404
    assert not (tmp_path / "better-words").exists()
