"""Search in the law book by law number, by words or by situation."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from laws.book.laws import LAWS
from laws.book.readings import DEFINITIONS, READINGS
from laws.book.situation import Situation
from laws.book.situations import SITUATIONS_BY_CODE
from laws.book.stems import WORD_PATTERN, count_stems, find_stems
from laws.book.values import Definition, Law, LawReading

LAW_NUMBERS_BY_ROMAN = {
    law.number: arabic_number for arabic_number, law in enumerate(LAWS, start=1)
}
"""The Arabic number of each law by its Roman number."""
_SITUATION_PATTERN = re.compile(r"i\s*(\d{1,2})", re.IGNORECASE)
_LAW_PATTERN = re.compile(
    r"(?:laws?\s+)?([ivx]+|\d{1,2})(?:\s*[.,§\s]\s*§?\s*(\d{1,2}))?\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class LawBookMatches:
    """The result of a search in the law book; each law has only its matching sections."""

    laws: tuple[Law, ...]
    situations: tuple[Situation, ...]
    definitions: tuple[Definition, ...] = ()
    readings: tuple[LawReading, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything was found."""
        return self.count > 0

    @property
    def count(self) -> int:
        """The total number of sections, situations, definitions and readings found."""
        section_count = sum(len(law.sections) for law in self.laws)
        return section_count + len(self.situations) + len(self.definitions) + len(self.readings)


def search_law_book(query: str) -> LawBookMatches:
    """Return the parts of the law book that match a query; an empty query returns all.

    A query is a law ("X 4", "Law 10 §4"), a situation ("I26") or words. If no part contains all
    words, the parts with the most words are returned.
    """
    query_text = " ".join(query.split())[:100]
    if not query_text:
        return LawBookMatches(LAWS, tuple(SITUATIONS_BY_CODE.values()), DEFINITIONS, READINGS)
    code_match = _SITUATION_PATTERN.fullmatch(query_text)
    if code_match and f"I{int(code_match[1])}" in SITUATIONS_BY_CODE:
        return _match_situation(f"I{int(code_match[1])}")
    number_match = _LAW_PATTERN.fullmatch(query_text)
    if number_match:
        return _match_section(number_match[1], number_match[2])
    return _search_words(query_text.casefold())


def _match_situation(code: str) -> LawBookMatches:
    situation = SITUATIONS_BY_CODE[code]
    return LawBookMatches(_select_laws(situation.laws), (situation,))


def _match_section(law_number: str, section_number: str | None) -> LawBookMatches:
    """Return a law, or one section of it, and the situations that cite it."""
    roman_number = law_number.upper()
    if law_number.isdigit():
        roman_number = next(
            (
                roman_numeral
                for roman_numeral, arabic_number in LAW_NUMBERS_BY_ROMAN.items()
                if arabic_number == int(law_number)
            ),
            "",
        )
    section_keys = [
        law_section.key
        for law in LAWS
        if law.number == roman_number
        for law_section in law.sections
        if section_number is None or law_section.number == int(section_number)
    ]
    return _find_sections_and_situations(section_keys)


def _find_sections_and_situations(section_keys: list[str]) -> LawBookMatches:
    """Return sections with the situations that cite them."""
    situations = [
        situation
        for situation in SITUATIONS_BY_CODE.values()
        if set(situation.laws) & set(section_keys)
    ]
    return LawBookMatches(_select_laws(section_keys), tuple(situations))


def _select_laws(section_keys: Iterable[str]) -> tuple[Law, ...]:
    wanted_keys = set(section_keys)
    matching_laws = [
        replace(
            law,
            sections=tuple(section for section in law.sections if section.key in wanted_keys),
        )
        for law in LAWS
    ]
    return tuple(law for law in matching_laws if law.sections)


def _search_words(query: str) -> LawBookMatches:
    """Search for a law's title, then for all words in any form, then for most of the words."""
    title_match_keys = [
        section.key for law in LAWS if law.title.casefold() == query for section in law.sections
    ]
    if title_match_keys:
        return _find_sections_and_situations(title_match_keys)
    stems, query_words = find_stems(query), query.split()
    return (
        (_find_matches(lambda text: count_stems(text, stems) == len(stems)) if stems else None)
        or _find_matches(
            lambda text: all(_contains_word(word, text.casefold()) for word in query_words)
        )
        or _find_best_matches(stems)
    )


def _contains_word(word: str, text: str) -> bool:
    """Return whether a text contains a word, even as part of a longer word.

    A number in a query must match a whole number in the text.
    """
    return word in (WORD_PATTERN.findall(text) if word.isdigit() else text)


def _find_best_matches(stems: frozenset[str]) -> LawBookMatches:
    """Return the texts that contain the most stems of the query's words.

    A text must contain at least two of the stems, and more than half of them.
    """
    highest_stem_count = max(count_stems(text, stems) for text in _iter_searchable_texts())
    if highest_stem_count < 2 or 2 * highest_stem_count <= len(stems):
        return LawBookMatches((), ())
    return _find_matches(lambda text: count_stems(text, stems) == highest_stem_count)


def _find_matches(matches_text: Callable[[str], bool]) -> LawBookMatches:
    law_sections = [(law, section) for law in LAWS for section in law.sections]
    section_keys = [
        section.key for _law, section in law_sections if matches_text(section.search_text)
    ] or [
        section.key
        for law, section in law_sections
        if matches_text(f"{law.title} {section.search_text}")
    ]
    return LawBookMatches(
        _select_laws(section_keys),
        _find_situations(matches_text),
        tuple(
            definition
            for definition in DEFINITIONS
            if matches_text(f"{definition.term} {definition.text}")
        ),
        tuple(
            reading for reading in READINGS if matches_text(f"{reading.subject} {reading.text}")
        ),
    )


def _find_situations(matches_text: Callable[[str], bool]) -> tuple[Situation, ...]:
    """Return the situations whose offence matches, or else those whose remedy matches.

    A remedy may mention many other things, so it is searched last.
    """
    situations = SITUATIONS_BY_CODE.values()
    return tuple(
        situation for situation in situations if matches_text(situation.offence_text)
    ) or tuple(situation for situation in situations if matches_text(situation.search_text))


def _iter_searchable_texts() -> Iterator[str]:
    yield from (
        f"{law.title} {section.search_text}" for law in LAWS for section in law.sections
    )
    yield from (situation.search_text for situation in SITUATIONS_BY_CODE.values())
    yield from (f"{definition.term} {definition.text}" for definition in DEFINITIONS)
    yield from (f"{reading.subject} {reading.text}" for reading in READINGS)
