"""Search in a law book for a single table, by law number or by words."""

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
        law_count = sum(len(chapter.rules) for chapter in self.chapters)
        return law_count + sum(len(incidents) for _title, incidents in self.moments)


def search_book(book: LawBook, query: str) -> BookMatches:
    """Return the laws and incidents of a book that match a query; an empty query returns all.

    A query is a law's number ("62", "law 62") or words.
    """
    query_text = " ".join(query.split())[:MAX_QUERY_LENGTH]
    if not query_text:
        return _select_matches(book, lambda _rule: True, lambda _covered: True)
    number_match = _LAW_PATTERN.fullmatch(query_text)
    if number_match:
        law_number = number_match[1].lower()
        return _select_matches(
            book,
            lambda rule: rule.number == law_number,
            lambda covered: law_number in {rule.number for rule in covered.rules},
        )
    stems = find_stems(query_text)
    highest_stem_count = (
        max(count_stems(searched_text, stems) for searched_text in _list_searchable_texts(book))
        if stems
        else 0
    )
    if 2 * highest_stem_count <= len(stems):
        return BookMatches((), ())
    return _select_matches(
        book,
        lambda rule: count_stems(rule.search_text, stems) == highest_stem_count,
        lambda covered: count_stems(covered.incident.search_text, stems) == highest_stem_count,
    )


def list_frequent_incidents(book: LawBook) -> list[Incident]:
    """Return the most frequent incidents that a book covers."""
    incidents_by_code = {
        incident.code: incident
        for incident_group in INCIDENT_GROUPS
        for incident in incident_group.incidents
    }
    return [
        incidents_by_code[code]
        for code in FREQUENT_CODES
        if code in book.law_numbers_by_incident
    ]


def _list_searchable_texts(book: LawBook) -> list[str]:
    incident_texts = [
        incident.search_text
        for incident_group in INCIDENT_GROUPS
        for incident in incident_group.incidents
    ]
    return [*(rule.search_text for rule in book.rules.values()), *incident_texts]


def _select_matches(
    book: LawBook,
    matches_rule: Callable[[NumberedLaw], bool],
    matches_incident: Callable[[CoveredIncident], bool],
) -> BookMatches:
    chapters = [
        replace(chapter, rules=tuple(rule for rule in chapter.rules if matches_rule(rule)))
        for chapter in book.chapters
    ]
    law_by_number = book.rules
    matching_incident_groups = []
    for incident_group in INCIDENT_GROUPS:
        covered_incidents = [
            CoveredIncident(
                incident,
                tuple(
                    law_by_number[law_number]
                    for law_number in book.law_numbers_by_incident[incident.code]
                ),
            )
            for incident in incident_group.incidents
            if incident.code in book.law_numbers_by_incident
        ]
        matching_incidents = tuple(
            incident for incident in covered_incidents if matches_incident(incident)
        )
        if matching_incidents:
            matching_incident_groups.append((incident_group.title, matching_incidents))
    return BookMatches(
        tuple(chapter for chapter in chapters if chapter.rules), tuple(matching_incident_groups)
    )
