"""A ruled average is that of the tables that correctly played the deal; both sides share it.

Source: rules F6; laws' unclear places 1.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.whist.seats import Side
from scoring.methods import METHODS_BY_NAME, Method
from scoring.methods.apply_rulings import apply_rulings
from scoring.methods.deal_comparison import compare_deals
from scoring.methods.remedies import (
    AdjustedScore,
    AverageRuling,
    PlayOutcome,
    PlayResult,
    Remedy,
    RevokeRuling,
)
from tests.scoring.methods.plays import F, collect_lines, with_few_examples

TRICKS_STRATEGY = st.integers(0, 13)
SPLIT_SCORES = st.builds(
    AdjustedScore, st.fractions(0, 13, max_denominator=4), TRICKS_STRATEGY.map(Fraction)
)
REVOKE_STRATEGY = st.builds(
    RevokeRuling, st.sampled_from(Side), st.integers(1, 3), TRICKS_STRATEGY, st.booleans()
)
RULINGS_STRATEGY = st.lists(
    st.one_of(st.builds(AverageRuling), SPLIT_SCORES, REVOKE_STRATEGY), max_size=2
)
TABLES = st.lists(
    st.tuples(st.one_of(st.none(), TRICKS_STRATEGY), RULINGS_STRATEGY), min_size=2, max_size=6
)
LINE_METHODS = [
    item for item in METHODS_BY_NAME.values() if item.compute_line_scores is not None
]


def build_play(play_number: int, tricks: int | None) -> PlayResult:
    outcome = PlayOutcome.NOT_PLAYED if tricks is None else PlayOutcome.PLAYED
    return PlayResult(
        play_number,
        1,
        (play_number,),
        (10 + play_number,),
        tricks,
        outcome,
        round_number=play_number,
    )


def has_plain_score(tricks: int | None, rulings: list[Remedy]) -> bool:
    """Return whether a table has a score that no ruling replaces."""
    is_replaced = any(isinstance(ruling, AverageRuling | AdjustedScore) for ruling in rulings)
    return tricks is not None and not is_replaced


def test_split_scores_and_penalties_do_not_change_the_average() -> None:
    tables = [
        build_play(1, 9),
        build_play(2, 5),
        build_play(3, 6),
        build_play(4, 6),
        build_play(5, 6),
    ]
    rulings = {
        1: [AverageRuling()],
        2: [AdjustedScore(F(13), F(13))],
        3: [RevokeRuling(Side.NS, 2, 0, is_full_penalty=True)],
    }
    lines = collect_lines(apply_rulings(tables, rulings, is_pair_match=True))
    assert lines[2].ns_tricks == 3
    assert METHODS_BY_NAME["tricks"].score(lines)[1] == 6
    assert METHODS_BY_NAME["tricks"].score(lines)[11] == 7


@pytest.mark.slow
@pytest.mark.parametrize("method", LINE_METHODS, ids=lambda item: item.name)
@with_few_examples
@given(tables=TABLES, pair_match=st.booleans())
def test_averages_of_both_sides_sum_to_thirteen_for_every_ruling_and_method(
    method: Method, tables: list[tuple[int | None, list[Remedy]]], pair_match: bool
) -> None:
    play_results = [build_play(key, tricks) for key, (tricks, _) in enumerate(tables, start=1)]
    rulings = dict(enumerate((item for _, item in tables), start=1))
    plays = apply_rulings(play_results, rulings, is_pair_match=pair_match)
    lines = collect_lines(plays)
    scores = [
        tricks
        for tricks, item in tables
        if tricks is not None and has_plain_score(tricks, item)
    ]
    average_lines = [line for line in lines if line.ns_tricks is None]
    if average_lines and scores:
        ns, ew = compare_deals(lines)[1]
        assert ns.ruled_average == F(sum(scores), len(scores))
        assert ew.ruled_average == 13 - ns.ruled_average
    assert method.compute_line_scores is not None
    for line, (ns_score, ew_score) in zip(
        lines, method.compute_line_scores(lines), strict=True
    ):
        if line.ns_tricks is None and method.name == "tricks":
            assert ns_score + ew_score == (13 if scores else 0)
    explain = method.build_explainer(lines)
    for entry, score in method.score(lines).items():
        assert explain(entry).amount == score
