"""The division of a large field into sections, each with a movement of its own.

All sections play the same number of boards a round.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from tournaments.errors import InvalidSeating
from tournaments.models import Entry, Section, Session
from tournaments.movements import Movement
from tournaments.ranking_fields import load_earlier_sides
from tournaments.services.seating import (
    build_seats_undo,
    clear_seating,
    describe_sections,
    lock_planned_session,
    record_seating,
    write_section,
)
from tournaments.services.seats import arrange_entries

SECTION_LETTERS = "ABCDEFGHIJ"
IN_BLOCKS, IN_TURN = "blocks", "turn"


@dataclass(frozen=True, slots=True)
class PlannedSection:
    """The plan of a section: its movement, the movement's build options, and its entries."""

    movement: Movement
    options: Mapping[str, Any]
    entries: Sequence[Entry]


def divide_entries(
    entries: Sequence[Entry],
    sections: int,
    how: str = IN_BLOCKS,
    sizes: Sequence[int] = (),
) -> list[list[Entry]]:
    """Divide the entries into nearly equal sections, in blocks by number or alternately.

    The first sections have one entry more if needed. `sizes` gives other sizes.
    """
    if not sizes:
        entries_per_section, remainder = divmod(len(entries), sections)
        sizes = [entries_per_section + (number < remainder) for number in range(sections)]
    if len(sizes) != sections or sum(sizes) != len(entries) or min(sizes) < 1:
        raise InvalidSeating(_("Entries have changed since then. Check the sections again."))
    if how == IN_TURN:
        groups: list[list[Entry]] = [[] for _size in sizes]
        seats = [
            (row, section_index)
            for section_index, size in enumerate(sizes)
            for row in range(size)
        ]
        for entry, (_row, section_index) in zip(entries, sorted(seats), strict=True):
            groups[section_index].append(entry)
        return groups
    starts = [sum(sizes[:number]) for number in range(sections)]
    return [
        list(entries[start : start + size]) for start, size in zip(starts, sizes, strict=True)
    ]


@transaction.atomic
def seat_sections(
    *,
    session: Session,
    plans: Sequence[PlannedSection],
    boards_a_round: int,
    across: bool = False,
    by: Actor,
) -> list[Section]:
    """Seat all entries, section by section; an earlier seating is replaced before play.

    Entries keep the side of their earlier sessions if the movement has enough places on it.
    With `across` the sections are compared as one field on each deal. Raises InvalidSeating
    unless each entry is in exactly one section, and NotNow once the session is open.
    """
    session = lock_planned_session(session)
    if not 1 <= len(plans) <= len(SECTION_LETTERS):
        raise InvalidSeating(
            _("Choose from 1 to %(most)s sections.") % {"most": len(SECTION_LETTERS)}
        )
    planned_counts = Counter(entry.pk for plan in plans for entry in plan.entries)
    if planned_counts != Counter(session.event.entries.values_list("pk", flat=True)):
        raise InvalidSeating(_("Entries have changed since then. Check the sections again."))
    undo, before = build_seats_undo(session), describe_sections(session.sections.all())
    sides = load_earlier_sides(session)
    clear_seating(session)
    sections = [
        write_section(
            session=session,
            movement=plan.movement,
            boards_a_round=boards_a_round,
            options=plan.options,
            seating=arrange_entries(plan.movement, plan.entries, sides=sides),
            letter=letter,
        )
        for letter, plan in zip(SECTION_LETTERS, plans, strict=False)
    ]
    session.boards_a_round = boards_a_round
    session.across_sections = across and len(plans) > 1
    session.save(update_fields=["boards_a_round", "across_sections"])
    record_seating(by, session, before=before, seated=sections, undo=undo)
    return sections
