"""The data of the check-in pages: the tables with their people, and similar names."""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.evenings.first_seats import SEAT_NUMBERS, Chair, must_change_seat
from clubs.models import BookedPerson, CheckIn, Evening, Player, TableLink
from clubs.name_order import sort_by_name
from clubs.people.similar_names import SimilarNameIndex, list_similar_name_pairs
from hall.check_in.kinds import CheckInKind, FirstRoundSeat, SummaryNumber

MAX_SIMILAR_NAMES = 12
"""The maximum number of pairs of similar names that the page lists."""


@dataclass(frozen=True, slots=True)
class CheckInChair:
    """One chair of a table, with the person who sits there."""

    seat_number: int
    seat_label: str
    check_in: CheckIn | None


@dataclass(frozen=True, slots=True)
class CheckInTable:
    """One table with its four chairs."""

    table_number: int
    chairs: tuple[CheckInChair, ...]
    has_qr_code: bool  # whether the table has a QR code

    @property
    def people_count(self) -> int:
        """The number of people who sit here."""
        return sum(chair.check_in is not None for chair in self.chairs)

    @property
    def people_by_seat_text(self) -> str:
        """The people by seat, as a form sends them back: "1:12,3:15"."""
        return ",".join(
            f"{chair.seat_number}:{chair.check_in.pk}"
            for chair in self.chairs
            if chair.check_in
        )


@dataclass(frozen=True, slots=True)
class SimilarNames:
    """A person's name, and a similar name: of another person present, or of a club player."""

    check_in: CheckIn
    name: str
    other_check_in: CheckIn | None = None  # None if `name` is that of a club player


@dataclass(frozen=True, slots=True)
class PersonToMove:
    """A person who has to move before round 1, or who sits out, with the place as text."""

    name: str
    place_text: str


@dataclass(frozen=True, kw_only=True)
class CheckInPage:
    """Everything on the director's page that changes while people check in."""

    tables: tuple[CheckInTable, ...]
    unseated_people: tuple[CheckIn, ...]  # without a chair
    missing_names: tuple[str, ...]  # booked, but not checked in
    similar_names: tuple[SimilarNames, ...]
    summary_numbers: tuple[SummaryNumber, ...]
    check_ins: tuple[CheckIn, ...]
    movers: tuple[PersonToMove, ...] = ()

    def find_table(self, table_number: int | None) -> CheckInTable | None:
        """Return a table by number."""
        return next(
            (table for table in self.tables if table.table_number == table_number), None
        )

    def find_check_in(self, check_in_pk: int | None) -> CheckIn | None:
        """Return a check-in by primary key."""
        return next(
            (check_in for check_in in self.check_ins if check_in.pk == check_in_pk), None
        )


def load_page(kind: CheckInKind, evening: Evening) -> CheckInPage:
    """Return the data of the director's page, in a fixed number of queries."""
    check_ins = list(evening.check_ins.select_related("player"))
    is_open = evening.check_in_state == Evening.CheckInState.OPEN
    is_started = evening.check_in_state == Evening.CheckInState.STARTED
    return CheckInPage(
        tables=tuple(_build_tables(kind, evening, check_ins)),
        unseated_people=tuple(check_in for check_in in check_ins if check_in.chair is None),
        missing_names=tuple(_list_missing_names(evening, check_ins)) if is_open else (),
        similar_names=tuple(_list_similar_names(evening, check_ins)) if is_open else (),
        summary_numbers=tuple(kind.list_summary_numbers(evening, check_ins)) if is_open else (),
        check_ins=tuple(sort_by_name(check_ins, lambda check_in: check_in.name)),
        movers=tuple(_list_movers(kind, evening, check_ins)) if is_started else (),
    )


def _build_tables(
    kind: CheckInKind, evening: Evening, check_ins: Sequence[CheckIn]
) -> list[CheckInTable]:
    links = TableLink.objects.filter(evening=evening, revoked_at__isnull=True)
    linked_table_numbers = set(links.values_list("table", flat=True))
    check_in_by_chair = {
        check_in.chair: check_in for check_in in check_ins if check_in.chair is not None
    }
    last_table_number = max(
        [*linked_table_numbers, *(chair.table_number for chair in check_in_by_chair)], default=0
    )
    return [
        CheckInTable(
            table_number,
            tuple(
                CheckInChair(
                    seat_number,
                    kind.format_seat(seat_number),
                    check_in_by_chair.get(Chair(table_number, seat_number)),
                )
                for seat_number in SEAT_NUMBERS
            ),
            table_number in linked_table_numbers,
        )
        for table_number in range(1, last_table_number + 1)
    ]


def _list_missing_names(evening: Evening, check_ins: Sequence[CheckIn]) -> list[str]:
    """Return the names of people who have booked, but are not on the list."""
    booked_people = BookedPerson.objects.filter(
        fixture__evening=evening, booking__has_place=True
    ).select_related("player")
    checked_in_person_keys = {check_in.key for check_in in check_ins}
    return sorted(
        person.full_name for person in booked_people if person.key not in checked_in_person_keys
    )


def _list_similar_names(evening: Evening, check_ins: Sequence[CheckIn]) -> list[SimilarNames]:
    """Return pairs of similar names that may belong to one person.

    Each pair has a guest, which is a person without a link to a club player. Pairs with another
    person present come first, then pairs with a club player who is not present.
    """
    check_in_by_name = {check_in.name: check_in for check_in in check_ins}
    similar_names = [
        SimilarNames(check_in_by_name[name], other_name, check_in_by_name[other_name])
        for name, other_name in list_similar_name_pairs(check_in_by_name)
        if check_in_by_name[name].player_id is None
        or check_in_by_name[other_name].player_id is None
    ]
    guests = [check_in for check_in in check_ins if check_in.player_id is None]
    if guests:
        similar_name_index = SimilarNameIndex()
        club_players = Player.objects.filter(club=evening.club_id, forgotten_on=None)
        for name in club_players.values_list("name", flat=True):
            similar_name_index.add_name(name)
        similar_names += [
            SimilarNames(check_in, name)
            for check_in in guests
            for name in similar_name_index.find_similar_names(check_in.name)
            if name not in check_in_by_name
        ]
    return similar_names[:MAX_SIMILAR_NAMES]


def _list_movers(
    kind: CheckInKind, evening: Evening, check_ins: Sequence[CheckIn]
) -> list[PersonToMove]:
    outcomes = list_seat_outcomes(kind, evening, check_ins)
    return [
        PersonToMove(seat_outcome.name, seat_outcome.first_seat.place_text)
        for seat_outcome in outcomes
        if seat_outcome.first_seat
        and (seat_outcome.has_moved or seat_outcome.first_seat.place is None)
    ]


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """The result of seating one person, or partners who both stay or both move."""

    name: str  # "Ann Alder", or "Ann Alder & Bo Birch"
    first_seat: FirstRoundSeat | None  # None for a person who is not in the event
    has_moved: bool  # whether the seat in round 1 differs from the chair at check-in


def list_seat_outcomes(
    kind: CheckInKind, evening: Evening, check_ins: Sequence[CheckIn]
) -> list[SeatOutcome]:
    """Return where the people with these check-ins sit in round 1."""
    first_seats_by_number = kind.map_first_round_seats(evening)
    used_places = {
        first_seat.place
        for first_seat in first_seats_by_number.values()
        if first_seat.place is not None
    }
    names_by_group: dict[tuple[int, bool], list[str]] = {}
    for check_in in check_ins:
        first_seat = first_seats_by_number.get(check_in.number or 0)
        has_moved = first_seat is not None and must_change_seat(
            check_in.chair, first_seat.place, used_places
        )
        # people without a number in the event are not grouped with others
        group_key = (
            check_in.number if first_seat and check_in.number else -check_in.pk,
            has_moved,
        )
        names_by_group.setdefault(group_key, []).append(check_in.name)
    return [
        SeatOutcome(
            " & ".join(grouped_names), first_seats_by_number.get(entry_number), has_moved
        )
        for (entry_number, has_moved), grouped_names in names_by_group.items()
    ]
