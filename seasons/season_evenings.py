"""The evenings of a season as a ladder sees them: standings, and what comes from elsewhere.

A ladder keeps nothing of its own: it is asked of the standings as they are now, so whatever
changes these (a ruling, a correction, a merge) changes it at the next look. An event counts
that is over, that lists show, and whose standings players may see, and so does a drive that is
closed; a rehearsal never does.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any
from uuid import UUID

from clubs.models import Player
from scoring.methods import METHODS, Method, method_for
from scoring.methods.ranking import settled
from scoring.models import Ranking, Standing
from scoring.reckoning.lines import Tally, tally
from scoring.reckoning.scores import method_of
from seasons.ladders import LadderEntry, LadderEvening, LadderRule, LadderTable, ladder, rule_of
from seasons.ladders.rule import PERCENT, PLUS, PLUS_A_BOARD
from seasons.models import EntryElsewhere, Ladder, Season, SeatElsewhere
from seasons.season_drives import drive_evenings
from tournaments.models import Entry, EntryPlayer, Event

KEPT_FIGURES = 600
"""Events whose figures by another method are kept at hand: ten years of one a week."""
IN_PLUS = ("plus_minus", "field_average")
"""Codes of methods whose scores are the plus."""


FILED = ("evening", "pk", "score", "boards", "team", "field", "percent", "tricks", "place")


@dataclass(frozen=True, slots=True)
class EventFigures:
    """Figures of an event by methods that it was not scored by, by the entries' keys."""

    plus: Mapping[int, Fraction]
    percent: Mapping[int, Fraction]


def season_evenings(season: Season, figures: Collection[str] = ()) -> list[LadderEvening]:
    """Read every evening of a season, in the order of days; a fixed number of questions.

    `figures` are those that are asked for beside places and scores, `plus` and `percent`. An
    event that was scored by another method is reckoned anew for them, once for each version
    of its standings.
    """
    found = [
        *_events(season, frozenset(figures)),
        *drive_evenings(season),
        *_elsewhere(season),
    ]
    return sorted(found, key=lambda each: each.order)


def figures_for(of: LadderRule) -> frozenset[str]:
    """The figures that a rule asks for beside places and scores."""
    found = {PERCENT} if of.measure == PERCENT else set()
    if of.measure in (PLUS, PLUS_A_BOARD) or of.across or of.handicaps:
        found.add(PLUS)
    return frozenset(found)


def tables_of(season: Season) -> list[tuple[Ladder, LadderTable]]:
    """Every ladder of a season with its table; the evenings are read once."""
    rows = list(season.ladders.prefetch_related("handicaps"))
    rules = [rule_of_ladder(row) for row in rows]
    figures = frozenset[str]().union(*(figures_for(each) for each in rules))
    evenings = season_evenings(season, figures)
    return [(row, ladder(evenings, of)) for row, of in zip(rows, rules, strict=True)]


def rule_of_ladder(row: Ladder) -> LadderRule:
    """Read a ladder's rule; what is stored was checked before."""
    handicaps = {each.player_id: Fraction(each.a_board) for each in row.handicaps.all()}
    made = rule_of(row.rule, handicaps)
    assert isinstance(made, LadderRule), made
    return made


def ladder_of(row: Ladder) -> LadderTable:
    """Ask the question that a ladder is."""
    of = rule_of_ladder(row)
    return ladder(season_evenings(row.season, figures_for(of)), of)


def events_of(season: Season) -> list[Event]:
    """The events that count in a season."""
    days = (season.first_day, season.last_day)
    rows = Event.objects.filter(club=season.club_id, date__range=days).listed().over()
    shown = rows.exclude(standings_shown=Event.Shown.NEVER).filter(ranking__isnull=False)
    return list(shown.select_related("terms", "club").order_by("date", "slug"))


def _events(season: Season, wanted: frozenset[str]) -> Iterable[LadderEvening]:
    events = {event.pk: event for event in events_of(season)}
    versions = dict(Ranking.objects.filter(event__in=events).values_list("event", "version"))
    people = _people_of(events)
    visitors = set(
        Player.objects.filter(club=season.club_id, kind=Player.Kind.VISITOR).values_list(
            "pk", flat=True
        )
    )
    found: dict[int, list[LadderEntry]] = defaultdict(list)
    standings = Standing.objects.filter(ranking__event__in=events)
    for standing in standings.select_related("entry").order_by("entry__number"):
        event = events[standing.entry.event_id]
        mine = people.get(standing.entry_id, ())
        anew = _reckoned(event, versions[event.pk], wanted)
        entry = _entry(event, standing, anew, mine, visitors)
        found[event.pk].append(entry)
    for pk, entries in found.items():
        event = events[pk]
        yield LadderEvening(
            key=event.slug,
            day=event.date.isoformat(),
            entries=tuple(entries),
            contest=event.contest,
            name=event.name,
        )


def _people_of(events: Collection[int]) -> dict[int, tuple[int, ...]]:
    found: dict[int, list[int]] = defaultdict(list)
    rows = EntryPlayer.objects.filter(entry__event__in=events).order_by("entry", "order")
    for entry, player in rows.values_list("entry", "player"):
        found[entry].append(player)
    return {entry: tuple(players) for entry, players in found.items()}


def _reckoned(event: Event, version: int, wanted: frozenset[str]) -> EventFigures:
    """The figures wanted of an event that it was not scored by."""
    own = method_of(event)
    lacking = {PLUS} if own.code not in IN_PLUS else set()
    lacking |= set() if own.available else {PERCENT}
    return _figures(event.pk, event.uid, version, frozenset(lacking & wanted))


def _entry(
    event: Event,
    standing: Standing,
    anew: EventFigures,
    people: tuple[int, ...],
    visitors: Collection[int],
) -> LadderEntry:
    score = _read(standing.score)
    is_plus = method_of(event).code in IN_PLUS
    share = Fraction(standing.percent) * 100 if standing.percent else None
    return LadderEntry(
        people=people,
        score=score,
        boards=standing.boards,
        visitors=frozenset(each for each in people if each in visitors),
        team=standing.entry.name if event.contest == Event.Contest.TEAMS else "",
        field=f"{standing.section}{standing.field}",
        plus=score if is_plus else anew.plus.get(standing.entry_id),
        percent=anew.percent.get(standing.entry_id) if share is None else share,
        tricks=_read(standing.tricks),
        place=standing.rank,
        number=standing.entry.number,
        rescored=frozenset(_anew(is_plus=is_plus, is_share=share is not None)),
    )


def _anew(*, is_plus: bool, is_share: bool) -> set[str]:
    """Which figures of an event are not those it was scored by."""
    plus = set() if is_plus else {PLUS, PLUS_A_BOARD}
    return plus | (set() if is_share else {PERCENT})


@lru_cache(maxsize=KEPT_FIGURES)
def _figures(event_pk: int, _uid: UUID, _version: int, wanted: frozenset[str]) -> EventFigures:
    """Reckon an event anew by plus and minus and by matchpoints, whichever is wanted.

    Penalties are left out, for they were given in points of the event's own method. The key
    and the version name what was counted, so that a correction is reckoned anew.
    """
    if not wanted:
        return EventFigures({}, {})
    event = Event.objects.select_related("terms").get(pk=event_pk)
    counted = tally(event)
    keys = dict(Entry.objects.filter(event=event).values_list("number", "pk"))
    plus = _by(event, counted, "plus_minus") if PLUS in wanted else {}
    percent = _shares(event, counted) if PERCENT in wanted else {}
    return EventFigures(
        plus={keys[number]: figure for number, figure in plus.items() if number in keys},
        percent={keys[number]: share for number, share in percent.items() if number in keys},
    )


def _by(event: Event, counted: Tally, code: str) -> dict[int, Fraction]:
    method = _serving(event, code)
    if method is None:
        return {}
    found: dict[int, Fraction] = {}
    for pool in counted.pools.values():
        found = settled(method.score(pool.lines), carried=found)
    return found


def _shares(event: Event, counted: Tally) -> dict[int, Fraction]:
    method = _serving(event, "matchpoints")
    if method is None or method.available is None:
        return {}
    available: dict[int, Fraction] = {}
    for pool in counted.pools.values():
        available = settled(method.available(pool.lines), carried=available)
    points = _by(event, counted, "matchpoints")
    return {
        number: 100 * points.get(number, Fraction()) / most
        for number, most in available.items()
        if most
    }


def _serving(event: Event, code: str) -> Method | None:
    """The method of that code that serves the event's contest, if one does."""
    if not any(m.code == code and event.contest in m.contests for m in METHODS.values()):
        return None
    return method_for(event.contest, code)


def _elsewhere(season: Season) -> Iterable[LadderEvening]:
    seats: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    rows = SeatElsewhere.objects.filter(evening__season=season).order_by("entry", "order")
    for entry, player, was_member in rows.values_list("entry", "player", "was_member"):
        seats[entry].append((player, was_member))
    entries: dict[int, list[LadderEntry]] = defaultdict(list)
    filed = EntryElsewhere.objects.filter(evening__season=season)
    for evening_id, pk, *row in filed.order_by("evening", "number").values_list(*FILED):
        entries[evening_id].append(_filed(row, seats[pk]))
    for evening in season.elsewhere.all():
        yield LadderEvening(
            key=evening.slug,
            day=evening.date.isoformat(),
            entries=tuple(entries[evening.pk]),
            contest=evening.contest,
            name=evening.slug,
            is_from_elsewhere=True,
        )


def _filed(row: Sequence[Any], seats: Collection[tuple[int, bool]]) -> LadderEntry:
    written, boards, team, field, percent, tricks, place = row
    score = _read(written)
    return LadderEntry(
        people=tuple(player for player, _was_member in seats),
        score=score,
        boards=boards,
        visitors=frozenset(player for player, was_member in seats if not was_member),
        team=team,
        field=field,
        plus=score,
        percent=_read(percent) if percent else None,
        tricks=_read(tricks) if tricks else None,
        place=place,
        place_stands=True,
    )


@lru_cache(maxsize=20_000)
def _read(written: str) -> Fraction:
    """Read an exact number that was stored; seasons hold the same few again and again."""
    return Fraction(written)
