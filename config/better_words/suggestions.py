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
MAX_LENGTH = 2000
MAX_FILE_BYTES = 1_000_000
HEADER = """\
# Suggested translations. Copy the good ones into locale/{language}/LC_MESSAGES/django.po.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: {language}\\n"
"""


class SuggestionRefused(Exception):
    """A suggestion that cannot be stored; the text says why and what to do."""


@lru_cache(maxsize=2)
def load_catalogue(language: str) -> Catalogue | None:
    """Return the catalogue of a language, None if it has none. It is read only once."""
    if language not in catalogues.list_catalogue_languages():
        return None
    return catalogues.read_catalogue(catalogues.get_catalogue_path(language))


def find_messages(catalogue: Catalogue, words: str) -> list[Message]:
    """Return the messages whose translation or English text contains the words, shortest first.

    Letter case is ignored. There are at most MAX_HITS; no words give no messages.
    """
    wanted = words.casefold()
    if not wanted:
        return []
    hits = [
        message
        for message in catalogue.messages
        if any(wanted in text.casefold() for text in (message.text, *message.translations))
    ]
    return sorted(hits, key=lambda message: len(message.text))[:MAX_HITS]


def store_suggestion(
    folder: Path, language: str, message: Message, translations: Sequence[str], day: date
) -> Path:
    """Append a better translation to the language's file; return the file.

    A repeated suggestion is stored once. Raises SuggestionRefused if the translation is the
    present one, lacks a placeholder or a plural form, or if the file is full.
    """
    catalogue = load_catalogue(language)
    suggestion = replace(message, translations=tuple(translations))
    if suggestion.translations == message.translations:
        raise SuggestionRefused(_("This is the present translation. Change a word first."))
    if sum(map(len, translations)) > MAX_LENGTH:
        raise SuggestionRefused(_("Enter at most %(most)s characters.") % {"most": MAX_LENGTH})
    if not all(translations):
        raise SuggestionRefused(_("Fill in every form of the translation."))
    faults = catalogues.find_faults(suggestion, catalogue.plural_forms if catalogue else 1)
    if faults:
        raise SuggestionRefused(
            _("Keep the parts that the program fills in: %(parts)s.")
            % {"parts": ", ".join(list_placeholders(message)) or _("none")}
        )
    return _append_entry(folder / "better-words" / f"{language}.po", language, suggestion, day)


def list_placeholders(message: Message) -> list[str]:
    """Return the parts of a message that the program fills in, such as `%(table)s`."""
    return catalogues.list_placeholders(message.plural or message.text)


def _append_entry(path: Path, language: str, message: Message, day: date) -> Path:
    entry = "\n".join(_write_entry(message)) + "\n"
    stored = path.read_text("utf-8") if path.exists() else HEADER.format(language=language)
    if entry in stored:
        return path
    if len(stored.encode()) > MAX_FILE_BYTES:
        raise SuggestionRefused(
            _("The file %(file)s is full. Send it to the translators and delete it.")
            % {"file": path}
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", newline="\n") as file:
        if file.tell() == 0:
            file.write(stored)
        file.write(f"\n# Suggested on {day.isoformat()}.\n{entry}")
    return path


def _write_entry(message: Message) -> Iterator[str]:
    """Yield the lines of a message in a `.po` file."""
    yield from (f"#: {source}" for source in message.sources)
    if message.context:
        yield f"msgctxt {_quote(message.context)}"
    yield f"msgid {_quote(message.text)}"
    if not message.plural:
        yield f"msgstr {_quote(message.translations[0])}"
        return
    yield f"msgid_plural {_quote(message.plural)}"
    for number, translation in enumerate(message.translations):
        yield f"msgstr[{number}] {_quote(translation)}"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
