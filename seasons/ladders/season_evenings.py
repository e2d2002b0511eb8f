"""The evenings of a season as input to ladders: events of this club and imported evenings.

A ladder stores no results but is computed from the current standings. So every ruling,
correction or merge of players changes the ladder at the next request.

An event counts if it is over, is listed, and has standings that players can see. A rehearsal
never counts.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date as Date
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from clubs.models import Player
from scoring.methods import Method, list_methods, map_methods_by_code
from scoring.methods.ranking import add_penalties_and_carry_over
from scoring.models import Ranking, Standing
from scoring.standings_engine.result_lines import EventTally, load_tally
from scoring.standings_engine.scores import find_scoring_method, score_event
from seasons.ladders.activity_evenings import iter_activity_evenings
from seasons.ladders.models import EntryElsewhere, EveningElsewhere, Season, SeatElsewhere
from seasons.ladders.rules import LadderEntry, LadderEvening
from seasons.ladders.rules.rule import MEASURE_PERCENT, MEASURE_PLUS, MEASURE_PLUS_PER_BOARD
from tournaments.models import Entry, EntryPlayer, Event

MAX_CACHED_BOARD_COUNTS = 600
MAX_CACHED_EVENT_SCORES = 600
"""The maximum number of events whose scores by another method are cached.

This is enough for ten years of one event a week.
"""
PLUS_METHODS = ("plus_minus", "field_average")
"""The codes of the scoring methods whose scores are plus/minus tricks."""
IMPORTED_ENTRY_COLUMNS = (
    *("evening", "pk", "score", "boards", "team", "field", "percent", "tricks", "place"),
    *("number", "handicap"),
)


def load_weighted_board_counts(event: Event, standings_version: int) -> Mapping[int, Fraction]:
    """Return the number of boards of each entry, weighted by carry-over, by entry primary key.

    The result is empty if all sessions count in full. It is cached for each
    `standings_version`.
    """
    if event.terms.carry_over == "1":
        return {}
    return _count_weighted_boards(event.pk, event.uid, standings_version)


@lru_cache(maxsize=MAX_CACHED_BOARD_COUNTS)
def _count_weighted_boards(event_pk: int, _uid: UUID, _version: int) -> Mapping[int, Fraction]:
    event = Event.objects.select_related("terms").get(pk=event_pk)
    weighted_board_count_by_entry_number = score_event(event).weighted_board_counts_by_entry
    numbers_and_pks = Entry.objects.filter(event=event).values_list("number", "pk")
    return {
        entry_pk: Fraction(weighted_board_count_by_entry_number[entry_number])
        for entry_number, entry_pk in numbers_and_pks
        if weighted_board_count_by_entry_number.get(entry_number)
    }


class StoredStanding(NamedTuple):
    """A row of an event's stored standings, with the number and name of the entry."""

    entry_pk: int
    entry_number: int
    entry_name: str
    section: str
    field: str
    score: str
    percent: str
    tricks: str
    boards: int
    rank: int


STANDING_COLUMNS = ("entry", "entry__number", "entry__name", *StoredStanding._fields[3:])


@dataclass(frozen=True, slots=True)
class EventScores:
    """An event's scores by other methods than the event's own, by the entry's primary key."""

    plus_by_entry: Mapping[int, Fraction]
    percent_by_entry: Mapping[int, Fraction]
    has_plus_scores: bool = True
    """Whether the event's own scoring method is a plus/minus method."""


def load_season_evenings(
    season: Season, score_kinds: Collection[str] = ()
) -> list[LadderEvening]:
    """Return all evenings of a season, sorted by date; the number of queries is fixed.

    `score_kinds` lists the scores that are needed in addition to an event's own scores: `plus`,
    `percent` or both. If an event has another scoring method, they are computed from its
    results, and cached until its standings change.
    """
    evenings = [
        *_iter_event_evenings(
            season.club_id, (season.first_day, season.last_day), frozenset(score_kinds)
        ),
        *iter_activity_evenings(season),
        *_iter_imported_evenings(
            season=season, date__range=(season.first_day, season.last_day)
        ),
    ]
    return sorted(evenings, key=lambda evening: evening.sort_key)


def load_evenings_between(
    club_pk: int, first_day: Date, last_day: Date, score_kinds: Collection[str]
) -> list[LadderEvening]:
    """Return a club's evenings in a range of days, sorted by date, without duplicates.

    The list includes events of this club and evenings imported with any season, but no drives
    or rubber nights.
    """
    event_evenings = _iter_event_evenings(
        club_pk, (first_day, last_day), frozenset(score_kinds)
    )
    imported_evenings = _iter_imported_evenings(
        season__club=club_pk, date__range=(first_day, last_day)
    )
    evenings_by_sort_key = {
        evening.sort_key: evening for evening in [*imported_evenings, *event_evenings]
    }
    return sorted(evenings_by_sort_key.values(), key=lambda evening: evening.sort_key)


def list_events_between(club_pk: int, first_day: Date, last_day: Date) -> list[Event]:
    """Return a club's events in a range of days that ladders count, sorted by date."""
    events = query_counted_events(club_pk, first_day, last_day).select_related("terms")
    # Prefetching loads the club once for all events.
    return list(events.prefetch_related("club").order_by("date", "slug"))


def query_counted_events(club_pk: int, first_day: Date, last_day: Date) -> QuerySet[Event]:
    """Return the queryset of a club's events in a range of days that ladders count."""
    events = Event.objects.filter(club=club_pk, date__range=(first_day, last_day)).public()
    return events.filter(ranking__isnull=False)


def _iter_event_evenings(
    club_pk: int, day_range: tuple[Date, Date], score_kinds: frozenset[str]
) -> Iterable[LadderEvening]:
    events_by_pk = {event.pk: event for event in list_events_between(club_pk, *day_range)}
    ranking_rows = Ranking.objects.filter(event__in=events_by_pk).values_list(
        "pk", "event", "version"
    )
    events_and_versions_by_ranking = {
        ranking_pk: (event_pk, standings_version)
        for ranking_pk, event_pk, standings_version in ranking_rows
    }
    people_by_entry = _load_people(events_by_pk)
    visitor_pks = set(
        Player.objects.filter(club=club_pk, kind=Player.Kind.VISITOR).values_list(
            "pk", flat=True
        )
    )
    entries_by_event: dict[int, list[LadderEntry]] = defaultdict(list)
    scores_by_event: dict[int, EventScores] = {}
    weighted_boards_by_event: dict[int, Mapping[int, Fraction]] = {}
    # Sort in Python: with ORDER BY number, the database may scan all entries.
    standings = Standing.objects.filter(ranking__in=events_and_versions_by_ranking).order_by()
    for ranking_pk, *standing_values in sorted(
        standings.values_list("ranking", *STANDING_COLUMNS), key=itemgetter(0, 2)
    ):
        event_pk, standings_version = events_and_versions_by_ranking[ranking_pk]
        stored_standing = StoredStanding(*standing_values)
        if event_pk not in scores_by_event:
            scores_by_event[event_pk] = _load_scores_by_other_methods(
                events_by_pk[event_pk], standings_version, score_kinds
            )
            weighted_boards_by_event[event_pk] = (
                load_weighted_board_counts(events_by_pk[event_pk], standings_version)
                if scores_by_event[event_pk].has_plus_scores
                else {}
            )
        entry_people = people_by_entry.get(stored_standing.entry_pk, ())
        entry = _build_entry(
            events_by_pk[event_pk],
            stored_standing,
            scores_by_event[event_pk],
            entry_people,
            visitor_pks,
        )
        entries_by_event[event_pk].append(
            replace(
                entry,
                weighted_board_count=weighted_boards_by_event[event_pk].get(
                    stored_standing.entry_pk
                ),
            )
        )
    for event_pk, entries in entries_by_event.items():
        event = events_by_pk[event_pk]
        yield LadderEvening(
            key=event.slug,
            day=event.date.isoformat(),
            entries=tuple(entries),
            contest=event.contest,
            name=event.name,
        )


def _load_people(event_pks: Collection[int]) -> dict[int, tuple[int, ...]]:
    people_by_entry: dict[int, list[int]] = defaultdict(list)
    entry_players = EntryPlayer.objects.filter(entry__event__in=event_pks).order_by(
        "entry", "order"
    )
    entry_players = entry_players.exclude(player__shown=Player.Shown.UNKNOWN)
    for entry_pk, player_pk in entry_players.values_list("entry", "player"):
        people_by_entry[entry_pk].append(player_pk)
    return {entry_pk: tuple(player_pks) for entry_pk, player_pks in people_by_entry.items()}


def _load_scores_by_other_methods(
    event: Event, standings_version: int, score_kinds: frozenset[str]
) -> EventScores:
    """Return the requested scores of an event by other scoring methods than its own.

    An event that is scored by points has no plus, because a plus is in tricks.
    """
    own_method = find_scoring_method(event)
    if own_method.is_in_points:
        percent_score_kinds = frozenset(
            set() if own_method.compute_available_points else {MEASURE_PERCENT}
        )
        percent_scores = _compute_scores(
            event.pk, event.uid, standings_version, percent_score_kinds & score_kinds
        )
        return EventScores({}, percent_scores.percent_by_entry, has_plus_scores=False)
    missing_score_kinds = {MEASURE_PLUS} if own_method.code not in PLUS_METHODS else set()
    missing_score_kinds |= set() if own_method.compute_available_points else {MEASURE_PERCENT}
    scores = _compute_scores(
        event.pk, event.uid, standings_version, frozenset(missing_score_kinds & score_kinds)
    )
    return EventScores(
        scores.plus_by_entry, scores.percent_by_entry, own_method.code in PLUS_METHODS
    )


def _build_entry(
    event: Event,
    stored_standing: StoredStanding,
    other_method_scores: EventScores,
    player_pks: tuple[int, ...],
    visitor_pks: Collection[int],
) -> LadderEntry:
    score = parse_exact_number(stored_standing.score)
    percent = (
        parse_exact_number(stored_standing.percent) * 100 if stored_standing.percent else None
    )
    return LadderEntry(
        person_pks=player_pks,
        score=score,
        board_count=stored_standing.boards,
        visitor_pks=frozenset(
            player_pk for player_pk in player_pks if player_pk in visitor_pks
        ),
        team_name=stored_standing.entry_name if event.contest == Event.Contest.TEAMS else "",
        ranked_group_code=f"{stored_standing.section}{stored_standing.field}",
        plus=score
        if other_method_scores.has_plus_scores
        else other_method_scores.plus_by_entry.get(stored_standing.entry_pk),
        percent=other_method_scores.percent_by_entry.get(stored_standing.entry_pk)
        if percent is None
        else percent,
        tricks=None
        if event.is_scored_in_points
        else parse_exact_number(stored_standing.tricks),
        place=stored_standing.rank,
        entry_number=stored_standing.entry_number,
        rescored_measures=RESCORED_MEASURES[
            other_method_scores.has_plus_scores, percent is not None
        ],
    )


def _list_rescored_measures(*, has_plus_scores: bool, has_percent: bool) -> frozenset[str]:
    """Return the measures for which an event's results must be scored by another method."""
    plus_measures = set() if has_plus_scores else {MEASURE_PLUS, MEASURE_PLUS_PER_BOARD}
    return frozenset(plus_measures | (set() if has_percent else {MEASURE_PERCENT}))


RESCORED_MEASURES = {
    (has_plus_scores, has_percent): _list_rescored_measures(
        has_plus_scores=has_plus_scores, has_percent=has_percent
    )
    for has_plus_scores in (True, False)
    for has_percent in (True, False)
}
"""The measures that need another method, by (has plus/minus scores, has percentages)."""


@lru_cache(maxsize=MAX_CACHED_EVENT_SCORES)
def _compute_scores(
    event_pk: int, _uid: UUID, _version: int, score_kinds: frozenset[str]
) -> EventScores:
    """Compute an event's plus/minus scores and matchpoint percentages, as requested.

    All sessions count in full. Penalties are left out, because they are in points of the
    event's own method. The unused uid and version are part of the cache key, so that a
    correction leads to a new computation.
    """
    if not score_kinds:
        return EventScores({}, {})
    event = Event.objects.select_related("terms").get(pk=event_pk)
    tally = load_tally(event)
    entry_pk_by_entry_number = dict(
        Entry.objects.filter(event=event).values_list("number", "pk")
    )
    plus_score_by_entry_number = (
        _score_event_by_method(event, tally, "plus_minus")
        if MEASURE_PLUS in score_kinds
        else {}
    )
    percent_by_entry_number = (
        _compute_percentages(event, tally) if MEASURE_PERCENT in score_kinds else {}
    )
    return EventScores(
        plus_by_entry={
            entry_pk_by_entry_number[entry_number]: score
            for entry_number, score in plus_score_by_entry_number.items()
            if entry_number in entry_pk_by_entry_number
        },
        percent_by_entry={
            entry_pk_by_entry_number[entry_number]: percent
            for entry_number, percent in percent_by_entry_number.items()
            if entry_number in entry_pk_by_entry_number
        },
    )


def _score_event_by_method(
    event: Event, tally: EventTally, method_code: str
) -> dict[int, Fraction]:
    method = _find_method(event, method_code)
    if method is None:
        return {}
    score_by_entry_number: dict[int, Fraction] = {}
    for pool in tally.pools_by_key.values():
        score_by_entry_number = add_penalties_and_carry_over(
            method.score(pool.lines), carry_overs_by_entry=score_by_entry_number
        )
    return score_by_entry_number


def _compute_percentages(event: Event, tally: EventTally) -> dict[int, Fraction]:
    method = _find_method(event, "matchpoints")
    if method is None or method.compute_available_points is None:
        return {}
    available_points_by_entry_number: dict[int, Fraction] = {}
    for pool in tally.pools_by_key.values():
        available_points_by_entry_number = add_penalties_and_carry_over(
            method.compute_available_points(pool.lines),
            carry_overs_by_entry=available_points_by_entry_number,
        )
    points_by_entry_number = _score_event_by_method(event, tally, "matchpoints")
    return {
        entry_number: 100 * points_by_entry_number.get(entry_number, Fraction()) / max_points
        for entry_number, max_points in available_points_by_entry_number.items()
        if max_points
    }


def _find_method(event: Event, method_code: str) -> Method | None:
    """Return the scoring method with this code; None if it does not suit the contest."""
    supported_methods = list_methods(event.contest, is_in_points=event.is_scored_in_points)
    return map_methods_by_code(supported_methods).get(method_code)


def _iter_imported_evenings(**filters: object) -> Iterable[LadderEvening]:
    evenings = list(EveningElsewhere.objects.filter(**filters))
    if not evenings:
        return
    seats_by_entry: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    seat_rows = SeatElsewhere.objects.filter(evening__in=evenings).order_by("entry", "order")
    for seated_entry_pk, player_pk, was_member in seat_rows.values_list(
        "entry", "player", "was_member"
    ):
        seats_by_entry[seated_entry_pk].append((player_pk, was_member))
    entries_by_evening: dict[int, list[LadderEntry]] = defaultdict(list)
    stored_entries = EntryElsewhere.objects.filter(evening__in=evenings)
    for evening_pk, entry_pk, *entry_values in stored_entries.order_by(
        "evening", "number"
    ).values_list(*IMPORTED_ENTRY_COLUMNS):
        entries_by_evening[evening_pk].append(
            _build_imported_entry(entry_values, seats_by_entry[entry_pk])
        )
    for evening in evenings:
        yield LadderEvening(
            key=evening.slug,
            day=evening.date.isoformat(),
            entries=tuple(entries_by_evening[evening.pk]),
            contest=evening.contest,
            name=evening.slug,
            is_imported=True,
        )


def _build_imported_entry(
    entry_values: Sequence[Any], seats: Collection[tuple[int, bool]]
) -> LadderEntry:
    score_text, boards, team_name, field, percent, tricks, rank, entry_number, handicap = (
        entry_values
    )
    score = parse_exact_number(score_text)
    return LadderEntry(
        person_pks=tuple(player_pk for player_pk, _was_member in seats),
        score=score,
        board_count=boards,
        visitor_pks=frozenset(player_pk for player_pk, was_member in seats if not was_member),
        team_name=team_name,
        ranked_group_code=field,
        plus=score,
        percent=parse_exact_number(percent) if percent else None,
        tricks=parse_exact_number(tricks) if tricks else None,
        place=rank,
        is_handicap_exempt=not handicap,  # a stored place was determined without handicap
        entry_number=entry_number,
        handicap=parse_exact_number(handicap) if handicap else None,
    )


@lru_cache(maxsize=20_000)
def parse_exact_number(text: str) -> Fraction:
    """Parse an exact number stored as text.

    Results are cached, because a season contains the same few values many times.
    """
    return Fraction(text)
