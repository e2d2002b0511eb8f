"""The changes of a points table as text for the history, with names and values."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from drives.games import GAMES
from drives.games.point_changes import ADDED, REMOVED
from drives.points_form import get_field_label
from drives.points_form.contract_cells import format_points
from drives.points_form.term_cells import PASSED_LABELS, REVOKE_LABELS, SEVERAL_LABELS

Names = Mapping[str, str]
"""The names of contracts by code."""


def format_changed_points(changed_points: Mapping[str, Any], names: Names | None = None) -> str:
    """Return recorded changes: "miserie: Made 7 → 10, Lost 7 → 10; Fines: no → yes".

    Without `names`, contracts have the players' own names in their game.
    """
    contract_names = name_contracts(changed_points.get("game", "")) if names is None else names
    parts = []
    for _contract, group in groupby(
        changed_points["changes"], key=lambda each: each.get("contract")
    ):
        changes = list(group)
        code = changes[0].get("contract")
        if code is None:
            parts += [
                f"{get_field_label(each['cell'])}: {_format_change(each)}" for each in changes
            ]
        else:
            name = contract_names.get(code) or changes[0].get("name") or code
            parts.append(f"{name}: {', '.join(map(_format_cell_change, changes))}")
    return "; ".join(parts)


def format_changed_places(places: object, names: Names | None = None) -> str:
    """Return the changes in a record of an older version, "misere.made, passed", which has no
    values: "miserie: Made; Everyone passed".
    """
    texts = []
    contract_names = names or _guess_names(str(places))
    for place in str(places).split(", "):
        code, _dot, cell = place.partition(".")
        name = contract_names.get(code) or get_field_label(code)
        texts.append(f"{name}: {get_field_label(cell)}" if cell else name)
    return "; ".join(dict.fromkeys(texts))


def name_contracts(game: str) -> dict[str, str]:
    """Return the players' own names of a game's contracts; {} for an unknown game."""
    contracts = GAMES[game].points_table.contracts if game in GAMES else ()
    return {contract.code: str(contract.label.local) for contract in contracts}


def _guess_names(places: str) -> dict[str, str]:
    """Return the names of the first game that has all contracts of a record without a game."""
    codes = {place.partition(".")[0] for place in places.split(", ") if "." in place}
    all_names: Iterable[dict[str, str]] = map(name_contracts, GAMES)
    return next((names for names in all_names if codes <= names.keys()), {})


def _format_cell_change(change: Mapping[str, Any]) -> str:
    cell = change["cell"]
    if cell == REMOVED:
        return _("removed")
    if cell == ADDED:
        cells = change["new"]
        points = " / ".join(_format_value(each, cells[each]) for each in ("made", "lost"))
        return _("added, %(points)s") % {"points": points}
    return f"{get_field_label(cell)} {_format_change(change)}"


def _format_change(change: Mapping[str, Any]) -> str:
    old, new = (_format_value(change["cell"], change[name]) for name in ("old", "new"))
    return f"{old} → {new}"


def _format_value(cell: str, value: Any) -> str:
    """Return the value of a cell or a term as the form of the table shows it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if cell in ("made", "lost"):
        points, step = value
        return format_points(tuple(points), step) or "–"
    if cell == "passed":
        return str(PASSED_LABELS.get(value, value))
    if cell == "several":
        return str(SEVERAL_LABELS.get(value, value))
    if cell == "times":
        return ", ".join(f"× {each}" for each in value) or _("no")
    if cell == "revoke":
        return _format_revoke(value or {})
    return "–" if value is None else str(value)


def _format_revoke(revoke: Mapping[str, Any]) -> str:
    kind, count = next(((name, value) for name, value in revoke.items() if value), ("", ""))
    return f"{REVOKE_LABELS[kind]} {count}".strip()
