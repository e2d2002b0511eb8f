"""Teams of four: each team has a North-South and an East-West pair, which play separately.

Places are 1NS, 2NS … then 1EW, 2EW …; the number is that of the team and of its home table. Two
teams that meet play the same boards in both directions, once with each pair.
"""

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _

from server.translation import gettext_noop
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_pair_meeting,
    make_two_field_labels,
)
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.system import System, Unit, format_title

MAX_TEAMS = 60


def build_howell_teams(teams: int) -> Movement:
    """Build Howell's system: North-South move one table up, the boards (n-1)/2 tables down.

    East-West are stationary. North-South make their first move before play. In n-1 rounds every
    two teams meet at exactly two tables on the same boards, and no one replays a deal.

    Source: R. F. Foster, *Complete Hoyle*, duplicate whist, Howell's system for teams.
    """
    half_teams = (teams - 1) // 2

    def sits(round_: int, table: int) -> tuple[int, int, int]:
        return table - round_, table, table + (round_ - 1) * half_teams

    return _build_movement(
        "howell-teams",
        format_title(_("Howell's system"), Unit.TEAMS, teams),
        teams,
        teams - 1,
        sits,
    )


def build_gilman(teams: int, home: bool = True) -> Movement:
    """Build Gilman's movement, with or without a set that each team plays at its home table.

    Then East-West move two tables down and the boards one table down after each round.
    """
    first = 0 if home else 1

    def sits(round_: int, table: int) -> tuple[int, int, int]:
        moves = round_ - 1 + first
        return table, table + 2 * moves, table + moves

    return _build_movement(
        "gilman",
        format_title(_("American Whist (Gilman)"), Unit.TEAMS, teams),
        teams,
        teams - first,
        sits,
    )


def build_new_england_relay(teams: int) -> Movement:
    """Build the relay for an even number of teams: East-West move up one table before each
    round.

    Tables half the room apart share boards. In n-1 rounds every two teams meet once, on one
    board group, in both directions. In round r table t plays group 2t - r + 1, counted round
    from n to 1.

    Source: the New England relay of duplicate teams, a descendant of Gilman's for even numbers.
    """

    def sits(round_: int, table: int) -> tuple[int, int, int]:
        return table, table - round_, 2 * table - round_ + 1

    return _build_movement(
        "new-england-relay",
        format_title(_("New England relay"), Unit.TEAMS, teams),
        teams,
        teams - 1,
        sits,
        True,
    )


def build_three_teams(teams: int = 3) -> Movement:
    """Build two half matches of two sets: each team against the next, then against the one
    before.

    The second half overplays the boards of the first, so that every two teams play two board
    groups in both directions.

    Source: the three-team match of duplicate clubs; counted again by tests.
    """

    def sits(round_: int, table: int) -> tuple[int, int, int]:
        half_number, set_ = divmod(round_ - 1, 2)
        other, boards = (table + 1, table) if half_number == 0 else (table - 1, table - 1)
        return table, other, 2 * ((boards - 1) % teams) + set_ + 1

    return _build_movement(
        "three-teams",
        _("Three teams"),
        teams,
        4,
        sits,
        groups=2 * teams,
    )


def build_club_against_club(teams: int) -> Movement:
    """Build matches between the fours of two clubs, each match at two neighbouring tables.

    Odd teams belong to one club and even teams to the other; team t has its North-South pair at
    table t. The two tables of a match exchange boards. After each round the even club's fours
    move two tables up. In n/2 rounds every four meets every four of the other club; one round
    is the match that Foster describes.

    Source: R. F. Foster, *Complete Hoyle*, duplicate whist, club against club.
    """
    matches = teams // 2

    def sits(round_: int, table: int) -> tuple[int, int, int]:
        match = (table - 1) // 2
        odd_team, even_team = 2 * match + 1, 2 * ((match - round_ + 1) % matches) + 2
        north, east = (odd_team, even_team) if table % 2 else (even_team, odd_team)
        return north, east, (round_ - 1) * matches + match + 1

    groups = matches * matches
    return _build_movement(
        "club-against-club",
        format_title(_("Club against club"), Unit.TEAMS, teams),
        teams,
        matches,
        sits,
        True,
        groups=groups,
    )


def _build_movement(
    name: str,
    title: str,
    teams: int,
    rounds: int,
    find_seats: Callable[[int, int], tuple[int, int, int]],
    sharing: bool = False,
    groups: int = 0,
) -> Movement:
    """Build a schedule from a function that returns the N-S team, E-W team and group of a
    table.

    Team numbers and board groups are taken modulo their count, from 1. There are n groups
    unless `groups` is given.
    """

    def meetings() -> Iterator[Meeting]:
        for round_ in range(1, rounds + 1):
            for table in range(1, teams + 1):
                ns, ew, group = find_seats(round_, table)
                yield make_pair_meeting(
                    round_,
                    table,
                    1 + (ns - 1) % teams,
                    teams + 1 + (ew - 1) % teams,
                    1 + (group - 1) % (groups or teams),
                )

    return Movement(
        name=name,
        title=title,
        contest=Contest.TEAMS,
        meetings=tuple(meetings()),
        labels=make_two_field_labels(teams, teams),
        sharing=sharing,
    )


HOWELL_TEAMS = System(
    name="howell-teams",
    title=gettext_noop("Howell's system for teams"),
    contest=Contest.TEAMS,
    unit=Unit.TEAMS,
    sizes=gettext_noop("an odd number of teams from 3 to 59"),
    fits=lambda teams: 3 <= teams <= MAX_TEAMS and teams % 2 == 1,
    make=build_howell_teams,
    source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, Howell's system"),
    marks=gettext_noop("every two teams meet at two tables on the same boards"),
)

GILMAN = System(
    name="gilman",
    title=gettext_noop("American Whist (Gilman's system for teams)"),
    other_names=("american-whist",),
    contest=Contest.TEAMS,
    unit=Unit.TEAMS,
    sizes=gettext_noop("an odd number of teams from 3 to 59"),
    fits=lambda teams: 3 <= teams <= MAX_TEAMS and teams % 2 == 1,
    make=build_gilman,
    source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, Gilman's system"),
    marks=gettext_noop("begins with a home set"),
    explaining=100,  # one more round for the home set
    options=("home",),
)

NEW_ENGLAND_RELAY = System(
    name="new-england-relay",
    title=gettext_noop("New England relay"),
    contest=Contest.TEAMS,
    unit=Unit.TEAMS,
    sizes=gettext_noop("an even number of teams from 4 to 60"),
    fits=lambda teams: 4 <= teams <= MAX_TEAMS and teams % 2 == 0,
    make=build_new_england_relay,
    source=gettext_noop("duplicate clubs, from Gilman's system"),
    marks=gettext_noop("tables half the room apart share boards"),
)

THREE_TEAMS = System(
    name="three-teams",
    title=gettext_noop("Three teams"),
    contest=Contest.TEAMS,
    unit=Unit.TEAMS,
    sizes=gettext_noop("3 teams"),
    fits=lambda teams: teams == 3,
    make=build_three_teams,
    source=gettext_noop("duplicate clubs"),
    marks=gettext_noop("two half matches of two sets"),
)

CLUB_AGAINST_CLUB = System(
    name="club-against-club",
    title=gettext_noop("Club against club"),
    advised=False,  # only suggested for two clubs
    contest=Contest.TEAMS,
    unit=Unit.TEAMS,
    sizes=gettext_noop("an even number of teams from 2 to 24, half of them each club's"),
    fits=lambda teams: 2 <= teams <= 24 and teams % 2 == 0,
    make=build_club_against_club,
    source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, club against club"),
    marks=gettext_noop("the two tables of a match play the same boards"),
)
