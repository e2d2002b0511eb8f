"""Catalogues are as complete as listed here, and are compiled from their translations."""

import ast
import gettext
import io
import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils.translation.template import templatize

from config import catalogues
from config.catalogues import Message, find_translation_errors, is_for_players, read_catalogue
from tests.house.sources import MODULES, ROOT, list_nodes
from tests.house.test_translated_texts import TRANSLATORS, get_called_name

FULLY_TRANSLATED_FOR_PLAYERS: tuple[str, ...] = ("da", "de", "es", "fr", "nb", "nl", "sv")
"""The languages in which every message that players meet is translated."""
FULLY_TRANSLATED_LANGUAGES: tuple[str, ...] = ("da", "nl")
"""The languages in which every message is translated."""

LANGUAGES = catalogues.list_catalogue_languages()
SAMPLE = """
# A comment.
msgid ""
msgstr ""
"Language: nl\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#: hall/views.py templates/hall/table.html:12
#, python-format
msgid ""
"Table %(table)s "
"is “late”."
msgstr "Tafel %(table)s is “laat”."

#: scoring/models.py
#, fuzzy, python-format
#| msgid "%(number)s old"
msgctxt "boards"
msgid "%(number)s board"
msgid_plural "%(number)s boards"
msgstr[0] "één spel"
msgstr[1] "%(number)s spellen"

#: hall/views.py
msgid "New"
msgstr ""

#~ msgid "Gone"
#~ msgstr "Weg"
"""


TRANSLATOR_CALL_PATTERN = re.compile(
    r"""\b(?:gettext|ngettext|_)\(u?((['"])(?:\\.|(?!\2).)*\2)""", re.S
)


@cache
def _list_messages() -> tuple[tuple[str, str], ...]:
    """Return each marked text of the program with its file, without GNU gettext.

    It reads Python's syntax trees, and templates as Django hands them to `xgettext`.
    """
    messages = [
        (str(MODULES[module].relative_to(ROOT)), text.value)
        for module in MODULES
        for node in list_nodes(module, ast.Call)
        if get_called_name(node) in TRANSLATORS and node.args
        for text in [node.args[1 if get_called_name(node) == "pgettext" else 0]]
        if isinstance(text, ast.Constant)
    ]
    for path in sorted((ROOT / "templates").rglob("*.*")):
        text = templatize(path.read_text(encoding="utf-8"), origin=str(path))
        source = str(path.relative_to(ROOT))
        messages += [
            (source, ast.literal_eval(match[1]))
            for match in TRANSLATOR_CALL_PATTERN.finditer(text)
        ]
    return tuple(messages)


def read_catalogue_text(text: str, folder: Path) -> catalogues.Catalogue:
    path = folder / "django.po"
    path.write_text(text, encoding="utf-8")
    return read_catalogue(path)


def test_catalogue_is_read_with_its_sources_flags_and_plural_forms(tmp_path: Path) -> None:
    catalogue = read_catalogue_text(SAMPLE, tmp_path)
    assert (catalogue.header["Language"], catalogue.plural_form_count) == ("nl", 2)
    late_message, boards, new_message = catalogue.messages
    assert late_message.text == "Table %(table)s is “late”."
    assert late_message.translations == ("Tafel %(table)s is “laat”.",)
    assert late_message.sources == ("hall/views.py", "templates/hall/table.html")
    assert (boards.context, boards.plural_text) == ("boards", "%(number)s boards")
    assert boards.translations == ("één spel", "%(number)s spellen")
    assert [message.is_translated for message in catalogue.messages] == [
        True,
        False,
        False,
    ]
    assert [message.is_fuzzy for message in catalogue.messages] == [False, True, False]
    assert [find_translation_errors(item, 2) for item in (late_message, new_message)] == [
        [],
        [],
    ]


@pytest.mark.parametrize(
    ("text", "plural", "translations", "is_right"),
    [
        ("Pair %(pair)s", "", ("Paar %(pair)s",), True),
        ("Pair %(pair)s", "", ("Paar %(paar)s",), False),
        ("Pair %(pair)s", "", ("Paar",), False),
        ("100 %%", "", ("100 %",), True),
        ("{took:signed} tricks", "", ("{took:signed} slagen",), True),
        ("{took:signed} tricks", "", ("{took} slagen",), False),
        ("%(n)s board", "%(n)s boards", ("%(n)s spel", "%(n)s spellen"), True),
        ("%(n)s board", "%(n)s boards", ("%(n)s spel",), False),
        ("%(n)s board", "%(n)s boards", ("%(n)s spel", ""), False),
        ("one board", "%(n)s boards", ("één spel", "%(n)s spellen"), True),
        ("one board", "%(n)s boards", ("één spel", "spellen"), False),
        ("Table ", "", ("Tafel",), False),
        ("Table", "", ("",), True),
    ],
)
def test_translation_needs_the_placeholders_and_all_plural_forms(
    text: str, plural: str, translations: tuple[str, ...], is_right: bool
) -> None:
    message = Message(text, plural, translations=translations)
    assert (find_translation_errors(message, 2) == []) is is_right


def test_each_pattern_of_player_messages_matches_a_source() -> None:
    files = [source for source, _text in _list_messages()]
    patterns = catalogues.read_player_sources()
    assert len(patterns) == len(set(patterns))
    assert [
        pattern for pattern in patterns if not any(fnmatchcase(file, pattern) for file in files)
    ] == []
    assert is_for_players(
        Message("Call", sources=("a.py", "templates/hall/table.html")), patterns
    )
    assert not is_for_players(Message("Undo", sources=("hall/history/undo.py",)), patterns)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_fuzzy_or_has_a_fault(language: str) -> None:
    catalogue = read_catalogue(catalogues.get_catalogue_path(language))
    assert catalogue.plural_form_count > 0
    assert [message.text for message in catalogue.messages if message.is_fuzzy] == []
    faults = [
        f"{message.text}: {fault}"
        for message in catalogue.messages
        for fault in find_translation_errors(message, catalogue.plural_form_count)
    ]
    assert faults == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_catalogue_matches_the_translations(language: str) -> None:
    """A `.po` file that was changed without `compilemessages` would change no page."""
    path = catalogues.get_catalogue_path(language)
    with path.with_suffix(".mo").open("rb") as file:
        compiled_catalogue = gettext.GNUTranslations(file)
    mismatched_texts = []
    for message in read_catalogue(path).messages:
        if not message.is_translated:
            continue
        if _collect_compiled_translations(compiled_catalogue, message) != set(
            message.translations
        ):
            mismatched_texts.append(message.text)
    assert mismatched_texts == []


def _collect_compiled_translations(
    compiled: gettext.GNUTranslations, message: Message
) -> set[str]:
    """Return all compiled forms of a message."""
    context, text, plural = message.context, message.text, message.plural_text
    if not plural:
        return {compiled.pgettext(context, text) if context else compiled.gettext(text)}
    numbers = (*range(102), 1_000_000)
    if context:
        return {compiled.npgettext(context, text, plural, number) for number in numbers}
    return {compiled.ngettext(text, plural, number) for number in numbers}


@pytest.mark.parametrize("language", FULLY_TRANSLATED_FOR_PLAYERS)
def test_every_player_message_is_translated(language: str) -> None:
    patterns = catalogues.read_player_sources()
    catalogue = read_catalogue(catalogues.get_catalogue_path(language))
    missing_texts = [
        message.text
        for message in catalogue.messages
        if is_for_players(message, patterns) and not message.is_translated
    ]
    assert missing_texts == []


@pytest.mark.slow
@pytest.mark.parametrize("language", FULLY_TRANSLATED_FOR_PLAYERS)
def test_catalogues_contain_all_current_player_messages(language: str) -> None:
    """After a change of English texts the catalogues need `makemessages`."""
    patterns = catalogues.read_player_sources()
    catalogue = read_catalogue(catalogues.get_catalogue_path(language))
    texts = {message.text for message in catalogue.messages}
    missing_texts = {
        text
        for source, text in _list_messages()
        if text not in texts and is_for_players(Message(text, sources=(source,)), patterns)
    }
    assert missing_texts == set()


@pytest.mark.parametrize("language", FULLY_TRANSLATED_LANGUAGES)
def test_every_message_is_translated(language: str) -> None:
    catalogue = read_catalogue(catalogues.get_catalogue_path(language))
    assert [message.text for message in catalogue.messages if not message.is_translated] == []


def test_command_counts_translated_messages_and_lists_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "nl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    read_catalogue_text(SAMPLE.replace("%(table)s is “laat”", "is laat"), folder)
    for name in ("get_catalogue_path", "list_catalogue_languages"):
        response = getattr(catalogues, name)
        monkeypatch.setattr(catalogues, name, bind_folder(response, tmp_path))
    output = io.StringIO()
    call_command("messages", stdout=output)
    assert output.getvalue() == "nl: 1 of 3 messages, 1 of 1 for players, 1 to check\n"
    output = io.StringIO()
    call_command("messages", "nl", "--all", stdout=output)
    assert "'Table %(table)s is “late”.': placeholders [] instead of" in output.getvalue()
    assert "hall/views.py: 'New'" in output.getvalue()
    with pytest.raises(Exception, match="No catalogue for sv"):
        call_command("messages", "sv")


def bind_folder(function: object, folder: Path) -> object:
    def call(*args: object) -> object:
        assert callable(function)
        return function(*args, folder=folder)

    return call
