"""An evening for single players: twelve rounds in which all play the same boards.

A whist tournament of 40 players has 39 rounds, and leaves boards unplayed if it stops early.
Here each player plays every set once, has no partner twice, and opposes no one more than twice.
No copy of a set is at two tables. If the number of players is not a multiple of four, one to
three sit out in turn. Many never meet.

Source: our own schedules, found by search; see `evening_designs`.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from server.translation import gettext_noop
from tournaments.movements.meetings import Contest, Meeting, make_one_field_labels
from tournaments.movements.schedule import Movement, UnplayableMovement, curtail
from tournaments.movements.systems.evening_designs import EVENING_DESIGNS
from tournaments.movements.systems.system import System, Unit, format_title


def build_evening_individual(players: int, rounds: int | None = None) -> Movement:
    """Build the evening for a number of players, with twelve rounds unless `rounds` is given.

    With r rounds, the players of each block of r follow each other, the board groups move with
    them, and players outside the blocks stay at their tables.
    """
    known_lengths = list_lengths(players)
    usual = min(
        known_lengths,
        key=lambda each: (EVENING_DESIGNS[players, each][0], abs(each - USUAL_ROUNDS)),
    )
    round_count = usual if rounds is None else rounds
    length = next((each for each in known_lengths if each >= round_count), None)
    if length is None:
        raise UnplayableMovement(
            _(
                "An evening individual for %(players)s players has at most "
                "%(known)s rounds, not %(rounds)s."
            )
            % {"players": players, "known": known_lengths[-1], "rounds": round_count}
        )
    copies, first, arrows = EVENING_DESIGNS[players, length]
    full_movement = Movement(
        name="evening-individual",
        title=format_title(_("Evening individual"), Unit.PLAYERS, players),
        contest=Contest.INDIVIDUAL,
        meetings=tuple(_develop(players, length, first, arrows)),
        labels=make_one_field_labels(players),
        copies=copies,
    )
    return curtail(full_movement, round_count)


def list_lengths(players: int) -> list[int]:
    """Return the numbers of rounds for which an evening of this number of players is known."""
    return sorted(rounds for size, rounds in EVENING_DESIGNS if size == players)


def _develop(players: int, rounds: int, first: str, arrows: str) -> Iterator[Meeting]:
    """Build each round by adding one to the players of each block and to the sets."""
    rows = [_parse_numbers(row) for row in first.split(", ")]
    blocks = players // rounds * rounds
    for step, arrow_digits in enumerate(arrows.split()):
        arrow_bits = int(arrow_digits, 16)
        for table, (*seats, group) in enumerate(rows):
            north, east, south, west = (
                _move_player(seat, step, rounds, blocks) for seat in seats
            )
            if arrow_bits >> table & 1:
                north, east, south, west = west, north, east, south
            moved_group = 1 + (group + step) % rounds
            yield Meeting(step + 1, table + 1, north, east, south, west, moved_group)


def _move_player(seat: int, step: int, rounds: int, blocks: int) -> int:
    if seat >= blocks:
        return seat + 1
    return 1 + seat // rounds * rounds + (seat % rounds + step) % rounds


def _parse_numbers(row: str) -> tuple[int, ...]:
    seats, group = row.split(":")
    return (*(int(seat) for seat in seats.split()), int(group))


USUAL_ROUNDS = 12  # rounds; with two boards each they fill an evening of 24 boards

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
