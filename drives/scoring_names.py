"""The ways to score of the form for a new drive: their names and their usual evenings."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from clubs.models import Club
from drives.games import GAMES_BY_CODE
from drives.house_tables import (
    OWN_PRESET_PREFIX,
    has_same_points,
    load_club_presets,
    load_house_terms,
    select_presets_with_points_table,
)
from drives.models import Drive
from drives.scores.presets import DrivePreset, list_presets
from drives.scores.rules import ScoreKind


def load_default_drive_names(club: Club) -> dict[str, str]:
    """Return the default name of a drive for each way to score of the form.

    "" is the club's usual scoring, or whist if it has none.
    """
    house_terms, own_presets_by_name = load_house_terms(club), load_club_presets(club)
    usual_scoring_name = _find_scoring_name(own_presets_by_name, house_terms.get("score") or {})
    return {
        "": usual_scoring_name or _("Whist drive"),
        **{f"{OWN_PRESET_PREFIX}{name}": name for name in own_presets_by_name},
        **{preset.code: _build_drive_name(preset) for preset in list_presets()},
    }


def describe_usual_scoring(club: Club) -> str:
    """Return the club's usual scoring with its name; "" if the club has none."""
    scoring_data = load_house_terms(club).get("score")
    if not scoring_data:
        return ""
    name = _find_scoring_name(load_club_presets(club), scoring_data)
    return _("Our usual scoring: %(name)s") % {"name": name} if name else _("Our usual scoring")


def has_contract_scoring(club: Club) -> bool:
    """Return whether the club's usual scoring is that of a game with contracts."""
    return bool(load_house_terms(club).get("score", {}).get("game"))


def find_preselected_preset_value(club: Club) -> str:
    """Return the form value of the club's own points table with which its form starts, or "".

    This is the only table for the game of the club's last drive, or else the table of this
    drive. Before the first drive, it is the club's only table. If the club has a usual scoring,
    the form starts with that.
    """
    if load_house_terms(club).get("score"):
        return ""
    drives = Drive.objects.filter(club=club, is_rehearsal=False)
    last_drive = drives.order_by("-evening__date", "-pk").first()
    last_scoring_data = last_drive.score if last_drive else {}
    if last_drive and not last_scoring_data.get("game"):
        return ""
    points_table_by_name = select_presets_with_points_table(
        load_club_presets(club), last_scoring_data.get("game", "")
    )
    if len(points_table_by_name) > 1:
        points_table_by_name = {
            name: points_table
            for name, points_table in points_table_by_name.items()
            if has_same_points(points_table, last_scoring_data)
        }
    return (
        f"{OWN_PRESET_PREFIX}{next(iter(points_table_by_name))}" if points_table_by_name else ""
    )


def find_base_preset_code(preset: str, presets_by_name: Mapping[str, Any]) -> str:
    """Return the code of the preset with the usual rounds, hands and trumps for `preset`.

    If `preset` is a club's own points table, this is the preset of the table's game.
    """
    if not preset.startswith(OWN_PRESET_PREFIX):
        return preset
    scoring_data = presets_by_name.get(preset.removeprefix(OWN_PRESET_PREFIX), {})
    return next(
        (
            preset.code
            for preset in list_presets()
            if preset.game_code == scoring_data.get("game")
        ),
        "",
    )


def _build_drive_name(preset: DrivePreset) -> str:
    if preset.game_code:
        return _get_game_name(preset.game_code)
    if preset.is_scored_by_rubbers or preset.scoring.kind is ScoreKind.TRICKS:
        return _("Whist drive")
    return str(preset.title).partition(":")[0].strip()


def _get_game_name(game_code: str) -> str:
    """Return the name of a game with contracts, without the part in brackets."""
    return str(GAMES_BY_CODE[game_code].title).partition(" (")[0]


def _find_scoring_name(
    own_presets_by_name: Mapping[str, Any], scoring_data: Mapping[str, Any]
) -> str:
    """Return the name of a stored way to score: the club's own, the game's, or ""."""
    for name, own_scoring_data in own_presets_by_name.items():
        if own_scoring_data == scoring_data or has_same_points(own_scoring_data, scoring_data):
            return name
    if scoring_data.get("game") in GAMES_BY_CODE:
        return _get_game_name(scoring_data["game"])
    return next(
        (
            _build_drive_name(preset)
            for preset in list_presets()
            if preset.score == scoring_data
        ),
        "",
    )
