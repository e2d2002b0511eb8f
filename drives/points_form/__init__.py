"""The form of a points table: converts contracts and terms to text and back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from drives.contract_words import apply_contract_words
from drives.errors import UnreadableDrive
from drives.games.contracts import Game, PointsTable
from drives.games.house import build_points_table, list_changed_cells
from drives.games.places import Problem
from drives.games.term_sentences import list_term_sentences
from drives.points_form.contract_cells import (
    ContractRow,
    build_rows,
    keep_typed,
    read_changed_cells,
)
from drives.points_form.examples import ExampleHand, build_examples
from drives.points_form.own_contracts import (
    OwnRow,
    build_own_rows,
    keep_typed_own_rows,
    read_own_contracts,
)
from drives.points_form.term_cells import (
    TermCells,
    build_term_cells,
    keep_typed_terms,
    read_changed_terms,
)

RESET_ALL = "all"
"""The value of the button that undoes every change."""


@dataclass(frozen=True, kw_only=True)
class PointsForm:
    """A points table on the page: its fields, and example hands with its points."""

    rows: list[ContractRow]
    own_rows: list[OwnRow]
    terms: TermCells
    sentences: list[str]
    examples: list[ExampleHand]
    changed_names: list[str]
    """The names of the contracts that the club changed or added."""

    def keep_typed(self, form: Mapping[str, str]) -> "PointsForm":
        """Return the form with its fields as typed, so that a mistake can be corrected."""
        return replace(
            self,
            rows=keep_typed(self.rows, form),
            own_rows=keep_typed_own_rows(self.own_rows, form),
            terms=keep_typed_terms(self.terms, form),
        )


def build_points_form(
    game: Game, variant_code: str | None, house: Mapping[str, Any], name_style: str
) -> PointsForm:
    """Return the form of a table, with the club's names of contracts; raise UnreadableDrive."""
    base_table = build_points_table(game, variant_code, {})
    points_table = apply_contract_words(
        build_points_table(game, variant_code, house), name_style
    )
    changed_codes = {
        place.partition(".")[0] for place in list_changed_cells(base_table, points_table)
    }
    return PointsForm(
        rows=build_rows(base_table, points_table, changed_codes),
        own_rows=build_own_rows(house),
        terms=build_term_cells(base_table, points_table),
        sentences=list_term_sentences(points_table),
        examples=build_examples(points_table, changed_codes),
        changed_names=[
            str(contract.label.local)
            for contract in points_table.contracts
            if contract.code in changed_codes
        ],
    )


def read_house(
    form: Mapping[str, str],
    game: Game,
    variant_code: str | None,
    house: Mapping[str, Any],
    name_style: str,
) -> dict[str, Any]:
    """Read the form as changes to the predefined table; raise UnreadableDrive with the place.

    Added contracts and terms that the form does not show stay as in `house`. The field `reset`
    names a contract whose changes are undone, or all contracts. Messages use the club's names
    of contracts.
    """
    base_table = apply_contract_words(build_points_table(game, variant_code, {}), name_style)
    reset_code = form.get("reset", "")
    if reset_code == RESET_ALL:
        return {}
    contracts = dict(read_changed_cells(form, base_table, reset_code))
    contracts |= read_own_contracts(form, house, reset_code)
    house_changes = dict(read_changed_terms(form, base_table, house))
    house_changes |= {"contracts": contracts} if contracts else {}
    _check_house(game, variant_code, house_changes, base_table)
    return house_changes


def _check_house(
    game: Game, variant_code: str | None, house: Mapping[str, Any], base_table: PointsTable
) -> None:
    """Raise UnreadableDrive with the names of the contract and the field on the page."""
    try:
        build_points_table(game, variant_code, house)
    except UnreadableDrive as error:
        lines = [_format_problem(problem, base_table, house) for problem in error.problems]
        raise UnreadableDrive(lines) from None


def _format_problem(line: str, base_table: PointsTable, house: Mapping[str, Any]) -> str:
    """Return a problem with the contract's and the field's names instead of their codes."""
    if not isinstance(line, Problem):
        return line
    _first_key, _colon, place = line.place.partition(": ")
    code, _colon, cell = place.partition(": ")
    contract = base_table.contracts_by_code.get(code)
    own_contract = house.get("contracts", {}).get(code, {})
    name = (
        contract.label.local if contract else own_contract.get("title") or get_field_label(code)
    )
    return ": ".join(
        place_part for place_part in (name, get_field_label(cell), line.detail) if place_part
    )


def get_field_label(code: str) -> str:
    """Return the label of a field. An item of a list has the label of the list."""
    labels = {
        "played": _("Played"),
        "made": _("Made"),
        "made_step": _("Made"),
        "lost": pgettext("contract", "Lost"),
        "lost_step": pgettext("contract", "Lost"),
        "wants": _("Tricks"),
        "key": _("Key"),
        "title": _("Name"),
        "side": _("Players"),
        "how": _("Goal"),
        "passed": _("Everyone passed"),
        "several": _("Several misère players"),
        "times": _("Doubling"),
        "time": _("Doubling"),
        "revoke": _("Revoke"),
        "tricks": _("Tricks"),
        "fines": _("Fines"),
    }
    return labels.get(code.partition(" ")[0], code)
