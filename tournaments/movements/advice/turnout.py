"""The known facts of an evening: the entries, the given limits, and what clubs usually play."""

from dataclasses import dataclass

from tournaments.movements.systems.system import Unit

USUAL_BOARDS = 24  # "twenty-four trays or as few above as possible": Knickerbocker Whist Club
MOST_BOARDS = 28  # from here on: usual limits of a club's evening
MOST_MINUTES = 210
MOST_ROUNDS = 13
MOST_BOARDS_A_ROUND = 8
MINUTES_A_BOARD = 7  # docs/decisions/0038; the round clock suggests the same
MINUTES_A_MOVE = 2
SECTION_TABLES = 15  # with more the walks are too long and announcements hard to hear
CUT_TABLES = 18  # the most tables of one section in a Mitchell that stops early
MOST_SECTIONS = 10  # one letter each


@dataclass(frozen=True, slots=True, kw_only=True)
class Turnout:
    """The director's data: `count` entries of a `unit`, and the limits.

    `boards` is the most that one competitor may play, `boards_at_hand` how many different
    boards there are, `sets` in how many copies each is available. `rounds` is a requested
    number of rounds. None means no limit; for `sections`, that the best number may play.
    """

    unit: Unit
    count: int
    boards: int | None = None
    minutes: int | None = None
    boards_at_hand: int | None = None
    stationary: int = 0
    winners: int | None = None
    rounds: int | None = None
    sets: int = 1
    sections: int | None = None
    most_tables: int | None = None
    systems: frozenset[str] | None = None
    late_pair: bool = False
    clubs: bool = False

    @property
    def usual_boards(self) -> int | None:
        """The most boards of a usual evening, unless boards or more time were given."""
        longer = self.minutes is not None and self.minutes > MOST_MINUTES
        return MOST_BOARDS if self.boards is None and not longer else None

    @property
    def usual_minutes(self) -> int | None:
        """The length of a usual evening, unless minutes or more boards were given."""
        longer = self.boards is not None and self.boards > MOST_BOARDS
        return MOST_MINUTES if self.minutes is None and not longer else None

    @property
    def usual_rounds(self) -> int | None:
        """The most rounds of a usual evening, unless a number was given."""
        return MOST_ROUNDS if self.rounds is None else None


def minutes_of(rounds: int, boards_a_round: int) -> int:
    """Return how long a session takes: its boards, and the moves between its rounds."""
    return rounds * boards_a_round * MINUTES_A_BOARD + (rounds - 1) * MINUTES_A_MOVE


def tables_of(unit: Unit, count: int) -> int:
    """Return the number of tables for `count` pairs, players or teams.

    A team counts as one table, because its two pairs each take half of a table.
    """
    seats = {Unit.PAIRS: 2, Unit.PLAYERS: 4}.get(unit, 1)
    return -(-count // seats)
