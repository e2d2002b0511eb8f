"""The contracts that a club added to a game, as fields of a form."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from drives.errors import UnreadableDrive
from drives.games.contracts import TRICKS, Goal, Side
from drives.games.house import MAX_OWN_CONTRACTS, OWN_CODE
from drives.points_form.contract_cells import format_points, parse_points
from server.numbers import parse_whole_number

MARKER = "own.shown"
"""The hidden field of a form that shows added contracts; without it they stay."""
TEXT_LENGTHS = {"title": 60, "key": 3}
SIDE_LABELS: Mapping[str, str | Promise] = {
    Side.PAIR: gettext_lazy("two partners"),
    Side.ALONE: gettext_lazy("one player"),
    Side.EACH: gettext_lazy("one to four, each for himself"),
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
    labels: Mapping[str, str | Promise], chosen: str
) -> list[tuple[str, str | Promise, bool]]:
    return [(str(value), label, value == chosen) for value, label in labels.items()]


def build_own_rows(house: Mapping[str, Any]) -> list[OwnRow]:
    """Return the added contracts of a valid house, and an empty row for another one."""
    stored = house.get("contracts", {})
    codes = [code for code in stored if OWN_CODE.fullmatch(code)]
    rows = [_build_row(code, stored[code]) for code in codes]
    if len(codes) < MAX_OWN_CONTRACTS:
        number = next(n for n in range(1, 100) if f"own-{n}" not in codes)
        rows.append(OwnRow(f"own-{number}", is_new=True))
    return rows


def _build_row(code: str, cells: Mapping[str, Any]) -> OwnRow:
    wants = cells.get("wants")
    texts = {name: str(cells.get(name, "")) for name in ("title", "key", "side", "how")}
    texts |= {"wants": "" if wants is None else str(wants)}
    for name in ("made", "lost"):
        texts[name] = format_points(tuple(cells.get(name, ())), cells.get(f"{name}_step", 0))
    return OwnRow(code, texts, bool(cells.get("played", True)))


def keep_typed_own_rows(rows: list[OwnRow], form: Mapping[str, str]) -> list[OwnRow]:
    """Return rows with the cells as typed."""
    if MARKER not in form:
        return rows
    names = ("title", "key", "side", "how", "wants", "made", "lost")
    return [
        OwnRow(
            each.code,
            {name: form.get(f"{each.code}.{name}", "")[:200] for name in names},
            f"{each.code}.played" in form,
            each.is_new,
        )
        for each in rows
    ]


def read_own_contracts(
    form: Mapping[str, str], house: Mapping[str, Any], skipped: str = ""
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the added contracts of a form with their fields; raise UnreadableDrive.

    The contract with the code `skipped` is left out, and so is a row with an empty title.
    """
    stored = house.get("contracts", {})
    if MARKER not in form:
        own = {code: cells for code, cells in stored.items() if OWN_CODE.fullmatch(code)}
        yield from own.items()
        return
    typed = {name.partition(".")[0] for name in form} - {skipped}
    for code in sorted((c for c in typed if OWN_CODE.fullmatch(c)), key=_get_number):
        if title := " ".join(form.get(f"{code}.title", "").split()):
            yield code, _read_row(form, code, title, stored.get(code, {}))


def _get_number(code: str) -> int:
    return int(code.removeprefix("own-"))


def _read_row(
    form: Mapping[str, str], code: str, title: str, before: Mapping[str, Any]
) -> dict[str, Any]:
    has_tricks = form.get(f"{code}.how", "") != Goal.LOSES
    typed_made = form.get(f"{code}.made", "") if has_tricks else ""
    made, made_step = parse_points(typed_made, title)
    lost, lost_step = parse_points(form.get(f"{code}.lost", ""), title)
    wants = parse_whole_number(form.get(f"{code}.wants", ""), maximum=TRICKS)
    if not has_tricks:
        wants = None
    elif wants is None:
        words = _("%(contract)s: enter 0–13 tricks.")
        raise UnreadableDrive([words % {"contract": title}])
    unshown = {name: before[name] for name in ("local", "family") if name in before}
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
        **unshown,
    }
