"""Search in the law book: by number, by word, or by what happened."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from laws.book.laws import LAWS
from laws.book.readings import DEFINITIONS, READINGS
from laws.book.situation import Situation
from laws.book.situations import SITUATIONS
from laws.book.stems import WORD_PATTERN, count_stems, find_stems
from laws.book.values import Definition, Law, LawReading

LAW_NUMBERS = {law.number: number for number, law in enumerate(LAWS, start=1)}
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
        sections = sum(len(law.sections) for law in self.laws)
        return sections + len(self.situations) + len(self.definitions) + len(self.readings)


def search_law_book(query: str) -> LawBookMatches:
    """Return the parts of the law book that match a query; an empty query returns all.

    A query is a law ("X 4", "Law 10 §4"), a situation ("I26") or words. If no part has all
    words, those with most of the words are returned.
    """
    text = " ".join(query.split())[:100]
    if not text:
        return LawBookMatches(LAWS, tuple(SITUATIONS.values()), DEFINITIONS, READINGS)
    by_code = _SITUATION_PATTERN.fullmatch(text)
    if by_code and f"I{int(by_code[1])}" in SITUATIONS:
        return _find_situation(f"I{int(by_code[1])}")
    by_number = _LAW_PATTERN.fullmatch(text)
    if by_number:
        return _find_section(by_number[1], by_number[2])
    return _search_words(text.casefold())


def _find_situation(code: str) -> LawBookMatches:
    situation = SITUATIONS[code]
    return LawBookMatches(_select_laws(situation.laws), (situation,))


def _find_section(number: str, section: str | None) -> LawBookMatches:
    """Return a law, or one section of it, and the situations that cite it."""
    roman = number.upper()
    if number.isdigit():
        roman = next((law for law, count in LAW_NUMBERS.items() if count == int(number)), "")
    keys = [
        each.key
        for law in LAWS
        if law.number == roman
        for each in law.sections
        if section is None or each.number == int(section)
    ]
    return _find_sections_and_situations(keys)


def _find_sections_and_situations(keys: list[str]) -> LawBookMatches:
    """Return sections with the situations that cite them."""
    standing = [it for it in SITUATIONS.values() if set(it.laws) & set(keys)]
    return LawBookMatches(_select_laws(keys), tuple(standing))


def _select_laws(keys: Iterable[str]) -> tuple[Law, ...]:
    wanted = set(keys)
    kept = [
        replace(law, sections=tuple(it for it in law.sections if it.key in wanted))
        for law in LAWS
    ]
    return tuple(law for law in kept if law.sections)


def _search_words(typed: str) -> LawBookMatches:
    """Search for a law's title, then for all words in any form, then for most of them."""
    titled = [
        each.key for law in LAWS if law.title.casefold() == typed for each in law.sections
    ]
    if titled:
        return _find_sections_and_situations(titled)
    stems, words = find_stems(typed), typed.split()
    return (
        (_find_matching(lambda text: count_stems(text, stems) == len(stems)) if stems else None)
        or _find_matching(
            lambda text: all(_contains_word(word, text.casefold()) for word in words)
        )
        or _find_best_matches(stems)
    )


def _contains_word(word: str, text: str) -> bool:
    """Return whether a text contains a word, even as part of a longer word.

    A number must match a whole number of the text.
    """
    return word in (WORD_PATTERN.findall(text) if word.isdigit() else text)


def _find_best_matches(stems: frozenset[str]) -> LawBookMatches:
    """Return the texts that contain the most words of the query.

    They must contain at least two words, and more than half of them.
    """
    best = max(count_stems(text, stems) for text in _iter_texts())
    if best < 2 or 2 * best <= len(stems):
        return LawBookMatches((), ())
    return _find_matching(lambda text: count_stems(text, stems) == best)


def _find_matching(fits: Callable[[str], bool]) -> LawBookMatches:
    places = [(law, each) for law in LAWS for each in law.sections]
    keys = [each.key for _law, each in places if fits(each.search_text)] or [
        each.key for law, each in places if fits(f"{law.title} {each.search_text}")
    ]
    return LawBookMatches(
        _select_laws(keys),
        _find_situations(fits),
        tuple(it for it in DEFINITIONS if fits(f"{it.word} {it.text}")),
        tuple(it for it in READINGS if fits(f"{it.about} {it.text}")),
    )


def _find_situations(fits: Callable[[str], bool]) -> tuple[Situation, ...]:
    """Return the situations whose offence matches; if none does, those whose remedy matches.

    A remedy is searched last, because it may mention many other things.
    """
    every = SITUATIONS.values()
    return tuple(it for it in every if fits(it.offence_text)) or tuple(
        it for it in every if fits(it.search_text)
    )


def _iter_texts() -> Iterator[str]:
    yield from (f"{law.title} {each.search_text}" for law in LAWS for each in law.sections)
    yield from (it.search_text for it in SITUATIONS.values())
    yield from (f"{it.word} {it.text}" for it in DEFINITIONS)
    yield from (f"{it.about} {it.text}" for it in READINGS)
