"""The fields of the HTML form for the rules of a points table, e.g. about passed deals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from drives.errors import UnreadableDrive
from drives.games.contracts import PassedDealRule, PointsTable, SeveralBiddersRule
from drives.games.house import build_term_data
from drives.points_form.contract_cells import Choices, list_choices
from server.numbers import parse_whole_number

TERMS_SHOWN_FIELD_NAME = "terms.shown"
"""A hidden field of forms that contain the rules; other forms do not change them."""
PASSED_DEAL_RULE_LABELS: Mapping[str, str | Promise] = {
    PassedDealRule.REDEAL: gettext_lazy("deal again, nothing doubled"),
    PassedDealRule.DOUBLE_NEXT: gettext_lazy("next hand doubled"),
    PassedDealRule.ACCUMULATE: gettext_lazy("next hand × 2, × 3 and so on"),
}
SEVERAL_BIDDERS_LABELS: Mapping[str, str | Promise] = {
    SeveralBiddersRule.EACH: gettext_lazy("each settles separately"),
    SeveralBiddersRule.TOGETHER: gettext_lazy("win or lose together"),
}
REVOKE_LABELS: Mapping[str, str | Promise] = {
    "": gettext_lazy("entered as a fine"),
    "tricks": gettext_lazy("contract lost, fewer tricks"),
    "times": gettext_lazy("contract lost, points multiplied"),
}


@dataclass(frozen=True)
class TermCells:
    """The rules in the HTML form, and the names of the rules that the club has changed."""

    passed_deal_choices: Choices
    several_bidders_choices: Choices
    multiples_text: str
    revoke_choices: Choices
    revoke_count: str
    has_fines: bool
    changed_names: frozenset[str]


def build_term_cells(base_table: PointsTable, points_table: PointsTable) -> TermCells:
    """Return the rules of `points_table` for the form.

    The field `changed_names` contains the names of the rules that differ from `base_table`.
    """
    terms, base_terms = build_term_data(points_table), build_term_data(base_table)
    revoke_rule = terms["revoke"] or {}
    revoke_kind = next(iter(revoke_rule), "")
    return TermCells(
        passed_deal_choices=list_choices(PASSED_DEAL_RULE_LABELS, terms["passed"]),
        several_bidders_choices=list_choices(SEVERAL_BIDDERS_LABELS, terms["several"]),
        multiples_text=" ".join(map(str, points_table.times)),
        revoke_choices=list_choices(REVOKE_LABELS, revoke_kind),
        revoke_count=str(revoke_rule.get(revoke_kind, "")),
        has_fines=points_table.fines,
        changed_names=frozenset(name for name in terms if base_terms[name] != terms[name]),
    )


def keep_typed_terms(cells: TermCells, form_data: Mapping[str, str]) -> TermCells:
    """Return the rules that the user typed, also invalid ones."""
    if TERMS_SHOWN_FIELD_NAME not in form_data:
        return cells
    return TermCells(
        passed_deal_choices=list_choices(
            PASSED_DEAL_RULE_LABELS, form_data.get("terms.passed", "")
        ),
        several_bidders_choices=list_choices(
            SEVERAL_BIDDERS_LABELS, form_data.get("terms.several", "")
        ),
        multiples_text=form_data.get("terms.times", "")[:40],
        revoke_choices=list_choices(REVOKE_LABELS, form_data.get("terms.revoke", "")),
        revoke_count=form_data.get("terms.revoke_count", "")[:10],
        has_fines="terms.fines" in form_data,
        changed_names=cells.changed_names,
    )


def read_changed_terms(
    form_data: Mapping[str, str], base_table: PointsTable, stored_changes: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the name and the value of each rule that differs from the predefined table.

    If the form does not contain the rules, they are taken from `stored_changes`. Raises
    UnreadableDrive.
    """
    if TERMS_SHOWN_FIELD_NAME not in form_data:
        yield from (
            (name, value) for name, value in stored_changes.items() if name != "contracts"
        )
        return
    base_terms = build_term_data(base_table)
    submitted_terms = {
        "passed": form_data.get("terms.passed", ""),
        "several": form_data.get("terms.several", ""),
        "times": _read_multipliers(form_data.get("terms.times", "")),
        "revoke": _read_revoke(form_data),
        "fines": "terms.fines" in form_data,
    }
    yield from (
        (name, value) for name, value in submitted_terms.items() if value != base_terms[name]
    )


def _read_multipliers(multipliers_text: str) -> list[int]:
    multipliers = [
        parse_whole_number(multiplier_text, maximum=99)
        for multiplier_text in multipliers_text[:40].split()
    ]
    if None in multipliers:
        raise UnreadableDrive([_("Doubling: enter whole numbers, e.g. 2 or 2 4.")])
    return [multiplier or 0 for multiplier in multipliers]


def _read_revoke(form_data: Mapping[str, str]) -> dict[str, int] | None:
    revoke_kind = form_data.get("terms.revoke", "")
    if not revoke_kind:
        return None
    revoke_count = parse_whole_number(form_data.get("terms.revoke_count", ""), maximum=99)
    if revoke_count is None:
        raise UnreadableDrive([_("Revoke: enter a number, e.g. 3 tricks or × 2.")])
    return {revoke_kind: revoke_count}
