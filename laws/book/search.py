"""Search in the law book: by number, by word, or by what happened."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from laws.book.laws import LAWS
from laws.book.readings import DEFINITIONS, READINGS
from laws.book.situation import Situation
from laws.book.situations import SITUATIONS
from laws.book.stems import WORD, count_stems, stems_of
from laws.book.values import Definition, Law, Reading

ROMAN = {law.number: number for number, law in enumerate(LAWS, start=1)}
_CODE = re.compile(r"i\s*(\d{1,2})", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?:laws?\s+)?([ivx]+|\d{1,2})(?:\s*[.,§\s]\s*§?\s*(\d{1,2}))?\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search in the law book; each law has only its matching sections."""

    laws: tuple[Law, ...]
    situations: tuple[Situation, ...]
    definitions: tuple[Definition, ...] = ()
    readings: tuple[Reading, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything was found."""
        return self.count > 0

    @property
    def count(self) -> int:
        """The total number of sections, situations, definitions and readings found."""
        sections = sum(len(law.sections) for law in self.laws)
        return sections + len(self.situations) + len(self.definitions) + len(self.readings)


def find(query: str) -> Found:
    """Return the parts of the law book that match a query; an empty query returns all.

    A query is a law ("X 4", "Law 10 §4"), a situation ("I26") or words. If no part has all
    words, those with most of the words are returned.
    """
    text = " ".join(query.split())[:100]
    if not text:
        return Found(LAWS, tuple(SITUATIONS.values()), DEFINITIONS, READINGS)
    by_code = _CODE.fullmatch(text)
    if by_code and f"I{int(by_code[1])}" in SITUATIONS:
        return _situation(f"I{int(by_code[1])}")
    by_number = _NUMBER.fullmatch(text)
    if by_number:
        return _section(by_number[1], by_number[2])
    return _words(text.casefold())


def _situation(code: str) -> Found:
    situation = SITUATIONS[code]
    return Found(_laws(situation.laws), (situation,))


def _section(number: str, section: str | None) -> Found:
    """Return a law, or one section of it, and the situations that cite it."""
    roman = number.upper()
    if number.isdigit():
        roman = next((law for law, count in ROMAN.items() if count == int(number)), "")
    keys = [
        each.key
        for law in LAWS
        if law.number == roman
        for each in law.sections
        if section is None or each.number == int(section)
    ]
    return _standing_on(keys)


def _standing_on(keys: list[str]) -> Found:
    """Return sections with the situations that cite them."""
    standing = [it for it in SITUATIONS.values() if set(it.laws) & set(keys)]
    return Found(_laws(keys), tuple(standing))


def _laws(keys: Iterable[str]) -> tuple[Law, ...]:
    wanted = set(keys)
    kept = [
        replace(law, sections=tuple(it for it in law.sections if it.key in wanted))
        for law in LAWS
    ]
    return tuple(law for law in kept if law.sections)


def _words(typed: str) -> Found:
    """Search for a law's title, then for all words in any form, then for most of them."""
    titled = [
        each.key for law in LAWS if law.title.casefold() == typed for each in law.sections
    ]
    if titled:
        return _standing_on(titled)
    stems, words = stems_of(typed), typed.split()
    return (
        (_where(lambda text: count_stems(text, stems) == len(stems)) if stems else None)
        or _where(lambda text: all(_is_in(word, text.casefold()) for word in words))
        or _most(stems)
    )


def _is_in(word: str, text: str) -> bool:
    """Return whether a text contains a word, even as part of a longer word.

    A number must match a whole number of the text.
    """
    return word in (WORD.findall(text) if word.isdigit() else text)


def _most(stems: frozenset[str]) -> Found:
    """Return the texts that contain the most words of the query.

    They must contain at least two words, and more than half of them.
    """
    best = max(count_stems(text, stems) for text in _texts())
    if best < 2 or 2 * best <= len(stems):
        return Found((), ())
    return _where(lambda text: count_stems(text, stems) == best)


def _where(fits: Callable[[str], bool]) -> Found:
    places = [(law, each) for law in LAWS for each in law.sections]
    keys = [each.key for _law, each in places if fits(each.words)] or [
        each.key for law, each in places if fits(f"{law.title} {each.words}")
    ]
    return Found(
        _laws(keys),
        _happened(fits),
        tuple(it for it in DEFINITIONS if fits(f"{it.word} {it.text}")),
        tuple(it for it in READINGS if fits(f"{it.about} {it.text}")),
    )


def _happened(fits: Callable[[str], bool]) -> tuple[Situation, ...]:
    """Return the situations whose offence matches; if none does, those whose remedy matches.

    A remedy is searched last, because it may mention many other things.
    """
    every = SITUATIONS.values()
    return tuple(it for it in every if fits(it.happening)) or tuple(
        it for it in every if fits(it.words)
    )


def _texts() -> Iterator[str]:
    yield from (f"{law.title} {each.words}" for law in LAWS for each in law.sections)
    yield from (it.words for it in SITUATIONS.values())
    yield from (f"{it.word} {it.text}" for it in DEFINITIONS)
    yield from (f"{it.about} {it.text}" for it in READINGS)
