"""The parts of the law book: laws, sections, definitions, and readings of unclear passages."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from server.translation import TranslatedField


@dataclass(frozen=True)
class LetteredItem:
    """A lettered or numbered part of a section."""

    mark: str
    """The letter or number, such as "a" or "II"."""
    text: TranslatedField = TranslatedField()


@dataclass(frozen=True)
class LawSection:
    """One section of a law; `note` is the program's reading of an unclear passage."""

    law: str
    """The number of the law, such as "X"."""
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
        """The text in which a search looks for the words of a query."""
        return " ".join([self.text, *(item.text for item in self.items), self.note])


@dataclass(frozen=True)
class Law:
    """One of the eleven laws, with its sections."""

    number: str
    sections: tuple[LawSection, ...]
    title: TranslatedField = TranslatedField()


@dataclass(frozen=True, slots=True)
class SectionText:
    """The untranslated text of a section, before `build_law` gives the section its number."""

    text: str
    items: Mapping[str, str] = field(default_factory=dict)
    """The texts of the section's lettered items, by letter or number."""
    note: str = ""


@dataclass(frozen=True)
class Definition:
    """A term and its exact meaning in the laws."""

    mark: str
    """The letter of the definition in the laws, such as "e"."""
    term: TranslatedField = TranslatedField()
    text: TranslatedField = TranslatedField()


@dataclass(frozen=True)
class LawReading:
    """The program's reading of a passage where the laws are silent or unclear."""

    number: int
    subject: TranslatedField = TranslatedField()
    text: TranslatedField = TranslatedField()


def build_law(law_number: str, title: str, *section_sources: SectionText | str) -> Law:
    """Create a law from the texts of its sections, which are numbered from 1."""
    sections = []
    for section_number, section_source in enumerate(section_sources, start=1):
        section_text = (
            section_source
            if isinstance(section_source, SectionText)
            else SectionText(section_source)
        )
        items = tuple(LetteredItem(mark, text) for mark, text in section_text.items.items())
        sections.append(
            LawSection(law_number, section_number, section_text.text, items, section_text.note)
        )
    return Law(law_number, tuple(sections), title)


def format_citation(section_key: str) -> str:
    """Format a section's key as a citation, e.g. "Law X §4" for "X.4" or "Law V" for "V"."""
    law_number, _dot, section_number = section_key.partition(".")
    if not section_number:
        return _("Law %(number)s") % {"number": law_number}
    return _("Law %(number)s §%(section)s") % {"number": law_number, "section": section_number}
