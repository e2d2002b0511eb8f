"""The Python binding of the C library DDS 2.9.0, a double-dummy solver.

DDS was written by Bo Haglund and Soren Hein.
"""

import ctypes
import platform
import sys
from collections.abc import Sequence
from ctypes import POINTER, byref, c_char, c_char_p, c_int
from functools import cache
from pathlib import Path
from threading import Lock

LIBRARY_FOLDER = Path(__file__).parent
LIBRARY_NAMES_BY_PLATFORM = {
    ("linux", "x86_64"): "dds-linux-x86_64.so",
    ("linux", "aarch64"): "dds-linux-aarch64.so",
    ("darwin", "x86_64"): "dds-macos-x86_64.dylib",
    ("darwin", "arm64"): "dds-macos-arm64.dylib",
    ("win32", "AMD64"): "dds-windows-x86_64.dll",
}
"""The name of the library file, by `sys.platform` and `platform.machine()`."""

STRAINS = ("S", "H", "D", "C", "NT")
"""The possible trumps, in the order of their indexes in DDS.

DDS numbers the hands from 0 in the order north, east, south, west.
"""

MAXNOOFBOARDS = 200
MAXNOOFTABLES = 40
SOLVE_ALL_CARDS, SOLVE_BEST_CARD = (0, 3), (-1, 1)
"""The values of (`target`, `solutions`) that solve every card, or only one best card."""

MODE_SEARCH_ALWAYS = 1
"""The value of `mode` that computes the tricks even if only one card can be played."""

RETURN_NO_FAULT = 1
NO_PAR = -1

Position = tuple[str, int, int]
"""A position to solve: the hands as PBN text, the leading hand's index, and the strain."""

Solution = list[tuple[str, int, int]]
"""The solution of a position, as (suit, rank from 2 to 14, tricks of the leader's side).

The list has one item for each card that can be played.
"""

_lock = Lock()
"""The lock around calls of DDS, because DDS uses global variables.

Each call begins with SetMaxThreads, which allocates the threads' memory.
"""


class DDSError(RuntimeError):
    """DDS returned an error code."""


class futureTricks(ctypes.Structure):
    _fields_ = [
        ("nodes", c_int),
        ("cards", c_int),
        ("suit", c_int * 13),
        ("rank", c_int * 13),
        ("equals", c_int * 13),
        ("score", c_int * 13),
    ]


class dealPBN(ctypes.Structure):
    _fields_ = [
        ("trump", c_int),
        ("first", c_int),
        ("currentTrickSuit", c_int * 3),
        ("currentTrickRank", c_int * 3),
        ("remainCards", c_char * 80),
    ]


class boardsPBN(ctypes.Structure):
    _fields_ = [
        ("noOfBoards", c_int),
        ("deals", dealPBN * MAXNOOFBOARDS),
        ("target", c_int * MAXNOOFBOARDS),
        ("solutions", c_int * MAXNOOFBOARDS),
        ("mode", c_int * MAXNOOFBOARDS),
    ]


class solvedBoards(ctypes.Structure):
    _fields_ = [("noOfBoards", c_int), ("solvedBoard", futureTricks * MAXNOOFBOARDS)]


class ddTableDealPBN(ctypes.Structure):
    _fields_ = [("cards", c_char * 80)]


class ddTableDealsPBN(ctypes.Structure):
    _fields_ = [
        ("noOfTables", c_int),
        ("deals", ddTableDealPBN * (MAXNOOFTABLES * len(STRAINS))),
    ]


class ddTableResults(ctypes.Structure):
    _fields_ = [("resTable", (c_int * 4) * len(STRAINS))]


class ddTablesRes(ctypes.Structure):
    _fields_ = [
        ("noOfBoards", c_int),
        ("results", ddTableResults * (MAXNOOFTABLES * len(STRAINS))),
    ]


class parResults(ctypes.Structure):
    _fields_ = [
        ("parScore", (c_char * 16) * 2),
        ("parContractsString", (c_char * 128) * 2),
    ]


class allParResults(ctypes.Structure):
    _fields_ = [("presults", parResults * MAXNOOFTABLES)]


def find_library() -> Path | None:
    """Return the path of the library for this system, or None if no library is available."""
    file_name = LIBRARY_NAMES_BY_PLATFORM.get((sys.platform, platform.machine()))
    return LIBRARY_FOLDER / file_name if file_name else None


@cache
def load_library() -> ctypes.CDLL:
    """Load the library once in each process, and return it.

    Raises OSError if no library is available or the system cannot load it.
    """
    if (path := find_library()) is None:
        raise OSError("no DDS library for this system")
    library = ctypes.CDLL(str(path))
    library.SetMaxThreads.argtypes = [c_int]
    library.SetMaxThreads.restype = None
    library.ErrorMessage.argtypes = [c_int, c_char_p]
    library.ErrorMessage.restype = None
    library.SolveAllBoards.argtypes = [POINTER(boardsPBN), POINTER(solvedBoards)]
    library.CalcAllTablesPBN.argtypes = [
        *(POINTER(ddTableDealsPBN), c_int, c_int * len(STRAINS)),
        *(POINTER(ddTablesRes), POINTER(allParResults)),
    ]
    return library


def solve_boards(
    positions: Sequence[Position], target_and_solutions: tuple[int, int], thread_count: int
) -> list[Solution]:
    """Return the solution of each position, in the given order.

    `positions` has at most MAXNOOFBOARDS items. `target_and_solutions` is SOLVE_ALL_CARDS or
    SOLVE_BEST_CARD. Raises DDSError if a position cannot be solved, and OSError if the library
    is missing.
    """
    if not positions:
        return []
    boards, solved_boards = boardsPBN(noOfBoards=len(positions)), solvedBoards()
    for index, (hands_text, leader_index, strain_index) in enumerate(positions):
        boards.deals[index].trump = strain_index
        boards.deals[index].first = leader_index
        boards.deals[index].remainCards = hands_text.encode("ascii")
        boards.target[index], boards.solutions[index] = target_and_solutions
        boards.mode[index] = MODE_SEARCH_ALWAYS
    library = load_library()
    with _lock:
        library.SetMaxThreads(thread_count)
        _raise_on_dds_error(
            library, library.SolveAllBoards(byref(boards), byref(solved_boards))
        )
    return [
        _convert_solution(solved_boards.solvedBoard[index]) for index in range(len(positions))
    ]


def compute_best_play_tables(
    hands_texts: Sequence[str], thread_count: int
) -> list[list[list[int]]]:
    """Return the tricks of each deal, as lists by strain that contain lists by declarer.

    `hands_texts` are up to MAXNOOFTABLES deals as PBN text. Raises DDSError or OSError like
    `solve_boards`.
    """
    deals, table_results = ddTableDealsPBN(noOfTables=len(hands_texts)), ddTablesRes()
    for index, hands_text in enumerate(hands_texts):
        deals.deals[index].cards = hands_text.encode("ascii")
    strain_filter = (c_int * len(STRAINS))()
    library = load_library()
    with _lock:
        library.SetMaxThreads(thread_count)
        _raise_on_dds_error(
            library,
            library.CalcAllTablesPBN(
                *(
                    byref(deals),
                    NO_PAR,
                    strain_filter,
                    byref(table_results),
                    byref(allParResults()),
                ),
            ),
        )
    return [
        [list(strain_tricks) for strain_tricks in table_results.results[index].resTable]
        for index in range(len(hands_texts))
    ]


def _raise_on_dds_error(library: ctypes.CDLL, return_code: int) -> None:
    if return_code != RETURN_NO_FAULT:
        message_buffer = ctypes.create_string_buffer(80)
        library.ErrorMessage(return_code, message_buffer)
        raise DDSError(
            f"DDS: {message_buffer.value.decode('ascii', 'replace')} ({return_code})"
        )


def _convert_solution(solution: futureTricks) -> Solution:
    """Return DDS's solution of one position as a list of (suit, rank, tricks).

    In `equals`, each bit is a lower card of the same suit that makes the same tricks.
    """
    card_results = []
    for index in range(solution.cards):
        rank_bits = solution.equals[index] | 1 << solution.rank[index]
        suit, tricks = STRAINS[solution.suit[index]], solution.score[index]
        card_results += [(suit, rank, tricks) for rank in range(2, 15) if rank_bits >> rank & 1]
    return card_results
