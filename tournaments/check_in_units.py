"""The entries that people form at check-in, and the places of these entries in round 1.

Places are assigned so that as few people as possible change seats.
"""

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
    PresentPerson,
    TablePosition,
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
    """A future entry: the names, the people who have checked in, and where they sit.

    `entry` is the entry that was typed before the start, if any.
    """

    names: tuple[str, ...]
    people: tuple[CheckIn, ...] = ()
    wanted_place: TablePosition | None = None
    entry: Entry | None = None

    @property
    def name(self) -> str:
        """The names of the entry, joined for the director's page."""
        return " & ".join(self.names)


@dataclass(frozen=True, slots=True)
class CheckInUnits:
    """The future entries, sorted by table, and the problems that the director must solve."""

    units: tuple[CheckInUnit, ...]
    # pairs of people who neither sit opposite each other nor booked together
    new_pairs: tuple[CheckInUnit, ...] = ()
    problems: tuple[str, ...] = ()
    version: str = ""  # a hash of all check-ins and entries

    @property
    def half_table_count(self) -> int:
        """The number of tables with one pair."""
        tables = [
            unit.wanted_place.table for unit in self.units if unit.wanted_place is not None
        ]
        return sum(tables.count(table) == 1 for table in set(tables))


def load_check_in_units(session: Session) -> CheckInUnits:
    """Return the future entries of a session with check-in, in five queries.

    Entries that the director typed are returned even if their people have not checked in. All
    other people who have checked in form new entries: pairs, or individuals.
    """
    check_contest(session.event)
    check_ins = list(session.evening.check_ins.select_related("player"))
    entries = list(session.event.entries.prefetch_related("memberships__player"))
    entered_units, problems = _match_entries(check_ins, entries)
    entered_pks = {check_in.pk for unit in entered_units for check_in in unit.people}
    remaining_check_ins = [check_in for check_in in check_ins if check_in.pk not in entered_pks]
    version = _compute_version(check_ins, entries)
    if ENTRY_SIZES[Contest(session.event.contest)] == 1:
        single_units = [_build_single_unit(check_in) for check_in in remaining_check_ins]
        units = [
            replace(unit, wanted_place=_find_own_seat(unit)) for unit in entered_units
        ] + single_units
        return CheckInUnits(_sort_units(units), (), tuple(problems), version)
    formed_pairs = form_pairs(_list_present_people(session.evening, remaining_check_ins))
    check_ins_by_pk = {check_in.pk: check_in for check_in in remaining_check_ins}
    pairs = {pair: _build_pair_unit(pair, check_ins_by_pk) for pair in formed_pairs.pairs}
    if formed_pairs.unpaired_person_key is not None:
        message = _("%(name)s has no partner. Add a partner or remove the name.")
        problems.append(
            message % {"name": check_ins_by_pk[formed_pairs.unpaired_person_key].name}
        )
    new_pairs = tuple(pairs[pair] for pair in formed_pairs.introduced_pairs)
    return CheckInUnits(
        _sort_units([*entered_units, *pairs.values()]), new_pairs, tuple(problems), version
    )


def check_contest(event: Event) -> None:
    """Raise CheckInRefused for a contest in which people do not check in at the tables."""
    if event.contest not in ENTRY_SIZES:
        raise CheckInRefused(_("Check-in is for pairs and individuals, not for teams."))


def _sort_units(units: Iterable[CheckInUnit]) -> tuple[CheckInUnit, ...]:
    """Sort units by place; units without a place come last, in order of entry number."""
    return tuple(
        sorted(
            units,
            key=lambda unit: (
                unit.wanted_place is None,
                unit.wanted_place or TablePosition(0, ""),
                unit.entry.number if unit.entry else 0,
            ),
        )
    )


def _match_entries(
    check_ins: Sequence[CheckIn], entries: Sequence[Entry]
) -> tuple[list[CheckInUnit], list[str]]:
    """Return a unit for each typed entry, and the messages of `_iter_seat_conflicts`."""
    check_ins_by_name = {build_name_key(check_in.name): check_in for check_in in check_ins}
    check_ins_by_player = {
        check_in.player_id: check_in for check_in in check_ins if check_in.player_id
    }
    check_ins_by_chair = {
        check_in.chair: check_in for check_in in check_ins if check_in.chair is not None
    }
    units: list[CheckInUnit] = []
    problems: list[str] = []
    for entry in entries:
        players = [membership.player for membership in entry.memberships.all()]
        matching_check_ins = [
            check_in
            for player in players
            if (
                check_in := check_ins_by_player.get(player.pk)
                or check_ins_by_name.get(build_name_key(player.name))
            )
        ]
        people = tuple(
            sorted(
                matching_check_ins,
                key=lambda check_in: (check_in.chair is None, check_in.chair or (0, 0)),
            )
        )
        chair = people[0].chair if people else None
        wanted_place = TablePosition(chair.table, SIDE_BY_SEAT[chair.seat]) if chair else None
        names = tuple(player.name for player in players)
        units.append(CheckInUnit(names, people, wanted_place, entry))
        problems += _iter_seat_conflicts(entry, people, check_ins_by_chair, len(names))
    return units, problems


def _iter_seat_conflicts(
    entry: Entry,
    people: Sequence[CheckIn],
    check_ins_by_chair: Mapping[Chair, CheckIn],
    name_count: int,
) -> Iterator[str]:
    """Yield a problem for each person of an entry who sits opposite someone else."""
    for check_in in people if name_count > 1 else ():
        partner = (
            check_ins_by_chair.get(check_in.chair.opposite)
            if check_in.chair is not None
            else None
        )
        if partner is not None and partner not in people:
            yield _("%(name)s sits opposite %(other)s, but is in pair %(number)s.") % {
                "name": check_in.name,
                "other": partner.name,
                "number": entry.number,
            }


def _list_present_people(evening: Evening, check_ins: Sequence[CheckIn]) -> list[PresentPerson]:
    """Return the people who checked in, each with the partner with whom they booked."""
    booked_people = BookedPerson.objects.filter(fixture__evening=evening).select_related(
        "player"
    )
    keys_by_booking: dict[int, list[str]] = {}
    for person in booked_people:
        keys_by_booking.setdefault(person.booking_id, []).append(person.key)
    key_pairs = [keys for keys in keys_by_booking.values() if len(keys) == 2]
    partner_keys_by_key = {
        key: partner_key for keys in key_pairs for key, partner_key in (keys, keys[::-1])
    }
    pks_by_key = {check_in.key: check_in.pk for check_in in check_ins}
    return [
        PresentPerson(
            check_in.pk,
            check_in.chair,
            pks_by_key.get(partner_keys_by_key.get(check_in.key, "")),
        )
        for check_in in check_ins
    ]


def _build_pair_unit(
    formed_pair: FormedPair, check_ins_by_pk: Mapping[int, CheckIn]
) -> CheckInUnit:
    people = tuple(check_ins_by_pk[key] for key in formed_pair.people)
    return CheckInUnit(
        tuple(_get_name(check_in) for check_in in people), people, formed_pair.place
    )


def _build_single_unit(check_in: CheckIn) -> CheckInUnit:
    return CheckInUnit(
        (_get_name(check_in),), (check_in,), _find_own_seat(CheckInUnit((), (check_in,)))
    )


def _find_own_seat(unit: CheckInUnit) -> TablePosition | None:
    chair = unit.people[0].chair if unit.people else None
    return TablePosition(chair.table, str(chair.seat)) if chair is not None else None


def _get_name(check_in: CheckIn) -> str:
    return check_in.player.name if check_in.player else check_in.name


def _compute_version(check_ins: Sequence[CheckIn], entries: Sequence[Entry]) -> str:
    people = sorted(
        (check_in.pk, check_in.table, check_in.seat, check_in.name) for check_in in check_ins
    )
    entry_names = sorted((entry.pk, entry.name) for entry in entries)
    return hashlib.sha256(repr((people, entry_names)).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class FirstRound:
    """A movement with the unit at each place, such that few people change seats in round 1."""

    movement: Movement
    units: Mapping[int, CheckInUnit]  # by place number

    @property
    def moving_people(self) -> tuple[tuple[CheckIn, TablePosition | None], ...]:
        """The people who have to leave their chair, with the place to which they move."""
        first_places = map_first_places(self.movement)
        used_places = [place for place in first_places.values() if place is not None]
        return tuple(
            (person, first_places[place_number])
            for place_number, unit in self.units.items()
            for person in unit.people
            if must_move(person.chair, first_places[place_number], used_places)
        )


def map_first_places(movement: Movement) -> dict[int, TablePosition | None]:
    """Return the table and side of each occupied place in round 1, or None for a sit-out."""
    places_by_number: dict[int, TablePosition | None] = dict.fromkeys(movement.occupied_places)
    for meeting in movement.meetings:
        if meeting.round != 1:
            continue
        seats = (meeting.north, meeting.east, meeting.south, meeting.west)
        is_pairs_meeting = len(set(seats)) == 2
        for seat, place in enumerate(seats, start=1):
            if place in places_by_number:
                places_by_number[place] = TablePosition(
                    meeting.table, SIDE_BY_SEAT[seat] if is_pairs_meeting else str(seat)
                )
    return places_by_number


def build_first_round(
    units: CheckInUnits, name: str, options: Mapping[str, object]
) -> FirstRound:
    """Build a movement and assign its places so that the fewest people change seats.

    If the movement leaves one place empty, other empty places are tried too, because people may
    already sit at the first one. Raises UnplayableMovement if the movement cannot be built, and
    CheckInRefused if the number of units has changed.
    """
    best_round: FirstRound | None = None
    for movement in _iter_movements(units, name, options):
        first_round = _assign_units(units.units, movement)
        if best_round is None or len(first_round.moving_people) < len(best_round.moving_people):
            best_round = first_round
        if not best_round.moving_people:
            break
    assert best_round is not None
    return best_round


def _iter_movements(
    units: CheckInUnits, name: str, options: Mapping[str, object]
) -> Iterator[Movement]:
    movement = build(name, **options)  # type: ignore[arg-type]  # as stored
    yield movement
    if len(movement.absent_places) != 1:
        return
    wanted_places = {unit.wanted_place for unit in units.units}
    full_movement = replace(movement, absent_places=frozenset())
    remaining_options: dict[str, Any] = {
        key: value for key, value in options.items() if key not in ("pairs", "absent")
    }
    for place_number, place in map_first_places(full_movement).items():
        if place in wanted_places or place_number in movement.absent_places:
            continue
        absent_labels = [movement.labels[place_number - 1]]
        try:
            varied_options: dict[str, Any] = {
                "tables": movement.tables,
                "absent": absent_labels,
            }
            yield build(name, **(remaining_options | varied_options))
        except UnplayableMovement:
            continue


def _assign_units(units: Sequence[CheckInUnit], movement: Movement) -> FirstRound:
    places_by_number = map_first_places(movement)
    if len(places_by_number) != len(units):
        raise CheckInRefused(_("The list has changed. Check it again."))
    stationary_indexes = [
        index for index, unit in enumerate(units) if unit.entry and unit.entry.stays_seated
    ]
    stationary_numbers = (
        set(compute_balance(movement).stationary_places) if stationary_indexes else set()
    )
    stationary_places = {
        place
        for place_number, place in places_by_number.items()
        if place_number in stationary_numbers
    }
    try:
        places_by_unit_index = keep_places(
            {index: unit.wanted_place for index, unit in enumerate(units)},
            list(places_by_number.values()),
            dict.fromkeys(stationary_indexes, stationary_places),
        )
    except ValueError as error:
        raise CheckInRefused(
            _("Too few stationary places. Choose another movement.")
        ) from error
    numbers_by_place: dict[TablePosition | None, list[int]] = {}
    for place_number, place in places_by_number.items():
        numbers_by_place.setdefault(place, []).append(place_number)
    return FirstRound(
        movement,
        {
            numbers_by_place[place].pop(0): units[index]
            for index, place in places_by_unit_index.items()
        },
    )
