"""Individuals: every player changes partners from round to round and is ranked individually."""

from collections.abc import Iterator
from functools import lru_cache
from math import gcd

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist.whist_designs import (
    DESIGNS,
    TWO_SIT_OUT,
    Design,
    develop_design,
    iter_first_round_tables,
)
from server.translation import gettext_noop
from tournaments.movements.meetings import Contest, Meeting, make_one_field_labels
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.finite_fields import FiniteField
from tournaments.movements.systems.individual_designs import WRITTEN_OUT_DESIGNS
from tournaments.movements.systems.system import System, Unit, format_title

MAX_PLAYERS = 65
MAX_RAINBOW_TABLES = 25
FINITE_FIELD_TABLES = (8, 9, 16)
"""Numbers of tables for which fixed steps do not work, so that a finite field is used."""


def build_whist_individual(players: int, edition: int = 2) -> Movement:
    """Build the whist tournament Wh(v): partner each other player once and oppose each twice.

    4n players play 4n-1 rounds. 4n+1 players play 4n+1 rounds, in which each sits out once. For
    6, 10 … 38 and 58 players each sits out twice, and misses one other player or meets someone
    one time more or less. Other numbers use the next larger tournament with its highest places
    absent: the other players at an absent player's table sit out. From 13 players on, except
    17, no two tables share boards; in the first edition those for 16 and 20 places did.

    Source: I. Anderson, *Combinatorial Designs and Tournaments*, whist tournaments.
    """
    seats = count_design_places(players)
    newer = edition > 1 and players == seats and seats in WRITTEN_OUT_DESIGNS
    design = _load_designs()[seats]
    return Movement(
        name="whist-individual",
        title=format_title(_("Whist tournament"), Unit.PLAYERS, players),
        contest=Contest.INDIVIDUAL,
        meetings=tuple(_parse_written_out(seats) if newer else _develop(seats, design)),
        labels=make_one_field_labels(seats),
        absent=frozenset(range(players + 1, seats + 1)),
        sharing=not newer and _has_sharing(design),
        edition=2 if newer else 1,
    )


def has_whist_tournament(players: int) -> bool:
    """Return whether a tournament for a number of players exists, possibly with absent
    places.
    """
    return 4 <= players <= MAX_PLAYERS or players in DESIGNS


def count_design_places(players: int) -> int:
    """Return the number of places of the tournament for a number of players."""
    if players in TWO_SIT_OUT:
        return players
    return min(seats for seats in DESIGNS if seats >= players)


def build_eight_individuals(players: int = 8) -> Movement:
    """Build seven sets for eight players at two tables, which play the same deals.

    Player 8 stays South at table 1. Each other player moves to where the next lower number sat.
    Any two players are compared equally often.

    Source: R. F. Foster, *Complete Hoyle*, duplicate whist, individuals; counted again by
    tests.
    """
    return Movement(
        name="eight-individuals",
        title=ngettext(
            "%(players)s player at two tables", "%(players)s players at two tables", players
        )
        % {"players": players},
        contest=Contest.INDIVIDUAL,
        meetings=tuple(_develop(players, DESIGNS[players])),
        labels=make_one_field_labels(players),
        sharing=True,
    )


def build_rainbow(tables: int) -> Movement:
    """Build the rainbow: North stays, South moves up one table, East up two, West down two.

    The boards move down one table. No two players meet twice. The four seats are four fields,
    ranked in one list: each player is compared with those who had the same side of the same
    boards. Places are numbered North of table 1, 2 …, then East, South and West by their tables
    in round 1. At 8, 9 and 16 tables the moves are those of a finite field, and guide cards
    show them: players of two different seats then share a table exactly once.

    Source: the rainbow of duplicate clubs, a descendant of compass whist; counted again by
    tests.
    """
    seated = _make_slope_meeting if tables in FINITE_FIELD_TABLES else _make_rainbow_meeting
    return Movement(
        name="rainbow",
        title=format_title(_("Rainbow"), Unit.TABLES, tables),
        contest=Contest.INDIVIDUAL,
        meetings=tuple(
            seated(tables, round_, table) for round_ in range(tables) for table in range(tables)
        ),
        labels=make_one_field_labels(4 * tables),
    )


def fits_rainbow(tables: int) -> bool:
    """Return whether steps of one to four tables visit every table, or a finite field is
    used.
    """
    comes_round = gcd(tables, 6) == 1 or tables in FINITE_FIELD_TABLES
    return 5 <= tables <= MAX_RAINBOW_TABLES and comes_round


def _load_designs() -> dict[int, Design]:
    return DESIGNS | TWO_SIT_OUT


def _make_rainbow_meeting(tables: int, round_: int, table: int) -> Meeting:
    return Meeting(
        round=round_ + 1,
        table=table + 1,
        north=1 + table,
        east=1 + tables + (table - 2 * round_) % tables,
        south=1 + 2 * tables + (table - round_) % tables,
        west=1 + 3 * tables + (table + 2 * round_) % tables,
        board_group=1 + (table + round_) % tables,
    )


def _make_slope_meeting(tables: int, round_: int, table: int) -> Meeting:
    """Make the meeting in round x at table t of the players who began at table t - s x, for
    each slope s.

    North has slope 0.
    """
    field = FiniteField.of(tables)
    south, east, west, boards = (
        field.minus(table, move) for move in _compute_slope_moves(tables, round_)
    )
    return Meeting(
        round=round_ + 1,
        table=table + 1,
        north=1 + table,
        east=1 + tables + east,
        south=1 + 2 * tables + south,
        west=1 + 3 * tables + west,
        board_group=1 + boards,
    )


@lru_cache(maxsize=64)
def _compute_slope_moves(tables: int, round_: int) -> tuple[int, ...]:
    """Return how many tables each slope has moved in a round, the same for all tables."""
    return tuple(FiniteField.of(tables).times(slope, round_) for slope in (1, 2, 3, 4))


def _develop(players: int, design: Design) -> Iterator[Meeting]:
    """Convert a design to meetings; its seats are in the order North, East, South, West."""
    for round_, table, seats, group in develop_design(players, design):
        yield Meeting(round_, table, *seats, group)


def _parse_written_out(players: int) -> Iterator[Meeting]:
    for number, line in enumerate(WRITTEN_OUT_DESIGNS[players].split("; "), start=1):
        for table, row in enumerate(line.split(", "), start=1):
            seats, group = row.split(":")
            north, east, south, west = (int(seat) for seat in seats.split())
            yield Meeting(number, table, north, east, south, west, int(group))


def _has_sharing(design: Design) -> bool:
    groups = [group for _, group in iter_first_round_tables(design)]
    return len(set(groups)) < len(groups)


WHIST_INDIVIDUAL = System(
    name="whist-individual",
    title=gettext_noop("Whist tournament"),
    contest=Contest.INDIVIDUAL,
    unit=Unit.PLAYERS,
    sizes=gettext_noop("4 to 65 players (best when they fill the tables, or all but one do)"),
    fits=has_whist_tournament,
    make=build_whist_individual,
    source=gettext_noop("I. Anderson, Combinatorial Designs and Tournaments"),
    marks=gettext_noop(
        "partners once, opponents twice. With 8, 9, 12 and 17 players boards are shared"
    ),
    editions=2,
)

RAINBOW = System(
    name="rainbow",
    title=gettext_noop("Rainbow"),
    contest=Contest.INDIVIDUAL,
    unit=Unit.PLAYERS,
    sizes=gettext_noop(
        "20, 28, 32, 36, 44, 52, 64, 68, 76, 92 or 100 players (5, 7, 8, 9 … full tables)"
    ),
    fits=lambda players: players % 4 == 0 and fits_rainbow(players // 4),
    make=lambda players: build_rainbow(players // 4),
    source=gettext_noop("duplicate clubs, from the old Mitchell movement"),
    marks=gettext_noop("no one meets twice, each keeps a seat, one list ranks all"),
)

EIGHT_INDIVIDUALS = System(
    name="eight-individuals",
    title=gettext_noop("Eight players at two tables"),
    contest=Contest.INDIVIDUAL,
    unit=Unit.PLAYERS,
    sizes=gettext_noop("8 players"),
    fits=lambda players: players == 8,
    make=build_eight_individuals,
    source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, individuals"),
    marks=gettext_noop("both tables play the same boards"),
    explaining=100,
)
