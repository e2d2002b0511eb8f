"""The division of the entries into sections, each with a separate movement.

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
DIVIDE_IN_BLOCKS, DIVIDE_IN_TURN = "blocks", "turn"


@dataclass(frozen=True, slots=True)
class PlannedSection:
    """The plan of a section: its movement, the movement's build options, and its entries."""

    movement: Movement
    options: Mapping[str, Any]
    entries: Sequence[Entry]


def divide_entries(
    entries: Sequence[Entry],
    section_count: int,
    method: str = DIVIDE_IN_BLOCKS,
    sizes: Sequence[int] = (),
) -> list[list[Entry]]:
    """Divide the entries into sections, in blocks by number or alternately.

    `sizes` has the number of entries of each section. If it is empty, the sizes are nearly
    equal, and the first sections have one entry more if needed.
    """
    if not sizes:
        entries_per_section, remainder = divmod(len(entries), section_count)
        sizes = [entries_per_section + (index < remainder) for index in range(section_count)]
    if len(sizes) != section_count or sum(sizes) != len(entries) or min(sizes) < 1:
        raise InvalidSeating(_("The list has since changed. Check the sections again."))
    if method == DIVIDE_IN_TURN:
        entries_by_section: list[list[Entry]] = [[] for _size in sizes]
        positions = [
            (row_index, section_index)
            for section_index, section_size in enumerate(sizes)
            for row_index in range(section_size)
        ]
        for entry, (_row_index, section_index) in zip(entries, sorted(positions), strict=True):
            entries_by_section[section_index].append(entry)
        return entries_by_section
    start_indexes = [sum(sizes[:index]) for index in range(section_count)]
    return [
        list(entries[start_index : start_index + section_size])
        for start_index, section_size in zip(start_indexes, sizes, strict=True)
    ]


@transaction.atomic
def seat_sections(
    *,
    session: Session,
    planned_sections: Sequence[PlannedSection],
    boards_a_round: int,
    is_ranked_across_sections: bool = False,
    by: Actor,
) -> list[Section]:
    """Seat all entries, section by section; an earlier seating is replaced before play.

    Entries keep the side of their earlier sessions if there are enough places on that side. If
    `is_ranked_across_sections` is True, the sections are compared as one field on each deal.
    Raises InvalidSeating unless each entry is in exactly one section, and ActionUnavailable
    once the session is open.
    """
    session = lock_planned_session(session)
    if not 1 <= len(planned_sections) <= len(SECTION_LETTERS):
        raise InvalidSeating(
            _("Choose from 1 to %(most)s sections.") % {"most": len(SECTION_LETTERS)}
        )
    section_counts_by_entry = Counter(
        entry.pk for planned_section in planned_sections for entry in planned_section.entries
    )
    if section_counts_by_entry != Counter(session.event.entries.values_list("pk", flat=True)):
        raise InvalidSeating(_("The list has since changed. Check the sections again."))
    undo, old_sections = build_seats_undo(session), describe_sections(session.sections.all())
    sides_by_entry = load_earlier_sides(session)
    clear_seating(session)
    sections = [
        write_section(
            session=session,
            movement=planned_section.movement,
            boards_a_round=boards_a_round,
            options=planned_section.options,
            entries_by_place=arrange_entries(
                planned_section.movement, planned_section.entries, sides_by_entry=sides_by_entry
            ),
            section_letter=section_letter,
        )
        for section_letter, planned_section in zip(
            SECTION_LETTERS, planned_sections, strict=False
        )
    ]
    session.boards_a_round = boards_a_round
    session.across_sections = is_ranked_across_sections and len(planned_sections) > 1
    session.save(update_fields=["boards_a_round", "across_sections"])
    record_seating(by, session, old_sections=old_sections, seated_sections=sections, undo=undo)
    return sections
