"""Test the points of 177 hands and 28 refusals from printed rules and other programs."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from drives.errors import UnreadableDrive
from drives.games import GAMES_BY_CODE
from drives.games.house import build_points_table, build_points_table_data
from drives.games.reading import build_hand_data, parse_hand, parse_hand_file

VECTORS = json.loads(
    (Path(__file__).parents[2] / "golden" / "games" / "hands.json").read_text(encoding="utf-8")
)


def test_vectors_are_complete() -> None:
    assert len(VECTORS["vectors"]) == 177
    assert len(VECTORS["refused_hands"]) + len(VECTORS["refused_houses"]) == 28
    assert list(VECTORS["games"]) == list(GAMES_BY_CODE)


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda vector: vector["id"])
def test_hand_has_the_points_of_its_source(vector: dict[str, Any]) -> None:
    game = GAMES_BY_CODE[vector["game"]]
    table = build_points_table(game, vector.get("custom"), vector.get("house", {}))
    hand = parse_hand(vector["hand"], table)
    assert list(hand.points) == vector["points"]
    assert [part.is_made for part in hand.parts] == vector["made"]
    assert [part.points_per_opponent for part in hand.parts] == vector["stake"]
    assert parse_hand(build_hand_data(hand.hand), table) == hand


@pytest.mark.parametrize("vector", VECTORS["refused_hands"], ids=lambda vector: vector["id"])
def test_error_of_an_invalid_hand_names_its_position(vector: dict[str, Any]) -> None:
    with pytest.raises(UnreadableDrive) as exc_info:
        parse_hand_file({"game": vector["game"], "hands": [vector["hand"]]})
    assert exc_info.value.problems[0].startswith(f"{vector['place']}: ")
    assert exc_info.value.problems[0].path_text == vector["place"]


@pytest.mark.parametrize("vector", VECTORS["refused_houses"], ids=lambda vector: vector["id"])
def test_error_of_an_invalid_table_names_its_position(vector: dict[str, Any]) -> None:
    with pytest.raises(UnreadableDrive) as exc_info:
        parse_hand_file({"game": vector["game"], "house": vector["house"], "hands": []})
    assert exc_info.value.problems[0].startswith(f"{vector['place']}: ")


@cache
def build_tables_by_variant(code: str) -> dict[str | None, dict[str, Any]]:
    game = GAMES_BY_CODE[code]
    codes = [None, *(variant.code for variant in game.variants)]
    return {code: build_points_table_data(build_points_table(game, code, {})) for code in codes}


WORD_FIELDS = ("title", "local", "family")
"""The words of a contract, which are ours."""


def drop_words(contract: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in contract.items() if name not in WORD_FIELDS}


@pytest.mark.parametrize("code", GAMES_BY_CODE)
def test_each_game_has_the_whole_table_of_its_source(code: str) -> None:
    game = VECTORS["games"][code]
    for variant, table in build_tables_by_variant(code).items():
        changes = game["customs"][variant] if variant else {}
        contracts = [drop_words(contract) for contract in game["contracts"]]
        for contract in contracts:
            contract |= changes.get("contracts", {}).get(contract["code"], {})
        assert [drop_words(contract) for contract in table["contracts"]] == contracts
        for term in ("passed", "several", "times", "revoke", "fines"):
            assert table[term] == changes.get(term, game[term])
    assert set(build_tables_by_variant(code)) == {None, *game["customs"]}


@pytest.mark.parametrize("code", GAMES_BY_CODE)
def test_keys_and_codes_are_unique_in_a_game(code: str) -> None:
    labels = [contract.label for contract in GAMES_BY_CODE[code].points_table.contracts]
    assert len({label.key for label in labels}) == len({label.code for label in labels})
    assert all(1 <= len(label.key) <= 3 for label in labels)
