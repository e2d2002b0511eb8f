"""The contracts that a club added to a game, as fields of a form."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from drives.errors import UnreadableDrive
from drives.games.contracts import TRICKS, Goal, Side
from drives.games.house import MAX_OWN_CONTRACTS, OWN_CODE_PATTERN
from drives.points_form.contract_cells import format_points, parse_points
from server.numbers import parse_whole_number

SHOWN_FIELD = "own.shown"
"""A hidden field; without it, the form does not change the added contracts."""
SIDE_LABELS: Mapping[str, str | Promise] = {
    Side.PAIR: gettext_lazy("two partners"),
    Side.ALONE: gettext_lazy("one player"),
    Side.EACH: gettext_lazy("one to four players, each for themselves"),
    Side.PAIR_OR_ALONE: gettext_lazy("one player, perhaps with a partner"),
}
GOAL_LABELS: Mapping[str, str | Promise] = {
    Goal.AT_LEAST: gettext_lazy("at least"),
    Goal.AT_MOST: gettext_lazy("at most"),
    Goal.EXACTLY: gettext_lazy("exactly"),
    Goal.LOSES: gettext_lazy("no tricks, the player pays"),
}


@dataclass(frozen=True)
class OwnRow:
    """An added contract on the form, with its cells as text."""

    code: str
    cells: Mapping[str, str] = field(default_factory=dict)
    is_played: bool = True
    is_new: bool = False

    @property
    def side_choices(self) -> list[tuple[str, str | Promise, bool]]:
        """The sides as (value, label, is chosen)."""
        return _list_choices(SIDE_LABELS, self.cells.get("side", ""))

    @property
    def goal_choices(self) -> list[tuple[str, str | Promise, bool]]:
        """The goals as (value, label, is chosen)."""
        return _list_choices(GOAL_LABELS, self.cells.get("how", ""))


def _list_choices(
    labels: Mapping[str, str | Promise], chosen_code: str
) -> list[tuple[str, str | Promise, bool]]:
    return [(str(value), label, value == chosen_code) for value, label in labels.items()]


def build_own_rows(house: Mapping[str, Any]) -> list[OwnRow]:
    """Return a row for each added contract of valid changes, and an empty row for a new one."""
    stored_contracts = house.get("contracts", {})
    codes = [code for code in stored_contracts if OWN_CODE_PATTERN.fullmatch(code)]
    rows = [_build_row(code, stored_contracts[code]) for code in codes]
    if len(codes) < MAX_OWN_CONTRACTS:
        number = next(
            candidate for candidate in range(1, 100) if f"own-{candidate}" not in codes
        )
        rows.append(OwnRow(f"own-{number}", is_new=True))
    return rows


def _build_row(code: str, cells: Mapping[str, Any]) -> OwnRow:
    wants = cells.get("wants")
    text_by_cell = {name: str(cells.get(name, "")) for name in ("title", "key", "side", "how")}
    text_by_cell |= {"wants": "" if wants is None else str(wants)}
    for name in ("made", "lost"):
        text_by_cell[name] = format_points(
            tuple(cells.get(name, ())), cells.get(f"{name}_step", 0)
        )
    return OwnRow(code, text_by_cell, bool(cells.get("played", True)))


def keep_typed_own_rows(rows: list[OwnRow], form: Mapping[str, str]) -> list[OwnRow]:
    """Return rows with the cells as typed."""
    if SHOWN_FIELD not in form:
        return rows
    names = ("title", "key", "side", "how", "wants", "made", "lost")
    return [
        OwnRow(
            row.code,
            {name: form.get(f"{row.code}.{name}", "")[:200] for name in names},
            f"{row.code}.played" in form,
            row.is_new,
        )
        for row in rows
    ]


def read_own_contracts(
    form: Mapping[str, str], house: Mapping[str, Any], skipped_code: str = ""
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the added contracts of a form with their fields; raise UnreadableDrive.

    The contract with the code `skipped_code` and rows with an empty title are omitted.
    """
    stored_contracts = house.get("contracts", {})
    if SHOWN_FIELD not in form:
        own_contracts = {
            code: cells
            for code, cells in stored_contracts.items()
            if OWN_CODE_PATTERN.fullmatch(code)
        }
        yield from own_contracts.items()
        return
    typed_codes = {name.partition(".")[0] for name in form} - {skipped_code}
    for code in sorted(
        (typed_code for typed_code in typed_codes if OWN_CODE_PATTERN.fullmatch(typed_code)),
        key=_get_code_number,
    ):
        if title := " ".join(form.get(f"{code}.title", "").split()):
            yield code, _read_row(form, code, title, stored_contracts.get(code, {}))


def _get_code_number(code: str) -> int:
    return int(code.removeprefix("own-"))


def _read_row(
    form: Mapping[str, str], code: str, title: str, stored_cells: Mapping[str, Any]
) -> dict[str, Any]:
    has_tricks = form.get(f"{code}.how", "") != Goal.LOSES
    typed_made = form.get(f"{code}.made", "") if has_tricks else ""
    made, made_step = parse_points(typed_made, title)
    lost, lost_step = parse_points(form.get(f"{code}.lost", ""), title)
    wants = parse_whole_number(form.get(f"{code}.wants", ""), maximum=TRICKS)
    if not has_tricks:
        wants = None
    elif wants is None:
        message = _("%(contract)s: enter 0–13 tricks.")
        raise UnreadableDrive([message % {"contract": title}])
    hidden_cells = {
        name: stored_cells[name] for name in ("local", "family") if name in stored_cells
    }
    steps = {"made_step": made_step, "lost_step": lost_step}
    return {
        "title": title,
        "key": form.get(f"{code}.key", "").strip().lower(),
        "side": form.get(f"{code}.side", ""),
        "how": form.get(f"{code}.how", ""),
        "wants": wants,
        "made": made,
        "lost": lost,
        **{name: step for name, step in steps.items() if step},
        **({} if f"{code}.played" in form else {"played": False}),
        **hidden_cells,
    }
