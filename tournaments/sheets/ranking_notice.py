"""The notice that N-S and E-W of an event are ranked together because of a session's seats."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Entry, Place, Session
from tournaments.ranking_fields import EntrySeat, map_entries_to_ranking_fields

MAX_NAMED_ENTRIES = 3
"""The maximum number of entries that the notice names; more entries are only counted."""


def format_ranking_notice(session: Session) -> str:
    """Explain why a later session's seats cause one ranking of N-S and E-W; "" if they do not.

    The function needs at most two queries, and none for the first session of an event.
    """
    if session.number == 1:
        return ""
    places = Place.objects.filter(
        section__session__event=session.event_id,
        section__session__number__lte=session.number,
        entry__isnull=False,
    ).order_by("section__session__number", "section__letter", "number")
    columns = ("entry", "section__session__number", "section__letter", "field")
    entry_seats = [EntrySeat(*seat_values) for seat_values in places.values_list(*columns)]
    earlier_seats = [seat for seat in entry_seats if seat.session_number < session.number]
    ranking_field_by_entry = map_entries_to_ranking_fields(entry_seats)
    jointly_ranked_entry_pks = {
        entry_pk
        for entry_pk, (_section_letter, side) in ranking_field_by_entry.items()
        if not side
    }
    reason = _find_reason(
        [seat for seat in earlier_seats if seat.entry_pk in jointly_ranked_entry_pks],
        [
            seat
            for seat in entry_seats
            if seat.session_number == session.number
            and seat.entry_pk in jointly_ranked_entry_pks
        ],
    )
    section_letters = {
        section_letter for section_letter, _side in ranking_field_by_entry.values()
    }
    mixed_section_letters = {
        ranking_field_by_entry[entry_pk][0] for entry_pk in jointly_ranked_entry_pks
    }
    if not reason or mixed_section_letters == section_letters:
        return reason
    message = _("Section %(sections)s: %(reason)s")
    return message % {"sections": ", ".join(sorted(mixed_section_letters)), "reason": reason}


def _find_reason(
    earlier_seats: Iterable[EntrySeat], session_seats: Collection[EntrySeat]
) -> str:
    earlier_sides_by_entry: dict[int, set[str]] = defaultdict(set)
    for seat in earlier_seats:
        earlier_sides_by_entry[seat.entry_pk].add(seat.side)
    earlier_sides = (
        set().union(*earlier_sides_by_entry.values()) if earlier_sides_by_entry else set()
    )
    session_sides = {seat.side for seat in session_seats}
    if not earlier_sides or not session_sides or (earlier_sides | session_sides) == {""}:
        return ""
    if "" in session_sides:
        return _("N-S and E-W are ranked together. This movement has one winner.")
    changed_entry_pks = {
        seat.entry_pk
        for seat in session_seats
        if earlier_sides_by_entry[seat.entry_pk] == {_OPPOSITE_SIDES[seat.side]}
    }
    if "" in earlier_sides or not changed_entry_pks:
        return _("N-S and E-W are ranked together, as in an earlier session.")
    if len(changed_entry_pks) > MAX_NAMED_ENTRIES:
        message = _("N-S and E-W are ranked together because %(count)s swap sides.")
        return message % {"count": len(changed_entry_pks)}
    entry_names = [
        str(entry)
        for entry in Entry.objects.filter(pk__in=changed_entry_pks).order_by("number")
    ]
    message = ngettext(
        "N-S and E-W are ranked together because %(names)s swaps sides.",
        "N-S and E-W are ranked together because %(names)s swap sides.",
        len(entry_names),
    )
    return message % {"names": ", ".join(entry_names)}


_OPPOSITE_SIDES = {"NS": "EW", "EW": "NS"}
