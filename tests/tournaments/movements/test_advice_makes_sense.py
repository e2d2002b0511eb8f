"""The first suggestion of the adviser for every number of entries, as a table."""

import pytest

from tournaments.movements import Suggestion, UnplayableMovement, list_suggestions_for_limits
from tournaments.swiss.advice import propose_swiss

ONE_TABLE_COUNTS = {"pairs": {3}, "players": {5, 6, 7}}
TOO_FEW_COUNTS = {"players": {2, 3}}


def list_objections(unit: str, count: int) -> list[str]:
    """Return the objections of an experienced director to the first suggestion."""
    try:
        suggestion = list_suggestions_for_limits(**{unit: count})[0]
    except UnplayableMovement as error:
        text = str(error)
        if count in ONE_TABLE_COUNTS.get(unit, ()) and "rubber night" in text:
            return []
        return [] if count in TOO_FEW_COUNTS.get(unit, ()) else [text]
    if count in ONE_TABLE_COUNTS.get(unit, ()) or count in TOO_FEW_COUNTS.get(unit, ()):
        return ["a movement in which nothing is compared"]
    rules = {
        "one board a round": suggestion.boards_a_round > 1,
        "nothing is compared": suggestion.comparison_spread.maximum > 0,
        "too long": suggestion.minutes <= 210,
        "too many rounds": 2 <= suggestion.round_count <= 13,
        "too few or too many boards": 16
        <= suggestion.boards_played_range.minimum
        <= suggestion.boards_played_range.maximum
        <= 28,
        "sits out too often": suggestion.sit_out_spread.maximum <= 3,
        "sections of unlike sizes": has_alike_sections(suggestion),
        "no Swiss first": unit != "teams" or is_swiss_first(count) == (count >= 13),
    }
    return [name for name, holds in rules.items() if not holds]


def has_alike_sections(suggestion: Suggestion) -> bool:
    tables = [part.table_count for part in suggestion.section_plans]
    return max(tables) - min(tables) <= 1 and max(tables) <= 18


def is_swiss_first(teams: int) -> bool:
    swiss = propose_swiss("teams", teams, {})
    return swiss is not None and swiss.is_first


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["pairs", "teams", "players"])
def test_first_suggestion_has_no_objections_for_any_field_size(unit: str) -> None:
    assert {
        n: objections for n in range(2, 61) if (objections := list_objections(unit, n))
    } == {}


def test_evening_individual_is_suggested_for_nineteen_and_twenty_three_players() -> None:
    for players in (19, 23):
        names = {suggestion.name for suggestion in list_suggestions_for_limits(players=players)}
        assert "evening-individual" in names
