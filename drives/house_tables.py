"""Loads a club's own presets for scoring; presets of games with contracts have a table."""

from collections.abc import Mapping
from typing import Any

from clubs.models import Club
from drives.games import GAMES
from drives.models import HouseTerms

OWN_PRESET_PREFIX = "own:"
"""The prefix of the values that HTML forms use for a club's own ways to score."""


def load_house_terms(club: Club) -> dict[str, Any]:
    """Return the club's defaults for new drives, as stored in `HouseTerms.terms`."""
    row = HouseTerms.objects.filter(club=club).first()
    return row.terms if row else {}


def load_club_presets(club: Club) -> dict[str, Any]:
    """Return the club's own scoring presets by name, as stored in `HouseTerms.presets`."""
    house_terms = HouseTerms.objects.filter(club=club).first()
    return house_terms.presets if house_terms else {}


def select_presets_with_table(
    presets: Mapping[str, Any], game_code: str = ""
) -> dict[str, dict[str, Any]]:
    """Return the presets that have a points table, of one game or, by default, of all games."""
    return {
        name: score
        for name, score in presets.items()
        if score.get("game") in ((game_code,) if game_code else GAMES)
    }


def has_same_points(own_score: Mapping[str, Any], score: Mapping[str, Any]) -> bool:
    """Return whether two ways to score have the same points table, whatever their ties."""
    keys = ("game", "custom", "house")
    return bool(score.get("game")) and all(
        (own_score.get(key) or None) == (score.get(key) or None) for key in keys
    )
