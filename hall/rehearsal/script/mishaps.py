"""What goes wrong in a made-up evening: chosen once, before play, from its schedule."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from hall.rehearsal.script.lots import whole
from hall.rehearsal.script.tables import At, Sat

TRICKS = 13


class Kind(StrEnum):
    """What can go wrong."""

    LATE = "late"  # somebody comes when play has begun
    FOULED = "fouled"  # a hand holds too many cards when the board comes (Law V §1)
    REVOKE = "revoke"
    TURNED = "turned"  # one table's round is entered with the two sides mixed up
    SLOW = "slow"  # one table is behind the clock in one round


class Mishap(NamedTuple):
    """One thing that goes wrong: in a round, at a table, with its nth board.

    It names a place in the round rather than people and a board's number, for those change
    when the director changes the seating. Table 0 is no table.
    """

    kind: Kind
    section: str
    round: int
    table: int = 0
    nth: int = 0

    @property
    def at(self) -> At:
        """The table in its round."""
        return At(self.section, self.round, self.table)


def script(seed: str, sats: Sequence[Sat], *, admits: bool) -> list[Mishap]:
    """Choose what goes wrong; an evening too short for something goes without it.

    `admits` says whether somebody who comes late can be let in at all.
    """
    rounds = sorted({sat.at.round for sat in sats})
    if not rounds:
        return []
    last = rounds[-1]
    found = [Mishap(Kind.LATE, sats[0].at.section, 1)] if admits and last > 1 else []
    taken: set[At] = set()
    wanted = (
        (Kind.FOULED, rounds[1:]),
        (Kind.SLOW, [min(2, last)]),
        (Kind.REVOKE, [last // 2 + 1]),
    )
    for kind, choice in wanted:
        tables = (_some_table(seed, kind, round_, sats, taken) for round_ in choice)
        sat = next((table for table in tables if table is not None), None)
        if sat is not None:
            nth = whole(len(sat.boards), seed, kind, "board")
            found.append(Mishap(kind, *sat.at, nth))
            taken.add(sat.at)
    if last > 2:
        found.append(Mishap(Kind.TURNED, sats[0].at.section, last - 1))
    return found


def turned_table(made: Mapping[At, Sequence[int]]) -> At | None:
    """Choose the table whose round is entered the wrong way round: where one sees it best.

    `made` are North-South's tricks of the tables in that round.
    """
    if not made:
        return None
    return max(made, key=lambda at: (sum(abs(2 * ns - TRICKS) for ns in made[at]), at))


def _some_table(
    seed: str, kind: Kind, round_: int, sats: Sequence[Sat], taken: set[At]
) -> Sat | None:
    """Choose a table of a round; for a fouled board one whose boards were played before."""
    before = {board for sat in sats if sat.at.round < round_ for board in sat.boards}
    fit = [
        sat
        for sat in sorted(sats, key=lambda each: each.at)
        if sat.at.round == round_
        and sat.boards
        and sat.at not in taken
        and (kind is not Kind.FOULED or before.issuperset(sat.boards))
    ]
    troubled = {(at.section, at.table) for at in taken}
    quiet = [sat for sat in fit if (sat.at.section, sat.at.table) not in troubled]
    fit = quiet or fit  # a table is spared a second trouble where there are others
    return fit[whole(len(fit), seed, kind, "table")] if fit else None
