"""What a director fills in about a ruling."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.models import Ruling
from tournaments.models import Entry, Event

_ABOUT_A_PLAY = [
    (kind.value, kind.label) for kind in Ruling.Kind if kind != Ruling.Kind.PENALTY
]


class RulingForm(forms.Form):
    """A ruling about one board at one table; which fields count follows from its kind."""

    kind = forms.ChoiceField(label=_("ruling"), choices=_ABOUT_A_PLAY)
    side = forms.ChoiceField(
        label=_("side that revoked"), choices=[("", "–"), *Ruling.Side.choices], required=False
    )
    revokes = forms.IntegerField(
        label=_("revokes in this deal"), min_value=1, max_value=13, required=False, initial=1
    )
    won_before = forms.IntegerField(
        label=_("tricks it had won before the first"), min_value=0, max_value=13, required=False
    )
    full = forms.BooleanField(label=_("the committee enforces it in full"), required=False)
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
        return {
            name: value
            for name, value in self.cleaned_data.items()
            if name != "kind" and value not in ("", None)
        }


class PenaltyForm(forms.Form):
    """A penalty off an entry's total."""

    entry = forms.ModelChoiceField(Entry.objects.none(), label=_("entry"))
    amount = forms.CharField(label=_("takes off"), max_length=12)
    law = forms.CharField(label=_("law"), max_length=20, required=False)
    reason = forms.CharField(label=_("reason"), max_length=500)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["entry"].queryset = event.entries.all()  # type: ignore[attr-defined]
