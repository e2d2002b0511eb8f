"""A club's own points tables, by name, as ways of scoring of its drives."""

from collections.abc import Mapping
from typing import Any

from clubs.models import Club
from drives.games import GAMES
from drives.models import HouseTerms

OWN_PRESET_PREFIX = "own:"
"""The prefix of the form values of a club's own ways to score."""


def load_own_presets(club: Club) -> dict[str, Any]:
    """Return the club's own ways to score by name, in the format of rows and files."""
    row = HouseTerms.objects.filter(club=club).first()
    return row.presets if row else {}


def select_tables(presets: Mapping[str, Any], game: str = "") -> dict[str, dict[str, Any]]:
    """Return those with a points table, of one game or of all games."""
    return {
        name: score
        for name, score in presets.items()
        if score.get("game") in ((game,) if game else GAMES)
    }
