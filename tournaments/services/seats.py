"""The assignment of entries to places: by list, at random, fairly, or manually."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import audit
from clubs.audit import Actor, AuditData, Undo
from tournaments.errors import ActionUnavailable, InvalidSeating
from tournaments.ledger import SeatingCounts, load_seating_counts
from tournaments.models import Entry, Section, Session
from tournaments.models.seating import has_several_sections
from tournaments.movements import Contest, Movement, compute_balance
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.ranking_fields import load_earlier_sides
from tournaments.seating_snapshot import load_movement
from tournaments.session_acts import record_session_act

LIST_ORDER_METHOD, RANDOM_DRAW_METHOD, FAIR_DRAW_METHOD = "list", "random", "fair"
MANUAL_METHOD, RESTORE_METHOD = "hand", "before"
Slot = tuple[int, ...]  # the places that one entry takes: two for a team


def arrange_entries(
    movement: Movement,
    entries: Sequence[Entry],
    *,
    method: str = LIST_ORDER_METHOD,
    seed: str = "",
    season_counts_by_entry_number: Mapping[int, SeatingCounts] | None = None,
    sides_by_entry: Mapping[int, str] | None = None,
) -> dict[int, Entry]:
    """Assign an entry to every occupied place of the movement.

    Entries that must be stationary get stationary places. `sides_by_entry` has the entries'
    sides in earlier sessions, by primary key. Entries keep this side if the movement has enough
    places. A fair draw uses `season_counts_by_entry_number`. The other stationary places go
    to entries that have had the fewest stationary places, and sit-outs to entries with the
    fewest sit-outs. Ties are drawn with `seed`. Raises InvalidSeating if the number of entries
    does not match or there are too few stationary places.
    """
    slots = list_slots(movement)
    if len(entries) != len(slots):
        raise InvalidSeating(
            _("%(movement)s has %(places)s places, but %(entries)s are entered.")
            % {"movement": movement.title, "places": len(slots), "entries": len(entries)}
        )
    shuffled_entries = list(entries)
    if method != LIST_ORDER_METHOD:
        random.Random(seed).shuffle(shuffled_entries)
    sides_by_entry = sides_by_entry or {}
    stationary_places = set(compute_balance(movement).stationary_places)
    stationary_slots = [slot for slot in slots if set(slot) & stationary_places]
    stationary_entries = _select_stationary_entries(shuffled_entries, len(stationary_slots))
    entry_by_slot: dict[Slot, Entry] = {}
    for side_slots, side_entries in _divide_by_side(
        movement, stationary_slots, stationary_entries, sides_by_entry
    ):
        entry_by_slot |= zip(side_slots, side_entries, strict=False)
    free_slots = [slot for slot in slots if slot not in entry_by_slot]
    remaining_entries = [
        entry for entry in shuffled_entries if entry not in entry_by_slot.values()
    ]
    for side_slots, side_entries in _divide_by_side(
        movement, free_slots, remaining_entries, sides_by_entry
    ):
        if method == FAIR_DRAW_METHOD:
            entry_by_slot |= _assign_slots_fairly(
                side_slots, side_entries, movement, season_counts_by_entry_number or {}
            )
        else:
            entry_by_slot |= zip(side_slots, side_entries, strict=True)
    return {place: entry for slot, entry in entry_by_slot.items() for place in slot}


def _divide_by_side(
    movement: Movement,
    slots: Sequence[Slot],
    sorted_entries: Sequence[Entry],
    sides_by_entry: Mapping[int, str],
) -> list[tuple[list[Slot], list[Entry]]]:
    """Divide slots and entries into N-S and E-W, by the entries' earlier sides.

    Entries without an earlier side, or with no place left on that side, fill the remaining
    places in order. There is only one part if no entry has a side, or if the movement has one
    winner.
    """
    slots_by_side: dict[str, list[Slot]] = {}
    for slot in slots:
        slots_by_side.setdefault(movement.get_ranked_field_name(slot[0]), []).append(slot)
    if not sides_by_entry or "" in slots_by_side:
        return [(list(slots), list(sorted_entries))]
    entries_by_side = {
        side: [entry for entry in sorted_entries if sides_by_entry.get(entry.pk) == side][
            : len(side_slots)
        ]
        for side, side_slots in slots_by_side.items()
    }
    seated_entry_pks = {entry.pk for entries in entries_by_side.values() for entry in entries}
    other_entries = iter(
        [entry for entry in sorted_entries if entry.pk not in seated_entry_pks]
    )
    for side, side_slots in slots_by_side.items():
        entries_by_side[side] += islice(
            other_entries, len(side_slots) - len(entries_by_side[side])
        )
        entries_by_side[side].sort(key=sorted_entries.index)
    return [(side_slots, entries_by_side[side]) for side, side_slots in slots_by_side.items()]


def list_slots(movement: Movement) -> list[Slot]:
    """Return the movement's slots: single places, or for teams the places of both pairs."""
    if movement.contest is not Contest.TEAMS:
        return [(place,) for place in movement.occupied_places]
    places_by_team: dict[int, list[int]] = defaultdict(list)
    for place in movement.occupied_places:
        places_by_team[movement.get_team_number(place)].append(place)
    return [tuple(places_by_team[team_number]) for team_number in sorted(places_by_team)]


@transaction.atomic
def draw_seats(*, section: Section, method: str, seed: str = "", by: Actor) -> Section:
    """Draw a section's seats again before play; the history stores the seed."""
    session = _lock_planned_session(section.session_id)
    _check_not_drawn(section)
    season_counts_by_entry_number = (
        load_seating_counts(session) if method == FAIR_DRAW_METHOD else None
    )
    entries = list_section_entries(section)
    sides_by_entry = load_earlier_sides(session)
    movement = load_movement(section)
    entries_by_place = arrange_entries(
        movement,
        entries,
        method=method,
        seed=seed,
        season_counts_by_entry_number=season_counts_by_entry_number,
        sides_by_entry=sides_by_entry,
    )
    undo = _build_undo(section)
    _write_seating(section, {place: entry.pk for place, entry in entries_by_place.items()})
    _record_seats(
        by,
        section,
        {"how": method} | ({"seed": seed} if method != LIST_ORDER_METHOD else {}),
        undo,
    )
    return section


@transaction.atomic
def assign_seats(
    *, section: Section, entries_by_place: Mapping[int, Entry], by: Actor
) -> Section:
    """Set all seats of a section manually, with an entry for each occupied place.

    Raises InvalidSeating with the name of an entry that has two places or none.
    """
    _lock_planned_session(section.session_id)
    _check_not_drawn(section)
    slots = list_slots(load_movement(section))
    entries_by_slot = {slot: entries_by_place.get(slot[0]) for slot in slots}
    assigned_entries = [entry for entry in entries_by_slot.values() if entry is not None]
    repeated_entry = next(
        (
            assigned_entry
            for assigned_entry in assigned_entries
            if assigned_entries.count(assigned_entry) > 1
        ),
        None,
    )
    if repeated_entry is not None:
        raise InvalidSeating(
            _("%(pair)s has two places. Give one to someone else.")
            % {"pair": str(repeated_entry)}
        )
    if len(assigned_entries) < len(slots):
        raise InvalidSeating(_("A place is empty. Fill every place."))
    section_entries = set(list_section_entries(section))
    if (
        other_section_entry := next(
            (
                assigned_entry
                for assigned_entry in assigned_entries
                if assigned_entry not in section_entries
            ),
            None,
        )
    ) is not None:
        raise InvalidSeating(
            _("%(pair)s plays in another section.") % {"pair": str(other_section_entry)}
        )
    undo = _build_undo(section)
    _write_seating(
        section,
        {place: entry.pk for slot, entry in entries_by_slot.items() if entry for place in slot},
    )
    _record_seats(by, section, {"how": MANUAL_METHOD}, undo)
    return section


def _check_not_drawn(section: Section) -> None:
    if section.movement == DRAWN_MOVEMENT_NAME:
        raise ActionUnavailable(
            _("Seats are drawn with each round. Redraw round 1 on the draw page.")
        )


@transaction.atomic
def restore_places(
    *, section: Section, places: Sequence[Sequence[int | None]], by: Actor
) -> Section:
    """Undo a draw of seats; `places` has the number and the earlier entry of each place."""
    _lock_planned_session(section.session_id)
    undo = _build_undo(section)
    _write_seating(
        section,
        {
            place_number: entry_pk
            for place_number, entry_pk in places
            if place_number is not None
        },
    )
    _record_seats(by, section, {"how": RESTORE_METHOD}, undo)
    return section


def list_section_entries(section: Section) -> list[Entry]:
    """Return the entries seated in a section, or all entries if the session has one section."""
    event = section.session.event
    entries = Entry.objects.filter(event=event).select_related("event__club")
    if has_several_sections(section.session_id):
        entries = entries.filter(places__section=section).distinct()
    return list(entries.order_by("number"))


def list_entries_with_unmet_needs(section: Section) -> list[Entry]:
    """Return the entries that must be stationary but move.

    One stationary pair of a team is enough.
    """
    movement = load_movement(section)
    stationary_places = compute_balance(movement).stationary_places
    stationary_entry_by_place = {
        place.number: place.entry
        for place in section.places.filter(entry__stays_seated=True).select_related("entry")
        if place.entry is not None
    }
    moving_slots = [
        slot for slot in list_slots(movement) if not set(slot) & set(stationary_places)
    ]
    return [
        stationary_entry_by_place[slot[0]]
        for slot in moving_slots
        if slot[0] in stationary_entry_by_place
    ]


@transaction.atomic
def set_stationary_wishes(
    *, entries: Sequence[Entry], stationary_numbers: Sequence[int], by: Actor
) -> None:
    """Set which of the given entries must be stationary, by entry number."""
    for entry in entries:
        must_be_stationary = entry.number in stationary_numbers
        if entry.stays_seated != must_be_stationary:
            Entry.objects.filter(pk=entry.pk).update(stays_seated=must_be_stationary)
            audit.record(
                by,
                "wish.changed",
                subject=entry.event,
                where={"entry": entry.number, "name": entry.name},
                after={"stays": must_be_stationary},
                undo=Undo(
                    (f"wish {entry.pk}",),
                    "wish",
                    {"entry": entry.pk, "stays": not must_be_stationary},
                ),
            )


def _select_stationary_entries(entries: Sequence[Entry], slot_count: int) -> list[Entry]:
    stationary_entries = [entry for entry in entries if entry.stays_seated]
    if len(stationary_entries) > slot_count:
        raise InvalidSeating(
            ngettext(
                "%(count)s need a stationary place, but this movement has "
                "%(most)s. Choose another movement, or untick some.",
                "%(count)s need a stationary place, but this movement has "
                "%(most)s. Choose another movement, or untick some.",
                slot_count,
            )
            % {"count": len(stationary_entries), "most": slot_count}
        )
    return stationary_entries


def _assign_slots_fairly(
    free_slots: Sequence[Slot],
    shuffled_entries: Sequence[Entry],
    movement: Movement,
    season_counts_by_entry_number: Mapping[int, SeatingCounts],
) -> dict[Slot, Entry]:
    """Give stationary places to entries that had the fewest this season; likewise sit-outs."""
    balance = compute_balance(movement)
    remaining_entries = list(shuffled_entries)
    entry_by_slot: dict[Slot, Entry] = {}

    def find_entry_with_fewest(counter_name: str) -> Entry:
        return min(
            remaining_entries,
            key=lambda entry: getattr(
                season_counts_by_entry_number.get(entry.number, SeatingCounts()), counter_name
            ),
        )

    sit_outs_by_place = balance.sit_outs_by_place
    sorted_slots = sorted(
        free_slots, key=lambda slot: -sum(sit_outs_by_place[place] for place in slot)
    )
    sit_out_count = min(
        (sum(sit_outs_by_place[place] for place in slot) for slot in free_slots), default=0
    )
    for slot in sorted_slots:
        if sum(sit_outs_by_place[place] for place in slot) > sit_out_count:
            entry_by_slot[slot] = find_entry_with_fewest("sat_out_round_count")
            remaining_entries.remove(entry_by_slot[slot])
    for slot in free_slots:
        if slot not in entry_by_slot and set(slot) & set(balance.stationary_places):
            entry_by_slot[slot] = find_entry_with_fewest("stationary_evening_count")
            remaining_entries.remove(entry_by_slot[slot])
    return entry_by_slot | dict(
        zip(
            [slot for slot in free_slots if slot not in entry_by_slot],
            remaining_entries,
            strict=True,
        )
    )


def _lock_planned_session(pk: int) -> Session:
    session = Session.objects.select_for_update().get(
        pk=pk
    )  # two requests may change seats at once
    if session.state != Session.State.PLANNED:
        raise ActionUnavailable(_("The session has started, so the seats can’t change."))
    return session


def _build_undo(section: Section) -> Undo:
    """Return the undo action that restores the current seats of a section."""
    place_rows = [list(row) for row in section.places.values_list("number", "entry")]
    arguments = {"session": section.session_id, "letter": section.letter, "places": place_rows}
    return Undo((f"seats {section.session_id}",), "seats.places", arguments)


def _write_seating(section: Section, entry_pks_by_place: Mapping[int, int | None]) -> None:
    for place in section.places.all():
        if entry_pks_by_place.get(place.number) != place.entry_id:
            place.entry_id = entry_pks_by_place.get(place.number)
            place.save(update_fields=["entry"])


def _record_seats(by: Actor, section: Section, seating_details: AuditData, undo: Undo) -> None:
    act_location = {"section": section.letter}
    record_session_act(
        by,
        "seats.drawn",
        section.session,
        location_data=act_location,
        new_values=seating_details,
        undo=undo,
    )
