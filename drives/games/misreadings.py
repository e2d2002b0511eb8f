"""Hands that were read wrongly from a paper sheet, found by the sheet's own sums."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from drives.errors import UnreadableDrive
from drives.games.contracts import TRICKS, PointsTable, Side
from drives.games.reading import parse_hand
from drives.games.settling import SEATS

MAX_MISREADINGS = 5
Hand = Mapping[str, Any]


class Misreading(NamedTuple):
    """Another reading of a hand, by its number, with which all four sums are right."""

    number: int
    hand: Hand


def find_misreadings(
    table: PointsTable, hands: Mapping[int, Hand], differences: Sequence[int]
) -> list[Misreading]:
    """Return readings of one hand that explain the differences, written less computed.

    Other tricks come first, then other players, then other contracts.
    """
    if not any(differences):
        return []
    found: list[tuple[int, Misreading]] = []
    for number, hand in hands.items():
        points = _compute_points(table, hand)
        if points is None:
            continue
        wanted = [one + other for one, other in zip(points, differences, strict=True)]
        for effort, other_hand in _list_readings(table, hand):
            if _compute_points(table, other_hand) == wanted:
                found.append((effort, Misreading(number, other_hand)))
                break
    return [each for _effort, each in sorted(found, key=lambda each: each[0])][:MAX_MISREADINGS]


def _compute_points(table: PointsTable, hand: Hand) -> list[int] | None:
    try:
        return list(parse_hand(hand, table).points)
    except UnreadableDrive:
        return None


def _list_readings(table: PointsTable, hand: Hand) -> Iterator[tuple[int, Hand]]:
    """Yield other readings of a hand, each with a number that grows with its difference."""
    contract = table.by_code.get(hand.get("contract", ""))
    if contract is None:
        return
    yield from _list_other_results(hand)
    is_ordered = contract.rule.side is Side.EACH
    for seats in permutations(SEATS, len(hand["by"])):
        if is_ordered or list(seats) == sorted(seats):
            yield TRICKS + 1, {**hand, "by": list(seats)}
    for other in table.played:
        yield TRICKS + 2, {**hand, "contract": other.code}


def _list_other_results(hand: Hand) -> Iterator[tuple[int, Hand]]:
    tricks, made = hand.get("tricks"), hand.get("made")
    if isinstance(tricks, int):
        for other in sorted(range(TRICKS + 1), key=lambda each: abs(each - tricks)):
            yield abs(other - tricks), {**hand, "tricks": other}
    values = made if isinstance(made, list) else [made]
    if made is not None:
        for at in range(len(values)):
            flipped = [not each if n == at else each for n, each in enumerate(values)]
            yield 1, {**hand, "made": flipped if isinstance(made, list) else flipped[0]}
