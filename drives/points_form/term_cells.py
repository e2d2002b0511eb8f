"""The terms of a points table as fields of a form: passed deals, revokes, doubling, fines."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from drives.errors import UnreadableDrive
from drives.games.contracts import PassedRule, PointsTable, RevokeRule, SeveralRule
from server.numbers import parse_whole_number

MARKER = "terms.shown"
"""The hidden field of a form that shows the terms; without it they stay."""
PASSED_LABELS: Mapping[str, str | Promise] = {
    PassedRule.REDEAL: gettext_lazy("deal again, nothing doubled"),
    PassedRule.DOUBLE_NEXT: gettext_lazy("next hand doubled"),
    PassedRule.ADDS: gettext_lazy("next hand × 2, × 3 and so on"),
}
SEVERAL_LABELS: Mapping[str, str | Promise] = {
    SeveralRule.EACH: gettext_lazy("each settles separately"),
    SeveralRule.CAMP: gettext_lazy("win or lose together"),
}
REVOKE_LABELS: Mapping[str, str | Promise] = {
    "": gettext_lazy("entered as a fine"),
    "tricks": gettext_lazy("contract lost, fewer tricks"),
    "times": gettext_lazy("contract lost, points multiplied"),
}
Choices = list[tuple[str, str | Promise, bool]]


@dataclass(frozen=True)
class TermCells:
    """The terms on the form, and the names of those that the club changed."""

    passed: Choices
    several: Choices
    times: str
    revoke: Choices
    revoke_count: str
    has_fines: bool
    changed: frozenset[str]


def build_term_cells(base: PointsTable, table: PointsTable) -> TermCells:
    """Return the terms of a table; those that differ from the ready table are changed."""
    revoke = table.revoke
    kind = "" if revoke is None else "tricks" if revoke.tricks else "times"
    count = 0 if revoke is None else revoke.tricks or revoke.times or 0
    names = ("passed", "several", "times", "revoke", "fines")
    return TermCells(
        passed=_list_choices(PASSED_LABELS, table.passed),
        several=_list_choices(SEVERAL_LABELS, table.several),
        times=" ".join(map(str, table.times)),
        revoke=_list_choices(REVOKE_LABELS, kind),
        revoke_count=str(count or ""),
        has_fines=table.fines,
        changed=frozenset(
            name for name in names if getattr(base, name) != getattr(table, name)
        ),
    )


def keep_typed_terms(cells: TermCells, form: Mapping[str, str]) -> TermCells:
    """Return the terms as typed."""
    if MARKER not in form:
        return cells
    return TermCells(
        passed=_list_choices(PASSED_LABELS, form.get("terms.passed", "")),
        several=_list_choices(SEVERAL_LABELS, form.get("terms.several", "")),
        times=form.get("terms.times", "")[:40],
        revoke=_list_choices(REVOKE_LABELS, form.get("terms.revoke", "")),
        revoke_count=form.get("terms.revoke_count", "")[:10],
        has_fines="terms.fines" in form,
        changed=cells.changed,
    )


def _list_choices(labels: Mapping[str, str | Promise], chosen: str) -> Choices:
    return [(str(value), label, value == chosen) for value, label in labels.items()]


def read_changed_terms(
    form: Mapping[str, str], base: PointsTable, house: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the terms of the form that differ from the ready table; raise UnreadableDrive."""
    if MARKER not in form:
        yield from ((name, value) for name, value in house.items() if name != "contracts")
        return
    revoke = base.revoke
    before = {
        "passed": str(base.passed),
        "several": str(base.several),
        "times": list(base.times),
        "revoke": _build_revoke(revoke),
        "fines": base.fines,
    }
    typed = {
        "passed": form.get("terms.passed", ""),
        "several": form.get("terms.several", ""),
        "times": _read_times(form.get("terms.times", "")),
        "revoke": _read_revoke(form),
        "fines": "terms.fines" in form,
    }
    yield from ((name, value) for name, value in typed.items() if value != before[name])


def _build_revoke(revoke: RevokeRule | None) -> dict[str, int] | None:
    if revoke is None:
        return None
    return {"tricks": revoke.tricks} if revoke.tricks else {"times": revoke.times or 0}


def _read_times(typed: str) -> list[int]:
    found = [parse_whole_number(each, maximum=99) for each in typed[:40].split()]
    if None in found:
        raise UnreadableDrive([_("Doubling: enter whole numbers, e.g. 2 or 2 4.")])
    return [each or 0 for each in found]


def _read_revoke(form: Mapping[str, str]) -> dict[str, int] | None:
    kind = form.get("terms.revoke", "")
    if not kind:
        return None
    count = parse_whole_number(form.get("terms.revoke_count", ""), maximum=99)
    if count is None:
        raise UnreadableDrive([_("Revoke: enter how many, e.g. 3 tricks or × 2.")])
    return {kind: count}
