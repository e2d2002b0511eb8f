"""The points of every hand follow general rules and agree with a second scorer."""

import random

import pytest

from drives.errors import UnreadableDrive
from drives.games import GAMES_BY_CODE
from drives.games.contracts import ContractRule, DeclaringSide, TrickGoal
from drives.games.house import build_points_table, build_points_table_data
from drives.games.reading import build_hand_data, parse_hand
from tests.drives.games import second_scorer
from tests.drives.games.random_hands import make_hand, make_house_rules

HANDS_A_HOUSE = 20


def score_random_hands(house_count: int) -> int:
    """Score random hands under random tables; return how many both scorers have scored."""
    rng, scored_count = random.Random(39), 0
    for number in range(house_count):
        code = [*GAMES_BY_CODE][number % len(GAMES_BY_CODE)]
        variants = [None, *(variant.code for variant in GAMES_BY_CODE[code].variants)]
        house = make_house_rules(rng, code) if number % 3 else {}
        variant = rng.choice(variants) if not house else None
        table = build_points_table(GAMES_BY_CODE[code], variant, house)
        data = build_points_table_data(table)
        for _hand in range(HANDS_A_HOUSE):
            hand = make_hand(rng, data)
            if rng.random() < 0.1:
                hand["fines"] = [{"by": rng.randint(1, 4), "each": rng.randint(1, 1000)}]
            points = parse_hand(hand, table).points
            assert sum(points) == 0
            assert all(type(point) is int for point in points)
            assert list(points) == second_scorer.score_hand(data, hand), (code, house, hand)
            scored_count += 1
    return scored_count


def test_independent_scorer_agrees_on_random_hands_and_tables() -> None:
    assert score_random_hands(250) == 250 * HANDS_A_HOUSE


@pytest.mark.slow
def test_independent_scorer_agrees_on_a_hundred_thousand_hands() -> None:
    assert score_random_hands(5000) == 100_000


def test_exchanged_players_exchange_their_points() -> None:
    rng = random.Random(4)
    for code, game in GAMES_BY_CODE.items():
        table = build_points_table(game, None, {"times": [2]})
        for _hand in range(200):
            hand = make_hand(rng, build_points_table_data(table))
            order = rng.sample(range(1, 5), 4)
            moved_hand = hand | {"by": [order[seat - 1] for seat in hand["by"]]}
            points_before, points_after = (
                parse_hand(hand, table).points,
                parse_hand(moved_hand, table).points,
            )
            assert [points_after[seat - 1] for seat in order] == list(points_before), (
                code,
                hand,
            )


def test_raising_points_of_a_made_contract_never_lowers_its_players_points() -> None:
    for game in GAMES_BY_CODE.values():
        for contract in game.points_table.contracts:
            if not contract.rule.made:
                continue
            raised_points = [item + 3 for item in contract.rule.made]
            house = {"contracts": {contract.code: {"played": True, "made": raised_points}}}
            basic_house = {"contracts": {contract.code: {"played": True}}}
            by = [1, 3][: contract.rule.player_counts[0]]
            for tricks in range(14):
                hand = {"contract": contract.code, "by": by, "tricks": tricks}
                point = parse_hand(hand, build_points_table(game, None, basic_house)).points[0]
                raised_point = parse_hand(hand, build_points_table(game, None, house)).points[0]
                assert raised_point >= point


def test_several_misere_players_get_the_sum_of_their_single_hands() -> None:
    table = GAMES_BY_CODE["wiezen"].points_table
    hand = parse_hand({"contract": "misere", "by": [1, 3, 4], "tricks": [0, 2, 1]}, table)
    points = [
        parse_hand({"contract": "misere", "by": [seat], "tricks": [tricks]}, table).points
        for seat, tricks in ((1, 0), (3, 2), (4, 1))
    ]
    assert list(hand.points) == [sum(column) for column in zip(*points, strict=True)]


def test_three_players_of_one_side_cannot_divide_seven_points() -> None:
    table = build_points_table(GAMES_BY_CODE["wiezen"], None, {"several": "camp"})
    hand = {"contract": "misere", "by": [1, 2, 3], "tricks": [0, 0, 0]}
    with pytest.raises(UnreadableDrive, match="7 doesn’t divide by three"):
        parse_hand(hand, table)


@pytest.mark.parametrize(
    ("hand", "place"),
    [
        ({"contract": "together-8", "by": [1, 2], "tricks": True}, "tricks"),
        ({"contract": "together-8", "by": [1, 2], "tricks": "9"}, "tricks"),
        ({"contract": "together-8", "by": [1, 2], "tricks": 10**40}, "tricks"),
        ({"contract": "together-8", "by": [0, 2], "tricks": 9}, "by"),
        ({"contract": "together-8", "by": [True, 2], "tricks": 9}, "by"),
        ({"contract": "together-8", "by": [1.0, 2], "tricks": 9}, "by"),
        ({"contract": "together-8", "by": [1, 2], "made": True}, "made"),
        ({"contract": "together-8", "tricks": 9}, "by"),
        ({"by": [1, 2], "tricks": 9}, "contract"),
        ({"contract": "slam", "by": [1], "made": "yes"}, "made"),
        ({"contract": "slam", "by": [1], "tricks": 13, "passed": 10}, "passed"),
        ({"contract": "slam", "by": [1], "tricks": 13, "extra": 1}, "extra"),
        ({"fines": [{"by": 1, "each": 0}]}, "fine 1: each"),
        ({"fines": [{"by": 1, "each": 1001}]}, "fine 1: each"),
        ({"fines": [{"each": 5}]}, "fine 1: by"),
        (
            {"fines": [{"by": 1, "each": 5}, {"by": 2, "each": 5, "why": "x" * 201}]},
            "fine 2: why",
        ),
        ({"fines": [{"by": 1, "each": 5, "why": "a\x00b"}]}, "fine 1: why"),
    ],
)
def test_error_of_an_invalid_value_names_its_position(hand: object, place: str) -> None:
    with pytest.raises(UnreadableDrive) as exc_info:
        parse_hand(hand, GAMES_BY_CODE["colour-whist"].points_table)
    assert exc_info.value.problems[0].startswith(f"{place}: ")


@pytest.mark.parametrize(
    ("house", "place"),
    [
        ({"contracts": {"misere": {"made": [1.5]}}}, "house: misere: made"),
        ({"contracts": {"misere": {"lost": [10_001]}}}, "house: misere: lost"),
        ({"contracts": {"nolo": {"made": [1]}}}, "house: nolo"),
        ({"contracts": {"own-1": {"title": "Nolo"}}}, "house: own-1: key"),
        ({"contracts": {"misere": {"side": "pair"}}}, "house: misere: side"),
        ({"contracts": []}, "house: contracts"),
        ({"times": [1]}, "house: time 1"),
        ({"revoke": {"tricks": 3, "times": 2}}, "house: revoke"),
        ({"passed": "twice"}, "house: passed"),
    ],
)
def test_error_of_an_invalid_change_names_its_position(house: object, place: str) -> None:
    with pytest.raises(UnreadableDrive) as exc_info:
        build_points_table(GAMES_BY_CODE["wiezen"], None, house)
    assert exc_info.value.problems[0].startswith(f"{place}: ")


def test_each_invalid_contract_of_a_table_is_reported() -> None:
    house = {"contracts": {"nolo": {"made": [1]}, "misere": {"made": [1.5]}}}
    with pytest.raises(UnreadableDrive) as exc_info:
        build_points_table(GAMES_BY_CODE["wiezen"], None, house)
    places = [problem.partition(": ")[2][:6] for problem in exc_info.value.problems]
    assert places == ["nolo: ", "misere"]


@pytest.mark.parametrize(
    ("family_field", "heading"), [({}, "Your own contracts"), ({"family": "Misère"}, "Misère")]
)
def test_own_contract_is_listed_under_the_heading_that_the_club_entered(
    family_field: dict[str, str], heading: str
) -> None:
    own_contract = {"title": "Nolo", "key": "nl", "side": "alone", "how": "most", "wants": 0}
    own_contract |= {"made": [5], "lost": [5]} | family_field
    table = build_points_table(
        GAMES_BY_CODE["wiezen"], None, {"contracts": {"own-1": own_contract}}
    )
    assert table.contracts_by_code["own-1"].label.family == heading


def test_contract_without_required_tricks_pays_for_each_trick() -> None:
    rule = ContractRule(
        DeclaringSide.ALONE, TrickGoal.AT_LEAST, wants=0, made=(1, 2), lost=(1,), made_step=10
    )
    assert [rule.compute_points(tricks) for tricks in (0, 1, 2, 3)] == [1, 2, 12, 22]


@pytest.mark.parametrize("terms", [{}, {"times": 2, "passed": 1}])
def test_stored_hand_has_only_the_values_that_were_entered(terms: dict[str, int]) -> None:
    table = build_points_table(GAMES_BY_CODE["wiezen"], None, {"times": [2]})
    hand = {"contract": "misere", "by": [1], "made": [True]} | terms
    assert build_hand_data(parse_hand(hand, table).hand) == hand
