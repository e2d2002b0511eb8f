"""The effects of late and leaving players on rounds to play; played rounds never change."""

from collections.abc import Collection, Sequence

from drives.draw.company import Company, Drawn, Player
from drives.draw.standing import partners


def taken_over(
    company: Company,
    played: Sequence[Drawn],
    to_play: Sequence[Drawn],
    house: Collection[Player],
    *,
    stays_together: bool = False,
) -> tuple[Player, Player] | None:
    """Return the house player whose seats the only newcomer takes over, and the newcomer.

    No other card changes then. Return None where more has changed, and where the newcomer would
    have a partner twice or one from whom he is kept apart: the rounds are then drawn again.
    Repeated partners are allowed in a form where partners stay together (`stays_together`).
    """
    there = {player for drawn in to_play for player in (*drawn.rest, *_seated(drawn))}
    wanted = {*company.players, *company.filling}
    new, gone = wanted - there, there - wanted
    if len(new) != 1 or len(gone) != 1 or not gone <= set(house):
        return None
    [comes], [goes] = new, gone
    if any(goes not in _seated(drawn) for drawn in to_play):
        return None
    mates = _mates([*played, *replaced(to_play, goes, comes)], comes)
    is_again = len(set(mates)) < len(mates) or not company.apart.isdisjoint(mates)
    return None if is_again and not stays_together else (goes, comes)


def replaced(to_play: Sequence[Drawn], goes: Player, comes: Player) -> list[Drawn]:
    """Return the rounds with one player replaced by another in seats and rests."""

    def who(player: Player) -> Player:
        return comes if player == goes else player

    return [
        Drawn(
            tuple(
                (who(one), who(two), who(three), who(four))
                for one, two, three, four in drawn.tables
            ),
            tuple(who(player) for player in drawn.rest),
        )
        for drawn in to_play
    ]


def cards_changed(before: Sequence[Drawn], after: Sequence[Drawn]) -> list[Player]:
    """Return the players whose printed rounds differ by table, partner or opponent."""
    old, new = _rows(before), _rows(after)
    return [player for player in {**old, **new} if old.get(player) != new.get(player)]


def _rows(rounds: Sequence[Drawn]) -> dict[Player, list[tuple[int, object]]]:
    rows: dict[Player, list[tuple[int, object]]] = {}
    for number, drawn in enumerate(rounds):
        for place, table in enumerate(drawn.tables):
            for player in table:
                rows.setdefault(player, []).append((number, (place, table)))
        for player in drawn.rest:
            rows.setdefault(player, []).append((number, None))
    return rows


def _seated(drawn: Drawn) -> list[Player]:
    return [player for table in drawn.tables for player in table]


def _mates(rounds: Sequence[Drawn], player: Player) -> list[frozenset[Player]]:
    """Return a player's partnerships, one for each round in which he plays."""
    return [
        pair
        for drawn in rounds
        for table in drawn.tables
        for pair in partners(table)
        if player in pair
    ]
