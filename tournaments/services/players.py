"""Services for the players of a club: names, visibility, merging and removal."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import audit
from clubs.audit import Actor, AuditData, AuditSubject, Undo
from clubs.models import Club, Player
from clubs.name_folding import filter_by_name
from clubs.names.people import read_person_name
from clubs.names.tidy import clean_name
from clubs.names.unknown import is_unknown_partner
from clubs.services.people import check_not_erased, get_details, set_details
from tournaments.errors import InvalidEntry
from tournaments.models import Entry, EntryPlayer, Event
from tournaments.services.entries import format_entry_name, list_members, set_entry_name
from tournaments.services.player_references import (
    DETAILS_TO_COPY,
    move_references,
    restore_references,
)


@transaction.atomic
def set_player_visibility(*, player: Player, shown: str, by: Actor) -> Player:
    """Set whether a player's full name, only the initials, or no name is shown.

    The setting also applies to past evenings, both on pages and on papers printed later.
    """
    player = Player.objects.select_for_update().get(pk=player.pk)
    if player.shown == shown:
        return player
    check_not_erased(player)
    entries = list_entries_named_by_players(player)
    old_visibility, player.shown = player.shown, shown
    player.full_clean()
    player.save(update_fields=["shown"])
    rename_entries(entries)
    undo = Undo(
        _get_player_subject(player),
        "player.show",
        {"player": player.pk, "shown": old_visibility},
    )
    act_values: dict[str, AuditData] = {
        "old_values": {"shown": old_visibility},
        "new_values": {"shown": shown},
    }
    act_location = {"name": player.name}
    _record_act(
        by, "player.shown", player.club, entries, undo, location_data=act_location, **act_values
    )
    return player


@transaction.atomic
def rename_player(*, player: Player, name: str, by: Actor) -> Player:
    """Correct a player's name everywhere, including the names of entries.

    Teams with their own name are not renamed. Raises InvalidEntry if the name is in use.
    """
    name = clean_name(name)
    if not name:
        raise InvalidEntry(_("Enter the player’s name."))
    player = Player.objects.select_for_update().get(pk=player.pk)
    if player.name == name:
        return player
    check_not_erased(player)
    _check_name_available(player.club, name, excluded_pk=player.pk)
    entries = list_entries_named_by_players(player)
    old_name, player.name = player.name, name
    if is_unknown_partner(name):
        player.shown = Player.Shown.UNKNOWN
    elif player.shown == Player.Shown.UNKNOWN:
        player.shown = Player.Shown.NAME
    player.full_clean()
    player.save()
    rename_entries(entries)
    undo = Undo(
        _get_player_subject(player), "player.rename", {"player": player.pk, "name": old_name}
    )
    act_values: dict[str, AuditData] = {
        "old_values": {"name": old_name},
        "new_values": {"name": name},
    }
    _record_act(by, "player.renamed", player.club, entries, undo, **act_values)
    return player


@transaction.atomic
def add_player(*, club: Club, name: str, shown: str = Player.Shown.NAME, by: Actor) -> Player:
    """Add a player to the club; return an existing player of the same name unchanged."""
    # an existing player may be stored as "Alder, Ann"
    for spelling in (clean_name(name), read_person_name(name)):
        existing_player = filter_by_name(club.players.all(), spelling).first()
        if existing_player is not None:
            return existing_player
    name = read_person_name(name)
    player = Player(club=club, name=name, shown=shown)
    player.full_clean()
    player.save()
    _record_player_added(by, player)
    return player


@transaction.atomic
def restore_player(
    *,
    club: Club,
    pk: int,
    uid: str,
    name: str,
    shown: str,
    details: Mapping[str, str] | None = None,
    by: Actor,
) -> Player:
    """Undo the removal of a player, who gets the same primary key and uid again."""
    _check_name_available(club, name)
    player = Player(pk=pk, uid=uid, club=club, name=name, shown=shown)
    set_details(player, details or {})
    player.save(force_insert=True)
    _record_player_added(by, player)
    return player


def _check_name_available(club: Club, name: str, *, excluded_pk: int = 0) -> None:
    existing_player = filter_by_name(club.players.exclude(pk=excluded_pk), name).first()
    if existing_player is not None:
        message = _("The club already has a player called %(name)s.")
        raise InvalidEntry(message % {"name": existing_player.name})


def _record_player_added(by: Actor, player: Player) -> None:
    undo = Undo(_get_player_subject(player), "player.remove", {"player": player.pk})
    new_values = {"name": player.name}
    audit.record(by, "player.added", subject=player.club, after=new_values, undo=undo)


@transaction.atomic
def remove_player(*, player: Player, by: Actor) -> None:
    """Remove a player who was never in an entry from the club.

    Raises InvalidEntry for a player in any event, because results must keep their players.
    """
    player = Player.objects.select_for_update().get(
        pk=player.pk
    )  # two requests may remove the player
    event_count = player.entries.count()
    if event_count:
        message = ngettext(
            "%(name)s is in %(count)s event and can’t be removed. If it’s a second "
            "spelling, merge the two players.",
            "%(name)s is in %(count)s events and can’t be removed. If it’s a second "
            "spelling, merge the two players.",
            event_count,
        )
        raise InvalidEntry(message % {"name": player.name, "count": event_count})
    undo_arguments = {
        "pk": player.pk,
        "uid": str(player.uid),
        "name": player.name,
        "shown": player.shown,
        "details": get_details(player),
    }
    undo = Undo(_get_player_subject(player), "player.put_back", undo_arguments)
    old_values = {"name": player.name}
    audit.record(by, "player.removed", subject=player.club, before=old_values, undo=undo)
    try:
        player.delete()
    except ProtectedError:
        message = _(
            "%(name)s is in imported results, bookings or table money and can’t be removed."
        )
        raise InvalidEntry(message % {"name": player.name}) from None


@transaction.atomic
def merge_players(*, removed_player: Player, kept_player: Player, by: Actor) -> Player:
    """Move all entries and other rows of `removed_player` to `kept_player`.

    The stricter visibility of the two applies. Raises InvalidEntry if both play in one event,
    because they must then be two people.
    """
    if removed_player.club_id != kept_player.club_id or removed_player.pk == kept_player.pk:
        raise InvalidEntry(_("Choose another player from the same club."))
    for player in (removed_player, kept_player):
        check_not_erased(player)
    list(
        Player.objects.select_for_update()
        .filter(pk__in=[removed_player.pk, kept_player.pk])
        .order_by("pk")
    )
    common_event = (
        Event.objects.filter(entries__players=removed_player)
        .filter(entries__players=kept_player)
        .first()
    )
    if common_event is not None:
        raise InvalidEntry(
            _("Can’t merge: %(gone)s and %(kept)s both play in %(event)s.")
            % {
                "gone": removed_player.name,
                "kept": kept_player.name,
                "event": common_event.name,
            }
        )
    error_message = _("Can’t merge: %(gone)s and %(kept)s both play on the same evening.")
    undo_data = move_references(
        removed_player,
        kept_player,
        error_message % {"gone": removed_player.name, "kept": kept_player.name},
    )
    entries = list_entries_named_by_players(removed_player)
    changed_entries = list(removed_player.entries.select_related("event__club"))
    moved_memberships = EntryPlayer.objects.filter(player=removed_player)
    undo_arguments = {
        "kept": kept_player.pk,
        "gone": removed_player.pk,
        "uid": str(removed_player.uid),
        "name": removed_player.name,
        "shown": removed_player.shown,
        "memberships": list(moved_memberships.values_list("pk", flat=True)),
        "filled": {},
        **undo_data,
    }
    moved_memberships.update(player=kept_player)
    club, act_values = (
        removed_player.club,
        {"old_values": {"name": removed_player.name}, "new_values": {"name": kept_player.name}},
    )
    subjects = (*_get_player_subject(kept_player), *_get_player_subject(removed_player))
    removed_player.delete()
    undo_arguments["filled"] = _fill_details(kept_player, undo_data["details"])
    if stricter_visibility := _find_stricter_visibility(removed_player, kept_player):
        entries_without_own_name = list_entries_named_by_players(kept_player)
        undo_arguments["filled"]["shown"], kept_player.shown = (
            kept_player.shown,
            stricter_visibility,
        )
        kept_player.save(update_fields=["shown"])
        entries, changed_entries = (
            entries_without_own_name,
            list(kept_player.entries.select_related("event__club")),
        )
    rename_entries(entries)
    _record_act(
        by,
        "players.merged",
        club,
        changed_entries,
        Undo(subjects, "player.part", undo_arguments),
        **act_values,
    )
    return kept_player


def _find_stricter_visibility(removed_player: Player, kept_player: Player) -> str:
    """Return the visibility of `removed_player` if that of `kept_player` is less strict, or "".

    The defaults for visitors and for unknown partners do not count, because no one chose them.
    """
    if Player.Shown.UNKNOWN in (removed_player.shown, kept_player.shown):
        return ""
    visibilities = list(Player.Shown)
    is_visitor_default = (
        removed_player.kind == Player.Kind.VISITOR
        and removed_player.shown == Player.Shown.INITIALS
    )
    is_stricter = visibilities.index(Player.Shown(removed_player.shown)) > visibilities.index(
        Player.Shown(kept_player.shown)
    )
    return removed_player.shown if is_stricter and not is_visitor_default else ""


def _fill_details(kept_player: Player, details: AuditData) -> dict[str, str]:
    """Copy the details that `kept_player` lacks; return the earlier values for undo."""
    filled_fields = [
        detail_name
        for detail_name in DETAILS_TO_COPY
        if details[detail_name] and not getattr(kept_player, detail_name)
    ]
    set_details(
        kept_player, {detail_name: details[detail_name] for detail_name in filled_fields}
    )
    if filled_fields:
        kept_player.save(update_fields=filled_fields)
    return dict.fromkeys(filled_fields, "")


@transaction.atomic
def undo_merge(
    *,
    kept: Player,
    gone: int,
    uid: str,
    name: str,
    shown: str,
    memberships: Sequence[int],
    moved: Mapping[str, Sequence[int]] | None = None,
    lost: Sequence[Mapping[str, Any]] = (),
    details: Mapping[str, str] | None = None,
    filled: Mapping[str, str] | None = None,
    by: Actor,
) -> Player:
    """Undo a merge: create the merged player again, with the player's entries.

    `gone` and `uid` are the earlier keys of this player. `memberships` has the keys of the rows
    that link the player to entries. `moved` and `lost` are the references that the merge moved
    or deleted. `filled` has the earlier values of details that the merge filled in. Raises
    InvalidEntry if the name is in use again.
    """
    kept = Player.objects.select_for_update().get(pk=kept.pk)
    if kept.club.players.filter(name=name).exists():
        raise InvalidEntry(_("The club already has a player called %(name)s.") % {"name": name})
    moved_memberships = EntryPlayer.objects.filter(pk__in=memberships, player=kept)
    changed_entries = list(
        Entry.objects.filter(memberships__in=moved_memberships).select_related("event__club")
    )
    entries = [
        entry
        for entry in changed_entries
        if entry.name == format_entry_name(list_members(entry))
    ]
    if "shown" in (filled or {}):
        entries = list_entries_named_by_players(kept)
        changed_entries = list(kept.entries.select_related("event__club"))
    set_details(kept, filled or {})
    kept.save()
    player = Player(pk=gone, uid=uid, club=kept.club, name=name, shown=shown)
    set_details(player, details or {})
    player.save(force_insert=True)
    moved_memberships.update(player=player)
    restore_references(player, moved or {}, lost)
    rename_entries(entries)
    subjects = (*_get_player_subject(kept), *_get_player_subject(player))
    undo = Undo(subjects, "player.merge", {"gone": player.pk, "kept": kept.pk})
    act_values: dict[str, AuditData] = {
        "old_values": {"name": kept.name},
        "new_values": {"name": name},
    }
    _record_act(by, "players.parted", kept.club, changed_entries, undo, **act_values)
    return player


def _get_player_subject(player: Player) -> tuple[str]:
    return (f"player {player.pk}",)


def list_entries_named_by_players(player: Player) -> list[Entry]:
    """Return the entries of a player that have no name of their own."""
    player_entries = player.entries.select_related("event__club")
    entries = player_entries.prefetch_related("memberships__player")
    return [entry for entry in entries if entry.name == format_entry_name(list_members(entry))]


def rename_entries(entries: list[Entry]) -> None:
    """Set the names of entries to the current public names of their players."""
    for entry in entries:
        memberships = entry.memberships.select_related("player").all()
        set_entry_name(
            entry, format_entry_name([membership.player for membership in memberships])
        )


def _record_act(
    by: Actor,
    action: str,
    club: Club,
    entries: list[Entry],
    undo: Undo,
    *,
    old_values: AuditData,
    new_values: AuditData,
    location_data: AuditData | None = None,
) -> None:
    """Record one act in the history of the club, and in those of the events concerned."""
    audit_subjects: list[AuditSubject] = [club, *{entry.event for entry in entries}]
    for audit_subject in audit_subjects:
        audit.record(
            by,
            action,
            subject=audit_subject,
            where=location_data,
            before=old_values,
            after=new_values,
            undo=undo,
        )
