"""Forms for changes during play, one for each kind of change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.entry_words import NAMES_PER_ENTRY
from tournaments.models import Event, Place, Section
from tournaments.movements.changes import (
    ExchangedPlaces,
    Incident,
    LateArrival,
    TurnedTable,
    Withdrawal,
    WrongBoards,
)
from tournaments.movements.formatting import format_place_for_players, format_table
from tournaments.sheets.continuations.incident_words import describe_incident
from tournaments.sheets.schedule import format_boards

Choices = list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class SectionChoices:
    """The choices in a section's forms for changes: entries, rounds, tables and boards."""

    section_letter: str  # "" if there is only one section
    entry_names_by_place: dict[int, str]  # by the number of the place in the movement
    labels_by_place: dict[int, str]  # by the number of the place, e.g. "3NS"
    team_numbers_by_place: dict[int, int]  # by the number of the team's first place
    board_texts_by_group: dict[int, str]  # by board group, e.g. "5–8"
    choices_by_field: dict[str, Choices]  # by the name of the form field
    contest: Event.Contest


def load_section_choices(section: Section) -> SectionChoices:
    """Load the choices of a section, in four queries."""
    section_letter = section.shown
    places = list(section.places.select_related("entry").order_by("number"))
    entry_names_by_place = {place.number: place.entry.name for place in places if place.entry}
    labels_by_place = {place.number: place.label for place in places}
    contest = Event.Contest(section.session.event.contest)
    team_numbers_by_place = (
        _map_places_to_team_numbers(places) if contest == Event.Contest.TEAMS else {}
    )
    tables_and_board_groups = set(section.sittings.values_list("table", "board_group"))
    table_numbers = {table_number for table_number, _board_group in tables_and_board_groups}
    board_groups = {board_group for _table, board_group in tables_and_board_groups}
    board_texts_by_group = {
        board_group: format_boards(board_group, section.session.boards_a_round)
        for board_group in sorted(board_groups)
    }
    round_choices = [
        (round_number, str(round_number)) for round_number in range(1, section.rounds + 1)
    ]
    place_choices = [
        (
            place_number,
            f"{format_place_for_players(section_letter + labels_by_place[place_number])}"
            f": {name}",
        )
        for place_number, name in entry_names_by_place.items()
    ]
    choices_by_field: dict[str, Choices] = {
        "table": [
            (table_number, format_table(table_number, section_letter))
            for table_number in sorted(table_numbers)
        ],
        "board_group": list(board_texts_by_group.items()),
    }
    choices_by_field |= dict.fromkeys(("first", "last", "round", "from_round"), round_choices)
    last_selectable_round = min(section.rounds + 1, section.planned_round_count)
    choices_by_field["from_round"] = [
        (round_number, str(round_number))
        for round_number in range(1, last_selectable_round + 1)
    ]
    choices_by_field |= dict.fromkeys(("place", "one", "other"), place_choices)
    if team_numbers_by_place:
        choices_by_field["place"] = [
            (place_number, f"{team_number}: {entry_names_by_place[place_number]}")
            for place_number, team_number in team_numbers_by_place.items()
        ]
    return SectionChoices(
        section_letter,
        entry_names_by_place,
        labels_by_place,
        team_numbers_by_place,
        board_texts_by_group,
        choices_by_field,
        contest,
    )


def _map_places_to_team_numbers(places: Sequence[Place]) -> dict[int, int]:
    """Return a dict from the number of a team's first place to the team's number.

    A team has two places. The dict is sorted by team number.
    """
    place_by_entry: dict[int, int] = {}
    for place in places:
        if place.entry:
            place_by_entry.setdefault(place.entry.number, place.number)
    return {
        place_by_entry[entry_number]: entry_number for entry_number in sorted(place_by_entry)
    }


class SeatingChangeForm(forms.Form):
    """Base class of the forms for changes; it fills the choices of all fields."""

    title: str | Promise = ""
    # Titles that replace `title` in contests of individuals and of teams.
    title_by_contest: ClassVar[dict[Event.Contest, str | Promise]] = {}
    text: str | Promise = ""
    entry_fields: tuple[str, ...] = ()  # the fields labelled "Pair", "Player" or "Team"

    def __init__(self, *args: Any, section_choices: SectionChoices, **kwargs: Any) -> None:
        self.section_choices = section_choices
        super().__init__(*args, **kwargs)
        self.title = self.title_by_contest.get(section_choices.contest, self.title)
        for field_name, field in self.fields.items():
            if isinstance(field, forms.TypedChoiceField):
                field.choices = section_choices.choices_by_field[field_name]
        for field_name, label in zip(
            self.entry_fields,
            _list_entry_labels(section_choices.contest, self.entry_fields),
            strict=True,
        ):
            self.fields[field_name].label = label

    def describe_entry(self, place_number: int) -> dict[str, Any]:
        """Return a dict with the label of a place and the name of its entry."""
        return {
            "place": self.section_choices.labels_by_place[place_number],
            "name": self.section_choices.entry_names_by_place[place_number],
        }

    def build_change(self) -> Incident:
        """Convert the input to a change of the movement."""
        raise AssertionError("Each form of a change says this for itself.")

    def build_incident(self) -> dict[str, Any]:
        """Return the dict from which `describe_incident` makes a sentence."""
        raise AssertionError("Each form of a change says this for itself.")

    def build_stored_incident_data(self) -> dict[str, Any]:
        """Return the dict of `build_incident`, with the section letter if there are several."""
        section_data = (
            {"section": self.section_choices.section_letter}
            if self.section_choices.section_letter
            else {}
        )
        return {**self.build_incident(), **section_data}

    def format_incident(self) -> str:
        """Describe the incident in a sentence."""
        return describe_incident(self.build_stored_incident_data())

    def get_rounds_played(self) -> int:
        """Return the last round that was played, according to the form."""
        return int(self.cleaned_data["last"])

    def get_player_names(self) -> list[str]:
        """Return the names of late players; empty in other forms."""
        return []


def _list_entry_labels(contest: Event.Contest, field_names: Sequence[str]) -> list[str]:
    """Return the labels of one or two fields that each choose an entry."""
    if contest == Event.Contest.INDIVIDUAL:
        single_entry_label, two_entry_labels = (
            _("Player"),
            [_("First player"), _("Second player")],
        )
    elif contest == Event.Contest.TEAMS and len(field_names) == 1:
        return [_("Team")]
    else:
        single_entry_label, two_entry_labels = _("Pair"), [_("First pair"), _("Second pair")]
    return (
        two_entry_labels if len(field_names) == 2 else [single_entry_label][: len(field_names)]
    )


def _create_choice_field(label: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, coerce=int)


class LateArrivalForm(SeatingChangeForm):
    """Form for a late entry, with as many names as the contest needs: one, two or four."""

    title = gettext_lazy("A pair arrives late")
    title_by_contest: ClassVar[dict[Event.Contest, str | Promise]] = {
        Event.Contest.INDIVIDUAL: gettext_lazy("A player arrives late"),
        Event.Contest.TEAMS: gettext_lazy("A team arrives late"),
    }
    text = gettext_lazy("They start playing as soon as there’s a place.")
    player1 = forms.CharField(label=gettext_lazy("First player"), max_length=80)
    player2 = forms.CharField(label=gettext_lazy("Second player"), max_length=80)
    player3 = forms.CharField(label=gettext_lazy("Third player"), max_length=80)
    player4 = forms.CharField(label=gettext_lazy("Fourth player"), max_length=80)
    from_round = _create_choice_field(gettext_lazy("First round they can play"))

    def __init__(self, *args: Any, section_choices: SectionChoices, **kwargs: Any) -> None:
        super().__init__(*args, section_choices=section_choices, **kwargs)
        self.name_fields = [
            f"player{player_number}"
            for player_number in range(1, NAMES_PER_ENTRY[section_choices.contest] + 1)
        ]
        for field_name in [
            field_name for field_name in self.fields if field_name.startswith("player")
        ]:
            if field_name not in self.name_fields:
                del self.fields[field_name]
        if len(self.name_fields) == 1:
            self.fields["player1"].label = _("Player")

    def build_change(self) -> Incident:
        return LateArrival()

    def build_incident(self) -> dict[str, Any]:
        first_round = self.cleaned_data["from_round"]
        return {"kind": "late", "names": self.get_player_names(), "round": first_round}

    def get_rounds_played(self) -> int:
        return int(self.cleaned_data["from_round"]) - 1

    def get_player_names(self) -> list[str]:
        return [self.cleaned_data[field_name] for field_name in self.name_fields]


class WithdrawalForm(SeatingChangeForm):
    title = gettext_lazy("A pair withdraws")
    title_by_contest: ClassVar[dict[Event.Contest, str | Promise]] = {
        Event.Contest.INDIVIDUAL: gettext_lazy("A player withdraws"),
        Event.Contest.TEAMS: gettext_lazy("A team withdraws"),
    }
    entry_fields = ("place",)
    text = gettext_lazy("Their scores so far are kept. They won’t play again this session.")
    place = _create_choice_field("")
    from_round = _create_choice_field(gettext_lazy("First round they miss"))

    def build_change(self) -> Incident:
        return Withdrawal(self.cleaned_data["place"])

    def build_incident(self) -> dict[str, Any]:
        place_number = self.cleaned_data["place"]
        entry_data = self.describe_entry(place_number)
        if place_number in self.section_choices.team_numbers_by_place:
            entry_data = {
                "number": self.section_choices.team_numbers_by_place[place_number],
                "name": self.section_choices.entry_names_by_place[place_number],
            }
        return {"kind": "left", "who": entry_data, "round": self.cleaned_data["from_round"]}

    def get_rounds_played(self) -> int:
        return int(self.cleaned_data["from_round"]) - 1


class SwappedSidesForm(SeatingChangeForm):
    title = gettext_lazy("A table played the wrong way round")
    text = gettext_lazy("N-S sat E-W. Tricks stay with the seats that took them.")
    table = _create_choice_field(gettext_lazy("Table"))
    first = _create_choice_field(gettext_lazy("From round"))
    last = _create_choice_field(gettext_lazy("To round"))

    def build_change(self) -> Incident:
        cleaned_data = self.cleaned_data
        return TurnedTable(cleaned_data["table"], cleaned_data["first"], cleaned_data["last"])

    def build_incident(self) -> dict[str, Any]:
        cleaned_data = self.cleaned_data
        round_data = {"first": cleaned_data["first"], "last": cleaned_data["last"]}
        return {"kind": "turned", "table": cleaned_data["table"], **round_data}


class WrongBoardsForm(SeatingChangeForm):
    title = gettext_lazy("A table played the wrong boards")
    text = gettext_lazy("Scores move to the boards actually played.")
    round = _create_choice_field(gettext_lazy("Round"))
    table = _create_choice_field(gettext_lazy("Table"))
    board_group = _create_choice_field(gettext_lazy("Boards actually played"))

    def build_change(self) -> Incident:
        cleaned_data = self.cleaned_data
        return WrongBoards(
            cleaned_data["round"], cleaned_data["table"], cleaned_data["board_group"]
        )

    def build_incident(self) -> dict[str, Any]:
        cleaned_data = self.cleaned_data
        table_and_round_data = {"table": cleaned_data["table"], "round": cleaned_data["round"]}
        return {
            "kind": "boards",
            **table_and_round_data,
            "boards": self.section_choices.board_texts_by_group[cleaned_data["board_group"]],
        }

    def get_rounds_played(self) -> int:
        return int(self.cleaned_data["round"])


class ExchangedPlacesForm(SeatingChangeForm):
    title = gettext_lazy("Two pairs swapped tables")
    title_by_contest: ClassVar[dict[Event.Contest, str | Promise]] = {
        Event.Contest.INDIVIDUAL: gettext_lazy("Two players swapped seats"),
    }
    entry_fields = ("one", "other")
    text = gettext_lazy("Both met the wrong opponents. Scores stay with those who sat there.")
    one = _create_choice_field("")
    other = _create_choice_field("")
    first = _create_choice_field(gettext_lazy("From round"))
    last = _create_choice_field(gettext_lazy("To round"))

    def build_change(self) -> Incident:
        cleaned_data = self.cleaned_data
        return ExchangedPlaces(
            cleaned_data["one"],
            cleaned_data["other"],
            cleaned_data["first"],
            cleaned_data["last"],
        )

    def build_incident(self) -> dict[str, Any]:
        cleaned_data = self.cleaned_data
        entry_data = {
            name: self.describe_entry(cleaned_data[name]) for name in ("one", "other")
        }
        return {
            "kind": "exchanged",
            **entry_data,
            "first": cleaned_data["first"],
            "last": cleaned_data["last"],
        }


CHANGE_FORMS_BY_KIND: dict[str, type[SeatingChangeForm]] = {
    "boards": WrongBoardsForm,
    "turned": SwappedSidesForm,
    "exchanged": ExchangedPlacesForm,
    "late": LateArrivalForm,
    "left": WithdrawalForm,
}
