"""The League's match of two teams of four: six sets in which partners change within a team."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import gettext_noop
from tournaments.movements.meetings import Contest, Meeting, pair_meeting, two_field_labels
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems.system import System, Unit
from tournaments.movements.words import listed

LINE_UPS = (
    ("AB", "WX", "YZ", "CD"),
    ("AB", "YZ", "WX", "CD"),
    ("AC", "WY", "XZ", "BD"),
    ("AC", "XZ", "WY", "BD"),
    ("AD", "XY", "WZ", "BC"),
    ("AD", "WZ", "XY", "BC"),
)
"""The players of each of the six sets: table 1 N-S, table 1 E-W, table 2 N-S, table 2 E-W.

Team 1 is A B C D, team 2 W X Y Z.

Source: R. F. Foster, *Complete Hoyle*, duplicate whist.
"""

PLACES = ("1NS", "2EW", "2NS", "1EW")
"""The places of these four sides in the plan; the two players of each stay together in a set.
"""

EXCHANGED = gettext_noop("The two tables exchange the boards of each set.")
COST_OF_THREE_SETS = gettext_noop(
    "In three sets not everyone meets: A never plays against Z, and some opponents meet once, "
    "others twice. Six sets are level."
)


def league_fours(
    teams: int = 2, sets: int | None = None, rounds: int | None = None
) -> Movement:
    """Play two teams of four over six sets, both tables exchanging the boards of each set.

    Over six sets every partnership plays twice and every two opponents face each other three
    times. Three sets (the 1st, 3rd and 5th, as clubs usually play) are not balanced. A set is a
    round, so either word gives their number.

    Source: R. F. Foster, *Complete Hoyle*, duplicate whist, League match.
    """
    number_of_sets = len(line_ups(sets or rounds or 6))
    return Movement(
        name="league-fours",
        title=ngettext(
            "League match, %(sets)s set", "League match, %(sets)s sets", number_of_sets
        )
        % {"sets": number_of_sets},
        contest=Contest.TEAMS,
        meetings=tuple(
            meeting
            for number in range(1, number_of_sets + 1)
            for meeting in _set(number, teams)
        ),
        labels=two_field_labels(teams, teams),
        sharing=True,
    )


def line_ups(sets: int = 6) -> Sequence[tuple[str, str, str, str]]:
    """Return the line-up of each set of a match: six, or the 1st, 3rd and 5th of them."""
    if sets == 6:
        return LINE_UPS
    if sets == 3:
        return LINE_UPS[::2]
    words = _("A League match has 6 sets, or 3, but not %(sets)s.")
    raise UnplayableMovement(words % {"sets": sets})


def announced(sets: int = 6) -> list[str]:
    """Return for each set one sentence with its line-up."""
    return [in_set(number, sets) for number in range(1, len(line_ups(sets)) + 1)]


def sets_of(rounds: int) -> int:
    """Return the number of sets of a match; an extra round for made-up boards is not one."""
    return 6 if rounds >= 6 else 3


def line_up_at(place: str, round_: int, group: int, sets: int) -> str:
    """Return the letters of the two players at a place, given its label; "" for an empty one.

    The players keep their place at any table and on any side. Boards that are made up after the
    last set are played with the line-up of their own set.
    """
    number = round_ if round_ <= sets else group
    if place not in PLACES or not 1 <= number <= sets:
        return ""
    return line_ups(sets)[number - 1][PLACES.index(place)]


def in_set(number: int, sets: int = 6) -> str:
    """Return one sentence with the line-up of one set of a match."""
    return set_in_words(number, line_ups(sets)[number - 1])


def set_in_words(number: int, seats: Sequence[str]) -> str:
    """Return one sentence with four line-ups: table 1 N-S and E-W, table 2 N-S and E-W."""
    words = _(
        "Set %(set)s: table 1 has %(ns1)s N-S against %(ew1)s E-W, table 2 has %(ns2)s N-S "
        "against %(ew2)s E-W."
    )
    named = zip(("ns1", "ew1", "ns2", "ew2"), seats, strict=True)
    return words % {"set": number, **{seat: listed(pair) for seat, pair in named}}


def _set(number: int, teams: int) -> tuple[Meeting, Meeting]:
    return (
        pair_meeting(number, 1, 1, teams + 2, number),
        pair_meeting(number, 2, 2, teams + 1, number),
    )


LEAGUE_FOURS = System(
    name="league-fours",
    title=gettext_noop("League match of two teams"),
    contest=Contest.TEAMS,
    unit=Unit.TEAMS,
    sizes=gettext_noop("2 teams"),
    fits=lambda teams: teams == 2,
    make=league_fours,
    source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, League match"),
    marks=gettext_noop("six sets are level, three are not; both tables play the same boards"),
    options=("sets", "rounds"),
    announced=lambda movement: [*announced(movement.rounds), _(EXCHANGED)],
)
