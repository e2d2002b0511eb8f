"""Lists the differences between two points tables, with old and new values, for the history."""

from collections.abc import Iterator
from typing import Any

from drives.games.contracts import Contract, PointsTable, Rule
from drives.games.house import OWN_CODE_PATTERN, build_term_data

ADDED, REMOVED = "added", "removed"
"""The value of "cell" in a change that adds a contract to a points table or removes one."""


def list_point_changes(old_table: PointsTable, new_table: PointsTable) -> list[dict[str, Any]]:
    """Return a dict for each value that differs, e.g. {"cell": "fines", "old": …, "new": …}.

    "cell" is a rule of the whole table, or a value of one contract, whose code is then in
    "contract". For a contract that a club added, "name" is its title, because the game itself
    has no contract with this code.
    """
    changes: list[dict[str, Any]] = []
    for contract in new_table.contracts:
        old_contract = old_table.contracts_by_code.get(contract.code)
        if old_contract is None:
            new_value = _build_cells(contract.rule)
            changes.append(_name_contract(contract) | {"cell": ADDED, "new": new_value})
        else:
            changes += _list_cell_changes(old_contract, contract)
    changes += [
        _name_contract(contract) | {"cell": REMOVED}
        for contract in old_table.contracts
        if contract.code not in new_table.contracts_by_code
    ]
    old_terms, new_terms = build_term_data(old_table), build_term_data(new_table)
    changes += [
        {"cell": name, "old": old_terms[name], "new": new_terms[name]}
        for name in new_terms
        if old_terms[name] != new_terms[name]
    ]
    return changes


def _list_cell_changes(old_contract: Contract, contract: Contract) -> Iterator[dict[str, Any]]:
    old_cells, new_cells = _build_cells(old_contract.rule), _build_cells(contract.rule)
    for name, value in new_cells.items():
        if value != old_cells[name]:
            yield _name_contract(contract) | {
                "cell": name, "old": old_cells[name], "new": value,
            }  # fmt: skip


def _name_contract(contract: Contract) -> dict[str, Any]:
    is_added_by_club = OWN_CODE_PATTERN.fullmatch(contract.code) is not None
    return {"contract": contract.code} | (
        {"name": str(contract.label.local)} if is_added_by_club else {}
    )


def _build_cells(rule: Rule) -> dict[str, Any]:
    """Return the values of a contract that can change; points are [list of points, step]."""
    return {
        "played": rule.played,
        "wants": rule.wants,
        "made": [list(rule.made), rule.made_step],
        "lost": [list(rule.lost), rule.lost_step],
    }
