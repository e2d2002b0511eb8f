"""An event of the nineteenth century is imported, scored, shown and exported like any other."""

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from exchange.eventfile.exporter import export_event
from exchange.eventfile.importer import import_event
from tests.exchange.eventfile.documents import build_event_file
from tests.scoring.sheets.test_old_results import FOSTER_RESULTS

pytestmark = pytest.mark.django_db
TABLES, BOARDS_A_ROUND = 5, 6
NORTH_SOUTH_TRICKS = [FOSTER_RESULTS[name][0] for name in "abcde"]


def build_foster_file() -> dict[str, Any]:
    """Build a file of Foster's five tables with board results that give the printed totals.

    The book prints totals only. E-W pair n lost exactly as many tricks as N-S pair n won. So 41
    tricks a round, with a pair's difference from 205 in the round against its own number, give
    all ten totals.
    """
    movement = {"name": "compass", "tables": TABLES}
    event_file = build_event_file(movement, method="plus_minus", boards_a_round=BOARDS_A_ROUND)
    event_file["event"] |= {"date": "1897-01-01", "name": "Foster"}
    for entry, name in zip(event_file["entries"], FOSTER_RESULTS, strict=True):
        entry["name"] = name
    section = event_file["sessions"][0]["sections"][0]
    results_by_round: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for result in section["results"]:
        results_by_round[result["round"], result["table"]].append(result)
    for (round_number, table), results in results_by_round.items():
        started_at = (table - round_number) % TABLES + 1
        tricks = 41 + (NORTH_SOUTH_TRICKS[table - 1] - 205) * (started_at == table)
        for index, result in enumerate(results):
            result["ns_tricks"] = tricks // BOARDS_A_ROUND + (index < tricks % BOARDS_A_ROUND)
    return event_file


def test_foster_event_of_1897_gets_its_printed_scores() -> None:
    event = import_event(document=build_foster_file(), by=None)
    standings = event.ranking.standings.select_related("entry")
    assert {standing.entry.name: Fraction(standing.score) for standing in standings} == {
        name: Fraction(plus) for name, (_tricks, plus) in FOSTER_RESULTS.items()
    }
    pages = ("", "entries/1/", "recap/")
    status_codes = [Client().get(f"/events/{event.slug}/{page}") for page in pages]
    assert [response.status_code for response in status_codes] == [200, 200, 200]
    assert "1897" in status_codes[0].content.decode()
    assert export_event(event, should_include_deals=True)["event"]["date"] == "1897-01-01"
