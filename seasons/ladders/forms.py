"""The form of a new season, and the form of a ladder with all settings of its rule."""

import re
from collections.abc import Mapping, Sequence
from datetime import date as Date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.evenings.recurrence import format_date_range_error, is_outside_supported_dates
from seasons.ladders.rules.evenings import (
    ALL_CONTESTS,
    DEFAULT_CONTESTS,
    DRIVE,
    INDIVIDUAL,
    MEMORY,
    PAIRS,
    RUBBERS,
    TEAMS,
)
from seasons.ladders.rules.presets import get_preset, is_club_rule, list_presets
from seasons.ladders.rules.rule import (
    COMBINE_MEAN,
    COMBINE_SUM,
    MEASURES,
    RANKED_SUBJECTS,
    RULE_KEYS,
    TIE_BREAKS,
    read_rule,
)
from seasons.ladders.rules.words import format_measure, format_tie_break
from server.json_reader.values import parse_fraction
from server.numbers import replace_decimal_comma

CLUB_YEAR_FIRST_MONTH = 9
"""The month in which a club's year begins: September."""
DEFAULT_POINTS = "4-3-2-1"
RANKED_SUBJECT_LABELS = {
    "players": _("players"),
    "pairs": _("pairs"),
    "teams": _("teams"),
}
CONTEST_LABELS = {
    PAIRS: _("pairs"),
    INDIVIDUAL: _("individuals"),
    TEAMS: _("teams"),
    MEMORY: _("memory duplicate"),
    DRIVE: _("whist drives"),
    RUBBERS: _("rubber nights"),
}
INTEGER_FIELDS = ("best", "drop_from", "drop_every", "minimum")
CHECKBOX_FIELDS = ("members_only", "close_ranks", "across", "handicap", "mix_games")
POINTS_SEPARATOR_PATTERN = re.compile(r",?[\s;–-]+")


def parse_points(points_text: str) -> list[str]:
    """Return the points for each place as texts; reject values that are not numbers.

    A comma is a separator only if the text has no other one. In 7,5-5-3 it is a decimal comma.
    """
    typed_values = [
        typed_value
        for typed_value in POINTS_SEPARATOR_PATTERN.split(points_text.strip(" ,"))
        if typed_value
    ]
    if len(typed_values) == 1:
        typed_values = [
            typed_value for typed_value in points_text.split(",") if typed_value.strip()
        ]
    point_texts = [replace_decimal_comma(typed_value) for typed_value in typed_values]
    if any(parse_fraction(point_text) is None for point_text in point_texts):
        raise forms.ValidationError(_("Enter numbers with hyphens, e.g. 4-3-2-1."))
    return point_texts


def validate_day(day: Date) -> None:
    """Raise ValidationError if a season cannot begin or end on this day."""
    if is_outside_supported_dates(day):
        raise forms.ValidationError(format_date_range_error())


class SeasonForm(forms.Form):
    """The form that creates a season with some of the preset ladders."""

    name = forms.CharField(label=_("Name"), max_length=100)
    first_day = forms.DateField(
        label=_("First day"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        validators=[validate_day],
    )
    last_day = forms.DateField(
        label=_("Last day"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        validators=[validate_day],
    )
    ladders = forms.MultipleChoiceField(
        label=_("Ladders"), widget=forms.CheckboxSelectMultiple, initial=["best"]
    )
    count = forms.IntegerField(
        label=_("Evenings to count"),
        min_value=1, max_value=100, initial=8,
    )  # fmt: skip
    points = forms.CharField(
        label=_("Points by place"), max_length=100, initial=DEFAULT_POINTS, required=False,
        help_text=_("Points for 1st, 2nd and so on, e.g. 4-3-2-1."),
    )  # fmt: skip

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        today: Date,
        has_congress_features: bool = True,
    ) -> None:
        first_day, last_day = find_club_year(today)
        initial_values = {
            "name": _("Season %(from)s/%(to)s")
            % {"from": first_day.year, "to": f"{last_day.year % 100:02}"},
            **{"first_day": first_day, "last_day": last_day},
        }
        super().__init__(data, initial=initial_values)
        self.fields["ladders"].choices = [  # type: ignore[attr-defined]  # of a ChoiceField
            (preset.preset_key, f"{preset.get_name()}: {preset.get_description()}")
            for preset in list_presets(has_congress_features=has_congress_features)
        ]

    def clean_points(self) -> list[str]:
        """Parse the points for each place; reject values that are not numbers."""
        return parse_points(self.cleaned_data["points"])

    def clean(self) -> dict[str, Any]:
        """Check the order of the two days, and validate the rules of the chosen ladders."""
        cleaned_values = super().clean() or self.cleaned_data
        first_day, last_day = cleaned_values.get("first_day"), cleaned_values.get("last_day")
        if first_day and last_day and last_day < first_day:
            self.add_error("last_day", _("The last day is before the first day."))
        if not self.errors:
            for ladder in self.list_chosen_ladders():
                rule_data = {key: ladder[key] for key in ladder if key not in ("slug", "name")}
                rule_or_faults = read_rule(rule_data)
                if isinstance(rule_or_faults, list):
                    self.add_error(
                        "points", " ".join(fault.message for fault in rule_or_faults)
                    )
        return cleaned_values

    def list_chosen_ladders(self) -> list[dict[str, Any]]:
        """Return the chosen ladders in the format of a season file."""
        evening_count, points = self.cleaned_data["count"], self.cleaned_data["points"]
        presets = [get_preset(key) for key in self.cleaned_data["ladders"]]
        return [
            {
                "slug": preset.preset_key,
                "name": preset.get_name(),
                **preset.build_rule(evening_count, points),
            }
            for preset in presets
        ]


def find_club_year(today: Date) -> tuple[Date, Date]:
    """Return the first and last day of the club's year: 1 September to 31 August."""
    year = today.year if today.month >= CLUB_YEAR_FIRST_MONTH else today.year - 1
    return Date(year, CLUB_YEAR_FIRST_MONTH, 1), Date(year + 1, CLUB_YEAR_FIRST_MONTH - 1, 31)


class LadderForm(forms.Form):
    """The form of a ladder's name and rule; its data has the format of a season file."""

    name = forms.CharField(label=_("Name"), max_length=100)
    who = forms.ChoiceField(label=_("Who is ranked"))
    measure = forms.ChoiceField(label=_("Rank by"))
    points = forms.CharField(
        label=_("Points by place"), max_length=200, required=False,
        help_text=_("Only for points by place. Enter 1st, 2nd and so on, e.g. 4-3-2-1."),
    )  # fmt: skip
    combine = forms.ChoiceField(label=_("Combine evenings"))
    best = forms.IntegerField(
        label=_("Best evenings to count"), required=False,
        help_text=_("Leave empty to count all, or to drop the lowest."),
    )  # fmt: skip
    drop_from = forms.IntegerField(label=_("First drop after (evenings)"), required=False)
    drop_every = forms.IntegerField(label=_("Then drop one per (evenings)"), required=False)
    minimum = forms.IntegerField(label=_("Minimum evenings"), required=False)
    least_part = forms.CharField(
        label=_("Minimum share of boards"),
        max_length=20, required=False, initial="1/2",
    )  # fmt: skip
    ties = forms.MultipleChoiceField(
        label=_("Tie-break"),
        widget=forms.CheckboxSelectMultiple, required=False,
    )  # fmt: skip
    contests = forms.MultipleChoiceField(
        label=_("Evenings that count"), widget=forms.CheckboxSelectMultiple
    )
    members_only = forms.BooleanField(label=_("Rank members only"), required=False)
    close_ranks = forms.BooleanField(
        label=_("Recalculate places without visitors"), required=False
    )
    across = forms.BooleanField(
        label=_("Rank both directions together (average per board)"),
        required=False,
    )
    handicap = forms.BooleanField(label=_("Use the season’s handicap"), required=False)
    mix_games = forms.BooleanField(
        label=_("Add points from different games"), required=False,
        help_text=_("Only for points. One game can pay ten times as much as another."),
    )  # fmt: skip

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        name: str = "",
        rule_data: Any = None,
        has_congress_features: bool = True,
    ) -> None:
        self.stored_rule: Mapping[str, Any] = rule_data or {}
        self.should_show_all_settings = has_congress_features or not is_club_rule(
            self.stored_rule
        )
        super().__init__(
            data, initial=_build_initial_data(name, self.stored_rule), auto_id="l-%s"
        )
        choices_by_field = {
            "who": [(code, RANKED_SUBJECT_LABELS[code]) for code in RANKED_SUBJECTS],
            "measure": [(code, format_measure(code)) for code in MEASURES],
            "combine": [(COMBINE_SUM, _("added up")), (COMBINE_MEAN, _("averaged"))],
            "ties": [(code, format_tie_break(code)) for code in self._list_sorted_tie_breaks()],
            "contests": [(code, CONTEST_LABELS[code]) for code in ALL_CONTESTS],
        }
        for field_name, field_choices in choices_by_field.items():
            self.fields[field_name].choices = field_choices  # type: ignore[attr-defined]  # of a choice
        if not self.should_show_all_settings:
            # Keep only the name, the field `members_only`, and the numbers of the preset.
            remaining_field_names = {
                "name",
                "members_only",
                *(self.stored_rule.keys() & {"best", "minimum", "points"}),
            }
            self.fields["best"].help_text = _("Leave empty to count all.")
            for field_name in self.fields.keys() - remaining_field_names:
                del self.fields[field_name]

    def _list_sorted_tie_breaks(self) -> Sequence[str]:
        """Return all tie-breaks, beginning with those that the stored rule uses."""
        chosen_codes = [code for code in self.stored_rule.get("ties", ()) if code in TIE_BREAKS]
        return [*chosen_codes, *(code for code in TIE_BREAKS if code not in chosen_codes)]

    def clean_points(self) -> list[str] | None:
        """Parse the points for each place; reject values that are not numbers."""
        return parse_points(self.cleaned_data["points"]) or None

    def build_rule(self) -> dict[str, Any]:
        """Return the rule in its stored format, without default values.

        Invalid values are included: the service validates the rule and reports the invalid
        setting.
        """
        cleaned_values = self.cleaned_data
        if not self.should_show_all_settings:
            field_values = {key: cleaned_values[key] for key in self.fields if key != "name"}
            rule_data = {
                **self.stored_rule,
                **field_values,
                "members_only": field_values["members_only"] or None,
            }
            return {key: value for key, value in rule_data.items() if value is not None}
        rule_data = {
            key: cleaned_values[key]
            for key in ("who", "measure", "combine", "points", *INTEGER_FIELDS)
        }
        if cleaned_values["measure"] != "place":
            rule_data["points"] = None
        least_part = replace_decimal_comma(cleaned_values["least_part"].strip())
        if least_part and parse_fraction(least_part) != parse_fraction("1/2"):
            rule_data["least_part"] = least_part
        rule_data |= {key: True for key in CHECKBOX_FIELDS if cleaned_values[key]}
        if cleaned_values["ties"]:
            rule_data["ties"] = [
                code
                for code in self._list_sorted_tie_breaks()
                if code in cleaned_values["ties"]
            ]
        if set(cleaned_values["contests"]) != set(DEFAULT_CONTESTS):
            rule_data["contests"] = [
                code for code in ALL_CONTESTS if code in cleaned_values["contests"]
            ]
        return {key: value for key, value in rule_data.items() if value is not None}


def _build_initial_data(name: str, rule_data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the initial form data for a ladder's name and stored rule."""
    initial_values = {key: rule_data[key] for key in RULE_KEYS if key in rule_data}
    initial_values["points"] = "-".join(map(str, rule_data.get("points", ())))
    return {
        "name": name,
        "who": RANKED_SUBJECTS[0],
        "measure": "plus",
        "combine": COMBINE_SUM,
        "least_part": "1/2",
        "contests": list(DEFAULT_CONTESTS),
        **initial_values,
    }
