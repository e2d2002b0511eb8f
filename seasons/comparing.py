"""The boards of events as they were compared, each with its plays and whose seats they were."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import NamedTuple

from boards.models import Board
from scoring.models import Outcome, Result, Ruling
from seasons.figures.cells import UNKNOWN, Own
from tournaments.models import Event, Session

SEATED = (Event.Contest.PAIRS, Event.Contest.INDIVIDUAL)
"""Where an entry's side is its players' side; of a team only two sit on each."""


class PlayedBoard(NamedTuple):
    """One stored result, whose seats they were, and what was trumps as far as it is known."""

    ns_tricks: int
    north: int | None
    south: int | None
    east: int | None
    west: int | None
    trump: str


def plays_by_board(
    events: Collection[int], *, with_trumps: bool = False
) -> Iterable[tuple[int, list[PlayedBoard]]]:
    """Gather the plays of events that are compared with one another, by two queries or three.

    A board with a standing ruling is left out, where sections are ranked apart that of its
    section alone, and so are events that count points: these are comparisons of tricks.
    """
    rulings = Ruling.objects.in_force().filter(session__event__in=events, result__isnull=False)
    ruled = {
        (number, 0 if across else section, board)
        for number, across, section, board in rulings.values_list(
            *("session", "session__across_sections", "result__sitting__section"),
            "result__board",
        )
    }
    trumps = _turn_ups(events) if with_trumps else {}
    sitting, session = "sitting__", "sitting__section__session"
    rows = Result.objects.filter(
        sitting__section__session__event__in=events,
        outcome=Outcome.PLAYED,
        ns_tricks__isnull=False,
    ).values_list(
        *(f"{session}__event", session, "sitting__section", f"{session}__across_sections"),
        *(f"{session}__board_set", "board", "trump", "ns_tricks"),
        *(f"{sitting}{seat}__entry" for seat in ("north", "south", "east", "west")),
    )
    boards: dict[tuple[int, int, int, int], list[PlayedBoard]] = defaultdict(list)
    for event, number, section, across, board_set, board, trump, tricks, *seats in rows:
        field = 0 if across else section
        if (number, field, board) not in ruled:
            suit = trump or trumps.get((board_set, board), UNKNOWN)
            place = event, number, field, board
            north, south, east, west = seats
            boards[place].append(PlayedBoard(tricks, north, south, east, west, suit))
    return ((event, plays) for (event, *_place), plays in boards.items())


def own_boards(event: Event) -> dict[int, list[Own]]:
    """What each board of an event was to each entry that sat at it, by the entries' keys."""
    found: dict[int, list[Own]] = defaultdict(list)
    for _event, plays in plays_by_board([event.pk], with_trumps=True):
        average = Fraction(sum(play.ns_tricks for play in plays), len(plays))
        for play in plays:
            above = play.ns_tricks - average
            for names, seats, figure in (
                ("NS", (play.north, play.south), above),
                ("EW", (play.east, play.west), -above),
            ):
                for entry, own in _sat(names, seats, figure, play.trump):
                    found[entry].append(own)
    return found


def _sat(
    names: str, seats: tuple[int | None, int | None], above: Fraction, trump: str
) -> Iterable[tuple[int, Own]]:
    """Who sat on a side: one entry of two, or two entries of one each."""
    one, other = seats
    if one is not None and (one == other or other is None):
        yield one, Own(above, names, trump)
    elif one is not None and other is not None:
        yield one, Own(above, names[0], trump, partner=other)
        yield other, Own(above, names[1], trump, partner=one)


def _turn_ups(events: Collection[int]) -> dict[tuple[int, int], str]:
    """The suits turned up, where every session that plays the boards is closed."""
    open_ones = Session.objects.exclude(state=Session.State.CLOSED).exclude(board_set=None)
    sets = Session.objects.filter(event__in=events).exclude(board_set=None)
    sets = sets.exclude(board_set__in=open_ones.values("board_set"))
    boards = Board.objects.filter(board_set__in=sets.values("board_set"), is_taken_back=False)
    rows = boards.order_by("version").values_list("board_set", "number", "turn_up")
    return {(board_set, number): turn_up[0] for board_set, number, turn_up in rows if turn_up}
