"""The advice of experienced directors: their choices, the limits, and numbers recomputed."""

import json
import random
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Suggestion,
    Unit,
    UnplayableMovement,
    build,
    compute_balance,
    list_suggestions_for,
)
from tournaments.movements.advice import reasons
from tournaments.movements.advice.description import describe_suggestion
from tournaments.movements.advice.proposals import divide_into_section_sizes
from tournaments.movements.advice.statistics import compute_schedule_statistics
from tournaments.movements.builder import convert_size
from tournaments.movements.meetings import Contest
from tournaments.movements.suggest import build_turnout, list_helpful_changes
from tournaments.movements.system_names import find_system_name, find_systems

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "advice.json"
ROWS = json.loads(GOLDEN.read_text("utf-8"))["rows"]
CASES = [(row, count) for row in ROWS for count in row["counts"]]


def format_suggestion(suggestion: Suggestion) -> str:
    """Format a suggestion as in the table of choices."""
    names = [
        f"{part.name}@{part.table_count}" if suggestion.is_divided else part.name
        for part in suggestion.section_plans
    ]
    return f"{' '.join(names)} {suggestion.round_count}x{suggestion.boards_a_round}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "count"),
    CASES,
    ids=lambda item: str(item.get("unit") if isinstance(item, dict) else item),
)
def test_first_suggestion_matches_experienced_director(row: dict[str, Any], count: int) -> None:
    suggestions = list_suggestions_for(**{row["unit"]: count}, **row.get("wishes", {}))
    listed_suggestions = [format_suggestion(item) for item in suggestions[:3]]
    assert listed_suggestions[0] in row["answers"]
    assert {*row["answers"], *row.get("near", ())} <= set(listed_suggestions)
    if "boards" in row:
        assert suggestions[0].board_count == row["boards"]


def test_expected_row_waits_only_for_systems_missing_from_catalogue() -> None:
    waiting = {row["waits_for"] for row in ROWS if "waits_for" in row}
    assert waiting
    assert not waiting & set(SYSTEMS_BY_NAME)


@pytest.mark.slow
@pytest.mark.parametrize("winners", [None, 1])
def test_first_suggestion_is_playable_by_clubs(winners: int | None) -> None:
    for pairs in range(5, 61, 4 if winners is None else 7):
        first, *_others = suggestions = list_suggestions_for(pairs=pairs, winners=winners)
        assert first.boards_a_round > 1
        assert first.minutes <= 210
        assert 2 <= first.round_count <= 13
        assert first.boards_played_range.maximum <= 28
        for part in first.section_plans:
            assert part.name != "howell" or part.table_count <= 8
            assert part.table_count <= (18 if first.round_count < part.table_count else 15)
        assert not reasons.format_warning(first)
        assert winners is not None or {item.winner_count for item in suggestions} == {1, 2}


def test_two_clubs_are_supported_by_advice() -> None:
    assert all(
        "club-against-club" not in format_suggestion(suggestion)
        for suggestion in list_suggestions_for(teams=8)
    )
    assert any(
        "club-against-club" in format_suggestion(suggestion)
        for suggestion in list_suggestions_for(teams=8, clubs=True)
    )


def test_suggestions_differ_in_more_than_number_of_rounds() -> None:
    for pairs in (8, 13, 14, 24, 30, 37, 48):
        suggestions = list_suggestions_for(pairs=pairs)
        kinds = Counter((item.proposal.kind, item.boards_a_round) for item in suggestions)
        assert len(suggestions) <= 8
        assert set(kinds.values()) == {1}
    assert (
        list_suggestions_for(pairs=26)[0].shorter_alternative == "or 12 rounds, about 3 hours"
    )


def check_suggestion(suggestion: Suggestion) -> None:
    groups = []
    for part in suggestion.section_plans:
        movement = build(part.name, **part.options)
        figures = compute_balance(movement)
        known_figures = part.option.statistics
        assert movement.round_count == suggestion.round_count
        assert (known_figures.met_pairing_count, known_figures.possible_pairing_count) == (
            figures.met_pairing_count,
            figures.possible_pairing_count,
        )
        assert known_figures.stationary_count == len(figures.stationary_places)
        assert movement.winner_count == suggestion.winner_count
        assert part.balance == figures
        groups.append(len({meeting.board_group for meeting in movement.played_meetings}))
        assert figures.sit_out_spread.maximum <= suggestion.sit_out_spread.maximum
        assert figures.sit_out_spread.minimum >= suggestion.sit_out_spread.minimum
    needed = [number * suggestion.boards_a_round for number in groups]
    assert suggestion.board_count == (
        max(needed) if suggestion.has_same_boards else sum(needed)
    )
    assert suggestion.minutes == 7 * suggestion.round_count * suggestion.boards_a_round + 2 * (
        suggestion.round_count - 1
    )


def draw_wishes(chance: random.Random) -> dict[str, Any]:
    wishes = {
        "pairs": chance.randint(4, 60),
        "sets": chance.randint(1, 3),
        "winners": chance.choice([None, 1, 2]),
        "boards_at_hand": chance.choice([None, chance.randint(12, 60)]),
        "minutes": chance.choice([None, chance.randint(90, 240)]),
        "boards": chance.choice([None, chance.randint(8, 40)]),
        "stationary": chance.choice([0, 0, 1, 2]),
        "late_pair": chance.random() < 0.1,
    }
    return {name: wish for name, wish in wishes.items() if wish is not None}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_suggestions_respect_constraints_and_stats_match_schedule(
    seed: int,
) -> None:
    wishes = draw_wishes(random.Random(seed))
    try:
        suggestions = list_suggestions_for(**wishes)
    except UnplayableMovement:
        with pytest.raises(UnplayableMovement, match=r"options\. .+"):  # and how to fix it
            list_suggestions_for(**wishes)
        return
    for item in suggestions:
        assert item.minutes <= wishes.get("minutes", 999)
        assert item.boards_played_range.maximum <= wishes.get("boards", 999)
        assert item.board_count <= wishes.get("boards_at_hand", 999)
        assert item.copy_count <= wishes["sets"]
        assert item.stationary_count >= wishes["stationary"]
        assert item.winner_count == wishes.get("winners", item.winner_count)
        assert all(isinstance(amount, int) for amount in item.costs_by_term.values())
        assert sum(item.costs_by_term.values()) == item.proposal.cost
    check_suggestion(suggestions[0])
    check_suggestion(suggestions[-1])


@pytest.mark.parametrize("name", SYSTEMS_BY_NAME)
def test_shortcut_stats_equal_those_of_balance(name: str) -> None:
    system = SYSTEMS_BY_NAME[name]
    units = [system.unit, Unit.PAIRS] if system.unit is Unit.TABLES else [system.unit]
    for unit in units:
        fitting = [number for number in range(1, 30) if fits_size(name, unit, number)]
        for number in fitting[:5]:
            rows = compute_schedule_statistics(name, ((str(unit), number),))
            movement = build(name, **{str(unit): number})
            whole = (
                system.contest is Contest.TEAMS or system.list_round_counts or name == "memory"
            )
            lengths = {len(rows)} if whole else {2, len(rows) // 2 or 1, len(rows)}
            for length in lengths:
                short = {} if length == movement.round_count else {"rounds": length}
                cut = build(name, **{str(unit): number}, **short)
                check_equal(rows[length - 1], cut)


def fits_size(name: str, unit: Unit, number: int) -> bool:
    size = convert_size(SYSTEMS_BY_NAME[name], unit, number)
    if size is None or (
        size[1] and (SYSTEMS_BY_NAME[name].extra_pair_count or name == "memory")
    ):
        return False
    return bool(SYSTEMS_BY_NAME[name].fits_size(size[0]))


def check_equal(row: Any, movement: Any) -> None:
    figures = compute_balance(movement)
    assert (row.round_count, row.entrant_count) == (
        movement.round_count,
        len(movement.occupied_places),
    )
    assert (row.met_pairing_count, row.possible_pairing_count) == (
        figures.met_pairing_count,
        figures.possible_pairing_count,
    )
    assert (row.min_sit_outs, row.max_sit_outs) == (
        figures.sit_out_spread.minimum,
        figures.sit_out_spread.maximum,
    )
    assert row.stationary_count == len(figures.stationary_places)
    assert row.group_count == len({meeting.board_group for meeting in movement.played_meetings})
    assert bool(row.sharing_table_count) == bool(figures.shared_group_count)
    home = sum(
        movement.contest is Contest.TEAMS
        and movement.get_team_number(m.north) == movement.get_team_number(m.east)
        for m in movement.played_meetings
    )
    assert row.play_count == sum(len(m.places) for m in movement.played_meetings) - 2 * home
    assert row.winner_count == movement.winner_count


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["boards_at_hand", "minutes", "boards", "sets"])
def test_looser_constraints_never_raise_cost_of_first_suggestion(limit: str) -> None:
    steps = {
        "boards_at_hand": (16, 20, 24, 28, 40, 60),
        "minutes": (90, 120, 150, 190, 206, 210, 211, 240),
        "boards": (8, 16, 22, 24, 28, 29, 40),
        "sets": (1, 2, 3),
    }[limit]
    for pairs in (9, 26, 40):
        costs = [measure_cost(pairs=pairs, **{limit: step}) for step in steps]
        assert all(one >= other for one, other in pairwise(costs)), (pairs, costs)


def measure_cost(**preferences: Any) -> float:
    try:
        return list_suggestions_for(**preferences)[0].proposal.cost
    except UnplayableMovement:
        return float("inf")


def test_equal_requests_give_equal_suggestions() -> None:
    for pairs in (14, 40):
        one, other = (
            [format_suggestion(suggestion) for suggestion in list_suggestions_for(pairs=pairs)]
            for _turn in range(2)
        )
        assert one == other


REFUSED = [
    ({"pairs": 14, "boards_at_hand": 3}, r"With (\d+) boards", "boards_at_hand", 1),
    ({"pairs": 60, "boards_at_hand": 24}, r"With (\d+) boards", "boards_at_hand", 1),
    ({"pairs": 14, "minutes": 1}, r"With (\d+) minutes of play", "minutes", 1),
    ({"pairs": 14, "boards": 1}, r"With up to (\d+) boards each", "boards", 1),
    ({"pairs": 14, "stationary": 40}, r"With (\d+) stationary", "stationary", -1),
    ({"teams": 8, "boards": 3}, r"With up to (\d+) boards each", "boards", 1),
]


@pytest.mark.parametrize(("wishes", "text", "name", "step"), REFUSED)
def test_refusal_names_nearest_helpful_change(
    wishes: dict[str, int], text: str, name: str, step: int
) -> None:
    with pytest.raises(UnplayableMovement, match=text) as exc_info:
        list_suggestions_for(**wishes)
    told_number = re.search(text, str(exc_info.value))
    assert told_number
    needed = int(told_number[1])
    assert list_suggestions_for(**(wishes | {name: needed}))
    with pytest.raises(UnplayableMovement):
        list_suggestions_for(**(wishes | {name: needed - step}))


def test_unplayable_number_is_refused_with_next_playable_number() -> None:
    with pytest.raises(UnplayableMovement, match="2 pairs can play"):
        list_suggestions_for(pairs=1)
    with pytest.raises(UnplayableMovement, match="4 players can play"):
        list_suggestions_for(players=3)
    with pytest.raises(UnplayableMovement, match="With a different number of winners"):
        list_suggestions_for(teams=8, winners=2)
    with pytest.raises(
        UnplayableMovement, match="in a section: two sections, 11 rounds of two"
    ):
        list_suggestions_for(pairs=44, max_tables=1)


def test_too_few_boards_are_refused_with_effect_of_more() -> None:
    evening = build_turnout(pairs=26, boards_at_hand=24)
    suggestions = list_suggestions_for(pairs=26, boards_at_hand=24)
    assert list_helpful_changes(evening, suggestions)[:2] == [
        "With 24 boards 26 pairs can play 13 each.",
        "26 boards make 13 rounds of two boards.",
    ]
    enough = {"pairs": 24, "boards_at_hand": 24}
    assert list_helpful_changes(build_turnout(**enough), list_suggestions_for(**enough)) == []


def list_changes_for(**limits: int) -> list[str]:
    return list_helpful_changes(build_turnout(**limits), list_suggestions_for(**limits))


def test_helpful_changes_start_from_best_suggestion() -> None:
    """Six pairs play two boards in each of the five rounds of a Howell."""
    changes = list_changes_for(pairs=6, boards_at_hand=10)
    assert changes[0] == "With 10 boards 6 pairs can play 10 each."


def test_helpful_change_with_one_section_does_not_mention_sections() -> None:
    changes = list_changes_for(pairs=13, boards_at_hand=12)
    assert changes[-1] == "With three copies of each board: five rounds of two boards."


@pytest.mark.parametrize("unit", [Unit.PAIRS, Unit.PLAYERS, Unit.TEAMS])
def test_sections_are_balanced_with_at_most_one_half_table(unit: Unit) -> None:
    seats = {Unit.PAIRS: 2, Unit.PLAYERS: 4}.get(unit, 1)
    for sections in range(1, 8):
        for count in range(seats * sections, 130):
            sizes = divide_into_section_sizes(unit, count, sections)
            tables = [-(-size // seats) for size in sizes]
            assert sum(sizes) == count
            assert len(sizes) == sections
            assert max(tables) - min(tables) <= 1
            assert sum(size % seats > 0 for size in sizes) <= 1


def test_all_sections_play_same_rounds_of_same_boards() -> None:
    for known in ({"pairs": 41}, {"pairs": 103}, {"teams": 20}, {"players": 57}):
        for suggestion in list_suggestions_for(**known):
            assert {part.movement.round_count for part in suggestion.section_plans} == {
                suggestion.round_count
            }
    assert len(list_suggestions_for(pairs=200)[0].section_plans) == 7


def test_large_field_can_be_divided_into_sections_of_seven_tables() -> None:
    for pairs in (26, 28, 52):
        (advised,) = [
            suggestion
            for suggestion in list_suggestions_for(pairs=pairs)
            if "at most seven tables" in reasons.format_advantage(suggestion)
        ][:1]
        assert max(part.table_count for part in advised.section_plans) <= 7


def test_whole_average_of_tables_has_no_decimal() -> None:
    texts = [str(describe_suggestion(item)) for item in list_suggestions_for(pairs=9)]
    assert any("A board is played at 4 of 5 tables" in text for text in texts)


@pytest.mark.parametrize("constraint", [{"sections": 1}, {"max_tables": 30}])
def test_large_section_is_no_drawback_if_director_asked_for_it(
    constraint: dict[str, int],
) -> None:
    suggestions = list_suggestions_for(pairs=60, **constraint)
    assert [
        item for item in suggestions if "large-section" in item.proposal.costs_by_term
    ] == []


def test_section_constraints_are_respected() -> None:
    assert {
        len(one_suggestion.section_plans)
        for one_suggestion in list_suggestions_for(pairs=40, sections=1)
    } == {1}
    assert {
        len(one_suggestion.section_plans)
        for one_suggestion in list_suggestions_for(pairs=24, sections=3)
    } == {3}
    suggestions = list_suggestions_for(pairs=26, max_tables=7)
    assert max(part.table_count for item in suggestions for part in item.section_plans) <= 7
    suggestion = list_suggestions_for(pairs=52, sets=2)[0]
    assert (suggestion.has_same_boards, suggestion.copy_count) == (True, 2)
    assert "ranked together" in suggestion.announcement
    assert (
        "joins section B, which has a half table"
        in list_suggestions_for(pairs=39)[0].announcement
    )


def test_late_pair_is_considered_in_advice() -> None:
    for suggestion in list_suggestions_for(pairs=15, late_pair=True)[:3]:
        assert (
            SYSTEMS_BY_NAME[suggestion.name].extra_pair_count == 0
        )  # a rover has no place for it
    unasked = {
        (format_suggestion(one_suggestion), one_suggestion.winner_count): one_suggestion
        for one_suggestion in list_suggestions_for(pairs=15)
    }
    requested_suggestion = list_suggestions_for(pairs=15, late_pair=True)[0]
    alike = unasked[format_suggestion(requested_suggestion), requested_suggestion.winner_count]
    assert (
        requested_suggestion.proposal.cost
        == alike.proposal.cost + requested_suggestion.costs_by_term["late-pair"]
    )


def test_each_suggestion_has_reason_and_written_cost() -> None:
    for known in ({"pairs": 14}, {"pairs": 40, "sets": 2}, {"teams": 15}, {"players": 42}):
        for suggestion in list_suggestions_for(**known):
            assert reasons.format_advantage(suggestion)
            assert not suggestion.costs_by_term.keys() - {"winners"} or reasons.format_drawback(
                suggestion
            )
            told_terms = reasons.format_cost_terms(suggestion)
            assert all(
                str(reasons.TERM_TITLES[name]) in told_terms
                for name in suggestion.costs_by_term
            )
    assert reasons.format_drawback(list_suggestions_for(pairs=18)[0]) == ""


def test_usual_limit_is_exceeded_only_if_unavoidable_and_with_warning() -> None:
    first_suggestion = list_suggestions_for(teams=17, sections=1)[0]
    assert "3 rounds more than usual." in reasons.format_warning(first_suggestion)
    assert not reasons.format_warning(list_suggestions_for(teams=18)[0])


@pytest.mark.parametrize(
    ("word", "sizes", "name"),
    [
        ("mitchell", {Unit.TABLES: 7}, "compass"),
        ("Mitchell", {Unit.TABLES: 8}, "compass-skip"),
        ("mitchell", {Unit.PAIRS: 13}, "compass"),
        ("skip Mitchell", {Unit.TABLES: 8}, "compass-skip"),
        ("three-quarter Howell", {Unit.TABLES: 7}, "reduced-howell"),
        ("relay", {Unit.TABLES: 8}, "compass-relay"),
        ("rover", {Unit.TABLES: 8}, "compass-rover"),
        ("hesitation", {Unit.TABLES: 8}, "compass-hesitation"),
        ("american whist", {Unit.TEAMS: 7}, "gilman"),
        ("compass", {Unit.TABLES: 8}, "compass"),
        ("no such", {}, "no such"),
    ],
)
def test_system_is_found_by_common_name(word: str, sizes: dict[Unit, int], name: str) -> None:
    assert find_system_name(word, sizes) == name


def test_advice_can_be_limited_to_one_system() -> None:
    assert {
        suggestion.name for suggestion in list_suggestions_for(pairs=20, system="howell")
    } == {"howell"}
    mitchells = {system.name for system in find_systems("mitchell")}
    assert {
        suggestion.name for suggestion in list_suggestions_for(pairs=20, system="mitchell")
    } <= mitchells
    with pytest.raises(UnplayableMovement, match="Movement waltz not found"):
        list_suggestions_for(pairs=20, system="waltz")


@pytest.mark.parametrize("pairs", [6, 8, 14, 15, 21, 24, 30, 40])
def test_each_suggestion_has_unique_title(pairs: int) -> None:
    titles = [suggestion.title for suggestion in list_suggestions_for(pairs=pairs)]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("players", [8, 12])
def test_advice_for_single_players_describes_their_partners(players: int) -> None:
    message = 0
    for suggestion in list_suggestions_for(players=players):
        advantage = reasons.format_advantage(suggestion)
        if "meets everyone" not in advantage or suggestion.is_divided:
            continue
        message += 1
        partners = suggestion.balance.partner_spread
        assert partners is not None
        assert ("partners everyone" in advantage) is (partners.minimum > 0)
        assert ("possible partnerships" in advantage) is (partners.minimum == 0)
    assert message


@pytest.mark.parametrize("pairs", [8, 14, 15, 16, 21, 200])
def test_advantages_agree_with_stats_of_movement(pairs: int) -> None:
    for suggestion in list_suggestions_for(pairs=pairs):
        advantage = reasons.format_advantage(suggestion)
        assert "one field" not in advantage  # a Mitchell has two winners
        match = re.match(r"(?:(\d+) to )?(\d+) boards? each", advantage)
        if match:
            least, most = (
                suggestion.boards_played_range.minimum,
                suggestion.boards_played_range.maximum,
            )
            assert int(match[2]) == most
            assert int(match[1] or most) == least


@pytest.mark.parametrize("pairs", [16, 40, 200])
def test_cost_names_sections_that_differ(pairs: int) -> None:
    for suggestion in list_suggestions_for(pairs=pairs):
        prices = {part.drawbacks_text for part in suggestion.section_plans}
        reported = re.findall(r"Sections? ([A-Z, and]+): ", suggestion.drawbacks_text)
        assert len(reported) == (len(prices - {""}) if len(prices) > 1 else 0)
        letters = [letter for group in reported for letter in re.findall(r"[A-Z]", group)]
        assert len(letters) == len(set(letters)) <= len(suggestion.section_plans)
