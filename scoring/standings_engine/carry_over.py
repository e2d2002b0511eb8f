"""The carry-over from the qualifying into finals, and its update after a correction."""

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

    amount: Fraction
    qualifying_tricks: Fraction  # plus or minus in the qualifying
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
    boards = count_boards_to_play(event)
    carry_overs = {}
    for entry, qualifying_data in final.brought.items():
        tricks, boards_played = Fraction(qualifying_data["tricks"]), qualifying_data["boards"]
        amount = carry_over_rule.of(tricks, boards_played, boards)
        carry_overs[int(entry)] = QualifyingCarryOver(
            amount, tricks, boards_played, boards, carry_over_rule
        )
    return carry_overs


def count_boards_to_play(event: Event) -> int:
    """Count the boards of an entry without sit-outs, including rounds still to be drawn.

    They are counted as in the standings: a board counts twice for a team that plays it at both
    of its tables.
    """
    boards_by_entry: dict[int, set[tuple[int, int]]] = defaultdict(set)
    drawn_entries = set()
    for sitting, sides in load_sitting_sides(event).items():
        if sides.has_drawn_rounds:
            drawn_entries.add(sides.session)
            continue
        for entry in (*sides.ns, *sides.ew) if sides.is_played else ():
            boards_by_entry[entry] |= {(sitting, board) for board in sides.boards}
    planned = max(map(len, boards_by_entry.values()), default=0)
    for session in event.sessions.filter(number__in=drawn_entries).prefetch_related("sections"):
        sections = [each for each in session.sections.all() if each.movement == DRAWN_KEY]
        rounds = max(section.rounds_planned for section in sections)
        tables = 2 if event.contest == Event.Contest.TEAMS else 1
        planned += rounds * session.boards_a_round * tables
    return planned


def build_qualifying_data(
    final: Final, plus: dict[int, tuple[Fraction, int]]
) -> dict[str, Any]:
    """Return the stored data of a final about the qualifying, from its current standings."""
    qualifying_by_entry: dict[str, Any] = {}
    for entry, qualifying_data in final.brought.items():
        tricks, boards = plus.get(qualifying_data["from"], (Fraction(), 0))
        qualifying_by_entry[entry] = {
            "from": qualifying_data["from"],
            "tricks": str(tricks),
            "boards": boards,
        }
    return qualifying_by_entry


@transaction.atomic
def update_finals(event: Event, plus: dict[int, tuple[Fraction, int]]) -> list[int]:
    """Update the carry-over of an event's finals; return the keys of the events that
    changed.

    `plus` maps entries to their plus or minus and the number of boards played. Changes after
    play has begun are listed on the final. The entries of each final never change.
    """
    changed_events = []
    stages = Stage.objects.filter(event=event, drawn_at__isnull=False)
    rows = Final.objects.select_for_update(of=("self",)).filter(stage__in=stages)
    for final in rows.select_related("event"):
        new_data = build_qualifying_data(final, plus)
        if new_data == final.brought:
            continue
        if final.event.sessions.exclude(state=Session.State.PLANNED).exists():
            final.told = [*final.told, *_list_changes(final, new_data)]
        final.brought = new_data
        final.save(update_fields=["brought", "told"])
        Session.objects.filter(event=final.event).update(revision=F("revision") + 1)
        changed_events.append(final.event_id)
    return changed_events


def _list_changes(final: Final, now: dict[str, Any]) -> list[dict[str, Any]]:
    changed_at = timezone.now().isoformat()
    return [
        {
            "entry": int(entry),
            "before": qualifying_data["tricks"],
            "after": now[entry]["tricks"],
            "at": changed_at,
        }
        for entry, qualifying_data in final.brought.items()
        if now[entry] != qualifying_data
    ]
