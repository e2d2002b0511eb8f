"""The history has a text for every value that an act records, in the reader's language."""

import ast
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation

from clubs.evenings.services.fixtures import EVENING_FIELDS, PLAN_FIELDS
from hall.history.act_words import VALUE_FORMATTERS, format_act_location, format_values
from hall.history.club_values import FEE_NAMES
from tests.house.sources import MODULES, list_nodes

OTHER_HISTORIES = ("drives.", "rubbers.", "clubs.activities.")
"""The rooms whose acts are described by their own modules."""


def list_recorded_keys(module: str) -> Iterator[tuple[str, str]]:
    """Return the literal names of the values that calls pass as `before` and `after`."""
    for call in list_nodes(module, ast.Call):
        for argument in call.keywords:
            if argument.arg in ("before", "after") and isinstance(argument.value, ast.Dict):
                for key in argument.value.keys:
                    if isinstance(key, ast.Constant):
                        yield module, str(key.value)


def test_every_recorded_value_has_a_text() -> None:
    recorded_keys = {
        key
        for module in MODULES
        if not module.startswith(OTHER_HISTORIES)
        for key in list_recorded_keys(module)
    }
    known_names = {*VALUE_FORMATTERS, *FEE_NAMES}
    assert len(recorded_keys) > 40
    assert [key for key in sorted(recorded_keys) if key[1] not in known_names] == []
    assert {*PLAN_FIELDS, *EVENING_FIELDS} - known_names == set()


VALUE_CASES: list[tuple[dict[str, Any], str]] = [
    ({"date": "2026-05-08"}, "8 May 2026"),
    ({"name": "Winter", "first": "2026-09-01", "last": "2026-12-31"},
     "Winter, from 1 Sep 2026, to 31 Dec 2026"),
    ({"start": "19:30:00", "place": ""}, "19:30, no place"),
    ({"start": None}, "no start time"),
    ({"minutes": 180, "books": True}, "length in minutes: 180, players can book: yes"),
    ({"places": None, "unit": "pairs"}, "places counted by: pairs, places: no limit"),
    ({"fee_member": 350, "fee_junior": 0}, "members’ fee: £3.50, juniors’ fee: £0.00"),
    ({"contest": "teams", "method": "matchpoints"}, "teams of four, matchpoints"),
    ({"evenings": 1}, "1 evening"),
    ({"tables": 12}, "12 tables"),
    ({"settled": "other"}, "paid another way"),
    ({"kind": "junior"}, "junior"),
    ({"terms": {"figure": "plus"}}, "with handicaps"),
    ({"terms": None}, "without handicaps"),
    ({"terms": 3}, "3 defaults"),
    ({"player": 17, "a_board": "1/2"}, "1/2 per board"),
    ({"player": 17, "a_board": ""}, "no handicap"),
    ({"is_on": False, "seen": "self"}, "off, only the player, on their own page"),
    ({"language": "nl"}, "Nederlands"),
    ({"language": ""}, "the server’s language"),
    ({"short_name": "RWC", "accent": "green"}, "RWC, green"),
    ({"logo": "0a1b"}, "with a logo"),
    ({"all": True}, "for all users"),
    ({"address": "https://example.org/", "automatic": False}, "https://example.org/, manually"),
    ({"name": "Pairs", "version": 2}, "Pairs, version 2"),
]  # fmt: skip
"""Recorded values, and their text in English."""


@pytest.mark.parametrize(("values", "text"), VALUE_CASES, ids=str)
def test_values_are_described(values: dict[str, Any], text: str) -> None:
    assert format_values(values, "GBP") == text


def test_dates_and_amounts_are_in_the_language_of_the_reader() -> None:
    with translation.override("nl"):
        assert format_values({"date": "2026-05-08"}) == "8 mei 2026"
        assert format_values({"fee_member": 350}, "EUR").endswith("€3,50")
        assert format_act_location({"name": "Clubavond", "day": "2026-05-08"}) == (
            "Clubavond, 8 mei 2026"
        )


def test_announced_evening_is_described_with_its_day() -> None:
    assert format_act_location({"name": "Pairs", "day": "2026-05-08"}) == "Pairs, 8 May 2026"
