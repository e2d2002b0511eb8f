"""The computation of handicaps, and the ranking of an evening with handicaps.

A handicap is in tricks per board, or in percentage points if the scores are percentages. It is
computed from a person's mean score in the latest earlier evenings. The formula is share × (par
− mean), limited to ± cap.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from seasons.ladders.rules import evenings
from seasons.ladders.rules.evenings import LadderEntry, LadderEvening
from seasons.ladders.rules.rule import HALF, PERCENT, PLUS, RuleFault
from server.json_reader.values import parse_fraction

HANDICAP_UNITS = (PLUS, PERCENT)
NONE, LARGEST = "none", "largest"
NEWCOMER_RULES = (NONE, LARGEST)
EVENINGS, GRADES = "evenings", "grades"
MEAN_SOURCES = (EVENINGS, GRADES)
"""The possible sources of a person's mean score.

It is the mean of the latest evenings, or the person's grade. A person without a grade gets the
mean of the latest evenings.
"""
TERM_KEYS = ("figure", "source", "share", "par", "last", "months", "least", "cap", "newcomers")
"""The keys of handicap terms in season files and in the database."""
HANDICAP_CONTESTS = (evenings.PAIRS, evenings.INDIVIDUAL, evenings.MEMORY)
"""The contests whose results are used for handicaps, and that are ranked with handicaps."""
FOUND, TOO_FEW_RESULTS, BY_HAND, GRADED = "found", "few", "by_hand", "graded"
"""How a handicap was determined.

It was computed from the latest evenings or from a grade, is a newcomer's, or was set by the
director.
"""
_HUNDREDTHS = 100
_ISO_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


@dataclass(frozen=True, slots=True)
class HandicapTerms:
    """The settings by which a season computes handicaps; `read_terms` validates them."""

    figure: str = PLUS
    source: str = EVENINGS
    share: Fraction = Fraction(4, 5)
    par: Fraction = Fraction()  # the mean of a player with handicap 0
    last: int = 10  # the maximum number of latest evenings used
    months: int = 12  # evenings older than this do not count
    least: int = 5  # with fewer evenings a player is a newcomer
    cap: Fraction = HALF  # the limit for plus and minus handicaps
    newcomers: str = NONE


@dataclass(frozen=True, slots=True)
class EveningResult:
    """One person's result in one evening, in tricks per board above average or in per cent."""

    day: str
    key: str
    name: str
    value: Fraction


@dataclass(frozen=True, slots=True)
class OwnHandicap:
    """A person's handicap on a given day, with the results from which it was computed.

    `mean` is None if the person has no usable result.
    """

    value: Fraction
    how: str
    mean: Fraction | None = None
    singles: tuple[EveningResult, ...] = ()
    uncapped: Fraction = Fraction()


@dataclass(frozen=True, slots=True)
class HandicapLine:
    """An entry's line in an evening's handicap ranking."""

    entry: LadderEntry
    base: Fraction  # the plus over the whole evening, or the percentage
    handicap: Fraction
    total: Fraction  # `base` plus the handicap
    strength: Fraction  # the total per board or the percentage, by which the entry is ranked
    rank: int
    tied: bool


ResultsByPerson = Mapping[int, Sequence[EveningResult]]
"""The type of a mapping from player primary keys to the player's results, sorted by date."""
GradesByPerson = Mapping[int, Sequence[tuple[str, Fraction | None]]]
"""The type of a mapping from player primary keys to the player's public grades, sorted by date.

Each item is a pair of the day and the grade after it, in tricks per board. The grade is None
if the player had none.
"""


def read_terms(data: Mapping[str, Any]) -> HandicapTerms | list[RuleFault]:
    """Create handicap terms from stored data, or return all faults of the data.

    Missing keys get default values.
    """
    given_values = {key: value for key, value in data.items() if value is not None}
    faults = [
        RuleFault(key, _("This setting isn't known."))
        for key in given_values.keys() - TERM_KEYS
    ]
    faults += _find_faults(given_values)
    if faults:
        return faults
    is_percent = given_values.get("figure", PLUS) == PERCENT
    defaults = {"share": Fraction(4, 5), "par": Fraction(50 if is_percent else 0)}
    defaults["cap"] = Fraction(10) if is_percent else HALF
    is_valid: dict[str, Any] = {
        key: parse_fraction(given_values.get(key, default)) for key, default in defaults.items()
    }
    return HandicapTerms(**(dict(given_values) | is_valid))


def serialize_terms(of: HandicapTerms) -> dict[str, Any]:
    """Serialize handicap terms for season files and the database; fractions become text."""
    data: dict[str, Any] = {key: getattr(of, key) for key in TERM_KEYS}
    if of.source == EVENINGS:  # older files and rows have no `source`
        del data["source"]
    return {
        key: str(value) if isinstance(value, Fraction) else value for key, value in data.items()
    }


def collect_results(
    played: Iterable[LadderEvening], figure: str
) -> dict[int, list[EveningResult]]:
    """Return the results from which each person's mean is computed, sorted by date.

    A result is left out if the person's entry played less than half of the evening's boards.
    """
    results_by_person: dict[int, list[EveningResult]] = defaultdict(list)
    for evening in sorted(played, key=lambda evening_: evening_.order):
        if evening.contest not in HANDICAP_CONTESTS:
            continue
        min_boards = HALF * evening.most_boards
        for entry in evening.entries:
            value = entry.percent if figure == PERCENT else entry.a_board
            if value is None or entry.boards < min_boards:
                continue
            for person in entry.people:
                results_by_person[person].append(
                    EveningResult(evening.day, evening.key, evening.name, value)
                )
    return results_by_person


def compute_handicap(
    singles: Sequence[EveningResult],
    day: str,
    of: HandicapTerms,
    by_hand: Fraction | None = None,
) -> OwnHandicap:
    """Compute a person's handicap on a day from the evenings before that day.

    `by_hand` is the handicap set by the director; it replaces the computed one.
    """
    days = [single.day for single in singles]
    first, past = bisect_left(days, subtract_months(day, of.months)), bisect_left(days, day)
    used = tuple(singles[max(first, past - of.last) : past])
    mean = (
        sum((evening_result.value for evening_result in used), Fraction()) / len(used)
        if used
        else None
    )
    if by_hand is not None:
        return OwnHandicap(by_hand, BY_HAND, mean, used, by_hand)
    if mean is None or len(used) < of.least:
        return OwnHandicap(Fraction(), TOO_FEW_RESULTS, mean, used)
    return _build_handicap(mean, FOUND, used, of)


def compute_graded_handicap(
    grades: Sequence[tuple[str, Fraction | None]],
    day: str,
    of: HandicapTerms,
    by_hand: Fraction | None = None,
) -> OwnHandicap:
    """Compute a person's handicap on a day from the person's grade before that day.

    `by_hand` is the handicap set by the director; it replaces the computed one.
    """
    past = bisect_left([graded_day for graded_day, _grade in grades], day)
    grade = grades[past - 1][1] if past else None
    if by_hand is not None:
        return OwnHandicap(by_hand, BY_HAND, grade, (), by_hand)
    if grade is None:
        return OwnHandicap(Fraction(), TOO_FEW_RESULTS)
    return _build_handicap(grade, GRADED, (), of)


def _build_handicap(
    mean: Fraction, origin: str, used: tuple[EveningResult, ...], of: HandicapTerms
) -> OwnHandicap:
    uncapped = of.share * (of.par - mean)
    return OwnHandicap(max(-of.cap, min(of.cap, uncapped)), origin, mean, used, uncapped)


def compute_field_handicaps(
    people: Iterable[int],
    results_by_person: ResultsByPerson,
    day: str,
    of: HandicapTerms,
    by_hand: Mapping[int, Fraction],
    grades: GradesByPerson | None = None,
) -> dict[int, OwnHandicap]:
    """Return the handicaps of all people who play on a day, by player primary key.

    The terms define the handicap of newcomers. If the terms use grades, a person without a
    grade gets a handicap computed from the latest evenings.
    """
    graded = grades if grades and of.source == GRADES else {}
    handicaps = {
        item: compute_graded_handicap(graded[item], day, of, by_hand.get(item))
        if item in graded
        else compute_handicap(results_by_person.get(item, ()), day, of, by_hand.get(item))
        for item in people
    }
    if of.newcomers != LARGEST:
        return handicaps
    largest = max(
        (item.value for item in handicaps.values() if item.how != TOO_FEW_RESULTS), default=None
    )
    if largest is None:
        return handicaps
    return {
        person: OwnHandicap(largest, TOO_FEW_RESULTS, handicap.mean, handicap.singles, largest)
        if handicap.how == TOO_FEW_RESULTS
        else handicap
        for person, handicap in handicaps.items()
    }


def compute_entry_handicap(
    people: Sequence[int], handicaps: Mapping[int, Fraction]
) -> Fraction:
    """Return the mean handicap of an entry's people, rounded to two decimals.

    Halves are rounded away from zero. An entry without people has the handicap 0.
    """
    if not people:
        return Fraction()
    total = sum((handicaps.get(person, Fraction()) for person in people), Fraction())
    mean = total / len(people)
    cents = (abs(mean) * 2 * _HUNDREDTHS + 1) // 2
    return Fraction(-cents if mean < 0 else cents, _HUNDREDTHS)


def rank_with_handicaps(evening: LadderEvening, figure: str) -> list[HandicapLine]:
    """Rank the entries of an evening by their scores with handicap, each field separately.

    Tricks are ranked per board, so that a sit-out is no disadvantage. Entries without a score
    are left out.
    """
    fields: dict[str, list[HandicapLine]] = defaultdict(list)
    for line in _iter_lines(evening, figure):
        fields[line.entry.field].append(line)
    return [
        line
        for field in sorted(fields, key=_build_field_sort_key)
        for line in _rank_lines(fields[field])
    ]


def _build_field_sort_key(field: str) -> tuple[str, bool]:
    """Return the sort key of a field: its section, then North-South before East-West."""
    return field.removesuffix("NS").removesuffix("EW"), field.endswith("EW")


def _rank_lines(lines: Sequence[HandicapLine]) -> Iterator[HandicapLine]:
    strengths = sorted((line_.strength for line_ in lines), reverse=True)
    for line_ in sorted(lines, key=lambda line: -line.strength):
        is_tied = strengths.count(line_.strength) > 1
        yield replace(line_, rank=strengths.index(line_.strength) + 1, tied=is_tied)


def subtract_months(day: str, months: int) -> str:
    """Return the day that is a number of months before an ISO day, also in ISO format.

    If that month has no such day, return its last day.
    """
    match = _ISO_DAY.fullmatch(day)
    assert match, day
    year, month, number = map(int, match.groups())
    month_count = max(year * 12 + month - 1 - months, 12)  # there is no day before the year 1
    year, month = divmod(month_count, 12)
    longest = 31 if month + 1 in (1, 3, 5, 7, 8, 10, 12) else 30
    if month == 1:
        longest = 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28
    return f"{year:04d}-{month + 1:02d}-{min(number, longest):02d}"


def _iter_lines(evening: LadderEvening, figure: str) -> Iterator[HandicapLine]:
    for entry in evening.entries:
        base = entry.percent if figure == PERCENT else entry.plus
        if base is None or not entry.boards:
            continue
        handicap = entry.handicap or Fraction()
        is_share = figure == PERCENT
        boards = entry.counted_boards
        total = base + (handicap if is_share else handicap * boards)
        strength = total if is_share else total / boards
        yield HandicapLine(entry, base, handicap, total, strength, 0, False)


def _find_faults(given_values: Mapping[str, Any]) -> Iterator[RuleFault]:
    choices = (
        ("figure", HANDICAP_UNITS),
        ("source", MEAN_SOURCES),
        ("newcomers", NEWCOMER_RULES),
    )
    for key, names in choices:
        if given_values.get(key, names[0]) not in names:
            message = _("Choose one of these: %(choices)s.")
            yield RuleFault(key, message % {"choices": ", ".join(names)})
    for key, max_value in (("last", 100), ("months", 60), ("least", 100)):
        if not _is_integer(given_values.get(key, 1), max_value):
            message = _("Enter a whole number from 1 to %(most)s.")
            yield RuleFault(key, message % {"most": max_value})
    yield from _find_number_faults(given_values)
    if given_values.get("source") == GRADES and given_values.get("figure", PLUS) != PLUS:
        yield RuleFault(
            "source", _("Grades are in tricks. For a handicap in per cent use evenings.")
        )
    last, min_evenings = given_values.get("last", 10), given_values.get("least", 5)
    if _is_integer(last, 100) and _is_integer(min_evenings, 100) and min_evenings > last:
        message = _("The minimum can't exceed the evenings used (%(last)s).")
        yield RuleFault("least", message % {"last": last})


def _is_integer(number: object, max_value: int) -> bool:
    is_number = isinstance(number, int) and not isinstance(number, bool)
    return is_number and 1 <= number <= max_value  # type: ignore[operator]  # it is one


def _find_number_faults(given_values: Mapping[str, Any]) -> Iterator[RuleFault]:
    max_cap = 100 if given_values.get("figure") == PERCENT else 13
    for key, low, high in (("share", 0, 1), ("par", -max_cap, max_cap), ("cap", 0, max_cap)):
        value = parse_fraction(given_values.get(key, low))
        if value is None or not low <= value <= high:
            message = _("Enter a number from %(low)s to %(high)s, e.g. 0.5 or 4/5.")
            yield RuleFault(key, message % {"low": low, "high": high})
