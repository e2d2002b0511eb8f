from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.whist.seats import Side
from scoring.methods import build_average_line, build_plain_line
from scoring.methods.apply_rulings import apply_rulings
from scoring.methods.plus_minus import score_plus_minus
from scoring.methods.remedies import (
    AdjustedScore,
    AverageRuling,
    FouledHandsRuling,
    ImpossibleRuling,
    NewDealRuling,
    PlayOutcome,
    PlayResult,
    RevokeRuling,
)
from scoring.methods.result_line import ResultLine
from scoring.methods.revoke_penalty import RevokeLawReading
from scoring.methods.steps import EXACT_FORMATTERS, render_computation, render_step
from tests.scoring.methods.plays import F, collect_lines, with_few_examples


def build_play(play_number, tricks=None, *, deal=1, round_number=None, outcome=None):
    """Return one table's play of a deal; the tables play it in the order of their keys."""
    if outcome is None:
        outcome = PlayOutcome.PLAYED if tricks is not None else PlayOutcome.NOT_YET_PLAYED
    return PlayResult(
        play_number,
        deal,
        (play_number,),
        (10 + play_number,),
        tricks,
        outcome,
        round_number=round_number or play_number,
    )


# A deal of four tables: the others made 5, 6 and 7 tricks N-S, so 6 on the average, 5 at least.
OTHER_PLAYS = [build_play(2, 5), build_play(3, 6), build_play(4, 7)]


def rule_on_first_table(
    tricks, *remedies, other_plays=OTHER_PLAYS, is_pair_match=True, **options
):
    """Rule on table 1, where N-S made this many tricks, and return what it counts."""
    return apply_rulings(
        [build_play(1, tricks), *other_plays],
        {1: remedies},
        is_pair_match=is_pair_match,
        **options,
    )[0]


def get_both_tricks(counted_play):
    return counted_play.result_line.ns_tricks, counted_play.result_line.ew_tricks


def test_result_without_rulings_becomes_its_plain_line():
    plays = apply_rulings(OTHER_PLAYS, {}, is_pair_match=True)

    assert collect_lines(plays) == [
        build_plain_line(1, (item.play_number,), (10 + item.play_number,), item.ns_tricks)
        for item in OTHER_PLAYS
    ]
    assert not any(
        item.is_provisional or item.is_void or item.is_confirmation_needed or item.step
        for item in plays
    )


@pytest.mark.parametrize("outcome", [PlayOutcome.NOT_YET_PLAYED, PlayOutcome.NOT_PLAYED])
def test_unplayed_or_unreached_deal_has_no_line(outcome):
    (counted,) = apply_rulings([build_play(1, outcome=outcome)], {}, is_pair_match=True)

    assert counted.result_line is None
    assert collect_lines([counted]) == []


def test_spoiled_deal_gets_the_average():
    plays = apply_rulings(
        [build_play(1, outcome=PlayOutcome.SPOILED), *OTHER_PLAYS], {}, is_pair_match=True
    )

    assert plays[0].result_line == build_average_line(1, (1,), (11,))
    assert score_plus_minus(collect_lines(plays))[1] == 0


def test_average_ruling_replaces_the_result():
    counted_play = rule_on_first_table(13, AverageRuling())

    assert counted_play.result_line == build_average_line(1, (1,), (11,))
    assert not counted_play.is_provisional


def test_average_ruling_applies_without_a_played_result():
    assert rule_on_first_table(None, AverageRuling()).result_line == build_average_line(
        1, (1,), (11,)
    )


def test_average_is_provisional_until_every_other_table_has_played():
    assert rule_on_first_table(
        8, AverageRuling(), other_plays=[*OTHER_PLAYS, build_play(5)]
    ).is_provisional
    averaged_plays = apply_rulings(
        [build_play(1), build_play(2)],
        {1: [AverageRuling()], 2: [AverageRuling()]},
        is_pair_match=True,
    )
    assert not any(item.is_provisional for item in averaged_plays)


def test_adjusted_scores_of_both_sides_do_not_have_to_sum_to_thirteen():
    counted_play = rule_on_first_table(8, AdjustedScore(F(15, 2), F(6)))

    assert counted_play.result_line == ResultLine(
        1, (1,), (11,), F(15, 2), F(6), valid_tricks=None
    )
    assert (
        render_step(counted_play.step, EXACT_FORMATTERS)
        == "Adjusted score: 15/2 tricks for N-S, 6 for E-W."
    )


def test_last_adjusted_score_counts_and_an_average_takes_precedence():
    assert get_both_tricks(
        rule_on_first_table(8, AdjustedScore(F(1), F(1)), AdjustedScore(F(2), F(2)))
    ) == (2, 2)
    assert get_both_tricks(
        rule_on_first_table(8, AdjustedScore(F(1), F(1)), AverageRuling())
    ) == (
        None,
        None,
    )


def test_spoiled_deal_can_get_an_adjusted_score():
    play = build_play(1, outcome=PlayOutcome.SPOILED)

    (counted,) = apply_rulings([play], {1: [AdjustedScore(F(7), F(6))]}, is_pair_match=True)

    assert get_both_tricks(counted) == (7, 6)


def test_revoke_transfers_tricks_and_marks_both_sides():
    counted_play = rule_on_first_table(8, RevokeRuling(Side.NS, tricks_won_before_revoke=3))

    assert get_both_tricks(counted_play) == (6, 7)
    assert counted_play.revoke_marks == ("-R", "+R")
    assert (counted_play.is_provisional, counted_play.is_confirmation_needed) == (False, False)


def test_revoke_of_a_side_is_compared_with_that_sides_average():
    # E-W made 8; elsewhere 8, 7 and 6, so 7 on the average and 6 at least.
    counted_play = rule_on_first_table(5, RevokeRuling(Side.EW))

    assert get_both_tricks(counted_play) == (7, 6)
    assert counted_play.revoke_marks == ("+R", "-R")


def test_revoke_penalty_in_a_pair_match_stops_at_lowest_score_elsewhere():
    assert get_both_tricks(rule_on_first_table(6, RevokeRuling(Side.NS))) == (5, 8)
    assert get_both_tricks(
        rule_on_first_table(6, RevokeRuling(Side.NS, is_full_penalty=True))
    ) == (
        4,
        9,
    )
    assert get_both_tricks(
        rule_on_first_table(6, RevokeRuling(Side.NS), is_pair_match=False)
    ) == (4, 9)


def test_score_below_the_lowest_elsewhere_is_unchanged_and_marked():
    counted_play = rule_on_first_table(4, RevokeRuling(Side.NS))

    assert get_both_tricks(counted_play) == (4, 9)
    assert counted_play.revoke_marks == ("-R", "+R")


def test_several_revoke_rulings_of_a_side_are_combined():
    single_ruling_play = rule_on_first_table(
        12,
        RevokeRuling(Side.NS, revoke_count=2, tricks_won_before_revoke=2),
        is_pair_match=False,
    )
    two_ruling_play = rule_on_first_table(
        12,
        RevokeRuling(Side.NS, tricks_won_before_revoke=5),
        RevokeRuling(Side.NS, tricks_won_before_revoke=2),
        is_pair_match=False,
    )

    assert get_both_tricks(two_ruling_play) == get_both_tricks(single_ruling_play) == (6, 7)


def test_club_chooses_the_interpretation_of_kept_tricks():
    remedy = RevokeRuling(Side.NS, tricks_won_before_revoke=8)
    law_reading = RevokeLawReading.NEVER_ABOVE_AVERAGE

    assert get_both_tricks(rule_on_first_table(9, remedy)) == (8, 5)
    assert get_both_tricks(rule_on_first_table(9, remedy, revoke_law_reading=law_reading)) == (
        6,
        7,
    )


def test_averages_and_adjusted_scores_elsewhere_do_not_limit_a_penalty():
    plays = [build_play(1, 8), build_play(2, 0), build_play(3, 1), build_play(4, 7)]
    remedies_by_play = {
        1: [RevokeRuling(Side.NS)],
        2: [AverageRuling()],
        3: [AdjustedScore(F(0), F(0))],
    }

    assert get_both_tricks(apply_rulings(plays, remedies_by_play, is_pair_match=True)[0]) == (
        7,
        6,
    )


def test_revoke_at_another_table_is_compared_with_its_played_score():
    plays = [build_play(1, 8), build_play(2, 6)]
    remedies = {1: [RevokeRuling(Side.NS)], 2: [RevokeRuling(Side.NS)]}

    first_play, second = apply_rulings(plays, remedies, is_pair_match=False)

    assert get_both_tricks(first_play) == (6, 7)
    assert get_both_tricks(second) == (4, 9)


def test_revoke_is_provisional_while_other_scores_are_missing_or_unknown():
    assert rule_on_first_table(
        8, RevokeRuling(Side.NS), other_plays=[*OTHER_PLAYS, build_play(5)]
    ).is_provisional
    only_play = rule_on_first_table(8, RevokeRuling(Side.NS), other_plays=[])
    assert (get_both_tricks(only_play), only_play.is_provisional) == ((6, 7), True)


def test_revoke_without_a_result_has_no_result_line():
    assert rule_on_first_table(None, RevokeRuling(Side.NS)).result_line is None


def test_director_confirms_net_transfer_if_both_sides_revoke():
    counted_play = rule_on_first_table(
        8, RevokeRuling(Side.NS, revoke_count=2), RevokeRuling(Side.EW)
    )

    assert get_both_tricks(counted_play) == (7, 6)
    assert counted_play.revoke_marks == ("-R +R", "-R +R")
    assert counted_play.is_confirmation_needed
    assert render_step(counted_play.step, EXACT_FORMATTERS) == (
        "Both sides revoked. N-S lose 3, E-W lose 2, so N-S score 7 "
        "tricks instead of 8. The law doesn’t cover this, so the "
        "director confirms it."
    )


def test_steps_of_a_penalty_are_explained_in_words():
    assert render_computation(
        rule_on_first_table(9, RevokeRuling(Side.NS, tricks_won_before_revoke=8)).step,
        EXACT_FORMATTERS,
    ) == [
        "N-S made 9 tricks.",
        "N-S revoked once, which costs 2 tricks.",
        "Tricks won before the first revoke are kept. Given back: 1.",
        "So N-S score 8 tricks and E-W 5.",
    ]
    assert render_computation(
        rule_on_first_table(8, RevokeRuling(Side.EW, revoke_count=2)).step, EXACT_FORMATTERS
    )[:2] == [
        "E-W made 5 tricks.",
        (
            "E-W revoked 2 times, which costs 3 tricks (two for the "
            "first, one for each after that)."
        ),
    ]


def test_redeal_voids_earlier_plays_and_separates_later_ones():
    plays = [
        build_play(1, 8),
        build_play(2, 7),
        build_play(3, 6),
        build_play(4, 5),
        build_play(9, 6, deal=2),
    ]

    counted_plays = apply_rulings(plays, {2: [NewDealRuling()]}, is_pair_match=True)

    assert [item.is_void for item in counted_plays] == [True, True, False, False, False]
    assert [line.deal_number for line in collect_lines(counted_plays)] == [-2, -2, 2]


def test_second_redeal_voids_plays_after_the_first():
    plays = [build_play(1, 8), build_play(2, 7), build_play(3, 6), build_play(4, 5)]

    counted_plays = apply_rulings(
        plays, {1: [NewDealRuling()], 3: [NewDealRuling()]}, is_pair_match=True
    )

    assert [item.is_void for item in counted_plays] == [True, True, True, False]
    assert [line.deal_number for line in collect_lines(counted_plays)] == [-3]


def test_redeal_does_not_affect_other_copies_of_the_deal():
    plays = [build_play(1, 8), replace(build_play(2, 7), deal_copy_number=2), build_play(3, 6)]

    counted_plays = apply_rulings(plays, {3: [NewDealRuling()]}, is_pair_match=True)

    assert [item.is_void for item in counted_plays] == [True, False, True]


def test_fouled_deal_is_compared_in_two_groups_from_the_fouling_table():
    plays = [
        build_play(1, 8),
        build_play(2, 7),
        build_play(3, 6),
        replace(build_play(4, 5), deal_copy_number=2),
    ]

    counted_plays = apply_rulings(plays, {2: [FouledHandsRuling()]}, is_pair_match=True)

    assert not any(item.is_void for item in counted_plays)
    assert [line.deal_number for line in collect_lines(counted_plays)] == [1, -2, -2, 1]


@pytest.mark.parametrize(
    ("ruled_play_numbers", "deals"),
    [((2,), [1, -2, 1, -2]), ((3,), [1, 1, -3, -3]), ((2, 3), [1, -3, -3, -3])],
)
def test_fouled_ruling_affects_only_the_ruled_table_of_a_shared_round(
    ruled_play_numbers, deals
):
    plays = [
        build_play(1, 8),
        build_play(2, 7, round_number=2),
        build_play(3, 6, round_number=2),
        build_play(4, 5),
    ]

    counted_plays = apply_rulings(
        plays, {key: [FouledHandsRuling()] for key in ruled_play_numbers}, is_pair_match=True
    )

    assert [line.deal_number for line in collect_lines(counted_plays)] == deals


def test_lines_keep_overplay_flag_and_match_after_rulings():
    plays = [
        replace(build_play(key, 8), is_overplay=True, match_number=5) for key in (1, 2, 3, 4)
    ]
    remedies = {
        2: [AverageRuling()],
        3: [AdjustedScore(F(1), F(1))],
        4: [RevokeRuling(Side.NS)],
    }

    lines = collect_lines(apply_rulings(plays, remedies, is_pair_match=True))

    assert {(line.is_overplay, line.match_number) for line in lines} == {(True, 5)}


@pytest.mark.parametrize(
    "build_impossible",
    [
        lambda: build_play(1, 14),
        lambda: build_play(1, 8, outcome=PlayOutcome.NOT_PLAYED),
        lambda: build_play(1, outcome=PlayOutcome.PLAYED),
        lambda: RevokeRuling(Side.NS, revoke_count=0),
        lambda: RevokeRuling(Side.NS, tricks_won_before_revoke=14),
        lambda: AdjustedScore(F(14), F(0)),
        lambda: AdjustedScore(F(0), F(-1)),
    ],
)
def test_impossible_trick_counts_are_refused(build_impossible):
    with pytest.raises(ImpossibleRuling):
        build_impossible()


remedies = st.one_of(
    st.just(AverageRuling()),
    st.just(NewDealRuling()),
    st.builds(
        RevokeRuling,
        st.sampled_from(Side),
        st.integers(1, 3),
        st.integers(0, 13),
        st.booleans(),
    ),
)


@with_few_examples
@given(
    st.lists(st.none() | st.integers(0, 13), min_size=1, max_size=6),
    st.dictionaries(st.integers(1, 6), st.lists(remedies, max_size=2), max_size=4),
    st.booleans(),
)
def test_two_sides_sum_to_thirteen_unless_adjusted(scores, ruled_on, pair_match):
    plays = [build_play(key, score) for key, score in enumerate(scores, 1)]

    for line in collect_lines(apply_rulings(plays, ruled_on, is_pair_match=pair_match)):
        if line.ns_tricks is not None:
            assert line.ns_tricks + line.ew_tricks == 13


@with_few_examples
@given(
    st.lists(st.integers(0, 13), min_size=1, max_size=6),
    st.dictionaries(st.integers(1, 6), st.lists(remedies, max_size=2), max_size=4),
)
def test_withdrawn_ruling_has_no_effect(scores, ruled_on):
    plays = [build_play(key, score) for key, score in enumerate(scores, 1)]
    plays_before = apply_rulings(plays, {}, is_pair_match=True)

    apply_rulings(plays, ruled_on, is_pair_match=True)

    assert apply_rulings(plays, {}, is_pair_match=True) == plays_before
