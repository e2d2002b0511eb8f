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
    assign_places,
    form_pairs,
    must_change_seat,
)
from clubs.models import BookedPerson, CheckIn, Evening
from clubs.names.tidy import build_name_key
from tournaments.models import Entry, Event, Session
from tournaments.movements import (
    Movement,
    UnplayableMovement,
    build_named_movement,
    compute_balance,
)

Contest = Event.Contest
ENTRY_SIZES = {Contest.PAIRS: 2, Contest.MEMORY: 2, Contest.INDIVIDUAL: 1}
"""The number of people in an entry, for the contests with check-in."""


@dataclass(frozen=True, slots=True)
class CheckInUnit:
    """A future entry: the names, the people who have checked in, and where they sit.

    `entry` is the entry that was typed before the start, if any.
    """

    names: tuple[str, ...]
    check_ins: tuple[CheckIn, ...] = ()
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
        table_numbers = [
            check_in_unit.wanted_place.table_number
            for check_in_unit in self.units
            if check_in_unit.wanted_place is not None
        ]
        return sum(
            table_numbers.count(table_number) == 1 for table_number in set(table_numbers)
        )


def load_check_in_units(session: Session) -> CheckInUnits:
    """Return the future entries of a session with check-in, in five queries.

    Entries that the director typed are returned even if their people have not checked in. All
    other people who have checked in form new entries: pairs, or individuals.
    """
    check_contest(session.event)
    check_ins = list(session.evening.check_ins.select_related("player"))
    entries = list(session.event.entries.prefetch_related("memberships__player"))
    entry_units, problems = _match_entries(check_ins, entries)
    matched_check_in_pks = {
        check_in.pk for check_in_unit in entry_units for check_in in check_in_unit.check_ins
    }
    remaining_check_ins = [
        check_in for check_in in check_ins if check_in.pk not in matched_check_in_pks
    ]
    version = _compute_version(check_ins, entries)
    if ENTRY_SIZES[Contest(session.event.contest)] == 1:
        single_units = [_build_single_unit(check_in) for check_in in remaining_check_ins]
        units = [
            replace(check_in_unit, wanted_place=_find_own_seat(check_in_unit))
            for check_in_unit in entry_units
        ] + single_units
        return CheckInUnits(_sort_units(units), (), tuple(problems), version)
    formed_pairs = form_pairs(_list_present_people(session.evening, remaining_check_ins))
    check_ins_by_pk = {check_in.pk: check_in for check_in in remaining_check_ins}
    unit_by_formed_pair = {
        pair: _build_pair_unit(pair, check_ins_by_pk) for pair in formed_pairs.pairs
    }
    if formed_pairs.unpaired_person_key is not None:
        message = _("%(name)s has no partner. Add a partner or remove the name.")
        problems.append(
            message % {"name": check_ins_by_pk[formed_pairs.unpaired_person_key].name}
        )
    new_pairs = tuple(unit_by_formed_pair[pair] for pair in formed_pairs.newly_matched_pairs)
    return CheckInUnits(
        _sort_units([*entry_units, *unit_by_formed_pair.values()]),
        new_pairs,
        tuple(problems),
        version,
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
            key=lambda check_in_unit: (
                check_in_unit.wanted_place is None,
                check_in_unit.wanted_place or TablePosition(0, ""),
                check_in_unit.entry.number if check_in_unit.entry else 0,
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
        sorted_check_ins = tuple(
            sorted(
                matching_check_ins,
                key=lambda check_in: (check_in.chair is None, check_in.chair or (0, 0)),
            )
        )
        chair = sorted_check_ins[0].chair if sorted_check_ins else None
        wanted_place = (
            TablePosition(chair.table_number, SIDE_BY_SEAT[chair.seat_number])
            if chair
            else None
        )
        player_names = tuple(player.name for player in players)
        units.append(CheckInUnit(player_names, sorted_check_ins, wanted_place, entry))
        problems += _iter_seat_conflicts(
            entry, sorted_check_ins, check_ins_by_chair, len(player_names)
        )
    return units, problems


def _iter_seat_conflicts(
    entry: Entry,
    entry_check_ins: Sequence[CheckIn],
    check_ins_by_chair: Mapping[Chair, CheckIn],
    names_per_entry: int,
) -> Iterator[str]:
    """Yield a problem for each person of an entry who sits opposite someone else."""
    for check_in in entry_check_ins if names_per_entry > 1 else ():
        partner_check_in = (
            check_ins_by_chair.get(check_in.chair.opposite)
            if check_in.chair is not None
            else None
        )
        if partner_check_in is not None and partner_check_in not in entry_check_ins:
            yield _("%(name)s sits opposite %(other)s, but is in pair %(number)s.") % {
                "name": check_in.name,
                "other": partner_check_in.name,
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
    key_pairs = [
        booking_keys for booking_keys in keys_by_booking.values() if len(booking_keys) == 2
    ]
    partner_keys_by_key = {
        person_key: partner_key
        for booking_keys in key_pairs
        for person_key, partner_key in (booking_keys, booking_keys[::-1])
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
    pair_check_ins = tuple(
        check_ins_by_pk[check_in_pk] for check_in_pk in formed_pair.person_keys
    )
    return CheckInUnit(
        tuple(_get_name(check_in) for check_in in pair_check_ins),
        pair_check_ins,
        formed_pair.place,
    )


def _build_single_unit(check_in: CheckIn) -> CheckInUnit:
    return CheckInUnit(
        (_get_name(check_in),), (check_in,), _find_own_seat(CheckInUnit((), (check_in,)))
    )


def _find_own_seat(check_in_unit: CheckInUnit) -> TablePosition | None:
    chair = check_in_unit.check_ins[0].chair if check_in_unit.check_ins else None
    return (
        TablePosition(chair.table_number, str(chair.seat_number)) if chair is not None else None
    )


def _get_name(check_in: CheckIn) -> str:
    return check_in.player.name if check_in.player else check_in.name


def _compute_version(check_ins: Sequence[CheckIn], entries: Sequence[Entry]) -> str:
    check_in_rows = sorted(
        (check_in.pk, check_in.table, check_in.seat, check_in.name) for check_in in check_ins
    )
    entry_names = sorted((entry.pk, entry.name) for entry in entries)
    return hashlib.sha256(repr((check_in_rows, entry_names)).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class FirstRoundPlan:
    """A movement with the unit at each place, such that few people change seats in round 1."""

    movement: Movement
    units_by_place: Mapping[int, CheckInUnit]  # by place number

    @property
    def moving_people(self) -> tuple[tuple[CheckIn, TablePosition | None], ...]:
        """The people who have to leave their chair, with the place to which they move."""
        places_by_number = map_first_places(self.movement)
        used_places = [place for place in places_by_number.values() if place is not None]
        return tuple(
            (person, places_by_number[place_number])
            for place_number, check_in_unit in self.units_by_place.items()
            for person in check_in_unit.check_ins
            if must_change_seat(person.chair, places_by_number[place_number], used_places)
        )


def map_first_places(movement: Movement) -> dict[int, TablePosition | None]:
    """Return the table and side of each occupied place in round 1, or None for a sit-out."""
    places_by_number: dict[int, TablePosition | None] = dict.fromkeys(movement.occupied_places)
    for meeting in movement.meetings:
        if meeting.round != 1:
            continue
        seats = (meeting.north, meeting.east, meeting.south, meeting.west)
        is_pairs_meeting = len(set(seats)) == 2
        for seat_number, place_number in enumerate(seats, start=1):
            if place_number in places_by_number:
                places_by_number[place_number] = TablePosition(
                    meeting.table,
                    SIDE_BY_SEAT[seat_number] if is_pairs_meeting else str(seat_number),
                )
    return places_by_number


def build_first_round_plan(
    check_in_units: CheckInUnits, system_name: str, options: Mapping[str, object]
) -> FirstRoundPlan:
    """Build a movement and assign its places so that the fewest people change seats.

    If the movement leaves one place empty, other empty places are tried too, because people may
    already sit at the first one. Raises UnplayableMovement if the movement cannot be built, and
    CheckInRefused if the number of units has changed.
    """
    best_plan: FirstRoundPlan | None = None
    for movement in _iter_movements(check_in_units, system_name, options):
        first_round_plan = _assign_units(check_in_units.units, movement)
        if best_plan is None or len(first_round_plan.moving_people) < len(
            best_plan.moving_people
        ):
            best_plan = first_round_plan
        if not best_plan.moving_people:
            break
    assert best_plan is not None
    return best_plan


def _iter_movements(
    check_in_units: CheckInUnits, system_name: str, options: Mapping[str, object]
) -> Iterator[Movement]:
    movement = build_named_movement(system_name, **options)  # type: ignore[arg-type]  # as stored
    yield movement
    if len(movement.absent_places) != 1:
        return
    wanted_places = {check_in_unit.wanted_place for check_in_unit in check_in_units.units}
    full_movement = replace(movement, absent_places=frozenset())
    remaining_options: dict[str, Any] = {
        option_name: option_value
        for option_name, option_value in options.items()
        if option_name not in ("pairs", "absent")
    }
    for place_number, place in map_first_places(full_movement).items():
        if place in wanted_places or place_number in movement.absent_places:
            continue
        absent_labels = [movement.labels[place_number - 1]]
        try:
            varied_options: dict[str, Any] = {
                "tables": movement.table_count,
                "absent": absent_labels,
            }
            yield build_named_movement(system_name, **(remaining_options | varied_options))
        except UnplayableMovement:
            continue


def _assign_units(units: Sequence[CheckInUnit], movement: Movement) -> FirstRoundPlan:
    places_by_number = map_first_places(movement)
    if len(places_by_number) != len(units):
        raise CheckInRefused(_("The list has changed. Check it again."))
    stationary_unit_indexes = [
        unit_index
        for unit_index, check_in_unit in enumerate(units)
        if check_in_unit.entry and check_in_unit.entry.stays_seated
    ]
    stationary_numbers = (
        set(compute_balance(movement).stationary_places) if stationary_unit_indexes else set()
    )
    stationary_places = {
        place
        for place_number, place in places_by_number.items()
        if place_number in stationary_numbers
    }
    try:
        places_by_unit_index = assign_places(
            {
                unit_index: check_in_unit.wanted_place
                for unit_index, check_in_unit in enumerate(units)
            },
            list(places_by_number.values()),
            dict.fromkeys(stationary_unit_indexes, stationary_places),
        )
    except ValueError as error:
        raise CheckInRefused(
            _("Too few stationary places. Choose another movement.")
        ) from error
    numbers_by_place: dict[TablePosition | None, list[int]] = {}
    for place_number, place in places_by_number.items():
        numbers_by_place.setdefault(place, []).append(place_number)
    return FirstRoundPlan(
        movement,
        {
            numbers_by_place[place].pop(0): units[unit_index]
            for unit_index, place in places_by_unit_index.items()
        },
    )
