"""Services for the members, seats and substitutes of a table."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, Undo
from clubs.errors import NotNow
from clubs.names.tidy import build_name_key, clean_name
from rubbers.errors import RubberConflict, RubberRefused
from rubbers.files.night_file import CARDS, LOT, build_cuts, build_lot_label
from rubbers.models import Belonging, RubberHand, RubberNight, RubberPlayer, RubberTable, Spell
from rubbers.rubber.cuts import MAX_MEMBERS, PLAYERS_PER_TABLE
from rubbers.rubber.dummy import is_seating
from rubbers.rubber.errors import UnreadableRubber
from rubbers.rubber.seating import Cuts, Seating, decide_by_lot, decide_seating
from rubbers.services.nights import MAX_TABLES, NewRubberPlayer, create_player
from rubbers.services.table_acts import (
    build_table_subject,
    check_not_of_drive,
    check_open,
    load_table,
    lock_table,
    record_table_act,
)
from rubbers.snapshot import DUMMY_NUMBER, TableSnapshot
from server.json_reader.problems import can_be_stored


class CutsNeeded(RubberRefused):
    """Refusal while players have to cut: the players, the purpose and the cards so far."""

    code = "cut_again"

    def __init__(self, words: str, wanted: Seating, cuts: Cuts) -> None:
        super().__init__(words)
        self.wanted = wanted
        self.cuts = cuts


@transaction.atomic
def add_table(*, night: RubberNight, number: int | None = None, by: Actor) -> RubberTable:
    """Add a table to a night; members join it separately. The number is optional."""
    row = lock_activity(night)
    check_not_of_drive(row)
    check_open(row)
    known = [table.number for table in row.tables.all()]
    if number in known:
        return row.tables.get(number=number)
    wanted = number or max(known, default=0) + 1
    if not 1 <= wanted <= MAX_TABLES:
        words = _("A night has 1 to %(most)s tables.")
        raise RubberRefused(words % {"most": MAX_TABLES})
    table = RubberTable.objects.create(night=row, number=wanted)
    record_table_act(by, "rubbers.table_added", table, "rubbers.drop_table")
    return table


@transaction.atomic
def delete_table(*, night: RubberNight, table: int, by: Actor) -> None:
    """Delete a table without members, seats or hands. Raises NotNow."""
    row = lock_activity(night)
    check_not_of_drive(row)
    _held, at = load_table(row, table)
    if at.spells or at.night.members or at.row.hands.exists():
        raise NotNow(_("This table has players or scores, so it can't be removed."))
    at.row.delete()
    increment_revision(row)
    audit.record(
        by,
        "rubbers.table_dropped",
        subject=row,
        where={"table": table},
        back=Undo((build_table_subject(at.row),), "rubbers.add_table", {"number": table}),
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
    """Add a member to a table from its next rubber on: a new guest, or a player by number.

    A member who left this table belongs to it again. Raises RubberRefused.
    """
    snapshot, at = lock_table(night, table, is_own=True)
    holder = _find_or_create_player(snapshot.row, guest, number)
    if holder.number in at.present_members:
        return holder
    for other in snapshot.tables.values():
        if holder.number in other.present_members:
            words = _("%(name)s is at table %(table)s and must leave it first.")
            data = {"name": holder.full_name, "table": other.row.number}
            raise RubberRefused(words % data)
    if len(at.present_members) >= MAX_MEMBERS:
        words = _("The table is full (six players). There's no place for %(name)s.")
        raise RubberRefused(words % {"name": holder.full_name})
    _write_membership(at, holder, _find_first_spell(at, holder), None, "rubbers.joined", by)
    return holder


def _find_or_create_player(
    row: RubberNight, guest: NewRubberPlayer | None, number: int | None
) -> RubberPlayer:
    """Return the player who joins: one by number or by name, or a new player."""
    if number is not None:
        found = row.players.filter(number=number).first()
        if found is None:
            raise RubberRefused(_("Player %(number)s not found.") % {"number": number})
        return found
    guest = guest or NewRubberPlayer()
    wanted = guest.player.name if guest.player else clean_name(guest.name)
    players = row.players.select_related("player")
    known = {build_name_key(each.full_name): each for each in players}
    return known.get(build_name_key(wanted)) or create_player(row, guest)


def _find_first_spell(at: TableSnapshot, holder: RubberPlayer) -> int:
    kept = Belonging.objects.filter(table=at.row, holder=holder).first()
    return kept.since if kept else len(at.spells) + 1


@transaction.atomic
def leave_table(*, night: RubberNight, table: int, number: int, by: Actor) -> None:
    """Remove a member from a table; a rubber in play is broken off and counts by its term.

    Raises RubberRefused.
    """
    _held, at = lock_table(night, table, is_own=True)
    kept = Belonging.objects.filter(table=at.row, holder__number=number).first()
    if kept is None:
        words = _("Player %(number)s isn't at this table.")
        raise RubberRefused(words % {"number": number})
    if number not in at.present_members:
        return
    until = max(len(at.spells), kept.since - 1)
    _write_membership(at, kept.holder, kept.since, until, "rubbers.left", by)


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
    """Restore a membership to its state before an act; `gone` means that there was none."""
    snapshot, at = lock_table(night, table)
    holder = snapshot.row.players.filter(number=number).first()
    if holder is None:
        raise NotNow(_("Can't undo: this no longer exists."))
    if not gone and number not in at.present_members and until is None:
        if len(at.present_members) >= MAX_MEMBERS:
            raise NotNow(_("The table now has six players."))
        others = [t for t in snapshot.tables.values() if t.row.pk != at.row.pk]
        if any(number in other.present_members for other in others):
            raise NotNow(_("%(name)s is now at another table.") % {"name": holder.name})
    _write_membership(at, holder, since, until, "rubbers.belonging_put_back", by, gone=gone)


def _write_membership(
    at: TableSnapshot,
    holder: RubberPlayer,
    since: int,
    until: int | None,
    action: str,
    by: Actor,
    *,
    gone: bool = False,
) -> None:
    kept = Belonging.objects.filter(table=at.row, holder=holder).first()
    before = {
        "since": kept.since if kept else since,
        "until": kept.until if kept else None,
        "gone": kept is None,
    }
    if gone:
        Belonging.objects.filter(table=at.row, holder=holder).delete()
    else:
        Belonging.objects.update_or_create(
            table=at.row, holder=holder, defaults={"since": since, "until": until}
        )
    _check_table_valid(at)
    given = {"number": holder.number, **before}
    record_table_act(
        by, action, at.row, "rubbers.belong", given, after={"name": holder.full_name}
    )


def _check_table_valid(at: TableSnapshot) -> None:
    """Load a table again after a write; raise NotNow if its rows have become impossible."""
    try:
        load_table(at.row.night, at.row.number)
    except UnreadableRubber as problem:
        raise NotNow(str(problem)) from None


@transaction.atomic
def seat_next(
    *,
    night: RubberNight,
    table: int,
    spell: int,
    how: str,
    cuts: Cuts | None = None,
    seats: Sequence[int] = (),
    dealer: int | None = None,
    by: Actor,
) -> Spell:
    """Seat the next four: by `lot`, by `cards` that were cut, or in `seats` that they chose.

    `spell` is the number that the page showed; a repeated request is idempotent. Raises
    CutsNeeded while equals have to cut, RubberConflict where others were seated since.
    """
    snapshot, at = lock_table(night, table, is_own=True)
    standing = next((each for each in at.spells if each.number == spell), None)
    if standing is not None:
        if how == LOT or (list(seats) or standing.seats) == standing.seats:
            return standing
        raise RubberConflict(
            _("Different players have just been seated. Check the table first.")
        )
    _check_turn(at, spell)
    data: dict[str, Any] = {}
    if how == "":
        four = _check_chosen_seats(at, seats, dealer)
        first = DUMMY_NUMBER if DUMMY_NUMBER in four else dealer or four[0]
    else:
        four, first, data = _seat_by_cuts(snapshot.row, at, spell, how, cuts or Cuts())
    return _write_spell(at, spell, four, first, data, by)


def _check_turn(at: TableSnapshot, spell: int) -> None:
    if spell != len(at.spells) + 1:
        raise RubberConflict(
            _("Different players have just been seated. Check the table first.")
        )
    hands = at.stored_hands[-1] if at.stored_hands else ()
    if not at.is_over and hands and not at.scored_spells[-1].hands[-1].game:
        raise NotNow(_("A game is in play. Change seats when it is over."))


def _check_chosen_seats(
    at: TableSnapshot, seats: Sequence[int], dealer: int | None
) -> list[int]:
    four = list(seats)
    players = [number for number in four if number != DUMMY_NUMBER]
    if not is_seating(list(map(str, four))) or (
        DUMMY_NUMBER in four and len(at.present_members) >= PLAYERS_PER_TABLE
    ):
        raise RubberRefused(_("Choose four different players."))
    if any(number not in at.present_members for number in players):
        raise RubberRefused(_("Choose only players of this table."))
    if DUMMY_NUMBER in four and set(players) != set(at.present_members):
        raise RubberRefused(_("Three play with one dummy, two with a dummy each."))
    if dealer is not None and dealer not in four:
        raise RubberRefused(_("Choose one of the four as dealer."))
    if DUMMY_NUMBER in four and dealer not in (None, DUMMY_NUMBER):
        raise RubberRefused(_("Dummy deals first in each rubber."))
    return four


def _seat_by_cuts(
    row: RubberNight, at: TableSnapshot, spell: int, how: str, cuts: Cuts
) -> tuple[list[int], int, dict[str, Any]]:
    if how == LOT:
        secret = bytes(row.secret or b"")
        if not secret:
            raise NotNow(
                _("This imported night has no secret for draws. Cut cards at the table.")
            )
        found, cuts = decide_by_lot(
            at.night, secret, build_lot_label(row.uid, at.row.number, spell)
        )
    elif how == CARDS:
        found = decide_seating(at.night, cuts)
    else:
        raise RubberRefused(_("Choose seats by draw, by cards or freely."))
    if found.seats is None:
        raise CutsNeeded(_("Equal cards: cut again."), found, cuts)
    numbers = {str(number): number for number in (*at.present_members, DUMMY_NUMBER)}
    four = [numbers[name] for name in found.seats]
    return four, numbers[found.dealer], build_cuts(how, cuts)


def _write_spell(
    at: TableSnapshot,
    spell: int,
    four: list[int],
    dealer: int,
    cuts: dict[str, Any],
    by: Actor,
) -> Spell:
    made = Spell.objects.create(
        table=at.row, number=spell, seats=four, dealer=dealer, cuts=cuts
    )
    which = {"spell": spell}
    after = {"seats": _format_sides(at.row.night, four), "by": cuts.get("by", "")}
    record_table_act(
        by, "rubbers.seated", at.row, "rubbers.unseat", which, where=which, after=after
    )
    return made


def _format_sides(row: RubberNight, seats: Sequence[int]) -> str:
    """Return the names of the two sides for the history."""
    names = {each.number: each.full_name for each in row.players.select_related("player")}
    names[DUMMY_NUMBER] = _("Dummy")
    one, two, three, four = (names[number] for number in seats)
    return f"{one} + {two} – {three} + {four}"


@transaction.atomic
def undo_seating(*, night: RubberNight, table: int, spell: int, by: Actor) -> None:
    """Undo the seating of the last four, if they have no hand yet. Raises NotNow."""
    snapshot, at = lock_table(night, table)
    if not at.spells or at.spells[-1].number != spell or at.stored_hands[-1]:
        raise NotNow(_("They have played since then. First undo their hands."))
    last = at.spells[-1]
    which = {"spell": spell}
    kept = which | {"seats": last.seats, "dealer": last.dealer, "cuts": last.cuts}
    Spell.objects.filter(pk=last.pk).delete()
    RubberHand.objects.filter(table=at.row, spell=spell, told={}).exclude(
        versions__isnull=False
    ).delete()
    _check_table_valid(at)
    before = {"seats": _format_sides(snapshot.row, last.seats)}
    record_table_act(
        by, "rubbers.unseated", at.row, "rubbers.seat", kept, where=which, before=before
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
    """Restore an undone seating, with the cards that were cut for it."""
    _held, at = lock_table(night, table)
    _check_turn(at, spell)
    return _write_spell(
        at, spell, _check_chosen_seats(at, seats, dealer), dealer, dict(cuts), by
    )


@transaction.atomic
def substitute_at_table(
    *, night: RubberNight, table: int, number: int, name: str, by: Actor
) -> Spell:
    """Let a substitute play for one of the four, with the others' consent; "" ends it.

    The seat and its points stay the member's. Raises RubberRefused.
    """
    _held, at = lock_table(night, table, is_own=True)
    typed = clean_name(name)
    if number not in at.current_seats or number == DUMMY_NUMBER:
        raise RubberRefused(_("Choose which of the four players the substitute replaces."))
    if not typed.isprintable() or not can_be_stored(typed) or len(typed) > 100:
        raise RubberRefused(_("Enter a readable name for everyone."))
    spell = at.spells[-1]
    before = spell.substitutes.get(str(number), "")
    if before == typed:
        return spell
    spell.substitutes = {
        who: name for who, name in (spell.substitutes | {str(number): typed}).items() if name
    }
    spell.save(update_fields=["substitutes"])
    record_table_act(
        by,
        "rubbers.substitute",
        at.row,
        "rubbers.substitute",
        {"number": number, "name": before},
        where={"number": number},
        before={"name": before},
        after={"name": typed},
    )
    return spell
