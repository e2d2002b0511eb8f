"""From rows to lines: what the arithmetic sees of an event, in three queries at any size."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from scoring.methods import Line
from scoring.models import Outcome, Result
from tournaments.models import Event, Place, Sitting

TRICKS = tuple(Fraction(number) for number in range(14))


@dataclass(frozen=True, slots=True)
class Seat:
    """Where an entry belongs in the standings."""

    section: str
    field: str
    label: str


@dataclass(slots=True)
class Tally:
    """All lines of an event, who is ranked where, and how much is still to come."""

    lines: list[Line] = field(default_factory=list)
    seats: dict[int, Seat] = field(default_factory=dict)
    expected: int = 0
    entered: int = 0

    @property
    def missing(self) -> int:
        """How many results are still to come."""
        return self.expected - self.entered


def tally(event: Event) -> Tally:
    """Read every result of an event as lines; deals of different sections are kept apart."""
    found = Tally(seats=_seats(event))
    sides, sections = _sittings(event, found)
    deals: dict[tuple[int, int], int] = defaultdict(lambda: len(deals) + 1)
    overplays = _overplays(event) if event.contest == Event.Contest.MEMORY else ()
    rows = Result.objects.filter(sitting__section__session__event=event).exclude(
        outcome=Outcome.CLEARED
    )
    for sitting, board, outcome, ns_tricks in rows.order_by("board", "sitting").values_list(
        "sitting", "board", "outcome", "ns_tricks"
    ):
        found.entered += 1
        if outcome == Outcome.PLAYED and ns_tricks is not None:
            ns, ew = sides[sitting]
            deal = deals[sections[sitting], board]
            tricks = TRICKS[ns_tricks], TRICKS[13 - ns_tricks]
            found.lines.append(Line(deal, ns, ew, *tricks, overplay=sitting in overplays))
    return found


def _seats(event: Event) -> dict[int, Seat]:
    """Say for each entry in which section and field it is ranked, and what it is called.

    Who sits in another place in a later session keeps its first section; who changes the side
    is ranked in one field with everybody.
    """
    rows = (
        Place.objects.filter(section__session__event=event, entry__isnull=False)
        .order_by("section__session__number", "section__letter", "number")
        .values_list("entry__number", "section__letter", "field", "label")
    )
    seats: dict[int, Seat] = {}
    for entry, section, side, label in rows:
        first = seats.get(entry)
        if first is None:
            seats[entry] = Seat(section, side, label)
        elif (first.field, first.label) != (side, label):
            kept = first.field if first.field == side else ""
            seats[entry] = Seat(first.section, kept, str(entry))
    return seats


Sides = tuple[tuple[int, ...], tuple[int, ...]]


def _sittings(event: Event, found: Tally) -> tuple[dict[int, Sides], dict[int, int]]:
    """Read who sat on the two sides of each sitting, and count the results expected."""
    sides: dict[int, Sides] = {}
    sections: dict[int, int] = {}
    for sitting, section, boards, *seats in _seated(event):
        sides[sitting] = _once(seats[0], seats[2]), _once(seats[1], seats[3])
        sections[sitting] = section
        if None not in seats:
            found.expected += boards
    return sides, sections


def _seated(event: Event) -> Iterator[tuple[int, int, int, *tuple[int | None, ...]]]:
    rows = Sitting.objects.filter(section__session__event=event).values_list(
        "pk",
        "section_id",
        "section__session__boards_a_round",
        "north__entry__number",
        "east__entry__number",
        "south__entry__number",
        "west__entry__number",
    )
    yield from rows


def _overplays(event: Event) -> set[int]:
    """Name the sittings of memory duplicate at which a board group is overplayed."""
    rows = Sitting.objects.filter(section__session__event=event).order_by("round", "table")
    seen: set[tuple[int, int]] = set()
    again = set()
    for sitting, section, group in rows.values_list("pk", "section_id", "board_group"):
        if (section, group) in seen:
            again.add(sitting)
        seen.add((section, group))
    return again


def _once(one: int | None, other: int | None) -> tuple[int, ...]:
    return tuple(dict.fromkeys(entry for entry in (one, other) if entry is not None))
