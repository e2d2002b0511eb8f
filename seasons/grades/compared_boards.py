"""The boards of events whose results are compared, for personal statistics and for grades."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import NamedTuple

from boards.models import Board
from scoring.methods import plus_minus
from scoring.models import Outcome, Result, Ruling
from scoring.standings_engine.result_lines import PlayKey, load_tally
from seasons.grades.cells import UNKNOWN_TRUMP, EntryBoard
from tournaments.models import Event, Session, Sitting

COMPARED_CONTESTS = (Event.Contest.PAIRS, Event.Contest.INDIVIDUAL)
"""The contests in which all players of an entry play in the same direction at one table.

A team, by contrast, has two players in each direction, at two tables.
"""


class PlayedBoard(NamedTuple):
    """A stored result of a board, with the entries in the four seats."""

    ns_tricks: int
    north: int | None
    south: int | None
    east: int | None
    west: int | None


def iter_plays_by_board(events: Collection[int]) -> Iterable[tuple[int, list[PlayedBoard]]]:
    """Yield the results of each board that are compared with one another, in two queries.

    Each item is the event's primary key with the results of one board. If sections are ranked
    separately, each section has its own item. A board with a ruling in force is left out.
    """
    rulings = Ruling.objects.in_force().filter(session__event__in=events, result__isnull=False)
    ruled = {
        (number, 0 if is_across else section, board)
        for number, is_across, section, board in rulings.values_list(
            *("session", "session__across_sections", "result__sitting__section"),
            "result__board",
        )
    }
    sitting, session = "sitting__", "sitting__section__session"
    rows = Result.objects.filter(
        sitting__section__session__event__in=events,
        outcome=Outcome.PLAYED,
        ns_tricks__isnull=False,
    ).values_list(
        *(f"{session}__event", session, "sitting__section", f"{session}__across_sections"),
        *("board", "ns_tricks"),
        *(f"{sitting}{seat}__entry" for seat in ("north", "south", "east", "west")),
    )
    boards: dict[tuple[int, int, int, int], list[PlayedBoard]] = defaultdict(list)
    for event, number, section, is_across, board, tricks, *seats in rows:
        field = 0 if is_across else section
        if (number, field, board) not in ruled:
            place = event, number, field, board
            north, south, east, west = seats
            boards[place].append(PlayedBoard(tricks, north, south, east, west))
    return ((event, plays) for (event, *_place), plays in boards.items())


def compute_entry_boards(event: Event) -> dict[int, list[EntryBoard]]:
    """Return the values of each entry's boards in an event, by entry primary key.

    Boards and rulings are those of the standings. The values of an entry add up to its
    published plus/minus, without penalties and carry-over. The result is empty if the event is
    scored by points, because values are in tricks.
    """
    boards_by_entry: dict[int, list[EntryBoard]] = defaultdict(list)
    if event.is_scored_in_points:
        return boards_by_entry
    seats = _load_seats(event)
    trumps = _load_trumps(event)
    for pool in load_tally(event).pools.values():
        line_values = plus_minus.list_line_values(pool.lines)
        for play, (ns, ew) in zip(pool.plays, line_values, strict=True):
            north, south, east, west = seats[play[0]]
            trump = trumps.get(play, UNKNOWN_TRUMP)
            for names, sat, above in (("NS", (north, south), ns), ("EW", (east, west), ew)):
                for entry, entry_board in _iter_side_boards(names, sat, above, trump):
                    boards_by_entry[entry].append(entry_board)
    return boards_by_entry


def _load_seats(event: Event) -> dict[int, tuple[int | None, ...]]:
    """Return the entries in the seats North, South, East and West, by sitting."""
    rows = Sitting.objects.filter(section__session__event=event).values_list(
        "pk", *(f"{seat}__entry" for seat in ("north", "south", "east", "west"))
    )
    return {pk: tuple(seats) for pk, *seats in rows}


def _load_trumps(event: Event) -> dict[PlayKey, str]:
    """Return the trump suit of each play: the suit entered at the table, or the board's turn-
    up.
    """
    turn_ups = _load_turn_ups([event.pk])
    rows = Result.objects.filter(sitting__section__session__event=event).order_by("deal")
    columns = ("sitting", "board", "trump", "sitting__section__session__board_set")
    return {
        (sitting, board): trump or turn_ups.get((board_set, board), UNKNOWN_TRUMP)
        for sitting, board, trump, board_set in rows.values_list(*columns)
    }


def _iter_side_boards(
    names: str, seats: tuple[int | None, int | None], above: Fraction, trump: str
) -> Iterable[tuple[int, EntryBoard]]:
    """Yield the entries of one side with the value of the board.

    In a pairs event this is one entry of two people, in an individual event two entries.
    """
    one, other = seats
    if one is not None and (one == other or other is None):
        yield one, EntryBoard(above, names, trump)
    elif one is not None and other is not None:
        yield one, EntryBoard(above, names[0], trump, partner=other)
        yield other, EntryBoard(above, names[1], trump, partner=one)


def _load_turn_ups(events: Collection[int]) -> dict[tuple[int, int], str]:
    """Return the suit of each turn-up, by board set and board number.

    Board sets with a session that is not closed are left out, because their boards are secret.
    """
    open_ones = Session.objects.exclude(state=Session.State.CLOSED).exclude(board_set=None)
    sets = Session.objects.filter(event__in=events).exclude(board_set=None)
    sets = sets.exclude(board_set__in=open_ones.values("board_set"))
    boards = Board.objects.filter(board_set__in=sets.values("board_set"), is_taken_back=False)
    rows = boards.order_by("version").values_list("board_set", "number", "turn_up")
    return {(board_set, number): turn_up[0] for board_set, number, turn_up in rows if turn_up}
