"""Value objects for the rulings that a director may make on a play or on an entry."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError
from boards.whist.seats import Side
from scoring.methods.counting import TRICK_UNIT, TRICKS_PER_DEAL, ScoringUnit


class ImpossibleRuling(WhistError, ValueError):
    """Raised for a ruling whose numbers are impossible for a deal."""

    code = "impossible_ruling"


class PlayOutcome(StrEnum):
    """The outcome of one play of a deal before any ruling (rules F5)."""

    NOT_YET_PLAYED = "to_come"
    PLAYED = "played"
    SPOILED = "spoiled"
    NOT_PLAYED = "not_played"


@dataclass(frozen=True, slots=True)
class PlayResult:
    """One play of a deal as it was entered, before any ruling."""

    play_number: int
    """A unique positive number, by which rulings refer to the play."""
    deal_number: int
    ns_entries: tuple[int, ...]  # the numbers of the entries
    ew_entries: tuple[int, ...]
    ns_tricks: int | None = None
    outcome: PlayOutcome = PlayOutcome.PLAYED
    round_number: int = 1
    """The round in which this table played the deal; a new deal voids earlier rounds."""
    deal_copy_number: int = 0
    """The copy of the deal, if each of several sections has its own."""
    is_overplay: bool = False
    match_number: int = 0
    points_won: int | None = None
    """The points that N-S won, where points are counted."""
    scoring_unit: ScoringUnit = TRICK_UNIT

    def __post_init__(self) -> None:
        if (self.ns_tricks is None) == (self.outcome is PlayOutcome.PLAYED):
            raise ImpossibleRuling(_("Only a deal that was played has tricks."))
        if self.ns_tricks is not None:
            _check_in_range(self.ns_tricks, self.scoring_unit)

    def get_tricks(self, side: Side) -> int | None:
        """Return the tricks of a side, or its points where points are counted.

        The two sides add up to thirteen tricks, or to zero points. Returns None if the deal was
        not played.
        """
        if self.ns_tricks is None or side is Side.NS:
            return self.ns_tricks
        return self.scoring_unit.both_sides_total - self.ns_tricks


@dataclass(frozen=True, slots=True)
class RevokeRuling:
    """A side's revokes in one deal, and the tricks it had won before them (Law X §4)."""

    side: Side
    revoke_count: int = 1  # the number of revokes
    tricks_won_before_revoke: int = 0  # tricks won before the first revoke
    is_full_penalty: bool = False
    """Whether the committee enforces the full penalty in a pair match."""

    def __post_init__(self) -> None:
        if not 1 <= self.revoke_count <= TRICKS_PER_DEAL:
            raise ImpossibleRuling(
                _("Enter 1–13 revokes, not %(times)s.") % {"times": self.revoke_count}
            )
        if not 0 <= self.tricks_won_before_revoke <= TRICKS_PER_DEAL:
            raise ImpossibleRuling(
                _("Enter 0–13 tricks won before the revoke, not %(tricks)s.")
                % {"tricks": self.tricks_won_before_revoke}
            )


@dataclass(frozen=True, slots=True)
class AverageRuling:
    """A ruling that both sides take the average of the deal (Laws IV §9-10, V §1)."""


@dataclass(frozen=True, slots=True)
class NewDealRuling:
    """A ruling that the deal is void here and at every earlier table; later tables play a new
    one.
    """


@dataclass(frozen=True, slots=True)
class FouledHandsRuling:
    """A ruling that the hands were changed from this play on; earlier plays are compared
    separately.
    """


@dataclass(frozen=True, slots=True)
class AdjustedScore:
    """A value for each side, set by the director.

    The two values need not add up to thirteen tricks, or to zero points.
    """

    ns_tricks: Fraction
    ew_tricks: Fraction
    scoring_unit: ScoringUnit = TRICK_UNIT

    def __post_init__(self) -> None:
        for tricks in (self.ns_tricks, self.ew_tricks):
            if self.scoring_unit.is_in_points:
                _check_in_range(tricks, self.scoring_unit)
            elif not 0 <= tricks <= TRICKS_PER_DEAL:
                raise ImpossibleRuling(
                    _("Enter 0–13 tricks, not %(tricks)s.") % {"tricks": tricks}
                )


Remedy = RevokeRuling | AverageRuling | NewDealRuling | FouledHandsRuling | AdjustedScore


@dataclass(frozen=True, slots=True)
class Deduction:
    """A deduction from an entry's total, in the method's unit; a negative one is an award."""

    entry_number: int
    amount: Fraction


def _check_in_range(tricks_or_points: Fraction | int, scoring_unit: ScoringUnit) -> None:
    if scoring_unit.minimum <= tricks_or_points <= scoring_unit.maximum:
        return
    message = _("Enter 0–13 tricks, not %(made)s.")
    if scoring_unit.is_in_points:
        message = _("Enter %(least)s to %(most)s points, not %(made)s.")
    raise ImpossibleRuling(
        message
        % {
            "made": tricks_or_points,
            "least": scoring_unit.minimum,
            "most": scoring_unit.maximum,
        }
    )
