"""The assignment of entries to places: by list, at random, fairly, or manually."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import audit
from clubs.audit import Actor, Data, Undo
from tournaments.errors import InvalidSeating, NotNow
from tournaments.ledger import LedgerRecord, load_season_records
from tournaments.models import Entry, Section, Session
from tournaments.models.seating import has_several_sections
from tournaments.movements import Contest, Movement, compute_balance
from tournaments.movements.drawn_rounds import DRAWN_KEY
from tournaments.ranking_fields import load_earlier_sides
from tournaments.seating_snapshot import load_movement
from tournaments.session_acts import record_session_act

BY_LIST, AT_RANDOM, FAIRLY = "list", "random", "fair"
BY_HAND, AS_BEFORE = "hand", "before"
Slot = tuple[int, ...]  # the places that one entry takes: two for a team


def arrange_entries(
    movement: Movement,
    entries: Sequence[Entry],
    *,
    how: str = BY_LIST,
    seed: str = "",
    past: Mapping[int, LedgerRecord] | None = None,
    sides: Mapping[int, str] | None = None,
) -> dict[int, Entry]:
    """Assign an entry to every occupied place of the movement.

    Entries that must be stationary get stationary places. `sides` has the entries' sides in
    earlier sessions, by key; entries keep them if the movement has enough places. A fair draw
    uses the season's record in `past`: the other stationary places go to entries with the
    fewest so far. It also gives sit-outs to the entries with the fewest. Ties are drawn with
    `seed`. Raises InvalidSeating if the numbers do not match or there are too few stationary
    places.
    """
    slots = list_slots(movement)
    if len(entries) != len(slots):
        raise InvalidSeating(
            _("%(movement)s has %(places)s places for %(entries)s entries.")
            % {"movement": movement.title, "places": len(slots), "entries": len(entries)}
        )
    order = list(entries)
    if how != BY_LIST:
        random.Random(seed).shuffle(order)
    sides = sides or {}
    stationary = set(compute_balance(movement).stationary)
    staying = [slot for slot in slots if set(slot) & stationary]
    wishing = _select_wishing(order, len(staying))
    assigned: dict[Slot, Entry] = {}
    for side, own_entries in _divide_by_side(movement, staying, wishing, sides):
        assigned |= zip(side, own_entries, strict=False)
    free_slots = [slot for slot in slots if slot not in assigned]
    remaining_entries = [entry for entry in order if entry not in assigned.values()]
    for side, own_entries in _divide_by_side(movement, free_slots, remaining_entries, sides):
        if how == FAIRLY:
            assigned |= _assign_fairly(side, own_entries, movement, past or {})
        else:
            assigned |= zip(side, own_entries, strict=True)
    return {place: entry for slot, entry in assigned.items() for place in slot}


def _divide_by_side(
    movement: Movement,
    slots: Sequence[Slot],
    order: Sequence[Entry],
    sides: Mapping[int, str],
) -> list[tuple[list[Slot], list[Entry]]]:
    """Divide slots and entries into N-S and E-W, by the entries' earlier sides.

    Entries without an earlier side, or without a place left on it, fill both sides in their
    order. There is only one part if no entry has a side, or if the movement has one winner.
    """
    by_side: dict[str, list[Slot]] = {}
    for slot in slots:
        by_side.setdefault(movement.ranked_in(slot[0]), []).append(slot)
    if not sides or "" in by_side:
        return [(list(slots), list(order))]
    own_sides = {
        side: [entry for entry in order if sides.get(entry.pk) == side][: len(side_slots)]
        for side, side_slots in by_side.items()
    }
    seated = {entry.pk for entries in own_sides.values() for entry in entries}
    other_entries = iter([entry for entry in order if entry.pk not in seated])
    for side, side_slots in by_side.items():
        own_sides[side] += islice(other_entries, len(side_slots) - len(own_sides[side]))
        own_sides[side].sort(key=order.index)
    return [(side_slots, own_sides[side]) for side, side_slots in by_side.items()]


def list_slots(movement: Movement) -> list[Slot]:
    """Return the movement's slots: one place each, and for teams the places of both pairs."""
    if movement.contest is not Contest.TEAMS:
        return [(place,) for place in movement.occupied_places]
    teams: dict[int, list[int]] = defaultdict(list)
    for place in movement.occupied_places:
        teams[movement.team(place)].append(place)
    return [tuple(teams[team]) for team in sorted(teams)]


@transaction.atomic
def draw_seats(*, section: Section, how: str, seed: str = "", by: Actor) -> Section:
    """Draw a section's seats again before play; the history stores the seed."""
    session = _lock_planned(section.session_id)
    _check_not_drawn(section)
    past = load_season_records(session) if how == FAIRLY else None
    entries = list_section_entries(section)
    sides = load_earlier_sides(session)
    movement = load_movement(section)
    seating = arrange_entries(movement, entries, how=how, seed=seed, past=past, sides=sides)
    undo = _build_undo(section)
    _write_seating(section, {place: entry.pk for place, entry in seating.items()})
    _record_seats(by, section, {"how": how} | ({"seed": seed} if how != BY_LIST else {}), undo)
    return section


@transaction.atomic
def assign_seats(*, section: Section, seating: Mapping[int, Entry], by: Actor) -> Section:
    """Set all seats of a section manually: `seating` has the entry of each occupied place.

    Raises InvalidSeating with the name of an entry that has two places or none.
    """
    _lock_planned(section.session_id)
    _check_not_drawn(section)
    slots = list_slots(load_movement(section))
    chosen_entries = {slot: seating.get(slot[0]) for slot in slots}
    named_entries = [entry for entry in chosen_entries.values() if entry is not None]
    repeated_entry = next(
        (each for each in named_entries if named_entries.count(each) > 1), None
    )
    if repeated_entry is not None:
        raise InvalidSeating(
            _("%(pair)s has two places. Give one to someone else.")
            % {"pair": str(repeated_entry)}
        )
    if len(named_entries) < len(slots):
        raise InvalidSeating(_("A place is empty. Fill every place."))
    section_entries = set(list_section_entries(section))
    if (
        stranger := next((each for each in named_entries if each not in section_entries), None)
    ) is not None:
        raise InvalidSeating(_("%(pair)s plays in another section.") % {"pair": str(stranger)})
    undo = _build_undo(section)
    _write_seating(
        section, {p: entry.pk for slot, entry in chosen_entries.items() if entry for p in slot}
    )
    _record_seats(by, section, {"how": BY_HAND}, undo)
    return section


def _check_not_drawn(section: Section) -> None:
    if section.movement == DRAWN_KEY:
        raise NotNow(_("Seats are drawn with each round. Redraw round 1 on the draw page."))


@transaction.atomic
def restore_places(
    *, section: Section, places: Sequence[Sequence[int | None]], by: Actor
) -> Section:
    """Undo a draw of seats; `places` has the number and the earlier entry of each place."""
    _lock_planned(section.session_id)
    undo = _build_undo(section)
    _write_seating(section, {number: entry for number, entry in places if number is not None})
    _record_seats(by, section, {"how": AS_BEFORE}, undo)
    return section


def list_section_entries(section: Section) -> list[Entry]:
    """Return the entries seated in a section, or all entries if the session has one section."""
    event = section.session.event
    entries = Entry.objects.filter(event=event).select_related("event__club")
    if has_several_sections(section.session_id):
        entries = entries.filter(places__section=section).distinct()
    return list(entries.order_by("number"))


def list_unmet_wishes(section: Section) -> list[Entry]:
    """Return the entries that must be stationary but move.

    One stationary pair of a team is enough.
    """
    movement = load_movement(section)
    stationary = compute_balance(movement).stationary
    wishing = {
        place.number: place.entry
        for place in section.places.filter(entry__stays_seated=True).select_related("entry")
        if place.entry is not None
    }
    moving = [slot for slot in list_slots(movement) if not set(slot) & set(stationary)]
    return [wishing[slot[0]] for slot in moving if slot[0] in wishing]


@transaction.atomic
def set_stationary_wishes(
    *, entries: Sequence[Entry], staying: Sequence[int], by: Actor
) -> None:
    """Set which entries must be stationary, by number; all other given entries may move."""
    for entry in entries:
        must_stay = entry.number in staying
        if entry.stays_seated != must_stay:
            Entry.objects.filter(pk=entry.pk).update(stays_seated=must_stay)
            audit.record(
                by,
                "wish.changed",
                subject=entry.event,
                where={"entry": entry.number, "name": entry.name},
                after={"stays": must_stay},
                back=Undo(
                    (f"wish {entry.pk}",), "wish", {"entry": entry.pk, "stays": not must_stay}
                ),
            )


def _select_wishing(order: Sequence[Entry], most: int) -> list[Entry]:
    wishing = [entry for entry in order if entry.stays_seated]
    if len(wishing) > most:
        raise InvalidSeating(
            ngettext(
                "%(count)s need a stationary place, but this movement has "
                "%(most)s. Choose another movement, or untick some.",
                "%(count)s need a stationary place, but this movement has "
                "%(most)s. Choose another movement, or untick some.",
                most,
            )
            % {"count": len(wishing), "most": most}
        )
    return wishing


def _assign_fairly(
    free_slots: Sequence[Slot],
    order: Sequence[Entry],
    movement: Movement,
    past: Mapping[int, LedgerRecord],
) -> dict[Slot, Entry]:
    """Assign stationary places and sit-outs to the entries with the fewest this season."""
    balance = compute_balance(movement)
    remaining_entries = list(order)
    assigned: dict[Slot, Entry] = {}

    def pop_entry(key: str) -> Entry:
        return min(
            remaining_entries,
            key=lambda entry: getattr(past.get(entry.number, LedgerRecord()), key),
        )

    idle = balance.sit_outs_by_place
    by_idle = sorted(free_slots, key=lambda slot: -sum(idle[place] for place in slot))
    sit_out_count = min((sum(idle[p] for p in slot) for slot in free_slots), default=0)
    for slot in by_idle:
        if sum(idle[place] for place in slot) > sit_out_count:
            assigned[slot] = pop_entry("sat_out")
            remaining_entries.remove(assigned[slot])
    for slot in free_slots:
        if slot not in assigned and set(slot) & set(balance.stationary):
            assigned[slot] = pop_entry("stationary")
            remaining_entries.remove(assigned[slot])
    return assigned | dict(
        zip([s for s in free_slots if s not in assigned], remaining_entries, strict=True)
    )


def _lock_planned(pk: int) -> Session:
    session = Session.objects.select_for_update().get(pk=pk)  # two requests may race
    if session.state != Session.State.PLANNED:
        raise NotNow(_("The session has started, so the seats can't change."))
    return session


def _build_undo(section: Section) -> Undo:
    """Return the undo action of a draw, which has the current places."""
    places = [list(row) for row in section.places.values_list("number", "entry")]
    arguments = {"session": section.session_id, "letter": section.letter, "places": places}
    return Undo((f"seats {section.session_id}",), "seats.places", arguments)


def _write_seating(section: Section, seating: Mapping[int, int | None]) -> None:
    for place in section.places.all():
        if seating.get(place.number) != place.entry_id:
            place.entry_id = seating.get(place.number)
            place.save(update_fields=["entry"])


def _record_seats(by: Actor, section: Section, how: Data, undo: Undo) -> None:
    act_place = {"section": section.letter}
    record_session_act(
        by, "seats.drawn", section.session, where=act_place, after=how, back=undo
    )
