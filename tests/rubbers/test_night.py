"""A night at one table: its members, the standings, and who goes out next and why."""

import random

import pytest

from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.rubber.errors import UnreadableRubber
from rubbers.rubber.hands import Hand, Revoke, Side, SideCounts
from rubbers.rubber.night import (
    LeavingMember,
    MemberTurnover,
    Night,
    Spell,
    TableMembership,
    compute_member_turnover,
    format_leaving_reason,
    list_members,
    rank_members,
)
from rubbers.rubber.terms import change_terms

POLE_TERMS, LEAGUE_TERMS, LONG_TERMS = (
    LAW_CODES_BY_NAME[name].terms for name in ("pole", "american-league", "long")
)
A, B = Side


def build_hand(tricks):
    return Hand(tricks=SideCounts(tricks, 13 - tricks))


def build_spell(players, *tricks):
    """Return the first two against the last two, with side A's tricks in each hand."""
    sides = {A: tuple(players[:2]), B: tuple(players[2:])}
    return Spell(sides=sides, hands=tuple(build_hand(trick_count) for trick_count in tricks))


def build_night(names, *spells, terms=POLE_TERMS, **more):
    return Night(
        terms=terms,
        members=tuple(TableMembership(name) for name in names),
        spells=spells,
        **more,
    )


def list_points(evening):
    return {row.player_key: row.points for row in rank_members(evening)}


def test_four_players_win_and_lose_a_rubber_and_points_sum_to_zero():
    # Two trebles, a bumper; then B wins a treble, A a treble and a single: 4 − 3 + 2 = 3.
    evening = build_night(
        "abcde",
        build_spell("abcd", 13, 13),
        build_spell("aebc", 0, 13, 4, 12),
        terms=POLE_TERMS,
    )
    texts_by_key = {row.player_key: row for row in rank_members(evening)}
    assert [texts_by_key[name].points for name in "abcde"] == [11, 5, -11, -8, 3]
    assert [texts_by_key[name].rank for name in "abcde"] == [1, 2, 5, 4, 3]
    assert (texts_by_key["b"].rubbers_won, texts_by_key["b"].rubbers) == (1, 2)
    assert (texts_by_key["b"].games_won, texts_by_key["b"].games) == (3, 5)
    assert texts_by_key["d"][4:] == (0, 1, 0, 2)


def test_equal_players_share_a_place_after_comparing_rubbers_won():
    evening = build_night("abcd", build_spell("abcd", 13, 13))
    assert [(row.rank, row.is_tied) for row in rank_members(evening)] == [
        (1, True),
        (1, True),
        (3, True),
        (3, True),
    ]
    assert [row.points for row in rank_members(build_night("abcdef"))] == [0] * 6


def test_unfinished_rubber_counts_at_closing_time_or_when_a_player_leaves():
    open_night, closed_night = (
        build_night("abcd", build_spell("abcd", 13), is_closed=is_closed)
        for is_closed in (False, True)
    )
    assert set(list_points(open_night).values()) == {0}
    assert list_points(closed_night) == {"a": 3, "b": 3, "c": -3, "d": -3}
    night = build_night("abcde", build_spell("abcd", 13), build_spell("abce", 13, 13))
    assert list_points(night) == {"a": 11, "b": 11, "c": -11, "d": -3, "e": -8}
    void_terms = change_terms(POLE_TERMS, {"unfinished": "void"})
    assert set(
        list_points(
            build_night("abcd", build_spell("abcd", 13), terms=void_terms, is_closed=True)
        ).values()
    ) == {0}


def test_league_games_and_long_whist_rubbers_count_separately():
    assert (
        list_points(build_night("abcd", build_spell("abcd", 5, 13), terms=LEAGUE_TERMS))["a"]
        == 5
    )
    assert (
        list_points(build_night("abcd", build_spell("abcd", 13, 13, 13, 13), terms=LONG_TERMS))[
            "a"
        ]
        == 1
    )


def test_fifth_player_comes_in_and_highest_cut_of_four_goes_out():
    evening = build_night("abcde", build_spell("abcd", 13, 13))
    first_turnover = compute_member_turnover(evening)
    assert (
        first_turnover.leaving_members,
        first_turnover.arriving_members,
        first_turnover.players_to_cut,
    ) == (
        (),
        (),
        tuple("abcd"),
    )
    turnover = compute_member_turnover(evening, [{"a": 5, "b": 9, "c": 12, "d": 1}])
    assert turnover == MemberTurnover(
        leaving_members=(LeavingMember("c", 1, True),),
        arriving_members=("e",),
        players_to_cut=(),
        missing_player_count=0,
    )
    assert format_leaving_reason(turnover.leaving_members[0]) == (
        "c goes out (played 1 in a row, cut the highest card)."
    )


def test_longest_playing_member_leaves_first_during_a_rubber():
    evening = build_night(
        "abcdef",
        build_spell("abcd", 13, 13),
        build_spell("abef", 13, 13),
        build_spell("cdef", 13),
    )
    assert compute_member_turnover(evening).leaving_members == (
        LeavingMember("e", 2, False),
        LeavingMember("f", 2, False),
    )
    assert compute_member_turnover(evening).arriving_members == ("a", "b")
    assert format_leaving_reason(compute_member_turnover(evening).leaving_members[0]) == (
        "e goes out (played 2 in a row, the most)."
    )
    longer_night = build_night("abcdef", *evening.spells[:2], build_spell("acef"))
    assert compute_member_turnover(longer_night).players_to_cut == ("e", "f")
    leaving_members = compute_member_turnover(longer_night, [{"e": 3, "f": 11}]).leaving_members
    assert leaving_members == (LeavingMember("a", 3, False), LeavingMember("f", 2, True))


def test_spell_without_hands_does_not_interrupt_consecutive_play():
    evening = build_night(
        "abcde", build_spell("abcd", 13, 13), build_spell("abce"), build_spell("abcd", 13, 13)
    )
    assert compute_member_turnover(evening).players_to_cut == tuple("abcd")
    assert compute_member_turnover(
        evening, [dict(zip("abcd", (1, 2, 3, 4), strict=True))]
    ).leaving_members == (LeavingMember("d", 2, True),)


def test_rubber_in_play_counts_when_it_is_broken_off():
    night_with_unfinished_rubber = build_night(
        "abcdef", build_spell("abef", 13), build_spell("abcd", 13, 13)
    )
    assert compute_member_turnover(night_with_unfinished_rubber).leaving_members == (
        LeavingMember("a", 2, False),
        LeavingMember("b", 2, False),
    )


def test_rubber_in_play_counts_in_addition_to_finished_ones():
    evening = build_night("abcde", build_spell("abcd", 13, 13, 7))
    leaving_cuts = [{"a": 1, "b": 2, "c": 3, "d": 4}]
    assert compute_member_turnover(evening, leaving_cuts).leaving_members == (
        LeavingMember("d", 2, True),
    )
    finished_night = build_night("abcde", build_spell("abcd", 13, 13))
    assert compute_member_turnover(finished_night, leaving_cuts).leaving_members == (
        LeavingMember("d", 1, True),
    )
    unstarted_night = build_night("abcde", build_spell("abcd"))
    assert compute_member_turnover(unstarted_night, leaving_cuts).leaving_members == (
        LeavingMember("d", 1, True),
    )


def test_league_game_lasts_until_a_player_goes_out():
    evening = build_night(
        "abcde", build_spell("abcd", 13), build_spell("eabc", 13, 13, 13), terms=LEAGUE_TERMS
    )
    assert compute_member_turnover(evening).players_to_cut == ("a", "b", "c")
    leaving = compute_member_turnover(evening, [{"a": 2, "b": 13, "c": 4}]).leaving_members
    assert leaving == (LeavingMember("b", 4, True),)
    games = change_terms(POLE_TERMS, {"goes_out": "game"})
    evening = build_night(
        "abcde", build_spell("abcd", 13), build_spell("eabc", 13), terms=games
    )
    assert compute_member_turnover(evening).players_to_cut == ("a", "b", "c")
    assert list_points(evening)["e"] == 0  # her rubber continues


def test_leaving_player_frees_a_seat_and_table_may_be_incomplete():
    spells = (build_spell("abcd", 13, 13),)
    memberships_after_leaving = (
        TableMembership("a", last_spell_number=1),
        *(TableMembership(name) for name in "bcd"),
    )
    assert (
        compute_member_turnover(
            Night(terms=POLE_TERMS, members=memberships_after_leaving, spells=spells)
        ).missing_player_count
        == 1
    )
    memberships_with_arrival = (
        *memberships_after_leaving,
        TableMembership("e", first_spell_number=2),
    )
    turnover = compute_member_turnover(
        Night(terms=POLE_TERMS, members=memberships_with_arrival, spells=spells)
    )
    assert (
        turnover.leaving_members,
        turnover.arriving_members,
        turnover.missing_player_count,
    ) == ((), ("e",), 0)
    later_table_memberships = (
        *memberships_after_leaving,
        TableMembership("e", first_spell_number=3),
    )
    assert (
        compute_member_turnover(
            Night(terms=POLE_TERMS, members=later_table_memberships, spells=spells)
        ).missing_player_count
        == 1
    )
    assert list_members(Night(terms=POLE_TERMS, members=memberships_with_arrival), 1) == tuple(
        "abcd"
    )
    assert compute_member_turnover(build_night("abcdef")).players_to_cut == tuple("abcdef")
    assert compute_member_turnover(build_night("abcd")).arriving_members == tuple("abcd")


@pytest.mark.parametrize("member_count", [4, 5, 6])
def test_points_of_long_nights_sum_to_zero_and_no_one_waits_twice_in_a_row(member_count):
    chance = random.Random(member_count)
    names = "abcdef"[:member_count]
    members = tuple(TableMembership(name) for name in names)
    seated_players, spells, waiting_players = list("abcd"), (), []
    for _ in range(30):
        chance.shuffle(seated_players)
        hands, won = [], [0, 0]
        while 2 not in won:
            winner = chance.randrange(2)
            hands.append(13 * (1 - winner))
            won[winner] += 1
        spells = (*spells, build_spell(seated_players, *hands))
        evening = Night(terms=POLE_TERMS, members=members, spells=spells)
        cuts, turnover = [], compute_member_turnover(evening)
        while turnover.players_to_cut:
            cuts.append({name: chance.randint(1, 13) for name in turnover.players_to_cut})
            turnover = compute_member_turnover(evening, cuts)
        players = [item.player_key for item in turnover.leaving_members]
        assert len(players) == len(turnover.arriving_members) == member_count - 4
        assert not set(waiting_players) & (set(names) - set(seated_players))
        waiting_players = [name for name in names if name not in seated_players]
        seated_players = [name for name in seated_players if name not in players] + list(
            turnover.arriving_members
        )
    assert sum(list_points(evening).values()) == 0
    rubber_counts = [row.rubbers for row in rank_members(evening)]
    assert sum(rubber_counts) == 4 * 30


@pytest.mark.parametrize(
    ("build_impossible_night", "error_text"),
    [
        (lambda: build_night("abca"), "members: each player can be at a table only once"),
        (
            lambda: build_night("abc", build_spell("abcd")),
            "partnership 1: d isn’t at the table at that time",
        ),
        (
            lambda: build_night("abcd", build_spell("abca")),
            "partnership 1: each side needs two different players",
        ),
        (
            lambda: rank_members(
                build_night(
                    "abcd",
                    build_spell("abcd", 7),
                    Spell(sides={A: ("a", "b"), B: ("c", "d")}, hands=(Hand(calling_side=A),)),
                )
            ),
            "partnership 2: hand 1: honours can’t be called in this code",
        ),
        (
            lambda: build_night(
                "abcd",
                Spell(
                    sides={A: ("a", "b"), B: ("c", "d")},
                    hands=(
                        build_hand(7),
                        Hand(tricks=SideCounts(7, 6), revokes=(Revoke(B, is_by_dummy=True),)),
                    ),
                ),
            ),
            "^partnership 1, hand 2: side B has no dummy to revoke",
        ),
    ],
)
def test_impossible_night_is_refused_with_its_position(build_impossible_night, error_text):
    with pytest.raises(UnreadableRubber, match=error_text):
        build_impossible_night()
