"""Cutting for players, partners, dealer and sit-out; the book's cuts first."""

from itertools import product

import pytest

from rubbers.rubber.cuts import decide_leaving_players, decide_seats, draw_cards
from rubbers.rubber.errors import UnreadableRubber

FOUR_PLAYERS, SIX_PLAYERS = tuple("abcd"), tuple("abcdef")


def assign_cards(*cards):
    return dict(zip(FOUR_PLAYERS, cards, strict=True))


def test_lowest_cut_deals_and_second_cut_only_breaks_a_tie():
    # The book's: three, six, six, knave; the sixes cut king and queen, and the queen plays with
    # the three, who keeps the deal.
    first_decision = decide_seats(FOUR_PLAYERS, [assign_cards(3, 6, 6, 11)])
    assert (
        first_decision.partnerships,
        first_decision.dealer,
        first_decision.players_to_cut,
    ) == (None, None, ("b", "c"))
    final_decision = decide_seats(FOUR_PLAYERS, [assign_cards(3, 6, 6, 11), {"b": 13, "c": 12}])
    assert (final_decision.partnerships, final_decision.dealer) == (
        (("a", "c"), ("b", "d")),
        "a",
    )
    ace_decision = decide_seats(FOUR_PLAYERS, [assign_cards(3, 6, 6, 11), {"b": 1, "c": 12}])
    assert (ace_decision.partnerships, ace_decision.dealer) == ((("a", "b"), ("c", "d")), "a")


@pytest.mark.parametrize(
    ("cuts", "partners", "players_to_cut"),
    [
        ([], None, "abcd"),
        ([assign_cards(1, 2, 3, 4)], (("a", "b"), ("c", "d")), ""),
        (
            [assign_cards(9, 9, 2, 5)],
            (("c", "d"), ("a", "b")),
            "",
        ),  # two highest: nothing to cut
        ([assign_cards(5, 5, 9, 9)], None, "ab"),  # partners already, but who deals?
        ([assign_cards(5, 5, 9, 9), {"a": 4, "b": 2}], (("b", "a"), ("c", "d")), ""),
        ([assign_cards(5, 5, 5, 9)], None, "abc"),
        ([assign_cards(5, 5, 5, 2), {"a": 9, "b": 9, "c": 3}], (("d", "c"), ("a", "b")), ""),
        ([assign_cards(5, 5, 5, 2), {"a": 3, "b": 9, "c": 3}], None, "ac"),
        ([assign_cards(7, 7, 7, 7)], None, "abcd"),
        (
            [assign_cards(7, 7, 7, 7), assign_cards(7, 7, 7, 7), assign_cards(4, 3, 2, 1)],
            (("d", "c"), ("b", "a")),
            "",
        ),
    ],
)
def test_equal_cards_are_cut_again_only_if_it_matters(cuts, partners, players_to_cut):
    table = decide_seats(FOUR_PLAYERS, cuts)
    assert (table.partnerships, table.players_to_cut) == (partners, tuple(players_to_cut))
    assert table.dealer == (partners and partners[0][0])


def test_lowest_four_of_six_play_and_cut_again_for_partners():
    first = dict(zip(SIX_PLAYERS, (9, 2, 12, 4, 9, 9), strict=True))
    tied_decision = decide_seats(SIX_PLAYERS, [first])
    assert (tied_decision.seated_players, tied_decision.players_to_cut) == (
        None,
        ("a", "e", "f"),
    )
    final_decision = decide_seats(SIX_PLAYERS, [first, {"a": 5, "e": 13, "f": 1}])
    assert (final_decision.seated_players, final_decision.players_to_cut) == (
        tuple("abdf"),
        tuple("abdf"),
    )
    whole = decide_seats(
        SIX_PLAYERS, [first, {"a": 5, "e": 13, "f": 1}, {"a": 13, "b": 12, "d": 2, "f": 3}]
    )
    assert whole.partnerships == (("d", "f"), ("b", "a"))


def test_every_cut_of_four_separates_two_lowest_from_two_highest():
    for cards in product(range(1, 6), repeat=4):
        table = decide_seats(FOUR_PLAYERS, [assign_cards(*cards)])
        sorted_cards = sorted(cards)
        if table.players_to_cut:
            tied_cards = {assign_cards(*cards)[name] for name in table.players_to_cut}
            assert len(tied_cards) == 1
            assert sorted_cards[0] == sorted_cards[1] or sorted_cards[1] == sorted_cards[2]
        else:
            partnership_cards = [
                [assign_cards(*cards)[name] for name in pair] for pair in table.partnerships
            ]
            assert sorted(partnership_cards[0]) == sorted_cards[:2]
            assert (
                partnership_cards[0][0] == sorted_cards[0] < sorted_cards[1] < sorted_cards[2]
            )


def test_longest_playing_members_leave_first_then_the_highest_cut():
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
    ("decide_impossible_cut", "error_text"),
    [
        (lambda: decide_seats("a", []), "players: 2 to 6 different players"),
        (lambda: decide_seats("abcdefg", []), "players: 2 to 6 different players"),
        (lambda: decide_seats("abca", []), "players: 2 to 6 different players"),
        (
            lambda: decide_seats(FOUR_PLAYERS, [{"a": 3}]),
            "cut 1: the players to cut are a, b, c, d",
        ),
        (
            lambda: decide_seats(FOUR_PLAYERS, [assign_cards(1, 2, 3, 14)]),
            "cut 1: a card must be 1",
        ),
        (
            lambda: decide_seats(
                FOUR_PLAYERS, [assign_cards(3, 6, 6, 9), assign_cards(1, 2, 3, 4)]
            ),
            "cut 2: the players to cut are",
        ),
        (
            lambda: decide_seats(FOUR_PLAYERS, [assign_cards(1, 2, 3, 4), {}]),
            "cut 2: everything is decided",
        ),
        (
            lambda: decide_seats(SIX_PLAYERS, [dict.fromkeys(SIX_PLAYERS, 6)]),
            "cut 1: a pack has only four of each rank",
        ),
        (
            lambda: decide_leaving_players({"a": 2, "b": 1}, 1, [{"a": 1}]),
            "cut 1: everything is decided",
        ),
    ],
)
def test_impossible_cut_is_refused_with_its_number(decide_impossible_cut, error_text):
    with pytest.raises(UnreadableRubber, match=error_text):
        decide_impossible_cut()


def test_random_draw_is_one_pack_and_reproducible():
    cards = [draw_cards(b"sealed", f"table 1, cut {n}", SIX_PLAYERS) for n in range(300)]
    assert cards == [
        draw_cards(b"sealed", f"table 1, cut {n}", SIX_PLAYERS) for n in range(300)
    ]
    assert draw_cards(b"sealed", "x", SIX_PLAYERS) != draw_cards(b"opened", "x", SIX_PLAYERS)
    assert {card for item in cards for card in item.values()} == set(range(1, 14))
    whole = draw_cards(b"sealed", "x", [str(n) for n in range(52)])
    assert sorted(whole.values()) == sorted([*range(1, 14)] * 4)
