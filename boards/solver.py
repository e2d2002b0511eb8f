"""The double-dummy solver, which computes a deal's tricks with best play by all players."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

from django.utils.translation import gettext as _

from boards import dds
from boards.whist import Card, Deal, Play, Rank, Seat, Side, Suit, WhistError
from boards.whist.notation import format_hand, format_hands

POSITIONS_PER_CALL = dds.MAXNOOFBOARDS
"""The maximum number of positions in one call of DDS."""

BEST_PLAY_TABLES_PER_CALL = 32
"""The number of best-play tables computed in one call; DDS accepts up to 40."""

DENOMINATIONS = ("NT", *Suit)
"""The possible trumps in bridge programs: no trump or a suit."""

BestPlayTableCell = tuple[Seat, str]
"""The key of a best-play table's cell: the seat whose side makes the tricks, and the trumps."""


class SolverMissing(WhistError):
    """The solver is not installed, or its library cannot be loaded."""

    code = "solver_missing"


def is_available() -> bool:
    """Return whether this system has a solver and can load it."""
    try:
        dds.load_library()
    except OSError:
        return False
    return True


def get_missing_solver_message() -> str:
    """Return the message that no solver is installed, or "" if one is available."""
    return "" if is_available() else _get_missing_solver_text()


def compute_best_tricks(deals: Sequence[Deal], *, thread_count: int | None = None) -> list[int]:
    """Return N/S's tricks on each deal, 0 to 13, with best play by all players.

    The player on the dealer's left leads, and the turn-up's suit is trumps. If `thread_count`
    is None, all cores are used. All functions of this module raise SolverMissing if the solver
    is missing.
    """
    solutions = _iter_solutions(
        map(_build_start_position, deals), dds.SOLVE_BEST_CARD, thread_count
    )
    return [
        _convert_to_ns_tricks(deal, max(tricks for _, tricks in solution))
        for deal, solution in zip(deals, solutions, strict=True)
    ]


def compute_tricks_by_lead(
    deals: Sequence[Deal], *, thread_count: int | None = None
) -> list[dict[Card, int]]:
    """Return N/S's tricks with best play after each possible opening lead, for each deal."""
    solutions = _iter_solutions(
        map(_build_start_position, deals), dds.SOLVE_ALL_CARDS, thread_count
    )
    return [
        {card: _convert_to_ns_tricks(deal, tricks) for card, tricks in sorted(solution)}
        for deal, solution in zip(deals, solutions, strict=True)
    ]


def compute_best_play_tables(
    deals: Sequence[Deal], *, thread_count: int | None = None
) -> list[dict[BestPlayTableCell, int]]:
    """Return the best-play table of each deal: each seat's tricks in each suit and no trump.

    The player on the seat's left leads, as if the seat had dealt. Bridge programs read these
    twenty numbers. For whist, best play is the dealer's number in the turn-up's suit.
    """
    best_play_tables: list[dict[BestPlayTableCell, int]] = []
    remaining_deals = iter(deals)
    while deal_texts := [
        format_hands(deal) for deal in islice(remaining_deals, BEST_PLAY_TABLES_PER_CALL)
    ]:
        with _convert_missing_solver_error():
            trick_tables = dds.compute_best_play_tables(
                deal_texts, _choose_thread_count(thread_count)
            )
        best_play_tables += [
            {
                (seat, denomination): trick_table[dds.STRAINS.index(denomination)][seat_index]
                for seat_index, seat in enumerate(Seat)
                for denomination in DENOMINATIONS
            }
            for trick_table in trick_tables
        ]
    return best_play_tables


def compute_tricks_in_play(play: Play, *, thread_count: int | None = None) -> list[int]:
    """Return N/S's total tricks with best play from the start and after each complete trick.

    The first number assumes best play in all thirteen tricks. Each further number is the
    tricks already won in `play` plus the tricks that best play would win in the rest.
    """
    trick_start_indexes = [start for start in range(0, len(play.cards) + 1, 4) if start < 52]
    partial_plays = [Play(play.deal, play.cards[:start]) for start in trick_start_indexes]
    solutions = _iter_solutions(
        [_build_current_position(partial_play) for partial_play in partial_plays],
        dds.SOLVE_BEST_CARD,
        thread_count,
    )
    ns_trick_totals = []
    for partial_play, solution in zip(partial_plays, solutions, strict=True):
        assert partial_play.turn is not None
        leader_tricks = max(tricks for _, tricks in solution)
        tricks_left = 13 - len(partial_play.cards) // 4
        remaining_ns_tricks = (
            leader_tricks if partial_play.turn.side is Side.NS else tricks_left - leader_tricks
        )
        ns_trick_totals.append(partial_play.tricks_won[Side.NS] + remaining_ns_tricks)
    return [*ns_trick_totals, play.tricks_won[Side.NS]] if play.is_over else ns_trick_totals


def _iter_solutions(
    positions: Iterable[dds.Position],
    target_and_solutions: tuple[int, int],
    thread_count: int | None,
) -> Iterator[list[tuple[Card, int]]]:
    """Yield the possible cards of each position, with the tricks of the leader's side."""
    remaining_positions = iter(positions)
    while batch := list(islice(remaining_positions, POSITIONS_PER_CALL)):
        with _convert_missing_solver_error():
            solved_positions = dds.solve_boards(
                batch, target_and_solutions, _choose_thread_count(thread_count)
            )
        for solution in solved_positions:
            yield [(Card(Suit(suit), Rank(rank)), tricks) for suit, rank, tricks in solution]


def _choose_thread_count(thread_count: int | None) -> int:
    return thread_count or os.cpu_count() or 1


@contextmanager
def _convert_missing_solver_error() -> Iterator[None]:
    """Raise SolverMissing for an OSError in the `with` block, caused by a missing library."""
    try:
        yield
    except OSError as problem:
        raise SolverMissing(_get_missing_solver_text()) from problem


def _get_missing_solver_text() -> str:
    return _("Best play needs the solver, which isn’t installed on this computer.")


def _build_start_position(deal: Deal) -> dds.Position:
    return _build_position(format_hands(deal), deal.leader, deal.trumps)


def _build_current_position(play: Play) -> dds.Position:
    assert play.turn is not None
    hands_text = " ".join(format_hand(play.get_remaining_hand(seat)) for seat in Seat)
    return _build_position(f"{Seat.NORTH}:{hands_text}", play.turn, play.deal.trumps)


def _build_position(hands_text: str, leader: Seat, trumps: Suit | None) -> dds.Position:
    return hands_text, list(Seat).index(leader), dds.STRAINS.index(trumps or "NT")


def _convert_to_ns_tricks(deal: Deal, leader_tricks: int) -> int:
    return leader_tricks if deal.leader.side is Side.NS else 13 - leader_tricks
