"""Random tables of houses and random hands that are valid under them."""

import random
from typing import Any

from drives.games import GAMES

Table = dict[str, Any]


def make_house(chance: random.Random, code: str) -> dict[str, Any]:
    """Return random changes of a game's table, valid under its rules."""
    game = GAMES[code]
    cells: dict[str, Any] = {}
    for contract in chance.sample(game.table.contracts, k=min(5, len(game.table.contracts))):
        rule, change = contract.rule, {"played": chance.random() < 0.8}
        if rule.wants is not None:
            most = 14 - rule.wants
            change["made"] = draw_points(chance, chance.randint(1, most))
            change["made_step"] = chance.choice((0, 0, 1, 7))
            change["lost_step"] = chance.choice((0, 0, 1, 7))
        change["lost"] = draw_points(chance, chance.randint(1, 5))
        cells[contract.code] = change
    if chance.random() < 0.3:
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
        "passed": chance.choice(("redeal", "double-next", "adds")),
        "several": chance.choice(("each", "each", "camp")),
        "times": chance.choice(([], [2], [2, 4])),
        "revoke": chance.choice((None, {"tricks": 3}, {"times": 2})),
    }


def draw_points(chance: random.Random, count: int) -> list[int]:
    return [3 * chance.randint(0, 60) for _ in range(count)]


def make_hand(chance: random.Random, table: Table) -> dict[str, Any]:
    """Return a random hand that a table of points accepts."""
    contract = chance.choice([c for c in table["contracts"] if c["played"]])
    counts = {"alone": (1,), "pair": (2,), "pair-or-alone": (1, 2), "each": (1, 2, 3, 4)}
    if table["several"] == "camp":  # three can share only multiples of three
        counts["each"] = (1, 2, 4)
    by = chance.sample(range(1, 5), chance.choice(counts[contract["side"]]))
    hand: dict[str, Any] = {"contract": contract["code"], "by": by}
    if chance.random() < 0.3:
        hand["passed"] = chance.randint(0, 9)
    if table["times"] and chance.random() < 0.3:
        hand["times"] = chance.choice(table["times"])
    single = contract["side"] != "each" or len(by) == 1
    if table["revoke"] and single and chance.random() < 0.2:
        hand["revokes"] = chance.randint(1, 4)
    if contract["how"] == "loses":
        return hand
    flat = contract["how"] != "least"
    if flat and chance.random() < 0.5:
        made = [chance.random() < 0.5 for _who in by]
        return hand | {"made": made if contract["side"] == "each" else made[0]}
    tricks = (
        _split_tricks(chance, len(by)) if contract["side"] == "each" else chance.randint(0, 13)
    )
    return hand | {"tricks": tricks}


def _split_tricks(chance: random.Random, count: int) -> list[int]:
    left, actual = 13, []
    for _who in range(count):
        actual.append(chance.randint(0, min(left, 4)))
        left -= actual[-1]
    return actual
