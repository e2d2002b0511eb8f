"""The catalogue's systems for single players, teams, memory duplicate and reduced Howells."""

from boards.whist.words import gettext_noop
from tournaments.movements.meetings import Contest
from tournaments.movements.systems.individual import (
    eight_individuals,
    fits_rainbow,
    fits_whist,
    rainbow,
    whist_individual,
)
from tournaments.movements.systems.league import league_fours
from tournaments.movements.systems.memory import four_individuals, memory
from tournaments.movements.systems.reduced import fits_reduced, reduced_howell, rounds_known
from tournaments.movements.systems.system import System, Unit
from tournaments.movements.systems.teams import (
    MOST_TEAMS,
    club_against_club,
    gilman,
    howell_teams,
    new_england_relay,
    three_teams,
)

INDIVIDUAL_SYSTEMS = (
    System(
        name="whist-individual",
        title=gettext_noop("Whist tournament"),
        contest=Contest.INDIVIDUAL,
        unit=Unit.PLAYERS,
        sizes=gettext_noop(
            "4 to 65 players (best when they fill the tables, or all but one do)"
        ),
        fits=fits_whist,
        make=whist_individual,
        source=gettext_noop("I. Anderson, Combinatorial Designs and Tournaments"),
        marks=gettext_noop("partners once, opponents twice; shares boards below 21 players"),
    ),
    System(
        name="rainbow",
        title=gettext_noop("Rainbow"),
        contest=Contest.INDIVIDUAL,
        unit=Unit.PLAYERS,
        sizes=gettext_noop(
            "20, 28, 44, 52, 68, 76, 92 or 100 players, who fill 5, 7, 11, 13 … tables"
        ),
        fits=lambda players: players % 4 == 0 and fits_rainbow(players // 4),
        make=lambda players: rainbow(players // 4),
        source=gettext_noop("duplicate clubs, a descendant of compass whist"),
        marks=gettext_noop("nobody meets another twice; four fields"),
    ),
    System(
        name="eight-individuals",
        title=gettext_noop("Eight players at two tables"),
        contest=Contest.INDIVIDUAL,
        unit=Unit.PLAYERS,
        sizes=gettext_noop("8 players"),
        fits=lambda players: players == 8,
        make=eight_individuals,
        source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, individuals"),
        marks=gettext_noop("both tables play the same boards"),
    ),
    System(
        name="four-individuals",
        title=gettext_noop("Four players at one table"),
        contest=Contest.INDIVIDUAL,
        unit=Unit.PLAYERS,
        sizes=gettext_noop("4 players"),
        fits=lambda players: players == 4,
        make=four_individuals,
        source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, individuals"),
        marks=gettext_noop("overplayed from memory"),
    ),
)

TEAM_SYSTEMS = (
    System(
        name="league-fours",
        title=gettext_noop("League match of two teams"),
        contest=Contest.TEAMS,
        unit=Unit.TEAMS,
        sizes=gettext_noop("2 teams"),
        fits=lambda teams: teams == 2,
        make=league_fours,
        source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, League match"),
        marks=gettext_noop(
            "six sets are level, three are not; both tables play the same boards"
        ),
        options=("sets", "rounds"),
    ),
    System(
        name="howell-teams",
        title=gettext_noop("Howell's system for teams"),
        contest=Contest.TEAMS,
        unit=Unit.TEAMS,
        sizes=gettext_noop("an odd number of teams from 3 to 59"),
        fits=lambda teams: 3 <= teams <= MOST_TEAMS and teams % 2 == 1,
        make=howell_teams,
        source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, Howell's system"),
        marks=gettext_noop("every two teams meet at two tables on the same boards"),
    ),
    System(
        name="gilman",
        title=gettext_noop("Gilman's system for teams"),
        contest=Contest.TEAMS,
        unit=Unit.TEAMS,
        sizes=gettext_noop("an odd number of teams from 3 to 59"),
        fits=lambda teams: 3 <= teams <= MOST_TEAMS and teams % 2 == 1,
        make=gilman,
        source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, Gilman's system"),
        marks=gettext_noop("begins with a home set"),
        options=("home",),
    ),
    System(
        name="new-england-relay",
        title=gettext_noop("New England relay"),
        contest=Contest.TEAMS,
        unit=Unit.TEAMS,
        sizes=gettext_noop("an even number of teams from 4 to 60"),
        fits=lambda teams: 4 <= teams <= MOST_TEAMS and teams % 2 == 0,
        make=new_england_relay,
        source=gettext_noop("duplicate clubs, a descendant of Gilman's system"),
        marks=gettext_noop("tables half the room apart share boards"),
    ),
    System(
        name="three-teams",
        title=gettext_noop("Three teams"),
        contest=Contest.TEAMS,
        unit=Unit.TEAMS,
        sizes=gettext_noop("3 teams"),
        fits=lambda teams: teams == 3,
        make=three_teams,
        source=gettext_noop("duplicate clubs"),
        marks=gettext_noop("two half matches of two sets"),
    ),
    System(
        name="club-against-club",
        title=gettext_noop("Club against club"),
        contest=Contest.TEAMS,
        unit=Unit.TEAMS,
        sizes=gettext_noop("an even number of teams from 2 to 24, half of them each club's"),
        fits=lambda teams: 2 <= teams <= 24 and teams % 2 == 0,
        make=club_against_club,
        source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, club against club"),
        marks=gettext_noop("the two tables of a match play the same boards"),
    ),
)

MEMORY_SYSTEMS = (
    System(
        name="memory",
        title=gettext_noop("Memory duplicate"),
        contest=Contest.MEMORY,
        unit=Unit.PAIRS,
        sizes=gettext_noop("2 pairs"),
        fits=lambda pairs: pairs == 2,
        make=memory,
        source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, memory duplicate"),
        marks=gettext_noop("overplayed from memory"),
        options=("rounds",),
    ),
)

REDUCED_SYSTEMS = (
    System(
        name="reduced-howell",
        title=gettext_noop("Reduced Howell"),
        contest=Contest.PAIRS,
        unit=Unit.PAIRS,
        sizes=gettext_noop("9 to 20 pairs at 5 to 10 tables (an odd number sits out in turn)"),
        fits=fits_reduced,
        make=reduced_howell,
        source=gettext_noop("duplicate clubs; starters and arrows by search"),
        marks=gettext_noop("one winner; some pairs never meet; arrows are turned"),
        options=("rounds",),
        lengths=rounds_known,
    ),
)

PARTY_SYSTEMS = (*INDIVIDUAL_SYSTEMS, *TEAM_SYSTEMS, *MEMORY_SYSTEMS, *REDUCED_SYSTEMS)
