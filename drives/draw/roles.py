"""The first round of firsts and seconds, drawn by lot within each role."""

from collections.abc import Mapping, Sequence

from drives.draw.chance import Chance
from drives.draw.company import Company, Drawn, Player
from drives.draw.resting import who_rests


def seated_by_role(company: Company, roles: Mapping[Player, str], secret: bytes) -> Drawn:
    """Draw the first round: firsts in seats 1 and 2, seconds in 3 and 4.

    Where one role has more players than seats, the lot decides who plays in the other one;
    players without a role fill the remaining seats. One first and one second rest before two of
    a kind.
    """
    firsts, seconds = _sides(company, roles, Chance(secret, "first-round", "roles"))
    seats = 2 * company.tables  # of each role
    resting: list[Player] = []
    for side, salt in ((firsts, 1), (seconds, 2)):
        chance = Chance(secret, "first-round", "rests", salt)
        rest = _who_rests(company, side, len(side) - seats, chance)
        side[:] = [player for player in side if player not in rest]
        resting += sorted(rest, key=str)
    _even(firsts, seconds, seats)
    tables = tuple(
        (firsts[at], firsts[at + 1], seconds[at], seconds[at + 1]) for at in range(0, seats, 2)
    )
    return Drawn(tables, tuple(resting))


def _sides(
    company: Company, roles: Mapping[Player, str], chance: Chance
) -> tuple[list[Player], list[Player]]:
    """Return firsts and seconds in the order of the lot, with numbers at most one apart."""
    order = [*chance.shuffled(company.players), *company.filling]
    firsts = [player for player in order if roles.get(player) == "first"]
    seconds = [player for player in order if roles.get(player) == "second"]
    with_a_role = {*firsts, *seconds}
    for player in order:
        if player not in with_a_role:
            (firsts if len(firsts) <= len(seconds) else seconds).append(player)
    while abs(len(firsts) - len(seconds)) > 1:
        more, fewer = (firsts, seconds) if len(firsts) > len(seconds) else (seconds, firsts)
        fewer.append(more.pop())
    return firsts, seconds


def _who_rests(
    company: Company, side: Sequence[Player], count: int, chance: Chance
) -> set[Player]:
    """Choose players of one role to rest, those with the fewest rests this season first.

    House players never rest.
    """
    own = [player for player in side if player not in company.filling]
    rested = [company.ledger.get(player, 0) for player in own]
    return {own[at] for at in who_rests(max(0, count), [0] * len(own), rested, chance)}


def _even(firsts: list[Player], seconds: list[Player], wanted: int) -> None:
    """Move a player to the other role where that role is one player short of its seats."""
    for more, fewer in ((firsts, seconds), (seconds, firsts)):
        while len(fewer) < wanted < len(more):
            fewer.append(more.pop())
