"""The score cards that an act has made out of date, so that only those are printed again."""

from collections.abc import Mapping
from typing import Any

from clubs.models import Evening
from drives.draw.participants import SeatedRound
from drives.draw.player_changes import find_changed_cards
from drives.models import Drive, DriveChange


def list_stale_cards(drive: Drive) -> list[int]:
    """Return the cards changed by the last act about players and seats."""
    last = DriveChange.objects.filter(drive=drive).order_by("-pk").first()
    return list_cards_of_change(last) if last else []


def list_cards_of_change(change: DriveChange) -> list[int]:
    """Return the cards that an act has changed: new seats in a drawn round, or a new name.

    A round that was not drawn before is not on any card yet. The first cards of a drive, which
    the start of a check-in creates, are new and not out of date.
    """
    if change.after.get("check_in", {}).get("state") == Evening.CheckInState.STARTED:
        return []
    rounds = change.before.get("rounds", {}), change.after.get("rounds", {})
    common_rounds = [n for n in rounds[0] if rounds[0][n] and rounds[1].get(n)]
    before, after = ([_to_drawn_round(side[n]) for n in common_rounds] for side in rounds)
    stale_numbers = {
        player for player in find_changed_cards(before, after) if isinstance(player, int)
    }
    players = change.before.get("players", {}), change.after.get("players", {})
    stale_numbers |= {
        int(number)
        for number, now in players[1].items()
        if now
        and not now["house"]
        and now["name"] != (players[0].get(number) or {}).get("name")
    }
    removed_numbers = {
        int(number) for number, now in players[1].items() if now is None or now["house"]
    }
    return sorted(number for number in stale_numbers - removed_numbers if number > 0)


def _to_drawn_round(stored_round: Mapping[str, Any]) -> SeatedRound:
    tables = sorted(stored_round["tables"].items(), key=lambda round_: int(round_[0]))
    return SeatedRound(
        tuple((one, two, three, four) for _table, (one, two, three, four) in tables),
        tuple(stored_round["rest"]),
    )
