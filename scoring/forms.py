"""What a director fills in about rulings, and about how an event is scored."""

from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.methods.ties import TIE_BREAKS
from scoring.models import Ruling
from tournaments.models import Entry, Event

_ABOUT_A_PLAY = [
    (kind.value, kind.label) for kind in Ruling.Kind if kind != Ruling.Kind.PENALTY
]


class ClaimForm(forms.Form):
    """When a revoke was claimed, by the clock on the wall (rules H9)."""

    claimed = forms.TimeField(
        label=_("claimed at"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )


class RulingForm(ClaimForm):
    """A ruling about one board at one table; which fields count follows from its kind."""

    kind = forms.ChoiceField(label=_("ruling"), choices=_ABOUT_A_PLAY)
    side = forms.ChoiceField(
        label=_("side that revoked"), choices=[("", "–"), *Ruling.Side.choices], required=False
    )
    revokes = forms.IntegerField(
        label=_("revokes in this deal"), min_value=1, max_value=13, required=False, initial=1
    )
    won_before = forms.IntegerField(
        label=_("tricks that side had won before the first revoke"),
        help_text=_("0 if none."),
        min_value=0,
        max_value=13,
        required=False,
    )
    full = forms.BooleanField(
        label=_("the full penalty, even past the most made at the other tables"),
        help_text=_(
            "Only in a pair match, and only where the injured side has satisfied the committee "
            "that it should be enforced (Law X §4). Otherwise leave it empty."
        ),
        required=False,
    )
    ns_tricks = forms.CharField(label=_("N-S count"), max_length=12, required=False)
    ew_tricks = forms.CharField(label=_("E-W count"), max_length=12, required=False)
    trump_recorded = forms.CharField(
        label=_("card on the trump slip"), max_length=3, required=False
    )
    trump_turned = forms.CharField(
        label=_("card turned in dealing"), max_length=3, required=False
    )
    law = forms.CharField(label=_("law"), max_length=20, required=False)
    reason = forms.CharField(label=_("reason"), max_length=500, required=False)

    def terms(self) -> dict[str, Any]:
        """What was filled in, for the service; an empty figure is none."""
        terms = {
            name: value
            for name, value in self.cleaned_data.items()
            if name not in ("kind", "claimed") and value not in ("", None)
        }
        if self.cleaned_data["claimed"]:
            terms["claimed_at"] = last_time(self.cleaned_data["claimed"])
        return terms


def last_time(clock: time) -> datetime:
    """Say when a clock last showed a time: today, or yesterday for a time still to come."""
    now = timezone.localtime()
    today = now.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
    return today if today <= now else today - timedelta(days=1)


class PenaltyForm(forms.Form):
    """A penalty off an entry's total."""

    entry = forms.ModelChoiceField(
        Entry.objects.none(), label=_("whose"), empty_label=_("choose")
    )
    amount = forms.CharField(label=_("takes off"), max_length=12)
    law = forms.CharField(label=_("law"), max_length=20, required=False)
    reason = forms.CharField(label=_("reason"), max_length=500)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The type stubs know only the general Field here, hence the ignores.
        self.fields["entry"].queryset = event.entries.all()  # type: ignore[attr-defined]  # the stubs know plain fields only


class TermsForm(forms.Form):
    """How an event is scored."""

    method = forms.ChoiceField(label=_("scoring"))
    tie_break_1 = forms.ChoiceField(label=_("ties are parted by"), required=False)
    tie_break_2 = forms.ChoiceField(label=_("then by"), required=False)
    tie_break_3 = forms.ChoiceField(label=_("then by"), required=False)
    carry_over = forms.CharField(
        label=_("part of earlier sessions that is carried over"), max_length=20
    )
    whole_averages = forms.BooleanField(
        label=_("averages to the nearest whole trick, with plus and minus"), required=False
    )
    revokes_read = forms.ChoiceField(
        label=_("tricks won before a revoke"), choices=Event.Revokes.choices
    )
    across = forms.MultipleChoiceField(
        label=_("sessions whose sections played the same deals, ranked as one field"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        sessions = list(event.sessions.all())
        breaks = dict(enumerate(event.tie_breaks, start=1))
        kwargs["initial"] = {
            "method": event.method,
            "carry_over": event.carry_over,
            "revokes_read": event.revokes_read,
            "whole_averages": event.whole_averages,
            "across": [str(it.number) for it in sessions if it.across_sections],
            **{f"tie_break_{place}": name for place, name in breaks.items()},
        }
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["method"].choices = [
            (method.value, method.label)
            for method in Event.METHODS_OF[Event.Contest(event.contest)]
        ]
        for place in (1, 2, 3):
            fields[f"tie_break_{place}"].choices = [
                ("", _("nothing: they share the rank")),
                *((it.name, it.title) for it in TIE_BREAKS.values()),
            ]
        fields["across"].choices = [
            (str(it.number), _("session %(number)s") % {"number": it.number}) for it in sessions
        ]
        if len(sessions) == 1:
            fields["carry_over"].widget = forms.HiddenInput()

    def terms(self) -> dict[str, Any]:
        """What was chosen, for the service."""
        chosen = self.cleaned_data
        breaks = [chosen[f"tie_break_{place}"] for place in (1, 2, 3)]
        return {
            "method": chosen["method"],
            "tie_breaks": [name for name in breaks if name],
            "carry_over": chosen["carry_over"],
            "revokes_read": chosen["revokes_read"],
            "whole_averages": chosen["whole_averages"],
            "across": [int(number) for number in chosen["across"]],
        }
