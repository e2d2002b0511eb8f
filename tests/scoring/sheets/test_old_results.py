"""Printed results of the whist books, scored again."""

from fractions import Fraction

import pytest
from django.test import Client

from scoring.sheets.old_results import read_printed_events

FOSTER_RESULTS = {
    "a": (201, -6), "b": (204, -3), "c": (211, 4), "d": (207, 0), "e": (212, 5),
    "f": (189, 6), "g": (186, 3), "h": (179, -4), "j": (183, 0), "k": (178, -5),
}  # fmt: skip
"""Foster, Complete Hoyle (1897): tricks taken and plus or minus, as printed."""


def test_fosters_printed_results_match_computed_scores() -> None:
    event = read_printed_events()[0]
    north_south, east_west = event.fields
    assert (north_south.computed_average, east_west.computed_average) == (207, 183)
    computed_results = {
        pair.name: (pair.tricks, pair.computed_plus_minus)
        for field in event.fields
        for pair in field.pairs
    }
    assert computed_results == {
        name: (tricks, Fraction(plus)) for name, (tricks, plus) in FOSTER_RESULTS.items()
    }
    assert [pair.name for field in event.fields for pair in field.pairs if pair.is_winner] == [
        "e",
        "f",
    ]
    assert event.is_confirmed


@pytest.mark.django_db
def test_old_results_are_public() -> None:
    response = Client().get("/old-results/")
    assert response.status_code == 200
    page = response.content.decode()
    assert "All printed numbers match." in page
    assert not response.cookies
    assert "/old-results/" in Client().get("/learn/").content.decode()
