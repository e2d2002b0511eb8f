"""Clubs, events and the names of players."""

from datetime import date as Date

from django.db import transaction
from django.db.models import F
from django.db.models.expressions import Combinable
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Back
from clubs.models import Club
from clubs.slugs import free_slug
from tournaments.errors import NotNow
from tournaments.models import Event, Session

_IN_LISTS = ("event in lists",)


@transaction.atomic
def create_event(
    *,
    club: Club,
    name: str,
    date: Date,
    contest: str = Event.Contest.PAIRS,
    method: str = Event.Method.PLUS_MINUS,
    standings_shown: str = Event.Shown.ALWAYS,
    paper_size: str = Event.PaperSize.A4,
    form_key: str | None = None,
    by: Actor,
) -> Event:
    """Make an event with its first session; the same form sent twice makes one event."""
    if form_key and (made := Event.objects.filter(club=club, form_key=form_key).first()):
        return made
    event = Event(
        club=club,
        slug=free_slug(f"{slugify(name)[:60] or 'event'}-{date.isoformat()}", Event),
        name=name,
        date=date,
        contest=contest,
        method=method,
        standings_shown=standings_shown,
        paper_size=paper_size,
        form_key=form_key,
    )
    event.full_clean()
    event.save()
    Session.objects.create(event=event, number=1)
    audit.record(
        by,
        "event.created",
        subject=event,
        where={"name": name},
        after={"date": date.isoformat()},
        back=Back(_IN_LISTS, "event.put_away", waits_for=("play",)),
    )
    return event


@transaction.atomic
def edit_event(
    *,
    event: Event,
    name: str,
    date: Date,
    method: str,
    standings_shown: str,
    paper_size: str,
    by: Actor,
) -> Event:
    """Change an event's name, date, scoring or what is shown; its address stays."""
    event = Event.objects.select_for_update().get(pk=event.pk)
    wanted = {
        "name": name,
        "date": date,
        "method": method,
        "standings_shown": standings_shown,
        "paper_size": paper_size,
    }
    before = {field: getattr(event, field) for field in wanted}
    if before == wanted:
        return event
    for field, value in wanted.items():
        setattr(event, field, value)
    event.full_clean()
    event.save()
    event.sessions.update(revision=_grown())
    changed = [field for field in wanted if before[field] != wanted[field]]
    was = {field: str(before[field]) for field in changed}
    audit.record(
        by,
        "event.changed",
        subject=event,
        where={"fields": changed},
        before=was,
        after={field: str(wanted[field]) for field in changed},
        back=Back(tuple(f"event {field}" for field in changed), "event.edit", was),
    )
    return event


@transaction.atomic
def put_away_event(*, event: Event, by: Actor) -> Event:
    """Take an event out of every list; it keeps its address and all that belongs to it.

    Raises NotNow while a session is in play: its players look for it in the list.
    """
    event = Event.objects.select_for_update().get(pk=event.pk)
    if event.put_away_at is not None:
        return event
    if event.sessions.filter(state=Session.State.OPEN).exists():
        raise NotNow(
            _("%(event)s is in play. Close the session first, then put the event away.")
            % {"event": event.name}
        )
    event.put_away_at = timezone.now()
    event.save(update_fields=["put_away_at"])
    audit.record(
        by,
        "event.put_away",
        subject=event,
        back=Back(_IN_LISTS, "event.bring_back"),
    )
    return event


@transaction.atomic
def bring_back_event(*, event: Event, by: Actor) -> Event:
    """Show an event in the lists again."""
    event = Event.objects.select_for_update().get(pk=event.pk)
    if event.put_away_at is None:
        return event
    event.put_away_at = None
    event.save(update_fields=["put_away_at"])
    audit.record(
        by,
        "event.brought_back",
        subject=event,
        back=Back(_IN_LISTS, "event.put_away"),
    )
    return event


@transaction.atomic
def show_standings(*, event: Event, shown: str, by: Actor) -> Event:
    """Decide when players see the standings: always, after the session, never."""
    # Another screen may have decided meanwhile; what it said is told as what stood before.
    event = Event.objects.select_for_update().get(pk=event.pk)
    before, event.standings_shown = event.standings_shown, shown
    event.full_clean()
    if before != shown:
        event.save(update_fields=["standings_shown"])
        audit.record(
            by,
            "standings.shown",
            subject=event,
            before={"standings_shown": before},
            after={"standings_shown": shown},
            back=Back(("event standings_shown",), "event.show", {"shown": before}),
        )
    return event


def _grown() -> Combinable:
    return F("revision") + 1
