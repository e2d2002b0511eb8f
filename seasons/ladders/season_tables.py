"""The current ladders and handicaps of a season, cached until their sources change.

When play opens, the handicap of each entry is stored. Until then it is computed from the
evenings on earlier days. A later correction does not change a stored handicap.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date as Date
from fractions import Fraction
from threading import Lock

from clubs.audit import AuditSubject
from drives.models import Drive
from rubbers.models import RubberNight
from scoring.models import Ranking
from seasons.grades.visibility import compute_public_grades_version, load_public_grades
from seasons.ladders.activity_evenings import list_closed_activities
from seasons.ladders.models import EntryHandicap, HandicapByHand, Ladder, Season, SeasonHandicap
from seasons.ladders.rules import (
    LadderEntry,
    LadderEvening,
    LadderRule,
    LadderTable,
    compute_ladder,
    read_rule,
)
from seasons.ladders.rules.handicaps import (
    HANDICAP_CONTESTS,
    SOURCE_GRADES,
    DatedHandicap,
    GradesByPerson,
    HandicapTerms,
    ResultsByPerson,
    collect_results,
    compute_entry_handicap,
    compute_field_handicaps,
    read_terms,
    subtract_months,
)
from seasons.ladders.rules.rule import MEASURE_PERCENT, MEASURE_PLUS, MEASURE_PLUS_PER_BOARD
from seasons.ladders.season_evenings import (
    load_evenings_between,
    load_season_evenings,
    query_counted_events,
)
from server.public_versions import read_versions

StoredHandicaps = Mapping[tuple[str, int], Fraction]
"""The stored handicap of each entry, by event slug and entry number."""
MAX_CACHED_TABLES = 40
"""The maximum number of ladder tables that a process caches."""
CacheKey = tuple[object, ...]
_TABLES_BY_CACHE_KEY: dict[tuple[CacheKey, str], LadderTable] = {}
_CACHE_LOCK = Lock()


@dataclass(frozen=True, slots=True)
class SeasonHandicaps:
    """The data from which the handicaps of a season are computed."""

    handicap_terms: HandicapTerms
    director_handicaps_by_person: Mapping[int, Fraction]
    director_reasons_by_person: Mapping[int, str]
    results_by_person: ResultsByPerson
    grades_by_person: GradesByPerson | None = None

    def compute_field_handicaps(
        self, person_pks: Iterable[int], day: str
    ) -> dict[int, DatedHandicap]:
        """Return the handicap of each person who plays on a day, by player primary key."""
        return compute_field_handicaps(
            person_pks,
            self.results_by_person,
            day,
            self.handicap_terms,
            self.director_handicaps_by_person,
            self.grades_by_person,
        )

    def compute_entry_handicaps(
        self, person_pks_by_entry: Sequence[Sequence[int]], day: str
    ) -> list[Fraction]:
        """Return the handicap of each entry on a day; an entry is a list of player keys."""
        person_pks = {
            person_pk
            for entry_person_pks in person_pks_by_entry
            for person_pk in entry_person_pks
        }
        handicap_values_by_person = {
            person_pk: own_handicap.value
            for person_pk, own_handicap in self.compute_field_handicaps(person_pks, day).items()
        }
        return [
            compute_entry_handicap(entry_person_pks, handicap_values_by_person)
            for entry_person_pks in person_pks_by_entry
        ]


def load_season_terms(season: Season) -> HandicapTerms | None:
    """Return the handicap terms of a season; None if the season has no handicap."""
    season_handicap = SeasonHandicap.objects.filter(season=season).first()
    if season_handicap is None:
        return None
    parsed_terms = read_terms(season_handicap.terms)
    assert isinstance(parsed_terms, HandicapTerms), parsed_terms
    return parsed_terms


def load_handicap_input(
    season: Season, handicap_terms: HandicapTerms, first_day: Date, last_day: Date
) -> SeasonHandicaps:
    """Load the data from which the handicaps for a range of days are computed."""
    first_needed_day = find_first_needed_day(first_day, handicap_terms)
    evenings = load_evenings_between(
        season.club_id, first_needed_day, last_day, [handicap_terms.figure]
    )
    director_handicaps = HandicapByHand.objects.filter(season=season)
    handicap_rows = list(director_handicaps.values_list("player", "a_board", "reason"))
    return SeasonHandicaps(
        handicap_terms=handicap_terms,
        director_handicaps_by_person={
            player_pk: Fraction(handicap_text)
            for player_pk, handicap_text, _reason in handicap_rows
        },
        director_reasons_by_person={
            player_pk: reason for player_pk, _handicap_per_board, reason in handicap_rows
        },
        results_by_person=collect_results(evenings, handicap_terms.figure),
        grades_by_person=load_public_grades(season.club)
        if handicap_terms.source == SOURCE_GRADES
        else None,
    )


def find_first_needed_day(first_day: Date, handicap_terms: HandicapTerms) -> Date:
    """Return the earliest day whose results can affect the handicaps of the day `first_day`."""
    return Date.fromisoformat(subtract_months(first_day.isoformat(), handicap_terms.months))


def load_stored_handicaps(season: Season) -> StoredHandicaps:
    """Return the stored handicaps of a season's entries."""
    entry_handicaps = EntryHandicap.objects.filter(season=season)
    handicap_rows = entry_handicaps.values_list(
        "entry__event__slug", "entry__number", "a_board"
    )
    return {
        (event_slug, entry_number): Fraction(handicap_text)
        for event_slug, entry_number, handicap_text in handicap_rows
    }


def add_handicaps(
    season: Season, handicap_terms: HandicapTerms, evenings: Sequence[LadderEvening]
) -> list[LadderEvening]:
    """Return copies of the evenings whose entries have their handicaps.

    A handicap that is not stored is computed. Evenings of contests without handicaps are
    returned unchanged.
    """
    stored_handicaps = load_stored_handicaps(season)
    evenings_without_handicaps = [
        evening for evening in evenings if _has_missing_handicaps(evening, stored_handicaps)
    ]
    if not evenings_without_handicaps:
        return [_set_stored_handicaps(evening, stored_handicaps) for evening in evenings]
    sorted_days = sorted(
        Date.fromisoformat(evening.day) for evening in evenings_without_handicaps
    )
    handicap_input = load_handicap_input(
        season, handicap_terms, sorted_days[0], sorted_days[-1]
    )
    new_handicaps_by_entry: dict[tuple[str, int], Fraction] = {}
    for evening in evenings_without_handicaps:
        entry_handicaps = handicap_input.compute_entry_handicaps(
            [entry.person_pks for entry in evening.entries], evening.day
        )
        for entry, handicap in zip(evening.entries, entry_handicaps, strict=True):
            new_handicaps_by_entry[_build_evening_key(evening), entry.entry_number] = handicap
    return [
        _set_stored_handicaps(evening, new_handicaps_by_entry | dict(stored_handicaps))
        for evening in evenings
    ]


def _has_missing_handicaps(evening: LadderEvening, stored_handicaps: StoredHandicaps) -> bool:
    return evening.contest in HANDICAP_CONTESTS and any(
        entry.handicap is None
        and (_build_evening_key(evening), entry.entry_number) not in stored_handicaps
        for entry in evening.entries
    )


def _set_stored_handicaps(
    evening: LadderEvening, stored_handicaps: StoredHandicaps
) -> LadderEvening:
    if evening.contest not in HANDICAP_CONTESTS:
        return evening

    def set_handicap(entry: LadderEntry) -> LadderEntry:
        if entry.handicap is not None:
            return entry
        return replace(
            entry,
            handicap=stored_handicaps.get((_build_evening_key(evening), entry.entry_number)),
        )

    return replace(evening, entries=tuple(set_handicap(entry) for entry in evening.entries))


def _build_evening_key(evening: LadderEvening) -> str:
    """Return the key of an evening in `StoredHandicaps`.

    The key of an imported evening contains a slash, so it never equals the slug of an event.
    """
    return f"{evening.day}/{evening.key}" if evening.is_imported else evening.key


def list_needed_score_kinds(ladder_rule: LadderRule) -> frozenset[str]:
    """Return the scores that a rule needs in addition to places and the event's own scores."""
    score_kinds = {MEASURE_PERCENT} if ladder_rule.measure == MEASURE_PERCENT else set()
    if (
        ladder_rule.measure in (MEASURE_PLUS, MEASURE_PLUS_PER_BOARD)
        or ladder_rule.should_combine_fields
        or ladder_rule.handicaps_by_person
    ):
        score_kinds.add(MEASURE_PLUS)
    if ladder_rule.season_handicap_unit:
        score_kinds.add(ladder_rule.season_handicap_unit)
    return frozenset(score_kinds)


def load_ladder_tables(season: Season) -> list[tuple[Ladder, LadderTable]]:
    """Return every ladder of a season with its table; the evenings are loaded only once."""
    ladders = list(season.ladders.prefetch_related("handicaps"))
    handicap_terms = load_season_terms(season)
    rules = [load_ladder_rule(ladder, handicap_terms) for ladder in ladders]
    return list(
        zip(ladders, _load_tables_for_rules(season, rules, handicap_terms), strict=True)
    )


def load_ladder_rule(ladder: Ladder, handicap_terms: HandicapTerms | None) -> LadderRule:
    """Return the rule of a stored ladder, which was validated when it was saved."""
    handicaps_by_person = {
        handicap.player_id: Fraction(handicap.a_board) for handicap in ladder.handicaps.all()
    }
    parsed_rule = read_rule(
        ladder.rule, handicaps_by_person, handicap_terms.figure if handicap_terms else ""
    )
    assert isinstance(parsed_rule, LadderRule), parsed_rule
    return parsed_rule


def load_ladder_table(ladder: Ladder) -> LadderTable:
    """Return the table of a ladder, computed from current standings or cached."""
    handicap_terms = load_season_terms(ladder.season)
    return _load_tables_for_rules(
        ladder.season, [load_ladder_rule(ladder, handicap_terms)], handicap_terms
    )[0]


def _load_tables_for_rules(
    season: Season, rules: Sequence[LadderRule], handicap_terms: HandicapTerms | None
) -> list[LadderTable]:
    """Return the table for each rule, cached if all its sources have the same versions.

    The sources are the club, the season, events, drives and rubber nights. Every change of a
    source increments the source's version in the same transaction (`server.public_versions`).
    The standings of each event have a version that is compared, too.
    """
    used_handicap_terms = (
        handicap_terms
        if any(ladder_rule.season_handicap_unit for ladder_rule in rules)
        else None
    )
    cache_key = _build_cache_key(season, used_handicap_terms)
    tables_by_rule = {
        repr(ladder_rule): _get_cached_table(cache_key, repr(ladder_rule))
        for ladder_rule in rules
    }
    uncached_rules = [
        ladder_rule for ladder_rule in rules if tables_by_rule[repr(ladder_rule)] is None
    ]
    if uncached_rules:
        score_kinds = frozenset[str]().union(
            *(list_needed_score_kinds(uncached_rule) for uncached_rule in uncached_rules)
        )
        evenings = load_season_evenings(season, score_kinds)
        if used_handicap_terms is not None:
            evenings = add_handicaps(season, used_handicap_terms, evenings)
        for ladder_rule in uncached_rules:
            tables_by_rule[repr(ladder_rule)] = _cache_table(
                cache_key, repr(ladder_rule), compute_ladder(evenings, ladder_rule)
            )
    return [
        table
        for ladder_rule in rules
        if (table := tables_by_rule[repr(ladder_rule)]) is not None
    ]


def _build_cache_key(season: Season, used_handicap_terms: HandicapTerms | None) -> CacheKey:
    """Return the cache key of a season's tables, which contains the versions of all sources.

    With a handicap, the sources include events before the season and evenings imported with
    other seasons.
    """
    first_day = (
        season.first_day
        if used_handicap_terms is None
        else find_first_needed_day(season.first_day, used_handicap_terms)
    )
    events = list(
        query_counted_events(season.club_id, first_day, season.last_day).only("slug", "uid")
    )
    rankings = Ranking.objects.filter(event__in=events).order_by("event")
    seasons = [season] if used_handicap_terms is None else list(season.club.seasons.all())
    activities: list[AuditSubject] = [
        *list_closed_activities(Drive, season),
        *list_closed_activities(RubberNight, season),
    ]
    audit_subjects: list[AuditSubject] = [season.club, *seasons, *events, *activities]
    return (
        str(season.uid),
        (season.first_day, season.last_day),
        used_handicap_terms,
        compute_public_grades_version(season.club)
        if used_handicap_terms is not None and used_handicap_terms.source == SOURCE_GRADES
        else "",
        tuple(rankings.values_list("event", "event__uid", "version")),
        tuple(sorted(read_versions(subject.audit_key for subject in audit_subjects).items())),
    )


def _get_cached_table(cache_key: CacheKey, rule_text: str) -> LadderTable | None:
    with _CACHE_LOCK:
        return _TABLES_BY_CACHE_KEY.get((cache_key, rule_text))


def _cache_table(cache_key: CacheKey, rule_text: str, table: LadderTable) -> LadderTable:
    with _CACHE_LOCK:
        _TABLES_BY_CACHE_KEY[cache_key, rule_text] = table
        while len(_TABLES_BY_CACHE_KEY) > MAX_CACHED_TABLES:
            del _TABLES_BY_CACHE_KEY[next(iter(_TABLES_BY_CACHE_KEY))]
    return table
