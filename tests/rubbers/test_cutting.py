"""Cutting for players, partners, dealer and sit-out; the book's cuts first."""

from itertools import product

import pytest

from rubbers.rubber.cuts import decide_leaving, decide_seats, draw_cards
from rubbers.rubber.errors import UnreadableRubber

FOUR, SIX = tuple("abcd"), tuple("abcdef")


def name_cards(*cards):
    return dict(zip(FOUR, cards, strict=True))


def test_the_lowest_deals_and_the_second_cut_settles_a_tie_alone():
    # The book's: three, six, six, knave; the sixes cut king and queen, and the queen plays with
    # the three, who keeps the deal.
    first = decide_seats(FOUR, [name_cards(3, 6, 6, 11)])
    assert (first.partners, first.dealer, first.cutters) == (None, None, ("b", "c"))
    done = decide_seats(FOUR, [name_cards(3, 6, 6, 11), {"b": 13, "c": 12}])
    assert (done.partners, done.dealer) == ((("a", "c"), ("b", "d")), "a")
    lower = decide_seats(FOUR, [name_cards(3, 6, 6, 11), {"b": 1, "c": 12}])
    assert (lower.partners, lower.dealer) == ((("a", "b"), ("c", "d")), "a")


@pytest.mark.parametrize(
    ("cuts", "partners", "again"),
    [
        ([], None, "abcd"),
        ([name_cards(1, 2, 3, 4)], (("a", "b"), ("c", "d")), ""),
        ([name_cards(9, 9, 2, 5)], (("c", "d"), ("a", "b")), ""),  # two highest: nothing to cut
        ([name_cards(5, 5, 9, 9)], None, "ab"),  # partners already, but who deals?
        ([name_cards(5, 5, 9, 9), {"a": 4, "b": 2}], (("b", "a"), ("c", "d")), ""),
        ([name_cards(5, 5, 5, 9)], None, "abc"),
        ([name_cards(5, 5, 5, 2), {"a": 9, "b": 9, "c": 3}], (("d", "c"), ("a", "b")), ""),
        ([name_cards(5, 5, 5, 2), {"a": 3, "b": 9, "c": 3}], None, "ac"),
        ([name_cards(7, 7, 7, 7)], None, "abcd"),
        (
            [name_cards(7, 7, 7, 7), name_cards(7, 7, 7, 7), name_cards(4, 3, 2, 1)],
            (("d", "c"), ("b", "a")),
            "",
        ),
    ],
)
def test_equals_cut_again_only_where_something_hangs_on_it(cuts, partners, again):
    table = decide_seats(FOUR, cuts)
    assert (table.partners, table.cutters) == (partners, tuple(again))
    assert table.dealer == (partners and partners[0][0])


def test_of_six_the_four_lowest_play_and_cut_again_for_partners():
    first = dict(zip(SIX, (9, 2, 12, 4, 9, 9), strict=True))
    tied = decide_seats(SIX, [first])
    assert (tied.playing, tied.cutters) == (None, ("a", "e", "f"))
    settled = decide_seats(SIX, [first, {"a": 5, "e": 13, "f": 1}])
    assert (settled.playing, settled.cutters) == (tuple("abdf"), tuple("abdf"))
    whole = decide_seats(
        SIX, [first, {"a": 5, "e": 13, "f": 1}, {"a": 13, "b": 12, "d": 2, "f": 3}]
    )
    assert whole.partners == (("d", "f"), ("b", "a"))


def test_every_cut_of_four_parts_two_lowest_from_two_highest():
    for cards in product(range(1, 6), repeat=4):
        table = decide_seats(FOUR, [name_cards(*cards)])
        low = sorted(cards)
        if table.cutters:
            equals = {name_cards(*cards)[name] for name in table.cutters}
            assert len(equals) == 1
            assert low[0] == low[1] or low[1] == low[2]
        else:
            drawn = [[name_cards(*cards)[name] for name in pair] for pair in table.partners]
            assert sorted(drawn[0]) == low[:2]
            assert drawn[0][0] == low[0] < low[1] < low[2]


def test_most_rubbers_on_end_go_out_first_and_the_highest_of_equals():
    played = {"a": 3, "b": 2, "c": 2, "d": 2}
    assert decide_leaving(played, 1, []).leaving == ("a",)
    assert decide_leaving(played, 2, []).cutters == ("b", "c", "d")
    assert decide_leaving(played, 2, [{"b": 5, "c": 13, "d": 1}]).leaving == ("a", "c")
    tied = decide_leaving(played, 2, [{"b": 13, "c": 13, "d": 1}])
    assert (tied.leaving, tied.cutters) == ((), ("b", "c"))
    assert decide_leaving(
        played, 2, [{"b": 13, "c": 13, "d": 1}, {"b": 2, "c": 1}]
    ).leaving == (
        "a",
        "b",
    )
    assert decide_leaving(played, 4, []).leaving == ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("cut", "text"),
    [
        (lambda: decide_seats("a", []), "players: 2 to 6 different players"),
        (lambda: decide_seats("abcdefg", []), "players: 2 to 6 different players"),
        (lambda: decide_seats("abca", []), "players: 2 to 6 different players"),
        (lambda: decide_seats(FOUR, [{"a": 3}]), "cut 1: the players to cut are a, b, c, d"),
        (lambda: decide_seats(FOUR, [name_cards(1, 2, 3, 14)]), "cut 1: a card must be 1"),
        (
            lambda: decide_seats(FOUR, [name_cards(3, 6, 6, 9), name_cards(1, 2, 3, 4)]),
            "cut 2: the players to cut are",
        ),
        (
            lambda: decide_seats(FOUR, [name_cards(1, 2, 3, 4), {}]),
            "cut 2: everything is decided",
        ),
        (
            lambda: decide_seats(SIX, [dict.fromkeys(SIX, 6)]),
            "cut 1: a pack has only four of each rank",
        ),
        (
            lambda: decide_leaving({"a": 2, "b": 1}, 1, [{"a": 1}]),
            "cut 1: everything is decided",
        ),
    ],
)
def test_a_cut_that_cannot_be_is_refused_by_its_number(cut, text):
    with pytest.raises(UnreadableRubber, match=text):
        cut()


def test_a_lot_is_one_pack_and_can_be_drawn_again():
    cards = [draw_cards(b"sealed", f"table 1, cut {n}", SIX) for n in range(300)]
    assert cards == [draw_cards(b"sealed", f"table 1, cut {n}", SIX) for n in range(300)]
    assert draw_cards(b"sealed", "x", SIX) != draw_cards(b"opened", "x", SIX)
    assert {card for item in cards for card in item.values()} == set(range(1, 14))
    whole = draw_cards(b"sealed", "x", [str(n) for n in range(52)])
    assert sorted(whole.values()) == sorted([*range(1, 14)] * 4)
