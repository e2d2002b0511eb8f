"""The current schedule of a section: its rows as a movement, and as plain data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournaments.models import Place, Section, Sitting
from tournaments.movements import Contest, Meeting, Movement

GONE = "gone"
"""The option of an imported or copied section with the places of withdrawn entries."""
GONE_FROM = "gone_from"
"""The option with the first round that they missed, by place, as far as it is known."""

Row = tuple[int, ...]
Person = tuple[int, int]  # a place, and the entry that has it
Play = tuple[tuple[Person, ...], int]  # the persons in the four seats, and the board group


@dataclass(frozen=True, slots=True)
class Differing:
    """A table in a round that differs before and after; None where it is not seated."""

    round: int
    table: int
    before: Row | None  # north, east, south, west, board group
    after: Row | None


def held_movement(section: Section) -> Movement:
    """Return a section's current seating as a movement, in two queries."""
    return movement_of(section, section.places.order_by("number"), section.sittings.all())


def movement_of(
    section: Section, places: Iterable[Place], sittings: Iterable[Sitting], *, letter: str = ""
) -> Movement:
    """Make the movement of a section from its places, by number, and its sittings.

    It allows replays and sharing: what happened may break rules that a plan obeys. `letter` is
    the section's where texts about the movement name it.
    """
    places = list(places)
    numbers = {place.pk: place.number for place in places}
    return Movement(
        name=section.movement,
        title=section.movement,
        contest=Contest(section.session.event.contest),
        meetings=tuple(_meeting(row, numbers) for row in sittings),
        labels=tuple(place.label for place in places),
        absent=frozenset(place.number for place in places if place.entry_id is None),
        sharing=True,
        replays=True,
        letter=letter,
        copies=section.options.get("copies", 1),
        blocks=tuple(section.options.get("blocks", ())),
    )


def snapshot(section: Section) -> dict[str, Any]:
    """Return a section as plain data, from which it can be restored exactly."""
    places = list(section.places.order_by("number"))
    numbers = {place.pk: place.number for place in places}
    meetings = [_meeting(row, numbers) for row in section.sittings.order_by("round", "table")]
    return {
        "letter": section.letter,
        "movement": section.movement,
        "options": section.options,
        "tables": section.tables,
        "rounds": section.rounds,
        "places": [[each.number, each.label, each.field, each.entry_id] for each in places],
        "sittings": [
            [e.round, e.table, e.north, e.east, e.south, e.west, e.board_group]
            for e in meetings
        ],
    }


def differing(before: dict[str, Any], after: dict[str, Any]) -> list[Differing]:
    """Compare two snapshots table by table."""
    old, new = rows_by_table(before), rows_by_table(after)
    return [
        Differing(*at, old.get(at), new.get(at))
        for at in sorted(old.keys() | new.keys())
        if old.get(at) != new.get(at)
    ]


def movement_in_play(section: Section) -> Movement:
    """Return the current movement with the places withdrawn in play, in three queries."""
    movement = held_movement(section)
    return replace(movement, gone=frozenset(gone_from(section, movement)))


def gone_from(section: Section, movement: Movement) -> dict[int, int]:
    """Return the withdrawn places and the first round that each missed; 0 if unknown."""
    session = section.session
    changes = session.changes.filter(undone_at=None, before__letter=section.letter)
    if session.opened_at is not None:
        changes = changes.filter(at__gte=session.opened_at)
    found = gone_by_options(section.options)
    for kept, what in changes.order_by("pk").values_list("after__gone", "what"):
        for place in _told_gone(movement, what) if kept is None else kept:
            found.setdefault(place, first_missed(what))
    return found


def gone_by_options(options: Mapping[str, Any]) -> dict[int, int]:
    """Return the same for an imported or copied section, from its options."""
    rounds = options.get(GONE_FROM, {})
    return {place: rounds.get(str(place), 0) for place in options.get(GONE, ())}


def gone_as_options(gone: Mapping[int, int]) -> dict[str, Any]:
    """Return withdrawn places as options of a section."""
    rounds = {str(place): missed for place, missed in sorted(gone.items()) if missed}
    return {GONE: sorted(gone)} | ({GONE_FROM: rounds} if rounds else {})


def first_missed(what: Mapping[str, Any]) -> int:
    """Return the first round missed because of a withdrawal; 0 for any other change."""
    return int(what.get("round", 0)) if what.get("kind") == "left" else 0


def _told_gone(movement: Movement, what: dict[str, Any]) -> list[int]:
    """Return the withdrawn places by the entered incident: older changes store no more."""
    who = what.get("who", {}) if what.get("kind") == "left" else {}
    return [
        place
        for place, label in enumerate(movement.labels, start=1)
        if who.get("place") == label
        or ("number" in who and who["number"] == movement.team(place))
    ]


@dataclass(frozen=True, slots=True)
class Reseated:
    """A table in a round whose boards are played by others, from other seats, or not at all.

    None where it is not played: those who sit there have no result.
    """

    round: int
    table: int
    before: Play | None
    after: Play | None

    @property
    def people_change(self) -> bool:
        """Whether an entry plays here that did not before, in whatever seat."""
        before, after = (set(play[0]) if play else set() for play in (self.before, self.after))
        return before != after


def reseated(before: dict[str, Any], after: dict[str, Any]) -> list[Reseated]:
    """Compare two snapshots by who plays what from which seat, table by table."""
    old, new = _plays(before), _plays(after)
    return [
        Reseated(*at, old.get(at), new.get(at))
        for at in sorted(old.keys() | new.keys())
        if old.get(at) != new.get(at)
    ]


def same_seating(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two snapshots have the same tables and the same entries at the places."""
    people = [{place[0]: place[3] for place in each["places"]} for each in (one, other)]
    return people[0] == people[1] and not differing(one, other)


def _plays(snapshot: dict[str, Any]) -> dict[tuple[int, int], Play]:
    """Return the people, seat by seat, and the board group at each table of each round."""
    entries = {place[0]: place[3] for place in snapshot["places"]}
    found = {}
    for at, (*places, group) in rows_by_table(snapshot).items():
        if all(entries.get(place) for place in places):
            found[at] = tuple((place, entries[place]) for place in places), group
    return found


def rows_by_table(snapshot: dict[str, Any]) -> dict[tuple[int, int], Row]:
    """Return the rows of a snapshot by round and table."""
    return {(row[0], row[1]): tuple(row[2:]) for row in snapshot["sittings"]}


def _meeting(row: Sitting, numbers: dict[int, int]) -> Meeting:
    return Meeting(
        round=row.round,
        table=row.table,
        north=numbers[row.north_id],
        east=numbers[row.east_id],
        south=numbers[row.south_id],
        west=numbers[row.west_id],
        board_group=row.board_group,
    )
