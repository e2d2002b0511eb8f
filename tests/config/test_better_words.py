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
    SuggestionRefused,
    find_messages,
    load_catalogue,
    store_suggestion,
)
from config.catalogues import Catalogue, Message, read_catalogue
from tests import evenings

DAY = date(2026, 11, 29)
URL = "/director/words/"


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Restore the language of the tests after requests in Dutch."""
    with translation.override("en"):
        yield


@pytest.fixture
def dutch() -> Catalogue:
    catalogue = load_catalogue("nl")
    assert catalogue is not None
    return catalogue


def find_message(catalogue: Catalogue, text: str) -> Message:
    [message] = [message for message in catalogue.messages if message.text == text]
    return message


def test_messages_are_found_by_translation_or_english_text_in_any_case(
    dutch: Catalogue,
) -> None:
    assert "Club’s language" in [m.text for m in find_messages(dutch, "TAAL VAN DE")]
    assert "Club’s language" in [m.text for m in find_messages(dutch, "club’s LANG")]
    assert find_messages(dutch, "no such words anywhere") == []
    assert find_messages(dutch, "") == []


def test_suggestions_are_collected_in_a_catalogue_file(
    dutch: Catalogue, tmp_path: Path
) -> None:
    single = find_message(dutch, "Club’s language")
    plural = next(
        m for m in dutch.messages if m.plural_text and "%(count)s" in m.translations[0]
    )
    forms = [f"{text} echt" for text in plural.translations]
    store_suggestion(tmp_path, "nl", single, ['De "taal"\nvan de club'], DAY)
    store_suggestion(tmp_path, "nl", plural, forms, DAY)
    path = store_suggestion(tmp_path, "nl", single, ["Clubtaal"], DAY)
    stored_catalogue = read_catalogue(path)
    assert stored_catalogue.header["Language"] == "nl"
    assert [(m.text, m.plural_text, m.translations) for m in stored_catalogue.messages] == [
        (single.text, "", ('De "taal"\nvan de club',)),
        (plural.text, plural.plural_text, tuple(forms)),
        (single.text, "", ("Clubtaal",)),
    ]
    content = path.read_bytes()
    store_suggestion(tmp_path, "nl", single, ["Clubtaal"], DAY)
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
    dutch: Catalogue, tmp_path: Path, text: str, translation: str, reason: str
) -> None:
    with pytest.raises(SuggestionRefused, match=reason):
        store_suggestion(tmp_path, "nl", find_message(dutch, text), [translation], DAY)
    assert list(tmp_path.iterdir()) == []


def test_full_file_is_not_changed(dutch: Catalogue, tmp_path: Path) -> None:
    message = find_message(dutch, "Club’s language")
    path = store_suggestion(tmp_path, "nl", message, ["Clubtaal"], DAY)
    path.write_text(path.read_text("utf-8") + "#" * MAX_FILE_BYTES, "utf-8")
    content = path.read_bytes()
    with pytest.raises(SuggestionRefused, match="is full"):
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
    unknown = {"text": "No such message", "translation": "x"}
    assert client.post(URL, unknown, headers=dutch).status_code == 404
    empty = client.post(URL, {"text": "Club’s language"}, headers=dutch)
    assert empty.status_code == 400
    assert client.post(URL, {"text": "Club’s language", "translation": "x"}).status_code == 200
    assert client.get(f"{URL}file/", headers=dutch).status_code == 404
    assert not (tmp_path / "better-words").exists()
