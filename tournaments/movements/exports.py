"""Movements as plain data for the API and files."""

from typing import Any

from tournaments.movements.balance import Spread, compute_balance
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement

ExportedPlace = int | str


def build_movement_json(movement: Movement) -> dict[str, Any]:
    """Return a movement and its balance as one JSON object.

    Places of two fields are written as 3NS, places of one field and teams as numbers. Meetings
    with an absent place are left out.
    """
    return {
        "name": movement.name,
        "title": movement.title,
        "edition": movement.edition,
        "contest": str(movement.contest),
        "tables": movement.table_count,
        "rounds": movement.round_count,
        "groups": movement.group_count,
        "winners": movement.winner_count,
        "absent": [movement.labels[place - 1] for place in sorted(movement.absent_places)],
        "meetings": [
            build_meeting_json(movement, meeting) for meeting in movement.played_meetings
        ],
        "balance": _build_balance_json(movement),
    }


def build_meeting_json(movement: Movement, meeting: Meeting) -> dict[str, ExportedPlace]:
    """Return one meeting as plain data: round, table, the places and the board group."""
    meeting_data: dict[str, ExportedPlace] = {"round": meeting.round, "table": meeting.table}
    if len(meeting.places) == 2:
        meeting_data |= {
            "ns": format_exported_place(movement, meeting.north),
            "ew": format_exported_place(movement, meeting.east),
        }
    else:
        seats = (meeting.north, meeting.east, meeting.south, meeting.west)
        meeting_data |= {
            letter: format_exported_place(movement, place)
            for letter, place in zip("nesw", seats, strict=True)
        }
    return meeting_data | {"group": meeting.board_group}


def format_exported_place(movement: Movement, place: int) -> ExportedPlace:
    """Format a place as in event files: 3NS, 8, or the number of a team."""
    label = movement.labels[place - 1]
    if movement.contest is Contest.TEAMS and label.endswith(("NS", "EW")):
        return movement.get_team_number(place)
    return int(label) if label.isdecimal() else label


def _build_balance_json(movement: Movement) -> dict[str, Any]:
    balance = compute_balance(movement)
    balance_data: dict[str, Any] = {
        "meetings": {
            **_build_spread_json(balance.meeting_spread),
            "possible": balance.possible_pairing_count,
            "met": balance.met_pairing_count,
        },
        "comparisons": _build_spread_json(balance.comparison_spread),
        "replays": balance.replay_count,
        "shared": balance.shared_group_count,
        "sit_outs": balance.sit_out_spread.maximum,
        "stationary": len(balance.stationary_places),
    }
    if balance.partner_spread and balance.opponent_spread:
        balance_data["partners"] = _build_spread_json(balance.partner_spread)
        balance_data["opponents"] = _build_spread_json(balance.opponent_spread)
    return balance_data


def _build_spread_json(spread: Spread) -> dict[str, int]:
    return {"least": spread.minimum, "most": spread.maximum}
