"""The current schedule of a section, built from its rows, and its snapshot as plain data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournaments.models import Place, Section, Sitting
from tournaments.movements import Contest, Meeting, Movement

GONE_OPTION = "gone"
"""The option of an imported or copied section that lists the places of withdrawn entries."""
GONE_FROM_OPTION = "gone_from"
"""The option with the first round that each withdrawn place missed, if it is known."""

Row = tuple[int, ...]
Person = tuple[int, int]  # a place and its entry
SeatedPlay = tuple[
    tuple[Person, ...], int
]  # the entries in the four seats, and the board group


@dataclass(frozen=True, slots=True)
class TableDifference:
    """A table in a round that differs between two snapshots.

    None if it is not seated in one.
    """

    round: int
    table: int
    before: Row | None  # north, east, south, west, board group
    after: Row | None


def load_movement(section: Section) -> Movement:
    """Return a section's current seating as a movement, in two queries."""
    return build_movement(section, section.places.order_by("number"), section.sittings.all())


def build_movement(
    section: Section, places: Iterable[Place], sittings: Iterable[Sitting], *, letter: str = ""
) -> Movement:
    """Build the movement of a section from its places, in the order of numbers, and its
    sittings.

    It allows replays and sharing, because real play may break rules that plans obey. `letter`
    is the section's letter, if texts about the movement need it.
    """
    places = list(places)
    numbers = {place.pk: place.number for place in places}
    return Movement(
        name=section.movement,
        title=section.movement,
        contest=Contest(section.session.event.contest),
        meetings=tuple(_build_meeting(row, numbers) for row in sittings),
        labels=tuple(place.label for place in places),
        absent=frozenset(place.number for place in places if place.entry_id is None),
        sharing=True,
        replays=True,
        letter=letter,
        copies=section.options.get("copies", 1),
        blocks=tuple(section.options.get("blocks", ())),
    )


def build_snapshot(section: Section) -> dict[str, Any]:
    """Return a section as plain data, from which it can be restored exactly."""
    places = list(section.places.order_by("number"))
    numbers = {place.pk: place.number for place in places}
    meetings = [
        _build_meeting(row, numbers) for row in section.sittings.order_by("round", "table")
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
            [e.round, e.table, e.north, e.east, e.south, e.west, e.board_group]
            for e in meetings
        ],
    }


def compare_tables(
    old_snapshot: dict[str, Any], new_snapshot: dict[str, Any]
) -> list[TableDifference]:
    """Compare two snapshots table by table."""
    old, new = map_rows_by_table(old_snapshot), map_rows_by_table(new_snapshot)
    return [
        TableDifference(*at, old.get(at), new.get(at))
        for at in sorted(old.keys() | new.keys())
        if old.get(at) != new.get(at)
    ]


def load_movement_in_play(section: Section) -> Movement:
    """Return the current movement, including which places have withdrawn; three queries."""
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
    first_missed = read_withdrawn_places(section.options)
    for labels, incident in changes.order_by("pk").values_list("after__gone", "what"):
        for place in (
            _find_reported_withdrawals(movement, incident) if labels is None else labels
        ):
            first_missed.setdefault(place, find_first_missed_round(incident))
    return first_missed


def read_withdrawn_places(options: Mapping[str, Any]) -> dict[int, int]:
    """Return the withdrawn places of an imported or copied section, from its options."""
    rounds = options.get(GONE_FROM_OPTION, {})
    return {place: rounds.get(str(place), 0) for place in options.get(GONE_OPTION, ())}


def build_withdrawn_options(withdrawn_places: Mapping[int, int]) -> dict[str, Any]:
    """Return the section options that store withdrawn places."""
    rounds = {
        str(place): missed for place, missed in sorted(withdrawn_places.items()) if missed
    }
    return {GONE_OPTION: sorted(withdrawn_places)} | (
        {GONE_FROM_OPTION: rounds} if rounds else {}
    )


def find_first_missed_round(incident: Mapping[str, Any]) -> int:
    """Return the first round missed because of a withdrawal, or 0 for any other incident."""
    return int(incident.get("round", 0)) if incident.get("kind") == "left" else 0


def _find_reported_withdrawals(movement: Movement, incident: dict[str, Any]) -> list[int]:
    """Return the withdrawn places according to the incident, as older changes stored nothing
    else.
    """
    entry = incident.get("who", {}) if incident.get("kind") == "left" else {}
    return [
        place
        for place, label in enumerate(movement.labels, start=1)
        if entry.get("place") == label
        or ("number" in entry and entry["number"] == movement.team(place))
    ]


@dataclass(frozen=True, slots=True)
class SeatDifference:
    """A table in a round whose players or boards differ between two snapshots.

    `before` or `after` is None if the table is not played.
    """

    round: int
    table: int
    before: SeatedPlay | None
    after: SeatedPlay | None

    @property
    def people_change(self) -> bool:
        """Whether an entry plays here that did not play here before."""
        before, after = (set(play[0]) if play else set() for play in (self.before, self.after))
        return before != after


def compare_seats(
    old_snapshot: dict[str, Any], new_snapshot: dict[str, Any]
) -> list[SeatDifference]:
    """Compare who plays which boards from which seat in two snapshots, table by table."""
    old, new = _map_plays(old_snapshot), _map_plays(new_snapshot)
    return [
        SeatDifference(*at, old.get(at), new.get(at))
        for at in sorted(old.keys() | new.keys())
        if old.get(at) != new.get(at)
    ]


def is_same_seating(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two snapshots have the same tables and the same entries at the places."""
    people = [{place[0]: place[3] for place in sitting["places"]} for sitting in (one, other)]
    return people[0] == people[1] and not compare_tables(one, other)


def _map_plays(snapshot: dict[str, Any]) -> dict[tuple[int, int], SeatedPlay]:
    """Return the people, seat by seat, and the board group at each table of each round."""
    entries = {place[0]: place[3] for place in snapshot["places"]}
    plays = {}
    for at, (*places, group) in map_rows_by_table(snapshot).items():
        if all(entries.get(place) for place in places):
            plays[at] = tuple((place, entries[place]) for place in places), group
    return plays


def map_rows_by_table(snapshot: dict[str, Any]) -> dict[tuple[int, int], Row]:
    """Return the rows of a snapshot by round and table."""
    return {(row[0], row[1]): tuple(row[2:]) for row in snapshot["sittings"]}


def _build_meeting(row: Sitting, numbers: dict[int, int]) -> Meeting:
    return Meeting(
        round=row.round,
        table=row.table,
        north=numbers[row.north_id],
        east=numbers[row.east_id],
        south=numbers[row.south_id],
        west=numbers[row.west_id],
        board_group=row.board_group,
    )
