"""Computes the points of a hand: four numbers that add up to 0."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.games.contracts import (
    Contract,
    DeclaringSide,
    PointsTable,
    SeveralBiddersRule,
    TrickGoal,
)

SEATS = (1, 2, 3, 4)
OPPONENT_COUNT = 3
POINTS_ORIGIN_MADE, POINTS_ORIGIN_LOST, POINTS_ORIGIN_OPPONENTS, POINTS_ORIGIN_FINE = (
    "made",
    "lost",
    "against",
    "fine",
)
"""The origins of points; the values are codes of files."""


class Fine(NamedTuple):
    """A fine: the player in seat `payer_seat` pays `points_per_opponent` to the others."""

    payer_seat: int
    points_per_opponent: int
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class BidHand:
    """A hand as it was bid and played; `declarers` are the seats of the contract's players.

    If the declarers settle separately, each has one number of `tricks` or one value in
    `made_results`. Otherwise there is one value. `passed` is the number of passed deals before
    the hand, and `table_multiple` the multiple entered at the table. A stopped hand has only
    fines.
    """

    contract: Contract | None = None
    declarers: tuple[int, ...] = ()
    tricks: tuple[int, ...] = ()
    made_results: tuple[bool, ...] = ()
    passed: int = 0
    table_multiple: int = 1
    revokes: int = 0
    fines: tuple[Fine, ...] = ()


class PointsLine(NamedTuple):
    """Points that one seat wins or loses, with their origin.

    `declarers` are the seats of the declarers, or the seat of the player who is fined.
    """

    seat_number: int
    points_origin: str
    points: int
    declarers: tuple[int, ...]


class SettlementPart(NamedTuple):
    """The result of declarers who win or lose together.

    `points_per_opponent` is the number of points that each opponent pays or receives.
    """

    declarers: tuple[int, ...]
    is_made: bool
    tricks: int | None
    points_per_opponent: int


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """The result of a hand. Its `points` are the sums of its `points_lines` for each seat."""

    hand: BidHand
    points_multiple: int
    parts: tuple[SettlementPart, ...]
    points_lines: tuple[PointsLine, ...]

    @property
    def points(self) -> tuple[int, ...]:
        """The points of the four seats; their sum is 0."""
        return tuple(
            sum(
                points_line.points
                for points_line in self.points_lines
                if points_line.seat_number == seat_number
            )
            for seat_number in SEATS
        )


def settle_hand(points_table: PointsTable, hand: BidHand) -> Settlement:
    """Compute the points of a hand.

    Raises UnreadableDrive if three players would have to share points that are not a multiple
    of three.
    """
    points_multiple = points_table.compute_multiple(hand.passed, hand.table_multiple)
    settlement_parts = tuple(_settle_parts(points_table, hand, points_multiple))
    points_lines = [
        points_line
        for settlement_part in settlement_parts
        for points_line in _iter_settlement_lines(settlement_part)
    ]
    points_lines += [
        points_line for fine in hand.fines for points_line in _list_fine_lines(fine)
    ]
    return Settlement(
        hand=hand,
        points_multiple=points_multiple,
        parts=settlement_parts,
        points_lines=tuple(points_lines),
    )


def _settle_parts(
    points_table: PointsTable, hand: BidHand, points_multiple: int
) -> Iterator[SettlementPart]:
    contract = hand.contract
    if contract is None:
        return
    settlement_count = len(hand.declarers) if contract.rule.side is DeclaringSide.EACH else 1
    results = [
        _find_result(contract, hand, result_index) for result_index in range(settlement_count)
    ]
    points_by_result = [
        _compute_points_per_opponent(points_table, hand, contract, *result) * points_multiple
        for result in results
    ]
    if settlement_count == 1:
        yield SettlementPart(
            hand.declarers,
            results[0][0] and not hand.revokes,
            results[0][1],
            points_by_result[0],
        )
    elif points_table.several is SeveralBiddersRule.TOGETHER:
        lost_indexes = [
            index for index, (is_made, _tricks) in enumerate(results) if not is_made
        ]
        result_index = lost_indexes[0] if lost_indexes else 0
        yield SettlementPart(
            hand.declarers, not lost_indexes, None, points_by_result[result_index]
        )
    else:
        for declarer, (is_made, tricks), points_per_opponent in zip(
            hand.declarers, results, points_by_result, strict=True
        ):
            yield SettlementPart((declarer,), is_made, tricks, points_per_opponent)


def _find_result(
    contract: Contract, hand: BidHand, result_index: int
) -> tuple[bool, int | None]:
    if contract.rule.goal is TrickGoal.ALWAYS_LOSES:
        return False, None
    if hand.made_results:
        return hand.made_results[result_index], None
    return contract.rule.is_made_by(hand.tricks[result_index]), hand.tricks[result_index]


def _compute_points_per_opponent(
    points_table: PointsTable,
    hand: BidHand,
    contract: Contract,
    is_made: bool,
    tricks: int | None,
) -> int:
    rule, revoke = contract.rule, points_table.revoke if hand.revokes else None
    revoke_multiplier = revoke.times or 1 if revoke else 1
    if revoke and rule.is_all_or_none:
        return rule.compute_lost_points(1) * revoke_multiplier
    if revoke and revoke.tricks and tricks is not None:
        missing_tricks = (rule.wants or 0) - tricks + revoke.tricks * hand.revokes
        if missing_tricks > 0:
            return rule.compute_lost_points(missing_tricks)
        return rule.compute_made_points(0)
    if tricks is not None:
        return rule.compute_points(tricks) * revoke_multiplier
    return (
        rule.compute_made_points(0) if is_made else rule.compute_lost_points(1)
    ) * revoke_multiplier


def _iter_settlement_lines(settlement_part: SettlementPart) -> Iterator[PointsLine]:
    """Yield the points of all four seats for one part of a settlement."""
    opponents = [
        seat_number for seat_number in SEATS if seat_number not in settlement_part.declarers
    ]
    points_per_declarer, remainder = divmod(
        settlement_part.points_per_opponent * len(opponents), len(settlement_part.declarers)
    )
    if remainder:
        message = _("%(points)s doesn’t divide by three. Enter the hand’s points.")
        raise UnreadableDrive(message % {"points": settlement_part.points_per_opponent})
    sign, points_origin = (
        (1, POINTS_ORIGIN_MADE) if settlement_part.is_made else (-1, POINTS_ORIGIN_LOST)
    )
    for seat_number in SEATS:
        if seat_number in settlement_part.declarers:
            yield PointsLine(
                seat_number,
                points_origin,
                sign * points_per_declarer,
                settlement_part.declarers,
            )
        else:
            yield PointsLine(
                seat_number,
                POINTS_ORIGIN_OPPONENTS,
                -sign * settlement_part.points_per_opponent,
                settlement_part.declarers,
            )


def _list_fine_lines(fine: Fine) -> Iterator[PointsLine]:
    for seat_number in SEATS:
        points = (
            -OPPONENT_COUNT * fine.points_per_opponent
            if seat_number == fine.payer_seat
            else fine.points_per_opponent
        )
        yield PointsLine(seat_number, POINTS_ORIGIN_FINE, points, (fine.payer_seat,))


def sum_points(points_of_hands: Iterable[Sequence[int]]) -> list[int]:
    """Return the sum of the points of several hands for each seat."""
    return [sum(points) for points in zip(*points_of_hands, strict=True)] or [0] * len(SEATS)
