"""A hand as short texts in the row of a grid, as on a paper sheet: "t8", "13", "9".

`static/js/hand_grid/reading.js` reads the same texts for the preview on the page.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from drives.errors import HandRefused
from drives.games.contracts import Contract, PointsTable, Side

SEPARATORS = re.compile(r"[\s,/]+")
MADE, LOST = "+", "-"
TIMES = re.compile(r"x\s*([0-9]{1,2})", re.IGNORECASE)
REVOKES = re.compile(r"r\s*([0-9]{1,2})?", re.IGNORECASE)
FINE = re.compile(r"f\s*([1-4])\s*[: ]\s*([0-9]{1,4})(?:\s+(.{1,200}))?", re.IGNORECASE)
MAX_LENGTHS = {
    "contract": 60,
    "players": 12,
    "tricks": 12,
    "passed": 2,
    "other": 400,
    "scores": 40,
}
"""The maximum characters of each text."""


class RowTexts(NamedTuple):
    """The boxes of a row; `other` has doubling, revokes and fines, `scores` four numbers."""

    contract: str = ""
    players: str = ""
    tricks: str = ""
    passed: str = ""
    other: str = ""
    scores: str = ""


class RowValues(NamedTuple):
    """The content of a row: a hand in the format of files, or four scores, or nothing."""

    contract: dict[str, Any]
    score: list[int]


def format_row(
    table: PointsTable, contract: Mapping[str, Any], score: list[int] | tuple[int, ...]
) -> RowTexts:
    """Return the texts of a stored hand; typed scores have no contract."""
    if not contract:
        return RowTexts(scores=" ".join(map(str, score)))
    found = table.by_code.get(contract.get("contract", ""))
    return RowTexts(
        contract=found.label.key if found else str(contract.get("contract", "")),
        players="".join(map(str, contract.get("by", ()))),
        tricks=_format_result(contract),
        passed=str(contract.get("passed") or ""),
        other=_format_other(contract),
    )


def _format_result(contract: Mapping[str, Any]) -> str:
    value = contract.get("tricks", contract.get("made"))
    values = value if isinstance(value, list) else [] if value is None else [value]
    if all(isinstance(each, bool) for each in values):
        return "".join(MADE if each else LOST for each in values)
    return " ".join(map(str, values))


def _format_other(contract: Mapping[str, Any]) -> str:
    found = []
    if contract.get("times", 1) > 1:
        found.append(f"x{contract['times']}")
    if contract.get("revokes"):
        found.append(f"r{contract['revokes']}")
    found += [
        f"f{fine['by']}:{fine['each']} {fine.get('why', '').replace(';', ',')}".strip()
        for fine in contract.get("fines", ())
    ]
    return "; ".join(found)


def read_row(table: PointsTable, texts: RowTexts) -> RowValues:
    """Read the texts of a row; the hand still has to be settled, which checks its values.

    Raises HandRefused with the name of the box as its place.
    """
    if any(texts.scores.strip()):
        return RowValues({}, _read_scores(texts))
    hand: dict[str, Any] = _read_other(texts.other)
    if texts.passed.strip():
        hand["passed"] = _read_number(texts.passed, "passed")
    key = texts.contract.strip()
    if not key:
        if texts.players.strip() or texts.tricks.strip():
            raise HandRefused("", "contract", _("This is missing."))
        return RowValues(hand, [])
    contract = _find_contract(table, key)
    players = SEPARATORS.sub("", texts.players)
    if not (players.isascii() and (players.isdigit() or not players)):
        raise HandRefused("", "players", _("enter seats, such as 13."))
    hand |= {"contract": contract.code, "by": [int(each) for each in players]}
    return RowValues(hand | _read_result(contract, texts.tricks), [])


def _find_contract(table: PointsTable, text: str) -> Contract:
    """Find a contract by its key or code, or by the beginning of one key."""
    key = text.lower()
    contracts = {each.label.key: each for each in table.contracts} | dict(table.by_code)
    if key in contracts:
        return contracts[key]
    found = [each for each in table.played if each.label.key.startswith(key)]
    if len(found) == 1:
        return found[0]
    keys = ", ".join(each.label.key for each in table.played)
    words = _("contract “%(key)s” not found. Choose from %(keys)s.")
    raise HandRefused("", "contract", words % {"key": text[:20], "keys": keys})


def _read_result(contract: Contract, text: str) -> dict[str, Any]:
    """Read tricks such as "9" or "0 1", or "+" and "-" for made and lost."""
    typed = text.strip().replace("−", LOST)
    if not typed:
        return {}
    marks = SEPARATORS.sub("", typed)
    if set(marks) <= {MADE, LOST}:
        results: list[Any] = [each == MADE for each in marks]
        name = "made"
    else:
        results = [_read_number(each, "tricks") for each in SEPARATORS.split(typed) if each]
        name = "tricks"
    is_each = contract.rule.side is Side.EACH
    return {name: results if is_each or len(results) > 1 else results[0]}


def _read_number(text: str, place: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 2):
        words = _("“%(typed)s” isn't a whole number.")
        raise HandRefused("", place, words % {"typed": digits[:20]})
    return int(digits)


def _read_scores(texts: RowTexts) -> list[int]:
    parts = [each for each in SEPARATORS.split(texts.scores.replace("−", "-")) if each]
    if any((texts.contract.strip(), texts.players.strip(), texts.tricks.strip())):
        raise HandRefused("", "scores", _("enter either a contract or four scores."))
    if len(parts) != 4 or not all(re.fullmatch(r"[+-]?[0-9]{1,6}", each) for each in parts):
        raise HandRefused("", "scores", _("enter four numbers, such as 3 -1 -1 -1."))
    return [int(each) for each in parts]


def _read_other(text: str) -> dict[str, Any]:
    """Read doubling, revokes and fines: "x2; r1; f4:5 revoke"."""
    found: dict[str, Any] = {}
    for part in (each.strip() for each in text.split(";")):
        if times := TIMES.fullmatch(part):
            found["times"] = int(times[1])
        elif revokes := REVOKES.fullmatch(part):
            found["revokes"] = int(revokes[1] or 1)
        elif fine := FINE.fullmatch(part):
            why = {"why": fine[3]} if fine[3] else {}
            line = {"by": int(fine[1]), "each": int(fine[2])} | why
            found.setdefault("fines", []).append(line)
        elif part:
            words = _("“%(typed)s” not understood. Enter x2, r1 or f4:5.")
            raise HandRefused("", "other", words % {"typed": part[:20]})
    return found
