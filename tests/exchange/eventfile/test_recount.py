"""Recount the Tuesday night from its file with independent code."""

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

NIGHT_FILE = Path(__file__).resolve().parents[2] / "golden" / "night" / "tuesday-compass.json"


def recount_scores(document: dict[str, Any]) -> dict[int, tuple[str, int, Fraction, Fraction]]:
    """Compute each pair's field, tricks, its field's average and its plus or minus.

    Seven tables: N-S pair t sits at table t, and the E-W pair that began at table t has gone up
    one table a round. Nothing of the program is used.
    """
    section = document["sessions"][0]["sections"][0]
    tricks: dict[int, int] = defaultdict(int)
    for result in section["results"]:
        start = (result["table"] - result["round"]) % 7 + 1
        tricks[section["seating"][f"{result['table']}NS"]] += result["ns_tricks"]
        tricks[section["seating"][f"{start}EW"]] += 13 - result["ns_tricks"]
    scores = {}
    for field in ("NS", "EW"):
        pairs = [entry for place, entry in section["seating"].items() if place.endswith(field)]
        average = Fraction(sum(tricks[pair] for pair in pairs), len(pairs))
        for pair in pairs:
            scores[pair] = (field, tricks[pair], average, tricks[pair] - average)
    return scores


@pytest.fixture
def standings(db: None, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    call_command("event", "import", str(NIGHT_FILE))
    slug = capsys.readouterr().out.split()[-1]
    call_command("event", "standings", slug, "--format", "json")
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_standings_agree_with_a_recount(standings: dict[str, Any]) -> None:
    stated_scores = {
        row["entry"]: (
            ranking["field"],
            row["tricks"],
            Fraction(ranking["average"]),
            Fraction(row["score"]),
        )
        for ranking in standings["rankings"]
        for row in ranking["rows"]
    }
    assert stated_scores == recount_scores(json.loads(NIGHT_FILE.read_text(encoding="utf-8")))


def test_order_and_winner_agree_with_a_recount(standings: dict[str, Any]) -> None:
    scores = recount_scores(json.loads(NIGHT_FILE.read_text(encoding="utf-8")))
    for ranking in standings["rankings"]:
        field = [item for item in scores.values() if item[0] == ranking["field"]]
        for row in ranking["rows"]:
            better_scores = [item for item in field if item[3] > scores[row["entry"]][3]]
            equal_scores = [item for item in field if item[3] == scores[row["entry"]][3]]
            assert (row["rank"], row["tied"]) == (len(better_scores) + 1, len(equal_scores) > 1)
    best_score = max(score for *_, score in scores.values())
    winners = [entry for entry, (*_, score) in scores.items() if score == best_score]
    assert standings["overall_winner"] == winners
    assert standings["complete"] is True


def test_pair_one_has_165_tricks_against_an_average_of_174(standings: dict[str, Any]) -> None:
    ns = standings["rankings"][0]
    (pair,) = [row for row in ns["rows"] if row["entry"] == 1]
    assert (ns["section"], ns["field"], ns["average"]) == ("A", "NS", "174")
    assert pair == {
        "rank": 7,
        "tied": False,
        "entry": 1,
        "name": "Pole & Nowak",
        "score": "-9",
        "tricks": 165,
        "boards": 28,
        "a_board": None,
        "corrected": None,
    }
