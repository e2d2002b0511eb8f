"""The plan of a Swiss event: its number of rounds, and how each of them is drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError
from server.translation import gettext_noop
from tournaments.movements.drawn_rounds import DRAWN_KEY, count_halves
from tournaments.swiss.field import DrawMethod

SWISS = DRAWN_KEY
PLAN_METHODS = {
    DrawMethod.SWISS: gettext_noop("Swiss: equal scores meet, no repeats"),
    DrawMethod.MONRAD: gettext_noop("Monrad: neighbours in the standings meet, no repeats"),
    DrawMethod.DANISH: gettext_noop(
        "Danish: neighbours in the standings meet, repeats allowed"
    ),
}
MAX_PLAN_ROUNDS = 20


class InvalidPlan(WhistError, ValueError):
    """An error for an invalid plan of a Swiss event."""

    code = "swiss_plan_refused"


@dataclass(frozen=True, slots=True)
class SwissPlan:
    """The number of rounds and the method of their draws; fixed before the first round.

    With `arrears` a round is drawn from the scores up to the round before the last. Its list
    can then be posted before a round ends. With `last_free` the last round is 1 against 2, 3
    against 4, even if these have met. With `seeded` the first round is drawn by the entries'
    numbers, 1 against the first of the lower half; otherwise it is drawn by lot. `apart` has
    couples of entry numbers that should not meet. In a `knockout` the bracket decides the
    matches, and each match has `segments` rounds.

    With `own_boards` each match of teams has boards that no other match of the event plays.
    Otherwise all matches of a round play the same boards.

    With `three_way` an odd team does not sit out: three teams each play half a match against
    both others. Every match then has two halves, and each half is a round of its section. In a
    knock-out the bracket decides which three teams meet, in its first round.
    """

    rounds: int
    method: DrawMethod = DrawMethod.SWISS
    arrears: bool = False
    last_free: bool = False
    seeded: bool = False
    apart: tuple[tuple[int, int], ...] = ()
    clubs_until: int = 0  # up to this round entries of one club are kept apart
    knockout: bool = False
    segments: int = 1
    three_way: bool = False
    own_boards: bool = False

    def __post_init__(self) -> None:
        min_entries = 1 if self.knockout else 2  # two entries play one match
        if not min_entries <= self.rounds <= MAX_PLAN_ROUNDS:
            message = _("Choose from 2 to %(most)s rounds.")
            raise InvalidPlan(message % {"most": MAX_PLAN_ROUNDS})

    def method_in(self, round_: int) -> DrawMethod:
        """Return the draw method of a round. `last_free` selects a different method for the
        last round.
        """
        return DrawMethod.DANISH if self.last_free and round_ == self.rounds else self.method

    @property
    def halves(self) -> int:
        """The number of section rounds for a drawn round: 2 with three-way matches, else 1."""
        return count_halves({"three_way": self.three_way})

    @property
    def seated(self) -> int:
        """The total number of rounds of the section."""
        return self.rounds * self.halves

    def drawn_in(self, round_: int) -> int:
        """Return the number of the drawn round to which a round of the section belongs."""
        return -(-round_ // self.halves)

    def first_of(self, drawn_round: int) -> int:
        """Return the first round of the section for a drawn round."""
        return (drawn_round - 1) * self.halves + 1

    def last_of(self, drawn_round: int) -> int:
        """Return the last round of the section for a drawn round; 0 for drawn round 0."""
        return drawn_round * self.halves

    def half_size(self, boards: int) -> int:
        """Return the number of boards in a round of the section, if a match has `boards`
        boards.

        Raises InvalidPlan if a match cannot be divided into halves.
        """
        if boards % self.halves:
            raise InvalidPlan(
                _("Three-way matches have two halves. Choose an even number of boards.")
            )
        return boards // self.halves

    def counts_until(self, round_: int) -> int:
        """Return the last round whose scores are used to draw a round; 0 for none."""
        return max(round_ - 1 - self.arrears, 0)

    def as_data(self) -> dict[str, Any]:
        """Return the plan as plain data, which the section stores."""
        return {
            "rounds": self.rounds,
            "method": str(self.method),
            "arrears": self.arrears,
            "last_free": self.last_free,
            "seeded": self.seeded,
            "apart": [list(couple) for couple in self.apart],
            **({"clubs_until": self.clubs_until} if self.clubs_until else {}),
            **({"knockout": True, "segments": self.segments} if self.knockout else {}),
            **({"three_way": True} if self.three_way else {}),
            **({"own_boards": True} if self.own_boards else {}),
        }


def read_plan(options: Mapping[str, Any]) -> SwissPlan | None:
    """Return the plan stored in a section's options; None if its rounds are not drawn."""
    plan_data = options.get(SWISS)
    if not plan_data:
        return None
    return SwissPlan(
        rounds=plan_data["rounds"],
        method=DrawMethod(plan_data.get("method", DrawMethod.SWISS)),
        arrears=plan_data.get("arrears", False),
        last_free=plan_data.get("last_free", False),
        seeded=plan_data.get("seeded", False),
        apart=tuple((one, other) for one, other in plan_data.get("apart", ())),
        clubs_until=plan_data.get("clubs_until", 0),
        knockout=plan_data.get("knockout", False),
        segments=plan_data.get("segments", 1),
        three_way=plan_data.get("three_way", False),
        own_boards=plan_data.get("own_boards", False),
    )


def parse_couples(text: str) -> tuple[tuple[int, int], ...]:
    """Parse the numbers of couples to keep apart, such as "3-7, 4-9"; raise InvalidPlan."""
    couples = []
    for part in filter(
        None, (part_text.strip() for part_text in text.replace(";", ",").split(","))
    ):
        numbers = part.replace("–", "-").split("-")
        if len(numbers) != 2 or not all(n.strip().isdecimal() for n in numbers):
            raise InvalidPlan(
                _("“%(part)s” isn't two numbers. Enter them as 3-7, 4-9.") % {"part": part[:20]}
            )
        one, other = sorted(int(number) for number in numbers)
        if one == other:
            raise InvalidPlan(
                _("Number %(number)s can't play itself. Enter two different numbers.")
                % {"number": one}
            )
        couples.append((one, other))
    return tuple(dict.fromkeys(couples))


@dataclass(frozen=True, slots=True)
class DrawWishes:
    """The numbers of entries that prefer N-S, and of entries of one club, to keep apart."""

    north_south: frozenset[int] = frozenset()
    clubs: tuple[tuple[int, ...], ...] = ()  # the entries of each club

    def list_same_club_pairs(self, plan: SwissPlan, round_: int) -> list[tuple[int, int]]:
        """Return the pairs of entries from one club that should not meet in a round.

        It is empty after the last round in which the plan keeps clubs apart.
        """
        if round_ > plan.clubs_until:
            return []
        return [couple for club in self.clubs for couple in combinations(sorted(club), 2)]


NO_WISHES = DrawWishes()


def check_couples(couples: Sequence[tuple[int, int]], numbers: Sequence[int]) -> None:
    """Raise InvalidPlan if a couple has a number that no entry has."""
    for number in (each for couple in couples for each in couple):
        if number not in numbers:
            message = _("Number %(number)s isn't entered.")
            raise InvalidPlan(message % {"number": number})


def count_copies_needed(kind: str, tables: int, boards: int, *, may_wait: bool = True) -> int:
    """Return how many copies of its boards a round needs if all tables play the same boards.

    A copy can be passed between as many tables of pairs as there are boards; the wait is then
    at most one board. The two tables of a team match share a copy. Without `may_wait` each
    table, or each team match, has its own copy.
    """
    if kind == "teams":
        matches = tables // 2
        return matches if not may_wait else max(1, -(-matches // max(boards // 2, 1)))
    return -(-tables // boards) if may_wait else tables


def list_blocks(kind: str, tables: int, copies: int, three_way_count: int = 0) -> list[int]:
    """Return the first table of each block of tables that share a copy of the boards.

    A match of teams is never split between blocks. The last `three_way_count` matches have
    three tables each.
    """
    three_way_count = three_way_count or (tables % 2 if kind == "teams" else 0)
    coupled = tables - 3 * three_way_count
    firsts = [*range(1, coupled + 1, 2 if kind == "teams" else 1)]
    firsts += range(coupled + 1, tables + 1, 3)
    copies = max(1, min(copies, len(firsts)))
    return [firsts[len(firsts) * number // copies] for number in range(copies)]
