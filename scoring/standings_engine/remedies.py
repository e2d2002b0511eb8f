"""Conversion of stored rulings into the values used by the scoring methods."""

from fractions import Fraction

from django.utils.translation import gettext as _

from boards.whist.seats import Side
from scoring.methods.counting import TRICK_UNIT, ScoringUnit, build_point_unit
from scoring.methods.remedies import (
    AdjustedScore,
    AverageRuling,
    Deduction,
    FouledHandsRuling,
    ImpossibleRuling,
    NewDealRuling,
    Remedy,
    RevokeRuling,
)
from scoring.models import Ruling
from tournaments.models import Event


def get_scoring_unit(event: Event) -> ScoringUnit:
    """Return the unit that an event counts: tricks, or points up to the event's limit."""
    return TRICK_UNIT if event.most_points is None else build_point_unit(event.most_points)


def build_remedy(ruling: Ruling, scoring_unit: ScoringUnit) -> Remedy | None:
    """Return the remedy of a ruling on a play; None for a penalty, which is on an entry.

    Raises ImpossibleRuling for numbers that are impossible for a deal, and for a revoke where
    points are counted, because its penalty is in tricks.
    """
    if ruling.kind == Ruling.Kind.REVOKE:
        if scoring_unit.is_in_points:
            raise ImpossibleRuling(
                _(
                    "The law takes tricks for a revoke (Law X §4), but this event is "
                    "scored in points. Work out what the revoke changed and set adjusted "
                    "points."
                )
            )
        return RevokeRuling(
            Side(ruling.side), ruling.revokes or 0, ruling.won_before or 0, ruling.full
        )
    if ruling.kind == Ruling.Kind.ADJUSTED:
        return AdjustedScore(
            Fraction(ruling.ns_tricks), Fraction(ruling.ew_tricks), scoring_unit
        )
    return _REMEDIES_BY_RULING_KIND.get(Ruling.Kind(ruling.kind))


def build_deduction(ruling: Ruling, entry_number: int) -> Deduction:
    """Return the deduction from an entry's total that a penalty makes."""
    return Deduction(entry_number, Fraction(ruling.amount))


_REMEDIES_BY_RULING_KIND: dict[Ruling.Kind, Remedy] = {
    Ruling.Kind.AVERAGE: AverageRuling(),
    Ruling.Kind.NEW_DEAL: NewDealRuling(),
    Ruling.Kind.FOULED_BOARD: FouledHandsRuling(),
}
