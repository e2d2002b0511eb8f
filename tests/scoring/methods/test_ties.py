import pytest

from boards.whist.errors import WhistError
from scoring.methods import build_average_line, build_plain_line, rank_entries
from scoring.methods.tie_breaks import TIE_BREAKS_BY_NAME, build_tie_break_functions
from tests.scoring.methods.plays import F

# Deal 1: pair 1 beats 2, 2 beats 3; deal 2: 3 beats 1, and 2 sat out.
EVENT_LINES = [
    build_plain_line(1, (1,), (11,), 9),
    build_plain_line(1, (2,), (12,), 8),
    build_plain_line(1, (3,), (13,), 4),
    build_plain_line(2, (1,), (12,), 5),
    build_plain_line(2, (3,), (11,), 8),
    build_average_line(2, (2,), (13,)),
]
TEAM_LINES = [
    build_plain_line(1, (1,), (2,), 9),
    build_plain_line(1, (2,), (1,), 7),
    build_plain_line(2, (1,), (3,), 5),
    build_plain_line(2, (3,), (1,), 8),
]


def compute_tie_break(tie_break_name, tied_entries, lines=EVENT_LINES):
    return dict(
        build_tie_break_functions([tie_break_name], lines)[tie_break_name](tied_entries)
    )


def test_won_matches_are_counted_over_the_whole_event():
    # 1 is 5 ahead of 3 on deal 1 and 3 behind on deal 2.
    assert compute_tie_break("matches", [1, 2, 3]) == {1: 2, 2: 1, 3: 0}


def test_net_tricks_are_summed_over_all_matches():
    assert compute_tie_break("net_tricks", [1, 2, 3]) == {1: 3, 2: 3, 3: -6}
    assert compute_tie_break("net_tricks", [2]) == {2: 3}


def test_between_them_tie_break_considers_only_tied_entries():
    assert compute_tie_break("between_them", [2, 3]) == {2: 4, 3: -4}


def test_top_score_made_by_several_is_shared():
    lines = [
        *EVENT_LINES,
        build_plain_line(3, (1,), (12,), 8),
        build_plain_line(3, (2,), (11,), 8),
    ]

    assert compute_tie_break("tops", [1, 2, 3], lines) == {1: F(3, 2), 2: F(1, 2), 3: 1}


def test_teams_that_met_twice_are_separated_by_their_matches():
    assert compute_tie_break("matches", [1, 2, 3], TEAM_LINES) == {1: 1, 2: 0, 3: 1}
    assert compute_tie_break("net_tricks", [1, 2, 3], TEAM_LINES) == {1: -1, 2: -2, 3: 3}


def test_tie_breaks_are_applied_in_the_given_order():
    level = dict.fromkeys((1, 2, 3), F())

    placings = rank_entries(
        level,
        tie_breaks_by_name=build_tie_break_functions(
            ["net_tricks", "between_them"], EVENT_LINES
        ),
    )

    assert [(placing.entry_number, placing.deciding_tie_break) for placing in placings] == [
        (1, "between_them"),
        (2, "between_them"),
        (3, "net_tricks"),
    ]


def test_unknown_tie_break_is_refused_with_a_list():
    with pytest.raises(
        WhistError, match=r"Tie-break coin not found. Choose from matches, net_tricks"
    ):
        build_tie_break_functions(["coin"], EVENT_LINES)


def test_every_tie_break_is_registered_under_its_own_name():
    assert all(
        name == tie_break.name and tie_break.title
        for name, tie_break in TIE_BREAKS_BY_NAME.items()
    )
