"""The Howell movement: one field, every pair meets every other and plays every board group.

One pair is stationary. The others and the boards move on by one each round, so that round 1
defines the whole movement (three sizes have two halves: `howell_halves`). Such a schedule is a
Room square. A Room square exists for every odd side except 3 and 5, so from four tables on, no
two tables share boards. The sides are chosen so that any two pairs sit the same way equally
often, or, with an odd number of tables, nearly so.

Sources: E. C. Howell, Howell Method of Duplicate Whist for Pairs (1897); Mullin and Wallis, The
existence of Room squares (1975).
"""

from functools import lru_cache
from itertools import product

from django.utils.translation import gettext as _

from server.translation import gettext_noop
from tournaments.movements.empty_place import find_fairest_empty_place
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_numeric_labels,
    make_pair_meeting,
)
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.finite_fields import Element, FiniteField
from tournaments.movements.systems.howell_halves import (
    HOWELL_HALVES_BY_PAIR_COUNT,
    develop_howell_halves,
)
from tournaments.movements.systems.howell_starters import (
    HOWELL_STARTERS_BY_PAIR_COUNT,
    MODULI_BY_PAIR_COUNT,
)
from tournaments.movements.systems.odd_howell import (
    BASE_TABLES_BY_PAIR_COUNT,
    build_odd_howell_meetings,
)
from tournaments.movements.systems.system import MovementSystem, SizeUnit, format_title

# North-South (None for the stationary pair), East-West, board group
StarterTable = tuple[int | None, int, int]


def build_howell(pair_count: int, edition: int = 2) -> Movement:
    """Build the Howell for a number of pairs.

    With an even number of pairs, the highest number is stationary at the last table. With an
    odd number, no pair is stationary, and one pair sits out each round. The movements for odd
    numbers are only in the second edition; see `odd_howell`.
    """
    is_odd_howell = edition > 1 and pair_count % 2 == 1
    return Movement(
        name="howell",
        title=format_title(_("Howell"), SizeUnit.PAIRS, pair_count),
        contest=Contest.PAIRS,
        meetings=build_odd_howell_meetings(pair_count)
        if is_odd_howell
        else _build_howell_meetings(pair_count),
        labels=make_numeric_labels(pair_count),
        allows_sharing=pair_count in (4, 6),
        edition=2 if is_odd_howell else 1,
    )


def fits_howell(pair_count: int) -> bool:
    """Return whether a Howell for a number of pairs is known.

    Known are the even numbers from 4 to 60, 64, the odd numbers in BASE_TABLES_BY_PAIR_COUNT,
    and some larger numbers for which a formula gives round 1.
    """
    has_starter = (
        pair_count in (4, 6)
        or pair_count in HOWELL_STARTERS_BY_PAIR_COUNT
        or pair_count in HOWELL_HALVES_BY_PAIR_COUNT
        or pair_count in BASE_TABLES_BY_PAIR_COUNT
    )
    return has_starter or (6 < pair_count <= 108 and _is_buildable_by_formula(pair_count))


def find_starter_tables(pair_count: int) -> list[StarterTable]:
    """Return the tables of round 1 as group elements, the stationary pair's table last."""
    starter_tables = (
        [(None, 0, 0), (1, 2, 0)] if pair_count == 4 else _build_starter(pair_count)
    )
    return sorted(
        starter_tables, key=lambda starter_table: (starter_table[0] is None, starter_table[2])
    )


def build_four_pairs(pair_count: int = 4) -> Movement:
    """Build three rounds at two tables for four pairs.

    The tables exchange the boards of each round. Any two pairs oppose each other once and are
    compared once.

    Source: R. F. Foster, Foster's Complete Hoyle, duplicate whist.
    """
    a, b, c, d = 1, 2, 3, 4
    tables_by_round = (((b, a), (d, c)), ((c, a), (b, d)), ((d, a), (c, b)))
    return Movement(
        name="four-pairs",
        title=_("Four pairs at two tables"),
        contest=Contest.PAIRS,
        meetings=tuple(
            make_pair_meeting(round_number, table_number, ns, ew, round_number)
            for round_number, tables in enumerate(tables_by_round, start=1)
            for table_number, (ns, ew) in enumerate(tables, start=1)
        ),
        labels=make_numeric_labels(pair_count),
        allows_sharing=True,
    )


def _build_howell_meetings(pair_count: int) -> tuple[Meeting, ...]:
    if pair_count == 6:
        return _build_six_pair_meetings()
    return (
        develop_howell_halves(pair_count)
        if pair_count in HOWELL_HALVES_BY_PAIR_COUNT
        else _develop_starter(pair_count)
    )


def _develop_starter(pair_count: int) -> tuple[Meeting, ...]:
    """Build each round by adding an element of the group to the pairs and groups of round 1."""
    round_count = pair_count - 1
    addition_table = _build_addition_table(_find_moduli(pair_count))
    meetings = []
    for round_index, (table_number, (ns, ew, board_group)) in product(
        range(round_count), enumerate(find_starter_tables(pair_count), 1)
    ):
        ns_place = pair_count if ns is None else 1 + addition_table[ns][round_index]
        meetings.append(
            make_pair_meeting(
                round_index + 1,
                table_number,
                ns_place,
                1 + addition_table[ew][round_index],
                1 + addition_table[board_group][round_index],
            )
        )
    return tuple(meetings)


def _build_six_pair_meetings() -> tuple[Meeting, ...]:
    """Build five rounds at three tables; in the last round all tables share one board group.

    No schedule for six pairs shares fewer boards. The sides were found by a search of all
    possibilities: any two pairs are compared one to three times.
    """
    return tuple(
        make_pair_meeting(round_number, table_number, *(int(digit) for digit in digits))
        for round_number, tables_text in enumerate(_SIX_PAIR_ROUNDS, start=1)
        for table_number, digits in enumerate(tables_text.split(), start=1)
    )


# For each round the three tables as North-South, East-West and board group.
_SIX_PAIR_ROUNDS = ("252 343 611", "312 454 623", "421 513 634", "531 124 642", "145 235 655")


def _build_starter(pair_count: int) -> list[StarterTable]:
    if pair_count not in HOWELL_STARTERS_BY_PAIR_COUNT:
        return _build_starter_by_formula(pair_count - 1)
    opponent_text, tables_text = HOWELL_STARTERS_BY_PAIR_COUNT[pair_count].split(";")
    starter_tables: list[StarterTable] = [(None, int(opponent_text), 0)]
    for table_text in tables_text.split():
        sides_text, group_text = table_text.split(":")
        ns, ew = sides_text.split("-")
        starter_tables.append((int(ns), int(ew), int(group_text)))
    return starter_tables


def _build_starter_by_formula(field_size: int) -> list[StarterTable]:
    """Build a perfectly balanced round 1 for a prime power of the form 4k + 3.

    Exactly one of a and b is a square; 1 - a is a square and 1 - b is not. The table of each
    square y has a*y North-South, b*y East-West and the board group y. Minus one is not a
    square, so the tables contain every pair once and every difference once. The pairs' board
    groups, relative to the pair, are the squares North-South and the others East-West.
    """
    finite_field = FiniteField.build(field_size)
    squares = finite_field.squares
    a, b = next(
        (a, b)
        for a, b in product(range(1, field_size), repeat=2)
        if (a in squares) != (b in squares)
        and finite_field.subtract(1, a) in squares
        and b != 1
        and finite_field.subtract(1, b) not in squares
    )
    starter_tables: list[StarterTable] = [(None, 0, 0)]
    starter_tables += [
        (finite_field.multiply(a, square), finite_field.multiply(b, square), square)
        for square in sorted(squares)
    ]
    return starter_tables


def _is_buildable_by_formula(pair_count: int) -> bool:
    return pair_count % 4 == 0 and FiniteField.can_build(pair_count - 1)


def _find_moduli(pair_count: int) -> tuple[int, ...]:
    if pair_count in MODULI_BY_PAIR_COUNT:
        return MODULI_BY_PAIR_COUNT[pair_count]
    if pair_count in HOWELL_STARTERS_BY_PAIR_COUNT or pair_count == 4:
        return (pair_count - 1,)
    return FiniteField.build(pair_count - 1).moduli


@lru_cache(maxsize=16)
def _build_addition_table(moduli: tuple[int, ...]) -> tuple[tuple[Element, ...], ...]:
    """Return the addition table of a product of cyclic groups.

    The elements are numbers in mixed radix; the last digit changes fastest.
    """
    first_modulus, *other_moduli = moduli
    if not other_moduli:
        return tuple(
            (*range(first_digit, first_modulus), *range(first_digit))
            for first_digit in range(first_modulus)
        )
    inner_addition_table = _build_addition_table(tuple(other_moduli))
    return tuple(
        tuple(
            [
                (first_digit + second_digit) % first_modulus * len(inner_addition_table)
                + inner_sum
                for second_digit in range(first_modulus)
                for inner_sum in inner_row
            ]
        )
        for first_digit in range(first_modulus)
        for inner_row in inner_addition_table
    )


HOWELL_SYSTEM = MovementSystem(
    name="howell",
    title=gettext_noop("Howell"),
    unit=SizeUnit.PAIRS,
    sizes=gettext_noop(
        "4 to 60 pairs, 64, 68, 72, 80, 84, 104 and 108 (an odd number sits out in turn)"
    ),
    fits_size=fits_howell,
    build_movement=build_howell,
    find_other_vacant_place=lambda pair_count: find_fairest_empty_place(
        build_howell(pair_count), occupied_places=frozenset({pair_count})
    ),
    source=gettext_noop("E. C. Howell, Howell Method of Duplicate Whist for Pairs (1897)"),
    remarks=gettext_noop("one winner, complete"),
    edition_count=2,
    leaves_fairest_place_empty=True,
    rate_unevenness=lambda table_count: 500 * (table_count % 2),
    max_tables=8,  # nearly all pairs move, and with more tables they walk too far
)

FOUR_PAIRS_SYSTEM = MovementSystem(
    name="four-pairs",
    title=gettext_noop("Four pairs"),
    unit=SizeUnit.PAIRS,
    sizes=gettext_noop("4 pairs"),
    fits_size=lambda pair_count: pair_count == 4,
    build_movement=build_four_pairs,
    source=gettext_noop("R. F. Foster, Foster’s Complete Hoyle"),
    remarks=gettext_noop("one winner, complete, both tables exchange boards"),
    explanation_cost=100,
)
