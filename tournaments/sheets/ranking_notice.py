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
    together = {entry for entry, (_section, side) in fields.items() if not side}
    reason = _find_reason(
        [row for row in earlier if row.entry in together],
        [row for row in rows if row.session == session.number and row.entry in together],
    )
    sections = {section for section, _side in fields.values()}
    mixed = {fields[entry][0] for entry in together}
    if not reason or mixed == sections:
        return reason
    words = _("Section %(sections)s: %(reason)s")
    return words % {"sections": ", ".join(sorted(mixed)), "reason": reason}


def _find_reason(earlier: Iterable[EntrySeat], here: Collection[EntrySeat]) -> str:
    before: dict[int, set[str]] = defaultdict(set)
    for row in earlier:
        before[row.entry].add(row.side)
    had = set().union(*before.values()) if before else set()
    has = {row.side for row in here}
    if not had or not has or (had | has) == {""}:
        return ""
    if "" in has:
        return _("N-S and E-W are ranked together. This movement has one winner.")
    changed = {row.entry for row in here if before[row.entry] == {_OTHER_SIDE[row.side]}}
    if "" in had or not changed:
        return _("N-S and E-W are ranked together, as in an earlier session.")
    if len(changed) > MAX_ENTRIES_NAMED:
        words = _("N-S and E-W are ranked together because %(count)s swap sides.")
        return words % {"count": len(changed)}
    names = [str(entry) for entry in Entry.objects.filter(pk__in=changed).order_by("number")]
    words = ngettext(
        "N-S and E-W are ranked together because %(names)s swaps sides.",
        "N-S and E-W are ranked together because %(names)s swap sides.",
        len(names),
    )
    return words % {"names": ", ".join(names)}


_OTHER_SIDE = {"NS": "EW", "EW": "NS"}
