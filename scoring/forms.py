"""Forms for directors: rulings, events, and how an event is scored."""

import uuid
from collections.abc import Iterable, Iterator
from datetime import date as Date
from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from boards.whist import WhistError
from clubs.evenings.event_days import format_event_day_error, is_valid_event_day
from clubs.models import Club
from scoring.methods import METHODS_BY_NAME, Method, list_methods, map_methods_by_code
from scoring.methods.tie_breaks import map_tie_break_titles
from scoring.models import Ruling, Terms
from scoring.services.terms import check_max_points
from tournaments.models import MAX_POINTS_PER_BOARD, Entry, Event

_PLAY_RULING_CHOICES = [
    (kind.value, kind.label) for kind in Ruling.Kind if kind != Ruling.Kind.PENALTY
]


class ClaimForm(forms.Form):
    """A form for the time at which a revoke was claimed, by the wall clock (rules H9)."""

    claimed = forms.TimeField(
        label=_("claimed at"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )


class RulingForm(ClaimForm):
    """A form for a ruling on one board at one table; its kind decides which fields are used."""

    kind = forms.ChoiceField(label=_("ruling"), choices=_PLAY_RULING_CHOICES)
    side = forms.ChoiceField(
        label=_("side that revoked"), choices=[("", "–"), *Ruling.Side.choices], required=False
    )
    revokes = forms.IntegerField(
        label=_("revokes in this deal"), min_value=1, max_value=13, required=False, initial=1
    )
    won_before = forms.IntegerField(
        label=_("tricks won before the first revoke"),
        help_text=_("0 if none."),
        min_value=0,
        max_value=13,
        required=False,
    )
    full = forms.BooleanField(
        label=_("full penalty, not limited by other tables"),
        help_text=_("Pair matches only, if the committee agrees to enforce it (Law X §4)."),
        required=False,
    )
    ns_tricks = forms.CharField(label=_("N-S score"), max_length=12, required=False)
    ew_tricks = forms.CharField(label=_("E-W score"), max_length=12, required=False)
    trump_recorded = forms.CharField(
        label=_("card on the trump slip"), max_length=3, required=False
    )
    trump_turned = forms.CharField(
        label=_("card turned in dealing"), max_length=3, required=False
    )
    law = forms.CharField(label=_("law"), max_length=20, required=False)
    reason = forms.CharField(label=_("reason"), max_length=500, required=False)

    def __init__(self, *args: Any, is_in_points: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if is_in_points:  # a revoke costs tricks, so it cannot be ruled in points
            fields: dict[str, Any] = self.fields
            fields["kind"].choices = [
                choice for choice in _PLAY_RULING_CHOICES if choice[0] != Ruling.Kind.REVOKE
            ]

    def build_ruling_fields(self) -> dict[str, Any]:
        """Return the input as fields of a ruling, without empty ones."""
        ruling_fields = {
            field_name: field_value
            for field_name, field_value in self.cleaned_data.items()
            if field_name not in ("kind", "claimed") and field_value not in ("", None)
        }
        if self.cleaned_data["claimed"]:
            ruling_fields["claimed_at"] = find_latest_occurrence(self.cleaned_data["claimed"])
        return ruling_fields


def find_latest_occurrence(clock_time: time) -> datetime:
    """Return the latest past date and time, today or yesterday, with this time of day."""
    now = timezone.localtime()
    today = now.replace(hour=clock_time.hour, minute=clock_time.minute, second=0, microsecond=0)
    return today if today <= now else today - timedelta(days=1)


class PenaltyForm(forms.Form):
    """A form for a penalty that is subtracted from an entry's total."""

    entry = forms.ModelChoiceField(
        Entry.objects.none(), label=_("for"), empty_label=_("choose")
    )
    amount = forms.CharField(label=_("penalty"), max_length=12)
    law = forms.CharField(label=_("law"), max_length=20, required=False)
    reason = forms.CharField(label=_("reason"), max_length=500)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["entry"].queryset = event.entries.all()  # type: ignore[attr-defined]  # the stubs know plain fields only


def _build_points_field() -> forms.IntegerField:
    return forms.IntegerField(
        label=_("points instead of tricks: the most a side can win on a board"),
        help_text=_("Leave empty to count tricks."),
        min_value=1,
        max_value=MAX_POINTS_PER_BOARD,
        required=False,
    )


class EventForm(forms.ModelForm[Event]):
    """A form for a new event or for changes to one; its method is stored in its terms."""

    form_key = forms.CharField(widget=forms.HiddenInput, required=False, max_length=40)
    club = forms.ModelChoiceField(Club.objects.none(), label=_("club"))
    method = forms.ChoiceField(label=_("scoring"))
    most_points = _build_points_field()

    class Meta:
        model = Event
        fields = ["name", "date", "contest", "standings_shown", "paper_size"]
        widgets = {"date": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")}

    def __init__(self, *args: Any, clubs: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["club"].queryset = clubs
        fields["form_key"].initial = uuid.uuid4().hex
        contests = _list_contests(clubs)
        fields["contest"].choices = [(contest.value, contest.label) for contest in contests]
        self._methods = [
            method
            for method in METHODS_BY_NAME.values()
            if set(method.contests) & set(contests)
            and (not method.is_in_points or _has_any_congress_features(clubs))
        ]
        if self.instance.pk:
            fields["method"].choices = _list_method_choices(_list_methods(self.instance))
            self.initial["method"] = self.instance.terms.method
        else:
            fields["method"].choices = [
                ("", _("standard (recommended)")),
                *_list_method_choices(self._methods),
            ]
            fields["method"].required = False
            fields["name"].widget.attrs["autofocus"] = True
        for field_name in self._list_omitted_fields(clubs):
            del fields[field_name]

    def _list_omitted_fields(self, clubs: Any) -> list[str]:
        """Return the names of the fields to omit.

        Some fields of an existing event cannot be changed. For a new event, the club is omitted
        if there is only one, and the points if no club has congress features.
        """
        if self.instance.pk:
            return ["club", "contest", "form_key", "most_points"]
        omitted_fields = [] if _has_any_congress_features(clubs) else ["most_points"]
        return ["club", *omitted_fields] if len(clubs) == 1 else omitted_fields

    @property
    def method_explanations(self) -> list[str]:
        """One sentence about each method."""
        return [method.explanation for method in map_methods_by_code(self._methods).values()]

    def clean_date(self) -> Date:
        """Reject an impossible date, unless the event has this date already."""
        day: Date = self.cleaned_data["date"]
        if not is_valid_event_day(day) and day != self.initial.get("date"):
            raise forms.ValidationError(format_event_day_error())
        return day

    def clean(self) -> dict[str, Any]:
        """Reject a method that does not suit the contest; the error names those that do."""
        cleaned_data = super().clean() or self.cleaned_data
        contest, method_code = (
            cleaned_data.get("contest", self.instance.contest),
            cleaned_data.get("method"),
        )
        is_scored_in_points = bool(cleaned_data.get("most_points", self.instance.most_points))
        suitable_method_by_code = map_methods_by_code(
            list_methods(contest, is_in_points=is_scored_in_points)
        )
        if is_scored_in_points and not suitable_method_by_code:
            self._check_points(contest, cleaned_data["most_points"])
        if (
            suitable_method_by_code
            and method_code
            and method_code not in suitable_method_by_code
        ):
            placeholders = {
                "contest": Event.Contest(contest).label,
                "method": map_methods_by_code()[method_code].label,
                "fitting": ", ".join(
                    suitable_method.label
                    for suitable_method in suitable_method_by_code.values()
                ),
            }
            message = gettext(
                "“%(method)s” doesn’t work for “%(contest)s”. Choose one of: %(fitting)s."
            )
            if is_scored_in_points:
                message = gettext(
                    "“%(method)s” doesn’t work for “%(contest)s” in points. Choose one of: "
                    "%(fitting)s."
                )
            self.add_error("method", message % placeholders)
        return cleaned_data

    def _check_points(self, contest: str, most_points: int) -> None:
        try:
            check_max_points(contest, most_points)
        except WhistError as error:
            self.add_error("most_points", str(error))


def _has_any_congress_features(clubs: Iterable[Club]) -> bool:
    return any(club.has_congress_features for club in clubs)


def _list_contests(clubs: Iterable[Club]) -> list[Event.Contest]:
    """Return the contests to choose from; memory duplicate is a congress feature."""
    has_congress_features = _has_any_congress_features(clubs)
    return [
        contest
        for contest in Event.Contest
        if has_congress_features or contest != Event.Contest.MEMORY
    ]


def _list_methods(event: Event) -> list[Method]:
    return list_methods(event.contest, is_in_points=event.is_scored_in_points)


def _list_method_choices(methods: Iterable[Method] | None = None) -> list[tuple[str, str]]:
    """Return the choices for methods; by default all of them."""
    return [(code, method.label) for code, method in map_methods_by_code(methods).items()]


def _list_carry_over_choices(current_value: str) -> list[tuple[str, str]]:
    """Return the usual shares to carry over, and the current share if it is unusual."""
    label_by_usual_share = {
        "1": gettext("all of it"),
        "3/4": "3/4",
        "2/3": "2/3",
        "1/2": gettext("half"),
        "1/3": "1/3",
        "1/4": "1/4",
        "0": gettext("none"),
    }
    return [
        *label_by_usual_share.items(),
        *([] if current_value in label_by_usual_share else [(current_value, current_value)]),
    ]


class TermsForm(forms.Form):
    """The form for how an event is scored."""

    method = forms.ChoiceField(label=_("scoring"))
    tie_break_1 = forms.ChoiceField(label=_("tie-break"), required=False)
    tie_break_2 = forms.ChoiceField(label=_("then by"), required=False)
    tie_break_3 = forms.ChoiceField(label=_("then by"), required=False)
    carry_over = forms.ChoiceField(
        label=_("carry-forward from earlier sessions"),
        help_text=_("The last session always counts in full."),
    )
    whole_averages = forms.BooleanField(
        label=_("round averages to whole tricks (plus and minus)"), required=False
    )
    revokes_read = forms.ChoiceField(
        label=_("tricks won before a revoke"), choices=Terms.RevokeReading.choices
    )
    unequal_boards = forms.ChoiceField(
        label=_("unequal boards: rank by"),
        choices=Terms.UnequalBoardsScore.choices,
        required=False,  # a missing value leaves the stored one unchanged
    )
    totals_grow = forms.ChoiceField(
        label=_("public standings update"),
        help_text=_(
            "With one-board rounds and in memory duplicate, they update at the close "
            "unless you choose “after every score”."
        ),
        choices=Terms.TotalsUpdateTime.choices,
        required=False,
    )
    most_points = _build_points_field()
    by_corrected = forms.ChoiceField(
        label=_("drawn rounds: rank by"),
        choices=[
            ("total", _("total")),
            ("corrected", _("corrected total (adds the mean of the opponents’ totals)")),
        ],
        required=False,  # a missing value leaves the stored one unchanged
    )
    across = forms.MultipleChoiceField(
        label=_("sessions ranked as one field across sections (same deals)"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        sessions = list(event.sessions.all())
        terms = event.terms
        tie_breaks_by_priority = dict(enumerate(terms.tie_breaks, start=1))
        kwargs["initial"] = {
            "method": terms.method,
            "carry_over": terms.carry_over,
            "revokes_read": terms.revokes_read,
            "whole_averages": terms.whole_averages,
            "unequal_boards": terms.unequal_boards,
            "totals_grow": terms.totals_grow,
            "most_points": event.most_points,
            "by_corrected": "corrected" if terms.by_corrected else "total",
            "across": [str(session.number) for session in sessions if session.across_sections],
            **{
                f"tie_break_{priority}": tie_break
                for priority, tie_break in tie_breaks_by_priority.items()
            },
        }
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        self._event = event
        fields["method"].choices = _list_method_choices(_list_methods(event))
        if event.is_scored_in_points:
            fields["most_points"].label = gettext("the most points a side can win on a board")
            fields["most_points"].help_text = gettext("Can’t be below a score already entered.")
            for field_name in _TRICK_ONLY_FIELDS:
                del fields[field_name]
        for priority in (1, 2, 3):
            fields[f"tie_break_{priority}"].choices = [
                ("", _("none (share the place)")),
                *map_tie_break_titles(is_in_points=event.is_scored_in_points).items(),
            ]
        fields["across"].choices = [
            (str(session.number), _("session %(number)s") % {"number": session.number})
            for session in sessions
        ]
        fields["carry_over"].choices = _list_carry_over_choices(terms.carry_over)
        for field_name in _list_inapplicable_fields(event, len(sessions)):
            del fields[field_name]

    @property
    def usual_fields(self) -> list[forms.BoundField]:
        """The fields that most events need."""
        return [field for field in self if field.name in _USUAL_FIELDS]

    @property
    def collapsed_fields(self) -> list[forms.BoundField]:
        """The other fields, which the page collapses."""
        return [field for field in self if field.name not in _USUAL_FIELDS]

    @property
    def has_collapsed_field_errors(self) -> bool:
        """Whether one of `collapsed_fields` has an error."""
        return any(field.errors for field in self.collapsed_fields)

    def build_terms(self) -> dict[str, Any]:
        """Return the input as arguments of `set_scoring_terms`."""
        cleaned_data = self.cleaned_data
        chosen_tie_breaks = [cleaned_data[f"tie_break_{priority}"] for priority in (1, 2, 3)]
        most_points = cleaned_data.get("most_points")
        return {
            "method": self._choose_method(cleaned_data["method"], most_points),
            "most_points": most_points,
            "tie_breaks": [
                tie_break_name for tie_break_name in chosen_tie_breaks if tie_break_name
            ],
            "carry_over": cleaned_data.get("carry_over", self.initial["carry_over"]),
            "revokes_read": cleaned_data.get("revokes_read", self.initial["revokes_read"]),
            "whole_averages": cleaned_data.get("whole_averages", False),
            "unequal_boards": cleaned_data["unequal_boards"] or self.initial["unequal_boards"],
            "totals_grow": cleaned_data["totals_grow"] or self.initial["totals_grow"],
            "by_corrected": _IS_CORRECTED_BY_CHOICE.get(cleaned_data.get("by_corrected", "")),
            "across": [
                int(session_number)
                for session_number in cleaned_data.get("across", self.initial["across"])
            ],
        }

    def _choose_method(self, chosen_method_code: str, most_points: int | None) -> str:
        """Return the chosen method, or the default one if the kind of results was changed."""
        is_scored_in_points = most_points is not None
        if is_scored_in_points == self._event.is_scored_in_points:
            return chosen_method_code
        method_codes = list(
            map_methods_by_code(
                list_methods(self._event.contest, is_in_points=is_scored_in_points)
            )
        )
        return chosen_method_code if chosen_method_code in method_codes else method_codes[0]


def _list_inapplicable_fields(event: Event, session_count: int) -> Iterator[str]:
    """Yield the fields of the scoring form that cannot apply to an event."""
    has_congress_features = event.should_offer_congress_features
    if not list_methods(event.contest, is_in_points=True) or not has_congress_features:
        yield "most_points"
    if not has_congress_features:  # without them, a session has only one section
        yield "across"
    if session_count == 1:
        yield "carry_over"
    if not (event.is_drawn or event.terms.by_corrected):
        yield "by_corrected"


_USUAL_FIELDS = ("method", "tie_break_1", "tie_break_2", "tie_break_3", "carry_over")
_IS_CORRECTED_BY_CHOICE = {"total": False, "corrected": True}
_TRICK_ONLY_FIELDS = ("whole_averages", "revokes_read")
"""The fields that do not apply to an event in points."""
