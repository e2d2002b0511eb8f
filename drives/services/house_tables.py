"""Services for a club's own points tables, and for the names of contracts at the club.

A drive stores a copy of the points table, so later changes of the table do not affect the
drive.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club
from drives.errors import DriveActionNotAllowed
from drives.games import find_game
from drives.games.house import build_points_table
from drives.games.point_changes import list_point_changes
from drives.models import HouseTerms
from drives.scores.terms import parse_points_table
from drives.services.house import check_preset_count, lock_house_terms
from server.json_reader.problems import can_be_stored

MAX_NAME_LENGTH = 100
MAX_LISTED_CELL_CHANGES = 20
"""The maximum number of changed cells that one act in the history lists."""


@transaction.atomic
def save_club_points_table(
    *,
    club: Club,
    name: str,
    game_code: str,
    variant_code: str | None,
    club_changes: Mapping[str, Any],
    former_name: str = "",
    by: Actor,
) -> HouseTerms:
    """Save a club's own points table of a game, as a way of scoring for new drives.

    `variant_code` is the code of a predefined variant, and `club_changes` contains the club's
    changes to it. If `former_name` is given, the table with that name is replaced. Idempotent.
    Raises DriveActionNotAllowed for an invalid or used name, and UnreadableDrive for an invalid
    table.
    """
    house_terms = lock_house_terms(club)
    name = " ".join(name.split())
    if not 0 < len(name) <= MAX_NAME_LENGTH:
        message = _("Enter a name for the table, up to %(most)s characters.")
        raise DriveActionNotAllowed(message % {"most": MAX_NAME_LENGTH})
    if not name.isprintable() or not can_be_stored([name, dict(club_changes)]):
        raise DriveActionNotAllowed(_("The text contains invalid characters."))
    game = find_game(game_code)
    points_table = build_points_table(game, variant_code, club_changes)
    score_terms: dict[str, Any] = {"kind": "player", "sum": 0, "game": game_code}
    score_terms |= {"custom": variant_code} if variant_code else {}
    score_terms |= {"house": dict(club_changes)} if club_changes else {}
    if house_terms.presets.get(name) == score_terms and former_name not in {
        *house_terms.presets
    } - {name}:
        return house_terms  # the same request arrived twice, e.g. after a double click
    former_preset_name = _find_former_preset_name(house_terms, former_name)
    if name.casefold() in {
        preset_name.casefold()
        for preset_name in house_terms.presets
        if preset_name != former_preset_name
    }:
        message = _("You already have “%(name)s”. Enter another name.")
        raise DriveActionNotAllowed(message % {"name": name})
    presets_by_name = {
        preset_name: preset_score_terms
        for preset_name, preset_score_terms in house_terms.presets.items()
        if preset_name != former_preset_name
    }
    presets_by_name[name] = score_terms
    check_preset_count(presets_by_name)
    former_score_terms = house_terms.presets.get(former_preset_name or name, {})
    is_same_game = former_score_terms.get("game") == game_code
    former_points_table = parse_points_table(former_score_terms) if is_same_game else None
    all_changes = list_point_changes(former_points_table or game.points_table, points_table)
    changes = all_changes[:MAX_LISTED_CELL_CHANGES]
    history_values = (
        {"changed_points": {"game": game_code, "changes": changes}} if changes else {}
    )
    return _write_presets(
        house_terms, presets_by_name, "drive.house_table", name, history_values, by
    )


@transaction.atomic
def delete_club_points_table(*, club: Club, name: str, by: Actor) -> HouseTerms:
    """Delete a club's points table; existing drives keep their copy. Idempotent."""
    house_terms = lock_house_terms(club)
    presets_by_name = {
        preset_name: preset_score_terms
        for preset_name, preset_score_terms in house_terms.presets.items()
        if preset_name != name
    }
    return _write_presets(
        house_terms, presets_by_name, "drive.house_table_deleted", name, {}, by
    )


@transaction.atomic
def set_contract_words(*, club: Club, words: str, by: Actor) -> HouseTerms:
    """Set which names pages, phones and papers of the club use for contracts.

    Idempotent. Raises DriveActionNotAllowed for an unknown choice.
    """
    house_terms = lock_house_terms(club)
    if words not in HouseTerms.ContractNameStyle:
        raise DriveActionNotAllowed(_("Choose the players’ own words or plain words."))
    old_words, house_terms.contract_words = (
        house_terms.contract_words,
        HouseTerms.ContractNameStyle(words),
    )
    if old_words == words:
        return house_terms
    house_terms.save()
    audit.record(
        by,
        "drive.contract_words",
        subject=club,
        before={"contract_words": old_words},
        after={"contract_words": words},
        undo=Undo(("contract words",), "drive.contract_words", {"words": old_words}),
    )
    return house_terms


def _find_former_preset_name(house_terms: HouseTerms, name: str) -> str:
    """Return the name of the table to replace.

    Raises DriveActionNotAllowed if the table no longer exists.
    """
    if name and name not in house_terms.presets:
        message = _("“%(name)s” no longer exists. Save it as a new table.")
        raise DriveActionNotAllowed(message % {"name": name[:MAX_NAME_LENGTH]})
    return name


def _write_presets(
    house_terms: HouseTerms,
    presets_by_name: Mapping[str, Any],
    action: str,
    name: str,
    new_values: Mapping[str, Any],
    by: Actor,
) -> HouseTerms:
    old_values = {"terms": house_terms.terms, "presets": house_terms.presets}
    if old_values["presets"] == presets_by_name:
        return house_terms
    house_terms.presets = dict(presets_by_name)
    house_terms.save()
    audit.record(
        by,
        action,
        subject=house_terms.club,
        where={"name": name},
        after=new_values,
        undo=Undo(("house terms",), "drive.house_terms", old_values),
    )
    return house_terms
