"""Two tables without boards: eight players exchange tables and seats, and play with two
packs.
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import gettext_noop
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_pair_meeting,
    make_two_field_labels,
)
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems.system import System, Unit

DEFAULT_ROUNDS = 12
ANNOUNCEMENT = gettext_noop(
    "There are no boards. Each table has its own pack, and "
    "players leave their cards of a deal face down. In every "
    "second round all eight change tables. North-South now sit "
    "East-West, so each side plays the other's cards. Then both "
    "packs are shuffled and dealt again, and everyone plays on "
    "from the same chair."
)


def describe_exchange(round_: int) -> str:
    """Describe the moves of all eight players after a round."""
    if round_ % 2:
        return _("All eight players change tables. North-South now sit East-West.")
    return _("Everyone stays in the same chair.")


def describe_packs(round_: int) -> str:
    """Describe what happens to the cards after a round, since there are no boards to move."""
    if round_ % 2:
        return _("Leave the cards of the deal here, face down.")
    return _("Both packs are shuffled and dealt again.")


def build_two_packs(teams: int = 2, rounds: int | None = None) -> Movement:
    """Build rounds of one deal at each of two tables, after which the players exchange tables.

    One side of four sits North-South at both tables, the other East-West. After the exchange it
    is the other way round: each side has then held all the cards, and no one plays a deal
    twice. The packs stay where they are. A round is one deal, since there is nothing to keep
    further deals in.

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
            for number in range(1, rounds + 1)
            for meeting in _build_round(number, teams)
        ),
        labels=make_two_field_labels(teams, teams),
    )


def _build_round(number: int, teams: int) -> tuple[Meeting, Meeting]:
    """Build a round: new deals in odd rounds, their exchange in even ones."""
    first, second, third, fourth = 1, teams, teams + 1, 2 * teams
    deal = number - 1 + number % 2
    if number % 4 in (0, 1):
        return (
            make_pair_meeting(number, 1, first, fourth, deal),
            make_pair_meeting(number, 2, third, second, deal + 1),
        )
    return (
        make_pair_meeting(number, 1, second, third, deal),
        make_pair_meeting(number, 2, fourth, first, deal + 1),
    )


TWO_PACKS = System(
    name="two-packs",
    title=gettext_noop("Two tables with two packs"),
    contest=Contest.TEAMS,
    unit=Unit.TEAMS,
    sizes=gettext_noop("2 teams"),
    fits=lambda teams: teams == 2,
    make=build_two_packs,
    source=gettext_noop("The Standard Hoyle (1912), duplicate whist"),
    marks=gettext_noop("no boards needed, one deal per round, the players change tables"),
    options=("rounds",),
    lengths=lambda _teams: (),
    announced=lambda _movement: [_(ANNOUNCEMENT)],
)
