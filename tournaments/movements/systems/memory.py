"""Memory duplicate: one table plays its deals, then overplays them with the boards turned.

Everyone plays each deal twice on purpose, so the movements set `allows_replays`. The seats of a
meeting follow the board's arrow. Turning the boards by a quarter moves the players one seat
relative to the cards, although they stay in their chairs.
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import gettext_noop
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_numeric_labels,
    make_pair_meeting,
)
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems.system import MovementSystem, SizeUnit

FOUR_INDIVIDUALS_ANNOUNCEMENT = gettext_noop(
    "Player 4 keeps the chair. The others change places so that "
    "each partners player 4 once. After three rounds turn the "
    "boards a quarter and replay them in the same partnerships. "
    "The arrow on the board shows the seats."
)


def build_memory_duplicate(pair_count: int = 2, rounds: int | None = None) -> Movement:
    """Build the originals, and then the overplays with the boards turned by a quarter.

    Each round of the first half has a board group of its own. In the second half, each pair
    overplays the other pair's cards. Each half has one round unless `rounds` is higher. The
    card that was turned up in the original is turned up again in the overplay, according to
    *The Standard Hoyle*. The United States Playing Card Co. makes one suit trumps for the whole
    sitting and turns no card. For this, the event can set declared trumps.

    Source: R. F. Foster, *Complete Hoyle*, duplicate whist, memory duplicate; rules Q1-Q3.
    """
    rounds = 2 if rounds is None else rounds
    if rounds < 2 or rounds % 2:
        raise UnplayableMovement(
            _(
                "Memory duplicate plays every deal twice. Choose an even "
                "number of rounds, not %(rounds)s."
            )
            % {"rounds": rounds}
        )
    rounds_per_half = rounds // 2
    first_pair_number, second_pair_number = 1, pair_count
    original_meetings = tuple(
        make_pair_meeting(round_number, 1, first_pair_number, second_pair_number, round_number)
        for round_number in range(1, rounds_per_half + 1)
    )
    overplays = tuple(
        make_pair_meeting(
            rounds_per_half + round_number,
            1,
            second_pair_number,
            first_pair_number,
            round_number,
        )
        for round_number in range(1, rounds_per_half + 1)
    )
    return Movement(
        name="memory",
        title=ngettext(
            "Memory duplicate, %(half)s and %(half)s round",
            "Memory duplicate, %(half)s and %(half)s rounds",
            rounds_per_half,
        )
        % {"half": rounds_per_half},
        contest=Contest.MEMORY,
        meetings=original_meetings + overplays,
        labels=make_numeric_labels(pair_count),
        allows_replays=True,
    )


def build_four_player_individual(player_count: int = 4) -> Movement:
    """Build memory duplicate for four players.

    Any two are partners once in the original play and once in the overplay.

    Player 4 stays in the South chair; the others change places after each round. With four
    deals a round there are 12 deals and 24 plays. In the overplay player 4 has East's cards.

    Source: R. F. Foster, *Complete Hoyle*, duplicate whist, memory duplicate for individuals.
    """
    return Movement(
        name="four-individuals",
        title=_("%(players)s players at one table, replayed from memory")
        % {"players": player_count},
        contest=Contest.INDIVIDUAL,
        meetings=(
            Meeting(1, 1, north=3, east=2, south=4, west=1, board_group=1),
            Meeting(2, 1, north=2, east=3, south=4, west=1, board_group=2),
            Meeting(3, 1, north=1, east=2, south=4, west=3, board_group=3),
            Meeting(4, 1, north=1, east=4, south=2, west=3, board_group=1),
            Meeting(5, 1, north=1, east=4, south=3, west=2, board_group=2),
            Meeting(6, 1, north=2, east=4, south=3, west=1, board_group=3),
        ),
        labels=make_numeric_labels(player_count),
        allows_replays=True,
    )


MEMORY_DUPLICATE_SYSTEM = MovementSystem(
    name="memory",
    title=gettext_noop("Memory duplicate"),
    contest=Contest.MEMORY,
    unit=SizeUnit.PAIRS,
    sizes=gettext_noop("2 pairs"),
    fits_size=lambda pair_count: pair_count == 2,
    build_movement=build_memory_duplicate,
    source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, memory duplicate"),
    remarks=gettext_noop("replayed from memory"),
    options=("rounds",),
)

FOUR_INDIVIDUALS_SYSTEM = MovementSystem(
    name="four-individuals",
    title=gettext_noop("Four players at one table"),
    contest=Contest.INDIVIDUAL,
    unit=SizeUnit.PLAYERS,
    sizes=gettext_noop("4 players"),
    fits_size=lambda player_count: player_count == 4,
    build_movement=build_four_player_individual,
    source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, individuals"),
    remarks=gettext_noop("replayed from memory"),
    list_announcements=lambda movement: (
        [_(FOUR_INDIVIDUALS_ANNOUNCEMENT)] if movement.round_count == 6 else []
    ),
)
