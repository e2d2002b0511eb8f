"""Builds the list of the seats of a round by name, and the data of a player's own page."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.core.cache import cache
from django.db.models import F, Max, QuerySet

from drives.draw.participants import PlayerId
from drives.models import CardVersion, Drive, DrivePlayer, Seat, SheetVersion
from drives.sheets.contract_card import HandOnCard, list_card_hands
from drives.sheets.people import Person, build_person
from drives.snapshot import (
    DriveSnapshot,
    RoundSnapshot,
    load_drive_snapshot,
    load_players_snapshot,
)
from drives.visibility import NameFormatter, can_players_see_standings


@dataclass(frozen=True, slots=True)
class SeatOnList:
    """A player's table and seat in a round; both are None if the player rests."""

    person: Person
    table_number: int | None
    seat_number: int | None
    partner: Person | None


def list_seats(
    snapshot: DriveSnapshot, round_number: int, format_name: NameFormatter
) -> tuple[SeatOnList, ...]:
    """Return all players of a round by name; raise KeyError for an unknown round."""
    round_ = snapshot.round_by_number[round_number]
    seats = [
        SeatOnList(
            build_person(snapshot, player, format_name),
            table_number,
            index + 1,
            build_person(snapshot, table_seats[(index + 2) % 4], format_name),
        )
        for table_number, table_seats in round_.seats_by_table.items()
        for index, player in enumerate(table_seats)
    ]
    seats += [
        SeatOnList(build_person(snapshot, player, format_name), None, None, None)
        for player in round_.resting_players
    ]
    seats.sort(key=lambda seat: seat.person.sort_key)
    return tuple(seats)


@dataclass(frozen=True, slots=True)
class RoundOnCard:
    """A round on a player's own page: the player's seat, partner, opponents and points."""

    number: int
    trumps: str
    is_current: bool
    table_number: int | None
    seat_number: int | None
    partner: Person | None
    opponents: tuple[Person, ...]
    points: Fraction | None
    hands: tuple[HandOnCard, ...] = ()

    @property
    def companions(self) -> tuple[Person, ...]:
        """The other three players at the table, in the order in which they deal."""
        if self.partner is None:
            return ()
        return (self.opponents[0], self.partner, self.opponents[1])

    @property
    def other_player_names(self) -> str:
        """The names of the other three players, for games without fixed partners."""
        return ", ".join(person.numbered_name for person in self.companions)


@dataclass(frozen=True, kw_only=True)
class PlayerPage:
    """The data of a player's own page, without other players' scores before the close."""

    person: Person
    number: int
    round_count: int | None
    rounds: tuple[RoundOnCard, ...]
    total: Fraction
    rests: int
    rank: int | None
    is_over: bool
    has_contracts: bool

    @property
    def current_round(self) -> RoundOnCard | None:
        """The round in play."""
        return next((round_ for round_ in self.rounds if round_.is_current), None)


def build_player_page(
    snapshot: DriveSnapshot, player_number: int, format_name: NameFormatter
) -> PlayerPage:
    """Return a player's own page; `snapshot` must contain the whole drive."""
    rank = (
        _compute_ranks(snapshot).get(player_number)
        if can_players_see_standings(snapshot)
        else None
    )
    return _build_player_page(snapshot, player_number, format_name, rank)


def load_player_page(player: DrivePlayer, format_name: NameFormatter) -> PlayerPage:
    """Return a player's own page; load only the part of the drive that the page shows.

    Ranks depend on all players. They are computed once for each revision of the drive, and then
    cached.
    """
    snapshot = load_players_snapshot(player.drive, [player.number])
    if _has_rested(snapshot, player.number):
        snapshot = load_drive_snapshot(player.drive)
    rank = (
        _load_ranks(player.drive).get(player.number)
        if can_players_see_standings(snapshot)
        else None
    )
    return _build_player_page(snapshot, player.number, format_name, rank)


def _compute_ranks(snapshot: DriveSnapshot) -> dict[PlayerId, int]:
    return {
        ranked_player.number: ranked_player.rank for ranked_player in snapshot.scores.ranking
    }


def _load_ranks(drive: Drive) -> dict[PlayerId, int]:
    cached_ranks_by_player: dict[PlayerId, int] | None = cache.get_or_set(
        f"drive-ranks:{drive.uid}:{drive.revision}",
        lambda: _compute_ranks(load_drive_snapshot(drive)),
        60,
    )
    return cached_ranks_by_player or {}


def _has_rested(snapshot: DriveSnapshot, player_number: int) -> bool:
    """Return whether a player has rested, so that other tables' scores affect the page."""
    return any(player_number in round_.resting_players for round_ in snapshot.scores.rounds)


def _build_player_page(
    snapshot: DriveSnapshot, player_number: int, format_name: NameFormatter, rank: int | None
) -> PlayerPage:
    """Return the data of a player's own page; rounds without known seats are omitted."""
    ranked_player_numbers = (
        [player_number]
        if any(
            ranked_player.number == player_number for ranked_player in snapshot.ranked_players
        )
        else []
    )
    tally = snapshot.scores.compute_tallies(ranked_player_numbers).get(player_number)
    drive = snapshot.drive
    hands_by_round = list_card_hands(
        snapshot, player_number, lambda player: build_person(snapshot, player, format_name).name
    )
    return PlayerPage(
        person=build_person(snapshot, player_number, format_name),
        number=drive.at_round,
        round_count=drive.rounds,
        rounds=tuple(
            round_on_card
            for round_ in snapshot.round_by_number.values()
            if (
                round_on_card := _build_round_on_card(
                    snapshot, round_, player_number, format_name, hands_by_round
                )
            )
            is not None
        ),
        total=tally.total if tally else Fraction(0),
        rests=tally.rest_count if tally else 0,
        rank=rank,
        is_over=drive.is_closed,
        has_contracts=snapshot.points_table is not None,
    )


def _build_round_on_card(
    snapshot: DriveSnapshot,
    round_: RoundSnapshot,
    player_number: int,
    format_name: NameFormatter,
    hands_by_round: Mapping[int, tuple[HandOnCard, ...]],
) -> RoundOnCard | None:
    table_and_seat = round_.find_seat(player_number)
    is_current = round_.number == snapshot.drive.at_round and not snapshot.drive.is_closed
    trumps = round_.stored_round.trumps
    if table_and_seat is None:
        if player_number not in round_.resting_players:
            return None
        return RoundOnCard(round_.number, trumps, is_current, None, None, None, (), None)
    table_number, seat_number = table_and_seat
    table_seats = round_.seats_by_table[table_number]
    score, extra_points = round_.compute_table_score(table_number)
    seat_index = seat_number - 1
    points = None
    if score:
        complete_extras = extra_points or (0,) * len(score)
        points = Fraction(
            score[seat_index % len(score)] + complete_extras[seat_index % len(score)]
        )
    return RoundOnCard(
        round_.number,
        trumps,
        is_current,
        table_number,
        seat_number,
        build_person(snapshot, table_seats[(seat_index + 2) % 4], format_name),
        (
            build_person(snapshot, table_seats[(seat_index + 1) % 4], format_name),
            build_person(snapshot, table_seats[(seat_index + 3) % 4], format_name),
        ),
        points,
        hands_by_round.get(round_.number, ()),
    )


def compute_page_version(player: DrivePlayer) -> str:
    """Return a text that changes whenever a player's own page may change.

    Hundreds of phones poll it, so it only needs a few short queries about this player.
    """
    drive = player.drive
    seats = Seat.objects.filter(player=player)
    sheet_versions = SheetVersion.objects.filter(
        sheet__round__seats__player=player, sheet__table=F("sheet__round__seats__table")
    )
    card_versions = CardVersion.objects.filter(card__player=player)
    newest_ids = [
        queryset.aggregate(newest=Max("pk"))["newest"] or 0
        for queryset in (seats, sheet_versions, card_versions)
    ]
    version_parts = [drive.state, drive.at_round, seats.count(), *newest_ids]
    if _is_affected_by_other_tables(drive, seats):
        version_parts.append(drive.revision)
    return ".".join(map(str, version_parts))


def _is_affected_by_other_tables(drive: Drive, seats: QuerySet[Seat]) -> bool:
    """Return whether scores of other tables affect the page: its rank or points for rests."""
    if drive.is_closed or drive.standings_shown != Drive.StandingsVisibility.AFTER:
        return True
    return seats.filter(table=None, round__number__lte=drive.at_round).exists()
