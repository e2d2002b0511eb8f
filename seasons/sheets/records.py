"""One player across the evenings: where they came, and what they took on each side.

A side is where the player really sat, board by board, so arrow switches and changed seats tell
nothing wrong.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date as Date
from fractions import Fraction
from typing import NamedTuple

from django.db.models import Count

from boards.whist import Side
from clubs.models import Player
from scoring.models import Outcome, Result, Ruling, Standing
from scoring.reckoning.scores import method_of
from tournaments.models import Entry, Event

MOST = 100
"""So many evenings are listed and counted, the newest ones."""
SEATED = (Event.Contest.PAIRS, Event.Contest.INDIVIDUAL)
"""Where an entry's side is its players' side; of a team only two sit on each."""


@dataclass(frozen=True, slots=True)
class Evening:
    """One event of a player."""

    slug: str
    name: str
    date: Date
    number: int
    entry: str
    method: str
    rank: int | None
    tied: bool
    among: int
    score: Fraction | None
    percent: Fraction | None


@dataclass(frozen=True, slots=True)
class SideRecord:
    """What a player took on one side, in all."""

    side: Side
    boards: int
    tricks: Fraction  # on average a board
    above: Fraction  # the boards' averages, on average a board


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player's evenings, the newest first, and what was taken on each side."""

    name: str
    evenings: tuple[Evening, ...]
    sides: tuple[SideRecord, ...]


class _Play(NamedTuple):
    """One stored result, and whose seats they were."""

    ns_tricks: int
    north: int | None
    south: int | None
    east: int | None
    west: int | None


def record(player: Player) -> PlayerRecord:
    """Gather what everybody may know of a player: events that are over, listed and shown."""
    events = Event.objects.filter(club=player.club_id).listed().over()
    entries = (
        Entry.objects.filter(players=player, event__in=events)
        .exclude(event__standings_shown=Event.Shown.NEVER)
        .select_related("event__terms")
        .order_by("-event__date", "-event_id")[:MOST]
    )
    found = list(entries)
    return PlayerRecord(
        name=player.shown_name, evenings=tuple(_evenings(found)), sides=tuple(_sides(found))
    )


def _evenings(entries: Sequence[Entry]) -> Iterable[Evening]:
    standings = {
        standing.entry_id: standing for standing in Standing.objects.filter(entry__in=entries)
    }
    rankings = {standing.ranking_id for standing in standings.values()}
    field = ("ranking", "section", "field")
    sizes = {
        tuple(row[:3]): row[3]
        for row in Standing.objects.filter(ranking__in=rankings)
        .values_list(*field)
        .annotate(Count("pk"))
        .order_by()
    }
    for entry in entries:
        event, standing = entry.event, standings.get(entry.pk)
        yield Evening(
            slug=event.slug,
            name=event.name,
            date=event.date,
            number=entry.number,
            entry=entry.name,
            method=method_of(event).name,
            rank=standing.rank if standing else None,
            tied=standing.tied if standing else False,
            among=sizes[standing.ranking_id, standing.section, standing.field]
            if standing
            else 0,
            score=Fraction(standing.score) if standing else None,
            percent=Fraction(standing.percent) if standing and standing.percent else None,
        )


def _sides(entries: Sequence[Entry]) -> Iterable[SideRecord]:
    """Compare each of a player's boards with its average; boards with a ruling are left out."""
    mine = {entry.pk for entry in entries if entry.event.contest in SEATED}
    taken: dict[Side, list[tuple[int, Fraction]]] = {side: [] for side in Side}
    for plays in _by_board({entry.event_id for entry in entries if entry.pk in mine}):
        average = Fraction(sum(play.ns_tricks for play in plays), len(plays))
        for play in plays:
            if mine & {play.north, play.south}:
                taken[Side.NS].append((play.ns_tricks, play.ns_tricks - average))
            if mine & {play.east, play.west}:
                taken[Side.EW].append((13 - play.ns_tricks, average - play.ns_tricks))
    for side, boards in taken.items():
        if boards:
            yield SideRecord(
                side=side,
                boards=len(boards),
                tricks=Fraction(sum(tricks for tricks, _ in boards), len(boards)),
                above=sum((above for _, above in boards), Fraction()) / len(boards),
            )


def _by_board(events: Collection[int]) -> Iterable[list[_Play]]:
    """Gather the plays that are compared with one another, two queries at any number."""
    rulings = Ruling.objects.in_force().filter(session__event__in=events)
    ruled = set(rulings.values_list("session", "result__board"))
    sitting, session = "sitting__", "sitting__section__session"
    rows = Result.objects.filter(
        sitting__section__session__event__in=events, outcome=Outcome.PLAYED
    ).values_list(
        *(session, "sitting__section", f"{session}__across_sections", "board", "ns_tricks"),
        *(f"{sitting}{seat}__entry" for seat in ("north", "south", "east", "west")),
    )
    boards: dict[tuple[int, int, int], list[_Play]] = defaultdict(list)
    for number, section, across, board, *play in rows:
        if (number, board) not in ruled:
            boards[number, 0 if across else section, board].append(_Play(*play))
    return boards.values()
