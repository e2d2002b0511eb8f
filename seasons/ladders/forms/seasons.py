"""What a new season is asked: its days, and which of the usual ladders it has."""

import re
from collections.abc import Mapping
from datetime import date as Date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.evenings.recurrence import far_words, is_far
from seasons.ladders.rules.presets import PRESETS, preset
from seasons.ladders.rules.rule import rule_of
from server.json_reader.values import exact

FIRST_MONTH = 9
"""A club plays from September on."""
POINTS = "4-3-2-1"


def day_possible(day: Date) -> None:
    """Raise ValidationError for a day on which no season begins or ends."""
    if is_far(day):
        raise forms.ValidationError(far_words())


class SeasonForm(forms.Form):
    """A season of some days, with ladders of the usual kinds."""

    name = forms.CharField(label=_("Name"), max_length=100)
    first_day = forms.DateField(
        label=_("First day"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        validators=[day_possible],
    )
    last_day = forms.DateField(
        label=_("Last day"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        validators=[day_possible],
    )
    ladders = forms.MultipleChoiceField(
        label=_("Ladders"), widget=forms.CheckboxSelectMultiple, initial=["best"]
    )
    count = forms.IntegerField(
        label=_("How many evenings count, or are needed for an average"),
        min_value=1, max_value=100, initial=8,
    )  # fmt: skip
    points = forms.CharField(
        label=_("Points by place"), max_length=100, initial=POINTS, required=False,
        help_text=_("The points of the first, the second and so on, such as 4-3-2-1."),
    )  # fmt: skip

    def __init__(self, data: Mapping[str, Any] | None = None, *, today: Date) -> None:
        first, last = year_of(today)
        usual = {
            "name": _("Season %(from)s/%(to)s")
            % {"from": first.year, "to": f"{last.year % 100:02}"},
            **{"first_day": first, "last_day": last},
        }
        super().__init__(data, initial=usual)
        self.fields["ladders"].choices = [  # type: ignore[attr-defined]  # of a ChoiceField
            (each.key, f"{each.name()}: {each.words()}") for each in PRESETS
        ]

    def clean_points(self) -> list[str]:
        """Read the table of points; refuse what is no number."""
        written = [each for each in re.split(r"[\s,;–-]+", self.cleaned_data["points"]) if each]
        if any(exact(each) is None for each in written):
            raise forms.ValidationError(_("Write numbers with a hyphen between, as 4-3-2-1."))
        return written

    def clean(self) -> dict[str, Any]:
        """Refuse days that cannot be, and a rule that its ladder cannot have."""
        data = super().clean() or self.cleaned_data
        first, last = data.get("first_day"), data.get("last_day")
        if first and last and last < first:
            self.add_error("last_day", _("The last day is before the first one."))
        if not self.errors:
            for each in self.ladders_wanted():
                rule = {key: each[key] for key in each if key not in ("slug", "name")}
                faults = rule_of(rule)
                if isinstance(faults, list):
                    self.add_error("points", " ".join(fault.why for fault in faults))
        return data

    def ladders_wanted(self) -> list[dict[str, Any]]:
        """The ladders that were chosen, as a season's file writes them."""
        number, points = self.cleaned_data["count"], self.cleaned_data["points"]
        found = [preset(key) for key in self.cleaned_data["ladders"]]
        return [
            {"slug": each.key, "name": each.name(), **each.rule(number, points)}
            for each in found
        ]


def year_of(today: Date) -> tuple[Date, Date]:
    """The club's year of a day: from the first of September to the end of August."""
    year = today.year if today.month >= FIRST_MONTH else today.year - 1
    return Date(year, FIRST_MONTH, 1), Date(year + 1, FIRST_MONTH - 1, 31)
