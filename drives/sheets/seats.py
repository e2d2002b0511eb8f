"""The seats of a round: the list by names, and one player's own page."""

from dataclasses import dataclass
from fractions import Fraction

from django.core.cache import cache
from django.db.models import F, Max, QuerySet

from drives.draw.company import Player
from drives.held import HeldDrive, HeldRound, read_drive, read_part
from drives.models import CardVersion, Drive, DrivePlayer, Seat, SheetVersion
from drives.secrecy import Namer, standing_is_open
from drives.sheets.people import Person, person


@dataclass(frozen=True, slots=True)
class SeatOnList:
    """A player's place in a round: a table and a seat, or neither, which is a rest."""

    person: Person
    table: int | None
    seat: int | None
    partner: Person | None


def who_sits_where(held: HeldDrive, number: int, names: Namer) -> tuple[SeatOnList, ...]:
    """List all players of a round, with house players; raise KeyError for an unknown round."""
    round_ = held.rounds[number]
    found = [
        SeatOnList(
            person(held, who, names),
            table,
            at + 1,
            person(held, four[(at + 2) % 4], names),
        )
        for table, four in round_.tables.items()
        for at, who in enumerate(four)
    ]
    found += [SeatOnList(person(held, who, names), None, None, None) for who in round_.rest]
    found.sort(key=lambda each: each.person.order)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class RoundOnCard:
    """A line of a player's own page: seat, partner, opponents and score in a round."""

    number: int
    trumps: str
    is_now: bool
    table: int | None
    seat: int | None
    partner: Person | None
    against: tuple[Person, ...]
    made: Fraction | None


@dataclass(frozen=True, kw_only=True)
class OwnPage:
    """The data of a player's own page; it has no scores of others before the close."""

    person: Person
    number: int
    of: int | None
    rounds: tuple[RoundOnCard, ...]
    total: Fraction
    rests: int
    rank: int | None
    is_over: bool

    @property
    def now(self) -> RoundOnCard | None:
        """The round in play."""
        return next((each for each in self.rounds if each.is_now), None)


def own_page(held: HeldDrive, number: int, names: Namer) -> OwnPage:
    """Return a player's own page from a completely loaded drive."""
    rank = _ranks(held).get(number) if standing_is_open(held) else None
    return _own_page(held, number, names, rank)


def own_page_of(holder: DrivePlayer, names: Namer) -> OwnPage:
    """Return a player's own page; only the part of the drive that it shows is loaded.

    The ranks are cached, and computed once for each revision of the drive.
    """
    held = read_part(holder.drive, [holder.number])
    if _has_rested(held, holder.number):
        held = read_drive(holder.drive)
    rank = _known_ranks(holder.drive).get(holder.number) if standing_is_open(held) else None
    return _own_page(held, holder.number, names, rank)


def _ranks(held: HeldDrive) -> dict[Player, int]:
    return {each.number: each.rank for each in held.scores.ranking}


def _known_ranks(drive: Drive) -> dict[Player, int]:
    known: dict[Player, int] | None = cache.get_or_set(
        f"drive-ranks:{drive.uid}:{drive.revision}", lambda: _ranks(read_drive(drive)), 60
    )
    return known or {}


def _has_rested(held: HeldDrive, number: int) -> bool:
    """Return whether a player has rested; the points of rests depend on all tables."""
    return any(number in each.rest for each in held.scores.rounds)


def _own_page(held: HeldDrive, number: int, names: Namer, rank: int | None) -> OwnPage:
    """Return the data of a page; rounds that are not drawn yet are left out."""
    own = [number] if any(each.number == number for each in held.ranked) else []
    tally = held.scores.tallies_of(own).get(number)
    drive = held.drive
    return OwnPage(
        person=person(held, number, names),
        number=drive.at_round,
        of=drive.rounds,
        rounds=tuple(
            line
            for round_ in held.rounds.values()
            if (line := _line(held, round_, number, names)) is not None
        ),
        total=tally.total if tally else Fraction(0),
        rests=tally.rests if tally else 0,
        rank=rank,
        is_over=drive.is_closed,
    )


def _line(held: HeldDrive, round_: HeldRound, number: int, names: Namer) -> RoundOnCard | None:
    place = round_.seat_of(number)
    is_now = round_.number == held.drive.at_round and not held.drive.is_closed
    trumps = round_.row.trumps
    if place is None:
        if number not in round_.rest:
            return None
        return RoundOnCard(round_.number, trumps, is_now, None, None, None, (), None)
    table, seat = place
    four = round_.tables[table]
    score, extras = round_.figures_at(table)
    at = seat - 1
    made = None
    if score:
        more = extras or (0,) * len(score)
        made = Fraction(score[at % len(score)] + more[at % len(score)])
    return RoundOnCard(
        round_.number,
        trumps,
        is_now,
        table,
        seat,
        person(held, four[(at + 2) % 4], names),
        (person(held, four[(at + 1) % 4], names), person(held, four[(at + 3) % 4], names)),
        made,
    )


def card_state(holder: DrivePlayer) -> str:
    """Return the version of a player's own page, in a few short queries.

    Hundreds of phones request it, so no other player's rows are read.
    """
    drive = holder.drive
    seats = Seat.objects.filter(player=holder)
    sheets = SheetVersion.objects.filter(
        sheet__round__seats__player=holder, sheet__table=F("sheet__round__seats__table")
    )
    cards = CardVersion.objects.filter(card__player=holder)
    newest = [
        rows.aggregate(newest=Max("pk"))["newest"] or 0 for rows in (seats, sheets, cards)
    ]
    parts = [drive.state, drive.at_round, seats.count(), *newest]
    if _hangs_on_others(drive, seats):
        parts.append(drive.revision)
    return ".".join(map(str, parts))


def _hangs_on_others(drive: Drive, seats: QuerySet[Seat]) -> bool:
    """Return whether other tables' scores change the page: by a rank, or a rest's average."""
    if drive.is_closed or drive.standings_shown != Drive.Shown.AFTER:
        return True
    return seats.filter(table=None, round__number__lte=drive.at_round).exists()
