"""Services that add, remove, replace and rename players, and set their preferences."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import ActionUnavailable
from clubs.models import Player
from clubs.names.people import read_person_name
from clubs.names.tidy import build_name_key
from clubs.services.people import load_players_by_name_key
from drives.draw.participants import MAX_PARTICIPANTS
from drives.errors import DriveActionNotAllowed
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
    """Add players before the first round is drawn; afterwards, use `add_late_player`.

    A new player is linked to the club's player with the same name. Raises DriveActionNotAllowed
    with the name of a player who cannot be added.
    """
    with record_seat_change(drive, "drive.players", by=by) as change:
        if change.drive.at_round or change.drive.played.exists():
            raise ActionUnavailable(_("Round 1 is drawn. Add new players as late."))
        created_players = create_players(change.drive, new_players)
        change.audit_after = {"players": len(created_players)}
    return created_players


def create_players(drive: Drive, new_players: Iterable[NewPlayer]) -> list[DrivePlayer]:
    """Create players; those without a number get the next free numbers.

    The caller records the act in the history.
    """
    existing_players = list(drive.players.all())
    taken_numbers = {player.number for player in existing_players}
    playing_player_ids = {
        player.player_id for player in existing_players if player.to_round is None
    }
    players_by_key = load_players_by_name_key(drive.club)
    new_player_list = list(new_players)
    if len(existing_players) + len(new_player_list) > MAX_PARTICIPANTS + MAX_HOUSE_PLAYERS:
        raise DriveActionNotAllowed(
            _("Too many players. A drive can have at most %(most)s.")
            % {"most": MAX_PARTICIPANTS}
        )
    requested_numbers = {
        new_player.number for new_player in new_player_list if new_player.number is not None
    }
    drive_players = []
    free_numbers = (
        free_number
        for free_number in range(1, 10 * MAX_PARTICIPANTS)
        if free_number not in taken_numbers | requested_numbers
    )
    for new_player in new_player_list:
        player_number = next(free_numbers) if new_player.number is None else new_player.number
        drive_player = _build_player(drive, new_player, player_number, players_by_key)
        if player_number in taken_numbers:
            message = _("Number %(number)s is already in use.")
            raise DriveActionNotAllowed(message % {"number": player_number})
        if drive_player.player_id is not None and drive_player.player_id in playing_player_ids:
            raise DriveActionNotAllowed(_format_already_playing_error(drive_player.name))
        taken_numbers.add(player_number)
        playing_player_ids |= {drive_player.player_id} - {None}
        drive_players.append(drive_player)
    DrivePlayer.objects.bulk_create(drive_players)
    return drive_players


def _format_already_playing_error(name: str) -> str:
    message = _("%(name)s is already playing. Use a different name, e.g. “%(name)s jun.”.")
    return message % {"name": name}


def _build_player(
    drive: Drive,
    new_player: NewPlayer,
    player_number: int,
    players_by_name_key: dict[str, Player],
) -> DrivePlayer:
    name = read_person_name(new_player.name, players_by_name_key)
    club_player = new_player.player or players_by_name_key.get(build_name_key(name))
    if club_player is not None and club_player.club_id != drive.club_id:
        raise DriveActionNotAllowed(_("Choose a player from this club."))
    drive_player = DrivePlayer(
        drive=drive,
        number=player_number,
        player=club_player,
        name=club_player.name if club_player else name,
        role=new_player.role,
        of_club=new_player.of_club,
        fort=new_player.fort,
    )
    if not all(
        text.isprintable()
        for text in (drive_player.name, drive_player.of_club, drive_player.fort)
    ):
        message = _("“%(name)s” contains characters that aren’t allowed.")
        raise DriveActionNotAllowed(message % {"name": name[:30]})
    drive_player.clean_fields(exclude=["drive", "player"])
    return drive_player


@transaction.atomic
def add_late_player(
    *, drive: Drive, new_player: NewPlayer, applies_to_current_round: bool = False, by: Actor
) -> DrivePlayer:
    """Add a late player, who plays from the next round on.

    If `applies_to_current_round` is true, the player also plays in the round in play, which
    must not have a score yet. The player takes over the seats of a house player if possible.
    Otherwise the rounds are drawn again.
    """
    with record_seat_change(drive, "drive.late", by=by) as change:
        first_round_number = _find_first_affected_round(
            change.drive, applies_to_current_round=applies_to_current_round
        )
        [late_player] = create_players(change.drive, [new_player])
        late_player.from_round = first_round_number
        late_player.save(update_fields=["from_round"])
        change.audit_location = {"player": late_player.number, "round": first_round_number}
        change.audit_after = {"name": late_player.full_name}
        adapt_rounds(change.drive, first_round_number, by=by)
    return late_player


@transaction.atomic
def remove_player(
    *, player: DrivePlayer, applies_to_current_round: bool = False, by: Actor
) -> DrivePlayer:
    """Remove a player from the next round on.

    If `applies_to_current_round` is true, the player leaves before the round in play ends. This
    raises ActionUnavailable if a table whose seats would change already has a score.
    """
    with record_seat_change(player.drive, "drive.left", by=by) as change:
        locked_player = _find_playing_player(change, player)
        first_round_number = max(
            _find_first_affected_round(
                change.drive, applies_to_current_round=applies_to_current_round
            ),
            locked_player.from_round,
        )
        locked_player.to_round = first_round_number - 1
        locked_player.save(update_fields=["to_round"])
        change.audit_location = {"player": locked_player.number, "round": first_round_number}
        change.audit_before = {"name": locked_player.full_name}
        adapt_rounds(change.drive, first_round_number, by=by)
    return locked_player


def _find_first_affected_round(drive: Drive, *, applies_to_current_round: bool) -> int:
    """Return the round in play if `applies_to_current_round` is true, else the next round."""
    if applies_to_current_round and drive.at_round:
        return drive.at_round
    return drive.at_round + 1


def _find_playing_player(seat_change: SeatChange, player: DrivePlayer) -> DrivePlayer:
    locked_player = seat_change.drive.players.select_for_update(of=("self",)).get(pk=player.pk)
    if locked_player.to_round is not None:
        raise ActionUnavailable(
            _("%(name)s has withdrawn.") % {"name": locked_player.full_name}
        )
    return locked_player


@transaction.atomic
def substitute_player(
    *,
    player: DrivePlayer,
    new_player: NewPlayer,
    should_take_over_score: bool = True,
    by: Actor,
) -> DrivePlayer:
    """Replace a player by a substitute in all later rounds; no other card changes.

    If `should_take_over_score` is true, the substitute continues the player's card. Otherwise
    the substitute gets a new card. The first round on the new card is the round in play, or the
    next round if the player's table already has a score.
    """
    with record_seat_change(player.drive, "drive.substitute", by=by) as change:
        locked_player = _find_playing_player(change, player)
        change.audit_location = {"player": locked_player.number}
        change.audit_before = {"name": locked_player.full_name}
        if should_take_over_score:
            return _rename_player(change, locked_player, new_player)
        first_round_number = max(
            _find_unscored_round(change.drive, locked_player), locked_player.from_round
        )
        locked_player.to_round = first_round_number - 1
        locked_player.save(update_fields=["to_round"])
        [substitute] = create_players(change.drive, [new_player])
        substitute.from_round, substitute.takes_over, substitute.role = (
            first_round_number,
            locked_player,
            locked_player.role,
        )
        substitute.stays_seated = locked_player.stays_seated
        substitute.save()
        change.audit_after = {"name": substitute.full_name, "player": substitute.number}
        adapt_rounds(
            change.drive,
            first_round_number,
            by=by,
            swaps=[(locked_player.number, substitute.number)],
        )
    return substitute


def _rename_player(
    seat_change: SeatChange, player: DrivePlayer, new_player: NewPlayer
) -> DrivePlayer:
    renamed_player = _build_player(
        seat_change.drive,
        new_player,
        player.number,
        load_players_by_name_key(seat_change.drive.club),
    )
    other_players = seat_change.drive.players.exclude(pk=player.pk).filter(to_round=None)
    if (
        renamed_player.player_id is not None
        and other_players.filter(player=renamed_player.player_id).exists()
    ):
        raise DriveActionNotAllowed(_format_already_playing_error(renamed_player.name))
    player.player, player.name = renamed_player.player, renamed_player.name
    player.save(update_fields=["player", "name"])
    seat_change.audit_after = {"name": player.full_name}
    return player


def _find_unscored_round(drive: Drive, player: DrivePlayer) -> int:
    """Return the round in play, or the next round if the player's table has a score."""
    seats = Seat.objects.filter(round__drive=drive, round__number=drive.at_round, player=player)
    table = seats.values_list("table", flat=True).first()
    is_scored = (drive.at_round, table) in list_scored_tables(drive)
    return drive.at_round + (is_scored or not drive.at_round)


@transaction.atomic
def name_player(*, player: DrivePlayer, new_player: NewPlayer, by: Actor) -> DrivePlayer:
    """Set or correct the name of the player on a card."""
    with record_seat_change(player.drive, "drive.named", by=by) as change:
        stored_player = change.drive.players.get(pk=player.pk)
        change.audit_location = {"player": stored_player.number}
        change.audit_before = {"name": stored_player.full_name}
        return _rename_player(change, stored_player, new_player)


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
    """Set a player's club, fort, presence at the raffle or, before the first draw, role.

    Arguments that are None are not changed.
    """
    with record_seat_change(player.drive, "drive.described", by=by) as change:
        stored_player = change.drive.players.get(pk=player.pk)
        if role is not None and role != stored_player.role and change.drive.played.exists():
            raise ActionUnavailable(_("Round 1 is drawn, so a player’s seat decides the role."))
        new_values = {"role": role, "of_club": of_club, "fort": fort, "present": present}
        for name, new_value in new_values.items():
            if new_value is not None:
                if isinstance(new_value, str) and not new_value.isprintable():
                    raise DriveActionNotAllowed(
                        _("The name contains characters that aren’t allowed.")
                    )
                setattr(stored_player, name, new_value)
        stored_player.clean_fields(exclude=["drive", "player"])
        stored_player.save()
        change.audit_location = {"player": stored_player.number}
    return stored_player


@transaction.atomic
def set_pair_kept_apart(
    *,
    drive: Drive,
    player_number: int,
    other_player_number: int,
    is_kept_apart: bool = True,
    by: Actor,
) -> Drive:
    """Forbid or allow two players to be partners; rounds not in play yet are drawn again."""
    with record_seat_change(drive, "drive.apart", by=by) as change:
        locked_drive = change.drive
        for kept_apart_number in (player_number, other_player_number):
            if not locked_drive.players.filter(number=kept_apart_number, house=False).exists():
                raise DriveActionNotAllowed(
                    _("Player %(number)s not found.") % {"number": kept_apart_number}
                )
        if player_number == other_player_number:
            raise DriveActionNotAllowed(_("Choose two different players to keep apart."))
        kept_apart_numbers = sorted((player_number, other_player_number))
        if (kept_apart_numbers in locked_drive.apart) == is_kept_apart:
            return locked_drive
        _check_preferences_allowed(locked_drive)
        locked_drive.apart = sorted(
            [*locked_drive.apart, kept_apart_numbers]
            if is_kept_apart
            else [
                stored_pair
                for stored_pair in locked_drive.apart
                if stored_pair != kept_apart_numbers
            ]
        )
        locked_drive.save(update_fields=["apart"])
        change.audit_location = {"players": kept_apart_numbers}
        change.audit_after = {"apart": is_kept_apart}
        adapt_rounds(locked_drive, locked_drive.at_round + 1, by=by)
    return locked_drive


@transaction.atomic
def set_player_stationary(
    *, player: DrivePlayer, is_stationary: bool = True, by: Actor
) -> DrivePlayer:
    """Set whether a player stays at one table; rounds not in play yet are drawn again."""
    with record_seat_change(player.drive, "drive.seated", by=by) as change:
        locked_player = _find_playing_player(change, player)
        if locked_player.stays_seated == is_stationary:
            return locked_player
        _check_preferences_allowed(change.drive)
        locked_player.stays_seated = is_stationary
        locked_player.save(update_fields=["stays_seated"])
        change.audit_location = {"player": locked_player.number}
        change.audit_after = {"stays": is_stationary}
        adapt_rounds(change.drive, change.drive.at_round + 1, by=by)
    return locked_player


def _check_preferences_allowed(drive: Drive) -> None:
    play_form = find_play_form(drive.form)
    if play_form.move_players is not None:
        raise DriveActionNotAllowed(
            _("Results decide who moves, so no one can be stationary or kept apart.")
        )
    if play_form.has_fixed_partners:
        raise DriveActionNotAllowed(
            _("Pairs stay together, so no one can be stationary or kept apart.")
        )


@transaction.atomic
def set_house_players(
    *, drive: Drive, house_player_names: Sequence[str], by: Actor
) -> list[DrivePlayer]:
    """Set the house players: at most three volunteers who fill the last table.

    If there are fewer names than before, surplus house players leave. House players are not
    ranked, and repeated meetings with them do not count.
    """
    with record_seat_change(drive, "drive.house", by=by) as change:
        locked_drive = change.drive
        if len(house_player_names) > MAX_HOUSE_PLAYERS:
            raise DriveActionNotAllowed(_("Enter at most %(most)s stand-ins.") % {"most": 3})
        current_players = list(
            locked_drive.players.filter(house=True, to_round=None).order_by("-number")
        )
        change.audit_before = {"house": len(current_players)}
        change.audit_after = {"house": len(house_player_names)}
        if [player.name for player in current_players] == list(house_player_names):
            return current_players
        for name in house_player_names:
            _check_house_player_name(name)
        first_round_number = _find_first_affected_round(
            locked_drive, applies_to_current_round=False
        )
        for player in current_players[len(house_player_names) :]:
            player.to_round = first_round_number - 1
            player.save(update_fields=["to_round"])
        remaining_players = current_players[: len(house_player_names)]
        for player, name in zip(remaining_players, house_player_names, strict=False):
            player.name = name
            player.save(update_fields=["name"])
        new_players = create_house_players(
            locked_drive, house_player_names[len(remaining_players) :], first_round_number
        )
        if len(remaining_players) != len(current_players) or new_players:
            adapt_rounds(locked_drive, first_round_number, by=by)
    return [*remaining_players, *new_players]


def create_house_players(
    drive: Drive, house_player_names: Sequence[str], first_round_number: int = 1
) -> list[DrivePlayer]:
    """Create house players with the next negative numbers.

    The caller records the act in the history.
    """
    has_players = drive.players.aggregate(least=Max("number"))["least"] is not None
    lowest_number = (
        min([0, *drive.players.values_list("number", flat=True)]) if has_players else 0
    )
    house_players = [
        DrivePlayer(
            drive=drive,
            number=player_number,
            name=name,
            house=True,
            from_round=first_round_number,
        )
        for player_number, name in zip(
            range(lowest_number - 1, lowest_number - 1 - len(house_player_names), -1),
            house_player_names,
            strict=True,
        )
    ]
    for house_player in house_players:
        _check_house_player_name(house_player.name)
    return DrivePlayer.objects.bulk_create(house_players)


def _check_house_player_name(name: str) -> None:
    max_length = DrivePlayer._meta.get_field("name").max_length or 0
    if not name or not name.isprintable():
        raise DriveActionNotAllowed(_("The name contains characters that aren’t allowed."))
    if len(name) > max_length:
        message = _("Use %(most)s characters or fewer for a name.")
        raise DriveActionNotAllowed(message % {"most": max_length})
