"""Services for series of evenings: create, change and end; each creates its evenings.

A series has its evenings as rows for a year ahead. An evening with changes of its own stays as
it is. An evening that the series no longer plays is cancelled and not deleted, so that
subscribed calendars show it.
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
from clubs.audit import Actor, Back
from clubs.errors import CalendarRefused
from clubs.evenings.recurrence import BadRule, Days, days_of, refuse_far
from clubs.evenings.services.bookings import settle_bookings
from clubs.evenings.services.fixtures import PLAN, announced, plain, set_cancelled, write
from clubs.models import Club, Evening, Fixture, Series
from clubs.today import today_at

AHEAD = timedelta(days=365)
OF_SERIES = ("title", "rule", "holidays", "start", "place")
FIELDS = (*OF_SERIES, *PLAN)


@transaction.atomic
def make_series(*, club: Club, values: Mapping[str, Any], by: Actor) -> Series:
    """Create a series and its evenings of the first year; idempotent.

    Raises CalendarRefused.
    """
    Club.objects.select_for_update().get(pk=club.pk)  # serialise double clicks
    for standing in club.series.filter(title=values["title"], ended_at=None):
        if all(getattr(standing, key) == value for key, value in values.items()):
            return standing
    slug = _free_slug(club, values["title"])
    series = Series(club=club, slug=slug, **values)
    _check(series)
    series.save()
    made = fill(series)
    _record(by, series, "series.made", "series.end", after={"evenings": len(made)})
    return series


@transaction.atomic
def change_series(*, series: Series, values: Mapping[str, Any], by: Actor) -> Series:
    """Change a series and all its future evenings without changes of their own.

    Raises CalendarRefused.
    """
    series = _locked(series)
    before = {key: getattr(series, key) for key in FIELDS}
    wanted = {key: value for key, value in values.items() if before[key] != value}
    if not wanted:
        return series
    for key, value in wanted.items():
        setattr(series, key, value)
    _check(series)
    series.save()
    touched = fill(series)
    _let_in(touched, by)
    given = {"values": plain({key: before[key] for key in wanted})}
    _record(
        by, series, "series.changed", "series.change", given, after={"evenings": len(touched)}
    )
    return series


@transaction.atomic
def end_series(*, series: Series, by: Actor) -> Series:
    """End a series, and cancel its future evenings."""
    series = _locked(series)
    if series.ended_at is None:
        series.ended_at = timezone.now()
        series.save(update_fields=["ended_at"])
        touched = fill(series)
        after = {"evenings": len(touched)}
        _record(by, series, "series.ended", "series.resume", after=after)
    return series


@transaction.atomic
def resume_series(*, series: Series, by: Actor) -> Series:
    """Resume a series that was ended."""
    series = _locked(series)
    if series.ended_at is not None:
        series.ended_at = None
        series.save(update_fields=["ended_at"])
        touched = fill(series)
        _let_in(touched, by)
        after = {"evenings": len(touched)}
        _record(by, series, "series.resumed", "series.end", after=after)
    return series


def coming_days(series: Series, today: Date) -> Days:
    """Return the days of a series in the year to come, and the skipped ones."""
    holidays = {Date.fromisoformat(day): name for day, name in series.holidays.items()}
    if series.ended_at is not None:
        return Days(())
    return days_of(series.days(), since=today, until=today + AHEAD, holidays=holidays)


def fill(series: Series) -> list[Fixture]:
    """Update the evenings of the year to come from the series; return the changed ones.

    Idempotent. The caller records the act, or it runs in the calendar's job.
    """
    today = today_at(series.club)
    days = coming_days(series, today).days
    rows = series.fixtures.select_related("evening__club").filter(series_day__gte=today)
    standing = {each.series_day: each for each in rows.select_for_update(of=("self",))}
    touched, new = [], list[Fixture]()
    for day in days:
        found = standing.get(day)
        if found is None:
            new.append(_announced(series, day))
        elif not found.is_own and _bring_in_line(series, found):
            touched.append(found)
    for planned, fixture in standing.items():
        is_bare = not fixture.is_own and fixture.cancelled_at is None
        if planned not in days and is_bare and not hasattr(fixture.evening, "session"):
            set_cancelled(fixture, timezone.now(), is_own=False)
            touched.append(fixture)
    Evening.objects.bulk_create(each.evening for each in new)
    for each in new:
        each.evening = each.evening  # update the foreign key
    Fixture.objects.bulk_create(new)
    return touched + new


@transaction.atomic
def fill_ahead(*, series: Series, by: Actor) -> None:
    """Add the evenings that have come within a year since the last run."""
    series = _locked(series)
    touched = fill(series)
    _let_in(touched, by)
    if touched:
        audit.record(
            by,
            "series.filled",
            subject=series.club,
            where={"name": series.title},
            after={"evenings": len(touched)},
        )


@transaction.atomic
def follow_again(*, fixture: Fixture, by: Actor) -> None:
    """Let an evening follow its series again.

    It stays as it is if only one of the two is cancelled.
    """
    if fixture.series is None:
        return
    today = today_at(fixture.club)
    is_played = fixture.series_day in coming_days(fixture.series, today).days
    if is_played == (fixture.cancelled_at is None):
        fixture.is_own = False
        fixture.save(update_fields=["is_own"])
        fill_ahead(series=fixture.series, by=by)


def _let_in(touched: list[Fixture], by: Actor) -> None:
    """Give new places to waiting bookings, unless booking has closed."""
    rows = Fixture.objects.filter(pk__in=[each.pk for each in touched], cancelled_at=None)
    for fixture in rows.filter(bookings__has_place=False).distinct():
        settle_bookings(fixture=fixture, by=by)


def _announced(series: Series, day: Date) -> Fixture:
    return announced(
        series.club,
        _values(series) | {"date": day},
        series=series,
        series_day=day,
        uid=uuid5(series.uid, day.isoformat()),
    )


def _bring_in_line(series: Series, fixture: Fixture) -> bool:
    was_cancelled = fixture.cancelled_at is not None
    if was_cancelled:
        set_cancelled(fixture, None, is_own=False)
    return write(fixture, _values(series), is_own=False) or was_cancelled


def _values(series: Series) -> dict[str, Any]:
    own = {"start": series.start, "place": series.place, "title": series.title}
    return own | {key: getattr(series, key) for key in PLAN}


def _check(series: Series) -> None:
    try:
        series.clean_fields(exclude=["club"])
        refuse_far(series.days())
    except ValidationError as problem:
        field, words = next(iter(problem.message_dict.items()))
        raise CalendarRefused(" ".join(words), field) from None
    except BadRule as refused:
        raise CalendarRefused(str(refused), refused.field) from None


def _free_slug(club: Club, title: str) -> str:
    wanted = slugify(title)[:50] or "series"
    taken = set(club.series.values_list("slug", flat=True))
    numbers = (f"{wanted}-{number}" for number in range(2, len(taken) + 3))
    return wanted if wanted not in taken else next(n for n in numbers if n not in taken)


def _locked(series: Series) -> Series:
    rows = Series.objects.select_for_update(of=("self",)).select_related("club")
    return rows.get(pk=series.pk)


def _record(
    by: Actor,
    series: Series,
    action: str,
    call: str,
    given: Mapping[str, Any] | None = None,
    *,
    after: Mapping[str, Any],
) -> None:
    key = {"series": series.pk, **(given or {})}
    audit.record(
        by,
        action,
        subject=series.club,
        where={"name": series.title},
        after=after,
        back=Back((f"series {series.pk}",), call, key),
    )
