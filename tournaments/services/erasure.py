"""Permanent deletion of a person's personal data; other people's results remain unchanged."""

from itertools import count
from uuid import uuid4

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from clubs import audit
from clubs.archives.spec import ArchiveSpec
from clubs.audit import Actor, AuditSubject
from clubs.erasure.database_file import enable_secure_delete, vacuum_database
from clubs.erasure.name_replacement import NameReplacer
from clubs.erasure.rows import delete_paper_files, disable_undo, iter_acts_about, rewrite_texts
from clubs.models import BookedPerson, BookingLink, Club, Player, TwoPeople
from clubs.names.tidy import build_name_key
from clubs.today import get_club_date
from tournaments.errors import InvalidEntry
from tournaments.models import Entry, Session
from tournaments.services.players import list_entries_named_by_players, rename_entries

RENAMING_ACTIONS = ("player.renamed", "players.merged")
"""The audit actions whose acts contain a person's earlier names."""


@transaction.atomic
def erase_person(*, player: Player, typed_name: str, spec: ArchiveSpec, by: Actor) -> None:
    """Delete a person's personal data permanently.

    `typed_name` repeats the name as a confirmation. The name, number, contact details, consents
    and links are deleted, also in the history and in stored papers. `spec` declares which rows
    of the club are searched for these data. Everyone's places, scores and tricks remain. Raises
    InvalidEntry if `typed_name` is another name, or if the person is in a session in play.
    """
    Club.objects.select_for_update().get(pk=player.club_id)  # a double click sends two requests
    player = Player.objects.select_for_update().select_related("club").get(pk=player.pk)
    if player.forgotten_on is not None:
        return
    _check_can_erase_player(player, typed_name)
    enable_secure_delete()
    club, entries = player.club, list_entries_named_by_players(player)
    audit_subjects: list[AuditSubject] = [club, *_list_event_subjects(player)]
    replacer = _build_name_replacer(player)
    disable_undo(club, player)
    _delete_booking_links(player, replacer)
    _erase_details(player)
    rewrite_texts(club, spec, replacer)
    rename_entries(entries)
    delete_paper_files(club, spec)
    if not player.entries.exists():
        _delete_player(player)
    for audit_subject in audit_subjects:
        audit.record(by, "person.forgotten", subject=audit_subject)
    transaction.on_commit(vacuum_database, robust=True)


def _check_can_erase_player(player: Player, typed_name: str) -> None:
    if build_name_key(typed_name) != build_name_key(player.name):
        message = _("Nothing changed. Type the name exactly: %(name)s.")
        raise InvalidEntry(message % {"name": player.name})
    open_sessions = Session.objects.filter(
        event__entries__players=player, state=Session.State.OPEN
    ).select_related("event")
    if (session := open_sessions.first()) is not None:
        message = _("%(name)s is playing in %(event)s. Close the session first.")
        raise InvalidEntry(message % {"name": player.name, "event": session.event.name})


def _list_event_subjects(player: Player) -> list[AuditSubject]:
    entries = Entry.objects.filter(players=player).select_related("event__club")
    return list({entry.event_id: entry.event for entry in entries}.values())


def _build_name_replacer(player: Player) -> NameReplacer:
    """Return the replacer of the person's names, earlier names, e-mail address and phone."""
    unchanged_names = set(
        player.club.players.exclude(pk=player.pk).values_list("name", flat=True)
    )
    replaced_names = {player.name, *_list_earlier_names(player)} - unchanged_names
    placeholder_name = _build_placeholder_name(player)
    replacements_by_text = dict.fromkeys(replaced_names, placeholder_name) | dict.fromkeys(
        (player.email, player.phone), ""
    )
    return NameReplacer(replacements_by_text, unchanged_names)


def _list_earlier_names(player: Player) -> set[str]:
    earlier_names = set()
    for act in iter_acts_about(player.club, player):
        if act.action in RENAMING_ACTIONS:
            earlier_names |= {
                str(details["name"]) for details in (act.before, act.after) if "name" in details
            }
        for change in act.back.get("given", {}).get("changed", []):
            if isinstance(change, dict) and change.get("player") == player.pk:
                earlier_names.add(str(change.get("before", {}).get("name", "")))
    return earlier_names - {""}


def _build_placeholder_name(player: Player) -> str:
    placeholder_text = _("A player")
    return f"{placeholder_text} {player.pk}"


def _delete_booking_links(player: Player, replacer: NameReplacer) -> None:
    """Delete the person's booking links, including those of guests with the person's name."""
    player.booking_links.all().delete()
    guest_links = BookingLink.objects.filter(fixture__evening__club=player.club_id, player=None)
    link_pks = [
        link.pk
        for link in guest_links.exclude(name="")
        if replacer.replace_in_text(link.name) != link.name
    ]
    BookingLink.objects.filter(pk__in=link_pks).delete()
    _replace_guest_names(player.club_id, replacer)


def _replace_guest_names(club_pk: int, replacer: NameReplacer) -> None:
    """Replace the person's names in guest bookings; number the new names if two are equal.

    An evening may have bookings under the current and under an earlier name, but the names of
    an evening's guests must be unique.
    """
    used_names: set[tuple[int, str]] = set()
    guests = BookedPerson.objects.filter(fixture__evening__club=club_pk, player=None)
    for guest in guests.order_by("pk"):
        replacement_name = new_name = replacer.replace_in_text(guest.name)
        if replacement_name == guest.name:
            continue
        for suffix_number in count(2):
            if (guest.fixture_id, new_name) not in used_names:
                break
            new_name = f"{replacement_name} ({suffix_number})"
        used_names.add((guest.fixture_id, new_name))
        guest.name = new_name
        guest.save(update_fields=["name"])


def _erase_details(player: Player) -> None:
    player.consents.all().delete()
    player.links.all().delete()
    TwoPeople.objects.filter(one=player).delete()
    TwoPeople.objects.filter(other=player).delete()
    player.name, player.shown, player.uid = (
        _build_placeholder_name(player),
        Player.Shown.NO_NAME,
        uuid4(),
    )
    player.number = player.email = player.phone = ""
    player.joined = player.left = None
    player.forgotten_on = get_club_date(player.club)
    player.save()


def _delete_player(player: Player) -> None:
    """Delete the player's row, unless other rows need it."""
    try:
        with transaction.atomic():
            player.delete()
    except ProtectedError:
        pass
