"""Removing an entry, and restoring it as it was."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Back
from tournaments.entry_words import words_of
from tournaments.errors import NotNow
from tournaments.models import Entry, Event, Session
from tournaments.services.entries import (
    about,
    members,
    name_of,
    players_of,
    put_players,
    standing_entry,
)


@transaction.atomic
def remove_entry(*, entry: Entry, by: Actor) -> None:
    """Remove an entry during the setup of the event, and renumber the others.

    Raises NotNow once it is seated, and if it has a penalty: that one stays, withdrawn or not,
    for a ruling is never deleted.
    """
    event = Event.objects.select_for_update(of=("self",)).get(pk=entry.event_id)
    _still_planned(event)
    if entry.places.exists():
        raise NotNow(words_of(event).seated)
    number, name = entry.number, entry.name
    back = Back(about(entry), "entry.put_back", as_it_was(entry), ("play",))
    try:
        entry.delete()
    except ProtectedError as error:
        raise NotNow(
            _("%(who)s has a penalty in the history, so this entry stays.") % {"who": name}
        ) from error
    for later in event.entries.filter(number__gt=number).order_by("number"):
        later.number -= 1
        later.save(update_fields=["number"])
    audit.record(
        by,
        "entry.removed",
        subject=event,
        where={"entry": number},
        before={"name": name},
        back=back,
    )


@transaction.atomic
def put_back_entry(
    *,
    event: Event,
    number: int,
    names: Sequence[str],
    name: str = "",
    stays_seated: bool = False,
    pk: int | None = None,
    by: Actor,
) -> Entry:
    """Undo a removal: the entry has its number again, and those after it move up as before.

    `pk` is its earlier key, to which older acts in the history refer. Idempotent. Raises
    EntryRefused when a player plays elsewhere by now.
    """
    event = Event.objects.select_for_update(of=("self",)).get(pk=event.pk)
    if (standing := standing_entry(event, names)) is not None:
        return standing
    _still_planned(event)
    number = min(number, event.entries.count() + 1)
    for later in event.entries.filter(number__gte=number).order_by("-number"):
        later.number += 1
        later.save(update_fields=["number"])
    entry, new = made_again(
        event=event, number=number, names=names, name=name, stays_seated=stays_seated, pk=pk
    )
    audit.record(
        by,
        "entry.put_back",
        subject=event,
        where={"entry": number},
        after={"name": entry.name},
        back=Back(
            about(entry),
            "entry.remove",
            {"entry": entry.pk, "new": new},
            waits_for=("play",),
        ),
    )
    return entry


def made_again(
    *,
    event: Event,
    number: int,
    names: Sequence[str],
    name: str = "",
    stays_seated: bool = False,
    pk: int | None = None,
) -> tuple[Entry, list[int]]:
    """Write an entry as it was, with those of its players who are new to the club."""
    players, new = players_of(event.club, names)
    entry = Entry(
        pk=pk,
        event=event,
        number=number,
        name=name or name_of(players),
        stays_seated=stays_seated,
    )
    entry.full_clean()
    entry.save()
    put_players(entry, players)
    return entry, new


def as_it_was(entry: Entry) -> dict[str, Any]:
    """Return the data needed to restore an entry."""
    return {
        "number": entry.number,
        "names": [player.name for player in members(entry)],
        "name": entry.name,
        "stays_seated": entry.stays_seated,
        "pk": entry.pk,
    }


def _still_planned(event: Event) -> None:
    if event.sessions.exclude(state=Session.State.PLANNED).exists():
        raise NotNow(words_of(event).stand)
    if event.numbers_stand:
        raise NotNow(
            _(
                "The bracket, or the drawing of the finals, goes by the numbers as they stand. "
                "Take that back first."
            )
        )
