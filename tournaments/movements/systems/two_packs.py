"""Two tables with two packs and no boards; the eight players exchange tables and seats."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import gettext_noop
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_ns_and_ew_labels,
    make_pair_meeting,
)
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems.system import MovementSystem, SizeUnit

DEFAULT_ROUNDS = 12
TWO_PACKS_ANNOUNCEMENT = gettext_noop(
    "There are no boards. Each table has its own pack, and players leave their cards from "
    "each deal face down. In every second round, all eight players change tables. "
    "North-South now sit East-West, so each side plays the other’s cards. Then both packs "
    "are shuffled and dealt again, and everyone plays on from the same chair."
)


def describe_player_moves(round_number: int) -> str:
    """Describe the moves of all eight players after a round."""
    if round_number % 2:
        return _("All eight players change tables. North-South now sit East-West.")
    return _("Everyone stays in the same chair.")


def describe_packs(round_number: int) -> str:
    """Describe what happens to the cards after a round, since there are no boards to move."""
    if round_number % 2:
        return _("Leave the cards from this deal here, face down.")
    return _("Both packs are shuffled and dealt again.")


def build_two_pack_movement(team_count: int = 2, rounds: int | None = None) -> Movement:
    """Build rounds of one deal at each of two tables, after which the players exchange tables.

    One team of four sits North-South at both tables, the other East-West. After the exchange it
    is the other way round. Each team has then held all the cards, and no one plays a deal
    twice. The packs stay on their tables. A round is one deal, because without boards no
    further deals can be kept.

    Source: *The Standard Hoyle* (1912), duplicate whist, two tables without trays. Continuing
    from the same chair is our convention.
    """
    rounds = DEFAULT_ROUNDS if rounds is None else rounds
    if rounds < 2 or rounds % 2:
        raise UnplayableMovement(
            _(
                "With two packs every deal is played twice. Choose an even "
                "number of rounds, not %(rounds)s."
            )
            % {"rounds": rounds}
        )
    return Movement(
        name="two-packs",
        title=ngettext(
            "Two tables with two packs, %(deals)s deal",
            "Two tables with two packs, %(deals)s deals",
            rounds,
        )
        % {"deals": rounds},
        contest=Contest.TEAMS,
        meetings=tuple(
            meeting
            for round_number in range(1, rounds + 1)
            for meeting in _build_round(round_number, team_count)
        ),
        labels=make_ns_and_ew_labels(team_count, team_count),
    )


def _build_round(round_number: int, team_count: int) -> tuple[Meeting, Meeting]:
    """Build a round: new deals in odd rounds, the same deals exchanged in even rounds."""
    first_ns_place, second_ns_place, first_ew_place, second_ew_place = (
        1,
        team_count,
        team_count + 1,
        2 * team_count,
    )
    first_deal_number = round_number - 1 + round_number % 2
    if round_number % 4 in (0, 1):
        return (
            make_pair_meeting(
                round_number, 1, first_ns_place, second_ew_place, first_deal_number
            ),
            make_pair_meeting(
                round_number, 2, first_ew_place, second_ns_place, first_deal_number + 1
            ),
        )
    return (
        make_pair_meeting(round_number, 1, second_ns_place, first_ew_place, first_deal_number),
        make_pair_meeting(
            round_number, 2, second_ew_place, first_ns_place, first_deal_number + 1
        ),
    )


TWO_PACKS_SYSTEM = MovementSystem(
    name="two-packs",
    title=gettext_noop("Two tables with two packs"),
    contest=Contest.TEAMS,
    unit=SizeUnit.TEAMS,
    sizes=gettext_noop("2 teams"),
    fits_size=lambda team_count: team_count == 2,
    build_movement=build_two_pack_movement,
    source=gettext_noop("The Standard Hoyle (1912), duplicate whist"),
    remarks=gettext_noop("no boards needed, one deal per round, the players change tables"),
    options=("rounds",),
    list_round_counts=lambda _teams: (),
    list_announcements=lambda _movement: [_(TWO_PACKS_ANNOUNCEMENT)],
)
