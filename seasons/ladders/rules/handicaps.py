"""The computation of handicaps, and the ranking of an evening with handicaps.

A handicap is in tricks per board, or in percentage points if the scores are percentages. The
handicap of a day is computed from a person's mean score in the latest evenings before that day.
The formula is share × (par − mean), limited to ± cap.
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
from seasons.ladders.rules.rule import HALF, MEASURE_PERCENT, MEASURE_PLUS, RuleFault
from server.json_reader.values import parse_fraction

HANDICAP_UNITS = (MEASURE_PLUS, MEASURE_PERCENT)
NEWCOMER_NONE, NEWCOMER_LARGEST = "none", "largest"
NEWCOMER_RULES = (NEWCOMER_NONE, NEWCOMER_LARGEST)
"""The handicap of a newcomer: none, or the largest one in the field."""
SOURCE_EVENINGS, SOURCE_GRADES = "evenings", "grades"
MEAN_SOURCES = (SOURCE_EVENINGS, SOURCE_GRADES)
"""The possible sources of a person's mean score.

The source is the mean of the latest evenings, or the person's grade. A person without a grade
gets the mean of the latest evenings.
"""
TERM_KEYS = ("figure", "source", "share", "par", "last", "months", "least", "cap", "newcomers")
"""The keys of handicap terms in season files and in the database."""
HANDICAP_CONTESTS = (evenings.PAIRS, evenings.INDIVIDUAL, evenings.MEMORY)
"""The contests whose results are used for handicaps, and that are ranked with handicaps."""
(
    HANDICAP_FROM_EVENINGS,
    HANDICAP_TOO_FEW_RESULTS,
    HANDICAP_FROM_DIRECTOR,
    HANDICAP_FROM_GRADE,
) = "found", "few", "by_hand", "graded"
"""The sources of a handicap: the latest evenings, too few evenings, the director, or a grade.

The API publishes these codes.
"""
_HUNDREDTHS = 100
_ISO_DATE_PATTERN = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


@dataclass(frozen=True, slots=True)
class HandicapTerms:
    """The settings by which a season computes handicaps; `read_terms` validates them."""

    figure: str = MEASURE_PLUS  # the unit: tricks per board or per cent
    source: str = SOURCE_EVENINGS  # the source of a person's mean score
    share: Fraction = Fraction(4, 5)  # multiplies the difference between par and mean
    par: Fraction = Fraction()  # the mean of a player with handicap 0
    last: int = 10  # the maximum number of latest evenings used
    months: int = 12  # evenings older than this do not count
    least: int = 5  # with fewer evenings a player is a newcomer
    cap: Fraction = HALF  # the limit for plus and minus handicaps
    newcomers: str = NEWCOMER_NONE  # the handicap of a newcomer


@dataclass(frozen=True, slots=True)
class EveningResult:
    """One person's result in one evening, in tricks per board above average or in per cent."""

    day: str
    evening_key: str
    name: str
    score: Fraction


@dataclass(frozen=True, slots=True)
class DatedHandicap:
    """A person's handicap on a given day, with the results from which it was computed.

    `mean` is None if the person has no usable result.
    """

    value: Fraction
    source_code: str
    mean: Fraction | None = None
    used_results: tuple[EveningResult, ...] = ()
    uncapped_value: Fraction = Fraction()


@dataclass(frozen=True, slots=True)
class HandicapLine:
    """An entry's line in an evening's handicap ranking."""

    entry: LadderEntry
    base: Fraction  # tricks above average over the whole evening, or the percentage
    handicap: Fraction
    total: Fraction  # `base` plus the handicap
    strength: Fraction  # the total per board or the percentage, by which the entry is ranked
    rank: int
    is_tied: bool


ResultsByPerson = Mapping[int, Sequence[EveningResult]]
"""The results of each player, sorted by date, by the player's primary key."""
GradesByPerson = Mapping[int, Sequence[tuple[str, Fraction | None]]]
"""The public grades of each player, sorted by date, by the player's primary key.

Each item is a day and the grade after that day, in tricks per board. The grade is None if the
player had none.
"""


def read_terms(stored_terms: Mapping[str, Any]) -> HandicapTerms | list[RuleFault]:
    """Create handicap terms from stored data, or return all faults of the data.

    Missing keys get default values.
    """
    given_values = {key: value for key, value in stored_terms.items() if value is not None}
    faults = [
        RuleFault(key, _("This setting isn’t known."))
        for key in given_values.keys() - TERM_KEYS
    ]
    faults += _find_faults(given_values)
    if faults:
        return faults
    is_percent = given_values.get("figure", MEASURE_PLUS) == MEASURE_PERCENT
    default_by_key = {"share": Fraction(4, 5), "par": Fraction(50 if is_percent else 0)}
    default_by_key["cap"] = Fraction(10) if is_percent else HALF
    fractions_by_key: dict[str, Any] = {
        key: parse_fraction(given_values.get(key, default))
        for key, default in default_by_key.items()
    }
    return HandicapTerms(**(dict(given_values) | fractions_by_key))


def serialize_terms(handicap_terms: HandicapTerms) -> dict[str, Any]:
    """Serialize handicap terms for season files and the database; fractions become text."""
    term_values: dict[str, Any] = {key: getattr(handicap_terms, key) for key in TERM_KEYS}
    # The default is omitted, as in files and rows of older versions, which have no `source`.
    if handicap_terms.source == SOURCE_EVENINGS:
        del term_values["source"]
    return {
        key: str(value) if isinstance(value, Fraction) else value
        for key, value in term_values.items()
    }


def collect_results(
    evenings: Iterable[LadderEvening], figure: str
) -> dict[int, list[EveningResult]]:
    """Return the results from which each person's mean is computed, sorted by date.

    A result is left out if the person's entry played less than half of the evening's boards.
    """
    results_by_person: dict[int, list[EveningResult]] = defaultdict(list)
    for evening in sorted(evenings, key=lambda evening: evening.sort_key):
        if evening.contest not in HANDICAP_CONTESTS:
            continue
        min_boards = HALF * evening.max_board_count
        for entry in evening.entries:
            score = entry.percent if figure == MEASURE_PERCENT else entry.plus_per_board
            if score is None or entry.board_count < min_boards:
                continue
            for person_pk in entry.person_pks:
                results_by_person[person_pk].append(
                    EveningResult(evening.day, evening.key, evening.name, score)
                )
    return results_by_person


def compute_handicap(
    results: Sequence[EveningResult],
    day: str,
    handicap_terms: HandicapTerms,
    director_handicap: Fraction | None = None,
) -> DatedHandicap:
    """Compute a person's handicap on a day from the evenings before that day.

    `director_handicap` is a handicap set by the director; it replaces the computed one.
    """
    days = [result.day for result in results]
    first_index, end_index = (
        bisect_left(days, subtract_months(day, handicap_terms.months)),
        bisect_left(days, day),
    )
    used_results = tuple(results[max(first_index, end_index - handicap_terms.last) : end_index])
    mean = (
        sum((evening_result.score for evening_result in used_results), Fraction())
        / len(used_results)
        if used_results
        else None
    )
    if director_handicap is not None:
        return DatedHandicap(
            director_handicap, HANDICAP_FROM_DIRECTOR, mean, used_results, director_handicap
        )
    if mean is None or len(used_results) < handicap_terms.least:
        return DatedHandicap(Fraction(), HANDICAP_TOO_FEW_RESULTS, mean, used_results)
    return _build_handicap(mean, HANDICAP_FROM_EVENINGS, used_results, handicap_terms)


def compute_graded_handicap(
    grades: Sequence[tuple[str, Fraction | None]],
    day: str,
    handicap_terms: HandicapTerms,
    director_handicap: Fraction | None = None,
) -> DatedHandicap:
    """Compute a person's handicap on a day from the person's grade before that day.

    `director_handicap` is a handicap set by the director; it replaces the computed one.
    """
    end_index = bisect_left([graded_day for graded_day, _grade in grades], day)
    grade = grades[end_index - 1][1] if end_index else None
    if director_handicap is not None:
        return DatedHandicap(
            director_handicap, HANDICAP_FROM_DIRECTOR, grade, (), director_handicap
        )
    if grade is None:
        return DatedHandicap(Fraction(), HANDICAP_TOO_FEW_RESULTS)
    return _build_handicap(grade, HANDICAP_FROM_GRADE, (), handicap_terms)


def _build_handicap(
    mean: Fraction,
    source_code: str,
    used_results: tuple[EveningResult, ...],
    handicap_terms: HandicapTerms,
) -> DatedHandicap:
    uncapped_value = handicap_terms.share * (handicap_terms.par - mean)
    return DatedHandicap(
        max(-handicap_terms.cap, min(handicap_terms.cap, uncapped_value)),
        source_code,
        mean,
        used_results,
        uncapped_value,
    )


def compute_field_handicaps(
    person_pks: Iterable[int],
    results_by_person: ResultsByPerson,
    day: str,
    handicap_terms: HandicapTerms,
    director_handicaps_by_person: Mapping[int, Fraction],
    grades_by_person: GradesByPerson | None = None,
) -> dict[int, DatedHandicap]:
    """Return the handicaps of all people who play on a day, by player primary key.

    The terms define the handicap of newcomers. If the terms use grades, a person without a
    grade gets a handicap computed from the latest evenings.
    """
    used_grades_by_person = (
        grades_by_person if grades_by_person and handicap_terms.source == SOURCE_GRADES else {}
    )
    handicaps_by_person = {
        person_pk: compute_graded_handicap(
            used_grades_by_person[person_pk],
            day,
            handicap_terms,
            director_handicaps_by_person.get(person_pk),
        )
        if person_pk in used_grades_by_person
        else compute_handicap(
            results_by_person.get(person_pk, ()),
            day,
            handicap_terms,
            director_handicaps_by_person.get(person_pk),
        )
        for person_pk in person_pks
    }
    if handicap_terms.newcomers != NEWCOMER_LARGEST:
        return handicaps_by_person
    largest_handicap = max(
        (
            handicap.value
            for handicap in handicaps_by_person.values()
            if handicap.source_code != HANDICAP_TOO_FEW_RESULTS
        ),
        default=None,
    )
    if largest_handicap is None:
        return handicaps_by_person
    return {
        person_pk: DatedHandicap(
            largest_handicap,
            HANDICAP_TOO_FEW_RESULTS,
            handicap.mean,
            handicap.used_results,
            largest_handicap,
        )
        if handicap.source_code == HANDICAP_TOO_FEW_RESULTS
        else handicap
        for person_pk, handicap in handicaps_by_person.items()
    }


def compute_entry_handicap(
    person_pks: Sequence[int], handicaps_by_person: Mapping[int, Fraction]
) -> Fraction:
    """Return the mean handicap of an entry's people, rounded to two decimals.

    Halves are rounded away from zero. An entry without people has the handicap 0.
    """
    if not person_pks:
        return Fraction()
    handicap_sum = sum(
        (handicaps_by_person.get(person_pk, Fraction()) for person_pk in person_pks), Fraction()
    )
    mean = handicap_sum / len(person_pks)
    hundredths = (abs(mean) * 2 * _HUNDREDTHS + 1) // 2
    return Fraction(-hundredths if mean < 0 else hundredths, _HUNDREDTHS)


def rank_entries_with_handicaps(evening: LadderEvening, figure: str) -> list[HandicapLine]:
    """Rank the entries of an evening by their scores with handicap, each field separately.

    Tricks are ranked per board, so that a sit-out is no disadvantage. Entries without a score
    are left out.
    """
    lines_by_ranked_group: dict[str, list[HandicapLine]] = defaultdict(list)
    for handicap_line in _iter_unranked_lines(evening, figure):
        lines_by_ranked_group[handicap_line.entry.ranked_group_code].append(handicap_line)
    return [
        handicap_line
        for ranked_group_code in sorted(lines_by_ranked_group, key=_build_ranked_group_sort_key)
        for handicap_line in _rank_lines(lines_by_ranked_group[ranked_group_code])
    ]


def _build_ranked_group_sort_key(ranked_group_code: str) -> tuple[str, bool]:
    """Return the sort key of a field: its section, then North-South before East-West."""
    return ranked_group_code.removesuffix("NS").removesuffix("EW"), ranked_group_code.endswith(
        "EW"
    )


def _rank_lines(handicap_lines: Sequence[HandicapLine]) -> Iterator[HandicapLine]:
    strengths = sorted(
        (handicap_line.strength for handicap_line in handicap_lines), reverse=True
    )
    for handicap_line in sorted(
        handicap_lines, key=lambda handicap_line: -handicap_line.strength
    ):
        is_tied = strengths.count(handicap_line.strength) > 1
        yield replace(
            handicap_line, rank=strengths.index(handicap_line.strength) + 1, is_tied=is_tied
        )


def subtract_months(day: str, month_count: int) -> str:
    """Return the day that is a number of months before an ISO day, also in ISO format.

    If that month has no such day, return its last day.
    """
    date_match = _ISO_DATE_PATTERN.fullmatch(day)
    assert date_match, day
    year, month, day_number = map(int, date_match.groups())
    months_since_year_0 = max(
        year * 12 + month - 1 - month_count, 12
    )  # there is no day before the year 1
    year, month = divmod(months_since_year_0, 12)
    days_in_month = 31 if month + 1 in (1, 3, 5, 7, 8, 10, 12) else 30
    if month == 1:
        days_in_month = 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28
    return f"{year:04d}-{month + 1:02d}-{min(day_number, days_in_month):02d}"


def _iter_unranked_lines(evening: LadderEvening, figure: str) -> Iterator[HandicapLine]:
    for entry in evening.entries:
        base_score = entry.percent if figure == MEASURE_PERCENT else entry.plus
        if base_score is None or not entry.board_count:
            continue
        handicap = entry.handicap or Fraction()
        is_percent = figure == MEASURE_PERCENT
        board_count = entry.counted_board_count
        total = base_score + (handicap if is_percent else handicap * board_count)
        strength = total if is_percent else total / board_count
        yield HandicapLine(entry, base_score, handicap, total, strength, 0, False)


def _find_faults(given_values: Mapping[str, Any]) -> Iterator[RuleFault]:
    settings_and_codes = (
        ("figure", HANDICAP_UNITS),
        ("source", MEAN_SOURCES),
        ("newcomers", NEWCOMER_RULES),
    )
    for setting, allowed_codes in settings_and_codes:
        if given_values.get(setting, allowed_codes[0]) not in allowed_codes:
            message = _("Choose one of these: %(choices)s.")
            yield RuleFault(setting, message % {"choices": ", ".join(allowed_codes)})
    for setting, max_value in (("last", 100), ("months", 60), ("least", 100)):
        if not _is_integer(given_values.get(setting, 1), max_value):
            message = _("Enter a whole number from 1 to %(most)s.")
            yield RuleFault(setting, message % {"most": max_value})
    yield from _find_number_faults(given_values)
    if (
        given_values.get("source") == SOURCE_GRADES
        and given_values.get("figure", MEASURE_PLUS) != MEASURE_PLUS
    ):
        yield RuleFault(
            "source", _("Grades are in tricks. For a percentage handicap, use evenings.")
        )
    max_evenings, min_evenings = given_values.get("last", 10), given_values.get("least", 5)
    if (
        _is_integer(max_evenings, 100)
        and _is_integer(min_evenings, 100)
        and min_evenings > max_evenings
    ):
        message = _("The minimum can’t exceed the evenings used (%(last)s).")
        yield RuleFault("least", message % {"last": max_evenings})


def _is_integer(number: object, max_value: int) -> bool:
    is_number = isinstance(number, int) and not isinstance(number, bool)
    return is_number and 1 <= number <= max_value  # type: ignore[operator]  # it is one


def _find_number_faults(given_values: Mapping[str, Any]) -> Iterator[RuleFault]:
    max_cap = 100 if given_values.get("figure") == MEASURE_PERCENT else 13
    for setting, min_value, max_value in (
        ("share", 0, 1),
        ("par", -max_cap, max_cap),
        ("cap", 0, max_cap),
    ):
        value = parse_fraction(given_values.get(setting, min_value))
        if value is None or not min_value <= value <= max_value:
            message = _("Enter a number from %(low)s to %(high)s, e.g. 0.5 or 4/5.")
            yield RuleFault(setting, message % {"low": min_value, "high": max_value})
