"""What a ladder is asked: every setting of its rule, with the usual one already there."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from seasons.ladders.rules.evenings import (
    CONTESTS,
    DRIVE,
    INDIVIDUAL,
    MEMORY,
    PAIRS,
    RUBBERS,
    TEAMS,
    USUAL_CONTESTS,
)
from seasons.ladders.rules.rule import KEYS, MEAN, MEASURES, SUM, TIES, WHO
from seasons.ladders.rules.sentence import measure_in_words, tie_in_words
from server.json_reader.values import exact

WORDS = {
    "players": gettext_lazy("players"),
    "pairs": gettext_lazy("pairs"),
    "teams": gettext_lazy("teams"),
}
KINDS = {
    PAIRS: gettext_lazy("pairs"),
    INDIVIDUAL: gettext_lazy("individuals"),
    TEAMS: gettext_lazy("teams"),
    MEMORY: gettext_lazy("memory duplicate"),
    DRIVE: gettext_lazy("whist drives"),
    RUBBERS: gettext_lazy("rubber nights"),
}
WHOLE = ("best", "drop_from", "drop_every", "minimum")
TICKED = ("members_only", "close_ranks", "across", "handicap")
APART = re.compile(r"[\s,;–-]+")


class LadderForm(forms.Form):
    """One ladder's name and rule, as a season's file writes them."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    who = forms.ChoiceField(label=gettext_lazy("Who is ranked"))
    measure = forms.ChoiceField(label=gettext_lazy("What an evening is worth"))
    points = forms.CharField(
        label=gettext_lazy("Points by place"), max_length=200, required=False,
        help_text=gettext_lazy("For points by place alone: first, second and so on, 4-3-2-1."),
    )  # fmt: skip
    combine = forms.ChoiceField(label=gettext_lazy("The evenings are"))
    best = forms.IntegerField(
        label=gettext_lazy("So many best evenings count"), required=False,
        help_text=gettext_lazy("Empty: all of them, or the rule of the two fields below."),
    )  # fmt: skip
    drop_from = forms.IntegerField(
        label=gettext_lazy("Or from so many evenings on"), required=False
    )
    drop_every = forms.IntegerField(
        label=gettext_lazy("the lowest out for each so many more"), required=False
    )
    minimum = forms.IntegerField(
        label=gettext_lazy("Evenings needed for a place"), required=False
    )
    least_part = forms.CharField(
        label=gettext_lazy("Part of an evening's boards that has to be played"),
        max_length=20, required=False, initial="1/2",
    )  # fmt: skip
    ties = forms.MultipleChoiceField(
        label=gettext_lazy("Equal totals are parted by"),
        widget=forms.CheckboxSelectMultiple, required=False,
    )  # fmt: skip
    contests = forms.MultipleChoiceField(
        label=gettext_lazy("Evenings that count"), widget=forms.CheckboxSelectMultiple
    )
    members_only = forms.BooleanField(
        label=gettext_lazy("Members alone are ranked"), required=False
    )
    close_ranks = forms.BooleanField(
        label=gettext_lazy("Places are worked out again without visitors"), required=False
    )
    across = forms.BooleanField(
        label=gettext_lazy("Places over all lines of an evening, by plus a board"),
        required=False,
    )
    handicap = forms.BooleanField(
        label=gettext_lazy("With the season's handicap"), required=False
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, name: str = "", rule: Any = None
    ) -> None:
        self.was: Mapping[str, Any] = rule or {}
        super().__init__(data, initial=_shown(name, self.was), auto_id="l-%s")
        choices = {
            "who": [(each, WORDS[each]) for each in WHO],
            "measure": [(each, measure_in_words(each)) for each in MEASURES],
            "combine": [(SUM, _("added up")), (MEAN, _("averaged"))],
            "ties": [(each, tie_in_words(each)) for each in self._tie_order()],
            "contests": [(each, KINDS[each]) for each in CONTESTS],
        }
        for key, offered in choices.items():
            self.fields[key].choices = offered  # type: ignore[attr-defined]  # of a choice

    def _tie_order(self) -> Sequence[str]:
        """Those in use first, in their order, which a tick does not change."""
        used = [each for each in self.was.get("ties", ()) if each in TIES]
        return [*used, *(each for each in TIES if each not in used)]

    def clean_points(self) -> list[str] | None:
        """Read the table of points; refuse what is no number."""
        written = [each for each in APART.split(self.cleaned_data["points"]) if each]
        if any(exact(each) is None for each in written):
            raise forms.ValidationError(_("Write numbers with a hyphen between, as 4-3-2-1."))
        return written or None

    def rule(self) -> dict[str, Any]:
        """The rule as it is stored; what is as usual is left out, what is wrong stays in.

        Whether it can stand is for the service to say, which names the field.
        """
        data = self.cleaned_data
        found = {key: data[key] for key in ("who", "measure", "combine", "points", *WHOLE)}
        if data["measure"] != "place":
            found["points"] = None
        part = data["least_part"].strip()
        if part and exact(part) != exact("1/2"):
            found["least_part"] = part
        found |= {key: True for key in TICKED if data[key]}
        if data["ties"]:
            found["ties"] = [each for each in self._tie_order() if each in data["ties"]]
        if set(data["contests"]) != set(USUAL_CONTESTS):
            found["contests"] = [each for each in CONTESTS if each in data["contests"]]
        return {key: value for key, value in found.items() if value is not None}


def _shown(name: str, rule: Mapping[str, Any]) -> dict[str, Any]:
    """A rule as the fields show it."""
    found = {key: rule[key] for key in KEYS if key in rule}
    found["points"] = "-".join(map(str, rule.get("points", ())))
    return {
        "name": name,
        "who": WHO[0],
        "measure": "plus",
        "combine": SUM,
        "least_part": "1/2",
        "contests": list(USUAL_CONTESTS),
        **found,
    }
