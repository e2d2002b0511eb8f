"""The HTML form of a points table: converts contracts and rules to texts and back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from drives.contract_words import apply_contract_name_style
from drives.errors import UnreadableDrive
from drives.games.contracts import Game, PointsTable
from drives.games.house import build_points_table, list_changed_cells
from drives.games.places import MessageWithPath
from drives.games.term_sentences import list_term_sentences
from drives.points_form.contract_cells import (
    ContractRow,
    build_contract_rows,
    keep_typed_cells,
    read_changed_cells,
)
from drives.points_form.examples import ExampleHand, build_examples
from drives.points_form.own_contracts import (
    OwnContractRow,
    build_own_contract_rows,
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
"""The value of the button that discards all changes of the club."""


@dataclass(frozen=True, kw_only=True)
class PointsForm:
    """The fields for a points table, with sentences and example hands that explain it."""

    rows: list[ContractRow]
    own_rows: list[OwnContractRow]
    terms: TermCells
    sentences: list[str]
    examples: list[ExampleHand]
    changed_names: list[str]
    """The names of the contracts that the club changed or added."""

    def keep_typed_texts(self, form_data: Mapping[str, str]) -> "PointsForm":
        """Return the form with the texts as typed, so that the user can correct a mistake."""
        return replace(
            self,
            rows=keep_typed_cells(self.rows, form_data),
            own_rows=keep_typed_own_rows(self.own_rows, form_data),
            terms=keep_typed_terms(self.terms, form_data),
        )


def build_points_form(
    game: Game,
    variant_code: str | None,
    club_changes: Mapping[str, Any],
    contract_name_style: str,
) -> PointsForm:
    """Return the form of a points table; raise UnreadableDrive for invalid changes.

    `contract_name_style` is the club's choice of `HouseTerms.ContractNameStyle`.
    """
    base_table = build_points_table(game, variant_code, {})
    points_table = apply_contract_name_style(
        build_points_table(game, variant_code, club_changes), contract_name_style
    )
    changed_codes = {
        path.partition(".")[0] for path in list_changed_cells(base_table, points_table)
    }
    return PointsForm(
        rows=build_contract_rows(base_table, points_table, changed_codes),
        own_rows=build_own_contract_rows(club_changes),
        terms=build_term_cells(base_table, points_table),
        sentences=list_term_sentences(points_table),
        examples=build_examples(points_table, changed_codes),
        changed_names=[
            str(contract.label.local)
            for contract in points_table.contracts
            if contract.code in changed_codes
        ],
    )


def read_club_changes(
    form_data: Mapping[str, str],
    game: Game,
    variant_code: str | None,
    stored_changes: Mapping[str, Any],
    contract_name_style: str,
) -> dict[str, Any]:
    """Return the club's changes to the predefined table, as the form contains them.

    If the form has no fields for added contracts or for rules, these are taken from
    `stored_changes`. The field `reset` is the code of a contract whose changes are discarded,
    or "all". Raises UnreadableDrive, whose message uses the club's names for contracts.
    """
    base_table = apply_contract_name_style(
        build_points_table(game, variant_code, {}), contract_name_style
    )
    reset_code = form_data.get("reset", "")
    if reset_code == RESET_ALL:
        return {}
    changed_cells_by_contract = dict(read_changed_cells(form_data, base_table, reset_code))
    changed_cells_by_contract |= read_own_contracts(form_data, stored_changes, reset_code)
    new_changes = dict(read_changed_terms(form_data, base_table, stored_changes))
    new_changes |= {"contracts": changed_cells_by_contract} if changed_cells_by_contract else {}
    _check_club_changes(game, variant_code, new_changes, base_table)
    return new_changes


def _check_club_changes(
    game: Game,
    variant_code: str | None,
    club_changes: Mapping[str, Any],
    base_table: PointsTable,
) -> None:
    """Raise UnreadableDrive for invalid changes, with the names that the page shows."""
    try:
        build_points_table(game, variant_code, club_changes)
    except UnreadableDrive as error:
        messages = [
            _format_problem(problem, base_table, club_changes) for problem in error.problems
        ]
        raise UnreadableDrive(messages) from None


def _format_problem(
    problem: str, base_table: PointsTable, club_changes: Mapping[str, Any]
) -> str:
    """Return a problem with the contract's and the field's names instead of their codes."""
    if not isinstance(problem, MessageWithPath):
        return problem
    _first_key, _colon, path = problem.path_text.partition(": ")
    contract_code, _colon, field_code = path.partition(": ")
    contract = base_table.contracts_by_code.get(contract_code)
    own_contract = club_changes.get("contracts", {}).get(contract_code, {})
    contract_or_term_name = (
        contract.label.local
        if contract
        else own_contract.get("title") or get_field_label(contract_code)
    )
    return ": ".join(
        message_part
        for message_part in (contract_or_term_name, get_field_label(field_code), problem.detail)
        if message_part
    )


def get_field_label(field_code: str) -> str:
    """Return the label of a field; "time 2", the second item of "times", has the same label."""
    label_by_field_code = {
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
    return label_by_field_code.get(field_code.partition(" ")[0], field_code)
