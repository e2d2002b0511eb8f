"""Services that remove an entry before play, and restore it unchanged."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from tournaments.entry_words import get_entry_texts
from tournaments.errors import ActionUnavailable
from tournaments.models import Entry, Event, Session
from tournaments.services.entries import (
    create_memberships,
    find_existing_entry,
    find_or_create_players,
    format_entry_name,
    get_entry_undo_subjects,
    list_members,
)


@transaction.atomic
def remove_entry(*, entry: Entry, by: Actor) -> None:
    """Remove an entry during the setup of the event, and renumber the later entries.

    Raises ActionUnavailable if the entry is seated or has a penalty. A penalty is a ruling, and
    rulings are never deleted.
    """
    event = Event.objects.select_for_update(of=("self",)).get(pk=entry.event_id)
    _check_all_sessions_planned(event)
    if entry.places.exists():
        raise ActionUnavailable(get_entry_texts(event).seated_text)
    entry_number, entry_name = entry.number, entry.name
    undo = Undo(
        get_entry_undo_subjects(entry), "entry.put_back", describe_entry(entry), ("play",)
    )
    try:
        entry.delete()
    except ProtectedError as error:
        raise ActionUnavailable(
            _("%(who)s has a penalty in the history and can’t be removed.")
            % {"who": entry_name}
        ) from error
    for later_entry in event.entries.filter(number__gt=entry_number).order_by("number"):
        later_entry.number -= 1
        later_entry.save(update_fields=["number"])
    audit.record(
        by,
        "entry.removed",
        subject=event,
        where={"entry": entry_number},
        before={"name": entry_name},
        undo=undo,
    )


@transaction.atomic
def restore_entry(
    *,
    event: Event,
    number: int,
    names: Sequence[str],
    name: str = "",
    stays_seated: bool = False,
    pk: int | None = None,
    by: Actor,
) -> Entry:
    """Undo the removal of an entry, which gets its number again; idempotent.

    Later numbers increase. `pk` is the entry's earlier primary key, to which older acts in the
    history refer. Raises InvalidEntry if one of the entry's players is in another entry now.
    """
    event = Event.objects.select_for_update(of=("self",)).get(pk=event.pk)
    if (existing_entry := find_existing_entry(event, names)) is not None:
        return existing_entry
    _check_all_sessions_planned(event)
    number = min(number, event.entries.count() + 1)
    for later_entry in event.entries.filter(number__gte=number).order_by("-number"):
        later_entry.number += 1
        later_entry.save(update_fields=["number"])
    entry, new_player_ids = recreate_entry(
        event=event, number=number, names=names, name=name, stays_seated=stays_seated, pk=pk
    )
    audit.record(
        by,
        "entry.put_back",
        subject=event,
        where={"entry": number},
        after={"name": entry.name},
        undo=Undo(
            get_entry_undo_subjects(entry),
            "entry.remove",
            {"entry": entry.pk, "new": new_player_ids},
            waits_for=("play",),
        ),
    )
    return entry


def recreate_entry(
    *,
    event: Event,
    number: int,
    names: Sequence[str],
    name: str = "",
    stays_seated: bool = False,
    pk: int | None = None,
) -> tuple[Entry, list[int]]:
    """Create a removed entry again; return the entry and the keys of new players."""
    players, new_player_ids = find_or_create_players(event.club, names)
    entry = Entry(
        pk=pk,
        event=event,
        number=number,
        name=name or format_entry_name(players),
        stays_seated=stays_seated,
    )
    entry.full_clean()
    entry.save()
    create_memberships(entry, players)
    return entry, new_player_ids


def describe_entry(entry: Entry) -> dict[str, Any]:
    """Return the data with which `restore_entry` can restore the entry."""
    return {
        "number": entry.number,
        "names": [player.name for player in list_members(entry)],
        "name": entry.name,
        "stays_seated": entry.stays_seated,
        "pk": entry.pk,
    }


def _check_all_sessions_planned(event: Event) -> None:
    if event.sessions.exclude(state=Session.State.PLANNED).exists():
        raise ActionUnavailable(get_entry_texts(event).started_text)
    if event.numbers_stand:
        raise ActionUnavailable(
            _(
                "The bracket or the finals use these numbers. Undo the bracket or the finals "
                "first."
            )
        )
