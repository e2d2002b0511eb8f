"""The handicaps of a season: frozen with the entries where play has opened, else found anew.

What is found rests on evenings on days before: the standings as they are now. What was frozen
stays, whatever is corrected later.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date as Date
from fractions import Fraction

from seasons.grades.visibility import open_grades
from seasons.ladders.models import EntryHandicap, HandicapByHand, Season, SeasonHandicap
from seasons.ladders.rules import LadderEntry, LadderEvening
from seasons.ladders.rules.handicaps import (
    GRADES,
    TAKES,
    Grades,
    HandicapTerms,
    Known,
    OwnHandicap,
    field_handicaps,
    months_before,
    of_entry,
    singles_of,
    terms_of,
)
from seasons.ladders.season_evenings import evenings_between

Frozen = Mapping[tuple[str, int], Fraction]
"""Handicaps by the event's slug and the entry's number."""


@dataclass(frozen=True, slots=True)
class SeasonHandicaps:
    """All that a season's handicaps are found from."""

    terms: HandicapTerms
    by_hand: Mapping[int, Fraction]
    reasons: Mapping[int, str]
    known: Known
    grades: Grades | None = None

    def of_field(self, people: Iterable[int], day: str) -> dict[int, OwnHandicap]:
        """Find the handicaps of all who play on a day."""
        return field_handicaps(people, self.known, day, self.terms, self.by_hand, self.grades)

    def of_entries(self, entries: Sequence[Sequence[int]], day: str) -> list[Fraction]:
        """Find the handicaps of entries, each told by its people, who meet on a day."""
        people = {person for entry in entries for person in entry}
        values = {each: own.value for each, own in self.of_field(people, day).items()}
        return [of_entry(entry, values) for entry in entries]


def terms_of_season(season: Season) -> HandicapTerms | None:
    """The terms of a season's handicap; None where it has none."""
    row = SeasonHandicap.objects.filter(season=season).first()
    if row is None:
        return None
    made = terms_of(row.terms)
    assert isinstance(made, HandicapTerms), made
    return made


def read_handicaps(
    season: Season, terms: HandicapTerms, first: Date, last: Date
) -> SeasonHandicaps:
    """Read what the handicaps of some days are found from."""
    before = first_asked(first, terms)
    played = evenings_between(season.club_id, before, last, [terms.figure])
    rows = HandicapByHand.objects.filter(season=season)
    given = list(rows.values_list("player", "a_board", "reason"))
    return SeasonHandicaps(
        terms=terms,
        by_hand={player: Fraction(a_board) for player, a_board, _reason in given},
        reasons={player: reason for player, _a_board, reason in given},
        known=singles_of(played, terms.figure),
        grades=open_grades(season.club) if terms.source == GRADES else None,
    )


def first_asked(first: Date, terms: HandicapTerms) -> Date:
    """The first day whose evenings matter for a handicap on some day."""
    return Date.fromisoformat(months_before(first.isoformat(), terms.months))


def frozen_handicaps(season: Season) -> Frozen:
    """Read what entries of a season were given when their play opened."""
    rows = EntryHandicap.objects.filter(season=season)
    found = rows.values_list("entry__event__slug", "entry__number", "a_board")
    return {(slug, number): Fraction(a_board) for slug, number, a_board in found}


def with_handicaps(
    season: Season, terms: HandicapTerms, played: Sequence[LadderEvening]
) -> list[LadderEvening]:
    """Put its handicap to each entry of evenings that take one."""
    frozen = frozen_handicaps(season)
    lacking = [each for each in played if _lacks(each, frozen)]
    if not lacking:
        return [_given(each, frozen) for each in played]
    days = sorted(Date.fromisoformat(each.day) for each in lacking)
    known = read_handicaps(season, terms, days[0], days[-1])
    found: dict[tuple[str, int], Fraction] = {}
    for evening in lacking:
        handicaps = known.of_entries([each.people for each in evening.entries], evening.day)
        for entry, handicap in zip(evening.entries, handicaps, strict=True):
            found[_name(evening), entry.number] = handicap
    return [_given(each, found | dict(frozen)) for each in played]


def _lacks(evening: LadderEvening, frozen: Frozen) -> bool:
    return evening.contest in TAKES and any(
        entry.handicap is None and (_name(evening), entry.number) not in frozen
        for entry in evening.entries
    )


def _given(evening: LadderEvening, found: Frozen) -> LadderEvening:
    if evening.contest not in TAKES:
        return evening

    def given(entry: LadderEntry) -> LadderEntry:
        if entry.handicap is not None:
            return entry
        return replace(entry, handicap=found.get((_name(evening), entry.number)))

    return replace(evening, entries=tuple(given(each) for each in evening.entries))


def _name(evening: LadderEvening) -> str:
    """What an evening is told by; no event's slug has a slash in it."""
    return f"{evening.day}/{evening.key}" if evening.is_from_elsewhere else evening.key
