"""Parts of a law book for a single table: chapters, laws and incidents."""

from collections.abc import Mapping
from dataclasses import dataclass

from laws.book.values import LetteredItem, SectionText
from server.translation import TranslatedField

LawTexts = Mapping[str, str | SectionText]
"""The texts of laws by the law's number."""


@dataclass(frozen=True)
class NumberedLaw:
    """A law of a book with its number and its lettered parts."""

    number: str
    text: TranslatedField = TranslatedField()
    items: tuple[LetteredItem, ...] = ()

    @property
    def search_text(self) -> str:
        """The text in which a search looks for the words of a query."""
        return " ".join([self.text, *(item.text for item in self.items)])


@dataclass(frozen=True)
class Chapter:
    """The laws under one heading."""

    rules: tuple[NumberedLaw, ...]
    title: TranslatedField = TranslatedField()


@dataclass(frozen=True)
class Incident:
    """An incident at a table; a search also finds it by its `search_words`."""

    code: str
    text: TranslatedField = TranslatedField()
    search_words: TranslatedField = TranslatedField("")

    @property
    def search_text(self) -> str:
        """The text in which a search looks for the words of a query."""
        return f"{self.text} {self.search_words}"


@dataclass(frozen=True)
class IncidentGroup:
    """The incidents of one part of the play, under a heading."""

    title: TranslatedField = TranslatedField()
    incidents: tuple[Incident, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LawBook:
    """A code of laws for a single table.

    `law_numbers_by_incident` maps the code of an incident to the numbers of the laws of this
    book that cover it. An incident that the book does not cover has no entry.
    """

    code: str
    chapters: tuple[Chapter, ...]
    law_numbers_by_incident: Mapping[str, tuple[str, ...]]
    short_title: TranslatedField = TranslatedField()
    """The short title of the book, for lists."""
    title: TranslatedField = TranslatedField()
    source: TranslatedField = TranslatedField()
    note: TranslatedField = TranslatedField("")

    @property
    def rules(self) -> dict[str, NumberedLaw]:
        """All laws of the book by number."""
        return {rule.number: rule for chapter in self.chapters for rule in chapter.rules}


def build_chapter(title: str, laws: LawTexts) -> Chapter:
    """Create a chapter from the texts of its laws by number."""
    rules = []
    for law_number, law_source in laws.items():
        section_text = (
            law_source if isinstance(law_source, SectionText) else SectionText(law_source)
        )
        items = tuple(
            LetteredItem(letter_or_number, item_text)
            for letter_or_number, item_text in section_text.items.items()
        )
        rules.append(NumberedLaw(law_number, section_text.text, items))
    return Chapter(tuple(rules), title)
