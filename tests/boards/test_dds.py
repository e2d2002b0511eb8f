"""The binding to DDS has the right files, errors and threads, and agrees with endplay."""

import ctypes
import importlib.util
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import dds, solver
from boards.whist import Card, Deal, Play, Rank, Seat, Side, Suit
from boards.whist.dealing import deal_board
from boards.whist.notation import format_hand, format_hands
from deploy import dds as renewal
from tests.solving import NEEDS_SOLVER

DEAL_STRATEGY = st.integers(1, 10_000).map(lambda number: deal_board(bytes(32), number))


def test_each_library_has_its_checksum() -> None:
    assert renewal.CHECKSUM_FILE.read_text("ascii") == renewal.list_checksums()
    assert set(renewal.PLATFORM_TAGS_BY_LIBRARY) == set(dds.LIBRARY_NAMES_BY_PLATFORM.values())


def test_library_of_this_system_is_the_one_in_the_endplay_wheel() -> None:
    spec = importlib.util.find_spec("endplay")
    path = dds.find_library()
    if spec is None or spec.origin is None or path is None:
        pytest.skip("needs endplay and a library for this system")
    (wheel_path,) = [
        file
        for file in (Path(spec.origin).parent / "_dds").iterdir()
        if file.suffix in (".so", ".dylib", ".dll")
    ]
    assert path.read_bytes() == wheel_path.read_bytes()


def test_unknown_system_has_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert dds.find_library() is None


def test_structures_have_the_sizes_of_the_c_header() -> None:
    """The sizes are counted from dll.h of DDS 2.9.0, where int has four bytes."""
    assert ctypes.sizeof(dds.futureTricks) == 4 * (2 + 4 * 13)
    assert ctypes.sizeof(dds.dealPBN) == 4 * 8 + 80
    assert ctypes.sizeof(dds.boardsPBN) == 4 + 200 * (112 + 3 * 4)
    assert ctypes.sizeof(dds.ddTablesRes) == 4 + 200 * 80
    assert ctypes.sizeof(dds.allParResults) == 40 * (2 * 16 + 2 * 128)


@NEEDS_SOLVER
def test_library_error_raises_an_exception(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)  # DDS writes dump.txt on such an error
    hands_with_duplicates = (
        "N:AKQJT98765432... AKQJT98765432... ..AKQJT98765432. ...AKQJT98765432"
    )
    with pytest.raises(dds.DDSError, match="Cards duplicated"):
        dds.solve_boards([(hands_with_duplicates, 0, 4)], dds.SOLVE_ALL_CARDS, thread_count=1)
    with pytest.raises(dds.DDSError, match="Wrong number of remaining cards"):
        dds.compute_best_play_tables(["nothing"], thread_count=1)


@NEEDS_SOLVER
def test_concurrent_threads_get_their_own_answers() -> None:
    batches = [[deal_board(bytes([byte] * 32), n) for n in range(1, 5)] for byte in range(4)]
    sequential_tricks = [solver.compute_best_tricks(batch, thread_count=1) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        actual = pool.map(solver.compute_best_tricks, batches * 3)
    assert list(actual) == sequential_tricks * 3


@NEEDS_SOLVER
@settings(max_examples=5, deadline=None)
@given(deal=DEAL_STRATEGY)
def test_endplay_gives_the_same_tricks_for_each_lead(deal: Deal) -> None:
    endplay_tricks = solve_with_endplay(format_hands(deal), deal.leader, deal.trumps)
    ns = {
        card: tricks if deal.leader.side is Side.NS else 13 - tricks
        for card, tricks in endplay_tricks.items()
    }
    assert solver.compute_tricks_by_lead([deal]) == [ns]
    choose_best = max if deal.leader.side is Side.NS else min
    assert solver.compute_best_tricks([deal]) == [choose_best(ns.values())]


@NEEDS_SOLVER
@settings(max_examples=2, deadline=None)
@given(deal=DEAL_STRATEGY)
def test_endplay_gives_the_same_table(deal: Deal) -> None:
    endplay = pytest.importorskip("endplay", reason="compares with endplay")
    endplay_table = endplay.calc_dd_table(endplay.Deal(format_hands(deal)))
    assert solver.compute_best_play_tables([deal]) == [
        {
            (seat, word): endplay_table[
                endplay.Denom.find(word), endplay.Player.find(seat.value)
            ]
            for seat in Seat
            for word in solver.DENOMINATIONS
        }
    ]


@NEEDS_SOLVER
@settings(max_examples=3, deadline=None)
@given(deal=DEAL_STRATEGY, tricks=st.integers(1, 12))
def test_endplay_gives_the_same_tricks_in_the_middle_of_play(deal: Deal, tricks: int) -> None:
    play = Play(deal)
    for _ in range(4 * tricks):
        play = play.play(min(play.list_legal_cards()))
    assert play.turn is not None
    text = "N:" + " ".join(format_hand(play.get_remaining_hand(seat)) for seat in Seat)
    leader_tricks = max(solve_with_endplay(text, play.turn, deal.trumps).values())
    tricks_left = 13 - tricks
    ns = leader_tricks if play.turn.side is Side.NS else tricks_left - leader_tricks
    assert solver.compute_tricks_in_play(play)[-1] == play.tricks_won[Side.NS] + ns


def solve_with_endplay(hands: str, leader: Seat, trumps: Suit | None) -> dict[Card, int]:
    """Solve a position with endplay; return the tricks of the leader's side for each lead."""
    endplay = pytest.importorskip("endplay", reason="compares with endplay")
    position = endplay.Deal(hands)
    position.first = endplay.Player.find(leader.value)
    position.trump = endplay.Denom.find(trumps.value if trumps else "NT")
    return {
        Card(Suit(lead.suit.name[0].upper()), Rank(lead.rank.value.bit_length() - 1)): tricks
        for lead, tricks in endplay.solve_board(position)
    }
