"""Search in one law book: by a law's number, or by words."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from laws.book.stems import count_stems, find_stems
from laws.single_table.incidents import FREQUENT_CODES, INCIDENT_GROUPS
from laws.single_table.values import Chapter, Incident, LawBook, NumberedLaw

_LAW_PATTERN = re.compile(r"(?:laws?\s+|rules?\s+)?(\d{1,2}a?)", re.IGNORECASE)
MAX_QUERY_LENGTH = 100


@dataclass(frozen=True, slots=True)
class CoveredIncident:
    """An incident, with the laws of the book that cover it."""

    incident: Incident
    rules: tuple[NumberedLaw, ...]


@dataclass(frozen=True, slots=True)
class BookMatches:
    """The result of a search in one book: laws by chapter, and incidents by moment."""

    chapters: tuple[Chapter, ...]
    moments: tuple[tuple[str, tuple[CoveredIncident, ...]], ...]

    @property
    def count(self) -> int:
        """The number of laws and incidents found."""
        laws = sum(len(chapter.rules) for chapter in self.chapters)
        return laws + sum(len(covered) for _title, covered in self.moments)


def search_book(book: LawBook, query: str) -> BookMatches:
    """Return the laws and incidents of a book that match a query; an empty query returns all.

    A query is a law's number ("62", "law 62") or words.
    """
    text = " ".join(query.split())[:MAX_QUERY_LENGTH]
    if not text:
        return _select_matches(book, lambda _rule: True, lambda _covered: True)
    by_number = _LAW_PATTERN.fullmatch(text)
    if by_number:
        number = by_number[1].lower()
        return _select_matches(
            book,
            lambda rule: rule.number == number,
            lambda covered: number in {rule.number for rule in covered.rules},
        )
    stems = find_stems(text)
    best = (
        max(count_stems(searched_text, stems) for searched_text in _list_texts(book))
        if stems
        else 0
    )
    if 2 * best <= len(stems):
        return BookMatches((), ())
    return _select_matches(
        book,
        lambda rule: count_stems(rule.search_text, stems) == best,
        lambda covered: count_stems(covered.incident.search_text, stems) == best,
    )


def list_frequent_incidents(book: LawBook) -> list[Incident]:
    """Return the most frequent incidents that a book covers."""
    incidents_by_code = {
        incident.code: incident for moment in INCIDENT_GROUPS for incident in moment.happenings
    }
    return [incidents_by_code[code] for code in FREQUENT_CODES if code in book.rulings]


def _list_texts(book: LawBook) -> list[str]:
    happenings = [
        incident.search_text for moment in INCIDENT_GROUPS for incident in moment.happenings
    ]
    return [*(rule.search_text for rule in book.rules.values()), *happenings]


def _select_matches(
    book: LawBook,
    has_rule: Callable[[NumberedLaw], bool],
    has_covered: Callable[[CoveredIncident], bool],
) -> BookMatches:
    chapters = [
        replace(chapter, rules=tuple(rule for rule in chapter.rules if has_rule(rule)))
        for chapter in book.chapters
    ]
    rules = book.rules
    matching_moments = []
    for moment in INCIDENT_GROUPS:
        covered = [
            CoveredIncident(
                incident, tuple(rules[number] for number in book.rulings[incident.code])
            )
            for incident in moment.happenings
            if incident.code in book.rulings
        ]
        matching_incidents = tuple(incident for incident in covered if has_covered(incident))
        if matching_incidents:
            matching_moments.append((moment.title, matching_incidents))
    return BookMatches(
        tuple(chapter for chapter in chapters if chapter.rules), tuple(matching_moments)
    )
