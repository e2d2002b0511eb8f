"""What stands in the history and can be taken back, each in one step."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.urls import reverse

from scoring.models import Ruling
from tournaments.models import AuditEntry, Event, SeatingChange

MOMENT = timedelta(seconds=5)  # between an act and the line that tells of it


@dataclass(frozen=True, slots=True)
class WayBack:
    """A form that takes one change back: its address, and what it sends."""

    url: str
    fields: tuple[tuple[str, str], ...] = ()


def version_way_back(event: Event, version: int, last: int) -> WayBack:
    """Put back what stood before a version; `last` is the newest that the page has seen."""
    fields = (("version", str(version)), ("last", str(last)))
    return WayBack(reverse("result_undo", args=[event.address]), fields)


def ways_back(event: Event, acts: Iterable[AuditEntry]) -> dict[int, WayBack]:
    """Say for each act, by its key, how it is taken back; nothing for what cannot be."""
    acts = list(acts)
    return {
        **_rulings(event, [act for act in acts if act.action == "ruling.made"]),
        **_seating(event, [act for act in acts if act.action == "seating.changed"]),
        **_shown(event, [act for act in acts if act.action == "standings.shown"]),
    }


def _rulings(event: Event, acts: list[AuditEntry]) -> dict[int, WayBack]:
    url = reverse("ruling_withdraw", args=[event.address])
    standing = Ruling.objects.standing().filter(session__event=event)
    rulings = sorted(standing.values_list("made_at", "pk"))
    found = {}
    for act in sorted(acts, key=lambda act: act.at):
        for place, (made_at, pk) in enumerate(rulings):
            if timedelta() <= act.at - made_at < MOMENT:
                found[act.pk] = WayBack(url, (("ruling", str(pk)),))
                del rulings[place]
                break
    return found


def _seating(event: Event, acts: list[AuditEntry]) -> dict[int, WayBack]:
    """The last change of each session that stands, beside the line that tells of it."""
    found = {}
    for session in event.sessions.all():
        change = SeatingChange.objects.filter(session=session, undone_at=None).first()
        told = [act for act in acts if change and timedelta() <= act.at - change.at < MOMENT]
        if change and told:
            url = reverse("change_undo", args=[event.address, change.pk])
            found[told[0].pk] = WayBack(url)
    return found


def _shown(event: Event, acts: list[AuditEntry]) -> dict[int, WayBack]:
    newest = max(acts, key=lambda act: act.pk, default=None)
    if newest is None or newest.after != event.standings_shown or not newest.before:
        return {}
    url = reverse("standings_shown", args=[event.address])
    return {newest.pk: WayBack(url, (("value", newest.before),))}
