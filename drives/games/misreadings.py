"""Finds hands that were probably misread from a paper sheet, because its sums do not fit."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from drives.errors import UnreadableDrive
from drives.games.contracts import TRICKS_PER_DEAL, DeclaringSide, PointsTable
from drives.games.reading import parse_hand
from drives.games.settling import SEATS

MAX_MISREADINGS = 5
HandData = Mapping[str, Any]


class Misreading(NamedTuple):
    """A hand that was probably misread from the paper.

    `hand` is the reading of hand `hand_number` that makes all four written sums right.
    """

    hand_number: int
    hand: HandData


def find_misreadings(
    points_table: PointsTable,
    hands_by_number: Mapping[int, HandData],
    differences: Sequence[int],
) -> list[Misreading]:
    """Return changes to a single hand that make all four written sums right.

    `differences` contains, for each seat, the sum on the paper minus the computed sum. Hands
    with other tricks come first, then hands with other players, then with other contracts.
    """
    if not any(differences):
        return []
    misreadings: list[tuple[int, Misreading]] = []
    for hand_number, hand in hands_by_number.items():
        points = _compute_points(points_table, hand)
        if points is None:
            continue
        written_points = [
            seat_points + sum_difference
            for seat_points, sum_difference in zip(points, differences, strict=True)
        ]
        for reading_distance, other_hand in _iter_possible_readings(points_table, hand):
            if _compute_points(points_table, other_hand) == written_points:
                misreadings.append((reading_distance, Misreading(hand_number, other_hand)))
                break
    return [
        misreading
        for _distance, misreading in sorted(misreadings, key=lambda misreading: misreading[0])
    ][:MAX_MISREADINGS]


def _compute_points(points_table: PointsTable, hand: HandData) -> list[int] | None:
    try:
        return list(parse_hand(hand, points_table).points)
    except UnreadableDrive:
        return None


def _iter_possible_readings(
    points_table: PointsTable, hand: HandData
) -> Iterator[tuple[int, HandData]]:
    """Yield (distance, hand) for hands that may have been misread as the given hand.

    Unlikely hands have a greater distance: the difference in tricks, or more than 13 if the
    players or the contract are different.
    """
    contract = points_table.contracts_by_code.get(hand.get("contract", ""))
    if contract is None:
        return
    yield from _iter_other_results(hand)
    is_ordered = contract.rule.side is DeclaringSide.EACH
    for seats in permutations(SEATS, len(hand["by"])):
        if is_ordered or list(seats) == sorted(seats):
            yield TRICKS_PER_DEAL + 1, {**hand, "by": list(seats)}
    for other_contract in points_table.playable_contracts:
        yield TRICKS_PER_DEAL + 2, {**hand, "contract": other_contract.code}


def _iter_other_results(hand: HandData) -> Iterator[tuple[int, HandData]]:
    tricks, raw_made_results = hand.get("tricks"), hand.get("made")
    if isinstance(tricks, int):
        for other_tricks in sorted(
            range(TRICKS_PER_DEAL + 1), key=lambda count: abs(count - tricks)
        ):
            yield abs(other_tricks - tricks), {**hand, "tricks": other_tricks}
    made_values = raw_made_results if isinstance(raw_made_results, list) else [raw_made_results]
    if raw_made_results is not None:
        for index in range(len(made_values)):
            flipped_results = [
                not is_made if result_index == index else is_made
                for result_index, is_made in enumerate(made_values)
            ]
            yield (
                1,
                {
                    **hand,
                    "made": flipped_results
                    if isinstance(raw_made_results, list)
                    else flipped_results[0],
                },
            )
