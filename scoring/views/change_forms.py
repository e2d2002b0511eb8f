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
    Change,
    ExchangedPlaces,
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
    """The choices of the forms in a section: entries by place, rounds, tables and boards."""

    letter: str  # if there are several sections; else empty
    names: dict[int, str]
    labels: dict[int, str]  # of places, as stored: "3NS"
    teams: dict[int, int]  # the numbers of teams, by one of their places
    boards: dict[int, str]
    choices: dict[str, Choices]
    contest: Event.Contest


def load_section_choices(section: Section) -> SectionChoices:
    """Load the choices of a section, in four queries."""
    letter = section.shown
    places = list(section.places.select_related("entry").order_by("number"))
    names = {place.number: place.entry.name for place in places if place.entry}
    labels = {place.number: place.label for place in places}
    contest = Event.Contest(section.session.event.contest)
    teams = _number_teams(places) if contest == Event.Contest.TEAMS else {}
    table_groups = set(section.sittings.values_list("table", "board_group"))
    groups, tables = ({row[column_index] for row in table_groups} for column_index in (1, 0))
    boards = {
        board_group: format_boards(board_group, section.session.boards_a_round)
        for board_group in sorted(groups)
    }
    rounds = [(board_group, str(board_group)) for board_group in range(1, section.rounds + 1)]
    entry_places = [
        (number, f"{format_place_for_players(letter + labels[number])}: {name}")
        for number, name in names.items()
    ]
    choices: dict[str, Choices] = {
        "table": [
            (board_group, format_table(board_group, letter)) for board_group in sorted(tables)
        ],
        "board_group": list(boards.items()),
    }
    choices |= dict.fromkeys(("first", "last", "round", "from_round"), rounds)
    next_round = min(section.rounds + 1, section.rounds_planned)
    choices["from_round"] = [
        (board_group, str(board_group)) for board_group in range(1, next_round + 1)
    ]
    choices |= dict.fromkeys(("place", "one", "other"), entry_places)
    if teams:
        choices["place"] = [
            (column_index, f"{number}: {names[column_index]}")
            for column_index, number in teams.items()
        ]
    return SectionChoices(letter, names, labels, teams, boards, choices, contest)


def _number_teams(places: Sequence[Place]) -> dict[int, int]:
    """Return each team's number by the first of its two places, in the order of numbers."""
    first: dict[int, int] = {}
    for place in places:
        if place.entry:
            first.setdefault(place.entry.number, place.number)
    return {first[number]: number for number in sorted(first)}


class ChangeForm(forms.Form):
    """Base class of the forms, with their common fields; choices come from the section."""

    title: str | Promise = ""
    titles: ClassVar[dict[Event.Contest, str | Promise]] = {}  # where no pairs play
    text: str | Promise = ""
    who: tuple[str, ...] = ()  # the fields labelled "Pair", "Player" or "Team"

    def __init__(self, *args: Any, floor: SectionChoices, **kwargs: Any) -> None:
        self.floor = floor
        super().__init__(*args, **kwargs)
        self.title = self.titles.get(floor.contest, self.title)
        for name, field in self.fields.items():
            if isinstance(field, forms.TypedChoiceField):
                field.choices = floor.choices[name]
        for name, label in zip(
            self.who, _list_entry_labels(floor.contest, self.who), strict=True
        ):
            self.fields[name].label = label

    def describe_entry(self, place: int) -> dict[str, Any]:
        """Return a place and the name of its entry, as data."""
        return {"place": self.floor.labels[place], "name": self.floor.names[place]}

    def to_change(self) -> Change:
        """Convert the input to a change of the movement."""
        raise AssertionError("Each form of a change says this for itself.")

    def build_incident(self) -> dict[str, Any]:
        """Return the incident as data, from which `describe_incident` makes a sentence."""
        raise AssertionError("Each form of a change says this for itself.")

    def build_stored_incident(self) -> dict[str, Any]:
        """Return the incident as data, with its section if the session has several."""
        letter = {"section": self.floor.letter} if self.floor.letter else {}
        return {**self.build_incident(), **letter}

    def format_incident(self) -> str:
        """Describe the incident in a sentence."""
        return describe_incident(self.build_stored_incident())

    def get_rounds_played(self) -> int:
        """Return the last round that was played, according to the form."""
        return int(self.cleaned_data["last"])

    def player_names(self) -> list[str]:
        """Return the names of late players; empty in other forms."""
        return []


def _list_entry_labels(contest: Event.Contest, names: Sequence[str]) -> list[str]:
    """Return the labels of one or two fields that each choose an entry."""
    if contest == Event.Contest.INDIVIDUAL:
        one_label, two_labels = _("Player"), [_("First player"), _("Second player")]
    elif contest == Event.Contest.TEAMS and len(names) == 1:
        return [_("Team")]
    else:
        one_label, two_labels = _("Pair"), [_("First pair"), _("Second pair")]
    return two_labels if len(names) == 2 else [one_label][: len(names)]


def _create_choice_field(label: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, coerce=int)


class LateArrivalForm(ChangeForm):
    """Form for a late entry, with as many names as the contest needs: one, two or four."""

    title = gettext_lazy("A pair arrives late")
    titles: ClassVar[dict[Event.Contest, str | Promise]] = {
        Event.Contest.INDIVIDUAL: gettext_lazy("A player arrives late"),
        Event.Contest.TEAMS: gettext_lazy("A team arrives late"),
    }
    text = gettext_lazy("They start playing as soon as there’s a place.")
    player1 = forms.CharField(label=gettext_lazy("First player"), max_length=80)
    player2 = forms.CharField(label=gettext_lazy("Second player"), max_length=80)
    player3 = forms.CharField(label=gettext_lazy("Third player"), max_length=80)
    player4 = forms.CharField(label=gettext_lazy("Fourth player"), max_length=80)
    from_round = _create_choice_field(gettext_lazy("First round they can play"))

    def __init__(self, *args: Any, floor: SectionChoices, **kwargs: Any) -> None:
        super().__init__(*args, floor=floor, **kwargs)
        self.wanted = [
            f"player{number}" for number in range(1, NAMES_PER_ENTRY[floor.contest] + 1)
        ]
        for name in [name for name in self.fields if name.startswith("player")]:
            if name not in self.wanted:
                del self.fields[name]
        if len(self.wanted) == 1:
            self.fields["player1"].label = _("Player")

    def to_change(self) -> Change:
        return LateArrival()

    def build_incident(self) -> dict[str, Any]:
        round_ = self.cleaned_data["from_round"]
        return {"kind": "late", "names": self.player_names(), "round": round_}

    def get_rounds_played(self) -> int:
        return int(self.cleaned_data["from_round"]) - 1

    def player_names(self) -> list[str]:
        return [self.cleaned_data[name] for name in self.wanted]


class WithdrawalForm(ChangeForm):
    title = gettext_lazy("A pair withdraws")
    titles: ClassVar[dict[Event.Contest, str | Promise]] = {
        Event.Contest.INDIVIDUAL: gettext_lazy("A player withdraws"),
        Event.Contest.TEAMS: gettext_lazy("A team withdraws"),
    }
    who = ("place",)
    text = gettext_lazy("Their scores so far are kept. They won’t play again this session.")
    place = _create_choice_field("")
    from_round = _create_choice_field(gettext_lazy("First round they miss"))

    def to_change(self) -> Change:
        return Withdrawal(self.cleaned_data["place"])

    def build_incident(self) -> dict[str, Any]:
        place = self.cleaned_data["place"]
        entry_data = self.describe_entry(place)
        if place in self.floor.teams:
            entry_data = {"number": self.floor.teams[place], "name": self.floor.names[place]}
        return {"kind": "left", "who": entry_data, "round": self.cleaned_data["from_round"]}

    def get_rounds_played(self) -> int:
        return int(self.cleaned_data["from_round"]) - 1


class TurnedTableForm(ChangeForm):
    title = gettext_lazy("A table played the wrong way round")
    text = gettext_lazy("N-S sat E-W. Tricks stay with the seats that took them.")
    table = _create_choice_field(gettext_lazy("Table"))
    first = _create_choice_field(gettext_lazy("From round"))
    last = _create_choice_field(gettext_lazy("To round"))

    def to_change(self) -> Change:
        data = self.cleaned_data
        return TurnedTable(data["table"], data["first"], data["last"])

    def build_incident(self) -> dict[str, Any]:
        data = self.cleaned_data
        rounds = {"first": data["first"], "last": data["last"]}
        return {"kind": "turned", "table": data["table"], **rounds}


class WrongBoardsForm(ChangeForm):
    title = gettext_lazy("A table played the wrong boards")
    text = gettext_lazy("Scores move to the boards actually played.")
    round = _create_choice_field(gettext_lazy("Round"))
    table = _create_choice_field(gettext_lazy("Table"))
    board_group = _create_choice_field(gettext_lazy("Boards actually played"))

    def to_change(self) -> Change:
        data = self.cleaned_data
        return WrongBoards(data["round"], data["table"], data["board_group"])

    def build_incident(self) -> dict[str, Any]:
        data = self.cleaned_data
        place_data = {"table": data["table"], "round": data["round"]}
        return {
            "kind": "boards",
            **place_data,
            "boards": self.floor.boards[data["board_group"]],
        }

    def get_rounds_played(self) -> int:
        return int(self.cleaned_data["round"])


class ExchangedPlacesForm(ChangeForm):
    title = gettext_lazy("Two pairs swapped tables")
    titles: ClassVar[dict[Event.Contest, str | Promise]] = {
        Event.Contest.INDIVIDUAL: gettext_lazy("Two players swapped seats"),
    }
    who = ("one", "other")
    text = gettext_lazy("Both met the wrong opponents. Scores stay with those who sat there.")
    one = _create_choice_field("")
    other = _create_choice_field("")
    first = _create_choice_field(gettext_lazy("From round"))
    last = _create_choice_field(gettext_lazy("To round"))

    def to_change(self) -> Change:
        data = self.cleaned_data
        return ExchangedPlaces(data["one"], data["other"], data["first"], data["last"])

    def build_incident(self) -> dict[str, Any]:
        data = self.cleaned_data
        entry_data = {name: self.describe_entry(data[name]) for name in ("one", "other")}
        return {"kind": "exchanged", **entry_data, "first": data["first"], "last": data["last"]}


CHANGE_FORMS: dict[str, type[ChangeForm]] = {
    "boards": WrongBoardsForm,
    "turned": TurnedTableForm,
    "exchanged": ExchangedPlacesForm,
    "late": LateArrivalForm,
    "left": WithdrawalForm,
}
