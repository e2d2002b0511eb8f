"""The seats of the next spell: when a spell ends, who cuts, and how draws are repeated."""

import pytest

from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.rubber.cuts import decide_seats, draw_cards
from rubbers.rubber.dummy import DUMMY_NAME
from rubbers.rubber.hands import Hand, Side, SideCounts
from rubbers.rubber.night import LeavingMember, Night, Spell, TableMembership
from rubbers.rubber.seating import (
    CutPurpose,
    Cuts,
    Seating,
    decide_seating,
    decide_seats_by_draw,
    find_next_dummy_seats,
    is_spell_over,
)
from rubbers.rubber.spell_score import score_hands
from rubbers.rubber.terms import change_terms

POLE_TERMS, LEAGUE_TERMS = (
    LAW_CODES_BY_NAME["pole"].terms,
    LAW_CODES_BY_NAME["american-league"].terms,
)
POLE_GAME_TERMS = change_terms(POLE_TERMS, {"goes_out": "game"})
DRAW_LABEL = "overplay-rubber-cut/1:night:1:1"


def build_night(members, seats="", *tricks, terms=POLE_TERMS):
    """Return a night with these members, and one spell with side A's tricks in each hand."""
    spells = ()
    if seats:
        hands = tuple(
            Hand(tricks=SideCounts(trick_count, 13 - trick_count)) for trick_count in tricks
        )
        sides = {Side.A: tuple(seats[:2]), Side.B: tuple(seats[2:])}
        spells = (Spell(sides=sides, hands=hands),)
    members = tuple(
        member if isinstance(member, TableMembership) else TableMembership(member)
        for member in members
    )
    return Night(terms=terms, members=members, spells=spells)


@pytest.mark.parametrize(
    ("terms", "members", "seats", "tricks", "is_over"),
    [
        (POLE_TERMS, "abcd", "abcd", (), False),
        (POLE_GAME_TERMS, "abcde", "abcd", (), False),
        (POLE_GAME_TERMS, "abcde", "abcd", (8,), False),
        (POLE_TERMS, "abcde", "abcd", (13,), False),
        (POLE_TERMS, "abcde", "abcd", (13, 13), True),
        (POLE_GAME_TERMS, "abcde", "abcd", (13,), True),
        (POLE_GAME_TERMS, "abcd", "abcd", (13,), False),
        (POLE_GAME_TERMS, "abc", "a0bc", (13,), False),
        (POLE_GAME_TERMS, "abcd", "a0bc", (13,), True),
        (LEAGUE_TERMS, "abcde", "abcd", (13,), True),
        (LEAGUE_TERMS, "abcd", "abcd", (13,), False),
        (LEAGUE_TERMS, "abc", "a0bc", (13,), True),
    ],
)
def test_spell_ends_after_a_game_only_if_someone_waits_or_a_dummy_moves(
    terms, members, seats, tricks, is_over
):
    night = build_night(members, seats, *tricks, terms=terms)
    hands = score_hands(terms, night.spells[0].hands).hands
    assert is_spell_over(night, hands[-1] if hands else None) is is_over


def test_nobody_leaves_until_the_cut_for_leaving_is_decided():
    night = build_night("abcde", "abcd", 13, 13)
    assert decide_seating(night, Cuts()) == Seating(
        seats=None,
        dealer="",
        leaving_members=(),
        cut_purpose=CutPurpose.OUT,
        players_to_cut=("a", "b", "c", "d"),
    )
    after_cut = decide_seating(night, Cuts(leaving_cuts=({"a": 5, "b": 9, "c": 12, "d": 1},)))
    assert after_cut == Seating(
        seats=None,
        dealer="",
        leaving_members=(LeavingMember("c", 1, True),),
        cut_purpose=CutPurpose.IN,
        players_to_cut=("a", "b", "d", "e"),
    )


@pytest.mark.parametrize(
    ("fourth_member", "seats"),
    [
        ((), ("b", DUMMY_NAME, "c", "a")),
        ((TableMembership("d", first_spell_number=3),), ("b", DUMMY_NAME, "c", "a")),
        ((TableMembership("d", first_spell_number=2),), None),
        (
            (TableMembership("d", first_spell_number=1, last_spell_number=1),),
            ("b", DUMMY_NAME, "c", "a"),
        ),
    ],
)
def test_dummy_moves_to_next_player_unless_someone_joins_for_next_spell(fourth_member, seats):
    night = build_night([*"abc", *fourth_member], "a0bc", 13, 13)
    assert find_next_dummy_seats(night) == seats


def test_dummy_does_not_move_if_a_player_leaves_after_the_spell():
    members = [*"ab", TableMembership("c", last_spell_number=1)]
    assert find_next_dummy_seats(build_night(members, "a0bc", 13, 13)) is None
    members = [*"ab", TableMembership("c", last_spell_number=2)]
    assert find_next_dummy_seats(build_night(members, "a0bc", 13, 13)) == (
        "b",
        DUMMY_NAME,
        "c",
        "a",
    )
    assert find_next_dummy_seats(build_night("abcd", "abcd", 13, 13)) is None
    assert find_next_dummy_seats(build_night("abc")) is None


def test_cuts_of_a_draw_are_reproducible_from_secret_and_label():
    night = build_night("abcde", "abcd", 13, 13)
    seating, cuts = decide_seats_by_draw(night, b"sealed", DRAW_LABEL)
    assert cuts.leaving_cuts[0] == draw_cards(b"sealed", f"{DRAW_LABEL}:out:1", "abcd")
    leaving_player = seating.leaving_members[0].player_key
    remaining_players = [name for name in "abcde" if name != leaving_player]
    assert cuts.seat_cuts[0] == draw_cards(b"sealed", f"{DRAW_LABEL}:in:1", remaining_players)
    partnerships = decide_seats(remaining_players, cuts.seat_cuts).partnerships
    assert seating.seats == tuple(name for pair in partnerships for name in pair)


def test_second_cut_of_a_draw_uses_label_number_two():
    night = build_night("abcd")
    secret = next(
        secret
        for secret in (str(number).encode() for number in range(100))
        if decide_seats(
            "abcd", [draw_cards(secret, f"{DRAW_LABEL}:in:1", "abcd")]
        ).players_to_cut
    )
    seating, cuts = decide_seats_by_draw(night, secret, DRAW_LABEL)
    first_cut = draw_cards(secret, f"{DRAW_LABEL}:in:1", "abcd")
    tied_players = decide_seats("abcd", [first_cut]).players_to_cut
    second_cut = draw_cards(secret, f"{DRAW_LABEL}:in:2", tied_players)
    assert cuts.seat_cuts[:2] == (first_cut, second_cut)
    assert seating.players_to_cut == ()
