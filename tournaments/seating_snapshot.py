"""The current schedule of a section, read from the database, and snapshots as plain data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournaments.models import Place, Section, Sitting
from tournaments.movements import Contest, Meeting, Movement

WITHDRAWN_PLACES_OPTION = "gone"
"""The option of an imported or copied section that lists the places of withdrawn entries."""
FIRST_MISSED_ROUNDS_OPTION = "gone_from"
"""The option with the first round that each withdrawn place missed, if it is known."""

TableSeats = tuple[int, ...]  # the places at N, E, S and W, and the board group
SeatedEntry = tuple[int, int]  # a place and its entry
# the people in the four seats, and the board group
SeatedPlay = tuple[tuple[SeatedEntry, ...], int]


@dataclass(frozen=True, slots=True)
class TableDifference:
    """A table in a round that differs between two snapshots.

    `old_seats` or `new_seats` is None if the table is not seated in that snapshot.
    """

    round_number: int
    table_number: int
    old_seats: TableSeats | None
    new_seats: TableSeats | None


def load_movement(section: Section) -> Movement:
    """Return a section's current seating as a movement, in two queries."""
    return build_movement(section, section.places.order_by("number"), section.sittings.all())


def build_movement(
    section: Section,
    places: Iterable[Place],
    sittings: Iterable[Sitting],
    *,
    section_letter: str = "",
) -> Movement:
    """Build a section's movement from its sittings and its places in order of number.

    The movement allows replays and sharing, because real play may break rules that plans obey.
    `section_letter` is given if texts about the movement need it.
    """
    places = list(places)
    numbers_by_place_pk = {place.pk: place.number for place in places}
    return Movement(
        name=section.movement,
        title=section.movement,
        contest=Contest(section.session.event.contest),
        meetings=tuple(_build_meeting(sitting, numbers_by_place_pk) for sitting in sittings),
        labels=tuple(place.label for place in places),
        absent_places=frozenset(place.number for place in places if place.entry_id is None),
        allows_sharing=True,
        allows_replays=True,
        letter=section_letter,
        copy_count=section.options.get("copies", 1),
        blocks=tuple(section.options.get("blocks", ())),
    )


def build_snapshot(section: Section) -> dict[str, Any]:
    """Return a section as plain data, from which it can be restored exactly."""
    places = list(section.places.order_by("number"))
    numbers_by_place_pk = {place.pk: place.number for place in places}
    meetings = [
        _build_meeting(sitting, numbers_by_place_pk)
        for sitting in section.sittings.order_by("round", "table")
    ]
    return {
        "letter": section.letter,
        "movement": section.movement,
        "options": section.options,
        "tables": section.tables,
        "rounds": section.rounds,
        "places": [
            [place.number, place.label, place.field, place.entry_id] for place in places
        ],
        "sittings": [
            [
                meeting.round,
                meeting.table,
                meeting.north,
                meeting.east,
                meeting.south,
                meeting.west,
                meeting.board_group,
            ]
            for meeting in meetings
        ],
    }


def compare_tables(
    old_snapshot: dict[str, Any], new_snapshot: dict[str, Any]
) -> list[TableDifference]:
    """Return the tables of each round that differ between two snapshots."""
    old_seats_by_table, new_seats_by_table = (
        map_rows_by_table(old_snapshot),
        map_rows_by_table(new_snapshot),
    )
    return [
        TableDifference(
            *round_and_table,
            old_seats_by_table.get(round_and_table),
            new_seats_by_table.get(round_and_table),
        )
        for round_and_table in sorted(old_seats_by_table.keys() | new_seats_by_table.keys())
        if old_seats_by_table.get(round_and_table) != new_seats_by_table.get(round_and_table)
    ]


def load_movement_with_withdrawals(section: Section) -> Movement:
    """Return the current movement, including the withdrawn places, in three queries."""
    movement = load_movement(section)
    return replace(
        movement, withdrawn_places=frozenset(load_withdrawn_places(section, movement))
    )


def load_withdrawn_places(section: Section, movement: Movement) -> dict[int, int]:
    """Return the withdrawn places with the first round that each missed, or 0 if unknown."""
    session = section.session
    changes = session.changes.filter(undone_at=None, before__letter=section.letter)
    if session.opened_at is not None:
        changes = changes.filter(at__gte=session.opened_at)
    first_missed_round_by_place = read_withdrawn_places(section.options)
    for withdrawn_places, incident in changes.order_by("pk").values_list("after__gone", "what"):
        for place in (
            _find_reported_withdrawals(movement, incident)
            if withdrawn_places is None
            else withdrawn_places
        ):
            first_missed_round_by_place.setdefault(place, find_first_missed_round(incident))
    return first_missed_round_by_place


def read_withdrawn_places(options: Mapping[str, Any]) -> dict[int, int]:
    """Return the withdrawn places of an imported or copied section, from its options."""
    first_missed_rounds_by_place = options.get(FIRST_MISSED_ROUNDS_OPTION, {})
    return {
        place: first_missed_rounds_by_place.get(str(place), 0)
        for place in options.get(WITHDRAWN_PLACES_OPTION, ())
    }


def build_withdrawal_options(first_missed_round_by_place: Mapping[int, int]) -> dict[str, Any]:
    """Return the section options that store withdrawn places."""
    first_missed_rounds_by_place = {
        str(place): missed_round
        for place, missed_round in sorted(first_missed_round_by_place.items())
        if missed_round
    }
    return {WITHDRAWN_PLACES_OPTION: sorted(first_missed_round_by_place)} | (
        {FIRST_MISSED_ROUNDS_OPTION: first_missed_rounds_by_place}
        if first_missed_rounds_by_place
        else {}
    )


def find_first_missed_round(incident: Mapping[str, Any]) -> int:
    """Return the first round missed because of a withdrawal, or 0 for any other incident."""
    return int(incident.get("round", 0)) if incident.get("kind") == "left" else 0


def _find_reported_withdrawals(movement: Movement, incident: dict[str, Any]) -> list[int]:
    """Return the places of the entry that withdrew in an incident; empty for other incidents.

    It is needed for older changes, which did not store the withdrawn places.
    """
    reported_entry = incident.get("who", {}) if incident.get("kind") == "left" else {}
    return [
        place
        for place, label in enumerate(movement.labels, start=1)
        if reported_entry.get("place") == label
        or (
            "number" in reported_entry
            and reported_entry["number"] == movement.get_team_number(place)
        )
    ]


@dataclass(frozen=True, slots=True)
class SeatDifference:
    """A table in a round whose players or boards differ between two snapshots.

    `old_play` or `new_play` is None if the table is not played.
    """

    round_number: int
    table_number: int
    old_play: SeatedPlay | None
    new_play: SeatedPlay | None

    @property
    def has_different_people(self) -> bool:
        """Whether an entry plays here that did not play here before."""
        entries_before, entries_after = (
            set(play[0]) if play else set() for play in (self.old_play, self.new_play)
        )
        return entries_before != entries_after


def compare_seats(
    old_snapshot: dict[str, Any], new_snapshot: dict[str, Any]
) -> list[SeatDifference]:
    """Compare who plays which boards from which seat in two snapshots, table by table."""
    old_play_by_table, new_play_by_table = _map_plays(old_snapshot), _map_plays(new_snapshot)
    return [
        SeatDifference(
            *round_and_table,
            old_play_by_table.get(round_and_table),
            new_play_by_table.get(round_and_table),
        )
        for round_and_table in sorted(old_play_by_table.keys() | new_play_by_table.keys())
        if old_play_by_table.get(round_and_table) != new_play_by_table.get(round_and_table)
    ]


def is_same_seating(snapshot: dict[str, Any], other_snapshot: dict[str, Any]) -> bool:
    """Return whether two snapshots have the same tables and the same entries at the places."""
    entries_by_place, other_entries_by_place = (
        {place_row[0]: place_row[3] for place_row in section_snapshot["places"]}
        for section_snapshot in (snapshot, other_snapshot)
    )
    return entries_by_place == other_entries_by_place and not compare_tables(
        snapshot, other_snapshot
    )


def _map_plays(snapshot: dict[str, Any]) -> dict[tuple[int, int], SeatedPlay]:
    """Return the people, seat by seat, and the board group at each table of each round."""
    entries_by_place = {place[0]: place[3] for place in snapshot["places"]}
    plays_by_table = {}
    for round_and_table, (*places, board_group) in map_rows_by_table(snapshot).items():
        if all(entries_by_place.get(place) for place in places):
            plays_by_table[round_and_table] = (
                tuple((place, entries_by_place[place]) for place in places),
                board_group,
            )
    return plays_by_table


def map_rows_by_table(snapshot: dict[str, Any]) -> dict[tuple[int, int], TableSeats]:
    """Return the places and the board group of each table, by round and table number."""
    return {(row[0], row[1]): tuple(row[2:]) for row in snapshot["sittings"]}


def _build_meeting(sitting: Sitting, numbers_by_place_pk: dict[int, int]) -> Meeting:
    return Meeting(
        round=sitting.round,
        table=sitting.table,
        north=numbers_by_place_pk[sitting.north_id],
        east=numbers_by_place_pk[sitting.east_id],
        south=numbers_by_place_pk[sitting.south_id],
        west=numbers_by_place_pk[sitting.west_id],
        board_group=sitting.board_group,
    )
