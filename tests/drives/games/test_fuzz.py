"""Malformed hands: each is refused with a message, and nothing is written."""

import json
import random
from typing import Any

import pytest
from django.test import Client

from drives.errors import UnreadableDrive
from drives.games.reading import parse_hand_file
from drives.models import Sheet
from tests.drives.games.test_hand_api import WIEZEN, put_hand
from tests.drives.test_api import post_new_drive, sign_in_director

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 5, 14, 8.5, 1e300, 10**29, "", "x", "9", "\u0000", "é" * 300),
    *([], {}, [1], [1, 1], [0, 5], [None], [[1]], {"a": 1}, [True, False], [1.0], "together-8"),
)
KEYS = (
    "contract",
    "by",
    "tricks",
    "made",
    "passed",
    "times",
    "revokes",
    "fines",
    "pot",
    "each",
)
HAND = {"contract": "together-8", "by": [1, 3], "tricks": 9}


def spoil_value(chance: random.Random, value: Any, depth: int = 0) -> Any:
    """Return a value with some of its parts replaced by others."""
    if chance.random() < 0.15:
        return chance.choice(VALUES)
    if isinstance(value, dict) and depth < 4:
        spoiled = {key: spoil_value(chance, item, depth + 1) for key, item in value.items()}
        if chance.random() < 0.4:
            spoiled[chance.choice(KEYS)] = chance.choice(VALUES)
        return spoiled
    if isinstance(value, list) and depth < 4:
        return [spoil_value(chance, item, depth + 1) for item in value]
    return value


def test_ten_thousand_malformed_files_are_refused_or_settled() -> None:
    chance = random.Random(39)
    file = {
        "game": "wiezen",
        "custom": None,
        "house": {"contracts": {"misere": {"made": [10]}}, "passed": "adds", "times": [2]},
        "seats": [1, 2, 3, 4],
        "hands": [HAND, {"fines": [{"by": 1, "each": 5, "why": "revoke"}]}],
    }
    refused = 0
    for _file in range(10_000):
        try:
            hand_file = parse_hand_file(json.dumps(spoil_value(chance, file)))
        except UnreadableDrive:
            refused += 1
        else:
            assert all(sum(settlement.points) == 0 for settlement in hand_file.settlements)
    assert refused > 5_000


def send_malformed_hands(client: Client, count: int) -> None:
    chance = random.Random(40)
    sign_in_director(client)
    post_new_drive(client, score=WIEZEN, hands=4)
    for _body in range(count):
        sheet_count_before = Sheet.objects.count()
        response = put_hand(
            client, hand=chance.choice((1, 2, 5)), contract=spoil_value(chance, HAND)
        )
        assert response.status_code in (200, 400), response.content
        if response.status_code == 400:
            assert Sheet.objects.count() == sheet_count_before
    assert all(sum(sheet.score) == 0 for sheet in Sheet.objects.all())


@pytest.mark.django_db
def test_malformed_hands_sent_to_the_api_are_refused(client: Client) -> None:
    send_malformed_hands(client, 150)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_thousand_malformed_hands_sent_to_the_api_are_refused(client: Client) -> None:
    send_malformed_hands(client, 1_000)
