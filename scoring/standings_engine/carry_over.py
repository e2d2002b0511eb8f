"""The carry-over from a qualifying event into its finals, and its update after corrections."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from scoring.models import Final, Stage
from scoring.standings_engine.seats import load_sitting_sides
from tournaments.models import Event, Session
from tournaments.movements.drawn_rounds import DRAWN_KEY
from tournaments.stages.advancement import CarryOver
from tournaments.stages.rules import read_rules


@dataclass(frozen=True, slots=True)
class QualifyingCarryOver:
    """The carry-over of an entry into a final, and the numbers from which it is computed."""

    carried_tricks: Fraction
    qualifying_tricks: Fraction  # plus or minus in the qualifying event
    qualifying_boards: int
    final_boards: int
    rule: CarryOver


def find_final(event: Event) -> Final | None:
    """Return the `Final` row of an event; None for an event that is not a final."""
    try:
        return event.final
    except Final.DoesNotExist:
        return None


def compute_carry_overs(event: Event) -> dict[int, QualifyingCarryOver]:
    """Return the carry-over of each entry of a final, by number; empty for any other event."""
    final = find_final(event)
    carry_over_rule = read_rules(final.stage.rule).carry_over if final else None
    if final is None or carry_over_rule is None:
        return {}
    final_boards = count_boards_to_play(event)
    carry_overs = {}
    for entry_number, qualifying_data in final.brought.items():
        qualifying_tricks, qualifying_boards = (
            Fraction(qualifying_data["tricks"]),
            qualifying_data["boards"],
        )
        carried_tricks = carry_over_rule.compute_carried_tricks(
            qualifying_tricks, qualifying_boards, final_boards
        )
        carry_overs[int(entry_number)] = QualifyingCarryOver(
            carried_tricks, qualifying_tricks, qualifying_boards, final_boards, carry_over_rule
        )
    return carry_overs


def count_boards_to_play(event: Event) -> int:
    """Count the boards that an entry without sit-outs plays in the event.

    Rounds that are not drawn yet are included.
    As in the standings, a board counts twice for a team that plays it at both of its tables.
    """
    boards_by_entry: dict[int, set[tuple[int, int]]] = defaultdict(set)
    drawn_sessions = set()
    for sitting, sitting_sides in load_sitting_sides(event).items():
        if sitting_sides.has_drawn_rounds:
            drawn_sessions.add(sitting_sides.session_number)
            continue
        for entry in (*sitting_sides.ns, *sitting_sides.ew) if sitting_sides.is_played else ():
            boards_by_entry[entry] |= {(sitting, board) for board in sitting_sides.boards}
    board_count = max(map(len, boards_by_entry.values()), default=0)
    for session in event.sessions.filter(number__in=drawn_sessions).prefetch_related(
        "sections"
    ):
        sections = [
            section for section in session.sections.all() if section.movement == DRAWN_KEY
        ]
        planned_rounds = max(section.planned_round_count for section in sections)
        tables_per_entry = 2 if event.contest == Event.Contest.TEAMS else 1
        board_count += planned_rounds * session.boards_a_round * tables_per_entry
    return board_count


def build_qualifying_data(
    final: Final, score_and_board_count_by_entry: dict[int, tuple[Fraction, int]]
) -> dict[str, Any]:
    """Return the qualifying data to store in a final, from the current standings."""
    qualifying_data_by_entry: dict[str, Any] = {}
    for entry, qualifying_data in final.brought.items():
        tricks, boards = score_and_board_count_by_entry.get(
            qualifying_data["from"], (Fraction(), 0)
        )
        qualifying_data_by_entry[entry] = {
            "from": qualifying_data["from"],
            "tricks": str(tricks),
            "boards": boards,
        }
    return qualifying_data_by_entry


@transaction.atomic
def update_finals(
    event: Event, score_and_board_count_by_entry: dict[int, tuple[Fraction, int]]
) -> list[int]:
    """Update the carry-over of an event's finals; return the keys of the events that
    changed.

    `score_and_board_count_by_entry` maps entry numbers to the plus or minus and the number of
    boards played. If a final has begun, the change is also added to `Final.told`, the list of
    late changes. The entries of a final never change.
    """
    changed_events = []
    stages = Stage.objects.filter(event=event, drawn_at__isnull=False)
    finals = Final.objects.select_for_update(of=("self",)).filter(stage__in=stages)
    for final in finals.select_related("event"):
        new_carry_over_data = build_qualifying_data(final, score_and_board_count_by_entry)
        if new_carry_over_data == final.brought:
            continue
        if final.event.sessions.exclude(state=Session.State.PLANNED).exists():
            final.told = [
                *final.told,
                *_list_carry_over_corrections(final, new_carry_over_data),
            ]
        final.brought = new_carry_over_data
        final.save(update_fields=["brought", "told"])
        Session.objects.filter(event=final.event).update(revision=F("revision") + 1)
        changed_events.append(final.event_id)
    return changed_events


def _list_carry_over_corrections(
    final: Final, new_carry_over_data: dict[str, Any]
) -> list[dict[str, Any]]:
    changed_at = timezone.now().isoformat()
    return [
        {
            "entry": int(entry),
            "before": qualifying_data["tricks"],
            "after": new_carry_over_data[entry]["tricks"],
            "at": changed_at,
        }
        for entry, qualifying_data in final.brought.items()
        if new_carry_over_data[entry] != qualifying_data
    ]
