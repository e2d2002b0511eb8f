"""Services that announce, change and cancel the evenings in a club's calendar."""

from collections.abc import Collection, Mapping
from datetime import date as Date
from datetime import datetime, time
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.errors import InvalidCalendarChange
from clubs.evenings.recurrence import format_date_range_error, is_outside_supported_dates
from clubs.models import Club, Evening, Fixture, Plan

PLAN_FIELDS = tuple(field.name for field in Plan._meta.fields)
"""The fields that a series and its evenings share."""
EVENING_FIELDS = ("date", "start", "place", "title")
"""The fields of a calendar entry that are stored in its `Evening` row."""
CALENDAR_FIELDS = (*EVENING_FIELDS, "minutes")
"""The fields that subscribed calendars show; a change increments the sequence number."""

MANUAL_ACTIONS = ("fixture.changed", "fixture.cancelled", "fixture.revived")
"""The action codes of acts after which an evening no longer follows its series."""


@transaction.atomic
def create_fixture(
    *, club: Club, values_by_field: Mapping[str, Any], form_key: str = "", by: Actor
) -> Fixture:
    """Add one evening to the calendar; raise InvalidCalendarChange for invalid values.

    If an evening with the same date, start and title exists, it is returned.
    """
    Club.objects.select_for_update().get(pk=club.pk)  # serialise double clicks
    identifying_values = {
        field_name: values_by_field.get(field_name) for field_name in ("date", "start", "title")
    }
    fixtures = Fixture.objects.filter(evening__club=club, series=None, cancelled_at=None)
    existing_fixture = fixtures.filter(
        **{f"evening__{field_name}": value for field_name, value in identifying_values.items()}
    ).first()
    if existing_fixture is not None:
        return existing_fixture
    fixture = create_fixture_with_evening(club, values_by_field)
    _record_act(
        by,
        fixture,
        "fixture.made",
        Undo(_build_undo_subjects(fixture), "fixture.cancel", _build_fixture_argument(fixture)),
    )
    return fixture


def create_fixture_with_evening(
    club: Club, values_by_field: Mapping[str, Any], **series_values: Any
) -> Fixture:
    """Save a new evening with its fixture; the caller records the act."""
    fixture = build_fixture(club, values_by_field, **series_values)
    fixture.evening.save()
    fixture.evening = fixture.evening  # set the foreign key to the new primary key
    fixture.save()
    return fixture


def build_fixture(
    club: Club, values_by_field: Mapping[str, Any], **series_values: Any
) -> Fixture:
    """Return a validated, unsaved fixture with its evening.

    Raises InvalidCalendarChange if invalid.
    """
    evening = Evening(
        club=club, **{field_name: values_by_field[field_name] for field_name in EVENING_FIELDS}
    )
    plan_values = {
        field_name: values_by_field[field_name]
        for field_name in PLAN_FIELDS
        if field_name in values_by_field
    }
    fixture = Fixture(
        evening=evening, changed_at=timezone.now(), **plan_values, **series_values
    )
    _check_fixture(evening, fixture)
    _copy_booking_end(fixture)
    return fixture


@transaction.atomic
def change_fixture(*, fixture: Fixture, values: Mapping[str, Any], by: Actor) -> Fixture:
    """Change one evening, which no longer follows its series afterwards.

    Raises InvalidCalendarChange for invalid values, and for a new date if the evening has an
    event.
    """
    fixture = lock_fixture(fixture)
    old_values = get_fixture_values(fixture)
    changed_values = {
        field_name: value
        for field_name, value in values.items()
        if old_values.get(field_name) != value
    }
    if not changed_values:
        return fixture
    if "date" in changed_values and hasattr(fixture.evening, "session"):
        raise InvalidCalendarChange(
            _("This evening has an event. Change the event’s date instead."),
            "date",
        )
    undo_arguments = {
        **_build_undo_data(fixture),
        "values": serialize_fixture_values(
            {field_name: old_values[field_name] for field_name in changed_values}
        ),
    }
    update_fixture(fixture, changed_values, is_manual=True)
    old_calendar_values = {
        field_name: old_values[field_name]
        for field_name in changed_values
        if field_name in CALENDAR_FIELDS
    }
    _record_act(
        by,
        fixture,
        "fixture.changed",
        Undo(_build_undo_subjects(fixture), "fixture.change", undo_arguments),
        old_values=serialize_fixture_values(old_calendar_values),
        new_values=serialize_fixture_values(
            {field_name: changed_values[field_name] for field_name in old_calendar_values}
        ),
    )
    return fixture


@transaction.atomic
def cancel_fixture(*, fixture: Fixture, by: Actor) -> Fixture:
    """Cancel an evening but not its bookings, because the booked people must be notified."""
    fixture = lock_fixture(fixture)
    if fixture.cancelled_at is None:
        undo = Undo(_build_undo_subjects(fixture), "fixture.revive", _build_undo_data(fixture))
        set_cancellation(fixture, timezone.now(), is_manual=True)
        _record_act(by, fixture, "fixture.cancelled", undo)
    return fixture


@transaction.atomic
def restore_fixture(*, fixture: Fixture, by: Actor) -> Fixture:
    """Reverse the cancellation of an evening."""
    fixture = lock_fixture(fixture)
    if fixture.cancelled_at is not None:
        undo = Undo(_build_undo_subjects(fixture), "fixture.cancel", _build_undo_data(fixture))
        set_cancellation(fixture, None, is_manual=True)
        _record_act(by, fixture, "fixture.revived", undo)
    return fixture


def update_fixture_days(
    evening_keys: list[int], detached_fixture_keys: Collection[int] = ()
) -> list[int]:
    """Update the fixtures of evenings after their events were moved to another date.

    Moved evenings no longer follow their series. Returns the primary keys of the fixtures that
    followed one. An undo passes these keys as `detached_fixture_keys`. Those fixtures follow
    their series again unless they were changed manually. The caller records the act.
    """
    newly_detached_keys = []
    for fixture in Fixture.objects.filter(evening__in=evening_keys).select_related(
        "evening__club"
    ):
        _copy_booking_end(fixture)
        fixture.evening.save(update_fields=["booking_open_until"])
        if fixture.series_id is not None and not fixture.is_own:
            newly_detached_keys.append(fixture.pk)
        fixture.sequence += 1
        fixture.changed_at = timezone.now()
        fixture.is_own = fixture.pk not in detached_fixture_keys or _has_manual_change(fixture)
        fixture.save(update_fields=["sequence", "changed_at", "is_own"])
    return newly_detached_keys


def _has_manual_change(fixture: Fixture) -> bool:
    """Return whether an evening has a manual change that was not undone."""
    acts = audit.list_acts(fixture.club).filter(
        action__in=MANUAL_ACTIONS, undoes=None, undone_by=None
    )
    (subject_key,) = _build_undo_subjects(fixture)
    return any(
        subject_key in undo_data["about"] for undo_data in acts.values_list("back", flat=True)
    )


def set_cancellation(
    fixture: Fixture, cancelled_at: datetime | None, *, is_manual: bool
) -> None:
    """Set or clear the cancellation time of an evening; the caller records the act."""
    fixture.cancelled_at, fixture.changed_at = cancelled_at, timezone.now()
    fixture.sequence += 1
    fixture.is_own = fixture.is_own or is_manual
    fixture.save(update_fields=["cancelled_at", "changed_at", "sequence", "is_own"])


def update_fixture(
    fixture: Fixture, values_by_field: Mapping[str, Any], *, is_manual: bool
) -> bool:
    """Save new values of an evening, and return whether any value changed.

    The caller records the act.
    """
    old_values = get_fixture_values(fixture)
    changed_values = {
        field_name: value
        for field_name, value in values_by_field.items()
        if old_values.get(field_name) != value
    }
    if not changed_values:
        return False
    for field_name, value in changed_values.items():
        setattr(fixture.evening if field_name in EVENING_FIELDS else fixture, field_name, value)
    _check_fixture(fixture.evening, fixture)
    _copy_booking_end(fixture)
    fixture.evening.save()
    fixture.is_own = fixture.is_own or is_manual
    if set(changed_values) & set(CALENDAR_FIELDS):
        fixture.sequence += 1
        fixture.changed_at = timezone.now()
    fixture.save()
    return True


def lock_fixture(fixture: Fixture) -> Fixture:
    """Lock the row of a fixture, and return its current values."""
    fixtures = Fixture.objects.select_for_update(of=("self",)).select_related("evening__club")
    return fixtures.get(pk=fixture.pk)


def get_fixture_values(fixture: Fixture) -> dict[str, Any]:
    """Return the editable values of a fixture and its evening, by field name."""
    evening_values = {
        field_name: getattr(fixture.evening, field_name) for field_name in EVENING_FIELDS
    }
    return evening_values | {
        field_name: getattr(fixture, field_name) for field_name in PLAN_FIELDS
    }


def serialize_fixture_values(values_by_field: Mapping[str, Any]) -> dict[str, Any]:
    """Return field values as JSON data."""
    return {
        field_name: value.isoformat() if isinstance(value, Date | time) else value
        for field_name, value in values_by_field.items()
    }


def parse_fixture_values(json_data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the field values that `serialize_fixture_values` has converted to JSON data."""
    values_by_field = dict(json_data)
    if values_by_field.get("date"):
        values_by_field["date"] = Date.fromisoformat(values_by_field["date"])
    if values_by_field.get("start"):
        values_by_field["start"] = time.fromisoformat(values_by_field["start"])
    return values_by_field


def _check_fixture(evening: Evening, fixture: Fixture) -> None:
    if is_outside_supported_dates(evening.date):
        raise InvalidCalendarChange(format_date_range_error(), "date")
    try:
        evening.clean_fields(exclude=["club"])
        fixture.clean_fields(exclude=["evening", "series", "changed_at"])
    except ValidationError as error:
        field_name, messages = next(iter(error.message_dict.items()))
        raise InvalidCalendarChange(" ".join(messages), field_name) from None


def _copy_booking_end(fixture: Fixture) -> None:
    """Copy the time at which booking closes to the evening; None if players cannot book."""
    fixture.evening.booking_open_until = fixture.booking_closes_at if fixture.books else None


def _build_undo_subjects(fixture: Fixture) -> tuple[str]:
    return (f"fixture {fixture.pk}",)


def _build_fixture_argument(fixture: Fixture) -> dict[str, int]:
    return {"fixture": fixture.pk}


def _build_undo_data(fixture: Fixture) -> dict[str, Any]:
    """Return the undo arguments: the fixture's key, and its former `is_own` flag."""
    return {**_build_fixture_argument(fixture), "is_own": fixture.is_own}


def _record_act(
    by: Actor,
    fixture: Fixture,
    action: str,
    undo: Undo,
    *,
    old_values: Mapping[str, Any] | None = None,
    new_values: Mapping[str, Any] | None = None,
) -> None:
    act_location = {"name": fixture.evening.title, "day": fixture.evening.date.isoformat()}
    audit.record(
        by,
        action,
        subject=fixture.club,
        where=act_location,
        before=old_values,
        after=new_values,
        undo=undo,
    )
