"""Search in one law book: by a law's number, or by words."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from laws.book.stems import count_stems, stems_of
from laws.single_table.happenings import FREQUENT_CODES, MOMENTS
from laws.single_table.values import Chapter, Happening, LawBook, Rule

_NUMBER = re.compile(r"(?:laws?\s+|rules?\s+)?(\d{1,2}a?)", re.IGNORECASE)
MAX_QUERY_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Covered:
    """An incident, with the laws of the book that cover it."""

    happening: Happening
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class FoundInBook:
    """The result of a search in one book: laws by chapter, and incidents by moment."""

    chapters: tuple[Chapter, ...]
    moments: tuple[tuple[str, tuple[Covered, ...]], ...]

    @property
    def count(self) -> int:
        """The number of laws and incidents found."""
        laws = sum(len(each.rules) for each in self.chapters)
        return laws + sum(len(covered) for _title, covered in self.moments)


def find_in(book: LawBook, query: str) -> FoundInBook:
    """Return the laws and incidents of a book that match a query; an empty query returns all.

    A query is a law's number ("62", "law 62") or words.
    """
    text = " ".join(query.split())[:MAX_QUERY_LENGTH]
    if not text:
        return _found(book, lambda _rule: True, lambda _covered: True)
    by_number = _NUMBER.fullmatch(text)
    if by_number:
        number = by_number[1].lower()
        return _found(
            book,
            lambda rule: rule.number == number,
            lambda covered: number in {rule.number for rule in covered.rules},
        )
    stems = stems_of(text)
    best = max(count_stems(words, stems) for words in _texts(book)) if stems else 0
    if 2 * best <= len(stems):
        return FoundInBook((), ())
    return _found(
        book,
        lambda rule: count_stems(rule.words, stems) == best,
        lambda covered: count_stems(covered.happening.words, stems) == best,
    )


def often_in(book: LawBook) -> list[Happening]:
    """Return the most frequent incidents that a book covers."""
    known = {each.code: each for moment in MOMENTS for each in moment.happenings}
    return [known[code] for code in FREQUENT_CODES if code in book.rulings]


def _texts(book: LawBook) -> list[str]:
    happenings = [each.words for moment in MOMENTS for each in moment.happenings]
    return [*(rule.words for rule in book.rules.values()), *happenings]


def _found(
    book: LawBook, has_rule: Callable[[Rule], bool], has_covered: Callable[[Covered], bool]
) -> FoundInBook:
    chapters = [
        replace(each, rules=tuple(rule for rule in each.rules if has_rule(rule)))
        for each in book.chapters
    ]
    rules = book.rules
    moments = []
    for moment in MOMENTS:
        covered = [
            Covered(each, tuple(rules[number] for number in book.rulings[each.code]))
            for each in moment.happenings
            if each.code in book.rulings
        ]
        kept = tuple(each for each in covered if has_covered(each))
        if kept:
            moments.append((moment.title, kept))
    return FoundInBook(tuple(each for each in chapters if each.rules), tuple(moments))
