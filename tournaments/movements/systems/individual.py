"""Individuals: every player changes partners from round to round and is ranked individually."""

from collections.abc import Iterator
from functools import lru_cache
from math import gcd

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist.whist_designs import (
    DESIGNS_BY_PLAYER_COUNT,
    DESIGNS_WITH_TWO_SIT_OUTS,
    WhistDesign,
    iter_design_tables,
    iter_first_round_tables,
)
from server.translation import gettext_noop
from tournaments.movements.meetings import Contest, Meeting, make_numeric_labels
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.finite_fields import FiniteField
from tournaments.movements.systems.individual_designs import WRITTEN_OUT_DESIGNS
from tournaments.movements.systems.system import MovementSystem, SizeUnit, format_title

MAX_PLAYERS = 65
MAX_RAINBOW_TABLES = 25
FINITE_FIELD_TABLE_COUNTS = (8, 9, 16)
"""Numbers of tables for which fixed steps do not work, so that a finite field is used."""


def build_whist_individual(player_count: int, edition: int = 2) -> Movement:
    """Build the whist tournament Wh(v): any two players are partners once and opponents twice.

    4n players play 4n-1 rounds. 4n+1 players play 4n+1 rounds, in which each sits out once. For
    6, 10 … 38 and 58 players each sits out twice, and misses one other player or meets someone
    one time more or less. Other numbers use the next larger tournament without its highest
    places; the other players at the table of a missing player sit out. From 13 players on,
    except 17, no two tables share boards. In the first edition, tables of the tournaments for
    16 and 20 places shared boards. An event that was played in the first edition keeps it.

    Source: I. Anderson, *Combinatorial Designs and Tournaments*, whist tournaments.
    """
    place_count = count_design_places(player_count)
    is_newer_edition = (
        edition > 1 and player_count == place_count and place_count in WRITTEN_OUT_DESIGNS
    )
    design = _merge_designs()[place_count]
    return Movement(
        name="whist-individual",
        title=format_title(_("Whist tournament"), SizeUnit.PLAYERS, player_count),
        contest=Contest.INDIVIDUAL,
        meetings=tuple(
            _parse_written_out_design(place_count)
            if is_newer_edition
            else _develop_meetings(place_count, design)
        ),
        labels=make_numeric_labels(place_count),
        absent_places=frozenset(range(player_count + 1, place_count + 1)),
        allows_sharing=not is_newer_edition and _has_shared_boards(design),
        edition=2 if is_newer_edition else 1,
    )


def has_whist_tournament(player_count: int) -> bool:
    """Return whether there is a tournament for these players, perhaps with absent places."""
    return 4 <= player_count <= MAX_PLAYERS or player_count in DESIGNS_BY_PLAYER_COUNT


def count_design_places(player_count: int) -> int:
    """Return the number of places of the tournament for a number of players."""
    if player_count in DESIGNS_WITH_TWO_SIT_OUTS:
        return player_count
    return min(
        place_count for place_count in DESIGNS_BY_PLAYER_COUNT if place_count >= player_count
    )


def build_eight_player_individual(player_count: int = 8) -> Movement:
    """Build seven sets for eight players at two tables, which play the same deals.

    Player 8 stays South at table 1. Each other player moves to where the next lower number sat.
    Any two players are compared equally often.

    Source: R. F. Foster, *Complete Hoyle*, duplicate whist, individuals. Tests verify it.
    """
    return Movement(
        name="eight-individuals",
        title=ngettext(
            "%(players)s player at two tables",
            "%(players)s players at two tables",
            player_count,
        )
        % {"players": player_count},
        contest=Contest.INDIVIDUAL,
        meetings=tuple(_develop_meetings(player_count, DESIGNS_BY_PLAYER_COUNT[player_count])),
        labels=make_numeric_labels(player_count),
        allows_sharing=True,
    )


def build_rainbow(table_count: int) -> Movement:
    """Build the rainbow: North stays, South moves up one table, East up two, West down two.

    The boards move down one table. No two players meet twice. The four seats are four fields,
    ranked in one list: each player is compared with those who had the same side of the same
    boards. Places are numbered North of table 1, 2 …, then East, South and West by their tables
    in round 1. At 8, 9 and 16 tables these moves would not visit every table. There the tables
    are computed in a finite field, so that players of two different seats share a table exactly
    once. Guide cards show these moves.

    Source: the rainbow of duplicate clubs, a descendant of compass whist. Tests verify it.
    """
    make_meeting = (
        _make_finite_field_meeting
        if table_count in FINITE_FIELD_TABLE_COUNTS
        else _make_rainbow_meeting
    )
    return Movement(
        name="rainbow",
        title=format_title(_("Rainbow"), SizeUnit.TABLES, table_count),
        contest=Contest.INDIVIDUAL,
        meetings=tuple(
            make_meeting(table_count, round_index, table_index)
            for round_index in range(table_count)
            for table_index in range(table_count)
        ),
        labels=make_numeric_labels(4 * table_count),
    )


def has_rainbow(table_count: int) -> bool:
    """Return whether there is a rainbow for a number of tables.

    Steps of one to four tables must visit every table, unless a finite field is used.
    """
    visits_every_table = gcd(table_count, 6) == 1 or table_count in FINITE_FIELD_TABLE_COUNTS
    return 5 <= table_count <= MAX_RAINBOW_TABLES and visits_every_table


def _merge_designs() -> dict[int, WhistDesign]:
    return DESIGNS_BY_PLAYER_COUNT | DESIGNS_WITH_TWO_SIT_OUTS


def _make_rainbow_meeting(table_count: int, round_index: int, table_index: int) -> Meeting:
    return Meeting(
        round=round_index + 1,
        table=table_index + 1,
        north=1 + table_index,
        east=1 + table_count + (table_index - 2 * round_index) % table_count,
        south=1 + 2 * table_count + (table_index - round_index) % table_count,
        west=1 + 3 * table_count + (table_index + 2 * round_index) % table_count,
        board_group=1 + (table_index + round_index) % table_count,
    )


def _make_finite_field_meeting(table_count: int, round_index: int, table_index: int) -> Meeting:
    """Make the meeting at table t in round x, both counted from 0.

    Tables and rounds are elements of a finite field. A player with slope s began at table
    t - s x. The slopes are 0 for North, 1 for South, 2 for East and 3 for West.
    """
    finite_field = FiniteField.build(table_count)
    south_start_table, east_start_table, west_start_table, board_start_table = (
        finite_field.subtract(table_index, distance)
        for distance in _compute_move_distances(table_count, round_index)
    )
    return Meeting(
        round=round_index + 1,
        table=table_index + 1,
        north=1 + table_index,
        east=1 + table_count + east_start_table,
        south=1 + 2 * table_count + south_start_table,
        west=1 + 3 * table_count + west_start_table,
        board_group=1 + board_start_table,
    )


@lru_cache(maxsize=64)
def _compute_move_distances(table_count: int, round_index: int) -> tuple[int, ...]:
    """Return s x for the slopes s = 1 to 4 and the round x, computed in the finite field."""
    return tuple(
        FiniteField.build(table_count).multiply(slope, round_index) for slope in (1, 2, 3, 4)
    )


def _develop_meetings(player_count: int, design: WhistDesign) -> Iterator[Meeting]:
    """Convert a design to meetings; its seats are in the order North, East, South, West."""
    for round_number, table_number, seats, board_group in iter_design_tables(
        player_count, design
    ):
        yield Meeting(round_number, table_number, *seats, board_group)


def _parse_written_out_design(player_count: int) -> Iterator[Meeting]:
    for round_number, round_text in enumerate(
        WRITTEN_OUT_DESIGNS[player_count].split("; "), start=1
    ):
        for table_number, table_text in enumerate(round_text.split(", "), start=1):
            seats_text, group_text = table_text.split(":")
            north, east, south, west = (int(place_text) for place_text in seats_text.split())
            yield Meeting(round_number, table_number, north, east, south, west, int(group_text))


def _has_shared_boards(design: WhistDesign) -> bool:
    board_groups = [board_group for _, board_group in iter_first_round_tables(design)]
    return len(set(board_groups)) < len(board_groups)


WHIST_INDIVIDUAL_SYSTEM = MovementSystem(
    name="whist-individual",
    title=gettext_noop("Whist tournament"),
    contest=Contest.INDIVIDUAL,
    unit=SizeUnit.PLAYERS,
    sizes=gettext_noop("4 to 65 players (best when they fill the tables, or all but one do)"),
    fits_size=has_whist_tournament,
    build_movement=build_whist_individual,
    source=gettext_noop("I. Anderson, Combinatorial Designs and Tournaments"),
    remarks=gettext_noop(
        "partners once, opponents twice. With 8, 9, 12 and 17 players boards are shared"
    ),
    edition_count=2,
)

RAINBOW_SYSTEM = MovementSystem(
    name="rainbow",
    title=gettext_noop("Rainbow"),
    contest=Contest.INDIVIDUAL,
    unit=SizeUnit.PLAYERS,
    sizes=gettext_noop(
        "20, 28, 32, 36, 44, 52, 64, 68, 76, 92 or 100 players (5, 7, 8, 9 … full tables)"
    ),
    fits_size=lambda player_count: player_count % 4 == 0 and has_rainbow(player_count // 4),
    build_movement=lambda player_count: build_rainbow(player_count // 4),
    source=gettext_noop("duplicate clubs, from the old Mitchell movement"),
    remarks=gettext_noop("no one meets twice, each keeps a seat, all are ranked together"),
)

EIGHT_INDIVIDUALS_SYSTEM = MovementSystem(
    name="eight-individuals",
    title=gettext_noop("Eight players at two tables"),
    contest=Contest.INDIVIDUAL,
    unit=SizeUnit.PLAYERS,
    sizes=gettext_noop("8 players"),
    fits_size=lambda player_count: player_count == 8,
    build_movement=build_eight_player_individual,
    source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, individuals"),
    remarks=gettext_noop("both tables play the same boards"),
    explanation_cost=100,
)
