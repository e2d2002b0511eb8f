"""What limits an evening: asked on the movement page, and remembered for its other pages."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from tournaments.entry_words import words_of
from tournaments.models import Event
from tournaments.visits import Visit


class EveningForm(forms.Form):
    """What limits the evening; all may be left empty."""

    boards = forms.IntegerField(min_value=1, max_value=200, required=False)
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes for play"), min_value=10, max_value=900, required=False
    )
    boards_at_hand = forms.IntegerField(
        label=gettext_lazy("Boards at hand in all"), min_value=1, max_value=400, required=False
    )
    stationary = forms.IntegerField(min_value=0, max_value=60, required=False)
    winners = forms.TypedChoiceField(
        label=gettext_lazy("Winners"),
        choices=[("", gettext_lazy("one or two")), ("1", "1"), ("2", "2")],
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
        label=gettext_lazy("Most tables in a section"),
        min_value=1,
        max_value=100,
        required=False,
    )
    late_pair = forms.TypedChoiceField(
        label=gettext_lazy("One more may come late"),
        choices=[("", gettext_lazy("no")), ("1", gettext_lazy("yes"))],
        coerce=bool,
        empty_value=None,
        required=False,
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        words = words_of(event)
        self.fields["boards"].label = words.plays
        self.fields["stationary"].label = words.stay


def limits(request: HttpRequest, visit: Visit) -> dict[str, Any] | None:
    """What the director asks for, or asked before; at first, seats for those who must stay."""
    event = visit.event
    if request.GET:
        request.session[_key(visit)] = request.GET.dict()
    staying = event.entries.filter(stays_seated=True).count()
    kept: dict[str, Any] | None = request.session.get(_key(visit))
    return kept or ({"stationary": staying} if staying else None)


def sections_alike(request: HttpRequest, visit: Visit) -> dict[str, Any]:
    """What was asked of the evening that holds of each of several sections."""
    form = EveningForm(request.session.get(_key(visit)), event=visit.event)
    asked = form.cleaned_data if form.is_bound and form.is_valid() else {}
    alike = ("boards", "minutes", "winners")
    return {name: asked[name] for name in alike if asked.get(name) is not None}


def minutes_for_play(request: HttpRequest, visit: Visit) -> int:
    """Tell how many minutes the director gave the evening, 0 where none."""
    return _asked(request, visit, "minutes")


def stays_unsaid(request: HttpRequest, visit: Visit) -> int:
    """Tell for how many places that stay the director asked and has not said for whom."""
    event = visit.event
    staying = event.entries.filter(stays_seated=True).count()
    return max(_asked(request, visit, "stationary") - staying, 0)


def stays_are_said(request: HttpRequest, visit: Visit, staying: int) -> None:
    """Remember that so many must stay, now that the director has said who."""
    kept = request.session.get(_key(visit))
    if kept:
        request.session[_key(visit)] = kept | {"stationary": str(staying)}


def _asked(request: HttpRequest, visit: Visit, name: str) -> int:
    event = visit.event
    form = EveningForm(request.session.get(_key(visit)), event=event)
    found = form.cleaned_data.get(name) if form.is_bound and form.is_valid() else None
    return found or 0


def _key(visit: Visit) -> str:
    return f"limits of {visit.address}"
