"""Services for the people who check in at the tables before play starts.

The audit subject `about` is the evening's activity. A change locks the evening's row and
records one act with the former values of the changed rows, unless nothing has changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Subject, Undo
from clubs.errors import AlreadyCheckedIn, CheckInRefused
from clubs.evenings.check_in_names import find_person
from clubs.evenings.first_seats import MAX_TABLES, SEATS, Chair
from clubs.models import CheckIn, Evening, Player
from clubs.names.tidy import build_name_key

Kept = dict[str, Any]
Placements = Mapping[int, Chair | None]
"""The new chairs of check-ins by their primary keys; None is no chair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCheckIn:
    """A person who checks in: a player of the club or a typed name, and the chair, if any."""

    name: str = ""
    player: Player | None = None
    chair: Chair | None = None


@dataclass
class CheckInChange:
    """The check-ins of a locked evening during a change."""

    evening: Evening
    rows: list[CheckIn]
    audit_place: dict[str, Any] = field(default_factory=dict)
    audit_before: dict[str, Any] = field(default_factory=dict)
    audit_after: dict[str, Any] = field(default_factory=dict)

    def get_row(self, key: int) -> CheckIn:
        """Return the check-in with this primary key; raise CheckInRefused if it is gone."""
        row = next((check_in for check_in in self.rows if check_in.pk == key), None)
        if row is None:
            raise CheckInRefused(_("This name is no longer on the list."))
        return row

    def find_at(self, chair: Chair | None) -> CheckIn | None:
        """Return the check-in of the person at a chair."""
        if chair is None:
            return None
        return next((check_in for check_in in self.rows if check_in.chair == chair), None)

    def find_same(self, player: Player | None, name: str) -> CheckIn | None:
        """Return the check-in of a person, whether known by the player or by the name."""
        key = build_name_key(name)
        for check_in in self.rows:
            is_player = player is not None and check_in.player_id == player.pk
            if is_player or build_name_key(check_in.name) == key:
                return check_in
        return None


@contextmanager
def change_check_ins(
    evening: Evening, action: str, *, subject: Subject, by: Actor
) -> Iterator[CheckInChange]:
    """Change an evening's check-ins in one transaction; raise CheckInRefused unless open."""
    with transaction.atomic():
        evening = lock_evening(evening)
        check_is_open(evening)
        at = CheckInChange(evening, list(evening.check_ins.select_related("player")))
        before = {row.pk: _to_undo_data(row) for row in at.rows}
        yield at
        _record_act(at, action, before, subject, by)


def lock_evening(evening: Evening) -> Evening:
    """Lock the row of an evening until the transaction ends, and return its current values."""
    rows = Evening.objects.select_for_update(of=("self",)).select_related("club")
    return rows.get(pk=evening.pk)


def check_is_open(evening: Evening) -> None:
    """Raise CheckInRefused unless people can check in now."""
    if evening.check_in_state == Evening.CheckInState.STARTED:
        raise CheckInRefused(_("Play has started. Ask the director."))
    if evening.check_in_state != Evening.CheckInState.OPEN:
        raise CheckInRefused(_("Check-in isn't open. Ask the director."))


@transaction.atomic
def check_in(
    *,
    evening: Evening,
    people: Sequence[NewCheckIn],
    may_move: bool = False,
    subject: Subject,
    by: Actor,
) -> list[CheckIn]:
    """Check in people at their chairs, all or none; idempotent.

    A typed name that is exactly a club player's becomes that player, in silence. A person with
    a chair at another table is moved only with `may_move`; otherwise AlreadyCheckedIn is
    raised. Raises CheckInRefused for a taken chair or an unusable name.
    """
    with change_check_ins(evening, "check_in.sat", subject=subject, by=by) as at:
        known = [_identify(at.evening, new_check_in) for new_check_in in people]
        keys = [build_name_key(new_check_in.name) for new_check_in in known]
        if len(set(keys)) < len(keys):
            raise CheckInRefused(_("Both names are the same. Enter the partner's name."))
        placements: dict[int, Chair | None] = {}
        for new_check_in in known:
            row = _find_or_create(at, new_check_in, may_move=may_move)
            placements[row.pk] = new_check_in.chair or row.chair
        _check_free(at, placements)
        _write_chairs(at, placements)
        rows = [at.get_row(key) for key in placements]
        at.audit_place = _describe_chairs(rows)
        at.audit_after = {"names": [row.name for row in rows]}
    return rows


def _identify(evening: Evening, new: NewCheckIn) -> NewCheckIn:
    """Return a person with the player and the name to store; raise CheckInRefused."""
    check_chair(new.chair)
    if new.player is not None:
        if new.player.club_id != evening.club_id:
            raise CheckInRefused(_("Choose a player from this club."))
        return NewCheckIn(name=new.player.name, player=new.player, chair=new.chair)
    name, player = find_person(evening.club, new.name)
    return NewCheckIn(name=name, player=player, chair=new.chair)


def check_chair(chair: Chair | None) -> None:
    """Raise CheckInRefused for a chair that no hall has."""
    if chair is not None and not (1 <= chair.table <= MAX_TABLES and chair.seat in SEATS):
        raise CheckInRefused(_("Choose a table and a seat."))


def _find_or_create(at: CheckInChange, new: NewCheckIn, *, may_move: bool) -> CheckIn:
    row = at.find_same(new.player, new.name)
    if row is None:
        row = CheckIn.objects.create(
            evening=at.evening, player=new.player, name=new.name, at=timezone.now()
        )
        at.rows.append(row)
        return row
    is_elsewhere = row.table is not None and new.chair and row.table != new.chair.table
    if is_elsewhere and not may_move:
        raise AlreadyCheckedIn(_("%(name)s already has a seat.") % {"name": new.name})
    return row


def _check_free(at: CheckInChange, placements: Placements) -> None:
    wanted_chairs = [chair for chair in placements.values() if chair is not None]
    if len(wanted_chairs) != len(set(wanted_chairs)):
        raise CheckInRefused(_("Choose a different seat for each player."))
    for key, chair in placements.items():
        occupant = at.find_at(chair)
        if occupant is not None and occupant.pk != key and occupant.pk not in placements:
            words = _("%(name)s has just taken this seat. Choose another.")
            raise CheckInRefused(words % {"name": occupant.name})


def _write_chairs(at: CheckInChange, placements: Placements) -> None:
    """Write new chairs; all are emptied first, so that people can exchange them."""
    moved = [
        check_in
        for check_in in at.rows
        if check_in.chair != placements.get(check_in.pk, check_in.chair)
    ]
    CheckIn.objects.filter(pk__in=[check_in.pk for check_in in moved]).update(
        table=None, seat=None
    )
    now = timezone.now()
    for check_in in moved:
        chair = placements[check_in.pk]
        check_in.table, check_in.seat = chair if chair is not None else (None, None)
        check_in.at = now
        check_in.save(update_fields=["table", "seat", "at"])


@transaction.atomic
def check_out(*, evening: Evening, people: Sequence[int], subject: Subject, by: Actor) -> None:
    """Remove people who leave before the start, by the keys of their check-ins; idempotent."""
    with change_check_ins(evening, "check_in.left", subject=subject, by=by) as at:
        deleted_rows = [check_in for check_in in at.rows if check_in.pk in people]
        at.audit_place = _describe_chairs(deleted_rows)
        at.audit_before = {"names": [check_in.name for check_in in deleted_rows]}
        at.rows = [check_in for check_in in at.rows if check_in not in deleted_rows]
        CheckIn.objects.filter(pk__in=[check_in.pk for check_in in deleted_rows]).delete()


@transaction.atomic
def move_check_in(
    *, evening: Evening, person: int, chair: Chair | None, subject: Subject, by: Actor
) -> CheckIn:
    """Move a person to a chair, or to none; an occupant gets the chair that becomes free."""
    check_chair(chair)
    with change_check_ins(evening, "check_in.moved", subject=subject, by=by) as at:
        row, occupant = at.get_row(person), at.find_at(chair)
        placements = {row.pk: chair}
        if occupant is not None and occupant.pk != row.pk:
            placements[occupant.pk] = row.chair
        _write_chairs(at, placements)
        at.audit_place = _describe_chairs([row])
        at.audit_after = {"names": [row.name]}
    return row


@transaction.atomic
def seat_table(
    *,
    evening: Evening,
    table: int,
    people: Mapping[int, int | None],
    seen: Mapping[int, int | None],
    subject: Subject,
    by: Actor,
) -> None:
    """Set the people at a table by seat; `seen` has those whom the page showed.

    Displaced people take the chairs that newcomers have left, as long as there are any. Raises
    CheckInRefused if someone else has sat down there since the page was loaded.
    """
    with change_check_ins(evening, "check_in.moved", subject=subject, by=by) as at:
        chairs = {seat: Chair(table, seat) for seat in SEATS}
        now = {seat: at.find_at(chair) for seat, chair in chairs.items()}
        current = {seat: row.pk if row else None for seat, row in now.items()}
        wanted_people = {seat: people.get(seat) for seat in SEATS}
        if current == wanted_people:
            return
        if any(current[seat] != seen.get(seat) for seat in SEATS):
            raise CheckInRefused(_("This table has changed. Check it again."))
        chosen = [key for key in wanted_people.values() if key is not None]
        if len(chosen) != len(set(chosen)):
            raise CheckInRefused(_("Choose each name only once."))
        former_chairs = [row.chair for key in chosen if (row := at.get_row(key)).table != table]
        displaced = [key for key in current.values() if key is not None and key not in chosen]
        placements: dict[int, Chair | None] = dict.fromkeys(displaced)
        placements |= dict(zip(displaced, former_chairs, strict=False))
        placements |= {
            key: chairs[seat] for seat, key in wanted_people.items() if key is not None
        }
        _write_chairs(at, placements)
        at.audit_place = {"table": table}
        at.audit_after = {"names": [at.get_row(key).name for key in chosen]}


@transaction.atomic
def rename_check_in(
    *, evening: Evening, person: int, name: str, subject: Subject, by: Actor
) -> CheckIn:
    """Correct a person's name; the exact name of a club's player becomes that player."""
    with change_check_ins(evening, "check_in.renamed", subject=subject, by=by) as at:
        row = at.get_row(person)
        typed, player = find_person(at.evening.club, name)
        other = at.find_same(player, typed)
        if other is not None and other.pk != row.pk:
            words = _("%(name)s is already on the list. Merge the two names.")
            raise CheckInRefused(words % {"name": typed})
        at.audit_before, at.audit_after = {"names": [row.name]}, {"names": [typed]}
        row.name, row.player = typed, player
        row.save(update_fields=["name", "player"])
    return row


@transaction.atomic
def merge_check_ins(
    *, evening: Evening, kept: int, gone: int, subject: Subject, by: Actor
) -> CheckIn:
    """Merge two names of one person: `kept` remains, at the chair that was taken last."""
    with change_check_ins(evening, "check_in.merged", subject=subject, by=by) as at:
        row, other = at.get_row(kept), at.get_row(gone)
        if row.pk == other.pk:
            raise CheckInRefused(_("Choose two different names."))
        rows = sorted(
            (row, other), key=lambda check_in: (check_in.chair is not None, check_in.at)
        )
        chair = rows[-1].chair
        at.audit_before, at.audit_after = {"names": [other.name]}, {"names": [row.name]}
        at.rows = [check_in for check_in in at.rows if check_in.pk != other.pk]
        other.delete()
        _write_chairs(at, {row.pk: chair})
        at.audit_place = _describe_chairs([row])
    return row


@transaction.atomic
def restore_check_ins(
    *,
    evening: Evening,
    rows: Sequence[Kept],
    new: Sequence[int],
    subject: Subject,
    by: Actor,
) -> None:
    """Undo one change of check-ins: restore `rows`, and delete the rows `new`.

    Raises CheckInRefused if someone else has the chair or the name now.
    """
    with change_check_ins(evening, "check_in.put_back", subject=subject, by=by) as at:
        keys = [row["id"] for row in rows]
        at.rows = [check_in for check_in in at.rows if check_in.pk not in (*keys, *new)]
        evening_rows = at.evening.check_ins
        evening_rows.filter(pk__in=[*keys, *new]).delete()
        players = Player.objects.filter(club=at.evening.club_id).in_bulk(
            [row["player_id"] for row in rows if row["player_id"]]
        )
        for kept in rows:
            chair = Chair(kept["table"], kept["seat"]) if kept["table"] else None
            player = players.get(kept["player_id"])
            if at.find_at(chair) or at.find_same(player, kept["name"]):
                words = _("%(name)s's seat or name is in use now.")
                raise CheckInRefused(words % {"name": kept["name"]})
            at.rows.append(_recreate(at.evening, kept, player))
        at.audit_after = {"names": [row["name"] for row in rows]}


def _recreate(evening: Evening, stored_values: Kept, player: Player | None) -> CheckIn:
    values = {**stored_values, "player_id": player.pk if player else None}
    return CheckIn.objects.create(
        evening=evening, **{**values, "at": datetime.fromisoformat(stored_values["at"])}
    )


def _describe_chairs(rows: Sequence[CheckIn]) -> dict[str, Any]:
    """Return the tables of people for the history."""
    tables = sorted({check_in.table for check_in in rows if check_in.table is not None})
    return {"table": tables[0]} if len(tables) == 1 else {"tables": tables} if tables else {}


def _to_undo_data(row: CheckIn) -> Kept:
    names = ("id", "player_id", "name", "table", "seat", "number")
    return {name: getattr(row, name) for name in names} | {"at": row.at.isoformat()}


def _record_act(
    at: CheckInChange, action: str, before: Mapping[int, Kept], subject: Subject, by: Actor
) -> None:
    after = {row.pk: _to_undo_data(row) for row in at.evening.check_ins.all()}
    changed = [key for key in before if after.get(key) != before[key]]
    new = [key for key in after if key not in before]
    if not changed and not new:
        return
    undo_arguments = {
        "evening": at.evening.pk,
        "rows": [before[key] for key in changed],
        "new": new,
    }
    audit.record(
        by,
        action,
        subject=subject,
        where=at.audit_place,
        before=at.audit_before,
        after=at.audit_after,
        back=Undo(
            tuple(f"check_in {key}" for key in (*changed, *new)),
            "check_in.put_back",
            undo_arguments,
        ),
    )
