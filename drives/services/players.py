"""Services for players: arrivals, departures, substitutes, and preferences."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import NotNow
from clubs.models import Player
from clubs.names.people import read_person_name
from clubs.names.tidy import build_name_key
from clubs.services.people import load_players_by_key
from drives.draw.participants import MAX_PARTICIPANTS
from drives.errors import DriveRefused
from drives.models import Drive, DrivePlayer, Seat
from drives.play_forms import find_play_form
from drives.services.draw_rounds import adapt_rounds
from drives.services.seat_changes import SeatChange, list_scored_tables, record_seat_change

MAX_HOUSE_PLAYERS = 3


@dataclass(frozen=True, kw_only=True)
class NewPlayer:
    """A person to add as a player: a club's player, a typed name, or only a number."""

    name: str = ""
    player: Player | None = None
    number: int | None = None
    role: str = ""
    of_club: str = ""
    fort: str = ""


@transaction.atomic
def add_players(
    *, drive: Drive, new_players: Sequence[NewPlayer], by: Actor
) -> list[DrivePlayer]:
    """Add players before the first round is drawn; later, `add_late_player` adds them.

    A typed name of a club's player is linked to that player. Raises DriveRefused, naming the
    player.
    """
    with record_seat_change(drive, "drive.players", by=by) as change:
        if change.drive.at_round or change.drive.played.exists():
            raise NotNow(_("Round 1 is drawn. Add new players as late."))
        created_players = create_players(change.drive, new_players)
        change.audit_after = {"players": len(created_players)}
    return created_players


def create_players(drive: Drive, new_players: Iterable[NewPlayer]) -> list[DrivePlayer]:
    """Create cards; players without a number get the next ones. The caller records the act."""
    existing_players = list(drive.players.all())
    taken_numbers = {player.number for player in existing_players}
    playing_ids = {player.player_id for player in existing_players if player.to_round is None}
    players_by_key = load_players_by_key(drive.club)
    new_player_list = list(new_players)
    if len(existing_players) + len(new_player_list) > MAX_PARTICIPANTS + MAX_HOUSE_PLAYERS:
        raise DriveRefused(
            _("Too many players. A drive can have at most %(most)s.")
            % {"most": MAX_PARTICIPANTS}
        )
    requested_numbers = {
        new_player.number for new_player in new_player_list if new_player.number is not None
    }
    rows = []
    next_numbers = (
        free_number
        for free_number in range(1, 10 * MAX_PARTICIPANTS)
        if free_number not in taken_numbers | requested_numbers
    )
    for new_player in new_player_list:
        number = next(next_numbers) if new_player.number is None else new_player.number
        row = _build_row(drive, new_player, number, players_by_key)
        if number in taken_numbers:
            message = _("Number %(number)s is already in use.")
            raise DriveRefused(message % {"number": number})
        if row.player_id is not None and row.player_id in playing_ids:
            raise DriveRefused(_format_already_playing(row.name))
        taken_numbers.add(number)
        playing_ids |= {row.player_id} - {None}
        rows.append(row)
    DrivePlayer.objects.bulk_create(rows)
    return rows


def _format_already_playing(name: str) -> str:
    message = _("%(name)s is already playing. Use a different name, e.g. “%(name)s jun.”.")
    return message % {"name": name}


def _build_row(
    drive: Drive, new_player: NewPlayer, number: int, known_players: dict[str, Player]
) -> DrivePlayer:
    name = read_person_name(new_player.name, known_players)
    person = new_player.player or known_players.get(build_name_key(name))
    if person is not None and person.club_id != drive.club_id:
        raise DriveRefused(_("Choose a player from this club."))
    row = DrivePlayer(
        drive=drive,
        number=number,
        player=person,
        name=person.name if person else name,
        role=new_player.role,
        of_club=new_player.of_club,
        fort=new_player.fort,
    )
    if not all(text.isprintable() for text in (row.name, row.of_club, row.fort)):
        message = _("“%(name)s” contains characters that aren’t allowed.")
        raise DriveRefused(message % {"name": name[:30]})
    row.clean_fields(exclude=["drive", "player"])
    return row


@transaction.atomic
def add_late_player(
    *, drive: Drive, new_player: NewPlayer, is_from_current_round: bool = False, by: Actor
) -> DrivePlayer:
    """Add a late player, who plays from the next round on.

    With `is_from_current_round`, the player plays in the round in play too, if it has no score
    yet. The player takes the seats of a house player, or later rounds are drawn again.
    """
    with record_seat_change(drive, "drive.late", by=by) as change:
        first_round = _find_first_affected_round(
            change.drive, is_from_current_round=is_from_current_round
        )
        [late_player] = create_players(change.drive, [new_player])
        late_player.from_round = first_round
        late_player.save(update_fields=["from_round"])
        change.audit_place = {"player": late_player.number, "round": first_round}
        change.audit_after = {"name": late_player.full_name}
        adapt_rounds(change.drive, first_round, by=by)
    return late_player


@transaction.atomic
def remove_player(
    *, player: DrivePlayer, is_from_current_round: bool = False, by: Actor
) -> DrivePlayer:
    """Remove a player from the next round on.

    With `is_from_current_round`, the player leaves the round in play too. This raises NotNow if
    a table of that round already has a score.
    """
    with record_seat_change(player.drive, "drive.left", by=by) as change:
        row = _find_playing_player(change, player)
        first_round = max(
            _find_first_affected_round(
                change.drive, is_from_current_round=is_from_current_round
            ),
            row.from_round,
        )
        row.to_round = first_round - 1
        row.save(update_fields=["to_round"])
        change.audit_place = {"player": row.number, "round": first_round}
        change.audit_before = {"name": row.full_name}
        adapt_rounds(change.drive, first_round, by=by)
    return row


def _find_first_affected_round(drive: Drive, *, is_from_current_round: bool) -> int:
    """Return the first round that a change of players affects."""
    if is_from_current_round and drive.at_round:
        return drive.at_round
    return drive.at_round + 1


def _find_playing_player(seat_change: SeatChange, player: DrivePlayer) -> DrivePlayer:
    row = seat_change.drive.players.select_for_update(of=("self",)).get(pk=player.pk)
    if row.to_round is not None:
        raise NotNow(_("%(name)s has withdrawn.") % {"name": row.full_name})
    return row


@transaction.atomic
def substitute_player(
    *, player: DrivePlayer, new_player: NewPlayer, takes_score: bool = True, by: Actor
) -> DrivePlayer:
    """Replace a player in all later seats. A substitute who takes over the score keeps the
    card.

    Without the score the substitute gets a new card. It begins with the round in play, or with
    the next round if the table already has a score. No other card changes.
    """
    with record_seat_change(player.drive, "drive.substitute", by=by) as change:
        row = _find_playing_player(change, player)
        change.audit_place = {"player": row.number}
        change.audit_before = {"name": row.full_name}
        if takes_score:
            return _rename_player(change, row, new_player)
        first_round = max(_find_unscored_round(change.drive, row), row.from_round)
        row.to_round = first_round - 1
        row.save(update_fields=["to_round"])
        [substitute] = create_players(change.drive, [new_player])
        substitute.from_round, substitute.takes_over, substitute.role = (
            first_round,
            row,
            row.role,
        )
        substitute.stays_seated = row.stays_seated
        substitute.save()
        change.audit_after = {"name": substitute.full_name, "player": substitute.number}
        adapt_rounds(change.drive, first_round, by=by, swaps=[(row.number, substitute.number)])
    return substitute


def _rename_player(
    seat_change: SeatChange, row: DrivePlayer, new_player: NewPlayer
) -> DrivePlayer:
    named_row = _build_row(
        seat_change.drive, new_player, row.number, load_players_by_key(seat_change.drive.club)
    )
    other_players = seat_change.drive.players.exclude(pk=row.pk).filter(to_round=None)
    if (
        named_row.player_id is not None
        and other_players.filter(player=named_row.player_id).exists()
    ):
        raise DriveRefused(_format_already_playing(named_row.name))
    row.player, row.name = named_row.player, named_row.name
    row.save(update_fields=["player", "name"])
    seat_change.audit_after = {"name": row.full_name}
    return row


def _find_unscored_round(drive: Drive, row: DrivePlayer) -> int:
    """Return the round in play, unless the player's table has a score in it."""
    seats = Seat.objects.filter(round__drive=drive, round__number=drive.at_round, player=row)
    table = seats.values_list("table", flat=True).first()
    is_scored = (drive.at_round, table) in list_scored_tables(drive)
    return drive.at_round + (is_scored or not drive.at_round)


@transaction.atomic
def name_player(*, player: DrivePlayer, new_player: NewPlayer, by: Actor) -> DrivePlayer:
    """Set or correct the name on a card."""
    with record_seat_change(player.drive, "drive.named", by=by) as change:
        row = change.drive.players.get(pk=player.pk)
        change.audit_place = {"player": row.number}
        change.audit_before = {"name": row.full_name}
        return _rename_player(change, row, new_player)


@transaction.atomic
def update_player(
    *,
    player: DrivePlayer,
    role: str | None = None,
    of_club: str | None = None,
    fort: str | None = None,
    present: bool | None = None,
    by: Actor,
) -> DrivePlayer:
    """Set a player's role (before the first draw), club, fort, or presence."""
    with record_seat_change(player.drive, "drive.described", by=by) as change:
        row = change.drive.players.get(pk=player.pk)
        if role is not None and role != row.role and change.drive.played.exists():
            raise NotNow(_("Round 1 is drawn, so a player’s seat decides the role."))
        new_values = {"role": role, "of_club": of_club, "fort": fort, "present": present}
        for name, value in new_values.items():
            if value is not None:
                if isinstance(value, str) and not value.isprintable():
                    raise DriveRefused(_("The name contains characters that aren’t allowed."))
                setattr(row, name, value)
        row.clean_fields(exclude=["drive", "player"])
        row.save()
        change.audit_place = {"player": row.number}
    return row


@transaction.atomic
def set_kept_apart(
    *,
    drive: Drive,
    player_number: int,
    other_player_number: int,
    is_kept_apart: bool = True,
    by: Actor,
) -> Drive:
    """Forbid or allow two players to be partners; the rounds to play are redrawn."""
    with record_seat_change(drive, "drive.apart", by=by) as change:
        locked_drive = change.drive
        for number in (player_number, other_player_number):
            if not locked_drive.players.filter(number=number, house=False).exists():
                raise DriveRefused(_("Player %(number)s not found.") % {"number": number})
        if player_number == other_player_number:
            raise DriveRefused(_("Choose two different players to keep apart."))
        pair = sorted((player_number, other_player_number))
        if (pair in locked_drive.apart) == is_kept_apart:
            return locked_drive
        _check_preferences_allowed(locked_drive)
        locked_drive.apart = sorted(
            [*locked_drive.apart, pair]
            if is_kept_apart
            else [stored_pair for stored_pair in locked_drive.apart if stored_pair != pair]
        )
        locked_drive.save(update_fields=["apart"])
        change.audit_place = {"players": pair}
        change.audit_after = {"apart": is_kept_apart}
        adapt_rounds(locked_drive, locked_drive.at_round + 1, by=by)
    return locked_drive


@transaction.atomic
def set_stationary(
    *, player: DrivePlayer, is_stationary: bool = True, by: Actor
) -> DrivePlayer:
    """Set whether a player is stationary; the rounds to play are redrawn."""
    with record_seat_change(player.drive, "drive.seated", by=by) as change:
        row = _find_playing_player(change, player)
        if row.stays_seated == is_stationary:
            return row
        _check_preferences_allowed(change.drive)
        row.stays_seated = is_stationary
        row.save(update_fields=["stays_seated"])
        change.audit_place = {"player": row.number}
        change.audit_after = {"stays": is_stationary}
        adapt_rounds(change.drive, change.drive.at_round + 1, by=by)
    return row


def _check_preferences_allowed(drive: Drive) -> None:
    form = find_play_form(drive.form)
    if form.move_players is not None:
        raise DriveRefused(
            _("Results decide who moves, so no one can be stationary or kept apart.")
        )
    if form.has_fixed_partners:
        raise DriveRefused(_("Pairs stay together, so no one can be stationary or kept apart."))


@transaction.atomic
def set_house_players(*, drive: Drive, names: Sequence[str], by: Actor) -> list[DrivePlayer]:
    """Set the volunteers (at most three) who fill the last table; previous volunteers who are
    not listed leave.

    They are not ranked, and repeated meetings with them do not count.
    """
    with record_seat_change(drive, "drive.house", by=by) as change:
        locked_drive = change.drive
        if len(names) > MAX_HOUSE_PLAYERS:
            raise DriveRefused(_("Enter at most %(most)s stand-ins.") % {"most": 3})
        current_players = list(
            locked_drive.players.filter(house=True, to_round=None).order_by("-number")
        )
        change.audit_before = {"house": len(current_players)}
        change.audit_after = {"house": len(names)}
        if [player.name for player in current_players] == list(names):
            return current_players
        for name in names:
            _check_house_name(name)
        first_round = _find_first_affected_round(locked_drive, is_from_current_round=False)
        for player in current_players[len(names) :]:
            player.to_round = first_round - 1
            player.save(update_fields=["to_round"])
        remaining_players = current_players[: len(names)]
        for player, name in zip(remaining_players, names, strict=False):
            player.name = name
            player.save(update_fields=["name"])
        new_players = create_house_players(
            locked_drive, names[len(remaining_players) :], first_round
        )
        if len(remaining_players) != len(current_players) or new_players:
            adapt_rounds(locked_drive, first_round, by=by)
    return [*remaining_players, *new_players]


def create_house_players(
    drive: Drive, names: Sequence[str], first_round: int = 1
) -> list[DrivePlayer]:
    """Create house players with the next negative numbers. The caller records the act."""
    has_players = drive.players.aggregate(least=Max("number"))["least"] is not None
    lowest_number = (
        min([0, *drive.players.values_list("number", flat=True)]) if has_players else 0
    )
    rows = [
        DrivePlayer(drive=drive, number=number, name=name, house=True, from_round=first_round)
        for number, name in zip(
            range(lowest_number - 1, lowest_number - 1 - len(names), -1), names, strict=True
        )
    ]
    for row in rows:
        _check_house_name(row.name)
    return DrivePlayer.objects.bulk_create(rows)


def _check_house_name(name: str) -> None:
    max_length = DrivePlayer._meta.get_field("name").max_length or 0
    if not name or not name.isprintable():
        raise DriveRefused(_("The name contains characters that aren’t allowed."))
    if len(name) > max_length:
        message = _("Use %(most)s characters or fewer for a name.")
        raise DriveRefused(message % {"most": max_length})
