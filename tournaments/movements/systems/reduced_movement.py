"""Reduced (three-quarter) Howells: fewer rounds than a full Howell, and more stationary pairs.

Every pair plays every board group once, no two pairs meet twice and no two tables share boards.
Some pairs never meet. The arrow is switched at some tables in some rounds, so that all pairs
are compared. Guide cards show these switches.

Sources: the three-quarter Howells of duplicate clubs. The schedules were found by a computer
search; tests in tests/tournaments/movements verify each.
"""

from collections.abc import Iterator
from fractions import Fraction

from django.utils.translation import gettext as _

from server.translation import gettext_noop
from tournaments.movements.formatting import join_alternatives
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_numeric_labels,
    make_pair_meeting,
)
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems import reduced_designs
from tournaments.movements.systems.reduced_starters import (
    REDUCED_STARTERS_BY_SIZE,
    WRITTEN_OUT_SCHEDULES,
)
from tournaments.movements.systems.system import MovementSystem, SizeUnit

USUAL_SHARE_OF_ROUNDS = Fraction(3, 4)
FIRST_EDITION_TABLE_AND_ROUND_COUNTS = sorted(
    (*REDUCED_STARTERS_BY_SIZE, *WRITTEN_OUT_SCHEDULES)
)
ALL_TABLE_AND_ROUND_COUNTS = sorted(
    {
        *FIRST_EDITION_TABLE_AND_ROUND_COUNTS,
        *reduced_designs.REDUCED_STARTERS_BY_SIZE,
        *reduced_designs.WRITTEN_OUT_SCHEDULES,
    }
)


def build_reduced_howell(
    pair_count: int, rounds: int | None = None, edition: int = 2
) -> Movement:
    """Build the reduced Howell with `rounds`, by default about 3/4 of the rounds of a full one.

    With t tables and r rounds, the highest 2t - r pairs are stationary at the last tables.
    Every other pair moves to where the pair with the next lower number sat, and the board
    groups move with the pairs. The second edition has more sizes, and fairer schedules for some
    sizes of the first edition.
    """
    table_count = pair_count // 2
    known_table_and_round_counts = (
        ALL_TABLE_AND_ROUND_COUNTS if edition > 1 else FIRST_EDITION_TABLE_AND_ROUND_COUNTS
    )
    known_round_counts = [
        known_round_count
        for known_table_count, known_round_count in known_table_and_round_counts
        if known_table_count == table_count
    ]
    if rounds is None:
        full_howell_round_count = 2 * table_count - 1
        rounds = min(
            known_round_counts,
            key=lambda round_count: (
                abs(Fraction(round_count, full_howell_round_count) - USUAL_SHARE_OF_ROUNDS),
                round_count,
            ),
        )
    if rounds not in known_round_counts:
        raise UnplayableMovement(
            _(
                "The three-quarter Howell for %(tables)s tables has %(known)s rounds, not "
                "%(rounds)s."
            )
            % {
                "tables": table_count,
                "known": join_alternatives(
                    [str(round_count) for round_count in known_round_counts]
                ),
                "rounds": rounds,
            }
        )
    table_and_round_count = (table_count, rounds)
    is_newer_edition = edition > 1 and (
        table_and_round_count in reduced_designs.REDUCED_STARTERS_BY_SIZE
        or table_and_round_count in reduced_designs.WRITTEN_OUT_SCHEDULES
    )
    starters_by_table_and_round_count = (
        reduced_designs.REDUCED_STARTERS_BY_SIZE
        if is_newer_edition
        else REDUCED_STARTERS_BY_SIZE
    )
    meetings = (
        _develop_starter(rounds, *starters_by_table_and_round_count[table_and_round_count])
        if table_and_round_count in starters_by_table_and_round_count
        else _parse_written_out_schedule(
            (
                reduced_designs.WRITTEN_OUT_SCHEDULES
                if is_newer_edition
                else WRITTEN_OUT_SCHEDULES
            )[table_and_round_count]
        )
    )
    return Movement(
        name="reduced-howell",
        title=_("Three-quarter Howell, %(tables)s tables, %(rounds)s rounds")
        % {"tables": table_count, "rounds": rounds},
        contest=Contest.PAIRS,
        meetings=tuple(meetings),
        labels=make_numeric_labels(pair_count),
        edition=2 if is_newer_edition else 1,
    )


def fits_reduced_howell(pair_count: int) -> bool:
    """Return whether a reduced Howell for an even number of pairs is known."""
    return pair_count % 2 == 0 and bool(list_round_counts(pair_count))


def list_round_counts(pair_count: int) -> list[int]:
    """Return the numbers of rounds for which a reduced Howell of this size is known."""
    return [
        round_count
        for table_count, round_count in ALL_TABLE_AND_ROUND_COUNTS
        if table_count == pair_count // 2
    ]


def _develop_starter(
    round_count: int, first_round_text: str, arrow_switch_text: str
) -> Iterator[Meeting]:
    """Yield the meetings; each round adds one to the moving pairs and the board groups.

    A starter lists its tables as "first-second:group", counted from 0. Stationary pairs have
    the highest numbers. The arrows of a round have one bit for each table, the lowest bit for
    table 1. If a bit is set, the second pair sits North-South.
    """
    first_round_tables = [_parse_table(table_text) for table_text in first_round_text.split()]
    for round_index, round_arrow_text in enumerate(arrow_switch_text.split()):
        arrow_bits = int(round_arrow_text, 16)
        for table_index, (first_pair_index, second_pair_index, board_group) in enumerate(
            first_round_tables
        ):
            ns_place, ew_place = (
                1
                + (
                    pair_index
                    if pair_index >= round_count
                    else (pair_index + round_index) % round_count
                )
                for pair_index in (first_pair_index, second_pair_index)
            )
            if arrow_bits >> table_index & 1:
                ns_place, ew_place = ew_place, ns_place
            yield make_pair_meeting(
                round_index + 1,
                table_index + 1,
                ns_place,
                ew_place,
                1 + (board_group + round_index) % round_count,
            )


def _parse_written_out_schedule(schedule_text: str) -> Iterator[Meeting]:
    for round_number, round_text in enumerate(schedule_text.split("; "), start=1):
        for table_number, table_text in enumerate(round_text.split(), start=1):
            ns_index, ew_index, board_group = _parse_table(table_text)
            yield make_pair_meeting(
                round_number, table_number, 1 + ns_index, 1 + ew_index, 1 + board_group
            )


def _parse_table(table_text: str) -> tuple[int, int, int]:
    pairs_text, group_text = table_text.split(":")
    first_pair_index, second_pair_index = pairs_text.split("-")
    return int(first_pair_index), int(second_pair_index), int(group_text)


REDUCED_HOWELL_SYSTEM = MovementSystem(
    name="reduced-howell",
    title=gettext_noop("Three-quarter Howell"),
    has_short_title=True,
    alias_names=("three-quarter-howell",),
    # at four tables all pairs can meet in a full Howell
    rate_unevenness=lambda table_count: 4_000 if table_count < 5 else 1_500,
    unit=SizeUnit.PAIRS,
    sizes=gettext_noop("7 to 24 pairs at 4 to 12 tables (an odd number sits out in turn)"),
    fits_size=fits_reduced_howell,
    build_movement=build_reduced_howell,
    source=gettext_noop("duplicate clubs, starters and arrows by search"),
    remarks=gettext_noop("one winner, some pairs never meet, with arrow switches"),
    options=("rounds",),
    edition_count=2,
    leaves_fairest_place_empty=True,
    list_round_counts=list_round_counts,
)
