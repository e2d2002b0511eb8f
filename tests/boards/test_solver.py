"""Best play, held to deals that can be counted by hand and to Pole's hands."""

import subprocess
import sys

import pytest

from boards.solver import best_tricks, tricks_by_lead
from boards.whist import Card, Seat, Side
from boards.whist.dealing import deal_at, make_deal
from boards.whist.notation import read_deal

EACH_A_SUIT = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


@pytest.mark.parametrize(
    ("dealer", "turn_up", "ns"),
    [("N", "SA", 13), ("E", "H2", 0), ("S", "D7", 13), ("W", "CK", 0)],
)
def test_whoever_holds_all_trumps_takes_all_tricks(dealer, turn_up, ns):
    deal = read_deal(EACH_A_SUIT, Seat(dealer), Card.parse(turn_up))
    assert best_tricks([deal]) == [ns]
    assert set(tricks_by_lead([deal])[0].values()) == {ns}


def test_every_lead_is_weighed_and_the_best_is_best_play():
    deals = [make_deal(bytes(32), number) for number in range(1, 5)]
    for deal, best, leads in zip(deals, best_tricks(deals), tricks_by_lead(deals), strict=True):
        assert leads.keys() == deal.hands[deal.leader]
        chosen = max if deal.leader.side is Side.NS else min
        assert best == chosen(leads.values())


def test_a_table_of_solved_deals():
    deals = [make_deal(bytes(32), number) for number in range(1, 25)]
    assert best_tricks(deals, threads=1) == [
        12, 4, 12, 5, 8, 4, 8, 12, 4, 5, 6, 8, 11, 9, 7, 5, 5, 6, 6, 3, 4, 4, 3, 11,
    ]  # fmt: skip


def test_more_boards_than_one_call_takes_are_solved_in_turn():
    easy = deal_at(0, Seat.NORTH)
    assert best_tricks([easy] * 401) == [13] * 401
    assert best_tricks([]) == []


def test_leads_come_as_a_hand_is_written_and_differ_where_one_gives_a_trick_away():
    found = tricks_by_lead([make_deal(bytes(32), number) for number in range(1, 9)])
    assert all(list(leads) == sorted(leads) for leads in found)
    assert any(len(set(leads.values())) > 1 for leads in found)


def test_nothing_of_the_solver_is_loaded_until_it_is_asked():
    code = "import boards.solver, sys; sys.exit('endplay' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
