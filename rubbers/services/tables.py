"""Services for the members, seats and substitutes of a table."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import lock, touch
from clubs.audit import Actor, Back
from clubs.errors import NotNow
from clubs.names.tidy import clean_name, name_key
from rubbers.errors import RubberMeanwhile, RubberRefused
from rubbers.files.night_file import CARDS, LOT, cuts_data, label
from rubbers.held import NOBODY, HeldTable
from rubbers.models import Belonging, RubberHand, RubberNight, RubberPlayer, RubberTable, Spell
from rubbers.rubber.cutting import FULL_TABLE, PLAYERS
from rubbers.rubber.dummy import is_seating
from rubbers.rubber.errors import UnreadableRubber
from rubbers.rubber.seating import Cuts, Seating, by_lot, seating
from rubbers.services.nights import MOST_TABLES, Guest, write_player
from rubbers.services.table_acts import (
    open_table,
    own_night,
    record,
    still_open,
    table_key,
    table_of,
)
from server.json_reader.problems import can_be_stored


class CutAgain(RubberRefused):
    """Refusal while equals still have to cut: the players, the purpose and the cards so far."""

    code = "cut_again"

    def __init__(self, words: str, wanted: Seating, cuts: Cuts) -> None:
        super().__init__(words)
        self.wanted = wanted
        self.cuts = cuts


@transaction.atomic
def add_rubber_table(
    *, night: RubberNight, number: int | None = None, by: Actor
) -> RubberTable:
    """Add a table to a night; members join it separately. The number is optional."""
    row = lock(night)
    own_night(row)
    still_open(row)
    known = [table.number for table in row.tables.all()]
    if number in known:
        return row.tables.get(number=number)
    wanted = number or max(known, default=0) + 1
    if not 1 <= wanted <= MOST_TABLES:
        words = _("A night has 1 to %(most)s tables.")
        raise RubberRefused(words % {"most": MOST_TABLES})
    table = RubberTable.objects.create(night=row, number=wanted)
    record(by, "rubbers.table_added", table, "rubbers.drop_table")
    return table


@transaction.atomic
def drop_rubber_table(*, night: RubberNight, table: int, by: Actor) -> None:
    """Delete a table without members, seats or hands. Raises NotNow."""
    row = lock(night)
    own_night(row)
    _held, at = table_of(row, table)
    if at.spells or at.night.members or at.row.hands.exists():
        raise NotNow(_("Somebody belongs to this table, or has played at it."))
    at.row.delete()
    touch(row)
    audit.record(
        by,
        "rubbers.table_dropped",
        subject=row,
        where={"table": table},
        back=Back((table_key(at.row),), "rubbers.add_table", {"number": table}),
    )


@transaction.atomic
def join_table(
    *,
    night: RubberNight,
    table: int,
    guest: Guest | None = None,
    number: int | None = None,
    by: Actor,
) -> RubberPlayer:
    """Add a member to a table from its next rubber on: a new guest, or a player by number.

    A member who left this table belongs to it again. Raises RubberRefused.
    """
    held, at = open_table(night, table, is_own=True)
    holder = _holder(held.row, guest, number)
    if holder.number in at.there:
        return holder
    for other in held.tables.values():
        if holder.number in other.there:
            words = _("%(name)s belongs to table %(table)s and leaves it first.")
            told = {"name": holder.full_name, "table": other.row.number}
            raise RubberRefused(words % told)
    if len(at.there) >= FULL_TABLE:
        words = _("Six belong to a full table: it has no room for %(name)s.")
        raise RubberRefused(words % {"name": holder.full_name})
    _write_belonging(at, holder, _since(at, holder), None, "rubbers.joined", by)
    return holder


def _holder(row: RubberNight, guest: Guest | None, number: int | None) -> RubberPlayer:
    """Return who joins: a player by number or by name, or a new player."""
    if number is not None:
        found = row.players.filter(number=number).first()
        if found is None:
            raise RubberRefused(_("Nobody has the number %(number)s.") % {"number": number})
        return found
    guest = guest or Guest()
    wanted = guest.player.name if guest.player else clean_name(guest.name)
    players = row.players.select_related("player")
    known = {name_key(each.full_name): each for each in players}
    return known.get(name_key(wanted)) or write_player(row, guest)


def _since(at: HeldTable, holder: RubberPlayer) -> int:
    kept = Belonging.objects.filter(table=at.row, holder=holder).first()
    return kept.since if kept else len(at.spells) + 1


@transaction.atomic
def leave_table(*, night: RubberNight, table: int, number: int, by: Actor) -> None:
    """Remove a member from a table; a rubber in play is broken off and counts by its term.

    Raises RubberRefused.
    """
    _held, at = open_table(night, table, is_own=True)
    kept = Belonging.objects.filter(table=at.row, holder__number=number).first()
    if kept is None:
        words = _("Nobody with the number %(number)s belongs to this table.")
        raise RubberRefused(words % {"number": number})
    if number not in at.there:
        return
    until = max(len(at.spells), kept.since - 1)
    _write_belonging(at, kept.holder, kept.since, until, "rubbers.left", by)


@transaction.atomic
def put_belonging(
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
    held, at = open_table(night, table)
    holder = held.row.players.filter(number=number).first()
    if holder is None:
        raise NotNow(_("What this was about is there no more."))
    if not gone and number not in at.there and until is None:
        if len(at.there) >= FULL_TABLE:
            raise NotNow(_("Six belong to the table by now."))
        others = [t for t in held.tables.values() if t.row.pk != at.row.pk]
        if any(number in other.there for other in others):
            raise NotNow(_("%(name)s belongs to another table now.") % {"name": holder.name})
    _write_belonging(at, holder, since, until, "rubbers.belonging_put_back", by, gone=gone)


def _write_belonging(
    at: HeldTable,
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
    _check_standing(at)
    given = {"number": holder.number, **before}
    record(by, action, at.row, "rubbers.belong", given, after={"name": holder.full_name})


def _check_standing(at: HeldTable) -> None:
    """Load a table again after a write. Raises NotNow if its rows are impossible."""
    try:
        table_of(at.row.night, at.row.number)
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
    """Seat the next four: by the `lot`, by `cards` that were cut, or in `seats` as they like.

    `spell` is the number that the page showed; a repeated request is idempotent. Raises
    CutAgain while equals have to cut, RubberMeanwhile where others were seated since.
    """
    held, at = open_table(night, table, is_own=True)
    standing = next((each for each in at.spells if each.number == spell), None)
    if standing is not None:
        if how == LOT or (list(seats) or standing.seats) == standing.seats:
            return standing
        raise RubberMeanwhile(_("Others have been seated meanwhile. Look again."))
    _check_turn(at, spell)
    data: dict[str, Any] = {}
    if how == "":
        four = _as_they_like(at, seats, dealer)
        first = NOBODY if NOBODY in four else dealer or four[0]
    else:
        four, first, data = _by_cut(held.row, at, spell, how, cuts or Cuts())
    return _write_spell(at, spell, four, first, data, by)


def _check_turn(at: HeldTable, spell: int) -> None:
    if spell != len(at.spells) + 1:
        raise RubberMeanwhile(_("Others have been seated meanwhile. Look again."))
    hands = at.told[-1] if at.told else ()
    if not at.is_over and hands and not at.reckonings[-1].hands[-1].game:
        raise NotNow(_("A game is running: others sit down when it is over."))


def _as_they_like(at: HeldTable, seats: Sequence[int], dealer: int | None) -> list[int]:
    four = list(seats)
    players = [number for number in four if number != NOBODY]
    if not is_seating(list(map(str, four))) or (NOBODY in four and len(at.there) >= PLAYERS):
        raise RubberRefused(_("Four different players sit down."))
    if any(number not in at.there for number in players):
        raise RubberRefused(_("Only those who belong to the table sit down."))
    if NOBODY in four and set(players) != set(at.there):
        raise RubberRefused(_("Three play with one dummy, two with a dummy each."))
    if dealer is not None and dealer not in four:
        raise RubberRefused(_("One of the four deals."))
    if NOBODY in four and dealer not in (None, NOBODY):
        raise RubberRefused(_("Dummy deals first in each rubber."))
    return four


def _by_cut(
    row: RubberNight, at: HeldTable, spell: int, how: str, cuts: Cuts
) -> tuple[list[int], int, dict[str, Any]]:
    if how == LOT:
        secret = bytes(row.secret or b"")
        if not secret:
            raise NotNow(_("This night came without its secret: cut cards at the table."))
        found, cuts = by_lot(at.night, secret, label(row.uid, at.row.number, spell))
    elif how == CARDS:
        found = seating(at.night, cuts)
    else:
        raise RubberRefused(_("Seats come by the lot, by cards, or as they like."))
    if found.seats is None:
        raise CutAgain(_("Equal cards: they cut again."), found, cuts)
    numbers = {str(number): number for number in (*at.there, NOBODY)}
    four = [numbers[name] for name in found.seats]
    return four, numbers[found.dealer], cuts_data(how, cuts)


def _write_spell(
    at: HeldTable,
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
    after = {"seats": _called(at.row.night, four), "by": cuts.get("by", "")}
    record(by, "rubbers.seated", at.row, "rubbers.unseat", which, where=which, after=after)
    return made


def _called(row: RubberNight, seats: Sequence[int]) -> str:
    """Return the names of the two sides for the history."""
    names = {each.number: each.full_name for each in row.players.select_related("player")}
    names[NOBODY] = _("Dummy")
    one, two, three, four = (names[number] for number in seats)
    return f"{one} + {two} – {three} + {four}"


@transaction.atomic
def unseat(*, night: RubberNight, table: int, spell: int, by: Actor) -> None:
    """Undo the seating of the last four, if they have no hand yet. Raises NotNow."""
    held, at = open_table(night, table)
    if not at.spells or at.spells[-1].number != spell or at.told[-1]:
        raise NotNow(_("They have played since. Take their hands back first."))
    last = at.spells[-1]
    which = {"spell": spell}
    kept = which | {"seats": last.seats, "dealer": last.dealer, "cuts": last.cuts}
    Spell.objects.filter(pk=last.pk).delete()
    RubberHand.objects.filter(table=at.row, spell=spell, told={}).exclude(
        versions__isnull=False
    ).delete()
    _check_standing(at)
    before = {"seats": _called(held.row, last.seats)}
    record(by, "rubbers.unseated", at.row, "rubbers.seat", kept, where=which, before=before)


@transaction.atomic
def seat_again(
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
    _held, at = open_table(night, table)
    _check_turn(at, spell)
    return _write_spell(at, spell, _as_they_like(at, seats, dealer), dealer, dict(cuts), by)


@transaction.atomic
def substitute_at_table(
    *, night: RubberNight, table: int, number: int, name: str, by: Actor
) -> Spell:
    """Let a substitute play for one of the four, with the others' consent; "" ends it.

    The seat and its points stay the member's. Raises RubberRefused.
    """
    _held, at = open_table(night, table, is_own=True)
    typed = clean_name(name)
    if number not in at.seated or number == NOBODY:
        raise RubberRefused(_("A substitute plays for one of the four who sit there."))
    if not typed.isprintable() or not can_be_stored(typed) or len(typed) > 100:
        raise RubberRefused(_("Everybody needs a name that can be read."))
    spell = at.spells[-1]
    before = spell.substitutes.get(str(number), "")
    if before == typed:
        return spell
    spell.substitutes = {
        who: name for who, name in (spell.substitutes | {str(number): typed}).items() if name
    }
    spell.save(update_fields=["substitutes"])
    record(
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
