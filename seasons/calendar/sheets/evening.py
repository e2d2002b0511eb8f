"""The data of one evening's pages: bookings, attendance and table money."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date as Date

from django.utils.translation import gettext as _

from clubs.evenings.bookings import build_queue, load_bookings
from clubs.evenings.money import format_amount, format_plain_amount
from clubs.models import Attendance, BookedPerson, Booking, Fixture, Player
from clubs.name_order import sort_by_name
from clubs.names.tidy import build_name_key
from exchange.data_tables import DataTable, DateCell
from tournaments.models import Entry


@dataclass(frozen=True, slots=True)
class PlaceCounts:
    """The numbers of an evening's booked, waiting and free places, which are public."""

    booked_count: int
    waiting_count: int
    free_place_count: int | None
    """The number of pairs, tables or players that still fit; None if places are unlimited."""
    has_free_place: bool
    """Whether at least one person can still get a place."""


@dataclass(frozen=True, slots=True)
class BookingLine:
    """One booking in the director's list of bookings."""

    row: Booking
    list_number: int
    """The position of the booking in the list, from 1."""
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

    place_counts: PlaceCounts
    placed_lines: tuple[BookingLine, ...]
    waiting_lines: tuple[BookingLine, ...]
    single_lines: tuple[BookingLine, ...]
    must_host_play: bool
    withdrawn_entries: tuple[tuple[int, str, str], ...]
    """The entries in which a player has cancelled: entry number, entry name, player name."""


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
    waiting_position: int = 0  # on the waiting list, from 1; 0 if the booking has a place
    partners: tuple[str, ...] = ()
    has_partner_accepted: bool = True
    must_answer: bool = False  # whether the person has not accepted the partner's booking yet
    is_single: bool = False
    is_seeking: bool = False
    invited_name: str = ""  # the player whom this person has invited
    singles: tuple[SinglePlayer, ...] = ()  # other players without a partner
    # players without a partner who have invited this person
    inviting_singles: tuple[SinglePlayer, ...] = ()
    can_cancel: bool = False


def load_evening_bookings(fixture: Fixture) -> EveningBookings:
    """Return the bookings of an evening; the number of queries is fixed."""
    bookings = load_bookings(fixture)
    queue = build_queue(fixture, bookings, is_closed=fixture.is_closed)
    bookings_by_pk = {loaded_booking.pk: loaded_booking for loaded_booking in bookings}
    placed_lines = [
        _build_booking_line(bookings_by_pk[placed_booking.booking_pk], list_number)
        for list_number, placed_booking in enumerate(queue.placed_bookings, start=1)
    ]
    waiting_lines = [
        _build_booking_line(bookings_by_pk[booking.booking_pk], list_number)
        for list_number, booking in enumerate(queue.waiting_bookings, start=1)
    ]
    return EveningBookings(
        place_counts=_count_booked_places(fixture, bookings),
        placed_lines=tuple(placed_lines),
        waiting_lines=tuple(waiting_lines),
        single_lines=tuple(
            booking for booking in placed_lines if booking.is_single and not booking.row.is_host
        ),
        must_host_play=queue.must_host_play(),
        withdrawn_entries=_list_withdrawn_entries(fixture, bookings),
    )


def count_bookings(fixture: Fixture) -> PlaceCounts:
    """Return the numbers of an evening's booked, waiting and free places."""
    return _count_booked_places(fixture, load_bookings(fixture))


def load_own_booking(fixture: Fixture, person_key: str) -> OwnBooking:
    """Return one person's booking of an evening."""
    bookings = load_bookings(fixture)
    queue = build_queue(fixture, bookings, is_closed=fixture.is_closed)
    queued_booking = queue.find_booking(person_key)
    if queued_booking is None:
        return OwnBooking()
    stored_booking = next(
        booking for booking in bookings if booking.pk == queued_booking.booking_pk
    )
    people = list(stored_booking.people.all())
    partners = [person for person in people if person.key != person_key]
    own_person = next(person for person in people if person.key == person_key)
    waiting_booking_pks = [
        waiting_booking.booking_pk for waiting_booking in queue.waiting_bookings
    ]
    own_booking = OwnBooking(
        is_booked=True,
        has_place=stored_booking.has_place,
        waiting_position=0
        if stored_booking.has_place
        else waiting_booking_pks.index(stored_booking.pk) + 1,
        partners=tuple(partner.full_name for partner in partners),
        has_partner_accepted=all(partner.accepted for partner in partners),
        must_answer=not own_person.accepted,
        is_single=not partners,
        is_seeking=stored_booking.seeks,
        can_cancel=not fixture.has_begun,
    )
    return (
        _add_partner_requests(own_booking, stored_booking, bookings)
        if own_booking.is_single
        else own_booking
    )


def _add_partner_requests(
    own_booking: OwnBooking, stored_booking: Booking, bookings: Sequence[Booking]
) -> OwnBooking:
    """Add the data of the partner finder to the booking of a player without a partner.

    The finder shows the other players without a partner, and invitations without an answer.
    """
    single_bookings = [
        booking for booking in bookings if booking.seeks and booking.pk != stored_booking.pk
    ]
    players_by_booking = {
        booking.pk: _build_single_player(booking)
        for booking in bookings
        if len(booking.people.all()) == 1
    }
    inviting_players = [
        players_by_booking[booking.pk]
        for booking in bookings
        if booking.asks_id == stored_booking.pk
    ]
    inviting_booking_pks = {inviting_player.pk for inviting_player in inviting_players}
    return replace(
        own_booking,
        singles=tuple(
            players_by_booking[single_booking.pk]
            for single_booking in single_bookings
            if single_booking.pk in players_by_booking
            and single_booking.pk not in inviting_booking_pks
        ),
        inviting_singles=tuple(inviting_players),
        invited_name=players_by_booking[stored_booking.asks_id].first_name
        if stored_booking.asks_id in players_by_booking
        else "",
    )


def _build_single_player(booking: Booking) -> SinglePlayer:
    [person] = booking.people.all()
    return SinglePlayer(booking.pk, format_first_name(person), booking.needs_host)


def format_first_name(person: BookedPerson) -> str:
    """Return the first word of a person's public name, which other single players see.

    A player whose name is hidden is shown with the text for hidden players.
    """
    if person.player is None:
        return person.name.split()[0]
    if person.player.shown == Player.Shown.NO_NAME:
        return person.player.shown_name
    return person.player.shown_name.split()[0]


def _count_booked_places(fixture: Fixture, bookings: Sequence[Booking]) -> PlaceCounts:
    queue = build_queue(fixture, list(bookings), is_closed=True)
    return PlaceCounts(
        booked_count=sum(
            placed_booking.person_count for placed_booking in queue.placed_bookings
        ),
        waiting_count=sum(booking.person_count for booking in queue.waiting_bookings),
        free_place_count=queue.places_left,
        has_free_place=queue.free_capacity >= 1 and not queue.waiting_bookings,
    )


def _build_booking_line(booking: Booking, list_number: int) -> BookingLine:
    people = list(booking.people.all())
    return BookingLine(
        row=booking,
        list_number=list_number,
        people=tuple((person.key, person.full_name, person.accepted) for person in people),
        has_guest=any(person.player_id is None for person in people),
    )


def _list_withdrawn_entries(
    fixture: Fixture, bookings: Sequence[Booking]
) -> tuple[tuple[int, str, str], ...]:
    """Return the entries with a player who has cancelled after the entries were created.

    Each item is (entry number, entry name, name of the player).
    """
    booked_player_pks = {
        person.player_id for booking in bookings for person in booking.people.all()
    }
    guest_name_keys = {
        build_name_key(person.name)
        for booking in bookings
        for person in booking.people.all()
        if person.name
    }
    withdrawn_player_pks = set(fixture.entered) - booked_player_pks
    if not withdrawn_player_pks:
        return ()
    entries = Entry.objects.filter(
        event__sessions__evening=fixture.evening_id, players__in=withdrawn_player_pks
    )
    numbers_and_names = (
        entries.values_list("number", "name", "players__name").order_by("number").distinct()
    )
    return tuple(
        (entry_number, entry_name, player_name)
        for entry_number, entry_name, player_name in numbers_and_names
        if build_name_key(player_name) not in guest_name_keys
    )


SETTLEMENT_OWING, SETTLEMENT_CASH, SETTLEMENT_OTHER, SETTLEMENT_FREE = (
    settlement.value for settlement in Attendance.Settlement
)


@dataclass(frozen=True, slots=True)
class UnpaidFee:
    """A person's unpaid fee for an earlier evening."""

    pk: int
    day: Date
    amount_text: str


@dataclass(frozen=True, slots=True)
class PersonLine:
    """One person in the attendance list."""

    pk: int
    name: str
    attendance_kind: str
    kind_label: str
    fee: int
    fee_text: str
    settled: str
    settlement_label: str
    debts: tuple[UnpaidFee, ...] = ()


@dataclass(frozen=True, slots=True)
class TableMoneySums:
    """The sums of an evening's table money, in the smallest unit of the currency.

    `expected_amount` always equals `received_amount` + `owed_amount` + `waived_amount`.
    """

    currency: str
    expected_amount: int
    received_amount: int
    owed_amount: int
    waived_amount: int
    cash_amount: int
    """The cash received at this evening, including old debts paid in cash."""
    other_payment_amount: int

    def format_amount(self, amount: int) -> str:
        """Return an amount as text with the club's currency."""
        return format_amount(amount, self.currency)

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The sums as text, each with its label."""
        labels_and_amounts = (
            (_("Expected"), self.expected_amount),
            (_("Received tonight"), self.received_amount),
            (_("Owed"), self.owed_amount),
            (_("Free"), self.waived_amount),
            (_("Cash"), self.cash_amount),
            (_("Other payments"), self.other_payment_amount),
        )
        return tuple(
            (sum_label, self.format_amount(amount)) for sum_label, amount in labels_and_amounts
        )


@dataclass(frozen=True, slots=True)
class AttendanceSheet:
    """The attendance list of an evening."""

    club_name: str
    title: str
    day: Date
    venue: str
    lines: tuple[PersonLine, ...]
    money_sums: TableMoneySums
    fees: tuple[tuple[str, str], ...]


def load_attendance_sheet(fixture: Fixture) -> AttendanceSheet:
    """Return the attendance and payments of an evening; the number of queries is fixed."""
    currency = fixture.club.currency
    attendances = list(fixture.attendances.select_related("player"))
    unpaid_fees_by_player = _load_unpaid_fees(fixture, attendances)
    person_lines = [
        _build_person_line(
            attendance, currency, unpaid_fees_by_player.get(attendance.player_id, ())
        )
        for attendance in attendances
    ]
    labels_and_fees = (
        (_("Members"), fixture.fee_member),
        (_("Visitors"), fixture.fee_visitor),
        (_("Juniors"), fixture.fee_junior),
    )
    return AttendanceSheet(
        club_name=fixture.club.name,
        title=fixture.evening.title,
        day=fixture.evening.date,
        venue=fixture.evening.place,
        lines=tuple(sort_by_name(person_lines, lambda line: line.name)),
        money_sums=compute_table_money(fixture, attendances),
        fees=tuple(
            (fee_label, format_amount(fee, currency))
            for fee_label, fee in labels_and_fees
            if fee
        ),
    )


def compute_table_money(fixture: Fixture, attendances: Sequence[Attendance]) -> TableMoneySums:
    """Compute the sums of an evening's table money."""

    def sum_amounts(*settlement_codes: str) -> int:
        return sum(
            attendance.fee
            for attendance in attendances
            if attendance.settled in settlement_codes
        )

    settled_fees = Attendance.objects.filter(settled_on=fixture).values_list("settled", "fee")
    payments = list(settled_fees)
    return TableMoneySums(
        currency=fixture.club.currency,
        expected_amount=sum(attendance.fee for attendance in attendances),
        received_amount=sum_amounts(SETTLEMENT_CASH, SETTLEMENT_OTHER),
        owed_amount=sum_amounts(SETTLEMENT_OWING),
        waived_amount=sum_amounts(SETTLEMENT_FREE),
        cash_amount=sum(
            fee for settled_code, fee in payments if settled_code == SETTLEMENT_CASH
        ),
        other_payment_amount=sum(
            fee for settled_code, fee in payments if settled_code == SETTLEMENT_OTHER
        ),
    )


def _load_unpaid_fees(
    fixture: Fixture, attendances: Sequence[Attendance]
) -> dict[int, tuple[UnpaidFee, ...]]:
    """Return the unpaid fees for earlier evenings, by the attending person's key."""
    player_pks = [attendance.player_id for attendance in attendances]
    unpaid_attendances = Attendance.objects.filter(
        player__in=player_pks, settled=SETTLEMENT_OWING, fee__gt=0
    )
    unpaid_attendances = unpaid_attendances.filter(
        fixture__evening__date__lt=fixture.evening.date
    )
    unpaid_fees_by_player: dict[int, tuple[UnpaidFee, ...]] = {}
    for attendance in unpaid_attendances.select_related("fixture__evening").order_by(
        "fixture__evening__date"
    ):
        amount_text = format_amount(attendance.fee, fixture.club.currency)
        unpaid_fee = UnpaidFee(attendance.pk, attendance.fixture.evening.date, amount_text)
        unpaid_fees_by_player[attendance.player_id] = (
            *unpaid_fees_by_player.get(attendance.player_id, ()),
            unpaid_fee,
        )
    return unpaid_fees_by_player


def _build_person_line(
    attendance: Attendance, currency: str, debts: tuple[UnpaidFee, ...]
) -> PersonLine:
    return PersonLine(
        pk=attendance.pk,
        name=attendance.player.name,
        attendance_kind=attendance.kind,
        kind_label=attendance.get_kind_display(),
        fee=attendance.fee,
        fee_text=format_amount(attendance.fee, currency),
        settled=attendance.settled,
        settlement_label=attendance.get_settled_display(),
        debts=debts,
    )


def build_attendance_table(fixture: Fixture) -> DataTable:
    """Return an evening's attendance as a spreadsheet table, with amounts as plain numbers."""
    currency = fixture.club.currency
    attendances = fixture.attendances.select_related("player", "settled_on__evening")
    return DataTable(
        "attendance",
        ("date", "evening", "name", "kind", "fee", "currency", "settled", "settled_on", "by"),
        [
            (
                DateCell(fixture.evening.date.isoformat()),
                fixture.evening.title,
                attendance.player.name,
                attendance.kind,
                format_plain_amount(attendance.fee, currency),
                currency,
                attendance.settled,
                DateCell(attendance.settled_on.evening.date.isoformat())
                if attendance.settled_on
                else None,
                attendance.settled_by,
            )
            for attendance in attendances.order_by("player__name")
        ],
    )
