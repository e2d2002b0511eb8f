"""The evenings of a season as input to ladders: events of this club and imported evenings.

A ladder stores no results. It is computed from current standings. A ruling, a correction or a
merge of players therefore changes it at the next request.

An event counts if it is over, is listed, and has standings that players can see. A drive or a
rubber night counts if it is closed. A rehearsal never counts.
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
from scoring.standings_engine.scores import find_method, score_event
from seasons.ladders.evenings_without_trays import iter_activity_evenings
from seasons.ladders.models import EntryElsewhere, EveningElsewhere, Season, SeatElsewhere
from seasons.ladders.rules import LadderEntry, LadderEvening
from seasons.ladders.rules.rule import PERCENT, PLUS, PLUS_A_BOARD
from tournaments.models import Entry, EntryPlayer, Event

MAX_EVENTS_CACHED = 600
MAX_SCORES_CACHED = 600
"""The maximum number of events whose scores by another method are cached.

It is enough for ten years of one event a week.
"""
PLUS_METHODS = ("plus_minus", "field_average")
"""The codes of the scoring methods whose scores are plus/minus tricks."""
IMPORTED_FIELDS = (
    *("evening", "pk", "score", "boards", "team", "field", "percent", "tricks", "place"),
    *("number", "handicap"),
)


def load_counted_boards(event: Event, version: int) -> Mapping[int, Fraction]:
    """Return the number of boards of each entry, weighted by carry-over, by entry primary key.

    The result is empty if all sessions count in full. It is cached by the `version` of the
    standings.
    """
    if event.terms.carry_over == "1":
        return {}
    return _count_boards(event.pk, event.uid, version)


@lru_cache(maxsize=MAX_EVENTS_CACHED)
def _count_boards(event_pk: int, _uid: UUID, _version: int) -> Mapping[int, Fraction]:
    event = Event.objects.select_related("terms").get(pk=event_pk)
    weights = score_event(event).weighted_boards
    numbers = Entry.objects.filter(event=event).values_list("number", "pk")
    return {pk: Fraction(weights[number]) for number, pk in numbers if weights.get(number)}


class StoredStanding(NamedTuple):
    """A row of an event's stored standings, with the number and name of the entry."""

    entry: int
    number: int
    name: str
    section: str
    field: str
    score: str
    percent: str
    tricks: str
    boards: int
    rank: int


STANDING_FIELDS = ("entry", "entry__number", "entry__name", *StoredStanding._fields[3:])


@dataclass(frozen=True, slots=True)
class EventScores:
    """An event's scores by other scoring methods than its own, by entry primary key."""

    plus: Mapping[int, Fraction]
    percent: Mapping[int, Fraction]
    is_plus: bool = True
    """Whether the event's own scoring method is a plus/minus method."""


def load_season_evenings(season: Season, figures: Collection[str] = ()) -> list[LadderEvening]:
    """Return all evenings of a season, sorted by date; the number of queries is fixed.

    `figures` lists the scores that are needed in addition to an event's own scores: `plus`,
    `percent` or both. An event with another scoring method is scored again for them, once for
    each version of its standings.
    """
    evenings = [
        *_iter_event_evenings(
            season.club_id, (season.first_day, season.last_day), frozenset(figures)
        ),
        *iter_activity_evenings(season),
        *_iter_imported_evenings(
            season=season, date__range=(season.first_day, season.last_day)
        ),
    ]
    return sorted(evenings, key=lambda evening: evening.order)


def load_evenings_between(
    club: int, first: Date, last: Date, figures: Collection[str]
) -> list[LadderEvening]:
    """Return a club's evenings in a range of days, sorted by date, without duplicates.

    They include events of this club and evenings imported with any season, but no drives or
    rubber nights.
    """
    event_evenings = _iter_event_evenings(club, (first, last), frozenset(figures))
    imported_evenings = _iter_imported_evenings(season__club=club, date__range=(first, last))
    evenings_by_order = {
        evening.order: evening for evening in [*imported_evenings, *event_evenings]
    }
    return sorted(evenings_by_order.values(), key=lambda evening: evening.order)


def list_events_between(club: int, first: Date, last: Date) -> list[Event]:
    """Return a club's events in a range of days that ladders count, sorted by date."""
    rows = query_counted_events(club, first, last).select_related("terms")
    return list(
        rows.prefetch_related("club").order_by("date", "slug")
    )  # one query for the club


def query_counted_events(club: int, first: Date, last: Date) -> QuerySet[Event]:
    """Return the queryset of a club's events in a range of days that ladders count."""
    rows = Event.objects.filter(club=club, date__range=(first, last)).public()
    return rows.filter(ranking__isnull=False)


def _iter_event_evenings(
    club: int, days: tuple[Date, Date], score_kinds: frozenset[str]
) -> Iterable[LadderEvening]:
    events = {event.pk: event for event in list_events_between(club, *days)}
    rankings = Ranking.objects.filter(event__in=events).values_list("pk", "event", "version")
    of_ranking = {pk: (event, version) for pk, event, version in rankings}
    people = _load_people(events)
    visitors = set(
        Player.objects.filter(club=club, kind=Player.Kind.VISITOR).values_list("pk", flat=True)
    )
    entries_by_event: dict[int, list[LadderEntry]] = defaultdict(list)
    other_scores: dict[int, EventScores] = {}
    weighted_boards: dict[int, Mapping[int, Fraction]] = {}
    # Sort in Python: with ORDER BY number, the database may scan all entries.
    standings = Standing.objects.filter(ranking__in=of_ranking).order_by()
    for ranking, *row in sorted(
        standings.values_list("ranking", *STANDING_FIELDS), key=itemgetter(0, 2)
    ):
        key, version = of_ranking[ranking]
        if key not in other_scores:
            other_scores[key] = _load_other_scores(events[key], version, score_kinds)
            weighted_boards[key] = (
                load_counted_boards(events[key], version) if other_scores[key].is_plus else {}
            )
        own_rows = people.get(row[0], ())
        entry = _build_entry(
            events[key], StoredStanding(*row), other_scores[key], own_rows, visitors
        )
        entries_by_event[key].append(replace(entry, counted=weighted_boards[key].get(row[0])))
    for pk, entries in entries_by_event.items():
        event = events[pk]
        yield LadderEvening(
            key=event.slug,
            day=event.date.isoformat(),
            entries=tuple(entries),
            contest=event.contest,
            name=event.name,
        )


def _load_people(events: Collection[int]) -> dict[int, tuple[int, ...]]:
    people_by_entry: dict[int, list[int]] = defaultdict(list)
    rows = EntryPlayer.objects.filter(entry__event__in=events).order_by("entry", "order")
    rows = rows.exclude(player__shown=Player.Shown.UNKNOWN)
    for entry, player in rows.values_list("entry", "player"):
        people_by_entry[entry].append(player)
    return {entry: tuple(players) for entry, players in people_by_entry.items()}


def _load_other_scores(event: Event, version: int, score_kinds: frozenset[str]) -> EventScores:
    """Return the requested scores of an event by other scoring methods than its own.

    An event that is scored by points has no plus, because a plus is in tricks.
    """
    own_method = find_method(event)
    if own_method.is_in_points:
        share = frozenset(set() if own_method.available else {PERCENT})
        shares = _compute_scores(event.pk, event.uid, version, share & score_kinds)
        return EventScores({}, shares.percent, is_plus=False)
    missing_kinds = {PLUS} if own_method.code not in PLUS_METHODS else set()
    missing_kinds |= set() if own_method.available else {PERCENT}
    scores = _compute_scores(
        event.pk, event.uid, version, frozenset(missing_kinds & score_kinds)
    )
    return EventScores(scores.plus, scores.percent, own_method.code in PLUS_METHODS)


def _build_entry(
    event: Event,
    standing: StoredStanding,
    other_scores: EventScores,
    people: tuple[int, ...],
    visitors: Collection[int],
) -> LadderEntry:
    score = parse_exact(standing.score)
    share = parse_exact(standing.percent) * 100 if standing.percent else None
    return LadderEntry(
        people=people,
        score=score,
        boards=standing.boards,
        visitors=frozenset(person for person in people if person in visitors),
        team=standing.name if event.contest == Event.Contest.TEAMS else "",
        field=f"{standing.section}{standing.field}",
        plus=score if other_scores.is_plus else other_scores.plus.get(standing.entry),
        percent=other_scores.percent.get(standing.entry) if share is None else share,
        tricks=None if event.is_scored_in_points else parse_exact(standing.tricks),
        place=standing.rank,
        number=standing.number,
        rescored=RESCORED[other_scores.is_plus, share is not None],
    )


def _list_rescored_measures(*, is_plus: bool, is_share: bool) -> frozenset[str]:
    """Return the measures for which an event's results must be scored by another method."""
    plus = set() if is_plus else {PLUS, PLUS_A_BOARD}
    return frozenset(plus | (set() if is_share else {PERCENT}))


RESCORED = {
    (plus, share): _list_rescored_measures(is_plus=plus, is_share=share)
    for plus in (True, False)
    for share in (True, False)
}


@lru_cache(maxsize=MAX_SCORES_CACHED)
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
    keys = dict(Entry.objects.filter(event=event).values_list("number", "pk"))
    plus = _score_by_method(event, tally, "plus_minus") if PLUS in score_kinds else {}
    percent = _compute_percentages(event, tally) if PERCENT in score_kinds else {}
    return EventScores(
        plus={keys[number]: score for number, score in plus.items() if number in keys},
        percent={keys[number]: share for number, share in percent.items() if number in keys},
    )


def _score_by_method(event: Event, tally: EventTally, code: str) -> dict[int, Fraction]:
    method = _find_method(event, code)
    if method is None:
        return {}
    scores: dict[int, Fraction] = {}
    for pool in tally.pools.values():
        scores = add_penalties_and_carry_over(method.score(pool.lines), carried=scores)
    return scores


def _compute_percentages(event: Event, tally: EventTally) -> dict[int, Fraction]:
    method = _find_method(event, "matchpoints")
    if method is None or method.available is None:
        return {}
    available: dict[int, Fraction] = {}
    for pool in tally.pools.values():
        available = add_penalties_and_carry_over(
            method.available(pool.lines), carried=available
        )
    points = _score_by_method(event, tally, "matchpoints")
    return {
        number: 100 * points.get(number, Fraction()) / max_points
        for number, max_points in available.items()
        if max_points
    }


def _find_method(event: Event, code: str) -> Method | None:
    """Return the scoring method with this code; None if the event's contest does not support
    it.
    """
    supported_methods = list_methods(event.contest, in_points=event.is_scored_in_points)
    return map_methods_by_code(supported_methods).get(code)


def _iter_imported_evenings(**filters: object) -> Iterable[LadderEvening]:
    evenings = list(EveningElsewhere.objects.filter(**filters))
    if not evenings:
        return
    seats: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    rows = SeatElsewhere.objects.filter(evening__in=evenings).order_by("entry", "order")
    for entry, player, was_member in rows.values_list("entry", "player", "was_member"):
        seats[entry].append((player, was_member))
    entries: dict[int, list[LadderEntry]] = defaultdict(list)
    filed = EntryElsewhere.objects.filter(evening__in=evenings)
    for evening_id, pk, *row in filed.order_by("evening", "number").values_list(
        *IMPORTED_FIELDS
    ):
        entries[evening_id].append(_build_imported_entry(row, seats[pk]))
    for evening in evenings:
        yield LadderEvening(
            key=evening.slug,
            day=evening.date.isoformat(),
            entries=tuple(entries[evening.pk]),
            contest=evening.contest,
            name=evening.slug,
            is_from_elsewhere=True,
        )


def _build_imported_entry(
    row: Sequence[Any], seats: Collection[tuple[int, bool]]
) -> LadderEntry:
    score_text, boards, team, field, percent, tricks, place, number, handicap = row
    score = parse_exact(score_text)
    return LadderEntry(
        people=tuple(player for player, _was_member in seats),
        score=score,
        boards=boards,
        visitors=frozenset(player for player, was_member in seats if not was_member),
        team=team,
        field=field,
        plus=score,
        percent=parse_exact(percent) if percent else None,
        tricks=parse_exact(tricks) if tricks else None,
        place=place,
        place_stands=not handicap,  # a stored place was determined without handicap
        number=number,
        handicap=parse_exact(handicap) if handicap else None,
    )


@lru_cache(maxsize=20_000)
def parse_exact(written: str) -> Fraction:
    """Parse an exact number stored as text.

    Results are cached, because a season contains the same few values many times.
    """
    return Fraction(written)
