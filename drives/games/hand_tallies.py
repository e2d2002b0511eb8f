"""Each player's contracts made and lost, and the best hand, for tie-breaks and prizes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from drives.games.contracts import (
    Contract,
    DeclaringSide,
    PointsTable,
    SeveralBiddersRule,
    TrickGoal,
)


class PlayedHand(NamedTuple):
    """A hand as stored: its players in seat order, their points, and its contract if any."""

    players: Sequence[int | str]
    seat_scores: Sequence[int]
    hand_data: Mapping[str, Any]


class HandTally(NamedTuple):
    """A player's contracts made and lost, and the points of the best hand."""

    made_contract_count: int = 0
    lost_contract_count: int = 0
    best_points: int = 0


EMPTY_TALLY = HandTally()


def tally_hands(
    points_table: PointsTable, hands: Iterable[PlayedHand]
) -> dict[int | str, HandTally]:
    """Return each player's contracts made and lost, and the points of the best hand.

    A hand whose points were typed has no contract, so it can only be a player's best hand.
    """
    made_counts_by_player, lost_counts_by_player = (
        defaultdict[int | str, int](int),
        defaultdict[int | str, int](int),
    )
    best_points_by_player: dict[int | str, int] = {}
    for hand in hands:
        for player, points in zip(hand.players, hand.seat_scores, strict=True):
            best_points_by_player[player] = max(
                points, best_points_by_player.get(player, points)
            )
        for seat_number, is_made in _list_results(points_table, hand.hand_data):
            result_counts = made_counts_by_player if is_made else lost_counts_by_player
            result_counts[hand.players[seat_number - 1]] += 1
    return {
        player: HandTally(
            made_counts_by_player[player],
            lost_counts_by_player[player],
            best_points_by_player[player],
        )
        for player in best_points_by_player
    }


def _list_results(
    points_table: PointsTable, hand_data: Mapping[str, Any]
) -> Iterator[tuple[int, bool]]:
    """Yield the seat of each player of a contract, and whether the player made it.

    This does not use `settle_hand`, because reading each hand again is 30 times slower.
    """
    contract = points_table.contracts_by_code.get(hand_data.get("contract", ""))
    if contract is None:
        return
    results = _list_made_results(contract, hand_data)
    if (
        contract.rule.side is not DeclaringSide.EACH
        or points_table.several is SeveralBiddersRule.TOGETHER
    ):
        results = [all(results)] * len(hand_data["by"])
    yield from zip(hand_data["by"], results, strict=True)


def _list_made_results(contract: Contract, hand_data: Mapping[str, Any]) -> list[bool]:
    """Return one result for all players of a contract, or one for each: true if it was made."""
    if contract.rule.goal is TrickGoal.ALWAYS_LOSES or hand_data.get("revokes"):
        return [False] * (
            len(hand_data["by"]) if contract.rule.side is DeclaringSide.EACH else 1
        )
    results = hand_data["tricks"] if "tricks" in hand_data else hand_data["made"]
    results = results if isinstance(results, list) else [results]
    return [
        result if isinstance(result, bool) else contract.rule.is_made_by(result)
        for result in results
    ]
