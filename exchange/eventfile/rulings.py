"""Reads and checks the rulings of a section in an event file."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from boards.whist import Card, UnreadableCard
from exchange.eventfile.schema import is_complete
from exchange.eventfile.values import EventFileResult, EventFileRuling
from server.json_reader.problems import Problems, format_problem
from tournaments.movements.stray_boards import BoardNumbers

BOARD_KEYS = ("round", "table", "board")
_REQUIRED_KEYS_BY_KIND: dict[str, tuple[str, ...]] = {
    "revoke": (*BOARD_KEYS, "side", "revokes", "won_before"),
    "average": BOARD_KEYS,
    "new_deal": BOARD_KEYS,
    "fouled": BOARD_KEYS,
    "adjusted": (*BOARD_KEYS, "ns_tricks", "ew_tricks"),
    "noted": BOARD_KEYS,
    "penalty": ("entry", "amount"),
}
_OPTIONAL_KEYS_BY_KIND: dict[str, tuple[str, ...]] = {"revoke": ("full", "claimed_at")}
_COMMON_KEYS = ("kind", "law", "situation", "reason")
_PLAY_KEYS = ("deal", "trump_recorded", "trump_turned")


def read_rulings(
    ruling_data: Sequence[Any],
    boards_by_table: Mapping[tuple[int, int], BoardNumbers],
    entry_numbers: set[int | None],
    base_json_path: str,
    problems: Problems,
) -> tuple[EventFileRuling, ...]:
    """Read and check the rulings of a section.

    `boards_by_table` has the boards of each table in play, by round and table.
    """
    rulings = []
    for index, ruling in enumerate(ruling_data):
        path = f"{base_json_path}[{index}]"
        if not is_complete(ruling, "kind"):
            continue
        faults = _list_ruling_faults(ruling, boards_by_table, entry_numbers)
        problems += [
            format_problem(f"{path}.{json_key}" if json_key else path, fault_text)
            for json_key, fault_text in faults
        ]
        if not faults:
            rulings.append(_build_file_ruling(ruling))
    return tuple(rulings)


def check_deals(
    results: Sequence[EventFileResult],
    rulings: Sequence[EventFileRuling],
    path: str,
    problems: Problems,
) -> None:
    """Report results of a second deal for which no ruling ordered a new deal.

    The ruling may be for another table that shares the boards in that round.
    """
    redealt_keys = {
        (ruling.round, ruling.board, ruling.deal + 1)
        for ruling in rulings
        if ruling.kind == "new_deal"
    }
    for index, result in enumerate(results):
        result_key = result.round_number, result.board_number, result.deal_number
        if result.deal_number > 1 and result_key not in redealt_keys:
            message = _("There was no new deal there, so there is no deal %(deal)s.")
            problems.append(
                format_problem(f"{path}[{index}].deal", message, deal=result.deal_number)
            )


def _list_ruling_faults(
    ruling_data: Mapping[str, Any],
    boards_by_table: Mapping[tuple[int, int], BoardNumbers],
    entry_numbers: set[int | None],
) -> list[tuple[str, str]]:
    ruling_kind = ruling_data["kind"]
    required_keys = _REQUIRED_KEYS_BY_KIND[ruling_kind]
    play_keys = () if ruling_kind == "penalty" else _PLAY_KEYS
    allowed_keys = {
        *required_keys,
        *_OPTIONAL_KEYS_BY_KIND.get(ruling_kind, ()),
        *_COMMON_KEYS,
        *play_keys,
    }
    missing_text = _("This is required for a ruling of %(kind)s.") % {"kind": ruling_kind}
    unused_message = _("This isn’t used in a ruling of %(kind)s.") % {"kind": ruling_kind}
    faults = [
        (json_key, missing_text) for json_key in required_keys if json_key not in ruling_data
    ]
    faults += [
        (json_key, unused_message) for json_key in ruling_data if json_key not in allowed_keys
    ]
    if faults:
        return faults
    if ruling_data.get("full") and not ruling_data.get("reason"):
        faults.append(("reason", _("Enter a reason for the full penalty.")))
    if ruling_kind == "penalty" and ruling_data["entry"] not in entry_numbers:
        message = _("Entry %(entry)s isn’t in this file.")
        faults.append(("entry", message % {"entry": ruling_data["entry"]}))
    if ruling_kind != "penalty":
        faults += _list_play_faults(ruling_data, boards_by_table)
    return [*faults, *_list_card_faults(ruling_data), *_list_time_faults(ruling_data)]


def _list_play_faults(
    ruling_data: Mapping[str, Any], boards_by_table: Mapping[tuple[int, int], BoardNumbers]
) -> list[tuple[str, str]]:
    round_number, table_number, board_number = (
        ruling_data[json_key] for json_key in BOARD_KEYS
    )
    boards = boards_by_table.get((round_number, table_number))
    placeholders = {"board": board_number, "table": table_number, "round": round_number}
    if boards is None:
        return [("", _("No one plays at table %(table)s in round %(round)s.") % placeholders)]
    if board_number not in boards:
        message = _("Board %(board)s is not played at table %(table)s in round %(round)s.")
        return [("board", message % placeholders)]
    return []


def _list_card_faults(ruling_data: Mapping[str, Any]) -> list[tuple[str, str]]:
    faults = []
    for json_key in ("trump_recorded", "trump_turned"):
        try:
            Card.parse(ruling_data.get(json_key, "H6"))
        except UnreadableCard as problem:
            faults.append((json_key, str(problem)))
    return faults


def _list_time_faults(ruling_data: Mapping[str, Any]) -> list[tuple[str, str]]:
    time_text = ruling_data.get("claimed_at")
    if time_text is None or parse_datetime(time_text) is not None:
        return []
    message = _("Enter the day, time and time zone, e.g. %(example)s.")
    return [("claimed_at", message % {"example": "2026-03-10T21:05:00+00:00"})]


def parse_datetime(time_text: str) -> datetime | None:
    """Return the time in a text with a time zone, or None if the text is not valid."""
    try:
        time = datetime.fromisoformat(time_text)
    except ValueError:
        return None
    return time if time.tzinfo is not None and 1900 < time.year < 3000 else None


def _build_file_ruling(ruling_data: Mapping[str, Any]) -> EventFileRuling:
    """Build a EventFileRuling from a valid ruling, with cards and fractions normalised."""
    return EventFileRuling(
        **{
            json_key: _VALUE_PARSERS_BY_KEY[json_key](value)
            if json_key in _VALUE_PARSERS_BY_KEY
            else value
            for json_key, value in ruling_data.items()
        }
    )


_VALUE_PARSERS_BY_KEY: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("ns_tricks", "ew_tricks", "amount"), lambda text: str(Fraction(text))),
    **dict.fromkeys(("trump_recorded", "trump_turned"), lambda text: Card.parse(text).code),
    **dict.fromkeys(("law", "situation", "reason"), lambda text: " ".join(text.split())),
    "claimed_at": parse_datetime,
}
