"""Settled hands, tables and games as data, for the command and the API."""

from collections.abc import Mapping, Sequence
from typing import Any

from drives.games import GAMES
from drives.games.contracts import Game, PointsTable
from drives.games.explaining import explain_hand
from drives.games.house import build_points_table, build_table_data, list_changed_cells
from drives.games.reading import HandFile
from drives.games.settling import Settlement, sum_points


def build_hand_result(
    table: PointsTable, settled: Settlement, names: Sequence[str]
) -> dict[str, Any]:
    """Return the points of one hand, their lines and their explanation."""
    return {
        "made": [part.is_made for part in settled.parts],
        "stake": [part.price for part in settled.parts],
        "times": settled.multiple,
        "points": list(settled.points),
        "lines": [
            {"seat": line.seat, "from": line.origin, "points": line.points}
            for line in settled.lines
        ],
        "told": explain_hand(table, settled, names, use_titles=True),
    }


def build_hands_data(file: HandFile) -> dict[str, Any]:
    """Return the points of all hands of a file, and their sums in seat order."""
    names = [str(each) for each in file.seats]
    hands = [
        {"hand": number} | build_hand_result(file.table, settled, names)
        for number, settled in enumerate(file.settlements, start=1)
    ]
    return {"hands": hands, "total": sum_points(file.settlements)}


def build_game_data(
    game: Game, variant: str | None, house: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the table of points in force, with the cells that the house changed."""
    table = build_points_table(game, variant, house)
    unchanged = build_points_table(game, variant, {})
    return {
        "game": game.code,
        "title": str(game.title),
        "custom": variant,
        "source": str(game.source),
        "doubt": str(game.doubt),
        **build_table_data(table),
        "changed": list_changed_cells(unchanged, table),
    }


def build_games_data() -> dict[str, Any]:
    """Return all games with their ready variants."""
    return {
        "games": [
            {
                "game": game.code,
                "title": str(game.title),
                "blurb": str(game.blurb),
                "source": str(game.source),
                "doubt": str(game.doubt),
                "customs": {each.code: str(each.title) for each in game.variants},
            }
            for game in GAMES.values()
        ]
    }
