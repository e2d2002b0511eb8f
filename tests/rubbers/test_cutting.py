"""Cutting for players, partners, dealer and sit-out; the book's cuts first."""

from itertools import product

import pytest

from rubbers.rubber.cuts import decide_leaving_players, decide_seats, draw_cards
from rubbers.rubber.errors import UnreadableRubber

FOUR, SIX = tuple("abcd"), tuple("abcdef")


def name_cards(*cards):
    return dict(zip(FOUR, cards, strict=True))


def test_lowest_cut_deals_and_second_cut_only_breaks_a_tie():
    # The book's: three, six, six, knave; the sixes cut king and queen, and the queen plays with
    # the three, who keeps the deal.
    first = decide_seats(FOUR, [name_cards(3, 6, 6, 11)])
    assert (first.partnerships, first.dealer, first.players_to_cut) == (None, None, ("b", "c"))
    done = decide_seats(FOUR, [name_cards(3, 6, 6, 11), {"b": 13, "c": 12}])
    assert (done.partnerships, done.dealer) == ((("a", "c"), ("b", "d")), "a")
    lower = decide_seats(FOUR, [name_cards(3, 6, 6, 11), {"b": 1, "c": 12}])
    assert (lower.partnerships, lower.dealer) == ((("a", "b"), ("c", "d")), "a")


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
def test_equal_cards_are_cut_again_only_if_it_matters(cuts, partners, again):
    table = decide_seats(FOUR, cuts)
    assert (table.partnerships, table.players_to_cut) == (partners, tuple(again))
    assert table.dealer == (partners and partners[0][0])


def test_lowest_four_of_six_play_and_cut_again_for_partners():
    first = dict(zip(SIX, (9, 2, 12, 4, 9, 9), strict=True))
    tied = decide_seats(SIX, [first])
    assert (tied.seated_players, tied.players_to_cut) == (None, ("a", "e", "f"))
    settled = decide_seats(SIX, [first, {"a": 5, "e": 13, "f": 1}])
    assert (settled.seated_players, settled.players_to_cut) == (tuple("abdf"), tuple("abdf"))
    whole = decide_seats(
        SIX, [first, {"a": 5, "e": 13, "f": 1}, {"a": 13, "b": 12, "d": 2, "f": 3}]
    )
    assert whole.partnerships == (("d", "f"), ("b", "a"))


def test_every_cut_of_four_separates_two_lowest_from_two_highest():
    for cards in product(range(1, 6), repeat=4):
        table = decide_seats(FOUR, [name_cards(*cards)])
        low = sorted(cards)
        if table.players_to_cut:
            equals = {name_cards(*cards)[name] for name in table.players_to_cut}
            assert len(equals) == 1
            assert low[0] == low[1] or low[1] == low[2]
        else:
            drawn = [[name_cards(*cards)[name] for name in pair] for pair in table.partnerships]
            assert sorted(drawn[0]) == low[:2]
            assert drawn[0][0] == low[0] < low[1] < low[2]


def test_most_consecutive_rubbers_leave_first_then_highest_cut():
    rubbers_by_player = {"a": 3, "b": 2, "c": 2, "d": 2}
    assert decide_leaving_players(rubbers_by_player, 1, []).players == ("a",)
    assert decide_leaving_players(rubbers_by_player, 2, []).players_to_cut == ("b", "c", "d")
    assert decide_leaving_players(
        rubbers_by_player, 2, [{"b": 5, "c": 13, "d": 1}]
    ).players == (
        "a",
        "c",
    )
    tied = decide_leaving_players(rubbers_by_player, 2, [{"b": 13, "c": 13, "d": 1}])
    assert (tied.players, tied.players_to_cut) == ((), ("b", "c"))
    assert decide_leaving_players(
        rubbers_by_player, 2, [{"b": 13, "c": 13, "d": 1}, {"b": 2, "c": 1}]
    ).players == (
        "a",
        "b",
    )
    assert decide_leaving_players(rubbers_by_player, 4, []).players == ("a", "b", "c", "d")


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
            lambda: decide_leaving_players({"a": 2, "b": 1}, 1, [{"a": 1}]),
            "cut 1: everything is decided",
        ),
    ],
)
def test_impossible_cut_is_refused_with_its_number(cut, text):
    with pytest.raises(UnreadableRubber, match=text):
        cut()


def test_random_draw_is_one_pack_and_reproducible():
    cards = [draw_cards(b"sealed", f"table 1, cut {n}", SIX) for n in range(300)]
    assert cards == [draw_cards(b"sealed", f"table 1, cut {n}", SIX) for n in range(300)]
    assert draw_cards(b"sealed", "x", SIX) != draw_cards(b"opened", "x", SIX)
    assert {card for item in cards for card in item.values()} == set(range(1, 14))
    whole = draw_cards(b"sealed", "x", [str(n) for n in range(52)])
    assert sorted(whole.values()) == sorted([*range(1, 14)] * 4)
