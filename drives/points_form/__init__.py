"""The form of a points table: its contracts, added contracts and terms, as text and back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from drives.contract_words import apply_contract_words
from drives.errors import UnreadableDrive
from drives.games.contracts import Game
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

CHANGED_ALL = "all"
"""The value of the button that takes back every change."""


@dataclass(frozen=True, kw_only=True)
class PointsForm:
    """A points table on the page: its fields, and example hands with its points."""

    rows: list[ContractRow]
    own_rows: list[OwnRow]
    terms: TermCells
    sentences: list[str]
    examples: list[ExampleHand]
    changed: list[str]
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
    game: Game, variant: str | None, house: Mapping[str, Any], words: str
) -> PointsForm:
    """Return the form of a table in the club's words; raise UnreadableDrive."""
    base = build_points_table(game, variant, {})
    table = apply_contract_words(build_points_table(game, variant, house), words)
    changed = {place.partition(".")[0] for place in list_changed_cells(base, table)}
    labels = {each.code: each for each in table.contracts}
    return PointsForm(
        rows=[
            replace(row, contract=labels[row.contract.code])
            for row in build_rows(game, variant, house)
        ],
        own_rows=build_own_rows(house),
        terms=build_term_cells(base, table),
        sentences=list_term_sentences(table),
        examples=build_examples(table, changed),
        changed=[str(each.label.local) for each in table.contracts if each.code in changed],
    )


def read_house(
    form: Mapping[str, str], game: Game, variant: str | None, house: Mapping[str, Any]
) -> dict[str, Any]:
    """Read the form as changes of the ready table; raise UnreadableDrive with their place.

    Added contracts and terms that the form does not show stay as in `house`. The field `reset`
    names a contract whose changes are taken back, or all.
    """
    base = build_points_table(game, variant, {})
    reset = form.get("reset", "")
    if reset == CHANGED_ALL:
        return {}
    contracts = dict(read_changed_cells(form, base, reset))
    contracts |= read_own_contracts(form, house, reset)
    found = dict(read_changed_terms(form, base, house))
    found |= {"contracts": contracts} if contracts else {}
    _check_house(game, variant, found)
    return found


def _check_house(game: Game, variant: str | None, house: Mapping[str, Any]) -> None:
    """Raise UnreadableDrive with the names of the contract and the field on the page."""
    try:
        build_points_table(game, variant, house)
    except UnreadableDrive as error:
        lines = [_word_problem(each, game, house) for each in error.problems]
        raise UnreadableDrive(lines) from None


def _word_problem(line: str, game: Game, house: Mapping[str, Any]) -> str:
    """Return a problem with the contract's and the field's names instead of their codes."""
    if not isinstance(line, Problem):
        return line
    _house, _colon, place = line.place.partition(": ")
    code, _colon, cell = place.partition(": ")
    contract = game.table.by_code.get(code)
    own = house.get("contracts", {}).get(code, {})
    name = contract.label.local if contract else own.get("title") or _name_field(code)
    return ": ".join(each for each in (name, _name_field(cell), line.detail) if each)


def _name_field(code: str) -> str:
    """Return the label of a field; an item of a list is called by the list."""
    labels = {
        "made": _("Made"),
        "made_step": _("Made"),
        "lost": _("Lost"),
        "lost_step": _("Lost"),
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
    }
    return labels.get(code.partition(" ")[0], code)
