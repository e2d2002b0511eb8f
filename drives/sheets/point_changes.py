"""Formats changes of a points table as text for the history."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from drives.games import GAMES
from drives.games.contracts import format_points
from drives.games.point_changes import ADDED_CONTRACT, REMOVED_CONTRACT
from drives.points_form import get_field_label
from drives.points_form.term_cells import (
    PASSED_RULE_LABELS,
    REVOKE_LABELS,
    SEVERAL_BIDDERS_LABELS,
)

ContractNames = Mapping[str, str]
"""The names of contracts, by the code of the contract."""


def format_changed_points(
    changed_points: Mapping[str, Any], names: ContractNames | None = None
) -> str:
    """Return changes as text, e.g. "miserie: Made 7 → 10, Lost 7 → 10; Fines: no → yes".

    If `names` is None, contracts have the names that players of the game use.
    """
    contract_names = (
        get_contract_names_by_code(changed_points.get("game", "")) if names is None else names
    )
    parts = []
    for _contract, group in groupby(
        changed_points["changes"], key=lambda change: change.get("contract")
    ):
        changes = list(group)
        code = changes[0].get("contract")
        if code is None:
            parts += [
                f"{get_field_label(change['cell'])}: {_format_change(change)}"
                for change in changes
            ]
        else:
            name = contract_names.get(code) or changes[0].get("name") or code
            parts.append(f"{name}: {', '.join(map(_format_cell_change, changes))}")
    return "; ".join(parts)


def format_legacy_changes(places: object, names: ContractNames | None = None) -> str:
    """Return the changes that an older version of Overplay recorded without values.

    The record "misere.made, passed" becomes "miserie: Made; Everyone passed".
    """
    texts = []
    contract_names = names or _guess_names(str(places))
    for place in str(places).split(", "):
        code, _dot, cell = place.partition(".")
        name = contract_names.get(code) or get_field_label(code)
        texts.append(f"{name}: {get_field_label(cell)}" if cell else name)
    return "; ".join(dict.fromkeys(texts))


def get_contract_names_by_code(game: str) -> dict[str, str]:
    """Return the names that players use for a game's contracts; {} for an unknown game."""
    contracts = GAMES[game].points_table.contracts if game in GAMES else ()
    return {contract.code: str(contract.label.local) for contract in contracts}


def _guess_names(places: str) -> dict[str, str]:
    """Return the contract names of the first game that has all contracts of a record."""
    codes = {place.partition(".")[0] for place in places.split(", ") if "." in place}
    all_names: Iterable[dict[str, str]] = map(get_contract_names_by_code, GAMES)
    return next((names for names in all_names if codes <= names.keys()), {})


def _format_cell_change(change: Mapping[str, Any]) -> str:
    cell = change["cell"]
    if cell == REMOVED_CONTRACT:
        return _("removed")
    if cell == ADDED_CONTRACT:
        cells = change["new"]
        points = " / ".join(_format_value(name, cells[name]) for name in ("made", "lost"))
        return _("added, %(points)s") % {"points": points}
    return f"{get_field_label(cell)} {_format_change(change)}"


def _format_change(change: Mapping[str, Any]) -> str:
    old, new = (_format_value(change["cell"], change[name]) for name in ("old", "new"))
    return f"{old} → {new}"


def _format_value(cell: str, value: Any) -> str:
    """Return the value of a cell or a rule as the HTML form shows it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if cell in ("made", "lost"):
        points, step = value
        return format_points(points, step) or "–"
    if cell == "passed":
        return str(PASSED_RULE_LABELS.get(value, value))
    if cell == "several":
        return str(SEVERAL_BIDDERS_LABELS.get(value, value))
    if cell == "times":
        return ", ".join(f"× {multiple}" for multiple in value) or _("no")
    if cell == "revoke":
        return _format_revoke(value or {})
    return "–" if value is None else str(value)


def _format_revoke(revoke: Mapping[str, Any]) -> str:
    kind, count = next(((name, value) for name, value in revoke.items() if value), ("", ""))
    return f"{REVOKE_LABELS[kind]} {count}".strip()
