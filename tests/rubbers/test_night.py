"""A night at one table: its members, the standings, and who goes out next and why."""

import random

import pytest

from rubbers.rubber.codes import CODES
from rubbers.rubber.errors import UnreadableRubber
from rubbers.rubber.hands import Count, Hand, Side
from rubbers.rubber.night import (
    Belonging,
    Leaving,
    Night,
    Spell,
    belonging,
    reason,
    standing,
    turnover,
)
from rubbers.rubber.terms import changed

POLE, LEAGUE, LONG = (CODES[name].terms for name in ("pole", "american-league", "long"))
A, B = Side


def took(tricks):
    return Hand(tricks=Count(tricks, 13 - tricks))


def spell(players, *tricks):
    """Return the first two against the last two, with side A's tricks in each hand."""
    sides = {A: tuple(players[:2]), B: tuple(players[2:])}
    return Spell(sides=sides, hands=tuple(took(each) for each in tricks))


def night(names, *spells, terms=POLE, **more):
    return Night(
        terms=terms, members=tuple(Belonging(name) for name in names), spells=spells, **more
    )


def points(evening):
    return {each.player: each.points for each in standing(evening)}


def test_a_rubber_is_won_and_lost_by_four_and_its_points_add_to_nothing():
    # Two trebles, a bumper; then B wins a treble, A a treble and a single: 4 − 3 + 2 = 3.
    evening = night("abcde", spell("abcd", 13, 13), spell("aebc", 0, 13, 4, 12), terms=POLE)
    told = {each.player: each for each in standing(evening)}
    assert [told[name].points for name in "abcde"] == [11, 5, -11, -8, 3]
    assert [told[name].rank for name in "abcde"] == [1, 2, 5, 4, 3]
    assert (told["b"].rubbers_won, told["b"].rubbers) == (1, 2)
    assert (told["b"].games_won, told["b"].games) == (3, 5)
    assert told["d"][4:] == (0, 1, 0, 2)


def test_equals_share_the_place_and_rubbers_won_come_before():
    evening = night("abcd", spell("abcd", 13, 13))
    assert [(each.rank, each.tied) for each in standing(evening)] == [
        (1, True),
        (1, True),
        (3, True),
        (3, True),
    ]
    assert [each.points for each in standing(night("abcdef"))] == [0] * 6


def test_what_is_unfinished_counts_at_closing_time_or_when_somebody_leaves():
    open_, closed = (night("abcd", spell("abcd", 13), closed=done) for done in (False, True))
    assert set(points(open_).values()) == {0}
    assert points(closed) == {"a": 3, "b": 3, "c": -3, "d": -3}
    broken = night("abcde", spell("abcd", 13), spell("abce", 13, 13))
    assert points(broken) == {"a": 11, "b": 11, "c": -11, "d": -3, "e": -8}
    void = changed(POLE, {"unfinished": "void"})
    assert set(points(night("abcd", spell("abcd", 13), terms=void, closed=True)).values()) == {
        0
    }


def test_games_of_the_league_and_rubbers_of_long_whist_count_for_themselves():
    assert points(night("abcd", spell("abcd", 5, 13), terms=LEAGUE))["a"] == 5
    assert points(night("abcd", spell("abcd", 13, 13, 13, 13), terms=LONG))["a"] == 1


def test_the_fifth_comes_in_and_the_highest_of_four_equals_goes_out():
    evening = night("abcde", spell("abcd", 13, 13))
    first = turnover(evening)
    assert (first.out, first.comes_in, first.again) == ((), (), tuple("abcd"))
    done = turnover(evening, [{"a": 5, "b": 9, "c": 12, "d": 1}])
    assert done.out == (Leaving("c", 1, True),)
    assert done.comes_in == ("e",)
    assert reason(done.out[0]) == (
        "c goes out: played 1 on end as others did, and cut highest."
    )


def test_who_played_most_on_end_goes_out_first_while_the_rubber_still_runs():
    evening = night("abcdef", spell("abcd", 13, 13), spell("abef", 13, 13), spell("cdef", 13))
    assert turnover(evening).out == (Leaving("e", 2, False), Leaving("f", 2, False))
    assert turnover(evening).comes_in == ("a", "b")
    assert reason(turnover(evening).out[0]) == (
        "e goes out: played 2 on end, more than those who stay."
    )
    again = night("abcdef", *evening.spells[:2], spell("acef"))
    assert turnover(again).again == ("e", "f")
    out = turnover(again, [{"e": 3, "f": 11}]).out
    assert out == (Leaving("a", 3, False), Leaving("f", 2, True))


def test_a_spell_in_which_nothing_was_played_interrupts_nobody():
    evening = night("abcde", spell("abcd", 13, 13), spell("abce"), spell("abcd", 13, 13))
    assert turnover(evening).again == tuple("abcd")
    assert turnover(evening, [dict(zip("abcd", (1, 2, 3, 4), strict=True))]).out == (
        Leaving("d", 2, True),
    )


def test_a_game_of_the_league_is_what_is_played_before_somebody_goes_out():
    evening = night("abcde", spell("abcd", 13), spell("eabc", 13, 13, 13), terms=LEAGUE)
    assert turnover(evening).again == ("a", "b", "c")
    out = turnover(evening, [{"a": 2, "b": 13, "c": 4}]).out
    assert out == (Leaving("b", 4, True),)
    games = changed(POLE, {"goes_out": "game"})
    evening = night("abcde", spell("abcd", 13), spell("eabc", 13), terms=games)
    assert turnover(evening).again == ("a", "b", "c")
    assert points(evening)["e"] == 0  # her rubber continues


def test_who_leaves_makes_room_and_a_table_may_be_short():
    spells = (spell("abcd", 13, 13),)
    left = (Belonging("a", until=1), *(Belonging(name) for name in "bcd"))
    assert turnover(Night(terms=POLE, members=left, spells=spells)).short == 1
    waits = (*left, Belonging("e", since=2))
    found = turnover(Night(terms=POLE, members=waits, spells=spells))
    assert (found.out, found.comes_in, found.short) == ((), ("e",), 0)
    later = (*left, Belonging("e", since=3))
    assert turnover(Night(terms=POLE, members=later, spells=spells)).short == 1
    assert belonging(Night(terms=POLE, members=waits), 1) == tuple("abcd")
    assert turnover(night("abcdef")).again == tuple("abcdef")
    assert turnover(night("abcd")).comes_in == tuple("abcd")


@pytest.mark.parametrize("size", [4, 5, 6])
def test_over_long_nights_points_add_to_nothing_and_nobody_waits_twice_on_end(size):
    chance = random.Random(size)
    names = "abcdef"[:size]
    members = tuple(Belonging(name) for name in names)
    seated, spells, waited = list("abcd"), (), []
    for _ in range(30):
        chance.shuffle(seated)
        hands, won = [], [0, 0]
        while 2 not in won:
            winner = chance.randrange(2)
            hands.append(13 * (1 - winner))
            won[winner] += 1
        spells = (*spells, spell(seated, *hands))
        evening = Night(terms=POLE, members=members, spells=spells)
        cuts, found = [], turnover(evening)
        while found.again:
            cuts.append({name: chance.randint(1, 13) for name in found.again})
            found = turnover(evening, cuts)
        out = [each.player for each in found.out]
        assert len(out) == len(found.comes_in) == size - 4
        assert not set(waited) & (set(names) - set(seated))
        waited = [name for name in names if name not in seated]
        seated = [name for name in seated if name not in out] + list(found.comes_in)
    assert sum(points(evening).values()) == 0
    rubbers = [each.rubbers for each in standing(evening)]
    assert sum(rubbers) == 4 * 30


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: night("abca"), "members: everybody belongs to a table once"),
        (lambda: night("abc", spell("abcd")), "spell 1: d does not belong to the table then"),
        (lambda: night("abcd", spell("abca")), "spell 1: two different players a side"),
        (
            lambda: standing(
                night(
                    "abcd",
                    spell("abcd", 7),
                    Spell(sides={A: ("a", "b"), B: ("c", "d")}, hands=(Hand(called=A),)),
                )
            ),
            "spell 2: hand 1: honours are not called in this code",
        ),
    ],
)
def test_a_night_that_cannot_be_is_refused_with_its_place(made, words):
    with pytest.raises(UnreadableRubber, match=words):
        made()
