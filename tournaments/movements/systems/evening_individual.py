"""An evening for single players: twelve rounds in which all play the same boards.

A whist tournament of 40 players has 39 rounds, and leaves boards unplayed if it stops early.
Here each player plays every set once, has no partner twice, and opposes no one more than twice.
No copy of a set is at two tables. If the number of players is not a multiple of four, one to
three sit out in turn. Many players never meet.

Source: our own schedules, found by search; see `evening_designs`.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from server.translation import gettext_noop
from tournaments.movements.meetings import Contest, Meeting, make_numeric_labels
from tournaments.movements.schedule import Movement, UnplayableMovement, shorten_movement
from tournaments.movements.systems.evening_designs import EVENING_INDIVIDUAL_DESIGNS
from tournaments.movements.systems.system import MovementSystem, SizeUnit, format_title


def build_evening_individual(player_count: int, rounds: int | None = None) -> Movement:
    """Build the evening for a number of players, with about twelve rounds if `rounds` is None.

    Each block of players has one player for each round. The players of a block follow each
    other, and the board groups move with them. Players outside the blocks stay at their tables.
    """
    known_round_counts = list_round_counts(player_count)
    usual_round_count = min(
        known_round_counts,
        key=lambda known_round_count: (
            EVENING_INDIVIDUAL_DESIGNS[player_count, known_round_count][0],
            abs(known_round_count - USUAL_ROUND_COUNT),
        ),
    )
    round_count = usual_round_count if rounds is None else rounds
    design_round_count = next(
        (
            known_round_count
            for known_round_count in known_round_counts
            if known_round_count >= round_count
        ),
        None,
    )
    if design_round_count is None:
        raise UnplayableMovement(
            _(
                "An evening individual for %(players)s players can have at most %(known)s "
                "rounds, not %(rounds)s."
            )
            % {"players": player_count, "known": known_round_counts[-1], "rounds": round_count}
        )
    copy_count, first_round_text, arrow_switch_text = EVENING_INDIVIDUAL_DESIGNS[
        player_count, design_round_count
    ]
    full_movement = Movement(
        name="evening-individual",
        title=format_title(_("Evening individual"), SizeUnit.PLAYERS, player_count),
        contest=Contest.INDIVIDUAL,
        meetings=tuple(
            _develop_first_round(
                player_count, design_round_count, first_round_text, arrow_switch_text
            )
        ),
        labels=make_numeric_labels(player_count),
        copy_count=copy_count,
    )
    return shorten_movement(full_movement, round_count)


def list_round_counts(player_count: int) -> list[int]:
    """Return the numbers of rounds for which there is a design for these players."""
    return sorted(
        round_count
        for design_player_count, round_count in EVENING_INDIVIDUAL_DESIGNS
        if design_player_count == player_count
    )


def _develop_first_round(
    player_count: int, round_count: int, first_round_text: str, arrow_switch_text: str
) -> Iterator[Meeting]:
    """Yield the meetings; each round adds one to the players of each block and to the sets."""
    first_round_tables = [
        _parse_table(table_text) for table_text in first_round_text.split(", ")
    ]
    moving_player_count = player_count // round_count * round_count
    for round_index, round_arrow_text in enumerate(arrow_switch_text.split()):
        arrow_bits = int(round_arrow_text, 16)
        for table_index, (*player_indexes, board_group) in enumerate(first_round_tables):
            north, east, south, west = (
                _move_player(player_index, round_index, round_count, moving_player_count)
                for player_index in player_indexes
            )
            if arrow_bits >> table_index & 1:
                north, east, south, west = west, north, east, south
            moved_board_group = 1 + (board_group + round_index) % round_count
            yield Meeting(
                round_index + 1, table_index + 1, north, east, south, west, moved_board_group
            )


def _move_player(
    player_index: int, round_index: int, round_count: int, moving_player_count: int
) -> int:
    if player_index >= moving_player_count:
        return player_index + 1
    return (
        1
        + player_index // round_count * round_count
        + (player_index % round_count + round_index) % round_count
    )


def _parse_table(table_text: str) -> tuple[int, ...]:
    seats_text, group_text = table_text.split(":")
    return (
        *(int(player_index_text) for player_index_text in seats_text.split()),
        int(group_text),
    )


USUAL_ROUND_COUNT = 12  # with two boards a round, an evening of 24 boards

EVENING_INDIVIDUAL_SYSTEM = MovementSystem(
    name="evening-individual",
    title=gettext_noop("Evening individual"),
    alias_names=("evening",),
    contest=Contest.INDIVIDUAL,
    unit=SizeUnit.PLAYERS,
    sizes=gettext_noop(
        "16 to 59 players, and 60, 64 … 100 (56 or more need copies of the boards)"
    ),
    alternative_systems=("whist-individual",),
    fits_size=lambda player_count: bool(list_round_counts(player_count)),
    build_movement=build_evening_individual,
    source=gettext_noop("duplicate clubs, schedules by search"),
    remarks=gettext_noop("everyone plays the same boards, but many never meet"),
    options=("rounds",),
    list_round_counts=list_round_counts,
)
