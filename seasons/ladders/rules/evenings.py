"""The data of an evening that ladders use, wherever it was played."""

from dataclasses import dataclass
from fractions import Fraction

PAIRS, INDIVIDUAL, TEAMS, MEMORY, DRIVE = "pairs", "individual", "teams", "memory", "drive"
RUBBERS = "rubbers"
DEFAULT_CONTESTS = (PAIRS, INDIVIDUAL, TEAMS, MEMORY, DRIVE)
"""The contests that a ladder counts if its rule names no contests."""
CONTESTS = (*DEFAULT_CONTESTS, RUBBERS)
"""All contests that a ladder can count.

Rubber nights count only if the ladder's rule names them, because points won less points lost
cannot be added to the scores of other contests.
"""


@dataclass(frozen=True, slots=True)
class LadderEntry:
    """One entry of an evening: its people and its known scores.

    An unknown score is `None`; the entry then has no value in a ladder that uses it.
    """

    people: tuple[int, ...]  # primary keys, in the order of the entry
    score: Fraction | None
    boards: int
    visitors: frozenset[int] = frozenset()  # the people who were not members
    team: str = ""
    field: str = ""  # the section or direction that it is ranked in
    plus: Fraction | None = None
    percent: Fraction | None = None  # 62 1/2 is 62.50 %
    tricks: Fraction | None = None
    place: int | None = None  # in its field; None if it follows from the score
    place_stands: bool = False  # whether a handicap does not change the place
    number: int = 0  # in its event, for links to it
    rescored: frozenset[str] = frozenset()  # scores recomputed by another method
    handicap: Fraction | None = None  # the season's, a board or in per cent
    counted: Fraction | None = None  # boards, if earlier sessions count in part

    @property
    def counted_boards(self) -> Fraction | int:
        """The number of boards that the entry's plus is based on.

        Boards of earlier sessions count in proportion to their carry-over.
        """
        return self.boards if self.counted is None else self.counted

    @property
    def a_board(self) -> Fraction | None:
        """The plus per board played."""
        boards = self.counted_boards
        return None if self.plus is None or not boards else self.plus / boards


@dataclass(frozen=True, slots=True)
class LadderEvening:
    """An evening of a season, with all its entries."""

    key: str  # a slug; identifies and sorts evenings of one day
    day: str  # as 2026-03-10, so that days sort as text
    entries: tuple[LadderEntry, ...]
    contest: str = PAIRS
    name: str = ""
    is_from_elsewhere: bool = False

    @property
    def order(self) -> tuple[str, str]:
        """The sort key of evenings: the day, then the key."""
        return self.day, self.key

    @property
    def most_boards(self) -> int:
        """The highest number of boards that an entry of the evening played."""
        return max((entry.boards for entry in self.entries), default=0)
