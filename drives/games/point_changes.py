"""Lists the differences between two points tables, with old and new values, for the history."""

from collections.abc import Iterator
from typing import Any

from drives.games.contracts import Contract, ContractRule, PointsTable
from drives.games.house import OWN_CONTRACT_CODE_PATTERN, build_term_data

ADDED_CONTRACT, REMOVED_CONTRACT = "added", "removed"
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
            new_value = _collect_rule_values(contract.rule)
            changes.append(
                _build_contract_reference(contract) | {"cell": ADDED_CONTRACT, "new": new_value}
            )
        else:
            changes += _list_cell_changes(old_contract, contract)
    changes += [
        _build_contract_reference(contract) | {"cell": REMOVED_CONTRACT}
        for contract in old_table.contracts
        if contract.code not in new_table.contracts_by_code
    ]
    old_values, new_values = build_term_data(old_table), build_term_data(new_table)
    changes += [
        {"cell": name, "old": old_values[name], "new": new_values[name]}
        for name in new_values
        if old_values[name] != new_values[name]
    ]
    return changes


def _list_cell_changes(old_contract: Contract, contract: Contract) -> Iterator[dict[str, Any]]:
    old_cells, new_cells = (
        _collect_rule_values(old_contract.rule),
        _collect_rule_values(contract.rule),
    )
    for name, new_value in new_cells.items():
        if new_value != old_cells[name]:
            yield _build_contract_reference(contract) | {
                "cell": name, "old": old_cells[name], "new": new_value,
            }  # fmt: skip


def _build_contract_reference(contract: Contract) -> dict[str, Any]:
    is_added_by_club = OWN_CONTRACT_CODE_PATTERN.fullmatch(contract.code) is not None
    return {"contract": contract.code} | (
        {"name": str(contract.label.local)} if is_added_by_club else {}
    )


def _collect_rule_values(rule: ContractRule) -> dict[str, Any]:
    """Return the values of a contract that can change; points are [list of points, step]."""
    return {
        "played": rule.played,
        "wants": rule.wants,
        "made": [list(rule.made), rule.made_step],
        "lost": [list(rule.lost), rule.lost_step],
    }
