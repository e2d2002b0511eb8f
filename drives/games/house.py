"""A club's changes to the points of a game: their format, and the table that results.

    {"contracts": {"misere": {"made": [10], "lost": [10]}, "piccolo": {"played": true}},
     "passed": "adds"}

The game's own table is changed by a ready variant, if one is chosen, and then by the club.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.games.contracts import (
    TRICKS,
    Contract,
    Game,
    Goal,
    Label,
    PassedRule,
    PointsTable,
    RevokeRule,
    Rule,
    SeveralRule,
    Side,
)
from drives.games.places import WordedPlace
from server.json_reader.formats import (
    find_reader,
    is_json_object,
    list_of,
    report_unknown_keys,
)
from server.json_reader.problems import JsonPlace, Problems, format_value
from server.json_reader.values import Reader, boolean, text, whole_number
from server.translation import gettext_noop

MAX_POINTS = 10_000
MAX_OWN_CONTRACTS = 20
MAX_TIMES = 9
MAX_LOST = 14
OWN_CODE = re.compile(r"own-[1-9][0-9]?")
OWN_FAMILY = gettext_noop("Your own contracts")


def _read_points(value: Any, at: JsonPlace) -> Any:
    """Read the points of a made or lost contract: at least one number."""
    if not isinstance(value, list | tuple):
        return at.report(
            _("%(shown)s isn't a list in brackets [ ]."), shown=format_value(value)
        )
    if not value:
        return at.report(_("Enter at least one number."))
    for each in value:
        if isinstance(each, bool) or not isinstance(each, int) or not 0 <= each <= MAX_POINTS:
            words = _(
                "%(shown)s isn't a whole number from 0 to %(most)s. "
                "Enter the points that each opponent pays."
            )
            return at.report(words, shown=format_value(each), most=MAX_POINTS)
    return tuple(value)


def _read_revoke(value: Any, at: JsonPlace) -> Any:
    """Read the cost of a revoke: {"tricks": 3}, {"times": 2}, or null for fines."""
    if value is None:
        return None
    found = find_reader(_FiledRevoke)(value, at)
    if found and (found.tricks is None) == (found.times is None):
        return at.report(_("Enter either tricks or times."))
    return found and RevokeRule(tricks=found.tricks, times=found.times)


@dataclass(frozen=True, kw_only=True)
class _FiledRevoke:
    tricks: Annotated[int | None, whole_number(1, TRICKS)]
    times: Annotated[int | None, whole_number(2, MAX_TIMES)]


Step = whole_number(0, MAX_POINTS)
CELLS: Mapping[str, Reader] = {
    "wants": whole_number(0, TRICKS),
    "made": _read_points,
    "made_step": Step,
    "lost": _read_points,
    "lost_step": Step,
    "played": boolean,
}
"""The cells of a contract that a club may change."""
TERMS: Mapping[str, Reader] = {
    "passed": find_reader(PassedRule),
    "several": find_reader(SeveralRule),
    "times": list_of(whole_number(2, MAX_TIMES), max_length=MAX_TIMES - 1),
    "revoke": _read_revoke,
    "fines": boolean,
}


@dataclass(frozen=True, kw_only=True)
class _OwnContract:
    """A contract that a club added."""

    title: Annotated[str, text(60)]
    key: Annotated[
        str, text(3, pattern=r"^[a-z0-9]+$", description=gettext_noop("a short key"))
    ]
    local: Annotated[str, text(60)] = ""
    family: Annotated[str, text(40)] = ""
    side: Side
    how: Goal
    wants: Annotated[int | None, whole_number(0, TRICKS)]
    made: Annotated[tuple[int, ...], _read_points] = ()
    lost: Annotated[tuple[int, ...], _read_points]
    made_step: Annotated[int, Step] = 0
    lost_step: Annotated[int, Step] = 0
    played: bool = True


def build_points_table(
    game: Game, variant: str | None, house: Mapping[str, Any], at: JsonPlace | None = None
) -> PointsTable:
    """Return the table of a game after a ready variant and a club's own changes.

    Problems are reported at `at`. Without it UnreadableDrive is raised with the place.
    """
    problems = Problems(UnreadableDrive)
    place = at or WordedPlace("", problems)
    table = game.table
    if variant is not None:
        table = find_variant_table(game, variant, place.key("custom"))
    table = change_table(table, house, place.key("house"))
    problems.raise_if_any()
    return table


def find_variant_table(game: Game, variant: str, at: JsonPlace) -> PointsTable:
    """Return the table of a ready variant; an unknown code is reported at `at`."""
    for each in game.variants:
        if each.code == variant:
            return change_table(game.table, each.changes, at)
    codes = ", ".join(each.code for each in game.variants)
    words = _("%(shown)s isn't known. Choose from %(codes)s.")
    at.report(words, shown=format_value(variant), codes=codes)
    return game.table


def change_table(table: PointsTable, changes: Mapping[str, Any], at: JsonPlace) -> PointsTable:
    """Return a table with changes; problems are reported and the affected cells stay."""
    if not is_json_object(changes, at):
        return table
    report_unknown_keys(changes, [*TERMS, "contracts"], at)
    contracts, before = changes.get("contracts", {}), len(at.problems)
    place = at.key("contracts")
    if is_json_object(contracts, place):
        changed = _change_contracts(table, contracts, place)
        table = replace(table, contracts=changed)
    terms = {
        name: TERMS[name](changes[name], at.key(name)) for name in TERMS if name in changes
    }
    if len(at.problems) > before:
        return table
    return replace(table, **terms)


def _change_contracts(
    table: PointsTable, changes: Mapping[str, Any], at: JsonPlace
) -> tuple[Contract, ...]:
    changed = dict(table.by_code)
    own = [code for code in changes if code not in changed]
    if len(own) > MAX_OWN_CONTRACTS:
        at.report(_("Add at most %(most)s contracts."), most=MAX_OWN_CONTRACTS)
        return table.contracts
    for code, cells in changes.items():
        place = at.key(code)
        if code in changed:
            contract = _change_contract(changed[code], cells, place)
        elif OWN_CODE.fullmatch(code):
            contract = _read_own_contract(code, cells, place)
        else:
            words = _("unknown contract. Choose from %(codes)s.")
            place.report(words, codes=", ".join(table.by_code))
            continue
        if contract is not None and _check_rule(contract.rule, place):
            changed[code] = contract
    _check_keys(changed, own, at)
    return tuple(changed.values())


def _change_contract(contract: Contract, cells: Any, at: JsonPlace) -> Contract | None:
    if not is_json_object(cells, at):
        return None
    known = ["lost", "played"] if contract.rule.how is Goal.LOSES else list(CELLS)
    report_unknown_keys(cells, known, at)
    before = len(at.problems)
    found = {name: CELLS[name](cells[name], at.key(name)) for name in known if name in cells}
    if len(at.problems) > before:
        return None
    return replace(contract, rule=replace(contract.rule, **found))


def _read_own_contract(code: str, cells: Any, at: JsonPlace) -> Contract | None:
    found = find_reader(_OwnContract)(cells, at)
    if found is None:
        return None
    words = [found.title, found.local or found.title, found.family or OWN_FAMILY]
    rule = {each.name: getattr(found, each.name) for each in fields(Rule)}
    return Contract(Label(code, found.key, *words), Rule(**rule))


def _check_rule(rule: Rule, at: JsonPlace) -> bool:
    """Return whether a contract is consistent; report its faults."""
    faults = _list_payment_faults(rule) if rule.how is Goal.LOSES else _list_trick_faults(rule)
    for cell, words in faults.items():
        at.key(cell).report(words)
    return not faults


def _list_payment_faults(rule: Rule) -> dict[str, str]:
    """List the faults of a contract without tricks, by cell."""
    words = {
        "made": _("a player who pays can't win points.") if rule.made else "",
        "wants": "" if rule.wants is None else _("no tricks are entered for this contract."),
        "side": "" if rule.side is Side.ALONE else _("one player pays. Enter alone."),
    }
    return {cell: fault for cell, fault in words.items() if fault}


def _list_trick_faults(rule: Rule) -> dict[str, str]:
    """List the faults of a contract with tricks, by cell."""
    found = {}
    if rule.side is Side.EACH and rule.how is Goal.AT_LEAST:
        found["how"] = _("players for themselves play for most or exactly n tricks.")
    if len(rule.lost) > MAX_LOST:
        found["lost"] = _("The list is too long. Use at most %(most)s.") % {"most": MAX_LOST}
    if rule.wants is None or not rule.made:
        return found | {"wants" if rule.wants is None else "made": _("This is missing.")}
    most, count = TRICKS + 1 - rule.wants, len(rule.made)
    if count > most:
        words = _("There are %(count)s values, but this contract takes at most %(most)s.")
        found["made"] = words % {"count": count, "most": most}
    return found


def _check_keys(contracts: Mapping[str, Contract], own: list[str], at: JsonPlace) -> None:
    """Report an added contract whose key another contract has."""
    for code in own:
        if code not in contracts:
            continue
        key = contracts[code].label.key
        if any(each.label.key == key for each in contracts.values() if each.code != code):
            at.key(code).key("key").report(_("another contract has this key."))


def allow_all_contracts(table: PointsTable) -> PointsTable:
    """Return a table in which every contract may be bid, for hands already entered."""
    return replace(
        table,
        contracts=tuple(
            replace(each, rule=replace(each.rule, played=True)) for each in table.contracts
        ),
    )


def list_changed_cells(before: PointsTable, after: PointsTable) -> list[str]:
    """Return the places of all cells that differ, e.g. "misere.made" or "passed"."""
    found = []
    for contract in after.contracts:
        old = before.by_code.get(contract.code)
        if old is None:
            found.append(contract.code)
            continue
        found += [
            f"{contract.code}.{cell}"
            for cell in CELLS
            if getattr(old.rule, cell) != getattr(contract.rule, cell)
        ]
    return found + [name for name in TERMS if getattr(before, name) != getattr(after, name)]


def build_table_data(table: PointsTable) -> dict[str, Any]:
    """Return a table in the format of files, the API and the table's phone."""
    revoke = table.revoke
    return {
        "passed": table.passed.value,
        "several": table.several.value,
        "times": list(table.times),
        "revoke": revoke
        and {
            name: value
            for name in ("tricks", "times")
            if (value := getattr(revoke, name)) is not None
        },
        "fines": table.fines,
        "contracts": [_build_contract_data(each) for each in table.contracts],
    }


def _build_contract_data(contract: Contract) -> dict[str, Any]:
    label, rule = contract.label, contract.rule
    words = {name: str(getattr(label, name)) for name in ("title", "local", "family")}
    return {"code": label.code, "key": label.key, **words} | {
        "side": rule.side.value,
        "how": rule.how.value,
        "wants": rule.wants,
        "made": list(rule.made),
        "made_step": rule.made_step,
        "lost": list(rule.lost),
        "lost_step": rule.lost_step,
        "played": rule.played,
    }
