"""Services that create, change, close and reopen a rubber night."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Date
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import (
    build_creation_undo,
    close_activity,
    increment_revision,
    lock_activity,
    reopen_activity,
)
from clubs.audit import Actor, Undo
from clubs.errors import ActionUnavailable
from clubs.evenings.event_days import format_event_day_error, is_valid_event_day
from clubs.models import CheckIn, Club, Evening, Player
from clubs.names.people import read_person_name
from clubs.names.tidy import build_name_key, clean_name
from clubs.services.people import load_players_by_name_key
from drives.models import Drive
from drives.prizes.lot import compute_commitment
from rubbers.errors import RubberRefused
from rubbers.models import Belonging, RubberHand, RubberNight, RubberPlayer, RubberTable
from rubbers.rubber.codes import find_law_code
from rubbers.rubber.cuts import MAX_TABLE_MEMBERS
from rubbers.rubber.dummy import MIN_PLAYERS
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.terms import change_terms
from rubbers.services.table_acts import check_has_no_drive
from rubbers.snapshot import load_night
from server.json_reader.problems import can_be_stored

RUBBER_TERMS_AUDIT_SUBJECT = "rubbers terms"
SECRET_BYTES = 32
MAX_TABLES = 100


@dataclass(frozen=True, kw_only=True)
class NewRubberPlayer:
    """A person to add as a player: a club's player, or a name.

    If a club's player has this name, the new player is linked to the club's player.
    """

    name: str = ""
    player: Player | None = None


@transaction.atomic
def create_rubber_night(
    *,
    club: Club,
    name: str,
    date: Date,
    code: str,
    players: Sequence[NewRubberPlayer],
    terms: Mapping[str, Any] | None = None,
    tables: int | None = None,
    paper_size: str = Drive.PaperSize.A4,
    secret: bytes | None = None,
    should_check_in_players: bool = False,
    form_key: str | None = None,
    by: Actor,
) -> RubberNight:
    """Create a night and distribute its players over the tables in the order of the list.

    If `should_check_in_players` is true, the check-in creates the tables later, and `players`
    are checked in without a seat. If `tables` is None, the night has as few tables as possible,
    with at most six members each. Two calls with the same `form_key`, the key of a submitted
    HTML form, create only one night. Raises RubberRefused with the reason, or ValidationError
    for an invalid field.
    """
    if existing_night := RubberNight.objects.find_by_form_key(club, form_key):
        return existing_night
    if not is_valid_event_day(date):
        raise RubberRefused(format_event_day_error())
    member_counts = [] if should_check_in_players else compute_table_sizes(len(players), tables)
    night = RubberNight(
        club=club,
        evening=Evening(club=club, date=date),
        slug=RubberNight.create_slug(name, date),
        name=name,
        code=code,
        terms=dict(terms or {}),
        paper_size=paper_size,
        form_key=form_key,
        secret=secrets.token_bytes(SECRET_BYTES) if secret is None else secret,
    )
    night.commitment = compute_commitment(bytes(night.secret or b""))
    _check_night_terms(night)
    night.evening.save()
    night.evening_id = night.evening.pk
    night.save()
    if should_check_in_players:
        _check_in_players(night, players)
    else:
        _create_members(night, players, member_counts)
    audit.record(
        by,
        "rubbers.created",
        subject=night,
        where={"name": name},
        after={"date": date.isoformat(), "code": code, "players": len(players)},
        undo=build_creation_undo(RubberNight),
    )
    return night


def _check_in_players(night: RubberNight, players: Sequence[NewRubberPlayer]) -> None:
    """Check people in without a seat."""
    max_length = CheckIn._meta.get_field("name").max_length or 0
    players_by_key = load_players_by_name_key(night.club)
    name_keys: set[str] = set()
    for new_player in players:
        name, club_player = _resolve_new_player(night, new_player, players_by_key)
        _check_player_name(name, (), max_length=max_length)
        if build_name_key(name) in name_keys:
            raise RubberRefused(_format_duplicate_name_error(name))
        name_keys.add(build_name_key(name))
        CheckIn.objects.create(
            evening=night.evening, player=club_player, name=name, at=timezone.now()
        )


def _create_members(
    night: RubberNight, players: Sequence[NewRubberPlayer], member_counts: Sequence[int]
) -> None:
    """Create the players, and make `member_counts[n]` of them members of table n + 1."""
    remaining_players = iter([create_player(night, new_player) for new_player in players])
    for table_number, member_count in enumerate(member_counts, start=1):
        table = RubberTable.objects.create(night=night, number=table_number)
        for player in islice(remaining_players, member_count):
            Belonging.objects.create(table=table, holder=player)


def compute_table_sizes(player_count: int, table_count: int | None = None) -> list[int]:
    """Return the number of members of each table; raise RubberRefused unless each has 2 to 6.

    Larger tables come first. By default, there are as few tables as possible.
    """
    if player_count < MIN_PLAYERS:
        raise RubberRefused(_("A table needs at least two players."))
    actual_table_count = table_count or -(-player_count // MAX_TABLE_MEMBERS)
    if not 1 <= actual_table_count <= MAX_TABLES:
        message = _("Enter 1–%(most)s tables for a night.")
        raise RubberRefused(message % {"most": MAX_TABLES})
    players_per_table, larger_table_count = divmod(player_count, actual_table_count)
    if (
        players_per_table < MIN_PLAYERS
        or players_per_table + bool(larger_table_count) > MAX_TABLE_MEMBERS
    ):
        message = _("%(players)s players don’t fit %(tables)s tables. Seat two to six at each.")
        raise RubberRefused(message % {"players": player_count, "tables": actual_table_count})
    return [players_per_table + 1] * larger_table_count + [players_per_table] * (
        actual_table_count - larger_table_count
    )


def create_player(night: RubberNight, new_player: NewRubberPlayer) -> RubberPlayer:
    """Create a player with the next free number; raise RubberRefused for an invalid name."""
    name, club_player = _resolve_new_player(
        night, new_player, load_players_by_name_key(night.club)
    )
    existing_players = list(night.players.select_related("player"))
    _check_player_name(name, existing_players)
    rubber_player = RubberPlayer(
        night=night,
        number=max((existing_player.number for existing_player in existing_players), default=0)
        + 1,
        player=club_player,
        name=name,
    )
    rubber_player.clean_fields(exclude=["night", "player"])
    rubber_player.save()
    return rubber_player


def _resolve_new_player(
    night: RubberNight, new_player: NewRubberPlayer, players_by_key: Mapping[str, Player]
) -> tuple[str, Player | None]:
    """Return the name of a new player, and the club's player if there is one."""
    cleaned_name = read_person_name(new_player.name, dict(players_by_key))
    club_player = new_player.player or players_by_key.get(build_name_key(cleaned_name))
    if club_player is not None and club_player.club_id != night.club_id:
        raise RubberRefused(_("Choose a player from this club."))
    return (club_player.name if club_player else cleaned_name), club_player


def _check_player_name(
    name: str, other_players: Iterable[RubberPlayer], *, max_length: int | None = None
) -> None:
    """Raise RubberRefused for a name that is unprintable, too long, or already in use."""
    if not name or not name.isprintable() or not can_be_stored(name):
        raise RubberRefused(_("Enter everyone’s name in letters."))
    if max_length is None:
        max_length = RubberPlayer._meta.get_field("name").max_length or 0
    if len(name) > max_length:
        message = _("Use %(most)s characters or fewer for a name.")
        raise RubberRefused(message % {"most": max_length})
    if any(
        build_name_key(other_player.full_name) == build_name_key(name)
        for other_player in other_players
    ):
        raise RubberRefused(_format_duplicate_name_error(name))


def _format_duplicate_name_error(name: str) -> str:
    message = _("Two players are called %(name)s. Make their names different.")
    return message % {"name": name[:60]}


@transaction.atomic
def rename_night_player(
    *, night: RubberNight, number: int, name: str, by: Actor
) -> RubberPlayer:
    """Rename a player of a night, and link the club's player of the new name, if any."""
    locked_night = lock_activity(night)
    check_has_no_drive(locked_night)
    player = locked_night.players.select_related("player").filter(number=number).first()
    new_name = clean_name(name)
    if player is None:
        raise RubberRefused(_("Player %(number)s not found.") % {"number": number})
    if player.full_name == new_name:
        return player
    _check_player_name(
        new_name, locked_night.players.exclude(pk=player.pk).select_related("player")
    )
    old_name = player.full_name
    player.player = load_players_by_name_key(locked_night.club).get(build_name_key(new_name))
    player.name = player.player.name if player.player else new_name
    player.save(update_fields=["player", "name"])
    increment_revision(locked_night)
    audit.record(
        by,
        "rubbers.renamed",
        subject=locked_night,
        where={"number": number},
        before={"name": old_name},
        after={"name": player.name},
        undo=Undo(
            (f"rubber player {number}",), "rubbers.rename", {"number": number, "name": old_name}
        ),
    )
    return player


@transaction.atomic
def change_night(*, night: RubberNight, by: Actor, **values: Any) -> RubberNight:
    """Change the name, the code of laws, the terms, or the paper size of a night.

    `terms` contains all terms that differ from the code. Recorded hands are scored again by the
    new terms. Raises RubberRefused if a hand would become impossible or hands would follow the
    end of a rubber, and UnplayableHand for an invalid term.
    """
    locked_night = lock_activity(night)
    for field_name in values:
        if field_name not in ("name", "code", "terms", "paper_size"):
            raise RubberRefused(_("Setting “%(term)s” not found.") % {"term": field_name})
    old_values_by_field = {
        field_name: getattr(locked_night, field_name) for field_name in values
    }
    changed_values = {
        field_name: value
        for field_name, value in values.items()
        if old_values_by_field[field_name] != value
    }
    if not changed_values:
        return locked_night
    if {"code", "terms"} & set(changed_values):
        _check_terms_may_change(locked_night)
    old_early_rubber_ends = _find_early_rubber_ends(locked_night)
    for field_name, value in changed_values.items():
        setattr(locked_night, field_name, value)
    _check_night_terms(locked_night)
    locked_night.save(update_fields=list(changed_values))
    _check_hands(locked_night, old_early_rubber_ends)
    increment_revision(locked_night)
    old_values = {field_name: old_values_by_field[field_name] for field_name in changed_values}
    audit.record(
        by,
        "rubbers.changed",
        subject=locked_night,
        before=old_values,
        after=changed_values,
        undo=Undo((RUBBER_TERMS_AUDIT_SUBJECT,), "rubbers.change", old_values),
    )
    return locked_night


def _check_terms_may_change(night: RubberNight) -> None:
    if night.is_closed:
        raise ActionUnavailable(_("The night is closed. Reopen it first."))
    hands = RubberHand.objects.filter(table__night=night).exclude(told={})
    if night.drive is not None and hands.exists():
        raise ActionUnavailable(_("Hands have been entered, so the rubber rules can’t change."))


def _find_early_rubber_ends(night: RubberNight) -> dict[tuple[str, int], int]:
    """Return the spells in which hands follow the end of a rubber.

    The keys are (title of the table, number of the spell). The values are the numbers of the
    hands that ended a rubber too early.
    """
    return {
        (table.row.title, spell_number): scored_spell.early_end_hand_number
        for table in load_night(night).tables.values()
        for spell_number, scored_spell in enumerate(table.scored_spells, start=1)
        if scored_spell.early_end_hand_number is not None
    }


def _check_hands(
    night: RubberNight, old_early_rubber_ends: Mapping[tuple[str, int], int]
) -> None:
    """Raise RubberRefused if hands are impossible or newly follow the end of a rubber."""
    for table in load_night(night).tables.values():
        try:
            len(table.standings)  # validates all hands, because the standings are computed
        except UnreadableRubber as problem:
            raise RubberRefused(f"{table.row.title}, {problem}") from None
    for (table_title, spell_number), early_end_hand_number in _find_early_rubber_ends(
        night
    ).items():
        if old_early_rubber_ends.get((table_title, spell_number)) != early_end_hand_number:
            partnership_label = _("partnership %s") % spell_number
            spell_label = f"{table_title}, {partnership_label}"
            message = _("the rubber would end with hand %(hand)s, but others follow.")
            raise RubberRefused(f"{spell_label}: {message % {'hand': early_end_hand_number}}")


def _check_night_terms(night: RubberNight) -> None:
    """Raise RubberRefused for an invalid name, an unknown code or invalid terms."""
    if not night.name.strip() or not night.name.isprintable():
        raise RubberRefused(_("Enter a name for the night."))
    try:
        change_terms(find_law_code(night.code).terms, night.terms)
    except UnplayableHand as problem:
        raise RubberRefused(str(problem)) from None
    if not can_be_stored([night.name, night.terms]):
        raise RubberRefused(_("The text contains invalid characters."))
    night.clean_fields(exclude=["club", "evening", "drive"])


def close_rubber_night(*, night: RubberNight, closed_at: str = "", by: Actor) -> RubberNight:
    """Close a night: score unfinished rubbers by `unfinished_rule`, and publish the secret."""
    return close_activity(
        activity=night, get_result=check_has_no_drive, closed_at=closed_at, by=by
    )


def reopen_rubber_night(*, night: RubberNight, by: Actor) -> RubberNight:
    """Reopen a closed night.

    The secret was published when the night was closed, so anyone can predict later random cuts.
    """
    return reopen_activity(activity=night, by=by)
