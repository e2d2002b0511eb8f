"""Malformed hands are refused with a message, and nothing is written."""

import json
import random

import pytest
from django.test import Client

from drives.errors import UnreadableDrive
from drives.games.reading import parse_hand_file
from drives.models import Sheet
from tests.drives.games.malformed import spoil_value
from tests.drives.games.test_hand_api import WIEZEN_SCORING, put_hand
from tests.drives.test_api import extra_fields, sign_in_director

HAND = {"contract": "together-8", "by": [1, 3], "tricks": 9}


def test_ten_thousand_malformed_files_are_refused_or_scored() -> None:
    rng = random.Random(39)
    file = {
        "game": "wiezen",
        "custom": None,
        "house": {"contracts": {"misere": {"made": [10]}}, "passed": "adds", "times": [2]},
        "seats": [1, 2, 3, 4],
        "hands": [HAND, {"fines": [{"by": 1, "each": 5, "why": "revoke"}]}],
    }
    refused_count = 0
    for _file in range(10_000):
        try:
            hand_file = parse_hand_file(json.dumps(spoil_value(rng, file)))
        except UnreadableDrive:
            refused_count += 1
        else:
            assert all(sum(settlement.points) == 0 for settlement in hand_file.settlements)
    assert refused_count > 5_000


def send_malformed_hands(client: Client, count: int) -> None:
    rng = random.Random(40)
    sign_in_director(client)
    extra_fields(client, score=WIEZEN_SCORING, hands=4)
    for _body in range(count):
        sheet_count_before = Sheet.objects.count()
        response = put_hand(client, hand=rng.choice((1, 2, 5)), contract=spoil_value(rng, HAND))
        assert response.status_code in (200, 400), response.content
        if response.status_code == 400:
            assert Sheet.objects.count() == sheet_count_before
    assert all(sum(sheet.score) == 0 for sheet in Sheet.objects.all())


@pytest.mark.django_db
def test_malformed_hands_sent_to_the_api_are_refused(client: Client) -> None:
    send_malformed_hands(client, 150)


@pytest.mark.slow
@pytest.mark.django_db
def test_thousand_malformed_hands_sent_to_the_api_are_refused(client: Client) -> None:
    send_malformed_hands(client, 1_000)
