"""Reduced (three-quarter) Howells: fewer rounds than a full Howell, and more stationary pairs.

Every pair plays every board group once, no two meet twice and no two tables share boards. Some
pairs never meet. So that all are compared, the arrow is switched at some tables in some rounds,
as guide cards show.

Sources: the three-quarter Howells of duplicate clubs. The schedules were found by a computer
search; tests/tournaments/movements counts each again.
"""

from collections.abc import Iterator
from fractions import Fraction

from django.utils.translation import gettext as _

from server.translation import gettext_noop
from tournaments.movements.formatting import join_alternatives
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_one_field_labels,
    make_pair_meeting,
)
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems import reduced_designs
from tournaments.movements.systems.reduced_starters import STARTERS, WRITTEN_OUT
from tournaments.movements.systems.system import System, Unit

USUAL_SHARE_OF_ROUNDS = Fraction(3, 4)
FIRST_EDITION_SIZES = sorted((*STARTERS, *WRITTEN_OUT))
ALL_SIZES = sorted(
    {*FIRST_EDITION_SIZES, *reduced_designs.STARTERS, *reduced_designs.WRITTEN_OUT}
)


def build_reduced_howell(pairs: int, rounds: int | None = None, edition: int = 2) -> Movement:
    """Build the reduced Howell with these rounds, or with nearly three quarters of a full
    Howell.

    With t tables and r rounds, the highest 2t - r pairs are stationary at the last tables.
    Every other pair moves to where the next lower number sat, and the board groups move with
    them. The second edition has more sizes, and fairer schedules for some of the first.
    """
    tables = pairs // 2
    sizes = ALL_SIZES if edition > 1 else FIRST_EDITION_SIZES
    known_rounds = [rounds for each, rounds in sizes if each == tables]
    if rounds is None:
        full = 2 * tables - 1
        rounds = min(
            known_rounds,
            key=lambda length: (abs(Fraction(length, full) - USUAL_SHARE_OF_ROUNDS), length),
        )
    if rounds not in known_rounds:
        raise UnplayableMovement(
            _(
                "The three-quarter Howell for %(tables)s tables has %(known)s rounds, not "
                "%(rounds)s."
            )
            % {
                "tables": tables,
                "known": join_alternatives([str(number) for number in known_rounds]),
                "rounds": rounds,
            }
        )
    size = (tables, rounds)
    newer = edition > 1 and (
        size in reduced_designs.STARTERS or size in reduced_designs.WRITTEN_OUT
    )
    starters = reduced_designs.STARTERS if newer else STARTERS
    meetings = (
        _develop(rounds, *starters[size])
        if size in starters
        else _parse_written_out((reduced_designs.WRITTEN_OUT if newer else WRITTEN_OUT)[size])
    )
    return Movement(
        name="reduced-howell",
        title=_("Three-quarter Howell, %(tables)s tables, %(rounds)s rounds")
        % {"tables": tables, "rounds": rounds},
        contest=Contest.PAIRS,
        meetings=tuple(meetings),
        labels=make_one_field_labels(pairs),
        edition=2 if newer else 1,
    )


def fits_reduced(pairs: int) -> bool:
    """Return whether a reduced Howell for an even number of pairs is known."""
    return pairs % 2 == 0 and bool(list_known_rounds(pairs))


def list_known_rounds(pairs: int) -> list[int]:
    """Return the numbers of rounds for which a reduced Howell of this size is known."""
    return [rounds for tables, rounds in ALL_SIZES if tables == pairs // 2]


def _develop(rounds: int, first: str, arrows: str) -> Iterator[Meeting]:
    """Build each round by adding one to the moving pairs and the board groups.

    The starter lists its tables as "one-other:group" from 0; stationary pairs have the highest
    numbers. A round's arrows have one bit for each table, table 1 lowest. If it is set, the
    second pair sits North-South.
    """
    rows = [_parse_numbers(row) for row in first.split()]
    for step, arrow_digits in enumerate(arrows.split()):
        arrow_bits = int(arrow_digits, 16)
        for table, (one, other, group) in enumerate(rows):
            ns, ew = (
                1 + (place if place >= rounds else (place + step) % rounds)
                for place in (one, other)
            )
            if arrow_bits >> table & 1:
                ns, ew = ew, ns
            yield make_pair_meeting(step + 1, table + 1, ns, ew, 1 + (group + step) % rounds)


def _parse_written_out(lines: str) -> Iterator[Meeting]:
    for number, line in enumerate(lines.split("; "), start=1):
        for table, row in enumerate(line.split(), start=1):
            ns, ew, group = _parse_numbers(row)
            yield make_pair_meeting(number, table, 1 + ns, 1 + ew, 1 + group)


def _parse_numbers(row: str) -> tuple[int, int, int]:
    pairs, group = row.split(":")
    one, other = pairs.split("-")
    return int(one), int(other), int(group)


REDUCED_HOWELL = System(
    name="reduced-howell",
    title=gettext_noop("Three-quarter Howell"),
    short_title=True,
    other_names=("three-quarter-howell",),
    uneven=lambda tables: (
        4_000 if tables < 5 else 1_500
    ),  # at four tables all pairs can meet in a full Howell
    unit=Unit.PAIRS,
    sizes=gettext_noop("7 to 24 pairs at 4 to 12 tables (an odd number sits out in turn)"),
    fits=fits_reduced,
    make=build_reduced_howell,
    source=gettext_noop("duplicate clubs, starters and arrows by search"),
    marks=gettext_noop("one winner, some pairs never meet, with arrow switches"),
    options=("rounds",),
    editions=2,
    vacant_is_fairest=True,
    lengths=list_known_rounds,
)
