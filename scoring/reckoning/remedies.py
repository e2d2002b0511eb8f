"""From stored rulings to the values that the arithmetic applies."""

from fractions import Fraction

from django.utils.translation import gettext as _

from boards.whist.seats import Side
from scoring.methods.counting import IN_TRICKS, Counting, in_points
from scoring.methods.remedies import (
    Adjusted,
    Average,
    Deduction,
    Fouled,
    ImpossibleRuling,
    NewDeal,
    Remedy,
    Revoked,
)
from scoring.models import Ruling
from tournaments.models import Event


def counting_of(event: Event) -> Counting:
    """Return the counting of an event: tricks, or points up to the event's limit."""
    return IN_TRICKS if event.most_points is None else in_points(event.most_points)


def remedy_of(ruling: Ruling, counting: Counting) -> Remedy | None:
    """Return the remedy of a ruling on a play; None for a penalty, which is not about a play.

    Raises ImpossibleRuling for numbers that are impossible for a deal. It is also raised for a
    revoke where points are counted, because its penalty is in tricks.
    """
    if ruling.kind == Ruling.Kind.REVOKE:
        if counting.in_points:
            raise ImpossibleRuling(
                _(
                    "The law takes tricks for a revoke (Law X §4), and this event counts "
                    "points. Work out with the players what the revoke changed, and set "
                    "adjusted points."
                )
            )
        return Revoked(
            Side(ruling.side), ruling.revokes or 0, ruling.won_before or 0, ruling.full
        )
    if ruling.kind == Ruling.Kind.ADJUSTED:
        return Adjusted(Fraction(ruling.ns_tricks), Fraction(ruling.ew_tricks), counting)
    return _PLAIN.get(Ruling.Kind(ruling.kind))


def deduction_of(ruling: Ruling, entry: int) -> Deduction:
    """Return the deduction of a penalty from an entry's total, with the entry's number."""
    return Deduction(entry, Fraction(ruling.amount))


_PLAIN: dict[Ruling.Kind, Remedy] = {
    Ruling.Kind.AVERAGE: Average(),
    Ruling.Kind.NEW_DEAL: NewDeal(),
    Ruling.Kind.FOULED: Fouled(),
}
