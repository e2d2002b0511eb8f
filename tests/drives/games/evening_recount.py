"""Recount the points of a drive from its file, with the tables of the sources.

It uses no code of the program. The file's own scores count only where scores were typed.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from tests.drives.games.second_scorer import Table, score_hand

GAME_TABLES_BY_CODE = json.loads(
    (Path(__file__).parents[2] / "golden" / "games" / "hands.json").read_text("utf-8")
)["games"]
SEATS = (1, 2, 3, 4)


def count_points(file: dict[str, Any]) -> Counter[int]:
    """Return the total of each player, by number; a sit-out counts 0."""
    table = build_table(
        **{name: file["score"].get(name) for name in ("game", "custom", "house")}
    )
    totals = Counter({player["number"]: 0 for player in file["players"]})
    for round_ in file["played"]:
        for place in round_["tables"]:
            whole = [place] if "score" in place else []
            for hand in place.get("hands", whole):
                contract_data = hand.get("contract")
                points = score_hand(table, contract_data) if contract_data else hand["score"]
                assert sum(points) == 0
                totals.update(dict(zip(place["seats"], points, strict=True)))
    return totals


def build_table(game: str, custom: str | None, house: dict[str, Any] | None) -> Table:
    """Return a game's table with the changes of a variant, then those of the club."""
    table = json.loads(json.dumps(GAME_TABLES_BY_CODE[game]))
    for changes in (table["customs"][custom] if custom else {}, house or {}):
        contracts_by_code = {each["code"]: each for each in table["contracts"]}
        for code, cells in changes.get("contracts", {}).items():
            contracts_by_code[code] |= cells
        table |= {name: value for name, value in changes.items() if name != "contracts"}
    return dict(table)
