"""The results of an evening as input to ladders.

An evening is an event, a drive or a rubber night of this program, or an imported evening.
"""

from dataclasses import dataclass
from fractions import Fraction

PAIRS, INDIVIDUAL, TEAMS, MEMORY, DRIVE = "pairs", "individual", "teams", "memory", "drive"
RUBBERS = "rubbers"
DEFAULT_CONTESTS = (PAIRS, INDIVIDUAL, TEAMS, MEMORY, DRIVE)
"""The contests that a ladder counts if its rule does not list any."""
ALL_CONTESTS = (*DEFAULT_CONTESTS, RUBBERS)
"""All contests that a ladder can count.

Rubber nights count only if the ladder's rule lists them. Their scores are points won minus
points lost, which cannot be added to the scores of other contests.
"""


@dataclass(frozen=True, slots=True)
class LadderEntry:
    """An entry (pair, player or team) of an evening, with its known scores.

    An unknown score is None. A ladder that uses an unknown score gives the entry no value.
    """

    person_pks: tuple[int, ...]  # primary keys, in the order of the entry
    score: Fraction | None  # by the scoring method of the event
    board_count: int
    visitor_pks: frozenset[int] = frozenset()  # those of `person_pks` who were not members
    team_name: str = ""
    ranked_group_code: str = ""  # the section or direction in which it is ranked
    plus: Fraction | None = None  # tricks above the compared entries, over the evening
    percent: Fraction | None = None  # e.g. Fraction(125, 2) for 62.5 %
    tricks: Fraction | None = None
    place: int | None = None  # the stored rank in its field; None if computed from the score
    is_handicap_exempt: bool = False  # whether a handicap must not change the place
    entry_number: int = 0  # the entry's number in its event, for links
    # the measures that were not computed by the event's own scoring method
    rescored_measures: frozenset[str] = frozenset()
    handicap: Fraction | None = (
        None  # the season's handicap, in tricks per board or percentage points
    )
    # boards, those of earlier sessions multiplied by carry-over; None if equal to `board_count`
    weighted_board_count: Fraction | None = None

    @property
    def counted_board_count(self) -> Fraction | int:
        """The number of boards on which the entry's `plus` is based.

        Boards of earlier sessions are multiplied by their carry-over.
        """
        return (
            self.board_count if self.weighted_board_count is None else self.weighted_board_count
        )

    @property
    def plus_per_board(self) -> Fraction | None:
        """The entry's `plus` per board, or None if it is unknown."""
        boards = self.counted_board_count
        return None if self.plus is None or not boards else self.plus / boards


@dataclass(frozen=True, slots=True)
class LadderEvening:
    """An evening of a season with the results of all its entries."""

    key: str  # a slug; identifies and sorts evenings of one day
    day: str  # an ISO date such as 2026-03-10, which sorts as text
    entries: tuple[LadderEntry, ...]
    contest: str = PAIRS
    name: str = ""
    is_imported: bool = False
    # the game of a drive with contracts, whose points differ from those of other games, or ""
    game_code: str = ""

    @property
    def sort_key(self) -> tuple[str, str]:
        """The sort key of evenings: the day, then the key."""
        return self.day, self.key

    @property
    def max_board_count(self) -> int:
        """The highest number of boards that any entry of the evening played."""
        return max((entry.board_count for entry in self.entries), default=0)
