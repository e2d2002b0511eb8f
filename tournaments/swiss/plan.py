"""The plan of a Swiss event: rounds that are drawn one after another."""

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
    DrawMethod.SWISS: gettext_noop("Swiss: equal scores meet, nobody meets twice"),
    DrawMethod.MONRAD: gettext_noop("Monrad: neighbours in the ranking, nobody meets twice"),
    DrawMethod.DANISH: gettext_noop("Danish: neighbours in the ranking, even if they met"),
}
MAX_PLAN_ROUNDS = 20


class InvalidPlan(WhistError, ValueError):
    """An invalid plan of a Swiss event."""

    code = "swiss_plan_refused"


@dataclass(frozen=True, slots=True)
class SwissPlan:
    """The number of rounds and how each is drawn; fixed before the first.

    In `arrears` a round is drawn from the scores up to the round before the last, so that the
    list is posted before a round ends. With `last_free` the last round is 1 against 2, 3
    against 4, even if they met. `seeded` sets the first round by the numbers, 1 against the
    upper one of the lower half; else the lot does. `apart` are couples of entries, by their
    numbers. In a `knockout` the bracket decides who meets, each match in that many `segments`,
    a round each.

    With `own_boards` each match of teams has boards that no other match meets, then or later;
    else all matches of a round play the same ones.

    Where teams play `three_way` an odd one does not sit out: three play half a match against
    both others. So every match is two halves, and each half a round of its section. In a
    knock-out the bracket decides which three meet, in its first round.
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
        least = 1 if self.knockout else 2  # two entries play one match
        if not least <= self.rounds <= MAX_PLAN_ROUNDS:
            words = _("Choose from 2 to %(most)s rounds.")
            raise InvalidPlan(words % {"most": MAX_PLAN_ROUNDS})

    def method_in(self, round_: int) -> DrawMethod:
        """Return the method of a round: for the last the ranking only, if that was chosen."""
        return DrawMethod.DANISH if self.last_free and round_ == self.rounds else self.method

    @property
    def halves(self) -> int:
        """The section rounds for each drawn round: 2 with three-way matches, else 1."""
        return count_halves({"three_way": self.three_way})

    @property
    def seated(self) -> int:
        """The number of rounds that the section will have."""
        return self.rounds * self.halves

    def drawn_in(self, round_: int) -> int:
        """Return the draw of a round of the section."""
        return -(-round_ // self.halves)

    def first_of(self, drawn: int) -> int:
        """Return the first round of the section that a draw seats."""
        return (drawn - 1) * self.halves + 1

    def last_of(self, drawn: int) -> int:
        """Return the last round of the section that a draw seats; 0 for draw 0."""
        return drawn * self.halves

    def half_size(self, boards: int) -> int:
        """Return the number of boards in a round of the section, given that of a match.

        Raises InvalidPlan.
        """
        if boards % self.halves:
            raise InvalidPlan(
                _("Three-way matches have two halves: choose an even number of boards.")
            )
        return boards // self.halves

    def counts_until(self, round_: int) -> int:
        """Return the last round whose scores a draw uses; 0 for none."""
        return max(round_ - 1 - self.arrears, 0)

    def as_data(self) -> dict[str, Any]:
        """Return the data that the section stores."""
        return {
            "rounds": self.rounds,
            "method": str(self.method),
            "arrears": self.arrears,
            "last_free": self.last_free,
            "seeded": self.seeded,
            "apart": [list(each) for each in self.apart],
            **({"clubs_until": self.clubs_until} if self.clubs_until else {}),
            **({"knockout": True, "segments": self.segments} if self.knockout else {}),
            **({"three_way": True} if self.three_way else {}),
            **({"own_boards": True} if self.own_boards else {}),
        }


def read_plan(options: Mapping[str, Any]) -> SwissPlan | None:
    """Read the plan from a section's options; None where its rounds are not drawn."""
    kept = options.get(SWISS)
    if not kept:
        return None
    return SwissPlan(
        rounds=kept["rounds"],
        method=DrawMethod(kept.get("method", DrawMethod.SWISS)),
        arrears=kept.get("arrears", False),
        last_free=kept.get("last_free", False),
        seeded=kept.get("seeded", False),
        apart=tuple((one, other) for one, other in kept.get("apart", ())),
        clubs_until=kept.get("clubs_until", 0),
        knockout=kept.get("knockout", False),
        segments=kept.get("segments", 1),
        three_way=kept.get("three_way", False),
        own_boards=kept.get("own_boards", False),
    )


def parse_couples(text: str) -> tuple[tuple[int, int], ...]:
    """Parse the couples to keep apart: "3-7, 4-9". Raises InvalidPlan."""
    found = []
    for part in filter(None, (each.strip() for each in text.replace(";", ",").split(","))):
        numbers = part.replace("–", "-").split("-")
        if len(numbers) != 2 or not all(n.strip().isdecimal() for n in numbers):
            raise InvalidPlan(
                _("“%(part)s” does not name two numbers: write 3-7, 4-9.") % {"part": part[:20]}
            )
        one, other = sorted(int(number) for number in numbers)
        if one == other:
            raise InvalidPlan(
                _("Number %(number)s cannot meet itself: name two entries.") % {"number": one}
            )
        found.append((one, other))
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class DrawWishes:
    """The entries' preferences, by their numbers: to sit N-S, not to meet their own club."""

    north_south: frozenset[int] = frozenset()
    clubs: tuple[tuple[int, ...], ...] = ()  # the entries of each club

    def apart(self, plan: SwissPlan, round_: int) -> list[tuple[int, int]]:
        """Return the couples of one club, as long as these are kept apart."""
        if round_ > plan.clubs_until:
            return []
        return [couple for club in self.clubs for couple in combinations(sorted(club), 2)]


NO_WISHES = DrawWishes()


def check_couples(couples: Sequence[tuple[int, int]], numbers: Sequence[int]) -> None:
    """Refuse numbers without an entry. Raises InvalidPlan."""
    for number in (each for couple in couples for each in couple):
        if number not in numbers:
            words = _("Nobody has number %(number)s: name those who are entered.")
            raise InvalidPlan(words % {"number": number})


def count_copies_needed(kind: str, tables: int, boards: int, *, waiting: bool = True) -> int:
    """Return how many copies of its boards a round needs, when all tables play the same boards.

    As many tables of pairs as there are boards pass a copy on, so that the wait is at most one
    board; in teams the two tables of a match share one. Without `waiting` each table, or match,
    has its own.
    """
    if kind == "teams":
        matches = tables // 2
        return matches if not waiting else max(1, -(-matches // max(boards // 2, 1)))
    return -(-tables // boards) if waiting else tables


def list_blocks(kind: str, tables: int, copies: int, threes: int = 0) -> list[int]:
    """Return the first table of each block that passes a copy on; no match of teams is split.

    The last `threes` matches have three tables each.
    """
    threes = threes or (tables % 2 if kind == "teams" else 0)
    coupled = tables - 3 * threes
    firsts = [*range(1, coupled + 1, 2 if kind == "teams" else 1)]
    firsts += range(coupled + 1, tables + 1, 3)
    copies = max(1, min(copies, len(firsts)))
    return [firsts[len(firsts) * number // copies] for number in range(copies)]
