"""Seats entries by seed, so that all lines (N-S or E-W of a section) are equally strong."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from tournaments.errors import ActionUnavailable, InvalidSeating
from tournaments.models import Entry, Section, Session
from tournaments.movements import compute_balance
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.seating_snapshot import load_movement
from tournaments.services.seating import build_seats_undo, lock_planned_session
from tournaments.services.seats import Slot, list_slots
from tournaments.session_acts import record_session_act
from tournaments.stages.seeding import distribute_with_stationary_seats, spread_seeds

SectionSlot = tuple[int, Slot]
"""A section's primary key, and an entry's slot in that section."""


@transaction.atomic
def seat_entries_by_seeds(
    *, session: Session, seeded_entry_numbers: Sequence[int], by: Actor
) -> Session:
    """Seat all entries by strength, in a snake over all lines: 1 2 3 4, then 4 3 2 1.

    `seeded_entry_numbers` are the numbers of all entries, the strongest first. N-S and E-W of a
    section are two lines. An entry that must be stationary exchanges its place
    with the nearest seed that has a stationary place. Raises InvalidSeating if the entries have
    changed or too few places are stationary. Raises ActionUnavailable if there is no movement,
    or if rounds are drawn.
    """
    session = lock_planned_session(session)
    sections = list(session.sections.order_by("letter"))
    if not sections:
        raise ActionUnavailable(_("Choose the movement first. It sets the lines."))
    if any(section.movement == DRAWN_MOVEMENT_NAME for section in sections):
        raise ActionUnavailable(
            _("Seats are drawn with each round. Redraw round 1 on the draw page.")
        )
    seeding_lines = [
        seeding_line for section in sections for seeding_line in _list_seeding_lines(section)
    ]
    entries_by_number = {entry.number: entry for entry in session.event.entries.all()}
    if sorted(seeded_entry_numbers) != sorted(entries_by_number) or len(
        seeded_entry_numbers
    ) != sum(map(len, seeding_lines)):
        raise InvalidSeating(_("The list has since changed. Check the seeds again."))
    undo = build_seats_undo(session)
    for (section_pk, slot), entry_number in _assign_seeds(
        sections, seeding_lines, seeded_entry_numbers, entries_by_number
    ).items():
        section_places = next(
            possible_section
            for possible_section in sections
            if possible_section.pk == section_pk
        ).places
        section_places.filter(number__in=slot).update(entry=entries_by_number[entry_number])
    record_session_act(by, "seats.drawn", session, new_values={"how": "seeds"}, undo=undo)
    return session


def _list_seeding_lines(section: Section) -> list[list[SectionSlot]]:
    """Return the slots of each line of a section: N-S and E-W, or all if it is one field."""
    sides_by_place = dict(section.places.values_list("number", "field"))
    slots_by_side: dict[str, list[SectionSlot]] = {}
    for slot in list_slots(load_movement(section)):
        slot_sides = {sides_by_place[place] for place in slot}
        side = slot_sides.pop() if len(slot_sides) == 1 else ""
        slots_by_side.setdefault(side, []).append((section.pk, slot))
    return [
        slots_by_side[side] for side in sorted(slots_by_side, key=lambda side: side != "NS")
    ]


def _assign_seeds(
    sections: Sequence[Section],
    seeding_lines: Sequence[Sequence[SectionSlot]],
    seeded_entry_numbers: Sequence[int],
    entries_by_number: Mapping[int, Entry],
) -> dict[SectionSlot, int]:
    """Return the entry number of each spot. The best seeds of a line are placed far apart."""
    stationary_places = {
        (section.pk, place)
        for section in sections
        for place in compute_balance(load_movement(section)).stationary_places
    }
    stationary_numbers = [
        entry_number
        for entry_number in seeded_entry_numbers
        if entries_by_number[entry_number].stays_seated
    ]
    stationary_line_indexes = [
        line_index
        for line_index, seeding_line in enumerate(seeding_lines)
        if all(
            any((pk, place) in stationary_places for place in slot) for pk, slot in seeding_line
        )
    ]
    entry_numbers_by_seeding_line = _distribute_seeds_in_snake_order(
        seeded_entry_numbers,
        seeding_lines,
        stationary_numbers if stationary_line_indexes else [],
        stationary_line_indexes,
    )
    entry_number_by_slot: dict[SectionSlot, int] = {}
    for seeding_line, line_entry_numbers in zip(
        seeding_lines, entry_numbers_by_seeding_line, strict=True
    ):
        entry_number_by_slot |= zip(seeding_line, spread_seeds(line_entry_numbers), strict=True)
    _exchange_stationary_seeds(
        entry_number_by_slot, stationary_numbers, stationary_places, seeded_entry_numbers
    )
    return entry_number_by_slot


def _distribute_seeds_in_snake_order(
    seeded_entry_numbers: Sequence[int],
    seeding_lines: Sequence[Sequence[SectionSlot]],
    stationary_numbers: Sequence[int],
    stationary_line_indexes: Sequence[int],
) -> list[list[int]]:
    """Return each line's seeds, dealt in a snake that skips full lines."""
    if len({len(seeding_line) for seeding_line in seeding_lines}) == 1:
        try:
            return distribute_with_stationary_seats(
                seeded_entry_numbers,
                len(seeding_lines),
                stationary_numbers,
                stationary_line_indexes,
            )
        except ValueError:
            raise InvalidSeating(
                _("%(count)s need a stationary place, but there are fewer.")
                % {"count": len(stationary_numbers)}
            ) from None
    entry_numbers_by_seeding_line: list[list[int]] = [[] for _line in seeding_lines]
    remaining_numbers = list(seeded_entry_numbers)
    pass_index = 0
    while remaining_numbers:
        line_order = (
            range(len(seeding_lines))
            if pass_index % 2 == 0
            else range(len(seeding_lines) - 1, -1, -1)
        )
        for line_index in line_order:
            if remaining_numbers and len(entry_numbers_by_seeding_line[line_index]) < len(
                seeding_lines[line_index]
            ):
                entry_numbers_by_seeding_line[line_index].append(remaining_numbers.pop(0))
        pass_index += 1
    return entry_numbers_by_seeding_line


def _exchange_stationary_seeds(
    entry_number_by_slot: dict[SectionSlot, int],
    stationary_numbers: Sequence[int],
    stationary_places: set[tuple[int, int]],
    seeded_entry_numbers: Sequence[int],
) -> None:
    """Exchange each moving entry that must be stationary with the nearest stationary seed."""
    ranks_by_number = {
        entry_number: index for index, entry_number in enumerate(seeded_entry_numbers)
    }
    is_stationary_by_slot = {
        section_slot: any(
            (section_slot[0], place) in stationary_places for place in section_slot[1]
        )
        for section_slot in entry_number_by_slot
    }
    for entry_number in stationary_numbers:
        section_slot = next(
            other_slot
            for other_slot, seeded_number in entry_number_by_slot.items()
            if seeded_number == entry_number
        )
        if is_stationary_by_slot[section_slot]:
            continue
        other_slots = [
            other_slot
            for other_slot in entry_number_by_slot
            if is_stationary_by_slot[other_slot]
            and entry_number_by_slot[other_slot] not in stationary_numbers
        ]
        if not other_slots:
            raise InvalidSeating(
                _("%(count)s need a stationary place, but there are fewer.")
                % {"count": len(stationary_numbers)}
            )
        nearest_slot = min(
            other_slots,
            key=lambda other_slot: (
                abs(
                    ranks_by_number[entry_number_by_slot[other_slot]]
                    - ranks_by_number[entry_number]
                ),
                other_slot,
            ),
        )
        entry_number_by_slot[section_slot], entry_number_by_slot[nearest_slot] = (
            entry_number_by_slot[nearest_slot],
            entry_number,
        )
