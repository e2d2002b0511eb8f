"""The current ladders and handicaps of a season, cached until their sources change.

When play opens, the handicap of each entry is stored. Until then it is computed from the
evenings on earlier days. A later correction does not change a stored handicap.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date as Date
from fractions import Fraction
from threading import Lock

from clubs.audit import Subject
from drives.models import Drive
from rubbers.models import RubberNight
from scoring.models import Ranking
from seasons.grades.visibility import load_public_grades, read_public_grades_mark
from seasons.ladders.evenings_without_trays import list_closed_activities
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
    GRADES,
    HANDICAP_CONTESTS,
    GradesByPerson,
    HandicapTerms,
    OwnHandicap,
    ResultsByPerson,
    collect_results,
    compute_entry_handicap,
    compute_field_handicaps,
    read_terms,
    subtract_months,
)
from seasons.ladders.rules.rule import PERCENT, PLUS, PLUS_A_BOARD
from seasons.ladders.season_evenings import (
    load_evenings_between,
    load_season_evenings,
    query_counted_events,
)
from server.public_versions import read_versions

StoredHandicaps = Mapping[tuple[str, int], Fraction]
"""The type of a mapping from (event slug, entry number) to the entry's stored handicap."""
MAX_CACHED_TABLES = 40
"""The maximum number of ladder tables that a process caches."""
Key = tuple[object, ...]
_CACHE: dict[tuple[Key, str], LadderTable] = {}
_CACHE_LOCK = Lock()


@dataclass(frozen=True, slots=True)
class SeasonHandicaps:
    """The data from which the handicaps of a season are computed."""

    terms: HandicapTerms
    by_hand: Mapping[int, Fraction]
    reasons: Mapping[int, str]
    results_by_person: ResultsByPerson
    grades: GradesByPerson | None = None

    def compute_for_field(self, people: Iterable[int], day: str) -> dict[int, OwnHandicap]:
        """Return the handicap of each person who plays on a day, by player primary key."""
        return compute_field_handicaps(
            people, self.results_by_person, day, self.terms, self.by_hand, self.grades
        )

    def compute_for_entries(self, entries: Sequence[Sequence[int]], day: str) -> list[Fraction]:
        """Return the handicap of each entry of a day; an entry is a list of player primary
        keys.
        """
        people = {person for entry in entries for person in entry}
        values = {
            person_: own_handicap.value
            for person_, own_handicap in self.compute_for_field(people, day).items()
        }
        return [compute_entry_handicap(entry, values) for entry in entries]


def load_season_terms(season: Season) -> HandicapTerms | None:
    """Return the handicap terms of a season; None if it has no handicap."""
    row = SeasonHandicap.objects.filter(season=season).first()
    if row is None:
        return None
    parsed_terms = read_terms(row.terms)
    assert isinstance(parsed_terms, HandicapTerms), parsed_terms
    return parsed_terms


def load_handicap_input(
    season: Season, terms: HandicapTerms, first: Date, last: Date
) -> SeasonHandicaps:
    """Load the data from which the handicaps for a range of days are computed."""
    before = find_first_needed_day(first, terms)
    played = load_evenings_between(season.club_id, before, last, [terms.figure])
    rows = HandicapByHand.objects.filter(season=season)
    director_rows = list(rows.values_list("player", "a_board", "reason"))
    return SeasonHandicaps(
        terms=terms,
        by_hand={player: Fraction(a_board) for player, a_board, _reason in director_rows},
        reasons={player: reason for player, _a_board, reason in director_rows},
        results_by_person=collect_results(played, terms.figure),
        grades=load_public_grades(season.club) if terms.source == GRADES else None,
    )


def find_first_needed_day(first: Date, terms: HandicapTerms) -> Date:
    """Return the earliest day whose results can affect the handicaps of the day `first`."""
    return Date.fromisoformat(subtract_months(first.isoformat(), terms.months))


def load_stored_handicaps(season: Season) -> StoredHandicaps:
    """Return the stored handicaps of a season's entries."""
    rows = EntryHandicap.objects.filter(season=season)
    handicap_rows = rows.values_list("entry__event__slug", "entry__number", "a_board")
    return {(slug, number): Fraction(a_board) for slug, number, a_board in handicap_rows}


def add_handicaps(
    season: Season, terms: HandicapTerms, played: Sequence[LadderEvening]
) -> list[LadderEvening]:
    """Return copies of the evenings with the handicap of each entry.

    Missing handicaps are computed. Evenings of contests without handicaps are returned
    unchanged.
    """
    stored_handicaps = load_stored_handicaps(season)
    unhandicapped = [
        evening_ for evening_ in played if _lacks_handicaps(evening_, stored_handicaps)
    ]
    if not unhandicapped:
        return [_set_stored_handicaps(evening_, stored_handicaps) for evening_ in played]
    days = sorted(Date.fromisoformat(evening_.day) for evening_ in unhandicapped)
    handicap_input = load_handicap_input(season, terms, days[0], days[-1])
    new_handicaps: dict[tuple[str, int], Fraction] = {}
    for evening in unhandicapped:
        handicaps = handicap_input.compute_for_entries(
            [evening_.people for evening_ in evening.entries], evening.day
        )
        for entry, handicap in zip(evening.entries, handicaps, strict=True):
            new_handicaps[_build_evening_key(evening), entry.number] = handicap
    return [
        _set_stored_handicaps(evening_, new_handicaps | dict(stored_handicaps))
        for evening_ in played
    ]


def _lacks_handicaps(evening: LadderEvening, stored_handicaps: StoredHandicaps) -> bool:
    return evening.contest in HANDICAP_CONTESTS and any(
        entry.handicap is None
        and (_build_evening_key(evening), entry.number) not in stored_handicaps
        for entry in evening.entries
    )


def _set_stored_handicaps(evening: LadderEvening, stored: StoredHandicaps) -> LadderEvening:
    if evening.contest not in HANDICAP_CONTESTS:
        return evening

    def set_handicap(entry: LadderEntry) -> LadderEntry:
        if entry.handicap is not None:
            return entry
        return replace(entry, handicap=stored.get((_build_evening_key(evening), entry.number)))

    return replace(evening, entries=tuple(set_handicap(entry_) for entry_ in evening.entries))


def _build_evening_key(evening: LadderEvening) -> str:
    """Return the key of an evening in `StoredHandicaps`.

    The key of an imported evening contains a slash, so it never equals the slug of an event.
    """
    return f"{evening.day}/{evening.key}" if evening.is_from_elsewhere else evening.key


def list_needed_scores(of: LadderRule) -> frozenset[str]:
    """Return the scores that a rule needs in addition to places and the event's own scores."""
    score_kinds = {PERCENT} if of.measure == PERCENT else set()
    if of.measure in (PLUS, PLUS_A_BOARD) or of.across or of.handicaps:
        score_kinds.add(PLUS)
    if of.handicap:
        score_kinds.add(of.handicap)
    return frozenset(score_kinds)


def load_ladder_tables(season: Season) -> list[tuple[Ladder, LadderTable]]:
    """Return every ladder of a season with its table; the evenings are loaded only once."""
    rows = list(season.ladders.prefetch_related("handicaps"))
    terms = load_season_terms(season)
    rules = [load_ladder_rule(row, terms) for row in rows]
    return list(zip(rows, _load_tables(season, rules, terms), strict=True))


def load_ladder_rule(row: Ladder, terms: HandicapTerms | None) -> LadderRule:
    """Return the rule of a stored ladder, which was validated when it was saved."""
    handicaps = {
        handicap.player_id: Fraction(handicap.a_board) for handicap in row.handicaps.all()
    }
    parsed_rule = read_rule(row.rule, handicaps, terms.figure if terms else "")
    assert isinstance(parsed_rule, LadderRule), parsed_rule
    return parsed_rule


def load_ladder_table(row: Ladder) -> LadderTable:
    """Return the table of a ladder, computed from current standings or cached."""
    terms = load_season_terms(row.season)
    return _load_tables(row.season, [load_ladder_rule(row, terms)], terms)[0]


def _load_tables(
    season: Season, rules: Sequence[LadderRule], terms: HandicapTerms | None
) -> list[LadderTable]:
    """Return the table for each rule, cached if all its sources have the same versions.

    Every change that can affect a table increments the version of its source in the same
    transaction (`server.public_versions`). The source is the club, the season, an event, a
    drive or a rubber night. Changed standings have a new version of their own.
    """
    used_terms = terms if any(of.handicap for of in rules) else None
    cache_key = _build_cache_key(season, used_terms)
    tables_by_rule = {repr(of): _get_cached_table(cache_key, repr(of)) for of in rules}
    missing_rules = [of for of in rules if tables_by_rule[repr(of)] is None]
    if missing_rules:
        score_kinds = frozenset[str]().union(
            *(list_needed_scores(missing_rule) for missing_rule in missing_rules)
        )
        evenings = load_season_evenings(season, score_kinds)
        if used_terms is not None:
            evenings = add_handicaps(season, used_terms, evenings)
        for of in missing_rules:
            tables_by_rule[repr(of)] = _cache_table(
                cache_key, repr(of), compute_ladder(evenings, of)
            )
    return [table for of in rules if (table := tables_by_rule[repr(of)]) is not None]


def _build_cache_key(season: Season, used_terms: HandicapTerms | None) -> Key:
    """Return the cache key of a season's tables, which contains the versions of all sources.

    With a handicap, the sources include events before the season and evenings imported with
    other seasons.
    """
    first = (
        season.first_day
        if used_terms is None
        else find_first_needed_day(season.first_day, used_terms)
    )
    events = list(
        query_counted_events(season.club_id, first, season.last_day).only("slug", "uid")
    )
    versions = Ranking.objects.filter(event__in=events).order_by("event")
    seasons = [season] if used_terms is None else list(season.club.seasons.all())
    without_trays: list[Subject] = [
        *list_closed_activities(Drive, season),
        *list_closed_activities(RubberNight, season),
    ]
    subjects: list[Subject] = [season.club, *seasons, *events, *without_trays]
    return (
        str(season.uid),
        (season.first_day, season.last_day),
        used_terms,
        read_public_grades_mark(season.club)
        if used_terms is not None and used_terms.source == GRADES
        else "",
        tuple(versions.values_list("event", "event__uid", "version")),
        tuple(sorted(read_versions(subject.audit_key for subject in subjects).items())),
    )


def _get_cached_table(cache_key: Key, rule: str) -> LadderTable | None:
    with _CACHE_LOCK:
        return _CACHE.get((cache_key, rule))


def _cache_table(cache_key: Key, rule: str, table: LadderTable) -> LadderTable:
    with _CACHE_LOCK:
        _CACHE[cache_key, rule] = table
        while len(_CACHE) > MAX_CACHED_TABLES:
            del _CACHE[next(iter(_CACHE))]
    return table
