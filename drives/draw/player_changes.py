"""The effects of late and leaving players on the rounds still to be played."""

from collections.abc import Collection, Sequence

from drives.draw.participants import Participants, PlayerId, SeatedRound
from drives.draw.standings_draw import list_partnerships


def find_takeover(
    participants: Participants,
    played: Sequence[SeatedRound],
    to_play: Sequence[SeatedRound],
    house: Collection[PlayerId],
    *,
    stays_together: bool = False,
) -> tuple[PlayerId, PlayerId] | None:
    """Return the house player whose seats a single newcomer can take over, and the newcomer.

    No other card changes then. Return None if more players have changed, or if the newcomer
    would have a partner twice or a partner to avoid: the rounds are then drawn again. Repeated
    partners are allowed in a form where partners stay together (`stays_together`).
    """
    there = {player for drawn in to_play for player in (*drawn.rest, *_list_seated(drawn))}
    wanted = {*participants.players, *participants.playing_house_players}
    new, gone = wanted - there, there - wanted
    if len(new) != 1 or len(gone) != 1 or not gone <= set(house):
        return None
    [comes], [goes] = new, gone
    if any(goes not in _list_seated(drawn) for drawn in to_play):
        return None
    mates = _list_partnerships([*played, *replace_player(to_play, goes, comes)], comes)
    is_again = len(set(mates)) < len(mates) or not participants.apart.isdisjoint(mates)
    return None if is_again and not stays_together else (goes, comes)


def replace_player(
    to_play: Sequence[SeatedRound], goes: PlayerId, comes: PlayerId
) -> list[SeatedRound]:
    """Return the rounds with one player replaced by another in seats and rests."""

    def who(player: PlayerId) -> PlayerId:
        return comes if player == goes else player

    return [
        SeatedRound(
            tuple(
                (who(one), who(two), who(three), who(four))
                for one, two, three, four in drawn.tables
            ),
            tuple(who(player) for player in drawn.rest),
        )
        for drawn in to_play
    ]


def find_changed_cards(
    before: Sequence[SeatedRound], after: Sequence[SeatedRound]
) -> list[PlayerId]:
    """Return the players whose printed rounds differ by table, partner or opponent."""
    old, new = _list_printed_rows(before), _list_printed_rows(after)
    return [player for player in {**old, **new} if old.get(player) != new.get(player)]


def _list_printed_rows(
    rounds: Sequence[SeatedRound],
) -> dict[PlayerId, list[tuple[int, object]]]:
    rows: dict[PlayerId, list[tuple[int, object]]] = {}
    for number, drawn in enumerate(rounds):
        for place, table in enumerate(drawn.tables):
            for player in table:
                rows.setdefault(player, []).append((number, (place, table)))
        for player in drawn.rest:
            rows.setdefault(player, []).append((number, None))
    return rows


def _list_seated(drawn: SeatedRound) -> list[PlayerId]:
    return [player for table in drawn.tables for player in table]


def _list_partnerships(
    rounds: Sequence[SeatedRound], player: PlayerId
) -> list[frozenset[PlayerId]]:
    """Return a player's partnerships, one for each round in which he plays."""
    return [
        pair
        for drawn in rounds
        for table in drawn.tables
        for pair in list_partnerships(table)
        if player in pair
    ]
