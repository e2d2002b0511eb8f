"""Applies a club's changes to the points table of a game. The changes have this format:

    {"contracts": {"misere": {"made": [10], "lost": [10]}, "piccolo": {"played": true}},
     "passed": "adds"}

If a predefined variant is chosen, it changes the game's table before the club's changes do.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.games.contracts import (
    TRICKS_PER_DEAL,
    Contract,
    ContractLabel,
    ContractRule,
    DeclaringSide,
    Game,
    PassedDealRule,
    PointsTable,
    RevokeRule,
    SeveralBiddersRule,
    TrickGoal,
)
from drives.games.places import JsonPathInWords
from server.json_reader.formats import (
    JsonKey,
    build_list_reader,
    find_reader,
    is_json_object,
    report_unknown_keys,
)
from server.json_reader.problems import JsonPath, Problems, format_value
from server.json_reader.values import (
    Reader,
    build_text_reader,
    build_whole_number_reader,
    read_boolean,
)
from server.translation import gettext_noop

MAX_POINTS = 10_000
MAX_OWN_CONTRACTS = 20
MAX_POINTS_MULTIPLIER = 9
MAX_LOST_POINTS_VALUES = 14
OWN_CONTRACT_CODE_PATTERN = re.compile(r"own-[1-9][0-9]?")
OWN_CONTRACTS_FAMILY = gettext_noop("Your own contracts")


def _read_points(json_value: Any, json_path: JsonPath) -> Any:
    """Read the points of a made or lost contract: at least one number."""
    if not isinstance(json_value, list | tuple):
        return json_path.report(
            _("%(shown)s isn’t a list in brackets [ ]."), shown=format_value(json_value)
        )
    if not json_value:
        return json_path.report(_("Enter at least one number."))
    for points in json_value:
        if (
            isinstance(points, bool)
            or not isinstance(points, int)
            or not 0 <= points <= MAX_POINTS
        ):
            message = _(
                "%(shown)s isn’t a whole number from 0 to %(most)s. Enter the points that "
                "each opponent pays."
            )
            return json_path.report(message, shown=format_value(points), most=MAX_POINTS)
    return tuple(json_value)


def _read_revoke(json_value: Any, json_path: JsonPath) -> Any:
    """Read the cost of a revoke: {"tricks": 3}, {"times": 2}, or null for fines."""
    if json_value is None:
        return None
    revoke_data = find_reader(_RevokeCostData)(json_value, json_path)
    if revoke_data and (revoke_data.tricks is None) == (revoke_data.times is None):
        return json_path.report(_("Enter either tricks or times."))
    return revoke_data and RevokeRule(tricks=revoke_data.tricks, times=revoke_data.times)


@dataclass(frozen=True, kw_only=True)
class _RevokeCostData:
    """The cost of a revoke in the JSON format."""

    tricks: Annotated[int | None, build_whole_number_reader(1, TRICKS_PER_DEAL)]
    times: Annotated[int | None, build_whole_number_reader(2, MAX_POINTS_MULTIPLIER)]


POINTS_STEP_READER = build_whole_number_reader(0, MAX_POINTS)
READERS_BY_CELL: Mapping[str, Reader] = {
    "wants": build_whole_number_reader(0, TRICKS_PER_DEAL),
    "made": _read_points,
    "made_step": POINTS_STEP_READER,
    "lost": _read_points,
    "lost_step": POINTS_STEP_READER,
    "played": read_boolean,
}
"""The cells of a contract's row in the points table that a club may change, with readers."""
READERS_BY_TERM: Mapping[str, Reader] = {
    "passed": find_reader(PassedDealRule),
    "several": find_reader(SeveralBiddersRule),
    "times": build_list_reader(
        build_whole_number_reader(2, MAX_POINTS_MULTIPLIER),
        max_length=MAX_POINTS_MULTIPLIER - 1,
    ),
    "revoke": _read_revoke,
    "fines": read_boolean,
}
"""The rules of a points table that a club may change, with readers."""


@dataclass(frozen=True, kw_only=True)
class _OwnContract:
    """A contract that a club added."""

    title: Annotated[str, build_text_reader(60)]
    key: Annotated[
        str,
        build_text_reader(3, pattern=r"^[a-z0-9]+$", description=gettext_noop("a short key")),
    ]
    local: Annotated[str, build_text_reader(60)] = ""
    family: Annotated[str, build_text_reader(40)] = ""
    side: DeclaringSide
    goal: Annotated[TrickGoal, JsonKey("how")]
    wants: Annotated[int | None, build_whole_number_reader(0, TRICKS_PER_DEAL)]
    made: Annotated[tuple[int, ...], _read_points] = ()
    lost: Annotated[tuple[int, ...], _read_points]
    made_step: Annotated[int, POINTS_STEP_READER] = 0
    lost_step: Annotated[int, POINTS_STEP_READER] = 0
    played: bool = True


def build_points_table(
    game: Game,
    variant_code: str | None,
    club_changes: Mapping[str, Any],
    json_path: JsonPath | None = None,
) -> PointsTable:
    """Return the points table of a game with a predefined variant and a club's own changes.

    Problems are reported at `json_path`. Without it, UnreadableDrive is raised.
    """
    problems = Problems(UnreadableDrive)
    root_path = json_path or JsonPathInWords("", problems)
    points_table = game.points_table
    if variant_code is not None:
        points_table = find_variant_table(game, variant_code, root_path.get_key_path("custom"))
    points_table = apply_point_changes(
        points_table, club_changes, root_path.get_key_path("house")
    )
    problems.raise_if_any()
    return points_table


def find_variant_table(game: Game, variant_code: str, json_path: JsonPath) -> PointsTable:
    """Return a predefined variant of a points table; report an unknown code at `json_path`."""
    for variant in game.variants:
        if variant.code == variant_code:
            return apply_point_changes(game.points_table, variant.changes, json_path)
    codes = ", ".join(variant.code for variant in game.variants)
    message = _("%(shown)s isn’t known. Choose from %(codes)s.")
    json_path.report(message, shown=format_value(variant_code), codes=codes)
    return game.points_table


def apply_point_changes(
    points_table: PointsTable, point_changes: Mapping[str, Any], json_path: JsonPath
) -> PointsTable:
    """Return a points table with changes; invalid changes are reported and not applied."""
    if not is_json_object(point_changes, json_path):
        return points_table
    report_unknown_keys(point_changes, [*READERS_BY_TERM, "contracts"], json_path)
    contracts, previous_problem_count = (
        point_changes.get("contracts", {}),
        len(json_path.problems),
    )
    contracts_path = json_path.get_key_path("contracts")
    if is_json_object(contracts, contracts_path):
        changed_contracts = _change_contracts(points_table, contracts, contracts_path)
        points_table = replace(points_table, contracts=changed_contracts)
    changed_terms = {
        name: READERS_BY_TERM[name](point_changes[name], json_path.get_key_path(name))
        for name in READERS_BY_TERM
        if name in point_changes
    }
    if len(json_path.problems) > previous_problem_count:
        return points_table
    return replace(points_table, **changed_terms)


def _change_contracts(
    points_table: PointsTable, changes_by_code: Mapping[str, Any], json_path: JsonPath
) -> tuple[Contract, ...]:
    contracts_by_code = dict(points_table.contracts_by_code)
    added_codes = [code for code in changes_by_code if code not in contracts_by_code]
    if len(added_codes) > MAX_OWN_CONTRACTS:
        json_path.report(_("Add at most %(most)s contracts."), most=MAX_OWN_CONTRACTS)
        return points_table.contracts
    for code, cells in changes_by_code.items():
        contract_path = json_path.get_key_path(code)
        if code in contracts_by_code:
            contract = _change_contract(contracts_by_code[code], cells, contract_path)
        elif OWN_CONTRACT_CODE_PATTERN.fullmatch(code):
            contract = _read_own_contract(code, cells, contract_path)
        else:
            message = _("unknown contract. Choose from %(codes)s.")
            contract_path.report(message, codes=", ".join(points_table.contracts_by_code))
            continue
        if contract is not None and _check_rule(contract.rule, contract_path):
            contracts_by_code[code] = contract
    _check_contract_keys(contracts_by_code, added_codes, json_path)
    return tuple(contracts_by_code.values())


def _change_contract(contract: Contract, cells: Any, json_path: JsonPath) -> Contract | None:
    if not is_json_object(cells, json_path):
        return None
    allowed_cell_names = (
        ["lost", "played"]
        if contract.rule.goal is TrickGoal.ALWAYS_LOSES
        else list(READERS_BY_CELL)
    )
    report_unknown_keys(cells, allowed_cell_names, json_path)
    previous_problem_count = len(json_path.problems)
    changed_cells = {
        name: READERS_BY_CELL[name](cells[name], json_path.get_key_path(name))
        for name in allowed_cell_names
        if name in cells
    }
    if len(json_path.problems) > previous_problem_count:
        return None
    return replace(contract, rule=replace(contract.rule, **changed_cells))


def _read_own_contract(code: str, cells: Any, json_path: JsonPath) -> Contract | None:
    own_contract = find_reader(_OwnContract)(cells, json_path)
    if own_contract is None:
        return None
    label_texts = [
        own_contract.title,
        own_contract.local or own_contract.title,
        own_contract.family or OWN_CONTRACTS_FAMILY,
    ]
    rule_values = {
        rule_field.name: getattr(own_contract, rule_field.name)
        for rule_field in fields(ContractRule)
    }
    return Contract(
        ContractLabel(code, own_contract.key, *label_texts), ContractRule(**rule_values)
    )


def _check_rule(rule: ContractRule, json_path: JsonPath) -> bool:
    """Report contradictions in a contract's rule; return true if there are none."""
    message_by_key = (
        _list_payment_errors(rule)
        if rule.goal is TrickGoal.ALWAYS_LOSES
        else _list_trick_errors(rule)
    )
    for json_key, message in message_by_key.items():
        json_path.get_key_path(json_key).report(message)
    return not message_by_key


def _list_payment_errors(rule: ContractRule) -> dict[str, str]:
    """Return messages about the rule of a contract that its player always pays, by JSON key."""
    message_by_key = {
        "made": _("a player who pays can’t win points.") if rule.made else "",
        "wants": "" if rule.wants is None else _("no tricks are entered for this contract."),
        "side": ""
        if rule.side is DeclaringSide.ALONE
        else _("only one player pays. Enter “alone”."),
    }
    return {json_key: message for json_key, message in message_by_key.items() if message}


def _list_trick_errors(rule: ContractRule) -> dict[str, str]:
    """Return messages about the rule of a contract for which tricks count, by JSON key."""
    message_by_key = {}
    if rule.side is DeclaringSide.EACH and rule.goal is TrickGoal.AT_LEAST:
        message_by_key["how"] = _(
            "when players play for themselves, choose most or exactly n tricks."
        )
    if len(rule.lost) > MAX_LOST_POINTS_VALUES:
        message_by_key["lost"] = _("The list is too long. Use at most %(most)s.") % {
            "most": MAX_LOST_POINTS_VALUES
        }
    if rule.wants is None or not rule.made:
        return message_by_key | {
            "wants" if rule.wants is None else "made": _("This is missing.")
        }
    max_made_value_count, made_value_count = TRICKS_PER_DEAL + 1 - rule.wants, len(rule.made)
    if made_value_count > max_made_value_count:
        message = _("There are %(count)s values, but this contract takes at most %(most)s.")
        message_by_key["made"] = message % {
            "count": made_value_count,
            "most": max_made_value_count,
        }
    return message_by_key


def _check_contract_keys(
    contracts_by_code: Mapping[str, Contract], added_codes: list[str], json_path: JsonPath
) -> None:
    """Report an added contract that has the same key as another contract."""
    for code in added_codes:
        if code not in contracts_by_code:
            continue
        contract_key = contracts_by_code[code].label.key
        if any(
            contract.label.key == contract_key
            for contract in contracts_by_code.values()
            if contract.code != code
        ):
            json_path.get_key_path(code).get_key_path("key").report(
                _("another contract has this key.")
            )


def allow_all_contracts(points_table: PointsTable) -> PointsTable:
    """Return a table in which every contract may be bid, to read hands entered earlier."""
    return replace(
        points_table,
        contracts=tuple(
            replace(contract, rule=replace(contract.rule, played=True))
            for contract in points_table.contracts
        ),
    )


def list_changed_cells(old_table: PointsTable, new_table: PointsTable) -> list[str]:
    """Return which values of two points tables differ.

    "misere.made" is the value `made` of the contract with the code "misere", "passed" is a rule
    of the whole table, and "misere" is a contract that only the new table has.
    """
    changed_cells = []
    for contract in new_table.contracts:
        old_contract = old_table.contracts_by_code.get(contract.code)
        if old_contract is None:
            changed_cells.append(contract.code)
            continue
        changed_cells += [
            f"{contract.code}.{cell}"
            for cell in READERS_BY_CELL
            if getattr(old_contract.rule, cell) != getattr(contract.rule, cell)
        ]
    return changed_cells + [
        name for name in READERS_BY_TERM if getattr(old_table, name) != getattr(new_table, name)
    ]


def build_points_table_data(points_table: PointsTable) -> dict[str, Any]:
    """Return a points table as JSON data for drive files, the API and phones at tables."""
    return build_term_data(points_table) | {
        "contracts": [_build_contract_data(contract) for contract in points_table.contracts]
    }


def build_term_data(points_table: PointsTable) -> dict[str, Any]:
    """Return the rules of a points table in the format that `READERS_BY_TERM` read."""
    revoke_rule = points_table.revoke
    return {
        "passed": points_table.passed.value,
        "several": points_table.several.value,
        "times": list(points_table.times),
        "revoke": revoke_rule
        and {
            name: revoke_cost
            for name in ("tricks", "times")
            if (revoke_cost := getattr(revoke_rule, name)) is not None
        },
        "fines": points_table.fines,
    }


def _build_contract_data(contract: Contract) -> dict[str, Any]:
    contract_label, rule = contract.label, contract.rule
    label_texts = {
        name: str(getattr(contract_label, name)) for name in ("title", "local", "family")
    }
    return {"code": contract_label.code, "key": contract_label.key, **label_texts} | {
        "side": rule.side.value,
        "how": rule.goal.value,
        "wants": rule.wants,
        "made": list(rule.made),
        "made_step": rule.made_step,
        "lost": list(rule.lost),
        "lost_step": rule.lost_step,
        "played": rule.played,
    }
