"""The data of the check-in pages: the tables with their people, and the likely doubles."""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.evenings.first_seats import SEATS, Chair, must_move
from clubs.models import BookedPerson, CheckIn, Evening, Player, TableLink
from clubs.people.similar_names import SimilarNameIndex, list_similar_pairs
from hall.check_in.kinds import CheckInKind, Fact, Outcome

MAX_DOUBLES = 12
"""The most similar names that the page lists."""


@dataclass(frozen=True, slots=True)
class ChairOnPage:
    """One chair of a table, with the person who sits there."""

    seat: int
    label: str
    row: CheckIn | None


@dataclass(frozen=True, slots=True)
class TableOnPage:
    """One table with its four chairs; `has_code` is whether its QR code can be shown."""

    number: int
    chairs: tuple[ChairOnPage, ...]
    has_code: bool

    @property
    def count(self) -> int:
        """The number of people who sit here."""
        return sum(chair.row is not None for chair in self.chairs)

    @property
    def seen(self) -> str:
        """The people by seat, as a form sends them back: "1:12,3:15"."""
        return ",".join(f"{each.seat}:{each.row.pk}" for each in self.chairs if each.row)


@dataclass(frozen=True, slots=True)
class Double:
    """A person's name, and a similar name: of another person present, or of a club player."""

    row: CheckIn
    name: str
    other: CheckIn | None = None  # None if the name is a club player's


@dataclass(frozen=True, slots=True)
class Mover:
    """A person who has to move before round 1, or who sits out, with the place as text."""

    name: str
    text: str


@dataclass(frozen=True, kw_only=True)
class CheckInPage:
    """Everything on the director's page that changes while people check in."""

    tables: tuple[TableOnPage, ...]
    waiting: tuple[CheckIn, ...]  # without a chair
    missing: tuple[str, ...]  # booked, but not checked in
    doubles: tuple[Double, ...]
    facts: tuple[Fact, ...]
    rows: tuple[CheckIn, ...]
    movers: tuple[Mover, ...] = ()

    def find_table(self, number: int | None) -> TableOnPage | None:
        """Return a table by number."""
        return next((each for each in self.tables if each.number == number), None)

    def find_row(self, key: int | None) -> CheckIn | None:
        """Return a person by the key of the check-in."""
        return next((row for row in self.rows if row.pk == key), None)


def load_page(kind: CheckInKind, evening: Evening) -> CheckInPage:
    """Return the data of the director's page, in a fixed number of queries."""
    rows = list(evening.check_ins.select_related("player"))
    is_open = evening.check_in_state == Evening.CheckInState.OPEN
    is_started = evening.check_in_state == Evening.CheckInState.STARTED
    return CheckInPage(
        tables=tuple(_build_tables(kind, evening, rows)),
        waiting=tuple(row for row in rows if row.chair is None),
        missing=tuple(_list_missing(evening, rows)) if is_open else (),
        doubles=tuple(_list_doubles(evening, rows)) if is_open else (),
        facts=tuple(kind.list_facts(evening, rows)) if is_open else (),
        rows=tuple(sorted(rows, key=lambda row: row.name.casefold())),
        movers=tuple(_list_movers(kind, evening, rows)) if is_started else (),
    )


def _build_tables(
    kind: CheckInKind, evening: Evening, rows: Sequence[CheckIn]
) -> list[TableOnPage]:
    links = TableLink.objects.filter(evening=evening, revoked_at__isnull=True)
    linked = set(links.values_list("table", flat=True))
    by_chair = {row.chair: row for row in rows if row.chair is not None}
    last = max([*linked, *(chair.table for chair in by_chair)], default=0)
    return [
        TableOnPage(
            number,
            tuple(
                ChairOnPage(seat, kind.format_seat(seat), by_chair.get(Chair(number, seat)))
                for seat in SEATS
            ),
            number in linked,
        )
        for number in range(1, last + 1)
    ]


def _list_missing(evening: Evening, rows: Sequence[CheckIn]) -> list[str]:
    """Return the names of people who have booked, but are not on the list."""
    booked = BookedPerson.objects.filter(
        fixture__evening=evening, booking__has_place=True
    ).select_related("player")
    present = {row.key for row in rows}
    return sorted(person.full_name for person in booked if person.key not in present)


def _list_doubles(evening: Evening, rows: Sequence[CheckIn]) -> list[Double]:
    """Return the names that may belong to one person, guests against club players last."""
    by_name = {row.name: row for row in rows}
    outcomes = [
        Double(by_name[one], other, by_name[other])
        for one, other in list_similar_pairs(by_name)
        if by_name[one].player_id is None or by_name[other].player_id is None
    ]
    guests = [row for row in rows if row.player_id is None]
    if guests:
        index = SimilarNameIndex()
        club = Player.objects.filter(club=evening.club_id, forgotten_on=None)
        for name in club.values_list("name", flat=True):
            index.add_name(name)
        outcomes += [
            Double(row, name)
            for row in guests
            for name in index.find_similar(row.name)
            if name not in by_name
        ]
    return outcomes[:MAX_DOUBLES]


def _list_movers(kind: CheckInKind, evening: Evening, rows: Sequence[CheckIn]) -> list[Mover]:
    outcomes = list_seat_outcomes(kind, evening, rows)
    return [
        Mover(seat_outcome.name, seat_outcome.outcome.text)
        for seat_outcome in outcomes
        if seat_outcome.outcome
        and (seat_outcome.has_moved or seat_outcome.outcome.place is None)
    ]


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """The seat of a person in round 1, or of partners who stay or move together."""

    name: str  # "Ann Alder", or "Ann Alder & Bo Birch"
    outcome: Outcome | None
    has_moved: bool


def list_seat_outcomes(
    kind: CheckInKind, evening: Evening, rows: Sequence[CheckIn]
) -> list[SeatOutcome]:
    """Return where the given people sit in round 1."""
    outcomes = kind.list_outcomes(evening)
    used = {outcome.place for outcome in outcomes.values() if outcome.place is not None}
    names: dict[tuple[int, bool], list[str]] = {}
    for row in rows:
        outcome = outcomes.get(row.number or 0)
        has_moved = outcome is not None and must_move(row.chair, outcome.place, used)
        # a person without a number in the event has a line of their own
        key = (row.number if outcome and row.number else -row.pk, has_moved)
        names.setdefault(key, []).append(row.name)
    return [
        SeatOutcome(" & ".join(people), outcomes.get(number), has_moved)
        for (number, has_moved), people in names.items()
    ]
