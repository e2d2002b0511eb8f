"""From ruling rows to the values that the arithmetic applies."""

from fractions import Fraction

from boards.whist.seats import Side
from scoring.methods.remedies import (
    Adjusted,
    Average,
    Deduction,
    Fouled,
    NewDeal,
    Remedy,
    Revoked,
)
from scoring.models import Ruling


def remedy_of(ruling: Ruling) -> Remedy | None:
    """Return what a ruling does to a play; None for a penalty, which no play bears.

    Raises ImpossibleRuling for figures that no deal can have.
    """
    if ruling.kind == Ruling.Kind.REVOKE:
        return Revoked(
            Side(ruling.side), ruling.revokes or 0, ruling.won_before or 0, ruling.full
        )
    if ruling.kind == Ruling.Kind.ADJUSTED:
        return Adjusted(Fraction(ruling.ns_tricks), Fraction(ruling.ew_tricks))
    return _PLAIN.get(Ruling.Kind(ruling.kind))


def deduction_of(ruling: Ruling, entry: int) -> Deduction:
    """Return what a penalty takes off the total of an entry, by its number."""
    return Deduction(entry, Fraction(ruling.amount))


_PLAIN: dict[Ruling.Kind, Remedy] = {
    Ruling.Kind.AVERAGE: Average(),
    Ruling.Kind.NEW_DEAL: NewDeal(),
    Ruling.Kind.FOULED: Fouled(),
}
