"""Finding a place in the law book: by number, by word, or by what happened."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from laws.book.laws import LAWS
from laws.book.readings import DEFINITIONS, READINGS
from laws.book.situation import Situation
from laws.book.situations import SITUATIONS
from laws.book.values import Definition, Law, Reading

ROMAN = {law.number: number for number, law in enumerate(LAWS, start=1)}
_CODE = re.compile(r"i\s*(\d{1,2})", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?:laws?\s+)?([ivx]+|\d{1,2})(?:\s*[.,§\s]\s*§?\s*(\d{1,2}))?\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search of the law book brings up; laws keep only the sections that fit."""

    laws: tuple[Law, ...]
    situations: tuple[Situation, ...]
    definitions: tuple[Definition, ...] = ()
    readings: tuple[Reading, ...] = ()

    @property
    def count(self) -> int:
        """How many places were found."""
        sections = sum(len(law.sections) for law in self.laws)
        return sections + len(self.situations) + len(self.definitions) + len(self.readings)


def find(query: str) -> Found:
    """Look up "X 4", "Law 10 §4", "I26", or words that must all be there; nothing finds all."""
    text = " ".join(query.split())[:100]
    if not text:
        return Found(LAWS, tuple(SITUATIONS.values()), DEFINITIONS, READINGS)
    by_code = _CODE.fullmatch(text)
    if by_code and f"I{int(by_code[1])}" in SITUATIONS:
        return _situation(f"I{int(by_code[1])}")
    by_number = _NUMBER.fullmatch(text)
    if by_number:
        return _section(by_number[1], by_number[2])
    return _words(text.casefold().split())


def find_situations(query: str) -> tuple[Situation, ...]:
    """Look up what happened, by code, law or words."""
    return find(query).situations


def _situation(code: str) -> Found:
    situation = SITUATIONS[code]
    return Found(_laws(situation.laws), (situation,))


def _section(number: str, section: str | None) -> Found:
    """Find a law, or one section of it, and the situations that stand on it."""
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
    standing = [it for it in SITUATIONS.values() if set(it.laws) & set(keys)]
    return Found(_laws(keys), tuple(standing))


def _laws(keys: Iterable[str]) -> tuple[Law, ...]:
    wanted = set(keys)
    kept = [
        replace(law, sections=tuple(it for it in law.sections if it.key in wanted))
        for law in LAWS
    ]
    return tuple(law for law in kept if law.sections)


def _words(words: list[str]) -> Found:
    def has(text: str) -> bool:
        return all(word in text.casefold() for word in words)

    keys = [
        each.key for law in LAWS for each in law.sections if has(f"{law.title} {each.words}")
    ]
    return Found(
        _laws(keys),
        tuple(it for it in SITUATIONS.values() if has(it.words)),
        tuple(it for it in DEFINITIONS if has(f"{it.word} {it.text}")),
        tuple(it for it in READINGS if has(f"{it.about} {it.text}")),
    )
