"""Score sheets are validated, players' scores computed, and totals checked."""

import random
from fractions import Fraction

import pytest

from drives.errors import UnreadableDrive
from drives.scores.attendance import AttendedRounds
from drives.scores.drive_scores import Competitor, DriveScores
from drives.scores.presets import PRESETS
from drives.scores.ranking import rank_players
from drives.scores.rules import RestRule, ScoreKind, Scoring, normalise_scoring
from drives.scores.sheets import PlayedRound, ScoreCardTotal, TableScore, compute_tallies
from drives.scores.totals_check import (
    SuspectCards,
    TotalsSum,
    find_suspect_cards,
    find_typing_differences,
    list_digit_exchanges,
    sum_totals,
)

TRICKS_SCORING = normalise_scoring(Scoring(kind=ScoreKind.TRICKS))


def build_played_rounds(*rounds: tuple) -> list[PlayedRound]:
    """Build rounds from tuples (players who sit out, (seats, score), …)."""
    return [
        PlayedRound(
            number,
            tuple(
                TableScore(t, s, tuple(score)) for t, (s, score) in enumerate(tables, start=1)
            ),
            rest,
        )
        for number, (rest, *tables) in enumerate(rounds, start=1)
    ]


PLAYED_ROUNDS = build_played_rounds(
    ((9,), ((1, 2, 3, 4), (8, 5)), ((5, 6, 7, 8), (7, 6))),
    ((1,), ((9, 2, 5, 4), (3, 10)), ((3, 6, 8, 7), (13, 0))),
)


@pytest.mark.parametrize(
    ("scoring", "score", "text"),
    [
        (TRICKS_SCORING, (7, 7), "7 and 7 add up to 14, not 13"),
        (TRICKS_SCORING, (14, -1), "14 is not between 0 and 13"),
        (TRICKS_SCORING, (6, 6), "add up to 12"),
        (TRICKS_SCORING, (13,), "Enter 2 scores, not 1"),
        (
            normalise_scoring(Scoring(kind=ScoreKind.TRICKS, hands_per_round=4)),
            (26, 27),
            "not 52",
        ),
        (normalise_scoring(Scoring(kind=ScoreKind.BY_CARDS)), (3, 2), "one side"),
        (normalise_scoring(Scoring(kind=ScoreKind.BY_CARDS)), (0, 0), "one side"),
        (PRESETS["wiezen"].scoring, (5, 5, -5, -4), "add up to 1, not 0"),
        (PRESETS["klaverjas"].scoring, (1000, 943), "add up to 1943, not 1944"),
        (PRESETS["five-hundred"].scoring, (505, 0), "multiple of 10"),
        (PRESETS["euchre"].scoring, (10**9, 0), "not between"),
    ],
)
def test_impossible_sheet_is_refused_with_the_reason(
    scoring: Scoring, score: tuple, text: str
) -> None:
    assert text in scoring.find_score_error(score)


def test_valid_sheet_is_accepted() -> None:
    assert TRICKS_SCORING.find_score_error((13, 0)) == ""
    assert normalise_scoring(Scoring(kind=ScoreKind.BY_CARDS)).find_score_error((0, 7)) == ""
    assert PRESETS["klaverjas"].scoring.find_score_error((1000, 944), (20, 0)) == ""
    assert "multiples of 10" in PRESETS["klaverjas"].scoring.find_score_error(
        (1000, 944), (25, 0)
    )
    assert "no extras" in TRICKS_SCORING.find_score_error((7, 6), (10, 0))
    with pytest.raises(UnreadableDrive):
        normalise_scoring(Scoring(kind=ScoreKind.TRICKS, total=12))
    with pytest.raises(UnreadableDrive):
        normalise_scoring(Scoring(kind=ScoreKind.SIDE, min_score=3, max_score=2))


def test_both_partners_get_their_sides_score_and_a_sit_out_scores_its_term() -> None:
    """Worked by hand: 9 sits out in round 1, whose average is 13/2, and makes 3 in round 2."""

    def list_totals(rest: RestRule | Fraction) -> list[Fraction]:
        scoring = normalise_scoring(Scoring(kind=ScoreKind.TRICKS, rest=rest))
        tallies = compute_tallies(PLAYED_ROUNDS, (), scoring, range(1, 10))
        return [tallies[player].total for player in (1, 4, 9)]

    assert list_totals(RestRule.ROUND_AVERAGE) == [8 + Fraction(13, 2), 15, 3 + Fraction(13, 2)]
    assert list_totals(RestRule.OWN_AVERAGE) == [16, 15, 6]
    assert list_totals(RestRule.NOTHING) == [8, 15, 3]
    assert list_totals(Fraction(1600)) == [1608, 15, 1603]


def test_tied_players_share_the_better_rank_unless_tie_breaks_apply() -> None:
    tallies = compute_tallies(PLAYED_ROUNDS, (), TRICKS_SCORING, range(1, 10))
    ranking = [
        (player.number, player.points, player.rank, player.is_tied)
        for player in rank_players(tallies)
    ]
    # Worked by hand, rounds 1 and 2: player 3 made 8 + 13, 6: 6 + 0, 7: 7 + 0, 8: 6 + 13 …
    expected = {3: 21, 8: 19, 2: 15, 4: 15, 1: Fraction(29, 2), 5: 10, 9: Fraction(19, 2)}
    assert {number: points for number, points, *_ in ranking[:7]} == expected
    assert [(number, place, tied) for number, _points, place, tied in ranking[:5]] == [
        *[(3, 1, False), (8, 2, False), (2, 3, True), (4, 3, True), (1, 5, False)]
    ]
    third_round = PlayedRound(3, (TableScore(1, (2, 1, 3, 4), (13, 0)),), (5, 6, 7, 8, 9))
    fourth_round = PlayedRound(4, (TableScore(1, (4, 1, 3, 2), (13, 0)),), (5, 6, 7, 8, 9))
    tallies = compute_tallies(
        [*PLAYED_ROUNDS, third_round, fourth_round], (), TRICKS_SCORING, [2, 4]
    )
    ranking = rank_players(tallies, ["rounds-won", "best-round"])
    assert [player.is_tied for player in ranking] == [
        True,
        True,
    ]
    players = rank_players(tallies, ["last-half"], [1, 2, 3, 4, 5, 6])
    assert [(item.number, item.rank, item.is_tied) for item in players] == [
        *[(4, 1, False), (2, 2, False)]
    ]
    with pytest.raises(UnreadableDrive, match="Tie-break “beauty” not found"):
        rank_players(tallies, ["beauty"])


def test_player_without_a_sheet_has_a_best_round_of_zero() -> None:
    sheet = TableScore(1, (1, 2, 3, 4), (8, 5))
    tallies = compute_tallies(
        [PlayedRound(1, (sheet,))],
        [ScoreCardTotal(5, 1, 8), ScoreCardTotal(6, 1, 8)],
        TRICKS_SCORING,
        [1, 5, 6],
    )
    ranking = rank_players(tallies, ["best-round"])
    assert [(player.number, player.rank) for player in ranking] == [(1, 1), (5, 2), (6, 2)]


def test_totals_add_up_to_26_for_each_table_and_hand() -> None:
    check = sum_totals(
        PLAYED_ROUNDS, (), TRICKS_SCORING, table_count=2, planned_round_count=None
    )
    assert (check.expected_sum, check.actual_sum, check.difference) == (104, 104, 0)
    cards = [ScoreCardTotal(n, 1, total) for n, total in ((1, 8), (2, 5), (3, 8), (4, 6))]
    cards_only_sum = sum_totals((), cards, TRICKS_SCORING, table_count=1, planned_round_count=1)
    assert (
        cards_only_sum.expected_sum,
        cards_only_sum.actual_sum,
        cards_only_sum.difference,
    ) == (26, 27, 1)
    assert (
        sum_totals(
            (), cards, TRICKS_SCORING, table_count=1, planned_round_count=None
        ).difference
        is None
    )
    free_scoring = normalise_scoring(Scoring(kind=ScoreKind.SIDE))
    assert (
        sum_totals(
            PLAYED_ROUNDS, (), free_scoring, table_count=2, planned_round_count=None
        ).expected_sum
        is None
    )


KLAVERJAS_SCORING = PRESETS["klaverjas"].scoring
PLAYER_SCORING = Scoring(kind=ScoreKind.PLAYER, total=0, extras_step=5)


@pytest.mark.parametrize(
    ("scoring", "score", "extras", "expected_sum"),
    [
        (KLAVERJAS_SCORING, (1000, 944), (), 2 * 1944),
        (KLAVERJAS_SCORING, (1000, 944), (0, 0), 2 * 1944),
        (
            KLAVERJAS_SCORING,
            (1000, 944),
            (20, 30),
            2 * (1944 + 50),
        ),  # both partners get the extras
        (PLAYER_SCORING, (5, 5, -5, -5), (10, 0, 0, 5), 15),
    ],
)
def test_expected_sum_includes_the_extras_of_every_player(
    scoring: Scoring, score: tuple, extras: tuple, expected_sum: int
) -> None:
    played_round = PlayedRound(1, (TableScore(1, (1, 2, 3, 4), score, extras),))
    check = sum_totals([played_round], (), scoring, table_count=1, planned_round_count=1)
    assert check == TotalsSum(Fraction(expected_sum), Fraction(expected_sum))
    assert isinstance(check.expected_sum, Fraction)


def test_sheet_without_a_score_is_expected_only_if_cards_replace_it() -> None:
    rounds = build_played_rounds(((), ((1, 2, 3, 4), (8, 5)), ((5, 6, 7, 8), ())))
    cards = [ScoreCardTotal(n, 1, total) for n, total in ((5, 7), (6, 6), (7, 7), (8, 6))]

    def compute_expected_sum(
        entered_cards: list[ScoreCardTotal], planned_round_count: int | None
    ):
        return sum_totals(
            rounds,
            entered_cards,
            TRICKS_SCORING,
            table_count=2,
            planned_round_count=planned_round_count,
        ).expected_sum

    for planned_rounds in (None, 0, 1, 3):
        assert compute_expected_sum([], planned_rounds) == 26
        assert compute_expected_sum(cards, planned_rounds) == 52


def test_cards_are_expected_for_all_tables_of_the_rounds_that_are_left() -> None:
    cards = [ScoreCardTotal(1, 1, 13)]
    expected_sums = [
        sum_totals(
            PLAYED_ROUNDS,
            cards,
            TRICKS_SCORING,
            table_count=2,
            planned_round_count=planned_rounds,
        ).expected_sum
        for planned_rounds in (None, 0, 1, 2)
    ]
    assert expected_sums == [None, None, 104 + 52, 104 + 104]


@pytest.mark.parametrize(
    ("planned_rounds", "entered_round_count", "halves", "expected_sum"),
    [
        (1, 0, False, 52),
        (4, 0, False, 4 * 52),
        (4, 2, False, 4 * 52),
        (4, 0, True, 2 * 52),  # only the first half has been handed in
        (4, 1, True, 2 * 52),
        (None, 0, False, None),
    ],
)
def test_drive_expects_26_tricks_for_each_table_and_round_handed_in(
    planned_rounds: int | None, entered_round_count: int, halves: bool, expected_sum: int | None
) -> None:
    scores = DriveScores(
        competitor_by_number={number: Competitor(AttendedRounds()) for number in range(1, 9)},
        rounds=PLAYED_ROUNDS[:entered_round_count],
        cards=[ScoreCardTotal(number, 1, 13) for number in range(1, 9)],
        scoring=TRICKS_SCORING,
        tie_breaks=(),
        planned_round_count=planned_rounds,
        has_halves=halves,
        should_halve_ties=False,
    )
    assert scores.check_totals(2) == TotalsSum(expected_sum, 8 * 13 + entered_round_count * 52)


def test_cards_with_a_wrong_sum_are_listed_from_the_least_usual_total() -> None:
    """The mean total is 155; the totals of players 1 and 2 differ from it equally."""
    totals = {1: 150, 2: 160, 3: 155, 4: 195, 5: 115, 6: 155}
    parts = {6: (155, 1), 2: (80, 81), 1: (149,), 3: (), 4: (100, 94), 5: (57, 58)}
    assert find_suspect_cards(totals, parts, 1).wrong_sums == (4, 1, 2, 6)
    assert find_suspect_cards({}, {}, 1) == SuspectCards((), ())


def test_wrong_card_is_among_suspects_in_random_drives() -> None:
    """A swap of digits is always in the list; a wrong addition is named only as such."""
    rng = random.Random(26)
    checked_count, exchanged_count = 0, 0
    for _room in range(300):
        totals = {n: max(10, min(312, round(rng.gauss(156, 12)))) for n in range(1, 53)}
        player = rng.choice([*totals])
        correct_total = totals[player]
        digit_exchange = rng.choice(
            sorted(list_digit_exchanges(correct_total)) or [correct_total + 9]
        )
        totals[player] = digit_exchange
        if digit_exchange == correct_total:
            continue
        suspects = find_suspect_cards(totals, {}, digit_exchange - correct_total)
        assert player in suspects.players_with_exchanged_digits
        exchanged_count += player in suspects.players_with_exchanged_digits[:3]
        checked_count += 1
    assert exchanged_count > 0.7 * checked_count
    parts = {1: [84, 61], 2: [58, 80], 3: [48, 70]}
    sums = {player: sum(item) for player, item in parts.items()}
    assert find_suspect_cards(sums, {}, 48 - 84, parts).players_with_exchanged_digits == (3,)
    halves = {1: (70, 80), 2: (60, 75)}
    assert find_suspect_cards({1: 151, 2: 135}, halves, 1).wrong_sums == (1,)
    assert list_digit_exchanges(-57) == {-75}
    assert list_digit_exchanges(7) == {70}
    assert list_digit_exchanges(55) == set()


def test_second_typing_shows_only_differences() -> None:
    assert find_typing_differences({1: 70, 2: 71, 3: 72}, {1: 70, 2: 17, 4: 72}) == (2, 3, 4)


@pytest.mark.parametrize(
    ("attended_rounds", "last_round", "is_whole"),
    [
        (AttendedRounds(), 4, True),
        (AttendedRounds(), None, True),
        (AttendedRounds(last_round_number=3), 4, False),
        (AttendedRounds(last_round_number=4), 4, True),
        (AttendedRounds(last_round_number=5), 4, True),
        (AttendedRounds(last_round_number=4), None, False),
        (AttendedRounds(first_round_number=2), 4, False),
        (AttendedRounds(first_round_number=2, last_round_number=4), 4, False),
    ],
)
def test_whole_evening_lasts_from_the_first_round_to_the_last(
    attended_rounds: AttendedRounds, last_round: int | None, is_whole: bool
) -> None:
    assert attended_rounds.covers_all_rounds(last_round) is is_whole
