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
    make_ns_and_ew_labels,
    make_pair_meeting,
)
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.system import MovementSystem, SizeUnit, format_title

MAX_TEAMS = 60


def build_howell_teams(team_count: int) -> Movement:
    """Build Howell's system: North-South move one table up, the boards (n-1)/2 tables down.

    East-West are stationary. North-South make their first move before play. In n-1 rounds every
    two teams meet at exactly two tables on the same boards, and no one replays a deal.

    Source: R. F. Foster, *Complete Hoyle*, duplicate whist, Howell's system for teams.
    """
    half_team_count = (team_count - 1) // 2

    def find_teams_and_group(round_number: int, table_number: int) -> tuple[int, int, int]:
        return (
            table_number - round_number,
            table_number,
            table_number + (round_number - 1) * half_team_count,
        )

    return _build_team_movement(
        "howell-teams",
        format_title(_("Howell’s system"), SizeUnit.TEAMS, team_count),
        team_count,
        team_count - 1,
        find_teams_and_group,
    )


def build_gilman(team_count: int, home: bool = True) -> Movement:
    """Build Gilman's movement; with `home`, each team plays a first set at its home table.

    After each round East-West move two tables down and the boards one table down.
    """
    first_round_offset = 0 if home else 1

    def find_teams_and_group(round_number: int, table_number: int) -> tuple[int, int, int]:
        move_count = round_number - 1 + first_round_offset
        return table_number, table_number + 2 * move_count, table_number + move_count

    return _build_team_movement(
        "gilman",
        format_title(_("American Whist (Gilman)"), SizeUnit.TEAMS, team_count),
        team_count,
        team_count - first_round_offset,
        find_teams_and_group,
    )


def build_new_england_relay(team_count: int) -> Movement:
    """Build the relay for an even number of teams.

    East-West move up one table before each round. Tables half the room apart share boards. In
    n-1 rounds every two teams meet once, on one board group, in both directions. In round r
    table t plays group 2t - r + 1, modulo n.

    Source: the New England relay of duplicate teams, a descendant of Gilman's for even numbers.
    """

    def find_teams_and_group(round_number: int, table_number: int) -> tuple[int, int, int]:
        return table_number, table_number - round_number, 2 * table_number - round_number + 1

    return _build_team_movement(
        "new-england-relay",
        format_title(_("New England relay"), SizeUnit.TEAMS, team_count),
        team_count,
        team_count - 1,
        find_teams_and_group,
        True,
    )


def build_three_team_movement(team_count: int = 3) -> Movement:
    """Build two half matches of two sets for three teams.

    Each team plays against the next team, then against the previous one. The second half
    overplays the boards of the first, so that every two teams play two board groups in both
    directions.

    Source: the three-team match of duplicate clubs. Tests verify it.
    """

    def find_teams_and_group(round_number: int, table_number: int) -> tuple[int, int, int]:
        half_index, set_index = divmod(round_number - 1, 2)
        opposing_team_number, first_team_number = (
            (table_number + 1, table_number)
            if half_index == 0
            else (table_number - 1, table_number - 1)
        )
        return (
            table_number,
            opposing_team_number,
            2 * ((first_team_number - 1) % team_count) + set_index + 1,
        )

    return _build_team_movement(
        "three-teams",
        _("Three teams"),
        team_count,
        4,
        find_teams_and_group,
        group_count=2 * team_count,
    )


def build_club_against_club(team_count: int) -> Movement:
    """Build matches between the fours of two clubs, each match at two neighbouring tables.

    Odd teams belong to one club and even teams to the other; team t has its North-South pair at
    table t. The two tables of a match exchange boards. After each round the even club's fours
    move two tables up. In n/2 rounds every four meets every four of the other club; one round
    is the match that Foster describes.

    Source: R. F. Foster, *Complete Hoyle*, duplicate whist, club against club.
    """
    match_count = team_count // 2

    def find_teams_and_group(round_number: int, table_number: int) -> tuple[int, int, int]:
        match_index = (table_number - 1) // 2
        odd_team_number, even_team_number = (
            2 * match_index + 1,
            2 * ((match_index - round_number + 1) % match_count) + 2,
        )
        ns_team_number, ew_team_number = (
            (odd_team_number, even_team_number)
            if table_number % 2
            else (even_team_number, odd_team_number)
        )
        return (
            ns_team_number,
            ew_team_number,
            (round_number - 1) * match_count + match_index + 1,
        )

    group_count = match_count * match_count
    return _build_team_movement(
        "club-against-club",
        format_title(_("Club against club"), SizeUnit.TEAMS, team_count),
        team_count,
        match_count,
        find_teams_and_group,
        True,
        group_count=group_count,
    )


def _build_team_movement(
    system_name: str,
    title: str,
    team_count: int,
    round_count: int,
    find_teams_and_group: Callable[[int, int], tuple[int, int, int]],
    allows_sharing: bool = False,
    group_count: int = 0,
) -> Movement:
    """Build a movement from a function that returns the two teams and the group of a table.

    Team numbers and board groups outside 1 to n wrap around. There are as many groups as
    teams unless `group_count` is given.
    """

    def iter_meetings() -> Iterator[Meeting]:
        for round_number in range(1, round_count + 1):
            for table_number in range(1, team_count + 1):
                ns_team_number, ew_team_number, board_group = find_teams_and_group(
                    round_number, table_number
                )
                yield make_pair_meeting(
                    round_number,
                    table_number,
                    1 + (ns_team_number - 1) % team_count,
                    team_count + 1 + (ew_team_number - 1) % team_count,
                    1 + (board_group - 1) % (group_count or team_count),
                )

    return Movement(
        name=system_name,
        title=title,
        contest=Contest.TEAMS,
        meetings=tuple(iter_meetings()),
        labels=make_ns_and_ew_labels(team_count, team_count),
        allows_sharing=allows_sharing,
    )


HOWELL_TEAMS_SYSTEM = MovementSystem(
    name="howell-teams",
    title=gettext_noop("Howell’s system for teams"),
    contest=Contest.TEAMS,
    unit=SizeUnit.TEAMS,
    sizes=gettext_noop("an odd number of teams from 3 to 59"),
    fits_size=lambda team_count: 3 <= team_count <= MAX_TEAMS and team_count % 2 == 1,
    build_movement=build_howell_teams,
    source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, Howell’s system"),
    remarks=gettext_noop("every two teams meet at two tables on the same boards"),
)

GILMAN_SYSTEM = MovementSystem(
    name="gilman",
    title=gettext_noop("American Whist (Gilman’s system for teams)"),
    alias_names=("american-whist",),
    contest=Contest.TEAMS,
    unit=SizeUnit.TEAMS,
    sizes=gettext_noop("an odd number of teams from 3 to 59"),
    fits_size=lambda team_count: 3 <= team_count <= MAX_TEAMS and team_count % 2 == 1,
    build_movement=build_gilman,
    source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, Gilman’s system"),
    remarks=gettext_noop("begins with a home set"),
    explanation_cost=100,  # the effort of explaining the home set
    options=("home",),
)

NEW_ENGLAND_RELAY_SYSTEM = MovementSystem(
    name="new-england-relay",
    title=gettext_noop("New England relay"),
    contest=Contest.TEAMS,
    unit=SizeUnit.TEAMS,
    sizes=gettext_noop("an even number of teams from 4 to 60"),
    fits_size=lambda team_count: 4 <= team_count <= MAX_TEAMS and team_count % 2 == 0,
    build_movement=build_new_england_relay,
    source=gettext_noop("duplicate clubs, from Gilman’s system"),
    remarks=gettext_noop("tables half the room apart share boards"),
)

THREE_TEAMS_SYSTEM = MovementSystem(
    name="three-teams",
    title=gettext_noop("Three teams"),
    contest=Contest.TEAMS,
    unit=SizeUnit.TEAMS,
    sizes=gettext_noop("3 teams"),
    fits_size=lambda team_count: team_count == 3,
    build_movement=build_three_team_movement,
    source=gettext_noop("duplicate clubs"),
    remarks=gettext_noop("two half matches of two sets"),
)

CLUB_AGAINST_CLUB_SYSTEM = MovementSystem(
    name="club-against-club",
    title=gettext_noop("Club against club"),
    is_recommended=False,  # only suggested for two clubs
    contest=Contest.TEAMS,
    unit=SizeUnit.TEAMS,
    sizes=gettext_noop("an even number of teams from 2 to 24, half of them each club’s"),
    fits_size=lambda team_count: 2 <= team_count <= 24 and team_count % 2 == 0,
    build_movement=build_club_against_club,
    source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, club against club"),
    remarks=gettext_noop("the two tables of a match play the same boards"),
)
