"""The notice that N-S and E-W of an event are ranked together because of a session's seats."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Entry, Place, Session
from tournaments.ranking_fields import EntrySeat, map_entries_to_fields

MAX_ENTRIES_NAMED = 3
"""The maximum number of entries that the notice names; with more, it gives their number."""


def format_ranking_notice(session: Session) -> str:
    """Explain why a later session's seats cause one ranking of N-S and E-W; "" if they do not.

    It needs at most two queries, and none for the first session of an event.
    """
    if session.number == 1:
        return ""
    places = Place.objects.filter(
        section__session__event=session.event_id,
        section__session__number__lte=session.number,
        entry__isnull=False,
    ).order_by("section__session__number", "section__letter", "number")
    columns = ("entry", "section__session__number", "section__letter", "field")
    rows = [EntrySeat(*row) for row in places.values_list(*columns)]
    earlier = [row for row in rows if row.session < session.number]
    fields = map_entries_to_fields(rows)
    jointly_ranked = {entry for entry, (_section, side) in fields.items() if not side}
    reason = _find_reason(
        [row for row in earlier if row.entry in jointly_ranked],
        [row for row in rows if row.session == session.number and row.entry in jointly_ranked],
    )
    sections = {section for section, _side in fields.values()}
    mixed = {fields[entry][0] for entry in jointly_ranked}
    if not reason or mixed == sections:
        return reason
    message = _("Section %(sections)s: %(reason)s")
    return message % {"sections": ", ".join(sorted(mixed)), "reason": reason}


def _find_reason(earlier: Iterable[EntrySeat], session_seats: Collection[EntrySeat]) -> str:
    earlier_sides: dict[int, set[str]] = defaultdict(set)
    for row in earlier:
        earlier_sides[row.entry].add(row.side)
    earlier_opponents = set().union(*earlier_sides.values()) if earlier_sides else set()
    has = {row.side for row in session_seats}
    if not earlier_opponents or not has or (earlier_opponents | has) == {""}:
        return ""
    if "" in has:
        return _("N-S and E-W are ranked together. This movement has one winner.")
    changed_entries = {
        row.entry
        for row in session_seats
        if earlier_sides[row.entry] == {_OTHER_SIDE[row.side]}
    }
    if "" in earlier_opponents or not changed_entries:
        return _("N-S and E-W are ranked together, as in an earlier session.")
    if len(changed_entries) > MAX_ENTRIES_NAMED:
        message = _("N-S and E-W are ranked together because %(count)s swap sides.")
        return message % {"count": len(changed_entries)}
    names = [
        str(entry) for entry in Entry.objects.filter(pk__in=changed_entries).order_by("number")
    ]
    message = ngettext(
        "N-S and E-W are ranked together because %(names)s swaps sides.",
        "N-S and E-W are ranked together because %(names)s swap sides.",
        len(names),
    )
    return message % {"names": ", ".join(names)}


_OTHER_SIDE = {"NS": "EW", "EW": "NS"}
