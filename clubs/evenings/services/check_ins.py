"""Services for the people who check in at the tables before play starts.

The subject of the acts in the history is the evening's activity. A change locks the evening's
row and records one act with the former values of the changed rows, unless nothing has changed.
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
from clubs.audit import Actor, AuditSubject, Undo
from clubs.errors import AlreadyCheckedIn, CheckInRefused
from clubs.evenings.check_in_names import identify_person
from clubs.evenings.first_seats import MAX_TABLE_NUMBER, SEAT_NUMBERS, Chair
from clubs.models import CheckIn, Evening, Player
from clubs.names.tidy import build_name_key

CheckInData = dict[str, Any]
ChairsByCheckIn = Mapping[int, Chair | None]
"""The new chairs by the primary keys of the check-ins; None means without a chair."""


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
    check_ins: list[CheckIn]
    act_location: dict[str, Any] = field(default_factory=dict)
    old_values: dict[str, Any] = field(default_factory=dict)
    new_values: dict[str, Any] = field(default_factory=dict)

    def get_check_in(self, check_in_pk: int) -> CheckIn:
        """Return the check-in with this primary key; raise CheckInRefused if it is gone."""
        found_check_in = next(
            (check_in for check_in in self.check_ins if check_in.pk == check_in_pk), None
        )
        if found_check_in is None:
            raise CheckInRefused(_("This name is no longer on the list."))
        return found_check_in

    def find_by_chair(self, chair: Chair | None) -> CheckIn | None:
        """Return the check-in of the person at a chair, or None."""
        if chair is None:
            return None
        return next((check_in for check_in in self.check_ins if check_in.chair == chair), None)

    def find_by_person(self, player: Player | None, name: str) -> CheckIn | None:
        """Return the check-in with this player or with this name, or None."""
        name_key = build_name_key(name)
        for check_in in self.check_ins:
            is_same_player = player is not None and check_in.player_id == player.pk
            if is_same_player or build_name_key(check_in.name) == name_key:
                return check_in
        return None


@contextmanager
def change_check_ins(
    evening: Evening, action: str, *, subject: AuditSubject, by: Actor
) -> Iterator[CheckInChange]:
    """Change an evening's check-ins in one transaction, and record one act.

    Raises CheckInRefused unless the check-in of the evening is open.
    """
    with transaction.atomic():
        evening = lock_evening(evening)
        require_open_check_in(evening)
        change = CheckInChange(evening, list(evening.check_ins.select_related("player")))
        old_data_by_pk = {check_in.pk: _to_undo_data(check_in) for check_in in change.check_ins}
        yield change
        _record_act(change, action, old_data_by_pk, subject, by)


def lock_evening(evening: Evening) -> Evening:
    """Lock the row of an evening until the transaction ends, and return its current values."""
    evenings = Evening.objects.select_for_update(of=("self",)).select_related("club")
    return evenings.get(pk=evening.pk)


def require_open_check_in(evening: Evening) -> None:
    """Raise CheckInRefused unless people can check in now."""
    if evening.check_in_state == Evening.CheckInState.STARTED:
        raise CheckInRefused(_("Play has started. Ask the director."))
    if evening.check_in_state != Evening.CheckInState.OPEN:
        raise CheckInRefused(_("Check-in isn’t open. Ask the director."))


@transaction.atomic
def check_in_people(
    *,
    evening: Evening,
    people: Sequence[NewCheckIn],
    can_move: bool = False,
    subject: AuditSubject,
    by: Actor,
) -> list[CheckIn]:
    """Check in people at their chairs, all or none; idempotent.

    If a typed name is exactly the name of a club player, that player is checked in. A person
    with a chair at another table is moved only if `can_move` is true. Otherwise
    AlreadyCheckedIn is raised. Raises CheckInRefused for a taken chair or an unusable name.
    """
    with change_check_ins(evening, "check_in.sat", subject=subject, by=by) as change:
        identified_people = [
            _identify_person(change.evening, new_check_in) for new_check_in in people
        ]
        name_keys = [build_name_key(new_check_in.name) for new_check_in in identified_people]
        if len(set(name_keys)) < len(name_keys):
            raise CheckInRefused(_("Both names are the same. Enter the partner’s name."))
        chairs_by_check_in: dict[int, Chair | None] = {}
        for new_check_in in identified_people:
            saved_check_in = _find_or_create_check_in(change, new_check_in, can_move=can_move)
            chairs_by_check_in[saved_check_in.pk] = new_check_in.chair or saved_check_in.chair
        _check_chairs_free(change, chairs_by_check_in)
        _write_chairs(change, chairs_by_check_in)
        check_ins = [change.get_check_in(check_in_pk) for check_in_pk in chairs_by_check_in]
        change.act_location = _build_table_location(check_ins)
        change.new_values = {"names": [saved_check_in.name for saved_check_in in check_ins]}
    return check_ins


def _identify_person(evening: Evening, new_check_in: NewCheckIn) -> NewCheckIn:
    """Return the person with the matching player and the name to store."""
    check_chair(new_check_in.chair)
    if new_check_in.player is not None:
        if new_check_in.player.club_id != evening.club_id:
            raise CheckInRefused(_("Choose a player from this club."))
        return NewCheckIn(
            name=new_check_in.player.name, player=new_check_in.player, chair=new_check_in.chair
        )
    name, player = identify_person(evening.club, new_check_in.name)
    return NewCheckIn(name=name, player=player, chair=new_check_in.chair)


def check_chair(chair: Chair | None) -> None:
    """Raise CheckInRefused for a table number or seat that is out of range."""
    if chair is not None and not (
        1 <= chair.table_number <= MAX_TABLE_NUMBER and chair.seat_number in SEAT_NUMBERS
    ):
        raise CheckInRefused(_("Choose a table and a seat."))


def _find_or_create_check_in(
    change: CheckInChange, new_check_in: NewCheckIn, *, can_move: bool
) -> CheckIn:
    check_in = change.find_by_person(new_check_in.player, new_check_in.name)
    if check_in is None:
        check_in = CheckIn.objects.create(
            evening=change.evening,
            player=new_check_in.player,
            name=new_check_in.name,
            at=timezone.now(),
        )
        change.check_ins.append(check_in)
        return check_in
    is_seated_elsewhere = (
        check_in.table is not None
        and new_check_in.chair
        and check_in.table != new_check_in.chair.table_number
    )
    if is_seated_elsewhere and not can_move:
        raise AlreadyCheckedIn(_("%(name)s already has a seat.") % {"name": new_check_in.name})
    return check_in


def _check_chairs_free(change: CheckInChange, chairs_by_check_in: ChairsByCheckIn) -> None:
    wanted_chairs = [chair for chair in chairs_by_check_in.values() if chair is not None]
    if len(wanted_chairs) != len(set(wanted_chairs)):
        raise CheckInRefused(_("Choose a different seat for each player."))
    for check_in_pk, chair in chairs_by_check_in.items():
        occupant = change.find_by_chair(chair)
        if (
            occupant is not None
            and occupant.pk != check_in_pk
            and occupant.pk not in chairs_by_check_in
        ):
            message = _("%(name)s has just taken this seat. Choose another.")
            raise CheckInRefused(message % {"name": occupant.name})


def _write_chairs(change: CheckInChange, chairs_by_check_in: ChairsByCheckIn) -> None:
    """Save new chairs.

    All changed chairs are cleared first, because two people may exchange chairs.
    """
    moved_check_ins = [
        check_in
        for check_in in change.check_ins
        if check_in.chair != chairs_by_check_in.get(check_in.pk, check_in.chair)
    ]
    CheckIn.objects.filter(pk__in=[check_in.pk for check_in in moved_check_ins]).update(
        table=None, seat=None
    )
    current_time = timezone.now()
    for check_in in moved_check_ins:
        chair = chairs_by_check_in[check_in.pk]
        check_in.table, check_in.seat = chair if chair is not None else (None, None)
        check_in.at = current_time
        check_in.save(update_fields=["table", "seat", "at"])


@transaction.atomic
def check_out_people(
    *, evening: Evening, check_in_pks: Sequence[int], subject: AuditSubject, by: Actor
) -> None:
    """Remove people who leave before the start, by the keys of their check-ins; idempotent."""
    with change_check_ins(evening, "check_in.left", subject=subject, by=by) as change:
        deleted_check_ins = [
            check_in for check_in in change.check_ins if check_in.pk in check_in_pks
        ]
        change.act_location = _build_table_location(deleted_check_ins)
        change.old_values = {"names": [check_in.name for check_in in deleted_check_ins]}
        change.check_ins = [
            check_in for check_in in change.check_ins if check_in not in deleted_check_ins
        ]
        CheckIn.objects.filter(pk__in=[check_in.pk for check_in in deleted_check_ins]).delete()


@transaction.atomic
def move_check_in(
    *, evening: Evening, check_in_pk: int, chair: Chair | None, subject: AuditSubject, by: Actor
) -> CheckIn:
    """Move a person to a chair, or away from any chair if `chair` is None.

    A person who already sits there gets the former chair of the moved person.
    """
    check_chair(chair)
    with change_check_ins(evening, "check_in.moved", subject=subject, by=by) as change:
        moved_check_in, occupant = (
            change.get_check_in(check_in_pk),
            change.find_by_chair(chair),
        )
        chairs_by_check_in = {moved_check_in.pk: chair}
        if occupant is not None and occupant.pk != moved_check_in.pk:
            chairs_by_check_in[occupant.pk] = moved_check_in.chair
        _write_chairs(change, chairs_by_check_in)
        change.act_location = _build_table_location([moved_check_in])
        change.new_values = {"names": [moved_check_in.name]}
    return moved_check_in


@transaction.atomic
def seat_people_at_table(
    *,
    evening: Evening,
    table_number: int,
    check_in_pks_by_seat: Mapping[int, int | None],
    expected_pks_by_seat: Mapping[int, int | None],
    subject: AuditSubject,
    by: Actor,
) -> None:
    """Seat people at a table; each person is given by the primary key of the check-in.

    `expected_pks_by_seat` contains the people whom the page showed there. People who
    lose their chair get the chairs that newcomers have left, as long as there are any. Raises
    CheckInRefused if the people at the table have changed since the page was loaded.
    """
    with change_check_ins(evening, "check_in.moved", subject=subject, by=by) as change:
        chairs_by_seat = {
            seat_number: Chair(table_number, seat_number) for seat_number in SEAT_NUMBERS
        }
        check_in_by_seat = {
            seat_number: change.find_by_chair(chair)
            for seat_number, chair in chairs_by_seat.items()
        }
        current_pks_by_seat = {
            seat_number: check_in.pk if check_in else None
            for seat_number, check_in in check_in_by_seat.items()
        }
        wanted_pks_by_seat = {
            seat_number: check_in_pks_by_seat.get(seat_number) for seat_number in SEAT_NUMBERS
        }
        if current_pks_by_seat == wanted_pks_by_seat:
            return
        if any(
            current_pks_by_seat[seat_number] != expected_pks_by_seat.get(seat_number)
            for seat_number in SEAT_NUMBERS
        ):
            raise CheckInRefused(_("This table has changed. Check it again."))
        chosen_check_in_pks = [
            check_in_pk
            for check_in_pk in wanted_pks_by_seat.values()
            if check_in_pk is not None
        ]
        if len(chosen_check_in_pks) != len(set(chosen_check_in_pks)):
            raise CheckInRefused(_("Choose each name only once."))
        vacated_chairs = [
            check_in.chair
            for check_in_pk in chosen_check_in_pks
            if (check_in := change.get_check_in(check_in_pk)).table != table_number
        ]
        displaced_check_in_pks = [
            check_in_pk
            for check_in_pk in current_pks_by_seat.values()
            if check_in_pk is not None and check_in_pk not in chosen_check_in_pks
        ]
        chairs_by_check_in: dict[int, Chair | None] = dict.fromkeys(displaced_check_in_pks)
        chairs_by_check_in |= dict(zip(displaced_check_in_pks, vacated_chairs, strict=False))
        chairs_by_check_in |= {
            check_in_pk: chairs_by_seat[seat_number]
            for seat_number, check_in_pk in wanted_pks_by_seat.items()
            if check_in_pk is not None
        }
        _write_chairs(change, chairs_by_check_in)
        change.act_location = {"table": table_number}
        change.new_values = {
            "names": [
                change.get_check_in(check_in_pk).name for check_in_pk in chosen_check_in_pks
            ]
        }


@transaction.atomic
def rename_check_in(
    *, evening: Evening, check_in_pk: int, name: str, subject: AuditSubject, by: Actor
) -> CheckIn:
    """Correct a person's name; if it is exactly the name of a club player, link the player."""
    with change_check_ins(evening, "check_in.renamed", subject=subject, by=by) as change:
        renamed_check_in = change.get_check_in(check_in_pk)
        new_name, player = identify_person(change.evening.club, name)
        other_check_in = change.find_by_person(player, new_name)
        if other_check_in is not None and other_check_in.pk != renamed_check_in.pk:
            message = _("%(name)s is already on the list. Merge the two names.")
            raise CheckInRefused(message % {"name": new_name})
        change.old_values, change.new_values = (
            {"names": [renamed_check_in.name]},
            {"names": [new_name]},
        )
        renamed_check_in.name, renamed_check_in.player = new_name, player
        renamed_check_in.save(update_fields=["name", "player"])
    return renamed_check_in


@transaction.atomic
def merge_check_ins(
    *,
    evening: Evening,
    kept_check_in_pk: int,
    removed_check_in_pk: int,
    subject: AuditSubject,
    by: Actor,
) -> CheckIn:
    """Merge two check-ins of one person; the one with `removed_check_in_pk` is deleted.

    The other one gets the chair that was taken last.
    """
    with change_check_ins(evening, "check_in.merged", subject=subject, by=by) as change:
        kept_check_in, removed_check_in = (
            change.get_check_in(kept_check_in_pk),
            change.get_check_in(removed_check_in_pk),
        )
        if kept_check_in.pk == removed_check_in.pk:
            raise CheckInRefused(_("Choose two different names."))
        check_ins_in_chair_order = sorted(
            (kept_check_in, removed_check_in),
            key=lambda check_in: (check_in.chair is not None, check_in.at),
        )
        chair = check_ins_in_chair_order[-1].chair
        change.old_values, change.new_values = (
            {"names": [removed_check_in.name]},
            {"names": [kept_check_in.name]},
        )
        change.check_ins = [
            check_in for check_in in change.check_ins if check_in.pk != removed_check_in.pk
        ]
        removed_check_in.delete()
        _write_chairs(change, {kept_check_in.pk: chair})
        change.act_location = _build_table_location([kept_check_in])
    return kept_check_in


@transaction.atomic
def restore_check_ins(
    *,
    evening: Evening,
    rows: Sequence[CheckInData],
    new: Sequence[int],
    subject: AuditSubject,
    by: Actor,
) -> None:
    """Undo one change of check-ins.

    `rows` contains the former check-ins to restore, and `new` the primary keys of the ones to
    delete.
    Raises CheckInRefused if someone else has the chair or the name now.
    """
    with change_check_ins(evening, "check_in.put_back", subject=subject, by=by) as change:
        check_in_pks = [row["id"] for row in rows]
        change.check_ins = [
            check_in
            for check_in in change.check_ins
            if check_in.pk not in (*check_in_pks, *new)
        ]
        evening_check_ins = change.evening.check_ins
        evening_check_ins.filter(pk__in=[*check_in_pks, *new]).delete()
        players_by_pk = Player.objects.filter(club=change.evening.club_id).in_bulk(
            [row["player_id"] for row in rows if row["player_id"]]
        )
        for row_data in rows:
            chair = Chair(row_data["table"], row_data["seat"]) if row_data["table"] else None
            player = players_by_pk.get(row_data["player_id"])
            if change.find_by_chair(chair) or change.find_by_person(player, row_data["name"]):
                message = _("%(name)s’s seat or name is now in use.")
                raise CheckInRefused(message % {"name": row_data["name"]})
            change.check_ins.append(_recreate_check_in(change.evening, row_data, player))
        change.new_values = {"names": [row["name"] for row in rows]}


def _recreate_check_in(
    evening: Evening, stored_values: CheckInData, player: Player | None
) -> CheckIn:
    model_values = {**stored_values, "player_id": player.pk if player else None}
    return CheckIn.objects.create(
        evening=evening, **{**model_values, "at": datetime.fromisoformat(stored_values["at"])}
    )


def _build_table_location(check_ins: Sequence[CheckIn]) -> dict[str, Any]:
    """Return the tables of these check-ins as data for the history."""
    table_numbers = sorted(
        {check_in.table for check_in in check_ins if check_in.table is not None}
    )
    return (
        {"table": table_numbers[0]}
        if len(table_numbers) == 1
        else {"tables": table_numbers}
        if table_numbers
        else {}
    )


def _to_undo_data(check_in: CheckIn) -> CheckInData:
    field_names = ("id", "player_id", "name", "table", "seat", "number")
    return {name: getattr(check_in, name) for name in field_names} | {
        "at": check_in.at.isoformat()
    }


def _record_act(
    change: CheckInChange,
    action: str,
    old_data_by_pk: Mapping[int, CheckInData],
    subject: AuditSubject,
    by: Actor,
) -> None:
    new_data_by_pk = {
        check_in.pk: _to_undo_data(check_in) for check_in in change.evening.check_ins.all()
    }
    changed_pks = [
        check_in_pk
        for check_in_pk in old_data_by_pk
        if new_data_by_pk.get(check_in_pk) != old_data_by_pk[check_in_pk]
    ]
    new_pks = [
        check_in_pk for check_in_pk in new_data_by_pk if check_in_pk not in old_data_by_pk
    ]
    if not changed_pks and not new_pks:
        return
    undo_arguments = {
        "evening": change.evening.pk,
        "rows": [old_data_by_pk[check_in_pk] for check_in_pk in changed_pks],
        "new": new_pks,
    }
    audit.record(
        by,
        action,
        subject=subject,
        where=change.act_location,
        before=change.old_values,
        after=change.new_values,
        undo=Undo(
            tuple(f"check_in {check_in_pk}" for check_in_pk in (*changed_pks, *new_pks)),
            "check_in.put_back",
            undo_arguments,
        ),
    )
