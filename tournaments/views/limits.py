"""The limits of an evening, such as its hours: entered on the movement page, and stored."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from tournaments.entry_words import get_entry_texts
from tournaments.event_access import EventAccess
from tournaments.models import Event
from tournaments.movements.formatting import format_hours

ACCEPTED_EXCESS_MINUTES = 14
"""The minutes by which a movement may exceed the chosen hours, which are half hours."""
NORTH_SOUTH_CHOICE = "ns"


def _list_hour_choices() -> list[tuple[str, str]]:
    duration_choices = [(str(minutes), format_hours(minutes)) for minutes in range(60, 331, 30)]
    return [("", gettext("as long as usual")), *duration_choices]


class EveningLimitsForm(forms.Form):
    """The form with the limits of an evening, which are all optional.

    The page shows the first three fields in a sentence. `hours` and `stay` are converted to
    the adviser's limits, minutes and number of stationary entries, unless these are given.
    """

    SENTENCE_FIELDS = ("hours", "stay", "winners")

    hours = forms.TypedChoiceField(
        label=gettext_lazy("Time"),
        choices=_list_hour_choices,
        coerce=int,
        empty_value=None,
        required=False,
    )
    stay = forms.ChoiceField(
        label=gettext_lazy("Seats"),
        choices=[
            ("", gettext_lazy("the best movement")),
            (NORTH_SOUTH_CHOICE, gettext_lazy("North-South stationary")),
        ],
        required=False,
    )
    boards = forms.IntegerField(min_value=1, max_value=200, required=False)
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes of play"), min_value=10, max_value=900, required=False
    )
    boards_at_hand = forms.IntegerField(
        label=gettext_lazy("Total boards available"), min_value=1, max_value=400, required=False
    )
    stationary = forms.IntegerField(min_value=0, max_value=60, required=False)
    winners = forms.TypedChoiceField(
        label=gettext_lazy("Winners"),
        choices=[
            ("", gettext_lazy("one winner or two")),
            ("1", gettext_lazy("one winner")),
            ("2", gettext_lazy("two winners (N-S and E-W)")),
        ],
        coerce=int,
        empty_value=None,
        required=False,
    )

    sets = forms.IntegerField(
        label=gettext_lazy("Copies of each board"), min_value=1, max_value=10, required=False
    )
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"), min_value=1, max_value=120, required=False
    )
    sections = forms.IntegerField(
        label=gettext_lazy("Sections"), min_value=1, max_value=10, required=False
    )
    max_tables = forms.IntegerField(
        label=gettext_lazy("Max. tables per section"),
        min_value=1,
        max_value=100,
        required=False,
    )
    late_pair = forms.TypedChoiceField(
        label=gettext_lazy("One may arrive late"),
        choices=[("", gettext_lazy("no")), ("1", gettext_lazy("yes"))],
        coerce=bool,
        empty_value=None,
        required=False,
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        # The number of stationary entries to choose; 0 if all of North-South are stationary.
        self.stationary_count = 0
        if event.contest != Event.Contest.PAIRS:
            del self.fields["stay"], self.fields["winners"]
        if not event.should_offer_congress_features:
            del self.fields["sections"], self.fields["max_tables"]
        entry_words = get_entry_texts(event)
        self.fields["boards"].label = entry_words.boards_label
        self.fields["stationary"].label = entry_words.stationary_label

    def clean(self) -> dict[str, Any]:
        """Convert the fields of the sentence to the adviser's limits."""
        cleaned_data = super().clean() or {}
        hours, stationary_choice = cleaned_data.pop("hours", None), cleaned_data.pop("stay", "")
        if hours and cleaned_data.get("minutes") is None:
            cleaned_data["minutes"] = hours + ACCEPTED_EXCESS_MINUTES
        self.stationary_count = cleaned_data.get("stationary") or 0
        if stationary_choice == NORTH_SOUTH_CHOICE:
            cleaned_data["stationary"] = max(
                self.stationary_count, self.event.entries.count() // 2
            )
        return cleaned_data

    @property
    def sentence(self) -> list[forms.BoundField]:
        """The fields that the page shows in a sentence."""
        return [self[name] for name in self.SENTENCE_FIELDS if name in self.fields]

    @property
    def further_fields(self) -> list[forms.BoundField]:
        """The other fields, which few evenings need."""
        return [self[name] for name in self.fields if name not in self.SENTENCE_FIELDS]

    @property
    def has_further_values(self) -> bool:
        """Whether any of the further fields has a value."""
        return any(field.data not in (None, "", []) for field in self.further_fields)


def load_limits(request: HttpRequest, access: EventAccess) -> dict[str, Any] | None:
    """Return the submitted or stored limits of the evening.

    If there are none, return {"stationary": number of stationary entries}, or None if it is 0.
    """
    event = access.event
    if request.GET:
        request.session[_get_session_key(access)] = request.GET.dict()
    stationary_count = event.entries.filter(stays_seated=True).count()
    stored_limits: dict[str, Any] | None = request.session.get(_get_session_key(access))
    return stored_limits or ({"stationary": stationary_count} if stationary_count else None)


def load_section_limits(request: HttpRequest, access: EventAccess) -> dict[str, Any]:
    """Return the limits of the evening that also apply to each section of a field."""
    form = EveningLimitsForm(request.session.get(_get_session_key(access)), event=access.event)
    limits = form.cleaned_data if form.is_bound and form.is_valid() else {}
    shared_limit_names = ("boards", "minutes", "winners")
    return {
        limit_name: limits[limit_name]
        for limit_name in shared_limit_names
        if limits.get(limit_name) is not None
    }


def load_max_evening_minutes(request: HttpRequest, access: EventAccess) -> int:
    """Return the maximum length of the evening in minutes; 0 if there is no limit."""
    return _read_limit(request, access, "minutes")


def count_unnamed_stationary_places(request: HttpRequest, access: EventAccess) -> int:
    """Return how many requested stationary places have no particular entry yet."""
    named_stationary_count = access.event.entries.filter(stays_seated=True).count()
    form = EveningLimitsForm(request.session.get(_get_session_key(access)), event=access.event)
    requested_count = form.stationary_count if form.is_bound and form.is_valid() else 0
    return max(requested_count - named_stationary_count, 0)


def save_stationary_count(
    request: HttpRequest, access: EventAccess, stationary_count: int
) -> None:
    """Store the number of stationary entries that the director has named."""
    stored_limits = request.session.get(_get_session_key(access))
    if stored_limits:
        request.session[_get_session_key(access)] = stored_limits | {
            "stationary": str(stationary_count)
        }


def _read_limit(request: HttpRequest, access: EventAccess, limit_name: str) -> int:
    event = access.event
    form = EveningLimitsForm(request.session.get(_get_session_key(access)), event=event)
    limit = form.cleaned_data.get(limit_name) if form.is_bound and form.is_valid() else None
    return limit or 0


def _get_session_key(access: EventAccess) -> str:
    return f"limits of {access.address}"
