"""Services that create, change and end series of evenings.

The evenings of a series are created a year in advance. An evening with changes of its own no
longer follows the series. An evening that is no longer part of the series is cancelled, not
deleted, because subscribed calendars must show the cancellation.
"""

from collections.abc import Mapping
from datetime import date as Date
from datetime import timedelta
from typing import Any
from uuid import uuid5

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.errors import InvalidCalendarChange
from clubs.evenings.recurrence import (
    InvalidRecurrenceRule,
    SeriesDays,
    check_supported_dates,
    list_series_days,
)
from clubs.evenings.services.bookings import promote_waiting_bookings
from clubs.evenings.services.fixtures import (
    PLAN_FIELDS,
    build_fixture,
    serialize_fixture_values,
    set_cancellation,
    update_fixture,
)
from clubs.models import Club, Evening, Fixture, Series
from clubs.today import get_club_date

PLANNING_PERIOD = timedelta(days=365)
"""The period for which the evenings of a series are created in advance."""
SERIES_FIELDS = ("title", "rule", "holidays", "start", "place")
SERIES_AND_PLAN_FIELDS = (*SERIES_FIELDS, *PLAN_FIELDS)


@transaction.atomic
def create_series(*, club: Club, values_by_field: Mapping[str, Any], by: Actor) -> Series:
    """Create a series and its evenings of the first year.

    An existing series with the same values is returned unchanged. Raises InvalidCalendarChange
    if the series is invalid.
    """
    Club.objects.select_for_update().get(pk=club.pk)  # serialise double clicks
    for existing_series in club.series.filter(title=values_by_field["title"], ended_at=None):
        if all(
            getattr(existing_series, field_name) == value
            for field_name, value in values_by_field.items()
        ):
            return existing_series
    slug = _create_slug(club, values_by_field["title"])
    series = Series(club=club, slug=slug, **values_by_field)
    _check_series(series)
    series.save()
    new_fixtures = update_evenings(series)
    _record_act(
        by, series, "series.made", "series.end", new_values={"evenings": len(new_fixtures)}
    )
    return series


@transaction.atomic
def change_series(*, series: Series, values: Mapping[str, Any], by: Actor) -> Series:
    """Change a series, and those of its future evenings that have no changes of their own.

    Raises InvalidCalendarChange for invalid values.
    """
    series = _lock_series(series)
    old_values = {
        field_name: getattr(series, field_name) for field_name in SERIES_AND_PLAN_FIELDS
    }
    changed_values = {
        field_name: value
        for field_name, value in values.items()
        if old_values[field_name] != value
    }
    if not changed_values:
        return series
    for field_name, value in changed_values.items():
        setattr(series, field_name, value)
    _check_series(series)
    series.save()
    changed_fixtures = update_evenings(series)
    _fill_new_places(changed_fixtures, by)
    undo_arguments = {
        "values": serialize_fixture_values(
            {field_name: old_values[field_name] for field_name in changed_values}
        )
    }
    _record_act(
        by,
        series,
        "series.changed",
        "series.change",
        undo_arguments,
        new_values={"evenings": len(changed_fixtures)},
    )
    return series


@transaction.atomic
def end_series(*, series: Series, by: Actor) -> Series:
    """End a series, and cancel those of its future evenings that still follow it."""
    series = _lock_series(series)
    if series.ended_at is None:
        series.ended_at = timezone.now()
        series.save(update_fields=["ended_at"])
        changed_fixtures = update_evenings(series)
        new_values = {"evenings": len(changed_fixtures)}
        _record_act(by, series, "series.ended", "series.resume", new_values=new_values)
    return series


@transaction.atomic
def resume_series(*, series: Series, by: Actor) -> Series:
    """Resume an ended series, and restore its future evenings."""
    series = _lock_series(series)
    if series.ended_at is not None:
        series.ended_at = None
        series.save(update_fields=["ended_at"])
        changed_fixtures = update_evenings(series)
        _fill_new_places(changed_fixtures, by)
        new_values = {"evenings": len(changed_fixtures)}
        _record_act(by, series, "series.resumed", "series.end", new_values=new_values)
    return series


def list_upcoming_days(series: Series, today: Date) -> SeriesDays:
    """Return the days of a series in the coming year, and the skipped days."""
    holiday_names_by_day = {
        Date.fromisoformat(day): name for day, name in series.holidays.items()
    }
    if series.ended_at is not None:
        return SeriesDays(())
    return list_series_days(
        series.read_rule(),
        first_day=today,
        last_day=today + PLANNING_PERIOD,
        holiday_names_by_day=holiday_names_by_day,
    )


def update_evenings(series: Series) -> list[Fixture]:
    """Create, update and cancel evenings of the coming year to match their series.

    Returns the changed and the new evenings. Idempotent. The caller records the act.
    """
    today = get_club_date(series.club)
    days = list_upcoming_days(series, today).days
    fixtures = series.fixtures.select_related("evening__club").filter(series_day__gte=today)
    fixtures_by_day = {
        fixture.series_day: fixture for fixture in fixtures.select_for_update(of=("self",))
    }
    changed_fixtures, new_fixtures = [], list[Fixture]()
    for day in days:
        fixture_of_day = fixtures_by_day.get(day)
        if fixture_of_day is None:
            new_fixtures.append(_build_fixture(series, day))
        elif not fixture_of_day.is_own and _update_fixture_from_series(series, fixture_of_day):
            changed_fixtures.append(fixture_of_day)
    for planned_day, fixture in fixtures_by_day.items():
        is_planned_by_series = not fixture.is_own and fixture.cancelled_at is None
        if (
            planned_day not in days
            and is_planned_by_series
            and not hasattr(fixture.evening, "session")
        ):
            set_cancellation(fixture, timezone.now(), is_manual=False)
            changed_fixtures.append(fixture)
    Evening.objects.bulk_create(fixture.evening for fixture in new_fixtures)
    for fixture in new_fixtures:
        fixture.evening = fixture.evening  # set the foreign key to the new primary key
    Fixture.objects.bulk_create(new_fixtures)
    return changed_fixtures + new_fixtures


@transaction.atomic
def create_upcoming_evenings(*, series: Series, by: Actor) -> None:
    """Create the evenings of a series that are less than a year ahead and do not exist yet."""
    series = _lock_series(series)
    changed_fixtures = update_evenings(series)
    _fill_new_places(changed_fixtures, by)
    if changed_fixtures:
        audit.record(
            by,
            "series.filled",
            subject=series.club,
            where={"name": series.title},
            after={"evenings": len(changed_fixtures)},
        )


@transaction.atomic
def rejoin_series(*, fixture: Fixture, by: Actor) -> None:
    """Make an evening follow its series again.

    Nothing happens if the series plays on that day but the evening is cancelled, or vice
    versa.
    """
    if fixture.series is None:
        return
    today = get_club_date(fixture.club)
    is_series_day = fixture.series_day in list_upcoming_days(fixture.series, today).days
    if is_series_day == (fixture.cancelled_at is None):
        fixture.is_own = False
        fixture.save(update_fields=["is_own"])
        create_upcoming_evenings(series=fixture.series, by=by)


def _fill_new_places(changed_fixtures: list[Fixture], by: Actor) -> None:
    """Give free places of changed evenings to waiting bookings, unless booking has closed."""
    fixtures = Fixture.objects.filter(
        pk__in=[fixture.pk for fixture in changed_fixtures], cancelled_at=None
    )
    for fixture in fixtures.filter(bookings__has_place=False).distinct():
        promote_waiting_bookings(fixture=fixture, by=by)


def _build_fixture(series: Series, day: Date) -> Fixture:
    return build_fixture(
        series.club,
        _get_series_values(series) | {"date": day},
        series=series,
        series_day=day,
        uid=uuid5(series.uid, day.isoformat()),
    )


def _update_fixture_from_series(series: Series, fixture: Fixture) -> bool:
    was_cancelled = fixture.cancelled_at is not None
    if was_cancelled:
        set_cancellation(fixture, None, is_manual=False)
    return update_fixture(fixture, _get_series_values(series), is_manual=False) or was_cancelled


def _get_series_values(series: Series) -> dict[str, Any]:
    series_values = {"start": series.start, "place": series.place, "title": series.title}
    return series_values | {
        field_name: getattr(series, field_name) for field_name in PLAN_FIELDS
    }


def _check_series(series: Series) -> None:
    try:
        series.clean_fields(exclude=["club"])
        check_supported_dates(series.read_rule())
    except ValidationError as validation_error:
        field_name, messages = next(iter(validation_error.message_dict.items()))
        raise InvalidCalendarChange(" ".join(messages), field_name) from None
    except InvalidRecurrenceRule as error:
        raise InvalidCalendarChange(str(error), error.field_name) from None


def _create_slug(club: Club, title: str) -> str:
    base_slug = slugify(title)[:50] or "series"
    taken_slugs = set(club.series.values_list("slug", flat=True))
    numbered_slugs = (
        f"{base_slug}-{suffix_number}" for suffix_number in range(2, len(taken_slugs) + 3)
    )
    return (
        base_slug
        if base_slug not in taken_slugs
        else next(
            numbered_slug
            for numbered_slug in numbered_slugs
            if numbered_slug not in taken_slugs
        )
    )


def _lock_series(series: Series) -> Series:
    series_rows = Series.objects.select_for_update(of=("self",)).select_related("club")
    return series_rows.get(pk=series.pk)


def _record_act(
    by: Actor,
    series: Series,
    action: str,
    inverse_name: str,
    undo_arguments: Mapping[str, Any] | None = None,
    *,
    new_values: Mapping[str, Any],
) -> None:
    all_undo_arguments = {"series": series.pk, **(undo_arguments or {})}
    audit.record(
        by,
        action,
        subject=series.club,
        where={"name": series.title},
        after=new_values,
        undo=Undo((f"series {series.pk}",), inverse_name, all_undo_arguments),
    )
