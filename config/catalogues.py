"""Read the message catalogues (`django.po`), and measure how much of them is translated.

`makemessages` and `compilemessages` write them; docs/languages.md describes the steps.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

LOCALE = Path(__file__).resolve().parent.parent / "locale"
PLAYER_SOURCES_FILE = LOCALE / "players.txt"
DOMAIN = "django"

KEYWORD = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr(?:\[(\d+)\])?)\s+(".*")$')
PERCENT = re.compile(r"%(?:\((\w+)\))?[-+ #0]*\d*(?:\.\d+)?([sdrf%])")
BRACES = re.compile(r"\{[\w.]*(?:![rsa])?(?::[^{}]*)?\}")


@dataclass(frozen=True)
class Message:
    """One message of a catalogue, with its translations: one, or one for each plural form."""

    text: str
    plural: str = ""
    context: str = ""
    translations: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    """The files that contain the message, relative to the top folder."""
    flags: frozenset[str] = field(default=frozenset())

    @property
    def is_fuzzy(self) -> bool:
        """Whether the translation is of an earlier English text."""
        return "fuzzy" in self.flags

    @property
    def is_translated(self) -> bool:
        """Whether every form is translated and not fuzzy."""
        return bool(self.translations) and all(self.translations) and not self.is_fuzzy


@dataclass(frozen=True)
class Catalogue:
    """The messages of one language, and its header."""

    header: dict[str, str]
    messages: tuple[Message, ...]

    @property
    def plural_forms(self) -> int:
        """The number of plural forms in its header, 0 without one."""
        match = re.search(r"nplurals=(\d+)", self.header.get("Plural-Forms", ""))
        return int(match[1]) if match else 0


def get_catalogue_path(language: str, folder: Path = LOCALE) -> Path:
    """Return the path of a language's catalogue; `language` is a folder such as "nl"."""
    return folder / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def list_catalogue_languages(folder: Path = LOCALE) -> list[str]:
    """List the folders of the languages with a catalogue."""
    return sorted(path.parents[1].name for path in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def read_catalogue(path: Path) -> Catalogue:
    """Read a catalogue or a template (`.pot`). Obsolete messages are left out."""
    header: dict[str, str] = {}
    messages: list[Message] = []
    for message in _read_messages(path.read_text(encoding="utf-8").splitlines()):
        if message.text:
            messages.append(message)
        else:
            lines = "".join(message.translations).splitlines()
            header = dict(line.split(": ", 1) for line in lines if ": " in line)
    return Catalogue(header, tuple(messages))


def read_player_sources(path: Path = PLAYER_SOURCES_FILE) -> list[str]:
    """Return the patterns of the sources whose messages players meet."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def is_for_players(message: Message, patterns: Iterable[str]) -> bool:
    """Return whether players meet a message: one of its sources matches a pattern."""
    known = tuple(patterns)
    return any(fnmatchcase(source, pattern) for source in message.sources for pattern in known)


def find_faults(message: Message, plural_forms: int) -> list[str]:
    """Return the faults of a translation, such as a missing placeholder; [] for an untranslated
    message.

    It must have all plural forms and the placeholders of the English text. A form for one
    number may leave out a placeholder, as English does in "one table".
    """
    if not any(message.translations):
        return []
    faults: list[str] = []
    forms = plural_forms if message.plural else 1
    if len(message.translations) != forms or not all(message.translations):
        faults.append(
            f"{len([text for text in message.translations if text])} of {forms} forms"
        )
    needed = list_placeholders(message.plural or message.text)
    allowed_less = list_placeholders(message.text)
    for number, words in enumerate(message.translations):
        own_placeholders = list_placeholders(words)
        if own_placeholders != needed and not (
            message.plural and number == 0 and own_placeholders == allowed_less
        ):
            faults.append(f"placeholders {own_placeholders} instead of {needed}: {words!r}")
        if words[:1].isspace() != message.text[:1].isspace() and words:
            faults.append(f"space at the start: {words!r}")
        if words[-1:].isspace() != message.text[-1:].isspace() and words:
            faults.append(f"space at the end: {words!r}")
    return faults


def list_placeholders(text: str) -> list[str]:
    """Return the placeholders of a text in the order of the alphabet."""
    percents = [match[0] for match in PERCENT.finditer(text) if match[0] != "%%"]
    return sorted({*percents, *BRACES.findall(text)})


def _read_messages(lines: Iterable[str]) -> Iterator[Message]:
    message, key, has_text = Message(""), "", False
    for line in [*lines, ""]:
        if line.startswith("#~"):
            continue
        if line.startswith("#"):
            message = _add_comment(message, line)
        elif line.startswith('"'):
            message = _append(message, key, _unquote(line))
        elif (match := KEYWORD.match(line)) is not None:
            key, has_text = match[1], True
            message = _append(message, key, _unquote(match[3]), is_first=True)
        elif not line.strip() and has_text:
            yield message
            message, has_text = Message(""), False


def _add_comment(message: Message, line: str) -> Message:
    if line.startswith("#:"):
        files = (word.rpartition(":")[0] or word for word in line[2:].split())
        return replace(message, sources=tuple(dict.fromkeys([*message.sources, *files])))
    if line.startswith("#,"):
        flags = {word.strip() for word in line[2:].split(",")}
        return replace(message, flags=message.flags | flags)
    return message


def _append(message: Message, key: str, words: str, *, is_first: bool = False) -> Message:
    match key:
        case "msgctxt":
            return replace(message, context=message.context + words)
        case "msgid":
            return replace(message, text=message.text + words)
        case "msgid_plural":
            return replace(message, plural=message.plural + words)
    forms = [*message.translations, ""] if is_first else [*message.translations]
    forms[-1] += words
    return replace(message, translations=tuple(forms))


def _unquote(text: str) -> str:
    return str(ast.literal_eval(text.strip()))
