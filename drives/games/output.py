"""Converts hands, points tables and games to JSON data for the `drive` command and the API."""

from collections.abc import Mapping, Sequence
from typing import Any

from drives.games import GAMES_BY_CODE
from drives.games.contracts import Game, PointsTable
from drives.games.explaining import explain_hand
from drives.games.house import build_points_table, build_points_table_data, list_changed_cells
from drives.games.reading import HandFile
from drives.games.settling import Settlement, sum_points


def build_hand_result(
    points_table: PointsTable, settlement: Settlement, player_names: Sequence[str]
) -> dict[str, Any]:
    """Return the points of one hand, the amounts that add up to them, and an explanation."""
    return {
        "made": [settlement_part.is_made for settlement_part in settlement.parts],
        "stake": [settlement_part.points_per_opponent for settlement_part in settlement.parts],
        "times": settlement.points_multiple,
        "points": list(settlement.points),
        "lines": [
            {
                "seat": points_line.seat_number,
                "from": points_line.points_origin,
                "points": points_line.points,
            }
            for points_line in settlement.points_lines
        ],
        "told": explain_hand(points_table, settlement, player_names),
    }


def build_hands_data(hand_file: HandFile) -> dict[str, Any]:
    """Return the points of all hands of a file, and their sums in seat order."""
    player_names = [str(seat) for seat in hand_file.seats]
    hands = [
        {"hand": hand_number}
        | build_hand_result(hand_file.points_table, settlement, player_names)
        for hand_number, settlement in enumerate(hand_file.settlements, start=1)
    ]
    total_by_seat = sum_points(settlement.points for settlement in hand_file.settlements)
    return {"hands": hands, "total": total_by_seat}


def build_game_data(
    game: Game, variant_code: str | None, club_changes: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the points table of a game as JSON data.

    The item "changed" lists what the club has changed, e.g. "misere.made".
    """
    points_table = build_points_table(game, variant_code, club_changes)
    unchanged_points_table = build_points_table(game, variant_code, {})
    return {
        "game": game.code,
        "title": str(game.title),
        "custom": variant_code,
        "source": str(game.source),
        "doubt": str(game.doubt),
        **build_points_table_data(points_table),
        "changed": list_changed_cells(unchanged_points_table, points_table),
    }


def build_games_data() -> dict[str, Any]:
    """Return all games with their predefined variants."""
    return {
        "games": [
            {
                "game": game.code,
                "title": str(game.title),
                "blurb": str(game.blurb),
                "source": str(game.source),
                "doubt": str(game.doubt),
                "customs": {variant.code: str(variant.title) for variant in game.variants},
            }
            for game in GAMES_BY_CODE.values()
        ]
    }
