"""Services that record the attendance and the table money of an evening."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.errors import BookingRefused
from clubs.evenings.services.booking_errors import format_booking_error
from clubs.evenings.services.fixtures import lock_fixture, serialize_fixture_values
from clubs.models import Attendance, Fixture, Player

PAYMENT_FIELDS = ("kind", "fee", "settled", "settled_at", "settled_by")
UNDO_COLUMNS = ("id", "fixture_id", "player_id", *PAYMENT_FIELDS, "settled_on_id")


@transaction.atomic
def record_attendance(
    *, fixture: Fixture, players: Iterable[Player], by: Actor
) -> list[Attendance]:
    """Record that these players attend an evening, and return the new rows.

    Players who are already recorded or belong to another club are skipped.
    """
    fixture = lock_fixture(fixture)
    recorded_players = set(fixture.attendances.values_list("player", flat=True))
    new_attendances = [
        Attendance(
            fixture=fixture,
            player=player,
            kind=_get_default_attendance_kind(player),
            fee=_get_fee(fixture, _get_default_attendance_kind(player)),
        )
        for player in {player.pk: player for player in players}.values()
        if player.pk not in recorded_players and player.club_id == fixture.evening.club_id
    ]
    for attendance in new_attendances:
        attendance.save()
    if new_attendances:
        undo_arguments = {"rows": [], "new": [attendance.pk for attendance in new_attendances]}
        _record_act(
            by, fixture, "attendance.noted", undo_arguments, {"count": len(new_attendances)}
        )
    return new_attendances


@transaction.atomic
def delete_attendance(*, attendance: Attendance, by: Actor) -> None:
    """Delete the attendance of a person who did not come.

    Raises BookingRefused if a payment is recorded.
    """
    fixture = lock_fixture(attendance.fixture)
    current_attendance = _load_attendance_if_exists(attendance)
    if current_attendance is None:
        return
    if current_attendance.settled != Attendance.Settlement.OWING and current_attendance.fee:
        raise BookingRefused(_("Already paid. Undo the payment first."))
    undo_arguments = {"rows": [_build_undo_data(current_attendance)], "new": []}
    act_location = {"name": current_attendance.player.name}
    current_attendance.delete()
    _record_act(by, fixture, "attendance.dropped", undo_arguments, act_location)


@transaction.atomic
def record_payment(
    *,
    attendance: Attendance,
    settlement: str,
    payment_fixture: Fixture | None = None,
    by: Actor,
) -> Attendance:
    """Record that a person has paid, owes nothing, or still owes the fee; idempotent.

    `payment_fixture` is the evening that received the payment, if it was a later one.
    """
    fixture = lock_fixture(attendance.fixture)
    current_attendance = _load_existing_attendance(attendance)
    if settlement not in Attendance.Settlement.values:
        raise BookingRefused(_("Choose cash, other, free or owing."))
    if current_attendance.settled == settlement:
        return current_attendance
    receiving_fixture = payment_fixture or fixture
    if receiving_fixture.evening.club_id != fixture.evening.club_id:
        raise BookingRefused(_("Choose an evening of this club."))
    undo_arguments = {"rows": [_build_undo_data(current_attendance)], "new": []}
    is_unpaid = settlement == Attendance.Settlement.OWING
    current_attendance.settled = settlement
    current_attendance.settled_at = None if is_unpaid else timezone.now()
    current_attendance.settled_by = "" if is_unpaid else audit.format_author_key(by)
    current_attendance.settled_on = None if is_unpaid else receiving_fixture
    current_attendance.save()
    act_location = {"name": current_attendance.player.name}
    # Record the act on the evening that received the money, whose page has the undo button.
    _record_act(
        by,
        receiving_fixture,
        "attendance.settled",
        undo_arguments,
        act_location,
        new_values={"settled": settlement},
    )
    return current_attendance


@transaction.atomic
def change_attendance_kind(
    *, attendance: Attendance, attendance_kind: str, by: Actor
) -> Attendance:
    """Change the kind of an attendance (member, visitor or junior), and adjust the fee."""
    fixture = lock_fixture(attendance.fixture)
    current_attendance = _load_existing_attendance(attendance)
    if attendance_kind not in Attendance.Kind.values:
        raise BookingRefused(_("Choose member, visitor or junior."))
    if current_attendance.kind == attendance_kind:
        return current_attendance
    if current_attendance.settled != Attendance.Settlement.OWING:
        raise BookingRefused(_("Already paid. Undo the payment first."))
    undo_arguments = {"rows": [_build_undo_data(current_attendance)], "new": []}
    current_attendance.kind, current_attendance.fee = (
        attendance_kind,
        _get_fee(fixture, attendance_kind),
    )
    current_attendance.save(update_fields=["kind", "fee"])
    _record_act(
        by,
        fixture,
        "attendance.kind",
        undo_arguments,
        {"name": current_attendance.player.name},
        new_values={"kind": attendance_kind},
    )
    return current_attendance


@transaction.atomic
def restore_attendance(
    *, fixture: Fixture, rows: list[Mapping[str, Any]], new: list[int], by: Actor
) -> None:
    """Undo one change of an evening's attendance.

    `rows` contains the former values to restore, and `new` the primary keys of the rows to
    delete. A row that still exists is not assigned to its former player, because two players
    may have been merged. Raises BookingRefused if a player no longer exists or has another row
    now.
    """
    fixture = lock_fixture(fixture)
    club_pk = fixture.evening.club_id
    club_attendances = Attendance.objects.filter(fixture__evening__club=club_pk)
    attendance_pks = [row["id"] for row in rows]
    attendances_by_pk = {
        row.pk: row for row in club_attendances.filter(pk__in=[*attendance_pks, *new])
    }
    old_attendance_data = [_build_undo_data(row) for row in attendances_by_pk.values()]
    club_attendances.filter(pk__in=new).delete()
    for row in rows:
        _restore_attendance_row(attendances_by_pk.get(row["id"]), row, club_pk)
    missing_pks = [
        attendance_pk
        for attendance_pk in attendance_pks
        if attendance_pk not in attendances_by_pk
    ]
    _record_act(
        by,
        fixture,
        "attendance.put_back",
        {"rows": old_attendance_data, "new": missing_pks},
        {},
    )


def _restore_attendance_row(
    attendance: Attendance | None, attendance_data: Mapping[str, Any], club_pk: int
) -> None:
    settled_at_text = attendance_data["settled_at"]
    attendance_data = {
        **attendance_data,
        "settled_at": datetime.fromisoformat(settled_at_text) if settled_at_text else None,
    }
    if attendance is not None:
        for name in (*PAYMENT_FIELDS, "settled_on_id"):
            setattr(attendance, name, attendance_data[name])
        attendance.save(update_fields=[*PAYMENT_FIELDS, "settled_on"])
        return
    if not Player.objects.filter(club=club_pk, pk=attendance_data["player_id"]).exists():
        raise BookingRefused(format_booking_error("gone"))
    identifying_values = {key: attendance_data[key] for key in ("fixture_id", "player_id")}
    if Attendance.objects.filter(**identifying_values).exists():
        raise BookingRefused(format_booking_error("again"))
    Attendance.objects.create(**attendance_data)


def _get_default_attendance_kind(player: Player) -> str:
    is_visitor = player.kind == Player.Kind.VISITOR
    return Attendance.Kind.VISITOR if is_visitor else Attendance.Kind.MEMBER


def _get_fee(fixture: Fixture, attendance_kind: str) -> int:
    fee_by_kind = {
        "member": fixture.fee_member,
        "visitor": fixture.fee_visitor,
        "junior": fixture.fee_junior,
    }
    return fee_by_kind[attendance_kind]


def _load_attendance_if_exists(attendance: Attendance) -> Attendance | None:
    return Attendance.objects.select_related("player").filter(pk=attendance.pk).first()


def _load_existing_attendance(attendance: Attendance) -> Attendance:
    current_attendance = _load_attendance_if_exists(attendance)
    if current_attendance is None:
        raise BookingRefused(_("This name is no longer on the list."))
    return current_attendance


def _build_undo_data(attendance: Attendance) -> dict[str, Any]:
    return serialize_fixture_values({name: getattr(attendance, name) for name in UNDO_COLUMNS})


def _record_act(
    by: Actor,
    fixture: Fixture,
    action: str,
    undo_arguments: Mapping[str, Any],
    act_location: Mapping[str, Any],
    *,
    new_values: Mapping[str, Any] | None = None,
) -> None:
    attendance_pks = [
        *(row_data["id"] for row_data in undo_arguments["rows"]),
        *undo_arguments["new"],
    ]
    undo_subjects = tuple(f"attendance {attendance_pk}" for attendance_pk in attendance_pks)
    audit.record(
        by,
        action,
        subject=fixture,
        where=act_location,
        after=new_values,
        undo=Undo(undo_subjects, "attendance.put_back", undo_arguments),
    )
