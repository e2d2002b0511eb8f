"""Converts the values of each contract, e.g. its points, to texts in form fields, and back.

A form field of the points table is called a cell.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.games.contracts import Contract, PointsTable, format_points
from server.numbers import parse_whole_number

MAX_TYPED_CHARACTERS = 200
Choices = list[tuple[str, str | Promise, bool]]
"""The choices of a field, as tuples of value, label and "is selected"."""


def list_choices(label_by_code: Mapping[str, str | Promise], chosen_code: str) -> Choices:
    """Return the choices of a field; `label_by_code` contains its texts."""
    return [(str(code), label, code == chosen_code) for code, label in label_by_code.items()]


@dataclass(frozen=True)
class ContractRow:
    """A contract's row in the HTML form; points are texts such as "8 11 14 +3"."""

    contract: Contract
    wants: str
    made: str
    lost: str
    is_played: bool
    is_changed: bool


def build_contract_rows(
    base_table: PointsTable, points_table: PointsTable, changed_codes: Collection[str]
) -> list[ContractRow]:
    """Return a row for each contract of the predefined table, with the cells of `points_table`.

    `changed_codes` contains the codes of the contracts that the club has changed.
    """
    return [
        ContractRow(
            contract=contract,
            wants="" if contract.rule.wants is None else str(contract.rule.wants),
            made=format_points(contract.rule.made, contract.rule.made_step),
            lost=format_points(contract.rule.lost, contract.rule.lost_step),
            is_played=contract.rule.played,
            is_changed=contract.code in changed_codes,
        )
        for contract in points_table.contracts
        if contract.code in base_table.contracts_by_code
    ]


def keep_typed_cells(
    rows: list[ContractRow], form_data: Mapping[str, str]
) -> list[ContractRow]:
    """Return the rows with the texts as typed, so that the user can correct a mistake."""
    return [
        replace(
            row,
            is_played=f"{row.contract.code}.played" in form_data,
            **{
                name: form_data.get(f"{row.contract.code}.{name}", getattr(row, name))[
                    :MAX_TYPED_CHARACTERS
                ]
                for name in ("wants", "made", "lost")
            },
        )
        for row in rows
    ]


def parse_points(points_text: str, title: str) -> tuple[list[int], int]:
    """Parse points such as "8 11 14 +3" into numbers and a step; raise UnreadableDrive."""
    number_texts = points_text[:MAX_TYPED_CHARACTERS].split()
    step_text = (
        number_texts.pop()[1:] if number_texts and number_texts[-1].startswith("+") else "0"
    )
    numbers = [
        parse_whole_number(number_text, maximum=99_999)
        for number_text in [*number_texts, step_text]
    ]
    if None in numbers:
        message = _("%(contract)s: enter whole numbers, e.g. 8 11 14 +3.")
        raise UnreadableDrive([message % {"contract": title}])
    *points, step_value = (number or 0 for number in numbers)
    return points, step_value


def read_changed_cells(
    form_data: Mapping[str, str], base_table: PointsTable, skipped_code: str = ""
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the code and the changed cells of each contract that the form has changed.

    Cells are compared with the predefined table. The contract with the code `skipped_code` is
    omitted. Raises UnreadableDrive.
    """
    for contract in base_table.contracts:
        if contract.code == skipped_code:
            continue
        if cell_values := _read_changed_contract_cells(form_data, contract):
            yield contract.code, cell_values


def _read_changed_contract_cells(
    form_data: Mapping[str, str], contract: Contract
) -> dict[str, Any]:
    """Return the cells of a contract that differ from the predefined table."""
    rule, code, title = contract.rule, contract.code, str(contract.label.local)
    typed_cells: dict[str, Any] = {"played": f"{code}.played" in form_data}
    typed_cells["lost"], typed_cells["lost_step"] = parse_points(
        form_data.get(f"{code}.lost", ""), title
    )
    if rule.wants is not None:
        typed_cells["made"], typed_cells["made_step"] = parse_points(
            form_data.get(f"{code}.made", ""), title
        )
        typed_cells["wants"] = parse_whole_number(
            form_data.get(f"{code}.wants", ""), maximum=99
        )
        if typed_cells["wants"] is None:
            message = _("%(contract)s: enter the tricks as a whole number.")
            raise UnreadableDrive([message % {"contract": title}])
    unchanged_cells = {name: getattr(rule, name) for name in typed_cells}
    unchanged_cells |= {
        name: list(unchanged_cells[name])
        for name in ("made", "lost")
        if name in unchanged_cells
    }
    if rule.wants is None:
        typed_cells.pop("lost_step")  # with the goal LOSES, the points never depend on tricks
    return {
        name: value for name, value in typed_cells.items() if value != unchanged_cells[name]
    }
