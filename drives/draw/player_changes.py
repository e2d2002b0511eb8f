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
    seated_players = {
        player for round_ in to_play for player in (*round_.rest, *_list_seated(round_))
    }
    expected_players = {*participants.players, *participants.playing_house_players}
    new_players, departed_players = (
        expected_players - seated_players,
        seated_players - expected_players,
    )
    if (
        len(new_players) != 1
        or len(departed_players) != 1
        or not departed_players <= set(house)
    ):
        return None
    [incoming], [outgoing] = new_players, departed_players
    if any(outgoing not in _list_seated(round_) for round_ in to_play):
        return None
    mates = _list_partnerships(
        [*played, *replace_player(to_play, outgoing, incoming)], incoming
    )
    is_again = len(set(mates)) < len(mates) or not participants.apart.isdisjoint(mates)
    return None if is_again and not stays_together else (outgoing, incoming)


def replace_player(
    to_play: Sequence[SeatedRound], outgoing: PlayerId, incoming: PlayerId
) -> list[SeatedRound]:
    """Return the rounds with one player replaced by another in seats and rests."""

    def get_replacement(player: PlayerId) -> PlayerId:
        return incoming if player == outgoing else player

    return [
        SeatedRound(
            tuple(
                (
                    get_replacement(one),
                    get_replacement(two),
                    get_replacement(three),
                    get_replacement(four),
                )
                for one, two, three, four in round_.tables
            ),
            tuple(get_replacement(player) for player in round_.rest),
        )
        for round_ in to_play
    ]


def find_changed_cards(
    before: Sequence[SeatedRound], after: Sequence[SeatedRound]
) -> list[PlayerId]:
    """Return the players whose printed rounds differ by table, partner or opponent."""
    old_rows, new_rows = _list_printed_rows(before), _list_printed_rows(after)
    return [
        player
        for player in {**old_rows, **new_rows}
        if old_rows.get(player) != new_rows.get(player)
    ]


def _list_printed_rows(
    rounds: Sequence[SeatedRound],
) -> dict[PlayerId, list[tuple[int, object]]]:
    rows: dict[PlayerId, list[tuple[int, object]]] = {}
    for number, round_ in enumerate(rounds):
        for place, table in enumerate(round_.tables):
            for player in table:
                rows.setdefault(player, []).append((number, (place, table)))
        for player in round_.rest:
            rows.setdefault(player, []).append((number, None))
    return rows


def _list_seated(drawn_round: SeatedRound) -> list[PlayerId]:
    return [player for table in drawn_round.tables for player in table]


def _list_partnerships(
    rounds: Sequence[SeatedRound], player: PlayerId
) -> list[frozenset[PlayerId]]:
    """Return a player's partnerships, one for each round in which he plays."""
    return [
        pair
        for round_ in rounds
        for table in round_.tables
        for pair in list_partnerships(table)
        if player in pair
    ]
