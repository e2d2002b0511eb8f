"""The effects of late and leaving players on the rounds still to be played."""

from collections.abc import Collection, Sequence

from drives.draw.participants import Participants, PlayerId, SeatedRound
from drives.draw.standings_draw import list_partnerships


def find_seat_takeover(
    participants: Participants,
    played_rounds: Sequence[SeatedRound],
    remaining_rounds: Sequence[SeatedRound],
    house_players: Collection[PlayerId],
    *,
    has_fixed_partners: bool = False,
) -> tuple[PlayerId, PlayerId] | None:
    """Return (house player, newcomer) if the newcomer can take over the house player's seats.

    After such a takeover, the cards of all other players stay valid. Returns None if more than
    one player has changed, or if the newcomer would get a partner a second time, or a partner
    to be kept apart from; the rounds must then be drawn again. If `has_fixed_partners` is true,
    a partner may be repeated.
    """
    seated_players = {
        player
        for round_ in remaining_rounds
        for player in (*round_.resting_players, *_list_seated_players(round_))
    }
    expected_players = {*participants.players, *participants.playing_house_players}
    new_players, departed_players = (
        expected_players - seated_players,
        seated_players - expected_players,
    )
    if (
        len(new_players) != 1
        or len(departed_players) != 1
        or not departed_players <= set(house_players)
    ):
        return None
    [incoming_player], [outgoing_player] = new_players, departed_players
    if any(outgoing_player not in _list_seated_players(round_) for round_ in remaining_rounds):
        return None
    partnerships = _list_partnerships(
        [*played_rounds, *replace_player(remaining_rounds, outgoing_player, incoming_player)],
        incoming_player,
    )
    has_repeated_partner = len(set(partnerships)) < len(
        partnerships
    ) or not participants.pairs_kept_apart.isdisjoint(partnerships)
    return (
        None
        if has_repeated_partner and not has_fixed_partners
        else (outgoing_player, incoming_player)
    )


def replace_player(
    remaining_rounds: Sequence[SeatedRound],
    outgoing_player: PlayerId,
    incoming_player: PlayerId,
) -> list[SeatedRound]:
    """Return the rounds with one player replaced by another in seats and rests."""

    def get_replacement(player: PlayerId) -> PlayerId:
        return incoming_player if player == outgoing_player else player

    return [
        SeatedRound(
            tuple(
                (
                    get_replacement(player_1),
                    get_replacement(player_2),
                    get_replacement(player_3),
                    get_replacement(player_4),
                )
                for player_1, player_2, player_3, player_4 in round_.tables
            ),
            tuple(get_replacement(player) for player in round_.resting_players),
        )
        for round_ in remaining_rounds
    ]


def find_players_with_changed_rounds(
    old_rounds: Sequence[SeatedRound], new_rounds: Sequence[SeatedRound]
) -> list[PlayerId]:
    """Return the players whose printed rounds differ by table, partner or opponent."""
    old_rows_by_player, new_rows_by_player = (
        _group_card_rows_by_player(old_rounds),
        _group_card_rows_by_player(new_rounds),
    )
    return [
        player
        for player in {**old_rows_by_player, **new_rows_by_player}
        if old_rows_by_player.get(player) != new_rows_by_player.get(player)
    ]


def _group_card_rows_by_player(
    rounds: Sequence[SeatedRound],
) -> dict[PlayerId, list[tuple[int, object]]]:
    """Return, by player, a (round index, seats) tuple for each row of the printed card."""
    rows_by_player: dict[PlayerId, list[tuple[int, object]]] = {}
    for round_index, round_ in enumerate(rounds):
        for table_index, table in enumerate(round_.tables):
            for player in table:
                rows_by_player.setdefault(player, []).append(
                    (round_index, (table_index, table))
                )
        for player in round_.resting_players:
            rows_by_player.setdefault(player, []).append((round_index, None))
    return rows_by_player


def _list_seated_players(seated_round: SeatedRound) -> list[PlayerId]:
    return [player for table in seated_round.tables for player in table]


def _list_partnerships(
    rounds: Sequence[SeatedRound], player: PlayerId
) -> list[frozenset[PlayerId]]:
    """Return the partnerships of a player, one for each round that the player plays."""
    return [
        pair
        for round_ in rounds
        for table in round_.tables
        for pair in list_partnerships(table)
        if player in pair
    ]
