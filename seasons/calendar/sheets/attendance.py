"""Who came to an evening and what was paid: the sums are exact, in the smallest coin."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date as Date

from django.utils.translation import gettext as _

from clubs.evenings.money import amount_in_words, plain_amount
from clubs.letters import plain_letters
from clubs.models import Attendance, Fixture
from exchange.sheets import Day, Sheet

OWING, CASH, OTHER, FREE = (each.value for each in Attendance.Settled)


@dataclass(frozen=True, slots=True)
class Debt:
    """What somebody still owes for an evening before."""

    pk: int
    day: str
    amount: str


@dataclass(frozen=True, slots=True)
class PersonLine:
    """One person of the list."""

    pk: int
    name: str
    kind: str
    kind_words: str
    fee: int
    fee_words: str
    settled: str
    settled_words: str
    debts: tuple[Debt, ...] = ()


@dataclass(frozen=True, slots=True)
class Till:
    """The sums of an evening: expected = received + owing + free, always."""

    currency: str
    expected: int
    received: int
    owing: int
    free: int
    cash: int
    """What lies in this evening's box, old debts paid tonight among it."""
    otherwise: int

    def words(self, amount: int) -> str:
        """An amount with the club's currency."""
        return amount_in_words(amount, self.currency)

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The sums with their names."""
        named = (
            (_("Expected"), self.expected),
            (_("Received for tonight"), self.received),
            (_("Owing"), self.owing),
            (_("Free"), self.free),
            (_("In the cash box"), self.cash),
            (_("Paid otherwise"), self.otherwise),
        )
        return tuple((name, self.words(amount)) for name, amount in named)


@dataclass(frozen=True, slots=True)
class AttendanceSheet:
    """An evening's list of who came."""

    club: str
    title: str
    day: Date
    place: str
    lines: tuple[PersonLine, ...]
    till: Till
    fees: tuple[tuple[str, str], ...]


def attendance_sheet(fixture: Fixture) -> AttendanceSheet:
    """Read who came and what was paid; a fixed number of questions."""
    currency = fixture.club.currency
    rows = list(fixture.attendances.select_related("player"))
    debts = _debts(fixture, rows)
    lines = [_line(row, currency, debts.get(row.player_id, ())) for row in rows]
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
        lines=tuple(sorted(lines, key=lambda each: plain_letters(each.name))),
        till=till_of(fixture, rows),
        fees=tuple((name, amount_in_words(fee, currency)) for name, fee in fees if fee),
    )


def till_of(fixture: Fixture, rows: Sequence[Attendance]) -> Till:
    """Add an evening up."""

    def summed(*how: str) -> int:
        return sum(row.fee for row in rows if row.settled in how)

    taken = Attendance.objects.filter(settled_on=fixture).values_list("settled", "fee")
    boxes = list(taken)
    return Till(
        currency=fixture.club.currency,
        expected=sum(row.fee for row in rows),
        received=summed(CASH, OTHER),
        owing=summed(OWING),
        free=summed(FREE),
        cash=sum(fee for settled, fee in boxes if settled == CASH),
        otherwise=sum(fee for settled, fee in boxes if settled == OTHER),
    )


def _debts(fixture: Fixture, rows: Sequence[Attendance]) -> dict[int, tuple[Debt, ...]]:
    """What those who came still owe for evenings before."""
    people = [row.player_id for row in rows]
    old = Attendance.objects.filter(player__in=people, settled=OWING, fee__gt=0)
    old = old.filter(fixture__evening__date__lt=fixture.evening.date)
    found: dict[int, tuple[Debt, ...]] = {}
    for row in old.select_related("fixture__evening").order_by("fixture__evening__date"):
        words = amount_in_words(row.fee, fixture.club.currency)
        debt = Debt(row.pk, row.fixture.evening.date.isoformat(), words)
        found[row.player_id] = (*found.get(row.player_id, ()), debt)
    return found


def _line(row: Attendance, currency: str, debts: tuple[Debt, ...]) -> PersonLine:
    return PersonLine(
        pk=row.pk,
        name=row.player.name,
        kind=row.kind,
        kind_words=row.get_kind_display(),
        fee=row.fee,
        fee_words=amount_in_words(row.fee, currency),
        settled=row.settled,
        settled_words=row.get_settled_display(),
        debts=debts,
    )


def attendance_table(fixture: Fixture) -> Sheet:
    """The same as a table for a spreadsheet; amounts are plain numbers."""
    currency = fixture.club.currency
    rows = fixture.attendances.select_related("player", "settled_on__evening")
    return Sheet(
        "attendance",
        ("date", "evening", "name", "kind", "fee", "currency", "settled", "settled_on", "by"),
        [
            (
                Day(fixture.evening.date.isoformat()),
                fixture.evening.title,
                row.player.name,
                row.kind,
                plain_amount(row.fee, currency),
                currency,
                row.settled,
                Day(row.settled_on.evening.date.isoformat()) if row.settled_on else None,
                row.settled_by,
            )
            for row in rows.order_by("player__name")
        ],
    )
