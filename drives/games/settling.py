"""The points of one hand: from a contract and its tricks to four numbers that add up to 0."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.games.contracts import Contract, Goal, PointsTable, SeveralRule, Side

SEATS = (1, 2, 3, 4)
OPPONENTS = 3
MADE, LOST, AGAINST, FINE = "made", "lost", "against", "fine"
"""The origins of points, as files name them."""


class Fine(NamedTuple):
    """A fine: the player at `by` pays `each` to each of the other three."""

    by: int
    each: int
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class BidHand:
    """A hand as it was bid and played; `by` are seats.

    Players who settle one by one have one number of `tricks`, or one value of `made`, each. A
    stopped hand has no contract, only fines.
    """

    contract: Contract | None = None
    by: tuple[int, ...] = ()
    tricks: tuple[int, ...] = ()
    made: tuple[bool, ...] = ()
    passed: int = 0
    times: int = 1
    revokes: int = 0
    fines: tuple[Fine, ...] = ()


class Line(NamedTuple):
    """Points of one seat, their origin, and the players of the contract or the fined one."""

    seat: int
    origin: str
    points: int
    by: tuple[int, ...]


class Part(NamedTuple):
    """One settlement of a hand: its players, whether they made it, tricks if known, price."""

    by: tuple[int, ...]
    is_made: bool
    tricks: int | None
    price: int


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """The points of a hand in seat order, and the lines from which they come."""

    hand: BidHand
    multiple: int
    parts: tuple[Part, ...]
    lines: tuple[Line, ...]

    @property
    def points(self) -> tuple[int, ...]:
        """The points of the four seats; their sum is 0."""
        return tuple(sum(line.points for line in self.lines if line.seat == s) for s in SEATS)


def settle_hand(table: PointsTable, hand: BidHand) -> Settlement:
    """Compute the points of a hand.

    Raises UnreadableDrive if three players would have to share points that are not a multiple
    of three.
    """
    multiple = table.compute_multiple(hand.passed, hand.times)
    parts = tuple(_settle_parts(table, hand, multiple))
    lines = [line for part in parts for line in _list_lines(part)]
    lines += [line for fine in hand.fines for line in _list_fine_lines(fine)]
    return Settlement(hand=hand, multiple=multiple, parts=parts, lines=tuple(lines))


def _settle_parts(table: PointsTable, hand: BidHand, multiple: int) -> Iterator[Part]:
    contract = hand.contract
    if contract is None:
        return
    count = len(hand.by) if contract.rule.side is Side.EACH else 1
    results = [_find_result(contract, hand, at) for at in range(count)]
    prices = [_compute_price(table, hand, contract, *result) * multiple for result in results]
    if count == 1:
        yield Part(hand.by, results[0][0] and not hand.revokes, results[0][1], prices[0])
    elif table.several is SeveralRule.CAMP:
        is_made = all(made for made, _tricks in results)
        at = 0 if is_made else next(n for n, (made, _t) in enumerate(results) if not made)
        yield Part(hand.by, is_made, None, prices[at])
    else:
        for who, (is_made, tricks), price in zip(hand.by, results, prices, strict=True):
            yield Part((who,), is_made, tricks, price)


def _find_result(contract: Contract, hand: BidHand, at: int) -> tuple[bool, int | None]:
    if contract.rule.how is Goal.LOSES:
        return False, None
    if hand.made:
        return hand.made[at], None
    return contract.rule.is_made_by(hand.tricks[at]), hand.tricks[at]


def _compute_price(
    table: PointsTable, hand: BidHand, contract: Contract, is_made: bool, tricks: int | None
) -> int:
    rule = contract.rule
    if hand.revokes and table.revoke is not None:
        if rule.needs_all_or_none:
            return rule.compute_lost(1) * (table.revoke.times or 1)
        if tricks is not None and table.revoke.tricks is not None:
            short = (rule.wants or 0) - tricks + table.revoke.tricks * hand.revokes
            return rule.compute_lost(short) if short > 0 else rule.compute_made(0)
    times = (table.revoke.times or 1) if hand.revokes and table.revoke else 1
    if tricks is not None:
        return rule.compute_price(tricks) * times
    return (rule.compute_made(0) if is_made else rule.compute_lost(1)) * times


def _list_lines(part: Part) -> Iterator[Line]:
    """List the points of one settlement: each opponent pays or receives its price."""
    opponents = [seat for seat in SEATS if seat not in part.by]
    share, rest = divmod(part.price * len(opponents), len(part.by))
    if rest:
        words = _("three players can't share %(points)s. Enter the points of the hand.")
        raise UnreadableDrive(words % {"points": part.price})
    sign, origin = (1, MADE) if part.is_made else (-1, LOST)
    for seat in SEATS:
        if seat in part.by:
            yield Line(seat, origin, sign * share, part.by)
        else:
            yield Line(seat, AGAINST, -sign * part.price, part.by)


def _list_fine_lines(fine: Fine) -> Iterator[Line]:
    for seat in SEATS:
        points = -OPPONENTS * fine.each if seat == fine.by else fine.each
        yield Line(seat, FINE, points, (fine.by,))


def sum_points(settled: Sequence[Settlement]) -> list[int]:
    """Return the sum of several hands, by seat."""
    return [sum(column) for column in zip(*(s.points for s in settled), strict=True)] or [0] * 4
