"""Create random house tables and random hands that are valid under them."""

import random
from typing import Any

from drives.games import GAMES_BY_CODE

Table = dict[str, Any]


def make_house_rules(rng: random.Random, code: str) -> dict[str, Any]:
    """Return random changes of a game's table, valid under its rules."""
    game = GAMES_BY_CODE[code]
    cells: dict[str, Any] = {}
    for contract in rng.sample(
        game.points_table.contracts, k=min(5, len(game.points_table.contracts))
    ):
        rule, change = contract.rule, {"played": rng.random() < 0.8}
        if rule.wants is not None:
            max_tricks = 14 - rule.wants
            change["made"] = draw_points(rng, rng.randint(1, max_tricks))
            change["made_step"] = rng.choice((0, 0, 1, 7))
            change["lost_step"] = rng.choice((0, 0, 1, 7))
        change["lost"] = draw_points(rng, rng.randint(1, 5))
        cells[contract.code] = change
    if rng.random() < 0.3:
        cells["own-1"] = {
            "title": "Our own",
            "key": "zz",
            "side": "each",
            "how": "most",
            "wants": 2,
            "made": [9],
            "lost": [6],
        }
    return {
        "contracts": cells,
        "passed": rng.choice(("redeal", "double-next", "adds")),
        "several": rng.choice(("each", "each", "camp")),
        "times": rng.choice(([], [2], [2, 4])),
        "revoke": rng.choice((None, {"tricks": 3}, {"times": 2})),
    }


def draw_points(rng: random.Random, count: int) -> list[int]:
    return [3 * rng.randint(0, 60) for _ in range(count)]


def make_hand(rng: random.Random, table: Table) -> dict[str, Any]:
    """Return a random hand that a table of points accepts."""
    contract = rng.choice([c for c in table["contracts"] if c["played"]])
    player_counts = {"alone": (1,), "pair": (2,), "pair-or-alone": (1, 2), "each": (1, 2, 3, 4)}
    if table["several"] == "camp":  # three players can only share multiples of three
        player_counts["each"] = (1, 2, 4)
    by = rng.sample(range(1, 5), rng.choice(player_counts[contract["side"]]))
    hand: dict[str, Any] = {"contract": contract["code"], "by": by}
    if rng.random() < 0.3:
        hand["passed"] = rng.randint(0, 9)
    if table["times"] and rng.random() < 0.3:
        hand["times"] = rng.choice(table["times"])
    has_single_result = contract["side"] != "each" or len(by) == 1
    if table["revoke"] and has_single_result and rng.random() < 0.2:
        hand["revokes"] = rng.randint(1, 4)
    if contract["how"] == "loses":
        return hand
    is_flat_rate = contract["how"] != "least"
    if is_flat_rate and rng.random() < 0.5:
        results = [rng.random() < 0.5 for _who in by]
        return hand | {"made": results if contract["side"] == "each" else results[0]}
    tricks = _split_tricks(rng, len(by)) if contract["side"] == "each" else rng.randint(0, 13)
    return hand | {"tricks": tricks}


def _split_tricks(rng: random.Random, count: int) -> list[int]:
    tricks_left, trick_counts = 13, []
    for _who in range(count):
        trick_counts.append(rng.randint(0, min(tricks_left, 4)))
        tricks_left -= trick_counts[-1]
    return trick_counts
