"""The forms for series of evenings and for single evenings."""

import re
from collections.abc import Mapping
from datetime import date as Date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.evenings.money import InvalidAmount, format_plain_amount, parse_amount
from clubs.evenings.recurrence import (
    LAST_IN_MONTH,
    LISTED_DATES,
    MONTHLY_BY_DATE,
    MONTHLY_BY_WEEKDAY,
    WEEKLY,
    RecurrenceRule,
    parse_recurrence,
    serialize_recurrence,
)
from clubs.models import Club, Fixture, Plan, Series
from scoring.methods import list_methods
from tournaments.models import Event

SERIES_KINDS = (
    (WEEKLY, _("every week or every few weeks")),
    (MONTHLY_BY_WEEKDAY, _("a weekday of the month")),
    (MONTHLY_BY_DATE, _("a day of the month")),
    (LISTED_DATES, _("chosen days")),
)
WEEKDAY_CHOICES = (
    (0, _("Monday")), (1, _("Tuesday")), (2, _("Wednesday")), (3, _("Thursday")),
    (4, _("Friday")), (5, _("Saturday")), (6, _("Sunday")),
)  # fmt: skip
WEEK_CHOICES = (
    (1, _("first")), (2, _("second")), (3, _("third")), (4, _("fourth")), (5, _("fifth")),
    (LAST_IN_MONTH, _("last")),
)  # fmt: skip
MEMORY_CONTEST = Event.Contest.MEMORY.value
"""The code of memory duplicate, which is offered only to clubs with congress features."""
FEE_FIELDS = ("fee_member", "fee_visitor", "fee_junior")
DATE_INPUT_ATTRS = {"type": "date"}
COLLAPSED_FIELD_GROUPS = (
    (_("Other days, exceptions, holidays"), (
        "every", "nth", "day", "dates", "last", "but", "holidays", "holiday_file",
    )),
    (_("Booking"), ("books", "guests", "unit", "places", "opens_days", "closes_hours")),
    (_("Table money"), FEE_FIELDS),
    (_("Event settings"), ("minutes", "contest", "method")),
)  # fmt: skip
"""The groups of fields that the page shows collapsed at first."""


class AmountField(forms.CharField):
    """A field for an amount of money."""

    def __init__(self, *, currency: str = "GBP", **options: Any) -> None:
        super().__init__(max_length=12, required=False, **options)
        self.currency = currency
        self.widget.attrs |= {"inputmode": "decimal", "class": "short"}

    def clean(self, value: Any) -> int:
        """Return the amount in the smallest unit of the currency; an empty field is 0."""
        amount_text = str(super().clean(value) or "0")
        try:
            return parse_amount(amount_text, self.currency)
        except InvalidAmount as error:
            raise forms.ValidationError(str(error)) from None


MAX_DAYS_FIELD_LENGTH = 100_000
"""The maximum length of a `DaysField`, enough for every day of two years with long names."""
DATE_SEPARATOR_PATTERN = re.compile(r"\n|,\s*(?=\d{4}-\d|$)")
"""The pattern that separates dates: a line break, or a comma before a date or the line's end.

Other commas do not separate dates, because the names of holidays may contain commas.
"""


class DaysField(forms.CharField):
    """A field for dates with optional names, separated by line breaks or commas.

    An example of a line is "2026-12-24 Christmas Eve".
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(
            required=False,
            max_length=MAX_DAYS_FIELD_LENGTH,
            widget=forms.Textarea({"rows": 4}),
            **options,
        )

    def clean(self, value: Any) -> dict[Date, str]:
        """Return the name of each date, by date; "" for a date without a name."""
        names_by_day = {}
        for date_line in DATE_SEPARATOR_PATTERN.split(str(super().clean(value) or "")):
            day_text, _separator, day_name = date_line.strip().partition(" ")
            if not day_text:
                continue
            try:
                names_by_day[Date.fromisoformat(day_text.rstrip(","))] = " ".join(
                    day_name.split()
                )[:80]
            except ValueError:
                message = _("“%(typed)s” isn’t a date. Enter a date such as 2026-12-24.")
                raise forms.ValidationError(message, params={"typed": day_text[:20]}) from None
        return names_by_day


class PlanForm(forms.Form):
    """The base class of the forms for series and evenings, with the fields that both have."""

    title = forms.CharField(label=_("Name"), max_length=100)
    start = forms.TimeField(
        label=pgettext_lazy("time of day", "Start"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, "%H:%M"),
    )
    minutes = forms.IntegerField(
        label=_("Length in minutes"), min_value=15, max_value=1440, initial=180
    )
    place = forms.CharField(label=_("Venue"), max_length=200, required=False)
    contest = forms.ChoiceField(label=_("Type of event"), choices=Event.Contest.choices)
    method = forms.ChoiceField(label=_("Scoring"), required=False)
    books = forms.BooleanField(label=_("Players can book"), required=False)
    guests = forms.BooleanField(label=_("Guests can book"), required=False)
    unit = forms.ChoiceField(label=_("Count places by"), choices=Plan.Unit.choices)
    places = forms.IntegerField(
        label=_("Places"), required=False, min_value=1, max_value=1000,
        help_text=_("Leave empty for no limit."),
    )  # fmt: skip
    opens_days = forms.IntegerField(
        label=_("Booking opens (days before)"), min_value=0, max_value=365, initial=28
    )
    closes_hours = forms.IntegerField(
        label=_("Booking closes (hours before)"), min_value=0, max_value=720, initial=3
    )

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        chosen_contests = {self.initial.get("contest"), self.data.get("contest")}
        if not club.has_congress_features and MEMORY_CONTEST not in chosen_contests:
            offered_contests = [
                choice for choice in Event.Contest.choices if choice[0] != MEMORY_CONTEST
            ]
            self.fields["contest"].choices = offered_contests  # type: ignore[attr-defined]  # a choice's field
        method_label_by_code = {
            method.code: method.label
            for contest_code in Event.Contest
            for method in list_methods(contest_code)
        }
        self.fields["method"].choices = [("", _("club default")), *method_label_by_code.items()]  # type: ignore[attr-defined]  # a choice's field
        labels = (_("Members’ fee"), _("Visitors’ fee"), _("Juniors’ fee"))
        for field_name, fee_label in zip(FEE_FIELDS, labels, strict=True):
            self.fields[field_name] = AmountField(label=fee_label, currency=club.currency)

    def clean(self) -> dict[str, Any]:
        """Add an error for a scoring method that is not available for the contest."""
        cleaned_values = super().clean() or self.cleaned_data
        method, contest = cleaned_values.get("method"), cleaned_values.get("contest", "")
        if method and method not in {
            available_method.code for available_method in list_methods(contest)
        }:
            self.add_error(
                "method",
                _("That scoring method doesn’t work for this type of event. Choose another."),
            )
        return cleaned_values

    @property
    def field_groups(self) -> list[tuple[Any, bool, list[forms.BoundField]]]:
        """Return the groups of fields, each with its title and whether it is expanded.

        The first group and all groups with errors are expanded.
        """
        collapsed_field_names = {
            field_name
            for _title, field_names in COLLAPSED_FIELD_GROUPS
            for field_name in field_names
        }
        titled_groups: list[tuple[Any, bool, list[forms.BoundField]]] = [
            (
                "",
                True,
                [
                    self[field_name]
                    for field_name in self.fields
                    if field_name not in collapsed_field_names
                ],
            )
        ]
        for title, field_names in COLLAPSED_FIELD_GROUPS:
            group_fields = [
                self[field_name] for field_name in field_names if field_name in self.fields
            ]
            if group_fields:
                titled_groups.append(
                    (title, any(field.errors for field in group_fields), group_fields)
                )
        return titled_groups

    @property
    def plan(self) -> dict[str, Any]:
        """Return the values of an evening's plan: contest, scoring, fees and bookings."""
        field_names = [field.name for field in Plan._meta.fields]
        return {field_name: self.cleaned_data[field_name] for field_name in field_names}


class FixtureForm(PlanForm):
    """The form for a single evening."""

    date = forms.DateField(label=_("Day"), widget=forms.DateInput(DATE_INPUT_ATTRS, "%Y-%m-%d"))
    field_order = ("date",)

    @property
    def values(self) -> dict[str, Any]:
        """Return the values of the evening's fields, as `change_fixture` takes them."""
        evening_values = {
            field_name: self.cleaned_data[field_name]
            for field_name in ("date", "start", "place", "title")
        }
        return evening_values | self.plan


class SeriesForm(PlanForm):
    """The form for a series: its recurrence rule, and the plan of each of its evenings."""

    kind = forms.ChoiceField(label=_("Repeats"), choices=SERIES_KINDS)
    weekday = forms.TypedChoiceField(label=_("Weekday"), choices=WEEKDAY_CHOICES, coerce=int)
    every = forms.IntegerField(
        label=_("Weeks between evenings"), min_value=1, max_value=52, initial=1
    )
    nth = forms.TypedChoiceField(label=_("Week of the month"), choices=WEEK_CHOICES, coerce=int)
    day = forms.IntegerField(
        label=_("Day of the month"), min_value=1, max_value=31, required=False
    )
    first = forms.DateField(
        label=_("From"), widget=forms.DateInput(DATE_INPUT_ATTRS, "%Y-%m-%d")
    )
    last = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(DATE_INPUT_ATTRS, "%Y-%m-%d")
    )
    dates = DaysField(label=_("Chosen days"), help_text=_("One per line, e.g. 2026-12-24"))
    but = DaysField(label=_("Except these days"), help_text=_("One per line, e.g. 2026-12-24"))
    holidays = DaysField(
        label=_("Holidays"), help_text=_("One per line, e.g. 2026-12-25 Christmas Day")
    )
    holiday_file = forms.FileField(label=_("Import holidays (.ics file)"), required=False)
    field_order = (
        "title", "kind", "weekday", "every", "nth", "day", "dates", "first", "last", "start",
        "minutes", "place", "but", "holidays", "holiday_file",
    )  # fmt: skip

    @property
    def rule(self) -> RecurrenceRule:
        """Return the recurrence rule, which the services of `clubs` validate."""
        cleaned_values = self.cleaned_data
        return RecurrenceRule(
            recurrence_kind=cleaned_values["kind"],
            first_day=cleaned_values["first"],
            last_day=cleaned_values["last"],
            interval_weeks=cleaned_values["every"],
            weekday=cleaned_values["weekday"],
            weekday_ordinal=cleaned_values["nth"],
            day_of_month=cleaned_values["day"] or 1,
            dates=tuple(cleaned_values["dates"]),
            excluded_days=frozenset(cleaned_values["but"]),
        )

    def values(self) -> dict[str, Any]:
        """Return the values of the series' fields, as `change_series` takes them."""
        holidays = self.cleaned_data["holidays"]
        evening_values = {
            field_name: self.cleaned_data[field_name]
            for field_name in ("title", "start", "place")
        }
        holiday_name_by_day = {day.isoformat(): holidays[day] for day in sorted(holidays)}
        return (
            evening_values
            | self.plan
            | {"rule": serialize_recurrence(self.rule), "holidays": holiday_name_by_day}
        )


def format_days(names_by_day: Mapping[str, str]) -> str:
    """Return dates and their names as text for the holidays field, one a line."""
    return "\n".join(f"{day} {name}".strip() for day, name in sorted(names_by_day.items()))


def build_series_initial_data(series: Series) -> dict[str, Any]:
    """Return the initial form data of an existing series."""
    rule = parse_recurrence(series.rule)
    evening_values = {
        field_name: getattr(series, field_name) for field_name in ("title", "start", "place")
    }
    return evening_values | _build_plan_initial_data(series, series.club.currency) | {
        "kind": rule.recurrence_kind, "weekday": rule.weekday, "every": rule.interval_weeks,
        "nth": rule.weekday_ordinal, "day": rule.day_of_month,
        "first": rule.first_day, "last": rule.last_day,
        "dates": "\n".join(date.isoformat() for date in rule.dates),
        "but": "\n".join(sorted(day.isoformat() for day in rule.excluded_days)),
        "holidays": format_days(series.holidays),
    }  # fmt: skip


def build_fixture_initial_data(fixture: Fixture) -> dict[str, Any]:
    """Return the initial form data of an existing evening."""
    evening_values = {
        field_name: getattr(fixture.evening, field_name)
        for field_name in ("date", "start", "place", "title")
    }
    return evening_values | _build_plan_initial_data(fixture, fixture.club.currency)


def _build_plan_initial_data(plan: Plan, currency: str) -> dict[str, Any]:
    plan_values = {field.name: getattr(plan, field.name) for field in Plan._meta.fields}
    return plan_values | {
        name: format_plain_amount(plan_values[name], currency) for name in FEE_FIELDS
    }
