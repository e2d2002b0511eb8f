"""The setup of a Swiss event, its requirements, and when the adviser proposes it."""

import json
from pathlib import Path

import pytest

from tournaments.movements import Contest
from tournaments.movements.drawn_rounds import count_planned_rounds, describe_undrawn_rounds
from tournaments.swiss.advice import propose_swiss
from tournaments.swiss.field import DrawMethod
from tournaments.swiss.plan import (
    InvalidPlan,
    SwissPlan,
    check_pairings,
    count_copies_needed,
    list_block_starts,
    parse_separated_pairs,
    read_plan,
)
from tournaments.swiss.rounds import (
    build_draw_input,
    build_meetings,
    count_different_matches,
    draw_round_from_data,
    pair_by_seeds,
)

ADVICE_ROWS = json.loads(Path("tests/golden/advice.json").read_text(encoding="utf-8"))["rows"]


@pytest.mark.parametrize("row", [row for row in ADVICE_ROWS if row.get("waits_for") == "swiss"])
def test_swiss_is_proposed_for_field_sizes_chosen_by_experts(row) -> None:
    for count in row["counts"]:
        plan = propose_swiss(row["unit"], count, {})
        assert plan is not None
        assert plan.is_first
        assert f"swiss {plan.rounds}x{plan.boards_a_round}" == row["wanted"]
        assert plan.minutes <= 210


def test_proposed_plan_respects_limits_and_explains_extra_copies() -> None:
    for count in range(2, 61):
        for minutes in (90, 150, 210):
            for boards in (12, 20, 24, 36):
                plan = propose_swiss("pairs", count, {"minutes": minutes, "boards": boards})
                if plan is None:
                    continue
                assert plan.minutes <= minutes
                assert plan.rounds * plan.boards_a_round <= boards
                assert plan.rounds < count
                assert bool(plan.copies_solution) is (plan.copies > 1)
                repeated_preferences = {
                    "minutes": minutes,
                    "boards": boards,
                    "sets": plan.copies,
                }
                plan_with_copies = propose_swiss("pairs", count, repeated_preferences)
                assert plan_with_copies is not None
                assert plan_with_copies.copies_solution == ""
    assert propose_swiss("individual", 40, {}) is None
    assert not propose_swiss("pairs", 40, {}).is_first


@pytest.mark.parametrize(
    ("contest", "count", "preferences", "is_first"),
    [
        ("teams", 12, {}, False),
        ("teams", 13, {}, True),
        ("teams", 13, {"minutes": 210}, True),
        ("teams", 13, {"rounds": 6}, False),
        ("pairs", 40, {}, False),
    ],
)
def test_swiss_is_first_choice_for_many_teams_without_requested_rounds(
    contest: str, count: int, preferences: dict, is_first: bool
) -> None:
    proposal = propose_swiss(contest, count, preferences)
    assert proposal is not None
    assert proposal.rounds == 6
    assert proposal.is_first is is_first


def test_each_copy_circulates_among_no_more_tables_than_boards() -> None:
    assert [
        count_copies_needed("pairs", 20, 4),
        count_copies_needed("pairs", 20, 4, can_tables_wait=False),
    ] == [
        5,
        20,
    ]
    assert count_copies_needed("teams", 20, 4) == 5
    for tables in range(2, 41):
        blocks = list_block_starts("pairs", tables, count_copies_needed("pairs", tables, 4))
        sizes = [b - a for a, b in zip(blocks, [*blocks[1:], tables + 1], strict=True)]
        assert max(sizes) <= 4
        assert sum(sizes) == tables
    assert all(
        first_block % 2 for first_block in list_block_starts("teams", 12, 3)
    )  # no match is split


def test_plan_round_trips_and_invalid_plan_is_refused_with_suggestion() -> None:
    plan = SwissPlan(6, DrawMethod.MONRAD, arrears=True, last_free=True, apart=((1, 2),))
    assert read_plan({"swiss": plan.as_data()}) == plan
    assert read_plan({}) is None
    assert [plan.find_method(5), plan.find_method(6)] == [DrawMethod.MONRAD, DrawMethod.DANISH]
    assert [plan.find_last_counting_round(number) for number in (1, 2, 3, 4)] == [0, 0, 1, 2]
    assert parse_separated_pairs(" 7-3, 4 – 9;3-7") == ((3, 7), (4, 9))
    for text in ("3", "3-3", "a-b", "3-4-5"):
        with pytest.raises(InvalidPlan):
            parse_separated_pairs(text)
    with pytest.raises(InvalidPlan, match="Number 9 isn’t entered"):
        check_pairings(((4, 9),), range(1, 9))
    with pytest.raises(InvalidPlan, match="from 2 to 20"):
        SwissPlan(1)


@pytest.mark.parametrize(
    "plan",
    [
        SwissPlan(5, DrawMethod.DANISH, seeded=True, apart=((1, 2), (3, 7))),
        SwissPlan(5, clubs_until=3),
        SwissPlan(3, knockout=True),
        SwissPlan(6, knockout=True, segments=2, three_way=True),
        SwissPlan(5, arrears=True, own_boards=True),
    ],
)
def test_stored_plan_has_all_settings(plan: SwissPlan) -> None:
    assert read_plan({"swiss": json.loads(json.dumps(plan.as_data()))}) == plan


def test_stored_plan_with_rounds_only_has_default_settings() -> None:
    assert read_plan({"swiss": {"rounds": 5}}) == SwissPlan(5)


@pytest.mark.parametrize(("is_knockout", "min_rounds"), [(False, 2), (True, 1)])
def test_swiss_event_has_two_to_twenty_rounds_but_knockout_can_have_one(
    is_knockout: bool, min_rounds: int
) -> None:
    for rounds in (min_rounds, 20):
        assert SwissPlan(rounds, knockout=is_knockout).rounds == rounds
    for rounds in (min_rounds - 1, 21):
        with pytest.raises(InvalidPlan, match=f"from {min_rounds} to 20"):
            SwissPlan(rounds, knockout=is_knockout)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3-7, 4", "“4” isn’t two numbers. Enter them as 3-7, 4-9."),
        ("a" * 20, f"“{'a' * 20}” isn’t two numbers. Enter them as 3-7, 4-9."),
        ("a" * 20 + "b", f"“{'a' * 20}” isn’t two numbers. Enter them as 3-7, 4-9."),
        ("4-9, 3-3", "Number 3 can’t play itself. Enter two different numbers."),
    ],
)
def test_error_quotes_at_most_twenty_characters_of_invalid_pairing(
    text: str, message: str
) -> None:
    with pytest.raises(InvalidPlan) as exc_info:
        parse_separated_pairs(text)
    assert str(exc_info.value) == message


@pytest.mark.parametrize("text", ["", " ", ",;, "])
def test_no_pairs_are_kept_apart_if_none_are_entered(text: str) -> None:
    assert parse_separated_pairs(text) == ()


def test_undrawn_rounds_are_described_in_a_sentence() -> None:
    options = {"swiss": SwissPlan(6).as_data()}
    assert describe_undrawn_rounds(options, 2).startswith("Rounds 3–6 haven’t been drawn yet.")
    assert describe_undrawn_rounds(options, 5).startswith("Round 6 hasn’t been drawn yet.")
    assert describe_undrawn_rounds(options, 6) == describe_undrawn_rounds({}, 3) == ""
    assert [count_planned_rounds(options, 2), count_planned_rounds({}, 3)] == [6, 3]


@pytest.mark.parametrize(
    ("plan", "round_", "last_protected_round"),
    [(SwissPlan(5), 1, 5), (SwissPlan(5), 5, 5), (SwissPlan(5, last_free=True), 4, 4)],
)
def test_draw_input_states_last_round_without_repeats(
    plan: SwissPlan, round_: int, last_protected_round: int
) -> None:
    entries = [{"id": number} for number in range(1, 7)]
    data = build_draw_input(
        plan, round_, contest=Contest.PAIRS, seed="a", entries=entries, earlier_rounds=[]
    )
    assert data["rounds"] == last_protected_round
    last_round_input = build_draw_input(
        SwissPlan(5, last_free=True),
        5,
        contest=Contest.PAIRS,
        seed="a",
        entries=entries,
        earlier_rounds=[],
    )
    assert "rounds" not in last_round_input


def test_first_round_can_be_paired_by_seeds_and_seated_at_tables() -> None:
    data = {
        "kind": "pairs",
        "entries": [{"id": 1}, {"id": 2, "seat": "stays"}, *({"id": n} for n in range(3, 8))],
    }
    record = pair_by_seeds(data, range(1, 8))
    assert {frozenset(row[1:]) for row in record["pairings"]} == {
        frozenset((1, 4)),
        frozenset((2, 5)),
        frozenset((3, 6)),
    }
    assert record["sit_out"] == [7]
    assert [2, 2, 5] in record["pairings"]  # stationary entries sit North-South
    pairs = build_meetings(
        record, {n: (n,) for n in range(1, 8)}, plan=SwissPlan(3), round_number=1
    )
    assert [(pair.table, pair.board_group) for pair in pairs] == [(1, 1), (2, 1), (3, 1)]
    teams = build_meetings(
        record, {n: (n, n + 10) for n in range(1, 8)}, plan=SwissPlan(3), round_number=2
    )
    assert len(teams) == 6
    assert {team.board_group for team in teams} == {2}
    whole = {"kind": "pairs", "seed": "a", "entries": [{"id": n} for n in range(1, 9)]}
    assert draw_round_from_data(whole) == draw_round_from_data(whole)
    assert (
        count_different_matches(draw_round_from_data(whole), draw_round_from_data(whole)) == 0
    )
