"""Finds the score cards that an act has made out of date, so that they can be reprinted."""

from collections.abc import Mapping
from typing import Any

from clubs.models import Evening
from drives.draw.participants import SeatedRound
from drives.draw.player_changes import find_players_with_changed_rounds
from drives.models import Drive, DriveChange


def list_stale_cards(drive: Drive) -> list[int]:
    """Return the numbers of the cards that the last change of players or seats affects."""
    last_change = DriveChange.objects.filter(drive=drive).order_by("-pk").first()
    return list_cards_of_change(last_change) if last_change else []


def list_cards_of_change(change: DriveChange) -> list[int]:
    """Return the numbers of the cards on which a change affects a seat or the name.

    Rounds that had no seats before the change are ignored, because no card shows them yet. The
    start of a drive from check-in affects no cards, because it creates them.
    """
    if change.after.get("check_in", {}).get("state") == Evening.CheckInState.STARTED:
        return []
    old_rounds, new_rounds = change.before.get("rounds", {}), change.after.get("rounds", {})
    common_round_numbers = [
        round_number
        for round_number in old_rounds
        if old_rounds[round_number] and new_rounds.get(round_number)
    ]
    old_seated_rounds, new_seated_rounds = (
        [_parse_seated_round(rounds[round_number]) for round_number in common_round_numbers]
        for rounds in (old_rounds, new_rounds)
    )
    stale_card_numbers = {
        player
        for player in find_players_with_changed_rounds(old_seated_rounds, new_seated_rounds)
        if isinstance(player, int)
    }
    old_players, new_players = (
        change.before.get("players", {}),
        change.after.get("players", {}),
    )
    stale_card_numbers |= {
        int(player_number)
        for player_number, new_values in new_players.items()
        if new_values
        and not new_values["house"]
        and new_values["name"] != (old_players.get(player_number) or {}).get("name")
    }
    removed_numbers = {
        int(player_number)
        for player_number, new_values in new_players.items()
        if new_values is None or new_values["house"]
    }
    return sorted(
        player_number
        for player_number in stale_card_numbers - removed_numbers
        if player_number > 0
    )


def _parse_seated_round(stored_round: Mapping[str, Any]) -> SeatedRound:
    tables = sorted(
        stored_round["tables"].items(), key=lambda table_and_seats: int(table_and_seats[0])
    )
    return SeatedRound(
        tuple(
            (player_1, player_2, player_3, player_4)
            for _table, (player_1, player_2, player_3, player_4) in tables
        ),
        tuple(stored_round["rest"]),
    )
