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

SAME_DIRECTION_CONTESTS = (Event.Contest.PAIRS, Event.Contest.INDIVIDUAL)
"""The contests in which all players of an entry play in the same direction at one table.

A team is different: a team has two players in each direction, at two tables.
"""


class PlayedBoard(NamedTuple):
    """A stored result of a board, with the entries in the four seats."""

    ns_tricks: int
    north_entry_pk: int | None
    south_entry_pk: int | None
    east_entry_pk: int | None
    west_entry_pk: int | None


def iter_plays_by_board(event_pks: Collection[int]) -> Iterable[tuple[int, list[PlayedBoard]]]:
    """Yield the results that are compared with one another, board by board, in two queries.

    Each item is the event's primary key with the results of one board. If sections are ranked
    separately, each section has its own item. A board with a ruling in force is left out.
    """
    rulings = Ruling.objects.exclude_withdrawn().filter(
        session__event__in=event_pks, result__isnull=False
    )
    board_keys_with_ruling = {
        (session_pk, 0 if is_ranked_across else section_pk, board_number)
        for session_pk, is_ranked_across, section_pk, board_number in rulings.values_list(
            *("session", "session__across_sections", "result__sitting__section"),
            "result__board",
        )
    }
    sitting_path, session_path = "sitting__", "sitting__section__session"
    result_rows = Result.objects.filter(
        sitting__section__session__event__in=event_pks,
        outcome=Outcome.PLAYED,
        ns_tricks__isnull=False,
    ).values_list(
        *(
            f"{session_path}__event",
            session_path,
            "sitting__section",
            f"{session_path}__across_sections",
        ),
        *("board", "ns_tricks"),
        *(f"{sitting_path}{seat}__entry" for seat in ("north", "south", "east", "west")),
    )
    plays_by_board: dict[tuple[int, int, int, int], list[PlayedBoard]] = defaultdict(list)
    for (
        event_pk,
        session_pk,
        section_pk,
        is_ranked_across_sections,
        board_number,
        tricks,
        *entry_pks,
    ) in result_rows:
        compared_section_pk = 0 if is_ranked_across_sections else section_pk
        if (session_pk, compared_section_pk, board_number) not in board_keys_with_ruling:
            board_key = event_pk, session_pk, compared_section_pk, board_number
            north_entry_pk, south_entry_pk, east_entry_pk, west_entry_pk = entry_pks
            plays_by_board[board_key].append(
                PlayedBoard(
                    tricks, north_entry_pk, south_entry_pk, east_entry_pk, west_entry_pk
                )
            )
    return ((event_pk, plays) for (event_pk, *_board_key), plays in plays_by_board.items())


def compute_entry_boards(event: Event) -> dict[int, list[EntryBoard]]:
    """Return the values of each entry's boards in an event, by entry primary key.

    Boards and rulings are those of the standings. The values of an entry add up to its
    published plus/minus, without penalties and carry-over. The result is empty if the event is
    scored by points, because values are in tricks.
    """
    boards_by_entry: dict[int, list[EntryBoard]] = defaultdict(list)
    if event.is_scored_in_points:
        return boards_by_entry
    seats_by_sitting = _load_seats(event)
    trumps_by_play = _load_trumps(event)
    for pool in load_tally(event).pools_by_key.values():
        line_values = plus_minus.list_line_values(pool.lines)
        for play_key, (ns_value, ew_value) in zip(pool.plays, line_values, strict=True):
            north_entry_pk, south_entry_pk, east_entry_pk, west_entry_pk = seats_by_sitting[
                play_key[0]
            ]
            trump = trumps_by_play.get(play_key, UNKNOWN_TRUMP)
            for direction, side_entry_pks, tricks_above_average in (
                ("NS", (north_entry_pk, south_entry_pk), ns_value),
                ("EW", (east_entry_pk, west_entry_pk), ew_value),
            ):
                for entry_pk, entry_board in _iter_side_boards(
                    direction, side_entry_pks, tricks_above_average, trump
                ):
                    boards_by_entry[entry_pk].append(entry_board)
    return boards_by_entry


def _load_seats(event: Event) -> dict[int, tuple[int | None, ...]]:
    """Return the entries in the seats North, South, East and West, by sitting."""
    sittings = Sitting.objects.filter(section__session__event=event).values_list(
        "pk", *(f"{seat}__entry" for seat in ("north", "south", "east", "west"))
    )
    return {sitting_pk: tuple(entry_pks) for sitting_pk, *entry_pks in sittings}


def _load_trumps(event: Event) -> dict[PlayKey, str]:
    """Return the trump suit of each play: the suit entered at the table, or the turn-up."""
    turn_up_by_board = _load_turn_ups([event.pk])
    results = Result.objects.filter(sitting__section__session__event=event).order_by("deal")
    columns = ("sitting", "board", "trump", "sitting__section__session__board_set")
    return {
        (sitting_pk, board_number): trump
        or turn_up_by_board.get((board_set_pk, board_number), UNKNOWN_TRUMP)
        for sitting_pk, board_number, trump, board_set_pk in results.values_list(*columns)
    }


def _iter_side_boards(
    direction: str,
    side_entry_pks: tuple[int | None, int | None],
    tricks_above_average: Fraction,
    trump: str,
) -> Iterable[tuple[int, EntryBoard]]:
    """Yield (entry key, board) for each entry of one side.

    In a pairs event a side is one entry of two people, in an individual event two entries.
    """
    first_entry_pk, second_entry_pk = side_entry_pks
    if first_entry_pk is not None and (
        first_entry_pk == second_entry_pk or second_entry_pk is None
    ):
        yield first_entry_pk, EntryBoard(tricks_above_average, direction, trump)
    elif first_entry_pk is not None and second_entry_pk is not None:
        yield (
            first_entry_pk,
            EntryBoard(
                tricks_above_average, direction[0], trump, partner_entry_pk=second_entry_pk
            ),
        )
        yield (
            second_entry_pk,
            EntryBoard(
                tricks_above_average, direction[1], trump, partner_entry_pk=first_entry_pk
            ),
        )


def _load_turn_ups(event_pks: Collection[int]) -> dict[tuple[int, int], str]:
    """Return the suit of each turn-up, by board set and board number.

    Board sets with a session that is not closed are left out, because their boards are secret.
    """
    open_sessions = Session.objects.exclude(state=Session.State.CLOSED).exclude(board_set=None)
    sessions_with_boards = Session.objects.filter(event__in=event_pks).exclude(board_set=None)
    sessions_with_boards = sessions_with_boards.exclude(
        board_set__in=open_sessions.values("board_set")
    )
    boards = Board.objects.filter(
        board_set__in=sessions_with_boards.values("board_set"), is_taken_back=False
    )
    turn_up_rows = boards.order_by("version").values_list("board_set", "number", "turn_up")
    return {
        (board_set_pk, board_number): turn_up[0]
        for board_set_pk, board_number, turn_up in turn_up_rows
        if turn_up
    }
