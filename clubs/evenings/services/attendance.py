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
from clubs.evenings.services.booking_errors import format_refusal
from clubs.evenings.services.fixtures import lock_fixture, values_to_data
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
    known_players = set(fixture.attendances.values_list("player", flat=True))
    new = [
        Attendance(
            fixture=fixture,
            player=player,
            kind=_get_default_kind(player),
            fee=_get_fee(fixture, _get_default_kind(player)),
        )
        for player in {player.pk: player for player in players}.values()
        if player.pk not in known_players and player.club_id == fixture.evening.club_id
    ]
    for attendance in new:
        attendance.save()
    if new:
        undo_arguments = {"rows": [], "new": [attendance.pk for attendance in new]}
        _record_act(by, fixture, "attendance.noted", undo_arguments, {"count": len(new)})
    return new


@transaction.atomic
def delete_attendance(*, attendance: Attendance, by: Actor) -> None:
    """Delete the attendance of a person who did not come.

    Raises BookingRefused if a payment is recorded.
    """
    fixture = lock_fixture(attendance.fixture)
    row = _lock_if_exists(attendance)
    if row is None:
        return
    if row.settled != Attendance.Settled.OWING and row.fee:
        raise BookingRefused(_("Already paid. Undo the payment first."))
    undo_arguments = {"rows": [_to_undo_data(row)], "new": []}
    act_place = {"name": row.player.name}
    row.delete()
    _record_act(by, fixture, "attendance.dropped", undo_arguments, act_place)


@transaction.atomic
def record_payment(
    *, attendance: Attendance, how: str, on: Fixture | None = None, by: Actor
) -> Attendance:
    """Record that a person has paid, owes nothing, or still owes the fee; idempotent.

    `on` is the evening that received the payment, if it was a later one.
    """
    fixture = lock_fixture(attendance.fixture)
    row = _lock_existing(attendance)
    if how not in Attendance.Settled.values:
        raise BookingRefused(_("Choose cash, other, free or owing."))
    if row.settled == how:
        return row
    box = on or fixture
    if box.evening.club_id != fixture.evening.club_id:
        raise BookingRefused(_("Choose an evening of this club."))
    undo_arguments = {"rows": [_to_undo_data(row)], "new": []}
    is_owing = how == Attendance.Settled.OWING
    row.settled = how
    row.settled_at = None if is_owing else timezone.now()
    row.settled_by = "" if is_owing else audit.format_author_key(by)
    row.settled_on = None if is_owing else box
    row.save()
    act_place = {"name": row.player.name}
    # Record the act on the evening that received the money, because it also offers the undo.
    _record_act(
        by, box, "attendance.settled", undo_arguments, act_place, after={"settled": how}
    )
    return row


@transaction.atomic
def change_attendance_kind(*, attendance: Attendance, kind: str, by: Actor) -> Attendance:
    """Change the kind of an attendance (member, visitor or junior), and adjust the fee."""
    fixture = lock_fixture(attendance.fixture)
    row = _lock_existing(attendance)
    if kind not in Attendance.Kind.values:
        raise BookingRefused(_("Choose member, visitor or junior."))
    if row.kind == kind:
        return row
    if row.settled != Attendance.Settled.OWING:
        raise BookingRefused(_("Already paid. Undo the payment first."))
    undo_arguments = {"rows": [_to_undo_data(row)], "new": []}
    row.kind, row.fee = kind, _get_fee(fixture, kind)
    row.save(update_fields=["kind", "fee"])
    _record_act(
        by,
        fixture,
        "attendance.kind",
        undo_arguments,
        {"name": row.player.name},
        after={"kind": kind},
    )
    return row


@transaction.atomic
def restore_attendance(
    *, fixture: Fixture, rows: list[Mapping[str, Any]], new: list[int], by: Actor
) -> None:
    """Undo one change of an evening's attendance: restore `rows` and delete the rows `new`.

    An existing row is not assigned to its former player, because two players may have been
    merged. Raises BookingRefused if a player no longer exists or has another row now.
    """
    fixture = lock_fixture(fixture)
    club = fixture.evening.club_id
    club_attendances = Attendance.objects.filter(fixture__evening__club=club)
    keys = [each["id"] for each in rows]
    existing_rows = {row.pk: row for row in club_attendances.filter(pk__in=[*keys, *new])}
    before = [_to_undo_data(row) for row in existing_rows.values()]
    club_attendances.filter(pk__in=new).delete()
    for each in rows:
        _restore_row(existing_rows.get(each["id"]), each, club)
    missing_keys = [key for key in keys if key not in existing_rows]
    _record_act(by, fixture, "attendance.put_back", {"rows": before, "new": missing_keys}, {})


def _restore_row(row: Attendance | None, values: Mapping[str, Any], club: int) -> None:
    settled_at = values["settled_at"]
    values = {
        **values,
        "settled_at": datetime.fromisoformat(settled_at) if settled_at else None,
    }
    if row is not None:
        for name in (*PAYMENT_FIELDS, "settled_on_id"):
            setattr(row, name, values[name])
        row.save(update_fields=[*PAYMENT_FIELDS, "settled_on"])
        return
    if not Player.objects.filter(club=club, pk=values["player_id"]).exists():
        raise BookingRefused(format_refusal("gone"))
    identity = {key: values[key] for key in ("fixture_id", "player_id")}
    if Attendance.objects.filter(**identity).exists():
        raise BookingRefused(format_refusal("again"))
    Attendance.objects.create(**values)


def _get_default_kind(player: Player) -> str:
    is_visitor = player.kind == Player.Kind.VISITOR
    return Attendance.Kind.VISITOR if is_visitor else Attendance.Kind.MEMBER


def _get_fee(fixture: Fixture, kind: str) -> int:
    fees = {
        "member": fixture.fee_member,
        "visitor": fixture.fee_visitor,
        "junior": fixture.fee_junior,
    }
    return fees[kind]


def _lock_if_exists(attendance: Attendance) -> Attendance | None:
    return Attendance.objects.select_related("player").filter(pk=attendance.pk).first()


def _lock_existing(attendance: Attendance) -> Attendance:
    row = _lock_if_exists(attendance)
    if row is None:
        raise BookingRefused(_("This name is no longer on the list."))
    return row


def _to_undo_data(row: Attendance) -> dict[str, Any]:
    return values_to_data({name: getattr(row, name) for name in UNDO_COLUMNS})


def _record_act(
    by: Actor,
    fixture: Fixture,
    action: str,
    undo_arguments: Mapping[str, Any],
    location: Mapping[str, Any],
    *,
    after: Mapping[str, Any] | None = None,
) -> None:
    keys = [
        *(undo_argument["id"] for undo_argument in undo_arguments["rows"]),
        *undo_arguments["new"],
    ]
    about = tuple(f"attendance {key}" for key in keys)
    audit.record(
        by,
        action,
        subject=fixture,
        where=location,
        after=after,
        back=Undo(about, "attendance.put_back", undo_arguments),
    )
