"""The data of one evening's pages: bookings, attendance and table money."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date as Date

from django.utils.translation import gettext as _

from clubs.evenings.bookings import build_queue, load_bookings
from clubs.evenings.money import format_amount, format_plain_amount
from clubs.models import Attendance, BookedPerson, Booking, Fixture, Player
from clubs.name_folding import fold_name
from clubs.names.tidy import build_name_key
from exchange.data_tables import DataTable, DateCell
from tournaments.models import Entry


@dataclass(frozen=True, slots=True)
class PlaceCounts:
    """The numbers of an evening's booked, waiting and free places, which are public."""

    inside: int
    waiting: int
    left: int | None
    """The number of free places for a whole unit, such as a pair; None if places are unlimited.
    """
    free: bool
    """Whether at least one person can still get a place."""


@dataclass(frozen=True, slots=True)
class BookingLine:
    """One booking in the director's list of bookings."""

    row: Booking
    number: int
    people: tuple[tuple[str, str, bool], ...]
    """The people of the booking: key, name, and whether the person has accepted."""
    has_guest: bool

    @property
    def names(self) -> str:
        """The names of the booking's people as one text."""
        return " & ".join(name for _key, name, _accepted in self.people)

    @property
    def is_single(self) -> bool:
        """Whether the booking has only one person."""
        return len(self.people) == 1


@dataclass(frozen=True, slots=True)
class EveningBookings:
    """All bookings of an evening, for its director."""

    numbers: PlaceCounts
    inside: tuple[BookingLine, ...]
    waiting: tuple[BookingLine, ...]
    singles: tuple[BookingLine, ...]
    host_plays: bool
    withdrawn: tuple[tuple[int, str, str], ...]
    """The entries of people who cancelled after being entered: number, entry and names."""


@dataclass(frozen=True, slots=True)
class SinglePlayer:
    """A player without a partner, as shown to other such players: by first name."""

    pk: int
    first_name: str
    needs_host: bool


@dataclass(frozen=True, slots=True)
class OwnBooking:
    """A booking as shown to one of its people."""

    is_booked: bool = False
    has_place: bool = False
    waits_at: int = 0
    partners: tuple[str, ...] = ()
    partner_is_sure: bool = True
    must_answer: bool = False
    is_single: bool = False
    seeks: bool = False
    asks: str = ""
    singles: tuple[SinglePlayer, ...] = ()
    asked_by: tuple[SinglePlayer, ...] = ()
    can_leave: bool = False


def load_evening_bookings(fixture: Fixture) -> EveningBookings:
    """Return the bookings of an evening; the number of queries is fixed."""
    rows = load_bookings(fixture)
    queue = build_queue(fixture, rows, is_closed=fixture.is_closed)
    by_key = {row.pk: row for row in rows}
    inside = [
        _build_booking_line(by_key[placed_booking.key], n)
        for n, placed_booking in enumerate(queue.placed_bookings, start=1)
    ]
    waiting_lines = [
        _build_booking_line(by_key[booking.key], n)
        for n, booking in enumerate(queue.waiting_bookings, start=1)
    ]
    return EveningBookings(
        numbers=_count_booked_places(fixture, rows),
        inside=tuple(inside),
        waiting=tuple(waiting_lines),
        singles=tuple(
            booking for booking in inside if booking.is_single and not booking.row.is_host
        ),
        host_plays=queue.must_host_play(),
        withdrawn=_list_withdrawn_entries(fixture, rows),
    )


def count_bookings(fixture: Fixture) -> PlaceCounts:
    """Return the public numbers of places of an evening."""
    return _count_booked_places(fixture, load_bookings(fixture))


def load_own_booking(fixture: Fixture, person: str) -> OwnBooking:
    """Return one person's booking of an evening; `person` is the person's key."""
    rows = load_bookings(fixture)
    queue = build_queue(fixture, rows, is_closed=fixture.is_closed)
    booking = queue.find_booking(person)
    if booking is None:
        return OwnBooking()
    row = next(item for item in rows if item.pk == booking.key)
    partners = [item for item in row.people.all() if item.key != person]
    own_rows = next(item for item in row.people.all() if item.key == person)
    waiting_keys = [item.key for item in queue.waiting_bookings]
    own_booking = OwnBooking(
        is_booked=True,
        has_place=row.has_place,
        waits_at=0 if row.has_place else waiting_keys.index(row.pk) + 1,
        partners=tuple(partner.full_name for partner in partners),
        partner_is_sure=all(partner.accepted for partner in partners),
        must_answer=not own_rows.accepted,
        is_single=not partners,
        seeks=row.seeks,
        can_leave=not fixture.has_begun,
    )
    return _add_partner_finder(own_booking, row, rows) if own_booking.is_single else own_booking


def _add_partner_finder(
    own_booking: OwnBooking, row: Booking, rows: Sequence[Booking]
) -> OwnBooking:
    """Add the data of the partner finder to the booking of a player without a partner.

    The data are the other players without a partner, and the open requests for a partnership.
    """
    singles = [item for item in rows if item.seeks and item.pk != row.pk]
    names = {item.pk: _to_single_player(item) for item in rows if len(item.people.all()) == 1}
    asked_by = [names[item.pk] for item in rows if item.asks_id == row.pk]
    asking_keys = {item.pk for item in asked_by}
    return replace(
        own_booking,
        singles=tuple(
            names[asking.pk]
            for asking in singles
            if asking.pk in names and asking.pk not in asking_keys
        ),
        asked_by=tuple(asked_by),
        asks=names[row.asks_id].first_name if row.asks_id in names else "",
    )


def _to_single_player(row: Booking) -> SinglePlayer:
    [person] = row.people.all()
    return SinglePlayer(row.pk, format_first_name(person), row.needs_host)


def format_first_name(person: BookedPerson) -> str:
    """Return the first word of a person's public name, which other single players see.

    A player whose name is hidden is shown with the text for hidden players.
    """
    if person.player is None:
        return person.name.split()[0]
    if person.player.shown == Player.Shown.NOBODY:
        return person.player.shown_name
    return person.player.shown_name.split()[0]


def _count_booked_places(fixture: Fixture, rows: Sequence[Booking]) -> PlaceCounts:
    queue = build_queue(fixture, list(rows), is_closed=True)
    return PlaceCounts(
        inside=sum(placed_booking.size for placed_booking in queue.placed_bookings),
        waiting=sum(booking.size for booking in queue.waiting_bookings),
        left=queue.places_left,
        free=queue.free_capacity >= 1 and not queue.waiting_bookings,
    )


def _build_booking_line(row: Booking, number: int) -> BookingLine:
    people = list(row.people.all())
    return BookingLine(
        row=row,
        number=number,
        people=tuple((person.key, person.full_name, person.accepted) for person in people),
        has_guest=any(person.player_id is None for person in people),
    )


def _list_withdrawn_entries(
    fixture: Fixture, rows: Sequence[Booking]
) -> tuple[tuple[int, str, str], ...]:
    """Return the entries in which a player has cancelled the booking since being entered."""
    booked = {person.player_id for row in rows for person in row.people.all()}
    guests = {
        build_name_key(person.name)
        for row in rows
        for person in row.people.all()
        if person.name
    }
    withdrawn_keys = set(fixture.entered) - booked
    if not withdrawn_keys:
        return ()
    entries = Entry.objects.filter(
        event__sessions__evening=fixture.evening_id, players__in=withdrawn_keys
    )
    entry_rows = (
        entries.values_list("number", "name", "players__name").order_by("number").distinct()
    )
    return tuple(row for row in entry_rows if build_name_key(row[2]) not in guests)


OWING, CASH, OTHER, FREE = (settlement.value for settlement in Attendance.Settled)


@dataclass(frozen=True, slots=True)
class UnpaidFee:
    """A person's unpaid fee for an earlier evening."""

    pk: int
    day: str
    amount: str


@dataclass(frozen=True, slots=True)
class PersonLine:
    """One person in the attendance list."""

    pk: int
    name: str
    kind: str
    kind_words: str
    fee: int
    fee_words: str
    settled: str
    settled_words: str
    debts: tuple[UnpaidFee, ...] = ()


@dataclass(frozen=True, slots=True)
class TableMoneySums:
    """The sums of an evening's table money in the currency's smallest unit.

    `expected` always equals `received` + `owing` + `free`.
    """

    currency: str
    expected: int
    received: int
    owing: int
    free: int
    cash: int
    """The cash received at this evening, including old debts paid in cash."""
    otherwise: int

    def words(self, amount: int) -> str:
        """Return an amount as text with the club's currency."""
        return format_amount(amount, self.currency)

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The sums as text, each with its label."""
        labels_and_amounts = (
            (_("Expected"), self.expected),
            (_("Received tonight"), self.received),
            (_("Owed"), self.owing),
            (_("Free"), self.free),
            (_("Cash"), self.cash),
            (_("Other payments"), self.otherwise),
        )
        return tuple((name, self.words(amount)) for name, amount in labels_and_amounts)


@dataclass(frozen=True, slots=True)
class AttendanceSheet:
    """The attendance list of an evening."""

    club: str
    title: str
    day: Date
    place: str
    lines: tuple[PersonLine, ...]
    till: TableMoneySums
    fees: tuple[tuple[str, str], ...]


def load_attendance_sheet(fixture: Fixture) -> AttendanceSheet:
    """Return the attendance and payments of an evening; the number of queries is fixed."""
    currency = fixture.club.currency
    rows = list(fixture.attendances.select_related("player"))
    debts = _load_unpaid_fees(fixture, rows)
    lines = [_build_person_line(row, currency, debts.get(row.player_id, ())) for row in rows]
    fees = (
        (_("Members"), fixture.fee_member),
        (_("Visitors"), fixture.fee_visitor),
        (_("Juniors"), fixture.fee_junior),
    )
    return AttendanceSheet(
        club=fixture.club.name,
        title=fixture.evening.title,
        day=fixture.evening.date,
        place=fixture.evening.place,
        lines=tuple(sorted(lines, key=lambda line: fold_name(line.name))),
        till=compute_table_money(fixture, rows),
        fees=tuple((name, format_amount(fee, currency)) for name, fee in fees if fee),
    )


def compute_table_money(fixture: Fixture, rows: Sequence[Attendance]) -> TableMoneySums:
    """Compute the sums of an evening's table money."""

    def sum_amounts(*codes: str) -> int:
        return sum(row.fee for row in rows if row.settled in codes)

    settled_fees = Attendance.objects.filter(settled_on=fixture).values_list("settled", "fee")
    boxes = list(settled_fees)
    return TableMoneySums(
        currency=fixture.club.currency,
        expected=sum(row.fee for row in rows),
        received=sum_amounts(CASH, OTHER),
        owing=sum_amounts(OWING),
        free=sum_amounts(FREE),
        cash=sum(fee for settled, fee in boxes if settled == CASH),
        otherwise=sum(fee for settled, fee in boxes if settled == OTHER),
    )


def _load_unpaid_fees(
    fixture: Fixture, rows: Sequence[Attendance]
) -> dict[int, tuple[UnpaidFee, ...]]:
    """Return the unpaid fees for earlier evenings, by the attending person's key."""
    people = [row.player_id for row in rows]
    earlier_rows = Attendance.objects.filter(player__in=people, settled=OWING, fee__gt=0)
    earlier_rows = earlier_rows.filter(fixture__evening__date__lt=fixture.evening.date)
    fees_by_person: dict[int, tuple[UnpaidFee, ...]] = {}
    for row in earlier_rows.select_related("fixture__evening").order_by(
        "fixture__evening__date"
    ):
        words = format_amount(row.fee, fixture.club.currency)
        debt = UnpaidFee(row.pk, row.fixture.evening.date.isoformat(), words)
        fees_by_person[row.player_id] = (*fees_by_person.get(row.player_id, ()), debt)
    return fees_by_person


def _build_person_line(
    row: Attendance, currency: str, debts: tuple[UnpaidFee, ...]
) -> PersonLine:
    return PersonLine(
        pk=row.pk,
        name=row.player.name,
        kind=row.kind,
        kind_words=row.get_kind_display(),
        fee=row.fee,
        fee_words=format_amount(row.fee, currency),
        settled=row.settled,
        settled_words=row.get_settled_display(),
        debts=debts,
    )


def build_attendance_table(fixture: Fixture) -> DataTable:
    """Return an evening's attendance as a table for spreadsheets, with plain numbers as
    amounts.
    """
    currency = fixture.club.currency
    rows = fixture.attendances.select_related("player", "settled_on__evening")
    return DataTable(
        "attendance",
        ("date", "evening", "name", "kind", "fee", "currency", "settled", "settled_on", "by"),
        [
            (
                DateCell(fixture.evening.date.isoformat()),
                fixture.evening.title,
                row.player.name,
                row.kind,
                format_plain_amount(row.fee, currency),
                currency,
                row.settled,
                DateCell(row.settled_on.evening.date.isoformat()) if row.settled_on else None,
                row.settled_by,
            )
            for row in rows.order_by("player__name")
        ],
    )
