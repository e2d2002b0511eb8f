"""What a ladder sees of an evening, wherever it was played."""

from dataclasses import dataclass
from fractions import Fraction

PAIRS, INDIVIDUAL, TEAMS, MEMORY, DRIVE = "pairs", "individual", "teams", "memory", "drive"
RUBBERS = "rubbers"
USUAL_CONTESTS = (PAIRS, INDIVIDUAL, TEAMS, MEMORY, DRIVE)
"""What a ladder counts that names none."""
CONTESTS = (*USUAL_CONTESTS, RUBBERS)
"""What people met in; a ladder may count some of them only, and rubber nights where it says so:
their points, won less lost, add to nothing with no other evening's."""


@dataclass(frozen=True, slots=True)
class LadderEntry:
    """One entry of an evening: its people, and the figures that are known of it.

    A figure that nobody knows is None, and the entry then has no value where it is asked for.
    """

    people: tuple[int, ...]  # keys of people, in the order of the entry
    score: Fraction | None
    boards: int
    visitors: frozenset[int] = frozenset()  # those of its people who were no members
    team: str = ""
    field: str = ""  # who is placed with whom: a line of the evening
    plus: Fraction | None = None
    percent: Fraction | None = None  # 62 1/2 is 62.50 %
    tricks: Fraction | None = None
    place: int | None = None  # in its field; None where it follows from the score
    place_stands: bool = False  # whether a handicap leaves the place as it is
    number: int = 0  # in its event, for who wants to look it up
    rescored: frozenset[str] = frozenset()  # figures reckoned anew, by another method
    handicap: Fraction | None = None  # the season's, a board or in per cent
    counted: Fraction | None = None  # boards, if those of earlier sessions count in part

    @property
    def counted_boards(self) -> Fraction | int:
        """The boards that its plus is of: those of earlier sessions as far as they count."""
        return self.boards if self.counted is None else self.counted

    @property
    def a_board(self) -> Fraction | None:
        """The plus a board that it played."""
        boards = self.counted_boards
        return None if self.plus is None or not boards else self.plus / boards


@dataclass(frozen=True, slots=True)
class LadderEvening:
    """An evening of a season, with all its entries."""

    key: str  # told apart by it, and put in order on one day: a slug
    day: str  # as 2026-03-10, so that days sort as text
    entries: tuple[LadderEntry, ...]
    contest: str = PAIRS
    name: str = ""
    is_from_elsewhere: bool = False

    @property
    def order(self) -> tuple[str, str]:
        """By what evenings follow each other: two on one day by their keys."""
        return self.day, self.key

    @property
    def most_boards(self) -> int:
        """The most boards that an entry of it played."""
        return max((entry.boards for entry in self.entries), default=0)
