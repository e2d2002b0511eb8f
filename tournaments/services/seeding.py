"""Seating by seeds: entries are dealt in a snake, which makes all lines equally strong."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from tournaments.errors import InvalidSeating, NotNow
from tournaments.models import Entry, Section, Session
from tournaments.movements import compute_balance
from tournaments.movements.drawn_rounds import DRAWN_KEY
from tournaments.seating_snapshot import load_movement
from tournaments.services.seating import build_seats_undo, lock_planned_session
from tournaments.services.seats import Slot, list_slots
from tournaments.session_acts import record_session_act
from tournaments.stages.seeding import deal_snake_with_seats, spread_seeds

Spot = tuple[int, Slot]
"""A section's primary key, and an entry's slot in that section."""


@transaction.atomic
def seat_entries_by_seeds(*, session: Session, order: Sequence[int], by: Actor) -> Session:
    """Seat all entries of a session by seeds; `order` has all numbers, the strongest first.

    N-S and E-W of a section are two lines. An entry that must be stationary exchanges its
    place with the nearest seed that has a stationary one. Raises InvalidSeating if the entries
    have changed or too few places are stationary, and NotNow without a movement or in a drawn
    round.
    """
    session = lock_planned_session(session)
    sections = list(session.sections.order_by("letter"))
    if not sections:
        raise NotNow(_("Choose the movement first. It sets the lines."))
    if any(section.movement == DRAWN_KEY for section in sections):
        raise NotNow(_("Seats are drawn with each round. Redraw round 1 on the draw page."))
    lines = [line for section in sections for line in _list_lines(section)]
    entries = {entry.number: entry for entry in session.event.entries.all()}
    if sorted(order) != sorted(entries) or len(order) != sum(map(len, lines)):
        raise InvalidSeating(_("Entries have changed since then. Check the seeds again."))
    undo = build_seats_undo(session)
    for (section, slot), number in _assign_seeds(sections, lines, order, entries).items():
        rows = next(each for each in sections if each.pk == section).places
        rows.filter(number__in=slot).update(entry=entries[number])
    record_session_act(by, "seats.drawn", session, after={"how": "seeds"}, back=undo)
    return session


def _list_lines(section: Section) -> list[list[Spot]]:
    """Return the slots of each line of a section: N-S and E-W, or all if it is one field."""
    sides = dict(section.places.values_list("number", "field"))
    spots_by_side: dict[str, list[Spot]] = {}
    for slot in list_slots(load_movement(section)):
        fields = {sides[place] for place in slot}
        side = fields.pop() if len(fields) == 1 else ""
        spots_by_side.setdefault(side, []).append((section.pk, slot))
    return [
        spots_by_side[side] for side in sorted(spots_by_side, key=lambda side: side != "NS")
    ]


def _assign_seeds(
    sections: Sequence[Section],
    lines: Sequence[Sequence[Spot]],
    order: Sequence[int],
    entries: Mapping[int, Entry],
) -> dict[Spot, int]:
    """Return the entry number of each slot: a snake over the lines, the top seeds apart."""
    stationary_places = {
        (section.pk, place)
        for section in sections
        for place in compute_balance(load_movement(section)).stationary
    }
    staying = [number for number in order if entries[number].stays_seated]
    seats = [
        at
        for at, line in enumerate(lines)
        if all(any((pk, place) in stationary_places for place in slot) for pk, slot in line)
    ]
    seeds_by_line = _deal_snake(order, lines, staying if seats else [], seats)
    seed_by_spot: dict[Spot, int] = {}
    for line, members in zip(lines, seeds_by_line, strict=True):
        seed_by_spot |= zip(line, spread_seeds(members), strict=True)
    _exchange_stationary(seed_by_spot, staying, stationary_places, order)
    return seed_by_spot


def _deal_snake(
    order: Sequence[int],
    lines: Sequence[Sequence[Spot]],
    staying: Sequence[int],
    seats: Sequence[int],
) -> list[list[int]]:
    """Return each line's seeds, dealt in a snake that skips full lines."""
    if len({len(line) for line in lines}) == 1:
        try:
            return deal_snake_with_seats(order, len(lines), staying, seats)
        except ValueError:
            raise InvalidSeating(
                _("%(count)s need a stationary place, but there are fewer.")
                % {"count": len(staying)}
            ) from None
    seeds_by_line: list[list[int]] = [[] for _line in lines]
    remaining = list(order)
    row = 0
    while remaining:
        line_order = range(len(lines)) if row % 2 == 0 else range(len(lines) - 1, -1, -1)
        for at in line_order:
            if remaining and len(seeds_by_line[at]) < len(lines[at]):
                seeds_by_line[at].append(remaining.pop(0))
        row += 1
    return seeds_by_line


def _exchange_stationary(
    seed_by_spot: dict[Spot, int],
    staying: Sequence[int],
    stationary_places: set[tuple[int, int]],
    order: Sequence[int],
) -> None:
    """Exchange each moving entry that must be stationary with the nearest stationary seed."""
    rank = {number: index for index, number in enumerate(order)}
    is_stationary_spot = {
        spot: any((spot[0], place) in stationary_places for place in spot[1])
        for spot in seed_by_spot
    }
    for number in staying:
        spot = next(other_spot for other_spot, seed in seed_by_spot.items() if seed == number)
        if is_stationary_spot[spot]:
            continue
        other_spots = [
            other_spot
            for other_spot in seed_by_spot
            if is_stationary_spot[other_spot] and seed_by_spot[other_spot] not in staying
        ]
        if not other_spots:
            raise InvalidSeating(
                _("%(count)s need a stationary place, but there are fewer.")
                % {"count": len(staying)}
            )
        other = min(
            other_spots,
            key=lambda other_spot: (
                abs(rank[seed_by_spot[other_spot]] - rank[number]),
                other_spot,
            ),
        )
        seed_by_spot[spot], seed_by_spot[other] = seed_by_spot[other], number
