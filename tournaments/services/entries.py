"""Services for entries, which are numbered from 1 in the order in which they are added."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club, Player
from clubs.name_folding import fold_name_for_storage
from clubs.names.people import read_person_name
from clubs.names.tidy import build_name_key, clean_name
from clubs.names.unknown import is_unknown_partner, replace_unknown_partner
from server.public_versions import batch_version_bumps
from tournaments.entry_words import NAMES_PER_ENTRY, get_entry_texts, join_player_names
from tournaments.errors import ActionUnavailable, InvalidEntry, InvalidRoster
from tournaments.models import Entry, EntryPlayer, Event, Session
from tournaments.services.entry_index import (
    ExistingEntry,
    build_name_keys,
    load_entry_index,
)


@transaction.atomic
def create_entry(
    *,
    event: Event,
    names: Sequence[str],
    number: int | None = None,
    name: str = "",
    is_late: bool = False,
    by: Actor,
) -> Entry:
    """Create an entry (a pair, a player or a team), and add unknown players to the club.

    If the same players are already entered, the existing entry is returned, so that a double
    click does no harm. Once the session is open, only entries with `is_late` are accepted.
    Raises InvalidEntry if a name is missing or repeated, or if a player is in another entry.
    """
    # Without this lock, two requests could take the same entry number.
    Event.objects.select_for_update().get(pk=event.pk)
    [names] = _clean_names(event.club, [names])
    _check_names(event, names)
    existing_entry = find_existing_entry(event, names)
    if existing_entry is not None:
        return existing_entry
    if not is_late:
        _check_can_add_entries(event)
    [entry] = _write_entries(event, [_NewEntry(names, number, name)], is_late=is_late, by=by)
    return entry


@transaction.atomic
@batch_version_bumps()
def create_entries(
    *,
    event: Event,
    rows: Sequence[tuple[str, Sequence[str]]],
    team_names_by_position: Mapping[str, str] | None = None,
    players: Sequence[Player] = (),
    by: Actor,
) -> list[Entry]:
    """Create all entries of a list, or none.

    Each row has its position in the list ("line 4") and its names. `team_names_by_position` has
    the teams' own names. `players` are players of the club that the caller has already loaded.
    Raises InvalidRoster with every problem and its position.
    """
    Event.objects.select_for_update().get(pk=event.pk)
    new_entries, problems_by_position = _separate_valid_rows(
        event, rows, team_names_by_position or {}
    )
    if problems_by_position:
        raise InvalidRoster(list(problems_by_position.values()))
    return _write_entries(event, new_entries, players=players, by=by)


def check_entries(*, event: Event, rows: Sequence[tuple[str, Sequence[str]]]) -> dict[str, str]:
    """Return the reason why each invalid row cannot be entered, by position; store nothing."""
    return _separate_valid_rows(event, rows, {})[1]


def _separate_valid_rows(
    event: Event,
    rows: Sequence[tuple[str, Sequence[str]]],
    team_names_by_position: Mapping[str, str],
) -> tuple[list["_NewEntry"], dict[str, str]]:
    """Return the rows that can be entered, and the reasons against the others, by position."""
    existing_entries, new_entries = load_entry_index(event), list[_NewEntry]()
    name_lists = _clean_names(event.club, [row_names for _position, row_names in rows])
    problems_by_position: dict[str, str] = {}
    first_entry_number = _find_next_entry_number(event)
    for (position, _row_names), player_names in zip(rows, name_lists, strict=True):
        try:
            _check_names(event, player_names)
            existing_entry = existing_entries.find_entry(player_names)
        except InvalidEntry as error:
            problems_by_position[position] = f"{position}: {error}"
            continue
        if existing_entry is not None:
            problems_by_position[position] = _format_already_entered_error(
                position, existing_entry
            )
            continue
        if not new_entries:
            _check_can_add_entries(event)
        new_entries.append(
            _NewEntry(player_names, name=team_names_by_position.get(position, ""))
        )
        existing_entries.add_entry(
            ExistingEntry(
                first_entry_number + len(new_entries) - 1,
                new_entries[-1].display_name,
                build_name_keys(player_names),
            )
        )
    return new_entries, problems_by_position


def _clean_names(club: Club, name_lists: Sequence[Sequence[str]]) -> list[list[str]]:
    """Clean the names of each entry, with at most one query.

    "Surname, First" is reordered unless a player of the club has that name.
    """
    cleaned_name_lists = [
        replace_unknown_partner([clean_name(name) for name in names]) for names in name_lists
    ]
    names_with_comma = {
        fold_name_for_storage(name)
        for names in cleaned_name_lists
        for name in names
        if "," in name
    }
    if not names_with_comma:
        return cleaned_name_lists
    stored_names = club.players.filter(plain__in=names_with_comma).values_list(
        "name", flat=True
    )
    known_name_keys = {build_name_key(stored_name) for stored_name in stored_names}
    return [
        [read_person_name(name, known_name_keys) for name in names]
        for names in cleaned_name_lists
    ]


@dataclass(frozen=True, slots=True)
class _NewEntry:
    player_names: Sequence[str]
    entry_number: int | None = None
    name: str = ""

    @property
    def display_name(self) -> str:
        return self.name or join_player_names(self.player_names)


def _write_entries(
    event: Event,
    new_entries: Sequence[_NewEntry],
    *,
    is_late: bool = False,
    players: Sequence[Player] = (),
    by: Actor,
) -> list[Entry]:
    """Insert entries in bulk, and record an audit act for each."""
    players_by_key = {
        build_name_key(player.name): player for player in (*event.club.players.all(), *players)
    }
    new_players_by_key = {
        build_name_key(name): build_player(event.club, name)
        for new_entry in reversed(new_entries)
        for name in reversed(new_entry.player_names)
        if build_name_key(name) not in players_by_key
    }
    Player.objects.bulk_create(list(new_players_by_key.values())[::-1])
    players_by_key |= new_players_by_key
    entries, player_lists = [], []
    for entry_number, new_entry in enumerate(new_entries, start=_find_next_entry_number(event)):
        entry_players = [
            players_by_key[build_name_key(name)] for name in new_entry.player_names
        ]
        entry = Entry(
            event=event,
            number=new_entry.entry_number or entry_number,
            name=new_entry.name or format_entry_name(entry_players),
        )
        entry.clean_fields(exclude=["event"])
        if new_entry.entry_number:
            entry.validate_constraints()
        entries.append(entry)
        player_lists.append(entry_players)
    Entry.objects.bulk_create(entries)
    EntryPlayer.objects.bulk_create(
        EntryPlayer(entry=entry, player=player, order=order)
        for entry, entry_players in zip(entries, player_lists, strict=True)
        for order, player in enumerate(entry_players, start=1)
    )
    for entry, entry_players in zip(entries, player_lists, strict=True):
        new_players = [
            player
            for player in entry_players
            if new_players_by_key.pop(build_name_key(player.name), None)
        ]
        _record_entry_creation(
            entry, [player.pk for player in new_players], is_late=is_late, by=by
        )
    return entries


def build_player(club: Club, name: str) -> Player:
    """Return an unsaved player, with the default visibility of players or unknown partners."""
    visibility = Player.Shown.UNKNOWN if is_unknown_partner(name) else Player.Shown.NAME
    return Player(club=club, name=name, shown=visibility)


def _record_entry_creation(
    entry: Entry, new_player_ids: Sequence[int], *, is_late: bool, by: Actor
) -> None:
    undo_arguments = {"entry": entry.pk, "new": list(new_player_ids)}
    audit.record(
        by,
        "entry.made",
        subject=entry.event,
        where={"entry": entry.number},
        after={"name": entry.name},
        undo=None
        if is_late
        else Undo(
            get_entry_undo_subjects(entry), "entry.remove", undo_arguments, waits_for=("play",)
        ),
    )


def _find_next_entry_number(event: Event) -> int:
    return (event.entries.aggregate(last_number=Max("number"))["last_number"] or 0) + 1


def _format_already_entered_error(position: str, existing_entry: ExistingEntry) -> str:
    return _("%(place)s: %(pair)s is already entered, as number %(number)s.") % {
        "place": position,
        "pair": existing_entry.entry_name,
        "number": existing_entry.entry_number,
    }


@transaction.atomic
def rename_entry(*, entry: Entry, names: Sequence[str], name: str = "", by: Actor) -> Entry:
    """Replace the players of an entry, for a misspelt name or another partner.

    The new name of the entry is `name`, or else consists of the players' names.
    """
    event = entry.event
    [names] = _clean_names(event.club, [names])
    _check_names(event, names, existing_name_count=entry.memberships.count())
    if (existing_entry := find_existing_entry(event, names, excluded_entry=entry)) is not None:
        raise InvalidEntry(
            _("%(pair)s is already entered, as number %(number)s.")
            % {"pair": existing_entry.name, "number": existing_entry.number}
        )
    (players, new_player_ids), old_players = (
        find_or_create_players(event.club, names),
        list_members(entry),
    )
    old_name, new_name = entry.name, name or format_entry_name(players)
    if old_name == new_name and players == old_players:
        return entry
    old_names = [player.name for player in old_players]
    undo_arguments = {
        "entry": entry.pk,
        "names": old_names,
        "name": old_name,
        "new": new_player_ids,
    }
    set_entry_name(entry, new_name)
    entry.memberships.all().delete()
    create_memberships(entry, players)
    _delete_misspelt_players(old_players, players)
    audit.record(
        by,
        "entry.renamed",
        subject=event,
        where={"entry": entry.number},
        before={"name": old_name},
        after={"name": new_name},
        undo=Undo(get_entry_undo_subjects(entry), "entry.rename", undo_arguments),
    )
    return entry


def get_entry_undo_subjects(entry: Entry) -> tuple[str]:
    """Return the undo subjects of acts about an entry."""
    return (f"entry {entry.pk}",)


def _delete_misspelt_players(
    old_players: Sequence[Player], new_players: Sequence[Player]
) -> None:
    """Delete replaced players who are in no entry, if they were misspelt or unknown.

    A name counts as misspelt if it is similar to one of the new names.
    """
    new_names = [player.name for player in new_players if player not in old_players]
    for player in old_players:
        is_unknown = player.shown == Player.Shown.UNKNOWN
        is_similar = bool(get_close_matches(player.name, new_names, n=1, cutoff=0.8))
        if player in new_players or not (is_unknown or is_similar):
            continue
        if not player.entries.exists():
            delete_unused_players([player.pk])


def list_members(entry: Entry) -> list[Player]:
    """Return an entry's players in the order of the entry's name."""
    return [membership.player for membership in entry.memberships.select_related("player")]


def set_entry_name(entry: Entry, name: str) -> None:
    """Set an entry's name. The counted renaming makes cached standings out of date."""
    entry.name = name
    entry.full_clean()
    entry.save()
    Event.objects.filter(pk=entry.event_id).update(renamings=F("renamings") + 1)


def format_entry_name(players: Sequence[Player]) -> str:
    """Return the public name of an entry with these players."""
    return join_player_names([player.shown_name for player in players])


def _check_names(
    event: Event, player_names: Sequence[str], existing_name_count: int = 0
) -> None:
    """Raise InvalidEntry for too few or too many names, an empty name, or a repeated one.

    A team from a file may have more than four players, up to `existing_name_count`.
    """
    names_per_entry = NAMES_PER_ENTRY[Event.Contest(event.contest)]
    entered_names = [name for name in player_names if name]
    if len(entered_names) < max(len(player_names), names_per_entry):
        raise InvalidEntry(_format_too_few_names_message(names_per_entry, entered_names))
    if len(entered_names) > max(names_per_entry, existing_name_count):
        raise InvalidEntry(_format_too_many_names_message(names_per_entry, entered_names))
    name_keys = [build_name_key(name) for name in entered_names]
    repeated_name = next(
        (name for name in entered_names if name_keys.count(build_name_key(name)) > 1), None
    )
    if repeated_name is not None:
        raise InvalidEntry(_format_repeated_name_message(names_per_entry, repeated_name))
    for name in entered_names:
        if len(name) > 80:
            raise InvalidEntry(
                _("“%(name)s…” is too long. Use 80 characters or fewer.") % {"name": name[:40]}
            )


def _format_too_few_names_message(names_per_entry: int, given_names: Sequence[str]) -> str:
    if names_per_entry == 1:
        return _("Enter the player’s name.")
    if names_per_entry == 2 and given_names:
        message = _("A pair needs two names. Enter the partner of “%(name)s”.")
        return message % {"name": given_names[0]}
    if names_per_entry == 2:
        return _("Enter two names.")
    if not given_names:
        return _("Enter four names.")
    return _("A team needs four names. Found %(count)s: %(names)s. Add the others.") % {
        "count": len(given_names),
        "names": ", ".join(given_names),
    }


def _format_too_many_names_message(names_per_entry: int, given_names: Sequence[str]) -> str:
    messages_by_name_count = {
        1: _("Enter one player at a time. Found %(count)s names: %(names)s."),
        2: _("A pair has two names. Found %(count)s: %(names)s."),
    }
    team_message = _("A team has four names. Found %(count)s: %(names)s.")
    return messages_by_name_count.get(names_per_entry, team_message) % {
        "count": len(given_names),
        "names": ", ".join(given_names),
    }


def _format_repeated_name_message(names_per_entry: int, name: str) -> str:
    message = (
        _("%(name)s is in this pair twice. Enter the partner’s name.")
        if names_per_entry == 2
        else _("%(name)s is in this team twice. Enter another player’s name.")
    )
    return message % {"name": name}


def find_existing_entry(
    event: Event, player_names: Sequence[str], excluded_entry: Entry | None = None
) -> Entry | None:
    """Return the entry of exactly these players, or None; ignore `excluded_entry`.

    Raises InvalidEntry if one of the players is entered with other players.
    """
    existing_entry = load_entry_index(event, excluded_entry).find_entry(player_names)
    return existing_entry.entry if existing_entry else None


def find_or_create_players(
    club: Club, player_names: Sequence[str]
) -> tuple[list[Player], list[int]]:
    """Return the club's players with these names, and the primary keys of the created ones."""
    similar_players = club.players.filter(
        plain__in={fold_name_for_storage(name) for name in player_names}
    )
    players_by_key = {build_name_key(player.name): player for player in similar_players}
    new_names = [name for name in player_names if build_name_key(name) not in players_by_key]
    for name in new_names:
        players_by_key[build_name_key(name)] = build_player(club, name)
        players_by_key[build_name_key(name)].save()
    new_player_ids = [players_by_key[build_name_key(name)].pk for name in new_names]
    return [players_by_key[build_name_key(name)] for name in player_names], new_player_ids


def delete_unused_players(player_pks: Sequence[int]) -> None:
    """Delete the given players unless they are in an entry, booking or attendance list."""
    unused_players = Player.objects.filter(
        entry_memberships=None, booked=None, attendances=None
    )
    unused_players.filter(pk__in=player_pks).delete()


def create_memberships(entry: Entry, players: Sequence[Player]) -> None:
    for order, player in enumerate(players, start=1):
        EntryPlayer.objects.create(entry=entry, player=player, order=order)


def _check_can_add_entries(event: Event) -> None:
    """Raise ActionUnavailable while a session is in play, or if all sessions are over."""
    if not can_add_entries(event):
        raise ActionUnavailable(get_entry_texts(event).started_text)


def can_add_entries(event: Event) -> bool:
    """Return whether entries can be added: a session is planned, and none is in play."""
    session_states = [session.state for session in event.sessions.order_by("number")]
    return (
        Session.State.OPEN not in session_states and session_states[-1] == Session.State.PLANNED
    )
