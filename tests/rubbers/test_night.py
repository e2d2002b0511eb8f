"""A night at one table: its members, the standings, and who goes out next and why."""

import random

import pytest

from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.rubber.errors import UnreadableRubber
from rubbers.rubber.hands import Hand, Revoke, Side, SideCounts
from rubbers.rubber.night import (
    LeavingMember,
    Night,
    Spell,
    TableMembership,
    Turnover,
    compute_turnover,
    format_leaving_reason,
    list_members,
    rank_members,
)
from rubbers.rubber.terms import change_terms

POLE, LEAGUE, LONG = (
    LAW_CODES_BY_NAME[name].terms for name in ("pole", "american-league", "long")
)
A, B = Side


def build_hand(tricks):
    return Hand(tricks=SideCounts(tricks, 13 - tricks))


def build_spell(players, *tricks):
    """Return the first two against the last two, with side A's tricks in each hand."""
    sides = {A: tuple(players[:2]), B: tuple(players[2:])}
    return Spell(sides=sides, hands=tuple(build_hand(trick) for trick in tricks))


def build_night(names, *spells, terms=POLE, **more):
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
        "abcde", build_spell("abcd", 13, 13), build_spell("aebc", 0, 13, 4, 12), terms=POLE
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
    open_, closed = (
        build_night("abcd", build_spell("abcd", 13), is_closed=done) for done in (False, True)
    )
    assert set(list_points(open_).values()) == {0}
    assert list_points(closed) == {"a": 3, "b": 3, "c": -3, "d": -3}
    night = build_night("abcde", build_spell("abcd", 13), build_spell("abce", 13, 13))
    assert list_points(night) == {"a": 11, "b": 11, "c": -11, "d": -3, "e": -8}
    void = change_terms(POLE, {"unfinished": "void"})
    assert set(
        list_points(
            build_night("abcd", build_spell("abcd", 13), terms=void, is_closed=True)
        ).values()
    ) == {0}


def test_league_games_and_long_whist_rubbers_count_separately():
    assert list_points(build_night("abcd", build_spell("abcd", 5, 13), terms=LEAGUE))["a"] == 5
    assert (
        list_points(build_night("abcd", build_spell("abcd", 13, 13, 13, 13), terms=LONG))["a"]
        == 1
    )


def test_fifth_player_comes_in_and_highest_cut_of_four_goes_out():
    evening = build_night("abcde", build_spell("abcd", 13, 13))
    first_turnover = compute_turnover(evening)
    assert (
        first_turnover.leaving_members,
        first_turnover.arriving_members,
        first_turnover.players_to_cut,
    ) == (
        (),
        (),
        tuple("abcd"),
    )
    turnover = compute_turnover(evening, [{"a": 5, "b": 9, "c": 12, "d": 1}])
    assert turnover == Turnover(
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
    assert compute_turnover(evening).leaving_members == (
        LeavingMember("e", 2, False),
        LeavingMember("f", 2, False),
    )
    assert compute_turnover(evening).arriving_members == ("a", "b")
    assert format_leaving_reason(compute_turnover(evening).leaving_members[0]) == (
        "e goes out (played 2 in a row, the most)."
    )
    repeated_night = build_night("abcdef", *evening.spells[:2], build_spell("acef"))
    assert compute_turnover(repeated_night).players_to_cut == ("e", "f")
    leaving = compute_turnover(repeated_night, [{"e": 3, "f": 11}]).leaving_members
    assert leaving == (LeavingMember("a", 3, False), LeavingMember("f", 2, True))


def test_spell_without_hands_does_not_interrupt_consecutive_play():
    evening = build_night(
        "abcde", build_spell("abcd", 13, 13), build_spell("abce"), build_spell("abcd", 13, 13)
    )
    assert compute_turnover(evening).players_to_cut == tuple("abcd")
    assert compute_turnover(
        evening, [dict(zip("abcd", (1, 2, 3, 4), strict=True))]
    ).leaving_members == (LeavingMember("d", 2, True),)


def test_rubber_in_play_counts_when_it_is_broken_off():
    broken_off = build_night("abcdef", build_spell("abef", 13), build_spell("abcd", 13, 13))
    assert compute_turnover(broken_off).leaving_members == (
        LeavingMember("a", 2, False),
        LeavingMember("b", 2, False),
    )


def test_rubber_in_play_counts_in_addition_to_finished_ones():
    evening = build_night("abcde", build_spell("abcd", 13, 13, 7))
    cut = [{"a": 1, "b": 2, "c": 3, "d": 4}]
    assert compute_turnover(evening, cut).leaving_members == (LeavingMember("d", 2, True),)
    finished = build_night("abcde", build_spell("abcd", 13, 13))
    assert compute_turnover(finished, cut).leaving_members == (LeavingMember("d", 1, True),)
    not_begun = build_night("abcde", build_spell("abcd"))
    assert compute_turnover(not_begun, cut).leaving_members == (LeavingMember("d", 1, True),)


def test_league_game_lasts_until_a_player_goes_out():
    evening = build_night(
        "abcde", build_spell("abcd", 13), build_spell("eabc", 13, 13, 13), terms=LEAGUE
    )
    assert compute_turnover(evening).players_to_cut == ("a", "b", "c")
    leaving = compute_turnover(evening, [{"a": 2, "b": 13, "c": 4}]).leaving_members
    assert leaving == (LeavingMember("b", 4, True),)
    games = change_terms(POLE, {"goes_out": "game"})
    evening = build_night(
        "abcde", build_spell("abcd", 13), build_spell("eabc", 13), terms=games
    )
    assert compute_turnover(evening).players_to_cut == ("a", "b", "c")
    assert list_points(evening)["e"] == 0  # her rubber continues


def test_leaving_player_frees_a_seat_and_table_may_be_incomplete():
    spells = (build_spell("abcd", 13, 13),)
    remaining_table_memberships = (
        TableMembership("a", last_spell_number=1),
        *(TableMembership(name) for name in "bcd"),
    )
    assert (
        compute_turnover(
            Night(terms=POLE, members=remaining_table_memberships, spells=spells)
        ).missing_player_count
        == 1
    )
    waits = (*remaining_table_memberships, TableMembership("e", first_spell_number=2))
    turnover = compute_turnover(Night(terms=POLE, members=waits, spells=spells))
    assert (
        turnover.leaving_members,
        turnover.arriving_members,
        turnover.missing_player_count,
    ) == ((), ("e",), 0)
    later_table_memberships = (
        *remaining_table_memberships,
        TableMembership("e", first_spell_number=3),
    )
    assert (
        compute_turnover(
            Night(terms=POLE, members=later_table_memberships, spells=spells)
        ).missing_player_count
        == 1
    )
    assert list_members(Night(terms=POLE, members=waits), 1) == tuple("abcd")
    assert compute_turnover(build_night("abcdef")).players_to_cut == tuple("abcdef")
    assert compute_turnover(build_night("abcd")).arriving_members == tuple("abcd")


@pytest.mark.parametrize("size", [4, 5, 6])
def test_points_of_long_nights_sum_to_zero_and_no_one_waits_twice_running(size):
    chance = random.Random(size)
    names = "abcdef"[:size]
    members = tuple(TableMembership(name) for name in names)
    seated, spells, waited = list("abcd"), (), []
    for _ in range(30):
        chance.shuffle(seated)
        hands, won = [], [0, 0]
        while 2 not in won:
            winner = chance.randrange(2)
            hands.append(13 * (1 - winner))
            won[winner] += 1
        spells = (*spells, build_spell(seated, *hands))
        evening = Night(terms=POLE, members=members, spells=spells)
        cuts, turnover = [], compute_turnover(evening)
        while turnover.players_to_cut:
            cuts.append({name: chance.randint(1, 13) for name in turnover.players_to_cut})
            turnover = compute_turnover(evening, cuts)
        players = [item.player_key for item in turnover.leaving_members]
        assert len(players) == len(turnover.arriving_members) == size - 4
        assert not set(waited) & (set(names) - set(seated))
        waited = [name for name in names if name not in seated]
        seated = [name for name in seated if name not in players] + list(
            turnover.arriving_members
        )
    assert sum(list_points(evening).values()) == 0
    rubbers = [row.rubbers for row in rank_members(evening)]
    assert sum(rubbers) == 4 * 30


@pytest.mark.parametrize(
    ("made", "text"),
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
def test_impossible_night_is_refused_with_its_position(made, text):
    with pytest.raises(UnreadableRubber, match=text):
        made()
