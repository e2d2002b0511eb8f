"""Who comes late or leaves: the rounds not yet played change, those played never do."""

from collections.abc import Sequence

from drives.draw.company import Company, Drawn, Player
from drives.draw.evening import draw_evening
from drives.draw.standing import partners


def rounds_left(
    company: Company, played: Sequence[Drawn], to_play: Sequence[Drawn], secret: bytes
) -> list[Drawn]:
    """The rounds to play for a company that has changed, with the memory of those played.

    Whoever is new takes a house player's seats where nobody so has a partner twice, and then
    nobody else's card changes; else the rounds are drawn anew.
    """
    there = {p for drawn in to_play for p in (*drawn.rest, *_seated(drawn))}
    new = [player for player in company.players if player not in there]
    gone = there - set(company.players) - set(company.filling)
    if len(new) == len(gone) == 1:
        taken = replaced(to_play, gone.pop(), new[0])
        if not _partners_again(played, taken, new[0]):
            return taken
    return list(draw_evening(company, len(to_play), secret, played=played).rounds)


def replaced(to_play: Sequence[Drawn], goes: Player, comes: Player) -> list[Drawn]:
    """Let one player take over another's seats and rests, as a substitute does."""

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
    """Whose rows are no longer what was printed: another table, partner or opponent."""
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


def _partners_again(played: Sequence[Drawn], to_play: Sequence[Drawn], player: Player) -> bool:
    met = [
        pair
        for drawn in (*played, *to_play)
        for table in drawn.tables
        for pair in partners(table)
        if player in pair
    ]
    return len(set(met)) < len(met)
