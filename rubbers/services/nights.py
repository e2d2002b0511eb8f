"""Services that create, change, close and reopen a rubber night."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Date
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import (
    build_creation_undo,
    close,
    increment_revision,
    lock_activity,
    reopen,
)
from clubs.audit import Actor, Undo
from clubs.errors import NotNow
from clubs.evenings.event_days import format_event_day_error, is_event_day
from clubs.models import Club, Evening, Player
from clubs.names.people import read_person_name
from clubs.names.tidy import build_name_key, clean_name
from clubs.services.people import load_players_by_key
from drives.models import Drive
from drives.prizes.lot import compute_commitment
from rubbers.errors import RubberRefused
from rubbers.models import Belonging, RubberHand, RubberNight, RubberPlayer, RubberTable
from rubbers.rubber.codes import find_code
from rubbers.rubber.cuts import MAX_MEMBERS
from rubbers.rubber.dummy import MIN_PLAYERS
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.terms import change_terms
from rubbers.services.table_acts import check_not_of_drive
from rubbers.snapshot import load_night
from server.json_reader.problems import can_be_stored

RUBBER_TERMS_AUDIT_SUBJECT = "rubbers terms"
SECRET_BYTES = 32
MAX_TABLES = 100


@dataclass(frozen=True, kw_only=True)
class NewRubberPlayer:
    """A person who plays: a club's player, or a name, matched to the club's players."""

    name: str = ""
    player: Player | None = None


@transaction.atomic
def create_night(
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
    checks_in: bool = False,
    form_key: str | None = None,
    by: Actor,
) -> RubberNight:
    """Create a night and distribute its people over the tables in the order of the list.

    With `checks_in` a night without players has no tables yet: they come from the check-in.
    Without a number of tables there are as few as possible, with at most six members each.
    Idempotent by `form_key`. Raises RubberRefused with the reason, or ValidationError for an
    invalid field.
    """
    if existing_night := RubberNight.objects.find_created(club, form_key):
        return existing_night
    if not is_event_day(date):
        raise RubberRefused(format_event_day_error())
    counts = [] if checks_in and not players else split_over_tables(len(players), tables)
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
    _create_members(night, players, counts)
    audit.record(
        by,
        "rubbers.created",
        subject=night,
        where={"name": name},
        after={"date": date.isoformat(), "code": code, "players": len(players)},
        back=build_creation_undo(RubberNight),
    )
    return night


def _create_members(
    night: RubberNight, players: Sequence[NewRubberPlayer], counts: Sequence[int]
) -> None:
    """Create the players and their memberships, by the number of members of each table."""
    remaining_players = iter([create_player(night, player) for player in players])
    for number, count in enumerate(counts, start=1):
        table = RubberTable.objects.create(night=night, number=number)
        for holder in islice(remaining_players, count):
            Belonging.objects.create(table=table, holder=holder)


def split_over_tables(players: int, tables: int | None = None) -> list[int]:
    """Return the number of members of each table, larger ones first. Raises RubberRefused."""
    if players < MIN_PLAYERS:
        raise RubberRefused(_("A table needs at least two players."))
    number = tables or -(-players // MAX_MEMBERS)
    if not 1 <= number <= MAX_TABLES:
        message = _("A night has 1 to %(most)s tables.")
        raise RubberRefused(message % {"most": MAX_TABLES})
    players_per_table, larger_tables = divmod(players, number)
    if players_per_table < MIN_PLAYERS or players_per_table + bool(larger_tables) > MAX_MEMBERS:
        message = _("%(players)s players don't fit %(tables)s tables. Seat two to six at each.")
        raise RubberRefused(message % {"players": players, "tables": number})
    return [players_per_table + 1] * larger_tables + [players_per_table] * (
        number - larger_tables
    )


def create_player(night: RubberNight, guest: NewRubberPlayer) -> RubberPlayer:
    """Create a player of a night with the next number. Raises RubberRefused."""
    known_players = load_players_by_key(night.club)
    clean_name_ = read_person_name(guest.name, known_players)
    person = guest.player or known_players.get(build_name_key(clean_name_))
    if person is not None and person.club_id != night.club_id:
        raise RubberRefused(_("Choose a player from this club."))
    name = person.name if person else clean_name_
    existing_players = list(night.players.select_related("player"))
    _check_name(name, existing_players)
    row = RubberPlayer(
        night=night,
        number=max((existing_player.number for existing_player in existing_players), default=0)
        + 1,
        player=person,
        name=name,
    )
    row.clean_fields(exclude=["night", "player"])
    row.save()
    return row


def _check_name(name: str, other_players: Iterable[RubberPlayer]) -> None:
    """Raise RubberRefused for a name that is unreadable, too long, or already in use."""
    if not name or not name.isprintable() or not can_be_stored(name):
        raise RubberRefused(_("Enter everyone’s name in letters."))
    max_length = RubberPlayer._meta.get_field("name").max_length or 0
    if len(name) > max_length:
        message = _("Use %(most)s characters or fewer for a name.")
        raise RubberRefused(message % {"most": max_length})
    if any(
        build_name_key(other_player.full_name) == build_name_key(name)
        for other_player in other_players
    ):
        message = _("Two players are called %(name)s. Make their names different.")
        raise RubberRefused(message % {"name": name[:60]})


@transaction.atomic
def rename_night_player(
    *, night: RubberNight, number: int, name: str, by: Actor
) -> RubberPlayer:
    """Rename a player of a night; the name of a club's player links to that player."""
    row = lock_activity(night)
    check_not_of_drive(row)
    player = row.players.select_related("player").filter(number=number).first()
    new_name = clean_name(name)
    if player is None:
        raise RubberRefused(_("Player %(number)s not found.") % {"number": number})
    if player.full_name == new_name:
        return player
    _check_name(new_name, row.players.exclude(pk=player.pk).select_related("player"))
    before = player.full_name
    player.player = load_players_by_key(row.club).get(build_name_key(new_name))
    player.name = player.player.name if player.player else new_name
    player.save(update_fields=["player", "name"])
    increment_revision(row)
    audit.record(
        by,
        "rubbers.renamed",
        subject=row,
        where={"number": number},
        before={"name": before},
        after={"name": player.name},
        back=Undo(
            (f"rubber player {number}",), "rubbers.rename", {"number": number, "name": before}
        ),
    )
    return player


@transaction.atomic
def change_night(*, night: RubberNight, by: Actor, **values: Any) -> RubberNight:
    """Change the name, the code, individual terms, or the paper of a night.

    Recorded hands are scored again by the new terms. The change is refused, with the place,
    where a hand becomes impossible or a rubber would be over before its last hand. `terms` are
    all terms in which the house differs from the code. Raises RubberRefused, or UnplayableHand
    for an invalid term.
    """
    row = lock_activity(night)
    for field in values:
        if field not in ("name", "code", "terms", "paper_size"):
            raise RubberRefused(_("Setting “%(term)s” not found.") % {"term": field})
    before = {field: getattr(row, field) for field in values}
    after = {field: value for field, value in values.items() if before[field] != value}
    if not after:
        return row
    if {"code", "terms"} & set(after):
        _check_terms_may_change(row)
    old_early_ends = _find_early_ends(row)
    for field, value in after.items():
        setattr(row, field, value)
    _check_night_terms(row)
    row.save(update_fields=list(after))
    _check_hands(row, old_early_ends)
    increment_revision(row)
    old_values = {field: before[field] for field in after}
    audit.record(
        by,
        "rubbers.changed",
        subject=row,
        before=old_values,
        after=after,
        back=Undo((RUBBER_TERMS_AUDIT_SUBJECT,), "rubbers.change", old_values),
    )
    return row


def _check_terms_may_change(row: RubberNight) -> None:
    if row.is_closed:
        raise NotNow(_("The night is closed. Reopen it first."))
    hands = RubberHand.objects.filter(table__night=row).exclude(told={})
    if row.drive is not None and hands.exists():
        raise NotNow(_("Hands have been entered, so the rubber rules can't change."))


def _find_early_ends(row: RubberNight) -> dict[tuple[str, int], int]:
    """Return the hands that ended a rubber although others follow, by table and spell."""
    return {
        (table.row.title, spell): scored_spell.early_end
        for table in load_night(row).tables.values()
        for spell, scored_spell in enumerate(table.scored_spells, start=1)
        if scored_spell.early_end is not None
    }


def _check_hands(row: RubberNight, old_early_ends: Mapping[tuple[str, int], int]) -> None:
    """Refuse terms that make a hand impossible or leave a hand after the rubber's end."""
    for table in load_night(row).tables.values():
        try:
            len(table.standings)
        except UnreadableRubber as problem:
            raise RubberRefused(f"{table.row.title}, {problem}") from None
    for (table_title, spell), early_end in _find_early_ends(row).items():
        if old_early_ends.get((table_title, spell)) != early_end:
            partnership = _("partnership %s") % spell
            place = f"{table_title}, {partnership}"
            message = _("the rubber would end with hand %(hand)s, but others follow.")
            raise RubberRefused(f"{place}: {message % {'hand': early_end}}")


def _check_night_terms(night: RubberNight) -> None:
    """Refuse an unknown code or invalid terms before anything is written."""
    if not night.name.strip() or not night.name.isprintable():
        raise RubberRefused(_("Enter a readable name for the night."))
    try:
        change_terms(find_code(night.code).terms, night.terms)
    except UnplayableHand as problem:
        raise RubberRefused(str(problem)) from None
    if not can_be_stored([night.name, night.terms]):
        raise RubberRefused(_("The text contains invalid characters."))
    night.clean_fields(exclude=["club", "evening", "drive"])


def close_night(*, night: RubberNight, closed_at: str = "", by: Actor) -> RubberNight:
    """Close a night: an unfinished rubber counts by its term; the secret may be shown."""
    return close(activity=night, first=check_not_of_drive, closed_at=closed_at, by=by)


def reopen_night(*, night: RubberNight, by: Actor) -> RubberNight:
    """Reopen a closed night; its secret was visible, so its next lots are predictable."""
    return reopen(activity=night, by=by)
