"""Builds the output of the command `drive plan`."""

from drives.draw.evening import DrawPlan
from drives.draw.participants import Participants
from drives.draw.plan_statistics import MeetingStatistics
from drives.files.state import build_tables_data

DEFAULT_TRUMPS = ("H", "C", "D", "S")
"""The default cycle of trumps: hearts, clubs, diamonds, spades."""


def build_plan_data(
    plan: DrawPlan, participants: Participants, *, play_form_code: str, round_count: int
) -> dict[str, object]:
    """Return a plan as JSON data; the caller adds the seconds that the search took."""
    statistics = plan.statistics
    return {
        "format": "overplay-drive-plan",
        "version": 1,
        "form": play_form_code,
        "players": len(participants.players),
        "rounds": round_count,
        "tables": participants.table_count,
        "schedule": [
            {
                "round": round_number,
                "trumps": compute_default_trumps(round_number),
                "tables": build_tables_data(round_.tables),
                "rest": list(round_.resting_players),
            }
            for round_number, round_ in enumerate(plan.rounds, start=1)
        ],
        "figures": {
            "partners": _build_meeting_data(statistics.partner_statistics),
            "opponents": _build_meeting_data(statistics.opponent_statistics),
            "never_met": statistics.unmet_pair_count,
            "rests": {"least": statistics.min_rest_count, "most": statistics.max_rest_count},
        },
        "proved": statistics.is_proved_optimal,
        "tries": plan.try_count,
    }


def compute_default_trumps(round_number: int) -> str:
    """Return the trumps of a round in the default cycle."""
    return DEFAULT_TRUMPS[(round_number - 1) % len(DEFAULT_TRUMPS)]


def _build_meeting_data(statistics: MeetingStatistics) -> dict[str, int]:
    return {
        "coincidences": statistics.coincidence_count,
        "bound": statistics.lower_bound,
        "most": statistics.max_meeting_count,
    }
