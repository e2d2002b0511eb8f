"""Seats by seeds: the snake over the lines of a session, so that all are equally strong."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from tournaments.errors import NotNow, SeatingRefused
from tournaments.models import Entry, Section, Session
from tournaments.movements import balance
from tournaments.movements.drawn import DRAWN
from tournaments.seating_snapshot import held_movement
from tournaments.services.seating import back_to_seats, planned
from tournaments.services.seats import Slot, slots_of
from tournaments.session_acts import record_act
from tournaments.stages.seeding import snake_with_seats, spread

Spot = tuple[int, Slot]
"""A section's key, and the places of an entry there."""


@transaction.atomic
def seat_by_seeds(*, session: Session, order: Sequence[int], by: Actor) -> Session:
    """Seat all entries by seeds, the strongest first: `order` has the numbers of all entries.

    N-S and E-W of a section are two lines. Entries that must be stationary get such a place in
    exchange with the nearest seed. Raises SeatingRefused and NotNow.
    """
    session = planned(session)
    sections = list(session.sections.order_by("letter"))
    if not sections:
        raise NotNow(_("Choose a movement first: it says which lines there are."))
    if any(section.movement == DRAWN for section in sections):
        raise NotNow(
            _("Who sits where is drawn with each round. Draw the first again on its page.")
        )
    lines = [line for section in sections for line in _lines(section)]
    entries = {entry.number: entry for entry in session.event.entries.all()}
    if sorted(order) != sorted(entries) or len(order) != sum(map(len, lines)):
        raise SeatingRefused(
            _("Somebody was entered or removed meanwhile. Look at the seeds again.")
        )
    back = back_to_seats(session)
    for (section, slot), number in _laid(sections, lines, order, entries).items():
        rows = next(each for each in sections if each.pk == section).places
        rows.filter(number__in=slot).update(entry=entries[number])
    record_act(by, "seats.drawn", session, after={"how": "seeds"}, back=back)
    return session


def _lines(section: Section) -> list[list[Spot]]:
    """Return the places of each line of a section: N-S and E-W, or one for one field."""
    sides = dict(section.places.values_list("number", "field"))
    found: dict[str, list[Spot]] = {}
    for slot in slots_of(held_movement(section)):
        fields = {sides[place] for place in slot}
        side = fields.pop() if len(fields) == 1 else ""
        found.setdefault(side, []).append((section.pk, slot))
    return [found[side] for side in sorted(found, key=lambda side: side != "NS")]


def _laid(
    sections: Sequence[Section],
    lines: Sequence[Sequence[Spot]],
    order: Sequence[int],
    entries: Mapping[int, Entry],
) -> dict[Spot, int]:
    """Return the seating: the snake over the lines, with the best far apart in each."""
    fixed = {
        (section.pk, place)
        for section in sections
        for place in balance(held_movement(section)).stationary
    }
    staying = [number for number in order if entries[number].stays_seated]
    seats = [
        at
        for at, line in enumerate(lines)
        if all(any((pk, place) in fixed for place in slot) for pk, slot in line)
    ]
    dealt = _dealt(order, lines, staying if seats else [], seats)
    found: dict[Spot, int] = {}
    for line, members in zip(lines, dealt, strict=True):
        found |= zip(line, spread(members), strict=True)
    _seat_those_who_stay(found, staying, fixed, order)
    return found


def _dealt(
    order: Sequence[int],
    lines: Sequence[Sequence[Spot]],
    staying: Sequence[int],
    seats: Sequence[int],
) -> list[list[int]]:
    """Return the snake for lines of different sizes: full lines are skipped."""
    if len({len(line) for line in lines}) == 1:
        try:
            return snake_with_seats(order, len(lines), staying, seats)
        except ValueError:
            raise SeatingRefused(
                _("%(count)s must stay seated, and fewer places never move.")
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


def _seat_those_who_stay(
    found: dict[Spot, int],
    staying: Sequence[int],
    fixed: set[tuple[int, int]],
    order: Sequence[int],
) -> None:
    """Exchange entries that must be stationary but are not with the nearest seed that is."""
    rank = {number: at for at, number in enumerate(order)}
    stays = {spot: any((spot[0], place) in fixed for place in spot[1]) for spot in found}
    for number in staying:
        spot = next(each for each, who in found.items() if who == number)
        if stays[spot]:
            continue
        others = [each for each in found if stays[each] and found[each] not in staying]
        if not others:
            raise SeatingRefused(
                _("%(count)s must stay seated, and fewer places never move.")
                % {"count": len(staying)}
            )
        other = min(others, key=lambda each: (abs(rank[found[each]] - rank[number]), each))
        found[spot], found[other] = found[other], number
