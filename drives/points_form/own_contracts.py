"""The fields of the HTML form for contracts that a club has added to a game."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from drives.errors import UnreadableDrive
from drives.games.contracts import TRICKS_PER_DEAL, DeclaringSide, TrickGoal, format_points
from drives.games.house import MAX_OWN_CONTRACTS, OWN_CONTRACT_CODE_PATTERN
from drives.points_form.contract_cells import (
    Choices,
    list_choices,
    parse_points,
)
from server.numbers import parse_whole_number

OWN_CONTRACTS_SHOWN_FIELD = "own.shown"
"""A hidden field of forms that contain the added contracts; others do not change them."""
SIDE_LABELS: Mapping[str, str | Promise] = {
    DeclaringSide.PAIR: gettext_lazy("two partners"),
    DeclaringSide.ALONE: gettext_lazy("one player"),
    DeclaringSide.EACH: gettext_lazy("one to four players, each for themselves"),
    DeclaringSide.PAIR_OR_ALONE: gettext_lazy("one player, perhaps with a partner"),
}
GOAL_LABELS: Mapping[str, str | Promise] = {
    TrickGoal.AT_LEAST: gettext_lazy("at least"),
    TrickGoal.AT_MOST: gettext_lazy("at most"),
    TrickGoal.EXACTLY: gettext_lazy("exactly"),
    TrickGoal.ALWAYS_LOSES: gettext_lazy("no tricks, the player pays"),
}


@dataclass(frozen=True)
class OwnContractRow:
    """An added contract's row in the HTML form, with its cells as texts."""

    code: str
    cells: Mapping[str, str] = field(default_factory=dict)
    is_played: bool = True
    is_new: bool = False

    @property
    def side_choices(self) -> Choices:
        """The choices for the side."""
        return list_choices(SIDE_LABELS, self.cells.get("side", ""))

    @property
    def goal_choices(self) -> Choices:
        """The choices for the goal."""
        return list_choices(GOAL_LABELS, self.cells.get("how", ""))


def build_own_contract_rows(club_changes: Mapping[str, Any]) -> list[OwnContractRow]:
    """Return a row for each added contract, and an empty row for another one if allowed."""
    stored_contracts = club_changes.get("contracts", {})
    codes = [code for code in stored_contracts if OWN_CONTRACT_CODE_PATTERN.fullmatch(code)]
    rows = [_build_row(code, stored_contracts[code]) for code in codes]
    if len(codes) < MAX_OWN_CONTRACTS:
        contract_number = next(
            candidate_number
            for candidate_number in range(1, 100)
            if f"own-{candidate_number}" not in codes
        )
        rows.append(OwnContractRow(f"own-{contract_number}", is_new=True))
    return rows


def _build_row(code: str, value_by_cell: Mapping[str, Any]) -> OwnContractRow:
    target_tricks = value_by_cell.get("wants")
    text_by_cell = {
        name: str(value_by_cell.get(name, "")) for name in ("title", "key", "side", "how")
    }
    text_by_cell |= {"wants": "" if target_tricks is None else str(target_tricks)}
    for name in ("made", "lost"):
        text_by_cell[name] = format_points(
            value_by_cell.get(name, ()), value_by_cell.get(f"{name}_step", 0)
        )
    return OwnContractRow(code, text_by_cell, bool(value_by_cell.get("played", True)))


def keep_typed_own_rows(
    rows: list[OwnContractRow], form_data: Mapping[str, str]
) -> list[OwnContractRow]:
    """Return the rows with the texts that the user typed, also invalid ones."""
    if OWN_CONTRACTS_SHOWN_FIELD not in form_data:
        return rows
    cell_names = ("title", "key", "side", "how", "wants", "made", "lost")
    return [
        OwnContractRow(
            row.code,
            {name: form_data.get(f"{row.code}.{name}", "")[:200] for name in cell_names},
            f"{row.code}.played" in form_data,
            row.is_new,
        )
        for row in rows
    ]


def read_own_contracts(
    form_data: Mapping[str, str], stored_changes: Mapping[str, Any], skipped_code: str = ""
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the code and the values of each added contract in the form.

    The contract with the code `skipped_code` and rows with an empty title are omitted. If the
    form does not contain the added contracts, they are taken from `stored_changes`. Raises
    UnreadableDrive.
    """
    stored_contracts = stored_changes.get("contracts", {})
    if OWN_CONTRACTS_SHOWN_FIELD not in form_data:
        cells_by_own_contract = {
            code: cells
            for code, cells in stored_contracts.items()
            if OWN_CONTRACT_CODE_PATTERN.fullmatch(code)
        }
        yield from cells_by_own_contract.items()
        return
    typed_codes = {name.partition(".")[0] for name in form_data} - {skipped_code}
    for code in sorted(
        (
            typed_code
            for typed_code in typed_codes
            if OWN_CONTRACT_CODE_PATTERN.fullmatch(typed_code)
        ),
        key=_get_code_number,
    ):
        if title := " ".join(form_data.get(f"{code}.title", "").split()):
            yield code, _read_row(form_data, code, title, stored_contracts.get(code, {}))


def _get_code_number(code: str) -> int:
    return int(code.removeprefix("own-"))


def _read_row(
    form_data: Mapping[str, str], code: str, title: str, stored_cells: Mapping[str, Any]
) -> dict[str, Any]:
    has_target_tricks = form_data.get(f"{code}.how", "") != TrickGoal.ALWAYS_LOSES
    made_points_text = form_data.get(f"{code}.made", "") if has_target_tricks else ""
    made_points, made_step = parse_points(made_points_text, title)
    lost_points, lost_step = parse_points(form_data.get(f"{code}.lost", ""), title)
    target_tricks = parse_whole_number(
        form_data.get(f"{code}.wants", ""), maximum=TRICKS_PER_DEAL
    )
    if not has_target_tricks:
        target_tricks = None
    elif target_tricks is None:
        message = _("%(contract)s: enter 0–13 tricks.")
        raise UnreadableDrive([message % {"contract": title}])
    hidden_cells = {
        name: stored_cells[name] for name in ("local", "family") if name in stored_cells
    }
    step_by_key = {"made_step": made_step, "lost_step": lost_step}
    return {
        "title": title,
        "key": form_data.get(f"{code}.key", "").strip().lower(),
        "side": form_data.get(f"{code}.side", ""),
        "how": form_data.get(f"{code}.how", ""),
        "wants": target_tricks,
        "made": made_points,
        "lost": lost_points,
        **{name: step for name, step in step_by_key.items() if step},
        **({} if f"{code}.played" in form_data else {"played": False}),
        **hidden_cells,
    }
