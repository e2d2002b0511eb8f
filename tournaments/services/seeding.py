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
    back = build_seats_undo(session)
    for (section, slot), number in _assign_seeds(sections, lines, order, entries).items():
        rows = next(each for each in sections if each.pk == section).places
        rows.filter(number__in=slot).update(entry=entries[number])
    record_session_act(by, "seats.drawn", session, after={"how": "seeds"}, back=back)
    return session


def _list_lines(section: Section) -> list[list[Spot]]:
    """Return the slots of each line of a section: N-S and E-W, or all if it is one field."""
    sides = dict(section.places.values_list("number", "field"))
    found: dict[str, list[Spot]] = {}
    for slot in list_slots(load_movement(section)):
        fields = {sides[place] for place in slot}
        side = fields.pop() if len(fields) == 1 else ""
        found.setdefault(side, []).append((section.pk, slot))
    return [found[side] for side in sorted(found, key=lambda side: side != "NS")]


def _assign_seeds(
    sections: Sequence[Section],
    lines: Sequence[Sequence[Spot]],
    order: Sequence[int],
    entries: Mapping[int, Entry],
) -> dict[Spot, int]:
    """Return the entry number of each slot: a snake over the lines, the top seeds apart."""
    fixed = {
        (section.pk, place)
        for section in sections
        for place in compute_balance(load_movement(section)).stationary
    }
    staying = [number for number in order if entries[number].stays_seated]
    seats = [
        at
        for at, line in enumerate(lines)
        if all(any((pk, place) in fixed for place in slot) for pk, slot in line)
    ]
    dealt = _deal_snake(order, lines, staying if seats else [], seats)
    found: dict[Spot, int] = {}
    for line, members in zip(lines, dealt, strict=True):
        found |= zip(line, spread_seeds(members), strict=True)
    _exchange_stationary(found, staying, fixed, order)
    return found


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
    found: list[list[int]] = [[] for _line in lines]
    left = list(order)
    row = 0
    while left:
        way = range(len(lines)) if row % 2 == 0 else range(len(lines) - 1, -1, -1)
        for at in way:
            if left and len(found[at]) < len(lines[at]):
                found[at].append(left.pop(0))
        row += 1
    return found


def _exchange_stationary(
    found: dict[Spot, int],
    staying: Sequence[int],
    fixed: set[tuple[int, int]],
    order: Sequence[int],
) -> None:
    """Exchange each moving entry that must be stationary with the nearest stationary seed."""
    rank = {number: at for at, number in enumerate(order)}
    stays = {spot: any((spot[0], place) in fixed for place in spot[1]) for spot in found}
    for number in staying:
        spot = next(each for each, who in found.items() if who == number)
        if stays[spot]:
            continue
        others = [each for each in found if stays[each] and found[each] not in staying]
        if not others:
            raise InvalidSeating(
                _("%(count)s need a stationary place, but there are fewer.")
                % {"count": len(staying)}
            )
        other = min(others, key=lambda each: (abs(rank[found[each]] - rank[number]), each))
        found[spot], found[other] = found[other], number
