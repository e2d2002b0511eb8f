"""The entries that people form at check-in, and the places of round 1 that keep their seats."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from clubs.errors import CheckInRefused
from clubs.evenings.first_seats import (
    SIDE_BY_SEAT,
    Chair,
    FormedPair,
    Place,
    PresentPerson,
    form_pairs,
    keep_places,
    must_move,
)
from clubs.models import BookedPerson, CheckIn, Evening
from clubs.names.tidy import build_name_key
from tournaments.models import Entry, Event, Session
from tournaments.movements import Movement, UnplayableMovement, build, compute_balance

Contest = Event.Contest
ENTRY_SIZES = {Contest.PAIRS: 2, Contest.MEMORY: 2, Contest.INDIVIDUAL: 1}
"""The number of people in an entry, for the contests with check-in."""


@dataclass(frozen=True, slots=True)
class CheckInUnit:
    """An entry to be: its names, the people who have checked in, and where they sit.

    `entry` is the entry that was typed before the start, if any.
    """

    names: tuple[str, ...]
    people: tuple[CheckIn, ...] = ()
    wanted: Place | None = None
    entry: Entry | None = None

    @property
    def name(self) -> str:
        """The names for the director."""
        return " & ".join(self.names)


@dataclass(frozen=True, slots=True)
class CheckInUnits:
    """The future entries by table, with everything that the director has to know before the
    start.
    """

    units: tuple[CheckInUnit, ...]
    introduced: tuple[CheckInUnit, ...] = ()  # pairs that neither sit nor booked together
    problems: tuple[str, ...] = ()
    version: str = ""  # changes with every change of the list

    @property
    def half_tables(self) -> int:
        """The number of tables with one pair."""
        tables = [unit.wanted.table for unit in self.units if unit.wanted is not None]
        return sum(tables.count(table) == 1 for table in set(tables))


def load_units(session: Session) -> CheckInUnits:
    """Return the entries that the people of a session's check-in form, in five queries.

    Typed entries count, whether or not their people have checked in.
    """
    check_contest(session.event)
    rows = list(session.evening.check_ins.select_related("player"))
    entries = list(session.event.entries.prefetch_related("memberships__player"))
    typed, problems = _match_entries(rows, entries)
    taken_keys = {row.pk for unit in typed for row in unit.people}
    remaining_rows = [row for row in rows if row.pk not in taken_keys]
    version = _compute_version(rows, entries)
    if ENTRY_SIZES[Contest(session.event.contest)] == 1:
        single = [_build_single(row) for row in remaining_rows]
        units = [replace(unit, wanted=_find_own_seat(unit)) for unit in typed] + single
        return CheckInUnits(_sort(units), (), tuple(problems), version)
    formed = form_pairs(_build_present(session.evening, remaining_rows))
    by_key = {row.pk: row for row in remaining_rows}
    pairs = {pair: _build_pair(pair, by_key) for pair in formed.pairs}
    if formed.without_partner is not None:
        words = _("%(name)s has no partner. Add a partner or remove the name.")
        problems.append(words % {"name": by_key[formed.without_partner].name})
    introduced = tuple(pairs[pair] for pair in formed.introduced)
    return CheckInUnits(_sort([*typed, *pairs.values()]), introduced, tuple(problems), version)


def check_contest(event: Event) -> None:
    """Raise CheckInRefused for a contest in which people do not check in at the tables."""
    if event.contest not in ENTRY_SIZES:
        raise CheckInRefused(_("Check-in is for pairs and individuals, not for teams."))


def _sort(units: Iterable[CheckInUnit]) -> tuple[CheckInUnit, ...]:
    """Sort units by place; those without one come last, typed entries by number."""
    return tuple(
        sorted(
            units,
            key=lambda unit: (
                unit.wanted is None,
                unit.wanted or Place(0, ""),
                unit.entry.number if unit.entry else 0,
            ),
        )
    )


def _match_entries(
    rows: Sequence[CheckIn], entries: Sequence[Entry]
) -> tuple[list[CheckInUnit], list[str]]:
    """Return a unit for each typed entry, and the problems of people who sit elsewhere."""
    by_name = {build_name_key(row.name): row for row in rows}
    by_player = {row.player_id: row for row in rows if row.player_id}
    by_chair = {row.chair: row for row in rows if row.chair is not None}
    units: list[CheckInUnit] = []
    problems: list[str] = []
    for entry in entries:
        players = [membership.player for membership in entry.memberships.all()]
        matching_rows = [
            row
            for player in players
            if (row := by_player.get(player.pk) or by_name.get(build_name_key(player.name)))
        ]
        people = tuple(
            sorted(matching_rows, key=lambda row: (row.chair is None, row.chair or (0, 0)))
        )
        chair = people[0].chair if people else None
        wanted_place = Place(chair.table, SIDE_BY_SEAT[chair.seat]) if chair else None
        names = tuple(player.name for player in players)
        units.append(CheckInUnit(names, people, wanted_place, entry))
        problems += _list_strangers(entry, people, by_chair, len(names))
    return units, problems


def _list_strangers(
    entry: Entry, people: Sequence[CheckIn], by_chair: Mapping[Chair, CheckIn], size: int
) -> Iterator[str]:
    """Yield a problem for each person of an entry who sits opposite someone else."""
    for row in people if size > 1 else ():
        partner = by_chair.get(row.chair.opposite) if row.chair is not None else None
        if partner is not None and partner not in people:
            yield _("%(name)s sits opposite %(other)s, but is in pair %(number)s.") % {
                "name": row.name,
                "other": partner.name,
                "number": entry.number,
            }


def _build_present(evening: Evening, rows: Sequence[CheckIn]) -> list[PresentPerson]:
    """Return the people with the partners with whom they booked."""
    booked = BookedPerson.objects.filter(fixture__evening=evening).select_related("player")
    bookings: dict[int, list[str]] = {}
    for person in booked:
        bookings.setdefault(person.booking_id, []).append(person.key)
    couples = [keys for keys in bookings.values() if len(keys) == 2]
    partners = {one: other for keys in couples for one, other in (keys, keys[::-1])}
    by_key = {row.key: row.pk for row in rows}
    return [
        PresentPerson(row.pk, row.chair, by_key.get(partners.get(row.key, ""))) for row in rows
    ]


def _build_pair(pair: FormedPair, rows: Mapping[int, CheckIn]) -> CheckInUnit:
    people = tuple(rows[key] for key in pair.people)
    return CheckInUnit(tuple(_get_name(row) for row in people), people, pair.place)


def _build_single(row: CheckIn) -> CheckInUnit:
    return CheckInUnit((_get_name(row),), (row,), _find_own_seat(CheckInUnit((), (row,))))


def _find_own_seat(unit: CheckInUnit) -> Place | None:
    chair = unit.people[0].chair if unit.people else None
    return Place(chair.table, str(chair.seat)) if chair is not None else None


def _get_name(row: CheckIn) -> str:
    return row.player.name if row.player else row.name


def _compute_version(rows: Sequence[CheckIn], entries: Sequence[Entry]) -> str:
    people = sorted((row.pk, row.table, row.seat, row.name) for row in rows)
    typed = sorted((entry.pk, entry.name) for entry in entries)
    return hashlib.sha256(repr((people, typed)).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class FirstRound:
    """A movement, and the units at its places so that the fewest people move in round 1."""

    movement: Movement
    units: Mapping[int, CheckInUnit]  # by place

    @property
    def moving_people(self) -> tuple[tuple[CheckIn, Place | None], ...]:
        """The people who have to leave their chair, with the place to which they move."""
        places = list_first_places(self.movement)
        used = [place for place in places.values() if place is not None]
        return tuple(
            (person, places[number])
            for number, unit in self.units.items()
            for person in unit.people
            if must_move(person.chair, places[number], used)
        )


def list_first_places(movement: Movement) -> dict[int, Place | None]:
    """Return where each occupied place of a movement sits in round 1; None is a sit-out."""
    places_by_number: dict[int, Place | None] = dict.fromkeys(movement.occupied_places)
    for meeting in movement.meetings:
        if meeting.round != 1:
            continue
        seats = (meeting.north, meeting.east, meeting.south, meeting.west)
        is_pairs = len(set(seats)) == 2
        for seat, place in enumerate(seats, start=1):
            if place in places_by_number:
                places_by_number[place] = Place(
                    meeting.table, SIDE_BY_SEAT[seat] if is_pairs else str(seat)
                )
    return places_by_number


def build_first_round(
    units: CheckInUnits, name: str, options: Mapping[str, object]
) -> FirstRound:
    """Build a movement and seat the units by it so that the fewest people move.

    A missing pair's place is where no one sits, if the movement can have it there. Raises
    UnplayableMovement or CheckInRefused.
    """
    best: FirstRound | None = None
    for movement in _iter_movements(units, name, options):
        first_round = _assign(units.units, movement)
        if best is None or len(first_round.moving_people) < len(best.moving_people):
            best = first_round
        if not best.moving_people:
            break
    assert best is not None
    return best


def _iter_movements(
    units: CheckInUnits, name: str, options: Mapping[str, object]
) -> Iterator[Movement]:
    movement = build(name, **options)  # type: ignore[arg-type]  # as stored
    yield movement
    if len(movement.absent) != 1:
        return
    wanted_places = {unit.wanted for unit in units.units}
    full_movement = replace(movement, absent=frozenset())
    remaining_options: dict[str, Any] = {
        key: value for key, value in options.items() if key not in ("pairs", "absent")
    }
    for number, place in list_first_places(full_movement).items():
        if place in wanted_places or number in movement.absent:
            continue
        absent = [movement.labels[number - 1]]
        try:
            sizes: dict[str, Any] = {"tables": movement.tables, "absent": absent}
            yield build(name, **(remaining_options | sizes))
        except UnplayableMovement:
            continue


def _assign(units: Sequence[CheckInUnit], movement: Movement) -> FirstRound:
    places = list_first_places(movement)
    if len(places) != len(units):
        raise CheckInRefused(_("The list has changed. Check it again."))
    wishing = [at for at, unit in enumerate(units) if unit.entry and unit.entry.stays_seated]
    stationary = set(compute_balance(movement).stationary) if wishing else set()
    homes = {place for number, place in places.items() if number in stationary}
    try:
        places_by_key = keep_places(
            {at: unit.wanted for at, unit in enumerate(units)},
            list(places.values()),
            dict.fromkeys(wishing, homes),
        )
    except ValueError as error:
        raise CheckInRefused(
            _("Too few stationary places. Choose another movement.")
        ) from error
    numbers: dict[Place | None, list[int]] = {}
    for number, place in places.items():
        numbers.setdefault(place, []).append(number)
    return FirstRound(
        movement, {numbers[place].pop(0): units[at] for at, place in places_by_key.items()}
    )
