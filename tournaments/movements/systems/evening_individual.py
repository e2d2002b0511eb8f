"""An evening for single players: twelve rounds in which all play the same boards.

A whist tournament of 40 players has 39 rounds; cut short it leaves boards unplayed. Here each
player plays every set once, partners no other twice and opposes no other more often than twice.
No copy of a set is at two tables. Where the number does not fill the tables, one to three sit
out in turn. Many never meet.

Source: the schedules are our own, by search; see `evening_designs`.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from server.translation import gettext_noop
from tournaments.movements.meetings import Contest, Meeting, make_one_field_labels
from tournaments.movements.schedule import Movement, UnplayableMovement, curtail
from tournaments.movements.systems.evening_designs import EVENING_DESIGNS
from tournaments.movements.systems.system import System, Unit, format_title


def build_evening_individual(players: int, rounds: int | None = None) -> Movement:
    """Make the evening of a number of players, of twelve rounds unless another number is given.

    With r rounds every block of r players follow each other round by round, the board groups
    step on with them, and players outside the blocks stay at their tables.
    """
    known = list_lengths(players)
    usual = min(
        known, key=lambda each: (EVENING_DESIGNS[players, each][0], abs(each - USUAL_ROUNDS))
    )
    wanted = usual if rounds is None else rounds
    length = next((each for each in known if each >= wanted), None)
    if length is None:
        raise UnplayableMovement(
            _(
                "An evening individual for %(players)s players has at most "
                "%(known)s rounds, not %(rounds)s."
            )
            % {"players": players, "known": known[-1], "rounds": wanted}
        )
    copies, first, arrows = EVENING_DESIGNS[players, length]
    whole = Movement(
        name="evening-individual",
        title=format_title(_("Evening individual"), Unit.PLAYERS, players),
        contest=Contest.INDIVIDUAL,
        meetings=tuple(_develop(players, length, first, arrows)),
        labels=make_one_field_labels(players),
        copies=copies,
    )
    return curtail(whole, wanted)


def list_lengths(players: int) -> list[int]:
    """Return the numbers of rounds of the evenings known for a number of players."""
    return sorted(rounds for each, rounds in EVENING_DESIGNS if each == players)


def _develop(players: int, rounds: int, first: str, arrows: str) -> Iterator[Meeting]:
    """Add one to the players of each block and to the sets every round, and turn the arrows."""
    rows = [_parse_numbers(row) for row in first.split(", ")]
    blocks = players // rounds * rounds
    for step, turned in enumerate(arrows.split()):
        bits = int(turned, 16)
        for table, (*seats, group) in enumerate(rows):
            north, east, south, west = (
                _move_player(seat, step, rounds, blocks) for seat in seats
            )
            if bits >> table & 1:
                north, east, south, west = west, north, east, south
            moved = 1 + (group + step) % rounds
            yield Meeting(step + 1, table + 1, north, east, south, west, moved)


def _move_player(seat: int, step: int, rounds: int, blocks: int) -> int:
    if seat >= blocks:
        return seat + 1
    return 1 + seat // rounds * rounds + (seat % rounds + step) % rounds


def _parse_numbers(row: str) -> tuple[int, ...]:
    seats, group = row.split(":")
    return (*(int(seat) for seat in seats.split()), int(group))


USUAL_ROUNDS = 12  # rounds of two boards: twenty-four boards, which is an evening

EVENING_INDIVIDUAL = System(
    name="evening-individual",
    title=gettext_noop("Evening individual"),
    other_names=("evening",),
    contest=Contest.INDIVIDUAL,
    unit=Unit.PLAYERS,
    sizes=gettext_noop("16 to 59 players, and 60, 64 … 100 (from 56 in copies)"),
    otherwise=("whist-individual",),
    fits=lambda players: bool(list_lengths(players)),
    make=build_evening_individual,
    source=gettext_noop("duplicate clubs, schedules by search"),
    marks=gettext_noop("everyone plays the same boards, but many never meet"),
    options=("rounds",),
    lengths=list_lengths,
)
