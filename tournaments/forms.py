"""Forms for clubs, entries and boards."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.names.tidy import clean_name
from tournaments.entry_words import NAMES_PER_ENTRY
from tournaments.models import Event

MAX_TEXT_LENGTH = 500_000
PLAYER_NAME_LABELS = (
    gettext_lazy("First player"),
    gettext_lazy("Second player"),
    gettext_lazy("Third player"),
    gettext_lazy("Fourth player"),
)


class EntryForm(forms.Form):
    """The names of one entry: two for a pair, one for a player, four for a team.

    A team from a file may have more players. `current_names` are the entry's current names.
    """

    def __init__(
        self,
        *args: Any,
        event: Event,
        current_names: Sequence[str] = (),
        team_name: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        names_per_entry = NAMES_PER_ENTRY[Event.Contest(event.contest)]
        missing_message = _get_missing_name_message(names_per_entry)
        for player_number in range(1, max(names_per_entry, len(current_names)) + 1):
            self.fields[f"player{player_number}"] = forms.CharField(
                label=_get_name_label(names_per_entry, player_number),
                max_length=80,
                required=player_number <= names_per_entry,
                initial=current_names[player_number - 1]
                if player_number <= len(current_names)
                else "",
                error_messages={"required": missing_message},
            )
        if event.contest == Event.Contest.TEAMS:
            self.fields["team"] = forms.CharField(
                label=_("Team name (optional)"),
                max_length=80,
                required=False,
                initial=team_name,
            )

    def clean(self) -> dict[str, Any]:
        """Report a missing partner for a pair with one name."""
        cleaned_data = super().clean() or self.cleaned_data
        filled_fields = [
            field_name for field_name in self.fields if cleaned_data.get(field_name)
        ]
        if len(self.fields) == 2 and len(filled_fields) == 1 and len(self.errors) == 1:
            for field_name in self.errors:
                self.errors[field_name] = self.error_class(
                    [_("The partner’s name is missing.")]
                )
        return cleaned_data

    @property
    def field_to_focus(self) -> str:
        """The name of the field to focus: the first invalid field, or else the first name."""
        return next(
            iter(field_name for field_name in self.fields if field_name in self.errors),
            "player1",
        )

    def get_names(self) -> list[str]:
        """Return the entered names without empty optional ones."""
        typed_names = [
            self.cleaned_data[field_name] for field_name in self.fields if field_name != "team"
        ]
        return [name for name in typed_names if name]

    def get_team_name(self) -> str:
        """Return a team's own name, or "" if the team has no name."""
        return clean_name(self.cleaned_data.get("team", ""))


def _get_missing_name_message(names_per_entry: int) -> str:
    messages_by_name_count = {1: _("The player’s name is missing."), 2: _("Enter two names.")}
    return messages_by_name_count.get(
        names_per_entry, _("Enter four names. This one is missing.")
    )


def _get_name_label(names_per_entry: int, player_number: int) -> Any:
    if names_per_entry == 1:
        return gettext_lazy("Player")
    if player_number <= len(PLAYER_NAME_LABELS):
        return PLAYER_NAME_LABELS[player_number - 1]
    return _("Player %(number)s") % {"number": player_number}


class PasteForm(forms.Form):
    """A form with a text box into which the user pastes lines."""

    text = forms.CharField(
        label=gettext_lazy("Paste here"),
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )


MAX_FILE_BYTES = 10_000_000


class FileForm(forms.Form):
    """A file upload."""

    file = forms.FileField(label=gettext_lazy("File"), allow_empty_file=True)

    def clean_file(self) -> Any:
        """Refuse a file of more than ten million bytes."""
        upload = self.cleaned_data["file"]
        if (upload.size or 0) > MAX_FILE_BYTES:
            raise forms.ValidationError(_("The file is larger than 10 MB."))
        return upload

    def read_content(self) -> bytes:
        """Return the file's bytes."""
        content: bytes = self.cleaned_data["file"].read()
        return content


class BoardsFileForm(FileForm):
    """A file of boards, and a text box for the turn-ups if the file has none."""

    turn_ups = forms.CharField(
        label=gettext_lazy("Turn-ups, if not in the file"),
        help_text=gettext_lazy("Board and card in turn: 1 H6, 2 ST, 3 DQ"),
        max_length=20_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
    )


class MovementForm(forms.Form):
    """The movement that a director chose, with its options."""

    name = forms.CharField(max_length=40)
    options = forms.JSONField()
    boards_a_round = forms.IntegerField(min_value=1, max_value=60)
    missing = forms.ChoiceField(choices=[("", ""), ("NS", "NS"), ("EW", "EW")], required=False)

    def clean_options(self) -> dict[str, Any]:
        """Accept numbers, booleans, and lists of numbers as options of a movement."""
        options = self.cleaned_data["options"]
        if not isinstance(options, dict) or not all(map(_is_valid_option, options.values())):
            raise forms.ValidationError(_("Choose one of the movements on the page."))
        return options


def _is_valid_option(option_value: object) -> bool:
    if isinstance(option_value, list):
        return len(option_value) < 200 and all(
            isinstance(item, int | str) for item in option_value
        )
    return isinstance(option_value, bool) or (
        isinstance(option_value, int) and 0 <= option_value <= 1000
    )


def find_first_error(form: forms.BaseForm) -> str:
    """Return the first error of a form, as one sentence."""
    for name, errors in form.errors.items():
        field = form.fields.get(name)
        label = str(field.label or name) if field else ""
        return f"{label}: {errors[0]}" if label else str(errors[0])
    return ""
