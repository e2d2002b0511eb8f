"""Services for a club's own points tables, and for the names of contracts at the club.

A drive copies the table it begins with, so a later change of the table does not affect it.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club
from drives.errors import DriveRefused
from drives.games import find_game
from drives.games.house import build_points_table, list_changed_cells
from drives.models import HouseTerms
from drives.services.house import MAX_PRESETS
from server.json_reader.problems import can_be_stored

MAX_NAME_LENGTH = 100
MAX_LISTED_CELLS = 20
"""The maximum of changed cells that an act in the history lists."""


@transaction.atomic
def save_house_table(
    *,
    club: Club,
    name: str,
    game: str,
    custom: str | None,
    house: Mapping[str, Any],
    former_name: str = "",
    by: Actor,
) -> HouseTerms:
    """Save a game's points table under a name; with `former_name` it replaces that table.

    The table is then a way of scoring for new drives of the club. Idempotent. Raises
    DriveRefused for an invalid or used name, and UnreadableDrive for an invalid table.
    """
    row = _lock_house_terms(club)
    name = " ".join(name.split())
    if not 0 < len(name) <= MAX_NAME_LENGTH:
        message = _("Enter a name for the table, up to %(most)s characters.")
        raise DriveRefused(message % {"most": MAX_NAME_LENGTH})
    if not name.isprintable() or not can_be_stored([name, dict(house)]):
        raise DriveRefused(_("The text contains invalid characters."))
    record = find_game(game)
    table = build_points_table(record, custom, house)
    score: dict[str, Any] = {"kind": "player", "sum": 0, "game": game}
    score |= {"custom": custom} if custom else {}
    score |= {"house": dict(house)} if house else {}
    if row.presets.get(name) == score and former_name not in {*row.presets} - {name}:
        return row  # a double click
    former = _find_former(row, former_name)
    if name.casefold() in {each.casefold() for each in row.presets if each != former}:
        message = _("You already have “%(name)s”. Enter another name.")
        raise DriveRefused(message % {"name": name})
    presets = {each: value for each, value in row.presets.items() if each != former}
    presets[name] = score
    if len(presets) > MAX_PRESETS:
        message = _("You can save at most %(most)s ways of scoring.")
        raise DriveRefused(message % {"most": MAX_PRESETS})
    changed = list_changed_cells(build_points_table(record, None, {}), table)
    after = {"points": ", ".join(changed[:MAX_LISTED_CELLS])} if changed else {}
    return _write_presets(row, presets, "drive.house_table", name, after, by)


@transaction.atomic
def delete_house_table(*, club: Club, name: str, by: Actor) -> HouseTerms:
    """Delete a club's points table; drives that began with it keep its points. Idempotent."""
    row = _lock_house_terms(club)
    presets = {each: value for each, value in row.presets.items() if each != name}
    return _write_presets(row, presets, "drive.house_table_deleted", name, {}, by)


@transaction.atomic
def set_contract_words(*, club: Club, words: str, by: Actor) -> HouseTerms:
    """Choose the names of contracts on the club's pages, phones and papers.

    Idempotent. Raises DriveRefused for an unknown choice.
    """
    row = _lock_house_terms(club)
    if words not in HouseTerms.ContractWords:
        raise DriveRefused(_("Choose the players’ own words or plain words."))
    before, row.contract_words = row.contract_words, HouseTerms.ContractWords(words)
    if before == words:
        return row
    row.save()
    audit.record(
        by,
        "drive.contract_words",
        subject=club,
        before={"contract_words": before},
        after={"contract_words": words},
        back=Undo(("contract words",), "drive.contract_words", {"words": before}),
    )
    return row


def _lock_house_terms(club: Club) -> HouseTerms:
    """Return the club's row, new or stored; the lock makes concurrent requests wait."""
    Club.objects.select_for_update().get(pk=club.pk)
    return HouseTerms.objects.filter(club=club).first() or HouseTerms(club=club)


def _find_former(row: HouseTerms, name: str) -> str:
    """Return the name of the table to replace; raise DriveRefused if it no longer exists."""
    if name and name not in row.presets:
        message = _("“%(name)s” no longer exists. Save it as a new table.")
        raise DriveRefused(message % {"name": name[:MAX_NAME_LENGTH]})
    return name


def _write_presets(
    row: HouseTerms,
    presets: Mapping[str, Any],
    action: str,
    name: str,
    after: Mapping[str, Any],
    by: Actor,
) -> HouseTerms:
    before = {"terms": row.terms, "presets": row.presets}
    if before["presets"] == presets:
        return row
    row.presets = dict(presets)
    row.save()
    audit.record(
        by,
        action,
        subject=row.club,
        where={"name": name},
        after=after,
        back=Undo(("house terms",), "drive.house_terms", before),
    )
    return row
