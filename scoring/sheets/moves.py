"""Where the people and the boards of one table go next, read from the seating itself."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from django.utils.translation import gettext as _

from scoring.sheets.room import Room, Table

Goal = TypeVar("Goal")
SIDES = ("N-S", "E-W")


def sentences(found: Room, tables: Sequence[Table]) -> list[str]:
    """Say once what happens after most rounds at a table; `notes` tells the exceptions."""
    told = []
    for side in SIDES:
        goal = _usual(_next(found, table, side) for table in tables)
        if goal:
            told.append(_words(side, goal, tables[0].table))
    boards = _usual(_next_boards(found, table) for table in tables)
    if boards:
        told.append(_("The boards go to table %(table)s.") % {"table": boards})
    return told


def notes(found: Room, table: Table) -> list[str]:
    """Say what is out of the common in a round: a sit-out, shared boards, another way."""
    if not table.is_played:
        told = [_("sit-out")]
    else:
        sharing = found.with_group[table.section, table.round, table.group]
        told = [
            _("share boards with table %(table)s") % {"table": other}
            for other in sharing
            if other != table.table
        ]
        told += [each for each in [turned_note(found, table)] if each]
    here = found.by_table[table.section, table.table]
    for side in SIDES:
        after = _next(found, table, side)
        usual = _usual(_next(found, each, side) for each in here)
        if after and usual and after != usual:
            told.append(
                _("then %(who)s to table %(table)s %(side)s")
                % {"who": side, "table": after[0], "side": after[1]}
            )
    return told


def turned_note(found: Room, table: Table) -> str:
    """Say when who stays at a table sits the other way than before: the arrow is turned."""
    before = next(
        (
            each
            for each in found.by_table[table.section, table.table]
            if each.round == table.round - 1
        ),
        None,
    )
    if before is None or len(table.ns.places) > 1:
        return ""
    for side, now, then in (("N-S", table.ns, before.ew), ("E-W", table.ew, before.ns)):
        if now.places == then.places:
            words = {"who": now.short, "side": side}
            return _("the arrow is turned: %(who)s now %(side)s") % words
    return ""


def _words(side: str, goal: tuple[int, str], here: int) -> str:
    table, new_side = goal
    words = {"side": side, "table": table, "new": new_side}
    if table != here:
        return _("%(side)s go to table %(table)s, %(new)s.") % words
    if side != new_side:
        return _("%(side)s stay and sit %(new)s.") % words
    return _("%(side)s stay here.") % words


def _usual(goals: Iterable[Goal | None]) -> Goal | None:
    """Return what at least half of the rounds lead to, or None where no way is usual."""
    counts = Counter(goal for goal in goals if goal is not None)
    if not counts:
        return None
    goal, count = counts.most_common(1)[0]
    return goal if count * 2 >= counts.total() else None


def _next(found: Room, table: Table, side: str) -> tuple[int, str] | None:
    """Where the people on one side of a table sit in the next round."""
    chair = table.ns if side == "N-S" else table.ew
    if not chair.entries:
        return None
    seat = found.seat_of.get((chair.places[0], table.round + 1))
    return (seat[0].table, seat[1]) if seat else None


def _next_boards(found: Room, table: Table) -> int | None:
    """The table to which a table's boards go, or None where they rest or are shared."""
    tables = found.with_group.get((table.section, table.round + 1, table.group), [])
    return tables[0] if len(tables) == 1 else None
