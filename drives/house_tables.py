"""Loads a club's own presets for scoring; presets of games with contracts have a table."""

from collections.abc import Mapping
from typing import Any

from clubs.models import Club
from drives.games import GAMES_BY_CODE
from drives.models import HouseTerms

OWN_PRESET_PREFIX = "own:"
"""The prefix of the values that HTML forms use for a club's own ways to score."""


def load_house_terms(club: Club) -> dict[str, Any]:
    """Return the club's defaults for new drives, as stored in `HouseTerms.terms`."""
    house_terms = HouseTerms.objects.filter(club=club).first()
    return house_terms.terms if house_terms else {}


def load_club_presets(club: Club) -> dict[str, Any]:
    """Return the club's own scoring presets by name, as stored in `HouseTerms.presets`."""
    house_terms = HouseTerms.objects.filter(club=club).first()
    return house_terms.presets if house_terms else {}


def select_presets_with_points_table(
    presets_by_name: Mapping[str, Any], game_code: str = ""
) -> dict[str, dict[str, Any]]:
    """Return the presets that have a points table, of one game or, by default, of all games."""
    return {
        name: scoring_data
        for name, scoring_data in presets_by_name.items()
        if scoring_data.get("game") in ((game_code,) if game_code else GAMES_BY_CODE)
    }


def has_same_points(
    own_scoring_data: Mapping[str, Any], scoring_data: Mapping[str, Any]
) -> bool:
    """Return whether two ways to score have the same points table, whatever their ties."""
    compared_keys = ("game", "custom", "house")
    return bool(scoring_data.get("game")) and all(
        (own_scoring_data.get(key) or None) == (scoring_data.get(key) or None)
        for key in compared_keys
    )
