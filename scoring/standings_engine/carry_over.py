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
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.stages.advancement import CarryOver
from tournaments.stages.rules import read_rules


@dataclass(frozen=True, slots=True)
class QualifyingCarryOver:
    """The carry-over of an entry into a final, and the numbers from which it is computed."""

    carried_tricks: Fraction
    qualifying_tricks: Fraction  # plus or minus in the qualifying event
    qualifying_board_count: int
    final_board_count: int
    carry_over_rule: CarryOver


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
    final_board_count = count_boards_to_play(event)
    carry_overs_by_entry = {}
    for entry_number, qualifying_data in final.brought.items():
        qualifying_tricks, qualifying_board_count = (
            Fraction(qualifying_data["tricks"]),
            qualifying_data["boards"],
        )
        carried_tricks = carry_over_rule.compute_carried_tricks(
            qualifying_tricks, qualifying_board_count, final_board_count
        )
        carry_overs_by_entry[int(entry_number)] = QualifyingCarryOver(
            carried_tricks,
            qualifying_tricks,
            qualifying_board_count,
            final_board_count,
            carry_over_rule,
        )
    return carry_overs_by_entry


def count_boards_to_play(event: Event) -> int:
    """Count the boards that an entry without sit-outs plays in the event.

    Rounds that are not drawn yet are included.
    As in the standings, a board counts twice for a team that plays it at both of its tables.
    """
    plays_by_entry: dict[int, set[tuple[int, int]]] = defaultdict(set)
    drawn_session_numbers = set()
    for sitting_id, sitting_sides in load_sitting_sides(event).items():
        if sitting_sides.has_drawn_rounds:
            drawn_session_numbers.add(sitting_sides.session_number)
            continue
        for entry_number in (
            (*sitting_sides.ns, *sitting_sides.ew) if sitting_sides.is_played else ()
        ):
            plays_by_entry[entry_number] |= {
                (sitting_id, board_number) for board_number in sitting_sides.boards
            }
    board_count = max(map(len, plays_by_entry.values()), default=0)
    for session in event.sessions.filter(number__in=drawn_session_numbers).prefetch_related(
        "sections"
    ):
        sections = [
            section
            for section in session.sections.all()
            if section.movement == DRAWN_MOVEMENT_NAME
        ]
        planned_round_count = max(section.planned_round_count for section in sections)
        tables_per_entry = 2 if event.contest == Event.Contest.TEAMS else 1
        board_count += planned_round_count * session.boards_a_round * tables_per_entry
    return board_count


def build_qualifying_data(
    final: Final, score_and_board_count_by_entry: dict[int, tuple[Fraction, int]]
) -> dict[str, Any]:
    """Return the qualifying data to store in a final, from the current standings."""
    qualifying_data_by_entry: dict[str, Any] = {}
    for entry_number_text, qualifying_data in final.brought.items():
        tricks, board_count = score_and_board_count_by_entry.get(
            qualifying_data["from"], (Fraction(), 0)
        )
        qualifying_data_by_entry[entry_number_text] = {
            "from": qualifying_data["from"],
            "tricks": str(tricks),
            "boards": board_count,
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
    changed_event_pks = []
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
        changed_event_pks.append(final.event_id)
    return changed_event_pks


def _list_carry_over_corrections(
    final: Final, new_carry_over_data: dict[str, Any]
) -> list[dict[str, Any]]:
    changed_at = timezone.now().isoformat()
    return [
        {
            "entry": int(entry_number_text),
            "before": qualifying_data["tricks"],
            "after": new_carry_over_data[entry_number_text]["tricks"],
            "at": changed_at,
        }
        for entry_number_text, qualifying_data in final.brought.items()
        if new_carry_over_data[entry_number_text] != qualifying_data
    ]
