"""Converts a hand to the short texts in a row of the hand grid, and back.

Example: "t8", "13", "9" means that seats 1 and 3 bid the contract "t8" and won 9 tricks.

`static/js/hand_grid/reading.js` reads the same texts for the preview on the page.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from drives.errors import InvalidHand
from drives.games.contracts import Contract, DeclaringSide, PointsTable, TrickGoal

SEPARATORS_PATTERN = re.compile(r"[\s,/]+")
MADE_MARK, LOST_MARK = "+", "-"
ALONE_MARK = "a"
"""The mark after the seat of a bidder without a partner, in a contract that may have one."""
NO_CONTRACT_KEY = "0"
"""The text instead of a contract for a hand in which everyone passed: each player scores 0."""
ENGLISH_PASSED_WORDS = ("pass", "passed", "allpassed", "everyonepassed")
"""Words for such a hand that are accepted in each language."""
MULTIPLE_PATTERN = re.compile(r"x\s*([0-9]{1,2})", re.IGNORECASE)
REVOKES_PATTERN = re.compile(r"r\s*([0-9]{1,2})?", re.IGNORECASE)
FINE_PATTERN = re.compile(r"f\s*([1-4])\s*[: ]\s*([0-9]{1,4})(?:\s+(.{1,200}))?", re.IGNORECASE)
MAX_LENGTHS = {
    "contract": 60,
    "players": 12,
    "tricks": 12,
    "passed": 2,
    "other": 400,
    "scores": 40,
}
"""The maximum number of characters in each input box of a row."""


class InvalidHandRow(InvalidHand):
    """Raised if a row is invalid; the message does not begin with the name of the input box."""

    def __init__(self, box_name: str, sentence: str) -> None:
        super().__init__("", box_name, sentence)


class RowTexts(NamedTuple):
    """The texts in the input boxes of a row.

    `other` contains doubling, revokes and fines, and `scores` contains four numbers.
    """

    contract: str = ""
    players: str = ""
    tricks: str = ""
    passed: str = ""
    other: str = ""
    scores: str = ""


class RowValues(NamedTuple):
    """The content of a row: a hand in the file format or four scores.

    An empty row has neither.
    """

    contract: dict[str, Any]
    score: list[int]


def format_row(
    points_table: PointsTable, hand_data: Mapping[str, Any], seat_scores: Sequence[int]
) -> RowTexts:
    """Return the texts of a stored hand; typed scores have no contract.

    Without a contract and a score, all texts are empty.
    """
    if not hand_data:
        return RowTexts(scores=" ".join(map(str, seat_scores)))
    known_contract = points_table.contracts_by_code.get(hand_data.get("contract", ""))
    seats_text = "".join(map(str, hand_data.get("by", ())))
    has_no_partner = (
        known_contract is not None
        and known_contract.rule.side is DeclaringSide.PAIR_OR_ALONE
        and len(seats_text) == 1
    )
    return RowTexts(
        contract=known_contract.label.key
        if known_contract
        else str(hand_data.get("contract", "")),
        players=seats_text + (ALONE_MARK if has_no_partner else ""),
        tricks=_format_result(hand_data),
        passed=str(hand_data.get("passed") or ""),
        other=_format_other_details(hand_data),
    )


def _format_result(hand_data: Mapping[str, Any]) -> str:
    result = hand_data.get("tricks", hand_data.get("made"))
    results = result if isinstance(result, list) else [] if result is None else [result]
    if all(isinstance(result, bool) for result in results):
        return "".join(MADE_MARK if result else LOST_MARK for result in results)
    return " ".join(map(str, results))


def _format_other_details(hand_data: Mapping[str, Any]) -> str:
    detail_texts = []
    if hand_data.get("times", 1) > 1:
        detail_texts.append(f"x{hand_data['times']}")
    if hand_data.get("revokes"):
        detail_texts.append(f"r{hand_data['revokes']}")
    detail_texts += [
        f"f{fine['by']}:{fine['each']} {fine.get('why', '').replace(';', ',')}".strip()
        for fine in hand_data.get("fines", ())
    ]
    return "; ".join(detail_texts)


def read_row(points_table: PointsTable, row_texts: RowTexts) -> RowValues:
    """Read the texts of a row, without checking whether the points table allows the hand.

    Raises InvalidHand with the name of the input box as its place.
    """
    if any(row_texts.scores.strip()):
        return RowValues({}, _read_scores(row_texts))
    hand_data: dict[str, Any] = _read_other_details(row_texts.other)
    if row_texts.passed.strip():
        hand_data["passed"] = _read_number(row_texts.passed, "passed")
    contract_text = row_texts.contract.strip()
    if not contract_text:
        if row_texts.players.strip() or row_texts.tricks.strip():
            raise InvalidHandRow("contract", _("Enter the contract."))
        return RowValues(hand_data, [])
    has_players_or_tricks = bool(row_texts.players.strip() or row_texts.tricks.strip())
    contract = _find_contract(points_table, contract_text)
    if contract is None:
        if has_players_or_tricks or hand_data:
            message = _("If everyone passed, leave the other boxes empty.")
            raise InvalidHandRow("contract", message)
        return RowValues({}, [0, 0, 0, 0])
    hand_data |= {"contract": contract.code, "by": _read_seats(contract, row_texts.players)}
    return RowValues(hand_data | _read_result(contract, row_texts.tricks), [])


def _read_seats(contract: Contract, typed_text: str) -> list[int]:
    """Read seats such as "13"; a bidder who may have a partner but has none is "1a"."""
    seats_text = SEPARATORS_PATTERN.sub("", typed_text).lower()
    is_partner_optional = contract.rule.side is DeclaringSide.PAIR_OR_ALONE
    if not seats_text:
        raise InvalidHandRow("players", _("Enter who played it, e.g. 1."))
    is_alone = is_partner_optional and len(seats_text) == 2 and seats_text.endswith(ALONE_MARK)
    seats_text = seats_text.removesuffix(ALONE_MARK) if is_alone else seats_text
    if not (seats_text.isascii() and (seats_text.isdigit() or not seats_text)):
        raise InvalidHand("", "players", _("enter seats, such as 13."))
    if is_partner_optional and len(seats_text) == 1 and not is_alone:
        message = _("enter the partner’s seat too, or %(seat)sa if seat %(seat)s plays alone.")
        raise InvalidHand("", "players", message % {"seat": seats_text})
    return [int(seat_digit) for seat_digit in seats_text]


def list_passed_deal_words() -> list[str]:
    """Return the folded texts instead of a contract if everyone passed, in the reader's
    language and in English.
    """
    local_words = pgettext("typed instead of a contract", "pass, passed, all passed")
    passed_words = [NO_CONTRACT_KEY, *local_words.split(","), *ENGLISH_PASSED_WORDS]
    return list(dict.fromkeys(map(_fold_text, passed_words)))


def _find_contract(points_table: PointsTable, typed_text: str) -> Contract | None:
    """Find a contract by its key, code or name, or by a beginning that is unique.

    Returns None for a word that says that everyone passed.
    """
    typed_name = _fold_text(typed_text)
    contracts_by_key = {
        contract.label.key: contract for contract in points_table.contracts
    } | dict(points_table.contracts_by_code)
    contracts_by_name = {
        name: contract for contract in points_table.contracts for name in _list_names(contract)
    }
    contract = contracts_by_key.get(typed_name) or contracts_by_name.get(typed_name)
    if contract is not None or typed_name in list_passed_deal_words():
        return contract
    key_matches, name_matches = _find_contracts_by_prefix(points_table, typed_name)
    for matching_contracts in (key_matches, name_matches):
        if len(matching_contracts) == 1:
            return matching_contracts[0]
    found_contracts = [
        contract
        for contract in points_table.playable_contracts
        if contract in key_matches + name_matches
    ]
    if found_contracts:
        message = _("“%(typed)s” could be %(choices)s.")
    else:
        message = _(
            "Contract “%(typed)s” not found. Enter 0 if everyone passed, or %(choices)s."
        )
    choices_text = ", ".join(
        f"{contract.label.key} ({contract.label.local})"
        for contract in found_contracts or points_table.playable_contracts
    )
    raise InvalidHandRow(
        "contract", message % {"typed": typed_text[:20], "choices": choices_text}
    )


def _find_contracts_by_prefix(
    points_table: PointsTable, typed_name: str
) -> tuple[list[Contract], list[Contract]]:
    """Return the contracts that may be bid and whose key, or one of whose names, begins with a
    text.
    """
    playable_contracts = points_table.playable_contracts
    key_matches = [
        contract for contract in playable_contracts if contract.label.key.startswith(typed_name)
    ]
    name_matches = [
        contract
        for contract in playable_contracts
        if any(name.startswith(typed_name) for name in _list_names(contract))
    ]
    return key_matches, name_matches


def _list_names(contract: Contract) -> list[str]:
    """Return the folded local names of a contract, which are separated by commas."""
    return [
        name
        for name_part in str(contract.label.local).split(",")
        if (name := _fold_text(name_part))
    ]


def _fold_text(text: str) -> str:
    """Return a text without spaces, case and accents: "Misère op tafel" as "misereoptafel"."""
    letters = "".join(text.lower().split()).replace("æ", "ae").replace("ø", "o")
    decomposed_letters = unicodedata.normalize("NFD", letters)
    return "".join(letter for letter in decomposed_letters if not unicodedata.combining(letter))


def _read_result(contract: Contract, typed_text: str) -> dict[str, Any]:
    """Read a result: tricks such as "9" or "0 1", or "+" for a made contract and "-" for a lost
    one.
    """
    cleaned_text = typed_text.strip().replace("−", LOST_MARK)
    if not cleaned_text:
        if contract.rule.goal is not TrickGoal.ALWAYS_LOSES:
            raise InvalidHandRow("tricks", _("Enter the tricks."))
        return {}
    result_marks = SEPARATORS_PATTERN.sub("", cleaned_text)
    if set(result_marks) <= {MADE_MARK, LOST_MARK}:
        results: list[Any] = [mark == MADE_MARK for mark in result_marks]
        result_key = "made"
    else:
        results = [
            _read_tricks(contract, number_text)
            for number_text in SEPARATORS_PATTERN.split(cleaned_text)
            if number_text
        ]
        result_key = "tricks"
    is_per_player = contract.rule.side is DeclaringSide.EACH
    return {result_key: results if is_per_player or len(results) > 1 else results[0]}


def _read_tricks(contract: Contract, typed_text: str) -> int:
    if _is_short_number(typed_text):
        return int(typed_text)
    if contract.rule.is_flat_rate:
        message = _("“%(typed)s” not understood. Enter + if made, - if lost, or the tricks.")
    else:
        message = _("“%(typed)s” not understood. Enter the number of tricks, e.g. 9.")
    raise InvalidHandRow("tricks", message % {"typed": typed_text[:20]})


def _read_number(typed_text: str, field_name: str) -> int:
    digits = typed_text.strip()
    if not _is_short_number(digits):
        message = _("“%(typed)s” isn’t a whole number.")
        raise InvalidHand("", field_name, message % {"typed": digits[:20]})
    return int(digits)


def _is_short_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 2


def _read_scores(row_texts: RowTexts) -> list[int]:
    score_texts = [
        score_text
        for score_text in SEPARATORS_PATTERN.split(row_texts.scores.replace("−", "-"))
        if score_text
    ]
    if any((row_texts.contract.strip(), row_texts.players.strip(), row_texts.tricks.strip())):
        raise InvalidHand("", "scores", _("enter either a contract or four scores."))
    if len(score_texts) != 4 or not all(
        re.fullmatch(r"[+-]?[0-9]{1,6}", score_text) for score_text in score_texts
    ):
        raise InvalidHand("", "scores", _("enter four numbers, such as 3 -1 -1 -1."))
    return [int(score_text) for score_text in score_texts]


def _read_other_details(typed_text: str) -> dict[str, Any]:
    """Read doubling, revokes and fines: "x2; r1; f4:5 revoke"."""
    hand_data: dict[str, Any] = {}
    for detail_text in (part_text.strip() for part_text in typed_text.split(";")):
        if multiple_match := MULTIPLE_PATTERN.fullmatch(detail_text):
            hand_data["times"] = int(multiple_match[1])
        elif revokes_match := REVOKES_PATTERN.fullmatch(detail_text):
            hand_data["revokes"] = int(revokes_match[1] or 1)
        elif fine_match := FINE_PATTERN.fullmatch(detail_text):
            reason_data = {"why": fine_match[3]} if fine_match[3] else {}
            fine_data = {"by": int(fine_match[1]), "each": int(fine_match[2])} | reason_data
            hand_data.setdefault("fines", []).append(fine_data)
        elif detail_text:
            message = _("“%(typed)s” not understood. Enter x2, r1 or f4:5.")
            raise InvalidHand("", "other", message % {"typed": detail_text[:20]})
    return hand_data
