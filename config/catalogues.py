"""Read the message catalogues (`django.po`), and find missing or faulty translations.

`makemessages` and `compilemessages` write the catalogues; docs/languages.md describes the
steps.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

LOCALE_FOLDER = Path(__file__).resolve().parent.parent / "locale"
PLAYER_MESSAGE_SOURCES_PATH = LOCALE_FOLDER / "players.txt"
GETTEXT_DOMAIN = "django"

KEYWORD_PATTERN = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr(?:\[(\d+)\])?)\s+(".*")$')
PERCENT_PATTERN = re.compile(r"%(?:\((\w+)\))?[-+ #0]*\d*(?:\.\d+)?([sdrf%])")
BRACES_PATTERN = re.compile(r"\{[\w.]*(?:![rsa])?(?::[^{}]*)?\}")


@dataclass(frozen=True)
class Message:
    """One message of a catalogue, with its translations: one, or one for each plural form."""

    text: str
    plural_text: str = ""
    context: str = ""
    translations: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    """The files that contain the message, relative to the top folder."""
    flags: frozenset[str] = field(default=frozenset())

    @property
    def is_fuzzy(self) -> bool:
        """Whether the English text has changed since it was translated."""
        return "fuzzy" in self.flags

    @property
    def is_translated(self) -> bool:
        """Whether all plural forms are translated, and the message is not fuzzy."""
        return bool(self.translations) and all(self.translations) and not self.is_fuzzy


@dataclass(frozen=True)
class Catalogue:
    """The messages of one language, and its header."""

    header: dict[str, str]
    messages: tuple[Message, ...]

    @property
    def plural_form_count(self) -> int:
        """The number of plural forms in the catalogue's header, or 0 if it states none."""
        count_match = re.search(r"nplurals=(\d+)", self.header.get("Plural-Forms", ""))
        return int(count_match[1]) if count_match else 0


def get_catalogue_path(language: str, folder: Path = LOCALE_FOLDER) -> Path:
    """Return the path of a language's catalogue; `language` is a folder such as "nl"."""
    return folder / language / "LC_MESSAGES" / f"{GETTEXT_DOMAIN}.po"


def list_catalogue_languages(folder: Path = LOCALE_FOLDER) -> list[str]:
    """List the folders of the languages with a catalogue."""
    return sorted(
        path.parents[1].name for path in folder.glob(f"*/LC_MESSAGES/{GETTEXT_DOMAIN}.po")
    )


def read_catalogue(path: Path) -> Catalogue:
    """Read a catalogue or a template (`.pot`). Obsolete messages are left out."""
    header: dict[str, str] = {}
    messages: list[Message] = []
    for message in _read_messages(path.read_text(encoding="utf-8").splitlines()):
        if message.text:
            messages.append(message)
        else:
            header_lines = "".join(message.translations).splitlines()
            header = dict(
                header_line.split(": ", 1)
                for header_line in header_lines
                if ": " in header_line
            )
    return Catalogue(header, tuple(messages))


def read_player_sources(path: Path = PLAYER_MESSAGE_SOURCES_PATH) -> list[str]:
    """Return the patterns of the source files whose messages players see."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def is_for_players(message: Message, source_patterns: Iterable[str]) -> bool:
    """Return whether players see a message: one of its sources matches a pattern."""
    pattern_tuple = tuple(source_patterns)
    return any(
        fnmatchcase(source, pattern) for source in message.sources for pattern in pattern_tuple
    )


def find_translation_errors(message: Message, plural_form_count: int) -> list[str]:
    """Return descriptions of a translation's errors; [] for an untranslated message.

    A translation must have all plural forms and the placeholders of the English text. Its
    singular form may leave out a placeholder, as English does in "one table".
    """
    if not any(message.translations):
        return []
    error_texts: list[str] = []
    form_count = plural_form_count if message.plural_text else 1
    if len(message.translations) != form_count or not all(message.translations):
        error_texts.append(f"{sum(map(bool, message.translations))} of {form_count} forms")
    required_placeholders = list_placeholders(message.plural_text or message.text)
    singular_placeholders = list_placeholders(message.text)
    for form_index, translation in enumerate(message.translations):
        translation_placeholders = list_placeholders(translation)
        if translation_placeholders != required_placeholders and not (
            message.plural_text
            and form_index == 0
            and translation_placeholders == singular_placeholders
        ):
            error_texts.append(
                f"placeholders {translation_placeholders} instead of "
                f"{required_placeholders}: {translation!r}"
            )
        if translation[:1].isspace() != message.text[:1].isspace() and translation:
            error_texts.append(f"space at the start: {translation!r}")
        if translation[-1:].isspace() != message.text[-1:].isspace() and translation:
            error_texts.append(f"space at the end: {translation!r}")
    return error_texts


def list_placeholders(text: str) -> list[str]:
    """Return the placeholders of a text in alphabetical order."""
    percent_placeholders = [
        percent_match[0]
        for percent_match in PERCENT_PATTERN.finditer(text)
        if percent_match[0] != "%%"
    ]
    return sorted({*percent_placeholders, *BRACES_PATTERN.findall(text)})


def _read_messages(po_lines: Iterable[str]) -> Iterator[Message]:
    message, keyword, has_keyword = Message(""), "", False
    for po_line in [*po_lines, ""]:
        if po_line.startswith("#~"):
            continue
        if po_line.startswith("#"):
            message = _add_comment(message, po_line)
        elif po_line.startswith('"'):
            message = _append_text(message, keyword, _unquote(po_line))
        elif (keyword_match := KEYWORD_PATTERN.match(po_line)) is not None:
            keyword, has_keyword = keyword_match[1], True
            message = _append_text(
                message, keyword, _unquote(keyword_match[3]), is_keyword_line=True
            )
        elif not po_line.strip() and has_keyword:
            yield message
            message, has_keyword = Message(""), False


def _add_comment(message: Message, comment_line: str) -> Message:
    if comment_line.startswith("#:"):
        source_paths = (
            comment_word.rpartition(":")[0] or comment_word
            for comment_word in comment_line[2:].split()
        )
        return replace(message, sources=tuple(dict.fromkeys([*message.sources, *source_paths])))
    if comment_line.startswith("#,"):
        flags = {comment_word.strip() for comment_word in comment_line[2:].split(",")}
        return replace(message, flags=message.flags | flags)
    return message


def _append_text(
    message: Message, keyword: str, text: str, *, is_keyword_line: bool = False
) -> Message:
    match keyword:
        case "msgctxt":
            return replace(message, context=message.context + text)
        case "msgid":
            return replace(message, text=message.text + text)
        case "msgid_plural":
            return replace(message, plural_text=message.plural_text + text)
    translations = [*message.translations, ""] if is_keyword_line else [*message.translations]
    translations[-1] += text
    return replace(message, translations=tuple(translations))


def _unquote(quoted_text: str) -> str:
    return str(ast.literal_eval(quoted_text.strip()))
