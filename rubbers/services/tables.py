"""Services for the members, seats and substitutes of a table."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, Undo
from clubs.errors import ActionUnavailable
from clubs.names.tidy import build_name_key, clean_name
from rubbers.errors import RubberConflict, RubberRefused
from rubbers.files.night_file import (
    CUT_BY_CARDS,
    CUT_BY_LOT,
    build_lot_label,
    build_stored_cuts_data,
)
from rubbers.models import Belonging, RubberHand, RubberNight, RubberPlayer, RubberTable, Spell
from rubbers.rubber.cuts import MAX_TABLE_MEMBERS, PLAYERS_PER_TABLE
from rubbers.rubber.dummy import is_valid_seating
from rubbers.rubber.errors import UnreadableRubber
from rubbers.rubber.seating import Cuts, Seating, decide_seating, decide_seats_by_draw
from rubbers.services.nights import MAX_TABLES, NewRubberPlayer, create_player
from rubbers.services.table_acts import (
    build_table_subject,
    check_has_no_drive,
    check_is_open,
    load_table,
    lock_table,
    record_table_act,
)
from rubbers.snapshot import DUMMY_NUMBER, TableSnapshot
from server.json_reader.problems import can_be_stored


class CutsRequired(RubberRefused):
    """Players have to cut before the table can be seated.

    `seating` has the players and the purpose of the next cut; `cuts` has the previous cuts.
    """

    code = "cut_again"

    def __init__(self, message: str, seating: Seating, cuts: Cuts) -> None:
        super().__init__(message)
        self.seating = seating
        self.cuts = cuts


@transaction.atomic
def add_table(*, night: RubberNight, number: int | None = None, by: Actor) -> RubberTable:
    """Add a table without members to a night; by default, with the highest number + 1."""
    locked_night = lock_activity(night)
    check_has_no_drive(locked_night)
    check_is_open(locked_night)
    existing_numbers = [table.number for table in locked_night.tables.all()]
    if number in existing_numbers:
        return locked_night.tables.get(number=number)
    new_number = number or max(existing_numbers, default=0) + 1
    if not 1 <= new_number <= MAX_TABLES:
        message = _("Enter 1–%(most)s tables for a night.")
        raise RubberRefused(message % {"most": MAX_TABLES})
    rubber_table = RubberTable.objects.create(night=locked_night, number=new_number)
    record_table_act(by, "rubbers.table_added", rubber_table, "rubbers.drop_table")
    return rubber_table


@transaction.atomic
def delete_table(*, night: RubberNight, table: int, by: Actor) -> None:
    """Delete a table that has no members, seats or hands; otherwise raise ActionUnavailable."""
    locked_night = lock_activity(night)
    check_has_no_drive(locked_night)
    _night, table_snapshot = load_table(locked_night, table)
    table_row = table_snapshot.row
    if table_snapshot.spells or table_snapshot.night.members or table_row.hands.exists():
        raise ActionUnavailable(_("This table has players or scores, so it can’t be removed."))
    table_row.delete()
    increment_revision(locked_night)
    audit.record(
        by,
        "rubbers.table_dropped",
        subject=locked_night,
        where={"table": table},
        undo=Undo((build_table_subject(table_row),), "rubbers.add_table", {"number": table}),
    )


@transaction.atomic
def join_table(
    *,
    night: RubberNight,
    table: int,
    guest: NewRubberPlayer | None = None,
    number: int | None = None,
    by: Actor,
) -> RubberPlayer:
    """Make a person a member of a table: `guest`, or the player with the number `number`.

    The member plays from the next rubber. A player who left the table becomes a member again.
    """
    snapshot, table_snapshot = lock_table(night, table, should_refuse_drive=True)
    player = _find_or_create_player(snapshot.row, guest, number)
    if player.number in table_snapshot.present_members:
        return player
    for other_table in snapshot.tables.values():
        if player.number in other_table.present_members:
            message = _("%(name)s is at table %(table)s and must leave it first.")
            message_values = {"name": player.full_name, "table": other_table.row.number}
            raise RubberRefused(message % message_values)
    if len(table_snapshot.present_members) >= MAX_TABLE_MEMBERS:
        message = _("The table is full (six players). There’s no place for %(name)s.")
        raise RubberRefused(message % {"name": player.full_name})
    first_spell_number = _find_first_spell_number(table_snapshot, player)
    _save_membership(table_snapshot, player, first_spell_number, None, "rubbers.joined", by)
    return player


def _find_or_create_player(
    night: RubberNight, guest: NewRubberPlayer | None, player_number: int | None
) -> RubberPlayer:
    """Return the player `player_number` or with the guest's name; create one if needed."""
    if player_number is not None:
        player = night.players.filter(number=player_number).first()
        if player is None:
            raise RubberRefused(_("Player %(number)s not found.") % {"number": player_number})
        return player
    guest = guest or NewRubberPlayer()
    guest_name = guest.player.name if guest.player else clean_name(guest.name)
    players = night.players.select_related("player")
    players_by_key = {build_name_key(player.full_name): player for player in players}
    return players_by_key.get(build_name_key(guest_name)) or create_player(night, guest)


def _find_first_spell_number(table_snapshot: TableSnapshot, player: RubberPlayer) -> int:
    membership = Belonging.objects.filter(table=table_snapshot.row, holder=player).first()
    return membership.since if membership else len(table_snapshot.spells) + 1


@transaction.atomic
def remove_table_member(*, night: RubberNight, table: int, number: int, by: Actor) -> None:
    """End a player's membership of a table; a rubber in play is scored as unfinished.

    Raises RubberRefused if the player has never been a member.
    """
    _night, table_snapshot = lock_table(night, table, should_refuse_drive=True)
    membership = Belonging.objects.filter(
        table=table_snapshot.row, holder__number=number
    ).first()
    if membership is None:
        message = _("Player %(number)s isn’t at this table.")
        raise RubberRefused(message % {"number": number})
    if number not in table_snapshot.present_members:
        return
    last_spell_number = max(len(table_snapshot.spells), membership.since - 1)
    _save_membership(
        table_snapshot,
        membership.holder,
        membership.since,
        last_spell_number,
        "rubbers.left",
        by,
    )


@transaction.atomic
def restore_membership(
    *,
    night: RubberNight,
    table: int,
    number: int,
    since: int,
    until: int | None,
    gone: bool,
    by: Actor,
) -> None:
    """Give a membership the values that it had before an act.

    If `gone` is true, the act created the membership, and it is deleted.
    """
    snapshot, table_snapshot = lock_table(night, table)
    player = snapshot.row.players.filter(number=number).first()
    if player is None:
        raise ActionUnavailable(_("Can’t undo: this no longer exists."))
    if not gone and number not in table_snapshot.present_members and until is None:
        if len(table_snapshot.present_members) >= MAX_TABLE_MEMBERS:
            raise ActionUnavailable(_("The table now has six players."))
        other_tables = [
            other_table
            for other_table in snapshot.tables.values()
            if other_table.row.pk != table_snapshot.row.pk
        ]
        if any(number in other_table.present_members for other_table in other_tables):
            message = _("%(name)s is now at another table.")
            raise ActionUnavailable(message % {"name": player.name})
    _save_membership(
        table_snapshot,
        player,
        since,
        until,
        "rubbers.belonging_put_back",
        by,
        should_delete=gone,
    )


def _save_membership(
    table_snapshot: TableSnapshot,
    player: RubberPlayer,
    first_spell_number: int,
    last_spell_number: int | None,
    action: str,
    by: Actor,
    *,
    should_delete: bool = False,
) -> None:
    membership = Belonging.objects.filter(table=table_snapshot.row, holder=player).first()
    old_values = {
        "since": membership.since if membership else first_spell_number,
        "until": membership.until if membership else None,
        "gone": membership is None,
    }
    if should_delete:
        Belonging.objects.filter(table=table_snapshot.row, holder=player).delete()
    else:
        Belonging.objects.update_or_create(
            table=table_snapshot.row,
            holder=player,
            defaults={"since": first_spell_number, "until": last_spell_number},
        )
    _check_table_valid(table_snapshot)
    undo_arguments = {"number": player.number, **old_values}
    new_values = {"name": player.full_name}
    record_table_act(
        by, action, table_snapshot.row, "rubbers.belong", undo_arguments, after=new_values
    )


def _check_table_valid(table_snapshot: TableSnapshot) -> None:
    """Load a table again after a change.

    Raises ActionUnavailable if the table's stored data is now invalid.
    """
    try:
        load_table(table_snapshot.row.night, table_snapshot.row.number)
    except UnreadableRubber as problem:
        raise ActionUnavailable(str(problem)) from None


@transaction.atomic
def seat_next_players(
    *,
    night: RubberNight,
    table: int,
    spell: int,
    seating_mode: str,
    cuts: Cuts | None = None,
    seats: Sequence[int] = (),
    dealer: int | None = None,
    by: Actor,
) -> Spell:
    """Seat the next four players of a table.

    `seating_mode` is "lot" (the seats are drawn), "cards" (the seats follow from `cuts`), or ""
    (the players chose `seats` and `dealer`). `spell` is the number of the spell that the page
    shows. A repeated request changes nothing. Raises CutsRequired if players with equal cards
    have to cut again, and RubberConflict if other players have been seated in the meantime.
    """
    snapshot, table_snapshot = lock_table(night, table, should_refuse_drive=True)
    existing_spell = next(
        (old_spell for old_spell in table_snapshot.spells if old_spell.number == spell), None
    )
    if existing_spell is not None:
        old_seats = existing_spell.seats
        if seating_mode == CUT_BY_LOT or (list(seats) or old_seats) == old_seats:
            return existing_spell
        raise RubberConflict(
            _("Different players have just been seated. Check the table first.")
        )
    _check_is_next_spell(table_snapshot, spell)
    cuts_data: dict[str, Any] = {}
    if seating_mode == "":
        new_seats = _check_chosen_seats(table_snapshot, seats, dealer)
        first_dealer = DUMMY_NUMBER if DUMMY_NUMBER in new_seats else dealer or new_seats[0]
    else:
        new_seats, first_dealer, cuts_data = _decide_seats_by_cuts(
            snapshot.row, table_snapshot, spell, seating_mode, cuts or Cuts()
        )
    return _save_spell(table_snapshot, spell, new_seats, first_dealer, cuts_data, by)


def _check_is_next_spell(table_snapshot: TableSnapshot, spell_number: int) -> None:
    if spell_number != len(table_snapshot.spells) + 1:
        raise RubberConflict(
            _("Different players have just been seated. Check the table first.")
        )
    hands = table_snapshot.stored_hands[-1] if table_snapshot.stored_hands else ()
    if (
        not table_snapshot.is_over
        and hands
        and not table_snapshot.scored_spells[-1].hands[-1].won_game
    ):
        raise ActionUnavailable(_("A game is in play. Change seats when it is over."))


def _check_chosen_seats(
    table_snapshot: TableSnapshot, seats: Sequence[int], dealer: int | None
) -> list[int]:
    chosen_seats, members = list(seats), set(table_snapshot.present_members)
    players = set(chosen_seats) - {DUMMY_NUMBER}
    if not is_valid_seating(list(map(str, chosen_seats))) or (
        DUMMY_NUMBER in chosen_seats and len(members) >= PLAYERS_PER_TABLE
    ):
        raise RubberRefused(_("Choose four different players."))
    if not players <= members:
        raise RubberRefused(_("Choose only players at this table."))
    if DUMMY_NUMBER in chosen_seats and players != members:
        raise RubberRefused(_("Three play with one dummy, two with a dummy each."))
    if dealer is not None and dealer not in chosen_seats:
        raise RubberRefused(_("Choose one of the four as dealer."))
    if DUMMY_NUMBER in chosen_seats and dealer not in (None, DUMMY_NUMBER):
        raise RubberRefused(_("Dummy deals first in each rubber."))
    return chosen_seats


def _decide_seats_by_cuts(
    night: RubberNight,
    table_snapshot: TableSnapshot,
    spell_number: int,
    cut_source: str,
    cuts: Cuts,
) -> tuple[list[int], int, dict[str, Any]]:
    if cut_source == CUT_BY_LOT:
        secret = bytes(night.secret or b"")
        if not secret:
            raise ActionUnavailable(
                _("This imported night has no secret for draws. Cut cards at the table.")
            )
        seating, cuts = decide_seats_by_draw(
            table_snapshot.night,
            secret,
            build_lot_label(night.uid, table_snapshot.row.number, spell_number),
        )
    elif cut_source == CUT_BY_CARDS:
        seating = decide_seating(table_snapshot.night, cuts)
    else:
        raise RubberRefused(_("Choose seats by draw, by cards or freely."))
    if seating.seats is None:
        raise CutsRequired(_("Equal cards: cut again."), seating, cuts)
    number_by_name = {
        str(player_number): player_number
        for player_number in (*table_snapshot.present_members, DUMMY_NUMBER)
    }
    new_seats = [number_by_name[name] for name in seating.seats]
    return new_seats, number_by_name[seating.dealer], build_stored_cuts_data(cut_source, cuts)


def _save_spell(
    table_snapshot: TableSnapshot,
    spell_number: int,
    new_seats: list[int],
    dealer: int,
    cuts_data: dict[str, Any],
    by: Actor,
) -> Spell:
    new_spell = Spell.objects.create(
        table=table_snapshot.row,
        number=spell_number,
        seats=new_seats,
        dealer=dealer,
        cuts=cuts_data,
    )
    spell_arguments = {"spell": spell_number}
    new_values = {
        "seats": _format_sides(table_snapshot.row.night, new_seats),
        "by": cuts_data.get("by", ""),
    }
    record_table_act(
        by,
        "rubbers.seated",
        table_snapshot.row,
        "rubbers.unseat",
        spell_arguments,
        where=spell_arguments,
        after=new_values,
    )
    return new_spell


def _format_sides(night: RubberNight, seats: Sequence[int]) -> str:
    """Return the names of both sides as a text for the history."""
    name_by_number = {
        player.number: player.full_name for player in night.players.select_related("player")
    }
    name_by_number[DUMMY_NUMBER] = _("Dummy")
    player_1, player_2, player_3, player_4 = (
        name_by_number[player_number] for player_number in seats
    )
    return f"{player_1} + {player_2} – {player_3} + {player_4}"


@transaction.atomic
def undo_seating(*, night: RubberNight, table: int, spell: int, by: Actor) -> None:
    """Undo the seating of the last spell; raise ActionUnavailable if the spell has hands."""
    snapshot, table_snapshot = lock_table(night, table)
    spells = table_snapshot.spells
    if not spells or spells[-1].number != spell or table_snapshot.stored_hands[-1]:
        raise ActionUnavailable(
            _("They’ve played since they were seated. Undo their hands first.")
        )
    last_spell = spells[-1]
    spell_arguments = {"spell": spell}
    undo_arguments = spell_arguments | {
        "seats": last_spell.seats,
        "dealer": last_spell.dealer,
        "cuts": last_spell.cuts,
    }
    Spell.objects.filter(pk=last_spell.pk).delete()
    RubberHand.objects.filter(table=table_snapshot.row, spell=spell, told={}).exclude(
        versions__isnull=False
    ).delete()
    _check_table_valid(table_snapshot)
    old_seats = {"seats": _format_sides(snapshot.row, last_spell.seats)}
    record_table_act(
        by,
        "rubbers.unseated",
        table_snapshot.row,
        "rubbers.seat",
        undo_arguments,
        where=spell_arguments,
        before=old_seats,
    )


@transaction.atomic
def restore_seating(
    *,
    night: RubberNight,
    table: int,
    spell: int,
    seats: Sequence[int],
    dealer: int,
    cuts: dict[str, Any],
    by: Actor,
) -> Spell:
    """Restore a seating that was undone, with its cuts."""
    _night, table_snapshot = lock_table(night, table)
    _check_is_next_spell(table_snapshot, spell)
    return _save_spell(
        table_snapshot,
        spell,
        _check_chosen_seats(table_snapshot, seats, dealer),
        dealer,
        dict(cuts),
        by,
    )


@transaction.atomic
def substitute_player_at_table(
    *, night: RubberNight, table: int, number: int, name: str, by: Actor
) -> Spell:
    """Let a substitute play for one of the four players; the name "" ends the substitution.

    The points are still the member's. Raises RubberRefused.
    """
    _night, table_snapshot = lock_table(night, table, should_refuse_drive=True)
    substitute_name = clean_name(name)
    if number not in table_snapshot.current_seats or number == DUMMY_NUMBER:
        raise RubberRefused(_("Choose which of the four players the substitute replaces."))
    if (
        not substitute_name.isprintable()
        or not can_be_stored(substitute_name)
        or len(substitute_name) > 100
    ):
        raise RubberRefused(_("Enter everyone’s name in letters."))
    current_spell = table_snapshot.spells[-1]
    old_substitute_name = current_spell.substitutes.get(str(number), "")
    if old_substitute_name == substitute_name:
        return current_spell
    substitutes = current_spell.substitutes | {str(number): substitute_name}
    current_spell.substitutes = {
        member: member_substitute
        for member, member_substitute in substitutes.items()
        if member_substitute
    }
    current_spell.save(update_fields=["substitutes"])
    record_table_act(
        by,
        "rubbers.substitute",
        table_snapshot.row,
        "rubbers.substitute",
        {"number": number, "name": old_substitute_name},
        where={"number": number},
        before={"name": old_substitute_name},
        after={"name": substitute_name},
    )
    return current_spell
