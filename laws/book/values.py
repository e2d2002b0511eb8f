"""The parts of the law book: laws, sections, definitions, and readings of unclear places."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from server.translation import TranslatedField


@dataclass(frozen=True)
class LetteredItem:
    """A lettered or numbered part of a section."""

    mark: str
    text: TranslatedField = TranslatedField()


@dataclass(frozen=True)
class Section:
    """One section of a law; `note` is the program's reading of an unclear place."""

    law: str
    number: int
    text: TranslatedField = TranslatedField()
    items: tuple[LetteredItem, ...] = ()
    note: TranslatedField = TranslatedField("")

    @property
    def key(self) -> str:
        """The key of the section in URLs and short citations, such as "X.4"."""
        return f"{self.law}.{self.number}"

    @property
    def search_text(self) -> str:
        """The text that a search reads."""
        return " ".join([self.text, *(item.text for item in self.items), self.note])


@dataclass(frozen=True)
class Law:
    """One of the eleven laws, with its sections."""

    number: str
    sections: tuple[Section, ...]
    title: TranslatedField = TranslatedField()


@dataclass(frozen=True, slots=True)
class SectionText:
    """The text of a section before it is numbered; marked for translation only."""

    text: str
    items: Mapping[str, str] = field(default_factory=dict)
    """The texts of the section's items by their marks, such as letters."""
    note: str = ""


@dataclass(frozen=True)
class Definition:
    """A word and the exact meaning that the laws give the word."""

    mark: str
    word: TranslatedField = TranslatedField()
    text: TranslatedField = TranslatedField()


@dataclass(frozen=True)
class LawReading:
    """The program's reading of a place where the laws are silent or unclear."""

    number: int
    about: TranslatedField = TranslatedField()
    text: TranslatedField = TranslatedField()


def build_law(number: str, title: str, *texts: SectionText | str) -> Law:
    """Create a law from the texts of its sections, which are numbered from 1."""
    sections = []
    for count, given in enumerate(texts, start=1):
        words = given if isinstance(given, SectionText) else SectionText(given)
        items = tuple(LetteredItem(mark, text) for mark, text in words.items.items())
        sections.append(Section(number, count, words.text, items, words.note))
    return Law(number, tuple(sections), title)


def format_citation(key: str) -> str:
    """Format a section's key as people cite it: "X.4" is Law X §4, "V" is Law V."""
    number, _dot, section = key.partition(".")
    if not section:
        return _("Law %(number)s") % {"number": number}
    return _("Law %(number)s §%(section)s") % {"number": number, "section": section}
