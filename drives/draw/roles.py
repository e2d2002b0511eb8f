"""The first round where players come as firsts and seconds: by the lot, each in his role."""

from collections.abc import Mapping

from drives.draw.chance import Chance
from drives.draw.company import Company, Drawn, Player
from drives.draw.resting import who_rests


def seated_by_role(company: Company, roles: Mapping[Player, str], secret: bytes) -> Drawn:
    """Draw the first round: firsts in seats 1 and 2, seconds in 3 and 4.

    Where there are more of one role than seats for it, the lot says who plays in the other one;
    whoever has no role takes what is free. One first and one second rest before two of a kind.
    """
    chance = Chance(secret, "first-round", "roles")
    names = company.players
    ledger = [company.ledger.get(name, 0) for name in names]
    wanted = 2 * company.tables
    order = [
        *chance.shuffled(names),
        *company.filling,
    ]
    firsts = [name for name in order if roles.get(name) == "first"]
    seconds = [name for name in order if roles.get(name) == "second"]
    for name in (name for name in order if name not in {*firsts, *seconds}):
        (firsts if len(firsts) <= len(seconds) else seconds).append(name)
    while abs(len(firsts) - len(seconds)) > 1:
        more, fewer = (firsts, seconds) if len(firsts) > len(seconds) else (seconds, firsts)
        fewer.append(more.pop())
    resting: list[Player] = []
    for ring, salt in ((firsts, 1), (seconds, 2)):
        mine = [name for name in ring if name not in company.filling]
        count = len(ring) - wanted
        least = who_rests(
            max(0, count),
            [0] * len(mine),
            [ledger[names.index(name)] for name in mine],
            Chance(secret, "first-round", "rests", salt),
        )
        gone = {mine[place] for place in least}
        ring[:] = [name for name in ring if name not in gone]
        resting += sorted(gone, key=str)
    _even(firsts, seconds, wanted)
    tables = tuple(
        (firsts[at], firsts[at + 1], seconds[at], seconds[at + 1]) for at in range(0, wanted, 2)
    )
    return Drawn(tables, tuple(resting))


def _even(firsts: list[Player], seconds: list[Player], wanted: int) -> None:
    """Where one role has a player too few for its seats, one of the other plays in it."""
    for more, fewer in ((firsts, seconds), (seconds, firsts)):
        while len(fewer) < wanted < len(more):
            fewer.append(more.pop())
