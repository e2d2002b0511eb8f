"""Best play, compared with deals counted by hand and with Pole's hands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from boards.solver import (
    compute_best_tricks,
    compute_tables,
    compute_tricks_by_lead,
    compute_tricks_in_play,
)
from boards.whist import CARDS_BY_CODE, Card, Play, Seat, Side
from boards.whist.dealing import deal_board, get_deal
from boards.whist.notation import read_deal
from boards.worked_hands import read_worked_hands
from tests.solving import NEEDS_SOLVER

pytestmark = NEEDS_SOLVER
EACH_A_SUIT = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


@pytest.mark.parametrize(
    ("dealer", "turn_up", "ns"),
    [("N", "SA", 13), ("E", "H2", 0), ("S", "D7", 13), ("W", "CK", 0)],
)
def test_whoever_holds_all_trumps_takes_all_tricks(dealer, turn_up, ns):
    deal = read_deal(EACH_A_SUIT, Seat(dealer), Card.parse(turn_up))
    assert compute_best_tricks([deal]) == [ns]
    assert set(compute_tricks_by_lead([deal])[0].values()) == {ns}


def test_every_lead_is_weighed_and_the_best_is_best_play():
    deals = [deal_board(bytes(32), number) for number in range(1, 5)]
    for deal, best_trick, leads in zip(
        deals, compute_best_tricks(deals), compute_tricks_by_lead(deals), strict=True
    ):
        assert leads.keys() == deal.hands[deal.leader]
        chosen = max if deal.leader.side is Side.NS else min
        assert best_trick == chosen(leads.values())


def test_a_table_of_solved_deals():
    deals = [deal_board(bytes(32), number) for number in range(1, 25)]
    assert compute_best_tricks(deals, threads=1) == [
        12, 4, 12, 5, 8, 4, 8, 12, 4, 5, 6, 8, 11, 9, 7, 5, 5, 6, 6, 3, 4, 4, 3, 11,
    ]  # fmt: skip


def test_more_boards_than_one_call_takes_are_solved_in_turn():
    easy = get_deal(0, Seat.NORTH)
    assert compute_best_tricks([easy] * 401) == [13] * 401
    assert compute_best_tricks([]) == []


def test_leads_come_as_a_hand_is_written_and_differ_where_one_gives_a_trick_away():
    tricks_by_lead = compute_tricks_by_lead(
        [deal_board(bytes(32), number) for number in range(1, 9)]
    )
    assert all(list(leads) == sorted(leads) for leads in tricks_by_lead)
    assert any(len(set(leads.values())) > 1 for leads in tricks_by_lead)


def read_pole_plays():
    golden = Path(__file__).parents[1] / "golden" / "boards" / "pole_hands.json"
    for hand in json.loads(golden.read_text())["hands"]:
        deal = read_deal(hand["deal"], Seat(hand["dealer"]), Card.parse(hand["turn_up"]))
        yield Play.of(
            deal, [CARDS_BY_CODE[code] for trick in hand["tricks"] for code in trick.split()]
        )


def test_best_play_from_each_trick_on_begins_at_the_deal_and_ends_at_the_result():
    for play in read_pole_plays():
        tricks = compute_tricks_in_play(play)
        assert len(tricks) == 14
        assert tricks[0] == compute_best_tricks([play.deal])[0]
        assert tricks[13] == play.won[Side.NS]


@pytest.mark.parametrize("hand", read_worked_hands().values(), ids=lambda hand: hand.slug)
def test_the_best_play_told_beside_a_worked_hand_is_what_the_solver_finds(hand):
    assert list(hand.best) == compute_tricks_in_play(hand.play)
    assert len(hand.best) == len(hand.play.tricks) + 1


def test_a_trick_changes_best_play_only_by_what_somebody_gave_away():
    deal = deal_board(bytes(32), 3)
    play = Play(deal)
    while not play.is_over:  # the lowest legal card each time: many tricks are given away
        play = play.play(max(play.legal()))
    tricks = compute_tricks_in_play(play)
    assert len(set(tricks)) > 1
    assert tricks[-1] == play.won[Side.NS]
    assert compute_tricks_in_play(Play(deal, play.cards[:9])) == tricks[:3]


def test_nothing_of_the_solver_is_loaded_until_it_is_asked():
    code = "import boards.solver as s, sys; sys.exit(s.dds.load_library.cache_info().currsize)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_whole_table_holds_best_play_of_the_whist_deal_in_one_of_its_cells():
    deals = [deal_board(bytes(32), number) for number in range(1, 5)]
    for deal, table, ns in zip(
        deals, compute_tables(deals), compute_best_tricks(deals), strict=True
    ):
        assert len(table) == 20
        dealers = table[deal.dealer, deal.trumps]
        assert dealers == (ns if deal.dealer.side is Side.NS else 13 - ns)


def test_whoever_holds_a_whole_suit_takes_all_tricks_with_it_as_trumps():
    deal = read_deal(EACH_A_SUIT, Seat.NORTH, CARDS_BY_CODE["SA"])
    table = compute_tables([deal] * 33)[32]
    for seat in Seat:
        assert [table[seat, suit] for suit in "SHDC"] == (
            [13, 0, 13, 0] if seat.side is Side.NS else [0, 13, 0, 13]
        )
        assert table[seat, "NT"] == 0  # each side has one complete suit
