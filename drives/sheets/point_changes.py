"""Formats changes of a points table as text for the history."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from drives.games import GAMES_BY_CODE
from drives.games.contracts import format_points
from drives.games.point_changes import ADDED_CONTRACT, REMOVED_CONTRACT
from drives.points_form import get_field_label
from drives.points_form.term_cells import (
    PASSED_DEAL_RULE_LABELS,
    REVOKE_LABELS,
    SEVERAL_BIDDERS_LABELS,
)

ContractNames = Mapping[str, str]
"""The names of contracts, by the code of the contract."""


def format_changed_points(
    changed_points: Mapping[str, Any], names_by_code: ContractNames | None = None
) -> str:
    """Return changes as text, e.g. "miserie: Made 7 → 10, Lost 7 → 10; Fines: no → yes".

    If `names_by_code` is None, contracts have the names that players of the game use.
    """
    contract_names = (
        get_contract_names_by_code(changed_points.get("game", ""))
        if names_by_code is None
        else names_by_code
    )
    change_texts = []
    for _contract, contract_changes in groupby(
        changed_points["changes"], key=lambda change: change.get("contract")
    ):
        changes = list(contract_changes)
        code = changes[0].get("contract")
        if code is None:
            change_texts += [
                f"{get_field_label(change['cell'])}: {_format_change(change)}"
                for change in changes
            ]
        else:
            name = contract_names.get(code) or changes[0].get("name") or code
            change_texts.append(f"{name}: {', '.join(map(_format_cell_change, changes))}")
    return "; ".join(change_texts)


def format_legacy_changes(
    stored_record: object, names_by_code: ContractNames | None = None
) -> str:
    """Return the changes that an older version of Overplay recorded without values.

    The record "misere.made, passed" becomes "miserie: Made; Everyone passed".
    """
    change_texts = []
    contract_names = names_by_code or _guess_contract_names(str(stored_record))
    for cell_path in str(stored_record).split(", "):
        code, _dot, cell = cell_path.partition(".")
        name = contract_names.get(code) or get_field_label(code)
        change_texts.append(f"{name}: {get_field_label(cell)}" if cell else name)
    return "; ".join(dict.fromkeys(change_texts))


def get_contract_names_by_code(game_code: str) -> dict[str, str]:
    """Return the names that players use for a game's contracts; {} for an unknown game."""
    contracts = (
        GAMES_BY_CODE[game_code].points_table.contracts if game_code in GAMES_BY_CODE else ()
    )
    return {contract.code: str(contract.label.local) for contract in contracts}


def _guess_contract_names(record_text: str) -> dict[str, str]:
    """Return the contract names of the first game that has all contracts of a record."""
    codes = {
        cell_path.partition(".")[0] for cell_path in record_text.split(", ") if "." in cell_path
    }
    all_names: Iterable[dict[str, str]] = map(get_contract_names_by_code, GAMES_BY_CODE)
    return next(
        (names_by_code for names_by_code in all_names if codes <= names_by_code.keys()), {}
    )


def _format_cell_change(change: Mapping[str, Any]) -> str:
    cell = change["cell"]
    if cell == REMOVED_CONTRACT:
        return _("removed")
    if cell == ADDED_CONTRACT:
        cells = change["new"]
        points = " / ".join(_format_cell_value(name, cells[name]) for name in ("made", "lost"))
        return _("added, %(points)s") % {"points": points}
    return f"{get_field_label(cell)} {_format_change(change)}"


def _format_change(change: Mapping[str, Any]) -> str:
    old_text, new_text = (
        _format_cell_value(change["cell"], change[name]) for name in ("old", "new")
    )
    return f"{old_text} → {new_text}"


def _format_cell_value(cell: str, cell_value: Any) -> str:
    """Return the value of a cell or a rule as the HTML form shows it."""
    if isinstance(cell_value, bool):
        return _("yes") if cell_value else _("no")
    if cell in ("made", "lost"):
        points, step_points = cell_value
        return format_points(points, step_points) or "–"
    if cell == "passed":
        return str(PASSED_DEAL_RULE_LABELS.get(cell_value, cell_value))
    if cell == "several":
        return str(SEVERAL_BIDDERS_LABELS.get(cell_value, cell_value))
    if cell == "times":
        return ", ".join(f"× {multiple}" for multiple in cell_value) or _("no")
    if cell == "revoke":
        return _format_revoke(cell_value or {})
    return "–" if cell_value is None else str(cell_value)


def _format_revoke(revoke_terms: Mapping[str, Any]) -> str:
    cost_name, cost_value = next(
        ((name, value) for name, value in revoke_terms.items() if value), ("", "")
    )
    return f"{REVOKE_LABELS[cost_name]} {cost_value}".strip()
