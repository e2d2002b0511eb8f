"""Find messages by their translation, and store better translations for a translator.

Suggestions are appended to `better-words/LANGUAGE.po` in the data folder. A translator copies
the good ones into the catalogue.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path

from django.utils.translation import gettext as _

from config import catalogues
from config.catalogues import Catalogue, Message

MAX_HITS = 10
MAX_TRANSLATION_CHARACTERS = 2000  # characters of a translation, with all plural forms
MAX_FILE_BYTES = 1_000_000
FILE_HEADER = """\
# Suggested translations. Copy the good ones into locale/{language}/LC_MESSAGES/django.po.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: {language}\\n"
"""


class InvalidSuggestion(Exception):
    """A suggestion cannot be stored. The message says why and what to do."""


@lru_cache(maxsize=2)
def load_catalogue(language: str) -> Catalogue | None:
    """Return the catalogue of a language, or None if there is none.

    A catalogue is read once and then cached.
    """
    if language not in catalogues.list_catalogue_languages():
        return None
    return catalogues.read_catalogue(catalogues.get_catalogue_path(language))


def find_messages(catalogue: Catalogue, search_words: str) -> list[Message]:
    """Return the messages whose translation or English text contains the words, shortest first.

    Letter case is ignored. At most MAX_HITS messages are returned, and none for an empty text.
    """
    search_text = search_words.casefold()
    if not search_text:
        return []
    matching_messages = [
        message
        for message in catalogue.messages
        if any(search_text in text.casefold() for text in (message.text, *message.translations))
    ]
    return sorted(matching_messages, key=lambda message: len(message.text))[:MAX_HITS]


def store_suggestion(
    folder: Path, language: str, message: Message, translations: Sequence[str], day: date
) -> Path:
    """Append a better translation to the language's file; return the path of the file.

    A repeated suggestion is stored once. Raises InvalidSuggestion if the translation is the
    current one, lacks a placeholder or a plural form, or if the file is full.
    """
    catalogue = load_catalogue(language)
    suggestion = replace(message, translations=tuple(translations))
    if suggestion.translations == message.translations:
        raise InvalidSuggestion(_("This is the current translation. Change a word first."))
    if sum(map(len, translations)) > MAX_TRANSLATION_CHARACTERS:
        raise InvalidSuggestion(
            _("Enter at most %(most)s characters.") % {"most": MAX_TRANSLATION_CHARACTERS}
        )
    if not all(translations):
        raise InvalidSuggestion(_("Fill in every form of the translation."))
    translation_errors = catalogues.find_translation_errors(
        suggestion, catalogue.plural_form_count if catalogue else 1
    )
    if translation_errors:
        raise InvalidSuggestion(
            _("Keep the parts that the program fills in: %(parts)s.")
            % {"parts": ", ".join(list_placeholders(message)) or _("none")}
        )
    return _append_to_po_file(
        folder / "better-words" / f"{language}.po", language, suggestion, day
    )


def list_placeholders(message: Message) -> list[str]:
    """Return the parts of a message that the program fills in, such as `%(table)s`."""
    return catalogues.list_placeholders(message.plural_text or message.text)


def _append_to_po_file(po_path: Path, language: str, message: Message, day: date) -> Path:
    po_entry = "\n".join(_iter_po_lines(message)) + "\n"
    file_text = (
        po_path.read_text("utf-8")
        if po_path.exists()
        else FILE_HEADER.format(language=language)
    )
    if po_entry in file_text:
        return po_path
    if len(file_text.encode()) > MAX_FILE_BYTES:
        raise InvalidSuggestion(
            _("The file %(file)s is full. Send it to the translators and delete it.")
            % {"file": po_path}
        )
    po_path.parent.mkdir(parents=True, exist_ok=True)
    with po_path.open("a", encoding="utf-8", newline="\n") as po_file:
        if po_file.tell() == 0:
            po_file.write(file_text)
        po_file.write(f"\n# Suggested on {day.isoformat()}.\n{po_entry}")
    return po_path


def _iter_po_lines(message: Message) -> Iterator[str]:
    """Yield the lines of a message in a `.po` file."""
    yield from (f"#: {source}" for source in message.sources)
    if message.context:
        yield f"msgctxt {_quote(message.context)}"
    yield f"msgid {_quote(message.text)}"
    if not message.plural_text:
        yield f"msgstr {_quote(message.translations[0])}"
        return
    yield f"msgid_plural {_quote(message.plural_text)}"
    for form_index, translation in enumerate(message.translations):
        yield f"msgstr[{form_index}] {_quote(translation)}"


def _quote(text: str) -> str:
    escaped_text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped_text}"'
