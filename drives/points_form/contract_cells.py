"""The cells of the contracts of a points table as text, and back."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.games.contracts import Contract, Game, PointsTable
from drives.games.house import build_points_table, list_changed_cells
from server.numbers import parse_whole_number

MAX_TYPED = 200


@dataclass(frozen=True)
class ContractRow:
    """A contract on the form; points are text such as "8 11 14 +3"."""

    contract: Contract
    wants: str
    made: str
    lost: str
    is_played: bool
    is_changed: bool


def build_rows(game: Game, variant: str | None, house: Mapping[str, Any]) -> list[ContractRow]:
    """Return the game's contracts in the table in force, in the order of the bids.

    Raises UnreadableDrive for an invalid house. Contracts that the club added are left out.
    """
    base = build_points_table(game, variant, {})
    table = build_points_table(game, variant, house)
    changed = {place.partition(".")[0] for place in list_changed_cells(base, table)}
    return [
        ContractRow(
            contract=each,
            wants="" if each.rule.wants is None else str(each.rule.wants),
            made=format_points(each.rule.made, each.rule.made_step),
            lost=format_points(each.rule.lost, each.rule.lost_step),
            is_played=each.rule.played,
            is_changed=each.code in changed,
        )
        for each in table.contracts
        if each.code in base.by_code
    ]


def keep_typed(rows: list[ContractRow], form: Mapping[str, str]) -> list[ContractRow]:
    """Return rows with the cells as typed, so that a mistake can be corrected."""
    return [
        replace(
            each,
            is_played=f"{each.contract.code}.played" in form,
            **{
                name: form.get(f"{each.contract.code}.{name}", getattr(each, name))[:MAX_TYPED]
                for name in ("wants", "made", "lost")
            },
        )
        for each in rows
    ]


def format_points(points: tuple[int, ...], step: int) -> str:
    """Return points and the step after them: "8 11 14 +3"."""
    return " ".join([*map(str, points), *([f"+{step}"] if step else [])])


def parse_points(typed: str, title: str) -> tuple[list[int], int]:
    """Parse points such as "8 11 14 +3" into numbers and a step; raise UnreadableDrive."""
    words = typed[:MAX_TYPED].split()
    step = words.pop()[1:] if words and words[-1].startswith("+") else "0"
    numbers = [parse_whole_number(each, maximum=99_999) for each in [*words, step]]
    if None in numbers:
        message = _("%(contract)s: enter whole numbers, e.g. 8 11 14 +3.")
        raise UnreadableDrive([message % {"contract": title}])
    *points, last = (each or 0 for each in numbers)
    return points, last


def read_changed_cells(
    form: Mapping[str, str], base: PointsTable, skipped: str = ""
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the contracts of the form that differ from the ready table, with their changes.

    The contract with the code `skipped` is left out. Raises UnreadableDrive.
    """
    for contract in base.contracts:
        if contract.code == skipped:
            continue
        if cells := _read_changed_cells(form, contract):
            yield contract.code, cells


def _read_changed_cells(form: Mapping[str, str], contract: Contract) -> dict[str, Any]:
    """Return the cells of a contract that differ from the ready table."""
    rule, code, title = contract.rule, contract.code, str(contract.label.local)
    typed: dict[str, Any] = {"played": f"{code}.played" in form}
    typed["lost"], typed["lost_step"] = parse_points(form.get(f"{code}.lost", ""), title)
    if rule.wants is not None:
        typed["made"], typed["made_step"] = parse_points(form.get(f"{code}.made", ""), title)
        typed["wants"] = parse_whole_number(form.get(f"{code}.wants", ""), maximum=99)
        if typed["wants"] is None:
            words = _("%(contract)s: enter the tricks as a whole number.")
            raise UnreadableDrive([words % {"contract": title}])
    before = {name: getattr(rule, name) for name in typed}
    before |= {name: list(before[name]) for name in ("made", "lost") if name in before}
    if rule.wants is None:
        typed.pop("lost_step")  # the player of such a contract always pays the same
    return {name: value for name, value in typed.items() if value != before[name]}
