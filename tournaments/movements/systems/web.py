"""The web: a Mitchell with many tables, few rounds, and several copies of the boards.

North-South are stationary and East-West move one table up. Each pair plays all sets, against r
different opponents. One part of the room plays the sets in ascending order, the other in
descending order.

Source: John "Spider" Harris, 1970s; the rule is derived here for an odd number of rounds.
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import gettext_noop
from tournaments.movements.formatting import format_number, join_alternatives
from tournaments.movements.meetings import Contest, make_pair_meeting, make_two_field_labels
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems.system import MAX_TABLES, System, Unit

LEAST_ROUNDS, MAX_ROUNDS = 5, 13
MAX_COPIES = 4


def build_web(tables: int, rounds: int | None = None, copies: int | None = None) -> Movement:
    """Build the web with these rounds, or with the highest possible number up to thirteen.

    With tables and rounds counted from 0, table i of the first m tables plays set i + k in
    round k. The other tables play set 2m - 2 - i - k. Both are modulo r, and 2m = t modulo r:
    then no pair meets a set twice. A copy moves one table down each round within at most r
    tables, and rests if there are fewer.
    """
    rounds = rounds if rounds is not None else list_lengths(tables)[-1]
    _check_size(tables, rounds)
    rising = count_rising_tables(tables, rounds)
    needed_copies = count_copies(tables, rounds)
    if copies is not None and copies < needed_copies:
        raise UnplayableMovement(
            _(
                "A Web Mitchell of %(tables)s tables and %(rounds)s rounds "
                "needs %(needed)s copies of each board, not %(copies)s."
            )
            % {
                "tables": tables,
                "rounds": rounds,
                "needed": format_number(needed_copies),
                "copies": copies,
            }
        )
    meetings = []
    for number in range(rounds):
        for table in range(tables):
            if table < rising:
                group = (table + number) % rounds
            else:
                group = (2 * rising - 2 - table - number) % rounds
            ew = tables + 1 + (table - number) % tables
            meetings.append(make_pair_meeting(number + 1, table + 1, table + 1, ew, group + 1))
    return Movement(
        name="web",
        title=ngettext(
            "Web Mitchell, %(tables)s table, %(rounds)s rounds",
            "Web Mitchell, %(tables)s tables, %(rounds)s rounds",
            tables,
        )
        % {"tables": tables, "rounds": rounds},
        contest=Contest.PAIRS,
        meetings=tuple(meetings),
        labels=make_two_field_labels(tables, tables),
        copies=needed_copies,
        blocks=(*range(1, rising + 1, rounds), *range(rising + 1, tables + 1, rounds)),
    )


def count_rising_tables(tables: int, rounds: int) -> int:
    """Return how many tables play the sets in ascending order, to need the fewest copies."""
    # tables / 2 modulo r: (r + 1) / 2 is the inverse of 2
    least = tables * (rounds + 1) // 2 % rounds
    fitting = (m for m in range(least, tables + 1, rounds) if m >= 1)
    return min(fitting, key=lambda m: (_count_copies(m, tables, rounds), abs(2 * m - tables)))


def count_copies(tables: int, rounds: int) -> int:
    """Return the number of copies of each board that a web needs."""
    return _count_copies(count_rising_tables(tables, rounds), tables, rounds)


def list_lengths(tables: int) -> list[int]:
    """Return the possible numbers of rounds of a web with a number of tables."""
    return [
        rounds
        for rounds in range(LEAST_ROUNDS, min(MAX_ROUNDS, tables - 1) + 1, 2)
        if count_copies(tables, rounds) <= MAX_COPIES
    ]


def _count_copies(rising: int, tables: int, rounds: int) -> int:
    return -(-rising // rounds) + -(-(tables - rising) // rounds)


def _check_size(tables: int, rounds: int) -> None:
    known_lengths = list_lengths(tables)
    if rounds >= 1 and rounds % 2 == 0:
        smallest_difference = min(abs(length - rounds) for length in known_lengths)
        nearest = [
            str(length)
            for length in known_lengths
            if abs(length - rounds) == smallest_difference
        ]
        raise UnplayableMovement(
            _("A Web Mitchell needs an odd number of rounds: %(rounds)s.")
            % {"rounds": join_alternatives(nearest)}
        )
    if rounds >= tables:
        raise UnplayableMovement(
            _(
                "A Web Mitchell needs more tables than rounds. For "
                "%(tables)s tables use a Mitchell."
            )
            % {"tables": tables}
        )
    if rounds not in known_lengths:
        raise UnplayableMovement(
            _("A Web Mitchell of %(tables)s tables has %(known)s rounds, not %(rounds)s.")
            % {
                "tables": tables,
                "known": join_alternatives([str(number) for number in known_lengths]),
                "rounds": rounds,
            }
        )


WEB = System(
    name="web",
    title=gettext_noop("Web Mitchell"),
    short_title=True,
    other_names=("mitchell", "web-mitchell"),
    explaining=1_400,
    unit=Unit.TABLES,
    sizes=gettext_noop("6 to 52 tables with two to four copies of each board"),
    otherwise=("compass", "compass-skip"),
    fits=lambda tables: 6 <= tables <= MAX_TABLES and bool(list_lengths(tables)),
    make=build_web,
    source=gettext_noop("John “Spider” Harris, worked out again"),
    marks=gettext_noop("two winners, all play the same boards, in copies"),
    options=("rounds", "copies"),
    lengths=list_lengths,
    may_stop=False,
    max_tables=40,
)
