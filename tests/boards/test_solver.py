"""Compare best play with deals analysed by hand and with Pole's hands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from boards.solver import (
    compute_best_play_tables,
    compute_best_tricks,
    compute_tricks_by_lead,
    compute_tricks_in_play,
)
from boards.whist import CARDS_BY_CODE, Card, Play, Seat, Side
from boards.whist.dealing import deal_board, get_deal
from boards.whist.notation import read_deal
from boards.worked_hands import read_worked_hands
from tests.solving import NEEDS_SOLVER

pytestmark = NEEDS_SOLVER
ONE_SUIT_HANDS = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


@pytest.mark.parametrize(
    ("dealer", "turn_up", "ns"),
    [("N", "SA", 13), ("E", "H2", 0), ("S", "D7", 13), ("W", "CK", 0)],
)
def test_side_with_all_trumps_takes_all_tricks(dealer, turn_up, ns):
    deal = read_deal(ONE_SUIT_HANDS, Seat(dealer), Card.parse(turn_up))
    assert compute_best_tricks([deal]) == [ns]
    assert set(compute_tricks_by_lead([deal])[0].values()) == {ns}


def test_best_lead_gives_the_result_of_best_play():
    deals = [deal_board(bytes(32), number) for number in range(1, 5)]
    for deal, best_trick_count, leads in zip(
        deals, compute_best_tricks(deals), compute_tricks_by_lead(deals), strict=True
    ):
        assert leads.keys() == deal.hands[deal.leader]
        choose_best = max if deal.leader.side is Side.NS else min
        assert best_trick_count == choose_best(leads.values())


def test_known_deals_have_the_recorded_tricks():
    deals = [deal_board(bytes(32), number) for number in range(1, 25)]
    assert compute_best_tricks(deals, thread_count=1) == [
        12, 4, 12, 5, 8, 4, 8, 12, 4, 5, 6, 8, 11, 9, 7, 5, 5, 6, 6, 3, 4, 4, 3, 11,
    ]  # fmt: skip


def test_boards_beyond_the_limit_of_one_call_are_solved_in_batches():
    easy_deal = get_deal(0, Seat.NORTH)
    assert compute_best_tricks([easy_deal] * 401) == [13] * 401
    assert compute_best_tricks([]) == []


def test_leads_are_in_hand_order_and_can_differ_in_tricks():
    tricks_by_lead = compute_tricks_by_lead(
        [deal_board(bytes(32), number) for number in range(1, 9)]
    )
    assert all(list(leads) == sorted(leads) for leads in tricks_by_lead)
    assert any(len(set(leads.values())) > 1 for leads in tricks_by_lead)


def read_pole_plays():
    golden_path = Path(__file__).parents[1] / "golden" / "boards" / "pole_hands.json"
    for hand in json.loads(golden_path.read_text())["hands"]:
        deal = read_deal(hand["deal"], Seat(hand["dealer"]), Card.parse(hand["turn_up"]))
        yield Play.from_cards(
            deal, [CARDS_BY_CODE[code] for trick in hand["tricks"] for code in trick.split()]
        )


def test_best_play_by_trick_begins_at_the_deal_and_ends_at_the_result():
    for play in read_pole_plays():
        tricks = compute_tricks_in_play(play)
        assert len(tricks) == 14
        assert tricks[0] == compute_best_tricks([play.deal])[0]
        assert tricks[13] == play.tricks_won[Side.NS]


@pytest.mark.parametrize("hand", read_worked_hands().values(), ids=lambda hand: hand.slug)
def test_best_play_printed_for_a_worked_hand_is_what_the_solver_computes(hand):
    assert list(hand.best_play_trick_totals) == compute_tricks_in_play(hand.play)
    assert len(hand.best_play_trick_totals) == len(hand.play.tricks) + 1


def test_best_play_changes_only_by_tricks_that_are_given_away():
    deal = deal_board(bytes(32), 3)
    play = Play(deal)
    while not play.is_over:  # playing the lowest legal card gives away many tricks
        play = play.play(max(play.list_legal_cards()))
    tricks = compute_tricks_in_play(play)
    assert len(set(tricks)) > 1
    assert tricks[-1] == play.tricks_won[Side.NS]
    assert compute_tricks_in_play(Play(deal, play.cards[:9])) == tricks[:3]


def test_solver_library_is_not_loaded_on_import():
    code = "import boards.solver as s, sys; sys.exit(s.dds.load_library.cache_info().currsize)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_best_play_table_agrees_with_best_play_of_the_deal():
    deals = [deal_board(bytes(32), number) for number in range(1, 5)]
    for deal, table, ns in zip(
        deals, compute_best_play_tables(deals), compute_best_tricks(deals), strict=True
    ):
        assert len(table) == 20
        dealer_tricks = table[deal.dealer, deal.trumps]
        assert dealer_tricks == (ns if deal.dealer.side is Side.NS else 13 - ns)


def test_side_with_a_complete_suit_as_trumps_takes_all_tricks():
    deal = read_deal(ONE_SUIT_HANDS, Seat.NORTH, CARDS_BY_CODE["SA"])
    table = compute_best_play_tables([deal] * 33)[32]
    for seat in Seat:
        assert [table[seat, suit] for suit in "SHDC"] == (
            [13, 0, 13, 0] if seat.side is Side.NS else [0, 13, 0, 13]
        )
        assert table[seat, "NT"] == 0  # each side has one complete suit
