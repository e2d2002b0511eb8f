"""The plan of a Swiss event: its number of rounds, and how each of them is drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError
from server.translation import gettext_noop
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME, count_round_halves
from tournaments.swiss.field import DrawMethod

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
    """The rounds of a Swiss event and the rules for their draws, fixed before the first round.

    The names of the fields are stored in sections and event files.

    * `arrears`: a round is drawn before the previous round ends, from the scores of the rounds
      before that one.
    * `last_free`: in the last round rank 1 plays rank 2 and so on, even if they have met.
    * `seeded`: the first round is drawn by the entries' numbers, 1 against the first of the
      lower half. Otherwise it is drawn by lot.
    * `apart`: pairs of entry numbers that should not meet.
    * `knockout`: the bracket decides the matches, and each match has `segments` rounds.
    * `own_boards`: each match of teams has boards that no other match of the event plays.
      Otherwise all matches of a round play the same boards.
    * `three_way`: an odd team does not sit out. Three teams each play half a match against both
      others. Every match then has two halves, and each half is a round of the section. In a
      knock-out, only the first round can have a three-way match. The bracket decides which
      teams play it.
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
        min_rounds = 1 if self.knockout else 2  # a knock-out of two entries has one round
        if not min_rounds <= self.rounds <= MAX_PLAN_ROUNDS:
            message = _("Choose from %(least)s to %(most)s rounds.")
            raise InvalidPlan(message % {"least": min_rounds, "most": MAX_PLAN_ROUNDS})

    def find_method(self, round_number: int) -> DrawMethod:
        """Return the draw method of a round, which may be different in the last round."""
        return (
            DrawMethod.DANISH if self.last_free and round_number == self.rounds else self.method
        )

    @property
    def halves(self) -> int:
        """The number of section rounds for a drawn round: 2 with three-way matches, else 1."""
        return count_round_halves({"three_way": self.three_way})

    @property
    def section_rounds(self) -> int:
        """The total number of rounds of the section."""
        return self.rounds * self.halves

    def find_drawn_round(self, round_number: int) -> int:
        """Return the number of the drawn round to which a round of the section belongs."""
        return -(-round_number // self.halves)

    def get_first_section_round(self, drawn_round_number: int) -> int:
        """Return the first round of the section for a drawn round."""
        return (drawn_round_number - 1) * self.halves + 1

    def get_last_section_round(self, drawn_round_number: int) -> int:
        """Return the last round of the section for a drawn round; 0 for drawn round 0."""
        return drawn_round_number * self.halves

    def compute_boards_per_round(self, boards_per_match: int) -> int:
        """Return the number of boards in a round of the section for one match.

        Raises InvalidPlan if a match cannot be divided into halves.
        """
        if boards_per_match % self.halves:
            raise InvalidPlan(
                _("Three-way matches have two halves. Choose an even number of boards.")
            )
        return boards_per_match // self.halves

    def find_last_counting_round(self, round_number: int) -> int:
        """Return the last round whose scores are used to draw a round; 0 for none."""
        return max(round_number - 1 - self.arrears, 0)

    def as_data(self) -> dict[str, Any]:
        """Return the plan as plain data, which the section stores."""
        return {
            "rounds": self.rounds,
            "method": str(self.method),
            "arrears": self.arrears,
            "last_free": self.last_free,
            "seeded": self.seeded,
            "apart": [list(separated_pair) for separated_pair in self.apart],
            **({"clubs_until": self.clubs_until} if self.clubs_until else {}),
            **({"knockout": True, "segments": self.segments} if self.knockout else {}),
            **({"three_way": True} if self.three_way else {}),
            **({"own_boards": True} if self.own_boards else {}),
        }


def read_plan(options: Mapping[str, Any]) -> SwissPlan | None:
    """Return the plan stored in a section's options; None if its rounds are not drawn."""
    plan_data = options.get(DRAWN_MOVEMENT_NAME)
    if not plan_data:
        return None
    return SwissPlan(
        rounds=plan_data["rounds"],
        method=DrawMethod(plan_data.get("method", DrawMethod.SWISS)),
        arrears=plan_data.get("arrears", False),
        last_free=plan_data.get("last_free", False),
        seeded=plan_data.get("seeded", False),
        apart=tuple(
            (entry_number, other_number)
            for entry_number, other_number in plan_data.get("apart", ())
        ),
        clubs_until=plan_data.get("clubs_until", 0),
        knockout=plan_data.get("knockout", False),
        segments=plan_data.get("segments", 1),
        three_way=plan_data.get("three_way", False),
        own_boards=plan_data.get("own_boards", False),
    )


def parse_separated_pairs(pairs_text: str) -> tuple[tuple[int, int], ...]:
    """Parse pairs of entry numbers to keep apart, such as "3-7, 4-9"; raise InvalidPlan."""
    pairings = []
    for pair_text in filter(
        None, (pair_text.strip() for pair_text in pairs_text.replace(";", ",").split(","))
    ):
        number_texts = pair_text.replace("–", "-").split("-")
        if len(number_texts) != 2 or not all(
            number_text.strip().isdecimal() for number_text in number_texts
        ):
            raise InvalidPlan(
                _("“%(part)s” isn’t two numbers. Enter them as 3-7, 4-9.")
                % {"part": pair_text[:20]}
            )
        first_number, second_number = sorted(int(number_text) for number_text in number_texts)
        if first_number == second_number:
            raise InvalidPlan(
                _("Number %(number)s can’t play itself. Enter two different numbers.")
                % {"number": first_number}
            )
        pairings.append((first_number, second_number))
    return tuple(dict.fromkeys(pairings))


@dataclass(frozen=True, slots=True)
class DrawWishes:
    """The entries that prefer N-S, and the entries of each club, which are kept apart."""

    north_south_entries: frozenset[int] = frozenset()
    entry_numbers_of_clubs: tuple[tuple[int, ...], ...] = ()  # the entries of each club

    def list_same_club_pairs(self, plan: SwissPlan, round_number: int) -> list[tuple[int, int]]:
        """Return the pairs of entries from one club that should not meet in a round.

        The list is empty after the last round in which the plan keeps clubs apart.
        """
        if round_number > plan.clubs_until:
            return []
        return [
            pairing
            for club_entry_numbers in self.entry_numbers_of_clubs
            for pairing in combinations(sorted(club_entry_numbers), 2)
        ]


NO_WISHES = DrawWishes()


def check_pairings(pairings: Sequence[tuple[int, int]], entry_numbers: Sequence[int]) -> None:
    """Raise InvalidPlan if a pairing has a number that no entry has."""
    for entry_number in chain.from_iterable(pairings):
        if entry_number not in entry_numbers:
            message = _("Number %(number)s isn’t entered.")
            raise InvalidPlan(message % {"number": entry_number})


def count_copies_needed(
    contest_kind: str, table_count: int, boards_a_round: int, *, can_tables_wait: bool = True
) -> int:
    """Return how many copies of the boards a round needs if all tables play the same boards.

    As many tables of pairs as there are boards can share a copy, and then wait for at most one
    board. The two tables of a team match share a copy. If `can_tables_wait` is False, each
    table, or each team match, has a separate copy.
    """
    if contest_kind == "teams":
        match_count = table_count // 2
        return (
            match_count
            if not can_tables_wait
            else max(1, -(-match_count // max(boards_a_round // 2, 1)))
        )
    return -(-table_count // boards_a_round) if can_tables_wait else table_count


def list_block_starts(
    contest_kind: str, table_count: int, copy_count: int, three_way_count: int = 0
) -> list[int]:
    """Return the first table of each block of tables that share a copy of the boards.

    A match of teams is never split between blocks. The last `three_way_count` matches have
    three tables each.
    """
    three_way_count = three_way_count or (table_count % 2 if contest_kind == "teams" else 0)
    two_table_match_count = table_count - 3 * three_way_count
    first_tables = [*range(1, two_table_match_count + 1, 2 if contest_kind == "teams" else 1)]
    first_tables += range(two_table_match_count + 1, table_count + 1, 3)
    copy_count = max(1, min(copy_count, len(first_tables)))
    return [
        first_tables[len(first_tables) * block_index // copy_count]
        for block_index in range(copy_count)
    ]
