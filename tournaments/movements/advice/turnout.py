"""The adviser's input: the number of entries, the director's limits, and usual limits."""

from dataclasses import dataclass

from tournaments.movements.systems.system import SizeUnit

USUAL_BOARD_COUNT = (
    24  # "twenty-four trays or as few above as possible": Knickerbocker Whist Club
)
# the usual limits of a club evening
USUAL_MAX_BOARDS_PER_SESSION = 28
USUAL_MAX_MINUTES = 210
USUAL_MAX_ROUNDS = 13
MAX_BOARDS_PER_ROUND = 8
MINUTES_PER_BOARD = 7  # see docs/decisions/0038; the round clock uses the same value
MINUTES_PER_MOVE = 2
MAX_SECTION_TABLES = 15  # with more tables, walks are long and announcements hard to hear
MAX_SHORTENED_MITCHELL_TABLES = (
    18  # the most tables of one section in a Mitchell that stops early
)
MAX_SECTIONS = 10  # a section's name is one letter


@dataclass(frozen=True, slots=True, kw_only=True)
class Turnout:
    """The adviser's input: `count` entries of a `unit`, and the director's limits.

    `boards` is the maximum that one competitor plays. `boards_at_hand` is the number of
    different boards that are available, and `sets` is the number of copies of each. `rounds` is
    a requested number of rounds. None means no limit. If `sections` is None, the adviser
    chooses the number of sections. If `late_pair` is True, the cost of a late pair is included.
    If `clubs` is True, movements for two clubs are allowed.
    """

    unit: SizeUnit
    count: int
    boards: int | None = None
    minutes: int | None = None
    boards_at_hand: int | None = None
    stationary: int = 0
    winners: int | None = None
    rounds: int | None = None
    sets: int = 1
    sections: int | None = None
    max_tables: int | None = None
    systems: frozenset[str] | None = None
    late_pair: bool = False
    clubs: bool = False

    @property
    def usual_max_boards(self) -> int | None:
        """The usual maximum number of boards, or None if it does not apply.

        It does not apply if the director limits the boards or allows more than the usual time.
        """
        is_longer_than_usual = self.minutes is not None and self.minutes > USUAL_MAX_MINUTES
        return (
            USUAL_MAX_BOARDS_PER_SESSION
            if self.boards is None and not is_longer_than_usual
            else None
        )

    @property
    def usual_max_minutes(self) -> int | None:
        """The usual maximum duration in minutes, or None if it does not apply.

        It does not apply if the director limits the time or allows more than the usual boards.
        """
        is_longer = self.boards is not None and self.boards > USUAL_MAX_BOARDS_PER_SESSION
        return USUAL_MAX_MINUTES if self.minutes is None and not is_longer else None

    @property
    def usual_max_rounds(self) -> int | None:
        """The usual maximum number of rounds; None if the director sets the number."""
        return USUAL_MAX_ROUNDS if self.rounds is None else None


def compute_minutes(round_count: int, boards_a_round: int) -> int:
    """Return the duration of a session in minutes, for the boards and the moves."""
    return (
        round_count * boards_a_round * MINUTES_PER_BOARD + (round_count - 1) * MINUTES_PER_MOVE
    )


def count_tables(unit: SizeUnit, entry_count: int) -> int:
    """Return the number of tables for `entry_count` pairs, players or teams.

    A team counts as one table, because each pair of a team takes half of a table.
    """
    entries_per_table = {SizeUnit.PAIRS: 2, SizeUnit.PLAYERS: 4}.get(unit, 1)
    return -(-entry_count // entries_per_table)
