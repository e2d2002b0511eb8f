"""The form with which a director edits a person."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Consent, Player
from clubs.services.people import PRIVATE_FIELDS

CONSENT_CHOICES = (("", _("not asked")), ("yes", _("yes")), ("no", _("no")))
CONSENT_VALUES = {"": None, "yes": True, "no": False}
"""The stored value of each choice; None if the person has not answered."""
MAIN_FIELDS = ("name", "shown", "number", "kind", "email", "phone")
"""The fields that the page shows without opening "More options"."""


class PersonForm(forms.ModelForm[Player]):
    """The form of a person: the name and its visibility, contact details, and consents."""

    class Meta:
        model = Player
        fields = ["name", "shown", *PRIVATE_FIELDS]
        widgets = {
            "shown": forms.RadioSelect,
            "joined": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "left": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "phone": forms.TextInput(attrs={"type": "tel", "autocomplete": "off"}),
            "email": forms.EmailInput(attrs={"autocomplete": "off"}),
        }
        help_texts = {
            "shown": _(
                "On all pages and papers, past events too. Directors always see the full name."
            ),
            "number": _("Only directors and the player can see this and the details below."),
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        shown_field = self.fields["shown"]
        if (
            isinstance(shown_field, forms.ChoiceField)
            and self.instance.shown != Player.Shown.UNKNOWN
        ):
            shown_field.choices = Player.list_public_name_choices()
        answers_by_purpose = {
            consent.what: "yes" if consent.given else "no" for consent in self._load_consents()
        }
        for consent_purpose in Consent.ConsentPurpose:
            self.fields[f"agrees_{consent_purpose}"] = forms.ChoiceField(
                label=_("Agrees to: %(matter)s") % {"matter": consent_purpose.label},
                choices=CONSENT_CHOICES,
                required=False,
                initial=answers_by_purpose.get(consent_purpose.value, ""),
            )

    @property
    def main_fields(self) -> list[forms.BoundField]:
        """The fields that are always visible."""
        return [self[field_name] for field_name in MAIN_FIELDS]

    @property
    def collapsed_fields(self) -> list[forms.BoundField]:
        """The fields below "More options"."""
        return [field for field in self if field.name not in MAIN_FIELDS]

    @property
    def has_collapsed_errors(self) -> bool:
        """Whether a field below "More options" has an error."""
        return any(field.errors for field in self.collapsed_fields)

    @property
    def details(self) -> dict[str, Any]:
        """Return the submitted details except the name and its visibility.

        Fields that were not submitted stay as they are.
        """
        return {
            field_name: self.cleaned_data[field_name]
            for field_name in PRIVATE_FIELDS
            if field_name in self.data
        }

    @property
    def consents(self) -> dict[str, bool | None]:
        """Return the person's answers by purpose of consent; None without an answer."""
        field_names_by_purpose = {
            consent_purpose.value: f"agrees_{consent_purpose}"
            for consent_purpose in Consent.ConsentPurpose
        }
        return {
            consent_purpose: CONSENT_VALUES[self.cleaned_data[field_name]]
            for consent_purpose, field_name in field_names_by_purpose.items()
            if field_name in self.data
        }

    def clean(self) -> dict[str, Any]:
        """Keep the person's current kind if the form was submitted without one."""
        cleaned_data = super().clean() or {}
        if "kind" not in self.data:
            self.errors.pop("kind", None)
        return cleaned_data

    def _load_consents(self) -> list[Consent]:
        return list(self.instance.consents.all()) if self.instance.pk else []
