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
    SizeUnit,
    Suggestion,
    UnplayableMovement,
    build_named_movement,
    compute_balance,
    list_suggestions_for_limits,
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
        f"{part.name}@{part.table_count}" if suggestion.is_divided_into_sections else part.name
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
    suggestions = list_suggestions_for_limits(**{row["unit"]: count}, **row.get("wishes", {}))
    listed_suggestions = [format_suggestion(item) for item in suggestions[:3]]
    assert listed_suggestions[0] in row["answers"]
    assert {*row["answers"], *row.get("near", ())} <= set(listed_suggestions)
    if "boards" in row:
        assert suggestions[0].board_count == row["boards"]


def test_advice_cases_wait_only_for_unimplemented_systems() -> None:
    awaited_systems = {row["waits_for"] for row in ROWS if "waits_for" in row}
    assert awaited_systems
    assert not awaited_systems & set(SYSTEMS_BY_NAME)


@pytest.mark.slow
@pytest.mark.parametrize("winners", [None, 1])
def test_first_suggestion_is_practical_for_club_evening(winners: int | None) -> None:
    for pairs in range(5, 61, 4 if winners is None else 7):
        first, *_others = suggestions = list_suggestions_for_limits(
            pairs=pairs, winners=winners
        )
        assert first.boards_a_round > 1
        assert first.minutes <= 210
        assert 2 <= first.round_count <= 13
        assert first.boards_played_range.maximum <= 28
        for part in first.section_plans:
            assert part.name != "howell" or part.table_count <= 8
            assert part.table_count <= (18 if first.round_count < part.table_count else 15)
        assert not reasons.format_warning(first)
        assert winners is not None or {item.winner_count for item in suggestions} == {1, 2}


def test_club_match_is_suggested_only_if_two_clubs_play() -> None:
    assert all(
        "club-against-club" not in format_suggestion(suggestion)
        for suggestion in list_suggestions_for_limits(teams=8)
    )
    assert any(
        "club-against-club" in format_suggestion(suggestion)
        for suggestion in list_suggestions_for_limits(teams=8, clubs=True)
    )


def test_suggestions_differ_by_movement_or_boards_a_round() -> None:
    for pairs in (8, 13, 14, 24, 30, 37, 48):
        suggestions = list_suggestions_for_limits(pairs=pairs)
        kinds = Counter((item.proposal.kind, item.boards_a_round) for item in suggestions)
        assert len(suggestions) <= 8
        assert set(kinds.values()) == {1}
    assert (
        list_suggestions_for_limits(pairs=26)[0].shorter_alternative
        == "or 12 rounds, about 3 hours"
    )


def check_suggestion(suggestion: Suggestion) -> None:
    groups = []
    for part in suggestion.section_plans:
        movement = build_named_movement(part.name, **part.options)
        balance = compute_balance(movement)
        statistics = part.option.statistics
        assert movement.round_count == suggestion.round_count
        assert (statistics.met_pairing_count, statistics.possible_pairing_count) == (
            balance.met_pairing_count,
            balance.possible_pairing_count,
        )
        assert statistics.stationary_count == len(balance.stationary_places)
        assert movement.winner_count == suggestion.winner_count
        assert part.balance == balance
        groups.append(len({meeting.board_group for meeting in movement.played_meetings}))
        assert balance.sit_out_spread.maximum <= suggestion.sit_out_spread.maximum
        assert balance.sit_out_spread.minimum >= suggestion.sit_out_spread.minimum
    needed_board_counts = [group_count * suggestion.boards_a_round for group_count in groups]
    assert suggestion.board_count == (
        max(needed_board_counts) if suggestion.has_same_boards else sum(needed_board_counts)
    )
    assert suggestion.minutes == 7 * suggestion.round_count * suggestion.boards_a_round + 2 * (
        suggestion.round_count - 1
    )


def generate_preferences(chance: random.Random) -> dict[str, Any]:
    preferences = {
        "pairs": chance.randint(4, 60),
        "sets": chance.randint(1, 3),
        "winners": chance.choice([None, 1, 2]),
        "boards_at_hand": chance.choice([None, chance.randint(12, 60)]),
        "minutes": chance.choice([None, chance.randint(90, 240)]),
        "boards": chance.choice([None, chance.randint(8, 40)]),
        "stationary": chance.choice([0, 0, 1, 2]),
        "late_pair": chance.random() < 0.1,
    }
    return {
        name: preference for name, preference in preferences.items() if preference is not None
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_suggestions_respect_constraints_and_stats_match_schedule(
    seed: int,
) -> None:
    wishes = generate_preferences(random.Random(seed))
    try:
        suggestions = list_suggestions_for_limits(**wishes)
    except UnplayableMovement:
        with pytest.raises(UnplayableMovement, match=r"options\. .+"):  # and how to fix it
            list_suggestions_for_limits(**wishes)
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
def test_shortcut_statistics_equal_those_of_built_movement(name: str) -> None:
    system = SYSTEMS_BY_NAME[name]
    units = [system.unit, SizeUnit.PAIRS] if system.unit is SizeUnit.TABLES else [system.unit]
    for unit in units:
        fitting_sizes = [number for number in range(1, 30) if fits_size(name, unit, number)]
        for number in fitting_sizes[:5]:
            rows = compute_schedule_statistics(name, ((str(unit), number),))
            movement = build_named_movement(name, **{str(unit): number})
            whole = (
                system.contest is Contest.TEAMS or system.list_round_counts or name == "memory"
            )
            round_counts = {len(rows)} if whole else {2, len(rows) // 2 or 1, len(rows)}
            for round_count in round_counts:
                round_options = (
                    {} if round_count == movement.round_count else {"rounds": round_count}
                )
                shortened_movement = build_named_movement(
                    name, **{str(unit): number}, **round_options
                )
                check_statistics_equal(rows[round_count - 1], shortened_movement)


def fits_size(name: str, unit: SizeUnit, number: int) -> bool:
    size = convert_size(SYSTEMS_BY_NAME[name], unit, number)
    if size is None or (
        size[1] and (SYSTEMS_BY_NAME[name].extra_pair_count or name == "memory")
    ):
        return False
    return bool(SYSTEMS_BY_NAME[name].fits_size(size[0]))


def check_statistics_equal(row: Any, movement: Any) -> None:
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
    same_team_meetings = sum(
        movement.contest is Contest.TEAMS
        and movement.get_team_number(m.north) == movement.get_team_number(m.east)
        for m in movement.played_meetings
    )
    assert (
        row.play_count
        == sum(len(m.places) for m in movement.played_meetings) - 2 * same_team_meetings
    )
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
        assert all(cost >= next_cost for cost, next_cost in pairwise(costs)), (pairs, costs)


def measure_cost(**preferences: Any) -> float:
    try:
        return list_suggestions_for_limits(**preferences)[0].proposal.cost
    except UnplayableMovement:
        return float("inf")


def test_equal_requests_give_equal_suggestions() -> None:
    for pairs in (14, 40):
        one, other = (
            [
                format_suggestion(suggestion)
                for suggestion in list_suggestions_for_limits(pairs=pairs)
            ]
            for _turn in range(2)
        )
        assert one == other


REFUSED_CASES = [
    ({"pairs": 14, "boards_at_hand": 3}, r"With (\d+) boards", "boards_at_hand", 1),
    ({"pairs": 60, "boards_at_hand": 24}, r"With (\d+) boards", "boards_at_hand", 1),
    ({"pairs": 14, "minutes": 1}, r"With (\d+) minutes of play", "minutes", 1),
    ({"pairs": 14, "boards": 1}, r"With up to (\d+) boards each", "boards", 1),
    ({"pairs": 14, "stationary": 40}, r"With (\d+) stationary", "stationary", -1),
    ({"teams": 8, "boards": 3}, r"With up to (\d+) boards each", "boards", 1),
]


@pytest.mark.parametrize(("wishes", "message_pattern", "name", "step"), REFUSED_CASES)
def test_refusal_suggests_smallest_sufficient_change(
    wishes: dict[str, int], message_pattern: str, name: str, step: int
) -> None:
    with pytest.raises(UnplayableMovement, match=message_pattern) as exc_info:
        list_suggestions_for_limits(**wishes)
    number_match = re.search(message_pattern, str(exc_info.value))
    assert number_match
    needed = int(number_match[1])
    assert list_suggestions_for_limits(**(wishes | {name: needed}))
    with pytest.raises(UnplayableMovement):
        list_suggestions_for_limits(**(wishes | {name: needed - step}))


def test_unplayable_request_is_refused_with_playable_alternative() -> None:
    with pytest.raises(UnplayableMovement, match="2 pairs can play"):
        list_suggestions_for_limits(pairs=1)
    with pytest.raises(UnplayableMovement, match="4 players can play"):
        list_suggestions_for_limits(players=3)
    with pytest.raises(UnplayableMovement, match="With a different number of winners"):
        list_suggestions_for_limits(teams=8, winners=2)
    with pytest.raises(
        UnplayableMovement, match="in a section: two sections, 11 rounds of two"
    ):
        list_suggestions_for_limits(pairs=44, max_tables=1)


def test_helpful_changes_show_effect_of_more_boards() -> None:
    evening = build_turnout(pairs=26, boards_at_hand=24)
    suggestions = list_suggestions_for_limits(pairs=26, boards_at_hand=24)
    assert list_helpful_changes(evening, suggestions)[:2] == [
        "With 24 boards 26 pairs can play 13 each.",
        "26 boards make 13 rounds of two boards.",
    ]
    sufficient_limits = {"pairs": 24, "boards_at_hand": 24}
    assert (
        list_helpful_changes(
            build_turnout(**sufficient_limits), list_suggestions_for_limits(**sufficient_limits)
        )
        == []
    )


def list_changes_for(**limits: int) -> list[str]:
    return list_helpful_changes(build_turnout(**limits), list_suggestions_for_limits(**limits))


def test_helpful_changes_start_from_best_suggestion() -> None:
    """Six pairs play two boards in each of the five rounds of a Howell."""
    changes = list_changes_for(pairs=6, boards_at_hand=10)
    assert changes[0] == "With 10 boards 6 pairs can play 10 each."


def test_helpful_change_with_one_section_does_not_mention_sections() -> None:
    changes = list_changes_for(pairs=13, boards_at_hand=12)
    assert changes[-1] == "With three copies of each board: five rounds of two boards."


@pytest.mark.parametrize("unit", [SizeUnit.PAIRS, SizeUnit.PLAYERS, SizeUnit.TEAMS])
def test_sections_are_balanced_with_at_most_one_half_table(unit: SizeUnit) -> None:
    seats = {SizeUnit.PAIRS: 2, SizeUnit.PLAYERS: 4}.get(unit, 1)
    for sections in range(1, 8):
        for count in range(seats * sections, 130):
            sizes = divide_into_section_sizes(unit, count, sections)
            tables = [-(-size // seats) for size in sizes]
            assert sum(sizes) == count
            assert len(sizes) == sections
            assert max(tables) - min(tables) <= 1
            assert sum(size % seats > 0 for size in sizes) <= 1


def test_all_sections_play_same_rounds_of_same_boards() -> None:
    for turnout in ({"pairs": 41}, {"pairs": 103}, {"teams": 20}, {"players": 57}):
        for suggestion in list_suggestions_for_limits(**turnout):
            assert {part.movement.round_count for part in suggestion.section_plans} == {
                suggestion.round_count
            }
    assert len(list_suggestions_for_limits(pairs=200)[0].section_plans) == 7


def test_large_field_can_be_divided_into_sections_of_seven_tables() -> None:
    for pairs in (26, 28, 52):
        (divided_suggestion,) = [
            suggestion
            for suggestion in list_suggestions_for_limits(pairs=pairs)
            if "at most seven tables" in reasons.format_advantage(suggestion)
        ][:1]
        assert max(part.table_count for part in divided_suggestion.section_plans) <= 7


def test_whole_average_number_of_tables_has_no_decimals() -> None:
    texts = [str(describe_suggestion(item)) for item in list_suggestions_for_limits(pairs=9)]
    assert any("A board is played at 4 of 5 tables" in text for text in texts)


@pytest.mark.parametrize("constraint", [{"sections": 1}, {"max_tables": 30}])
def test_large_section_has_no_cost_if_director_requested_it(
    constraint: dict[str, int],
) -> None:
    suggestions = list_suggestions_for_limits(pairs=60, **constraint)
    assert [
        item for item in suggestions if "large-section" in item.proposal.costs_by_term
    ] == []


def test_section_constraints_are_respected() -> None:
    assert {
        len(one_suggestion.section_plans)
        for one_suggestion in list_suggestions_for_limits(pairs=40, sections=1)
    } == {1}
    assert {
        len(one_suggestion.section_plans)
        for one_suggestion in list_suggestions_for_limits(pairs=24, sections=3)
    } == {3}
    suggestions = list_suggestions_for_limits(pairs=26, max_tables=7)
    assert max(part.table_count for item in suggestions for part in item.section_plans) <= 7
    suggestion = list_suggestions_for_limits(pairs=52, sets=2)[0]
    assert (suggestion.has_same_boards, suggestion.copy_count) == (True, 2)
    assert "ranked together" in suggestion.announcement
    assert (
        "joins section B, which has a half table"
        in list_suggestions_for_limits(pairs=39)[0].announcement
    )


def test_late_pair_option_excludes_rover_and_adds_its_cost() -> None:
    for suggestion in list_suggestions_for_limits(pairs=15, late_pair=True)[:3]:
        assert (
            SYSTEMS_BY_NAME[suggestion.name].extra_pair_count == 0
        )  # a rover has no place for it
    ordinary_suggestions = {
        (format_suggestion(one_suggestion), one_suggestion.winner_count): one_suggestion
        for one_suggestion in list_suggestions_for_limits(pairs=15)
    }
    requested_suggestion = list_suggestions_for_limits(pairs=15, late_pair=True)[0]
    same_suggestion = ordinary_suggestions[
        format_suggestion(requested_suggestion), requested_suggestion.winner_count
    ]
    assert (
        requested_suggestion.proposal.cost
        == same_suggestion.proposal.cost + requested_suggestion.costs_by_term["late-pair"]
    )


def test_each_suggestion_explains_its_advantage_and_costs() -> None:
    for known in ({"pairs": 14}, {"pairs": 40, "sets": 2}, {"teams": 15}, {"players": 42}):
        for suggestion in list_suggestions_for_limits(**known):
            assert reasons.format_advantage(suggestion)
            assert not suggestion.costs_by_term.keys() - {"winners"} or reasons.format_drawback(
                suggestion
            )
            cost_terms_text = reasons.format_cost_terms(suggestion)
            assert all(
                str(reasons.COST_TERM_TITLES[name]) in cost_terms_text
                for name in suggestion.costs_by_term
            )
    assert reasons.format_drawback(list_suggestions_for_limits(pairs=18)[0]) == ""


def test_warning_is_shown_if_usual_limit_must_be_exceeded() -> None:
    first_suggestion = list_suggestions_for_limits(teams=17, sections=1)[0]
    assert "3 rounds more than usual." in reasons.format_warning(first_suggestion)
    assert not reasons.format_warning(list_suggestions_for_limits(teams=18)[0])


@pytest.mark.parametrize(
    ("word", "sizes", "name"),
    [
        ("mitchell", {SizeUnit.TABLES: 7}, "compass"),
        ("Mitchell", {SizeUnit.TABLES: 8}, "compass-skip"),
        ("mitchell", {SizeUnit.PAIRS: 13}, "compass"),
        ("skip Mitchell", {SizeUnit.TABLES: 8}, "compass-skip"),
        ("three-quarter Howell", {SizeUnit.TABLES: 7}, "reduced-howell"),
        ("relay", {SizeUnit.TABLES: 8}, "compass-relay"),
        ("rover", {SizeUnit.TABLES: 8}, "compass-rover"),
        ("hesitation", {SizeUnit.TABLES: 8}, "compass-hesitation"),
        ("american whist", {SizeUnit.TEAMS: 7}, "gilman"),
        ("compass", {SizeUnit.TABLES: 8}, "compass"),
        ("no such", {}, "no such"),
    ],
)
def test_system_is_found_by_common_name(
    word: str, sizes: dict[SizeUnit, int], name: str
) -> None:
    assert find_system_name(word, sizes) == name


def test_advice_can_be_limited_to_one_system() -> None:
    assert {
        suggestion.name for suggestion in list_suggestions_for_limits(pairs=20, system="howell")
    } == {"howell"}
    mitchell_names = {system.name for system in find_systems("mitchell")}
    assert {
        suggestion.name
        for suggestion in list_suggestions_for_limits(pairs=20, system="mitchell")
    } <= mitchell_names
    with pytest.raises(UnplayableMovement, match="Movement waltz not found"):
        list_suggestions_for_limits(pairs=20, system="waltz")


@pytest.mark.parametrize("pairs", [6, 8, 14, 15, 21, 24, 30, 40])
def test_each_suggestion_has_unique_title(pairs: int) -> None:
    titles = [suggestion.title for suggestion in list_suggestions_for_limits(pairs=pairs)]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("players", [8, 12])
def test_advice_for_single_players_describes_their_partners(players: int) -> None:
    message = 0
    for suggestion in list_suggestions_for_limits(players=players):
        advantage = reasons.format_advantage(suggestion)
        if "meets everyone" not in advantage or suggestion.is_divided_into_sections:
            continue
        message += 1
        partners = suggestion.balance.partner_spread
        assert partners is not None
        assert ("partners everyone" in advantage) is (partners.minimum > 0)
        assert ("possible partnerships" in advantage) is (partners.minimum == 0)
    assert message


@pytest.mark.parametrize("pairs", [8, 14, 15, 16, 21, 200])
def test_advantages_agree_with_stats_of_movement(pairs: int) -> None:
    for suggestion in list_suggestions_for_limits(pairs=pairs):
        advantage = reasons.format_advantage(suggestion)
        assert "one field" not in advantage  # a Mitchell has two winners
        match = re.match(r"(?:(\d+) to )?(\d+) boards? each", advantage)
        if match:
            min_boards, max_boards = (
                suggestion.boards_played_range.minimum,
                suggestion.boards_played_range.maximum,
            )
            assert int(match[2]) == max_boards
            assert int(match[1] or max_boards) == min_boards


@pytest.mark.parametrize("pairs", [16, 40, 200])
def test_drawbacks_text_names_sections_with_different_drawbacks(pairs: int) -> None:
    for suggestion in list_suggestions_for_limits(pairs=pairs):
        drawback_texts = {part.drawbacks_text for part in suggestion.section_plans}
        reported_sections = re.findall(r"Sections? ([A-Z, and]+): ", suggestion.drawbacks_text)
        assert len(reported_sections) == (
            len(drawback_texts - {""}) if len(drawback_texts) > 1 else 0
        )
        letters = [
            letter for group in reported_sections for letter in re.findall(r"[A-Z]", group)
        ]
        assert len(letters) == len(set(letters)) <= len(suggestion.section_plans)
