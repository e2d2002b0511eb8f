"""Each player's contracts made and lost, and the best hand, for tie-breaks and prizes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from drives.games.contracts import Contract, Goal, PointsTable, SeveralRule, Side


class PlayedHand(NamedTuple):
    """A hand as stored: its players in seat order, their points, and its contract if any."""

    players: Sequence[int | str]
    score: Sequence[int]
    contract: Mapping[str, Any]


class HandTally(NamedTuple):
    """A player's contracts made and lost, and the points of the best hand."""

    made: int = 0
    lost: int = 0
    best: int = 0


NO_HANDS = HandTally()


def tally_hands(table: PointsTable, hands: Iterable[PlayedHand]) -> dict[int | str, HandTally]:
    """Count the contracts of each player; hands with typed scores count only as best hand."""
    made, lost = defaultdict[int | str, int](int), defaultdict[int | str, int](int)
    best: dict[int | str, int] = {}
    for hand in hands:
        for player, points in zip(hand.players, hand.score, strict=True):
            best[player] = max(points, best.get(player, points))
        for seat, is_made in _list_results(table, hand.contract):
            counts = made if is_made else lost
            counts[hand.players[seat - 1]] += 1
    return {player: HandTally(made[player], lost[player], best[player]) for player in best}


def _list_results(table: PointsTable, bid: Mapping[str, Any]) -> Iterator[tuple[int, bool]]:
    """Yield the seat of each player of a contract, and whether the player made it."""
    contract = table.by_code.get(bid.get("contract", ""))
    if contract is None:
        return
    results = _list_settlements(contract, bid)
    if contract.rule.side is not Side.EACH or table.several is SeveralRule.CAMP:
        results = [all(results)] * len(bid["by"])
    yield from zip(bid["by"], results, strict=True)


def _list_settlements(contract: Contract, bid: Mapping[str, Any]) -> list[bool]:
    if contract.rule.how is Goal.LOSES or bid.get("revokes"):
        return [False] * (len(bid["by"]) if contract.rule.side is Side.EACH else 1)
    values = bid["tricks"] if "tricks" in bid else bid["made"]
    values = values if isinstance(values, list) else [values]
    return [
        each if isinstance(each, bool) else contract.rule.is_made_by(each) for each in values
    ]
