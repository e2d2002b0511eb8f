"""A second, independent scorer of hands, which reads the data of a points table."""

from typing import Any

Hand = dict[str, Any]
Table = dict[str, Any]


def score_hand(table: Table, hand: Hand) -> list[int]:
    """Return the points of the four seats; seats are 1 to 4."""
    points = dict.fromkeys(range(1, 5), 0)
    if "contract" in hand:
        contract = next(c for c in table["contracts"] if c["code"] == hand["contract"])
        for camp, value in list_camp_values(table, contract, hand):
            pay_value(points, camp, value * compute_multiplier(table, hand))
    for fine in hand.get("fines", ()):
        for seat in points:
            points[seat] += fine["each"]
        points[fine["by"]] -= 4 * fine["each"]
    return list(points.values())


def pay_value(points: dict[int, int], camp: list[int], value: int) -> None:
    """Add the payments of a value by each opponent, shared by the players of a camp."""
    opponents = set(points) - set(camp)
    for seat in points:
        gain = value * len(opponents) // len(camp)
        points[seat] += gain if seat in camp else -value


def compute_multiplier(table: Table, hand: Hand) -> int:
    passed_deal_count = hand.get("passed", 0)
    multiple_by_rule = {
        "redeal": 1,
        "double-next": min(passed_deal_count, 1) + 1,
        "adds": passed_deal_count + 1,
    }
    return multiple_by_rule[table["passed"]] * hand.get("times", 1)


def list_camp_values(
    table: Table, contract: dict[str, Any], hand: Hand
) -> list[tuple[list[int], int]]:
    """Return the camps that are scored, each with the signed points from each opponent."""
    by = hand["by"]
    if contract["side"] != "each":
        return [(by, compute_value(table, contract, hand, list_hand_results(hand)[0]))]
    values = [
        compute_value(table, contract, hand, hand_result)
        for hand_result in list_hand_results(hand)
    ]
    if len(by) > 1 and table["several"] == "camp":
        return [(by, min(values))]
    return [([player], player_value) for player, player_value in zip(by, values, strict=True)]


def list_hand_results(hand: Hand) -> list[Any]:
    """Return a hand's tricks or results, one for each player or side that is scored."""
    tricks = hand["tricks"] if "tricks" in hand else hand.get("made")
    return tricks if isinstance(tricks, list) else [tricks]


def compute_value(table: Table, contract: dict[str, Any], hand: Hand, result: Any) -> int:
    """Return the signed points for tricks or a result, or None if the player pays."""
    revokes, rule = hand.get("revokes", 0), table["revoke"] or {}
    if not revokes:
        return compute_plain_value(contract, result)
    times = rule.get("times", 1)
    if contract["how"] != "least" or contract["wants"] == 13:
        return -contract["lost"][0] * times
    if "times" in rule:
        return -abs(compute_plain_value(contract, result)) * times
    tricks_left = result - revokes * rule["tricks"]
    if tricks_left >= contract["wants"]:
        return -int(contract["made"][0])
    return compute_plain_value(contract, tricks_left)


def compute_plain_value(contract: dict[str, Any], result: Any) -> int:
    if result is None or result is False:
        return -int(contract["lost"][0])
    if result is True:
        return int(contract["made"][0])
    if contract["how"] != "least":
        is_made = (
            result <= contract["wants"]
            if contract["how"] == "most"
            else result == contract["wants"]
        )
        return int(contract["made"][0] if is_made else -contract["lost"][0])
    tricks_over = result - contract["wants"]
    if tricks_over >= 0:
        return find_step_points(contract["made"], contract["made_step"], tricks_over)
    return -find_step_points(contract["lost"], contract["lost_step"], -tricks_over - 1)


def find_step_points(step_points: list[int], step: int, position: int) -> int:
    """Return the price at a position; beyond the list, add its step for each position."""
    price = step_points[0]
    for step_number in range(1, position + 1):
        price = step_points[step_number] if step_number < len(step_points) else price + step
    return price
