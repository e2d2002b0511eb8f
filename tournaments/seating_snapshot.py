"""The schedule that a section really holds: its rows as a movement, and as plain data."""

from dataclasses import dataclass
from typing import Any

from tournaments.models import Section, Sitting
from tournaments.movements import Contest, Meeting, Movement

Row = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Differing:
    """A table in a round that is not the same before and after; None where it has nobody."""

    round: int
    table: int
    before: Row | None  # north, east, south, west, board group
    after: Row | None

    @property
    def seats_others(self) -> bool:
        """Whether other places sit there, or nobody any more."""
        return set((self.before or ())[:4]) != set((self.after or ())[:4])


def held_movement(section: Section) -> Movement:
    """Read what a section holds, in two queries.

    It admits replays and sharing: what happened may break rules that a plan keeps.
    """
    places = list(section.places.order_by("number"))
    numbers = {place.pk: place.number for place in places}
    return Movement(
        name=section.movement,
        title=section.movement,
        contest=Contest(section.session.event.contest),
        meetings=tuple(_meeting(row, numbers) for row in section.sittings.all()),
        labels=tuple(place.label for place in places),
        absent=frozenset(place.number for place in places if place.entry_id is None),
        sharing=True,
        replays=True,
    )


def snapshot(section: Section) -> dict[str, Any]:
    """Write down a section as plain data, so that it can be put back exactly."""
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
    old, new = _by_table(before), _by_table(after)
    return [
        Differing(*at, old.get(at), new.get(at))
        for at in sorted(old.keys() | new.keys())
        if old.get(at) != new.get(at)
    ]


def _by_table(snapshot: dict[str, Any]) -> dict[tuple[int, int], Row]:
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
