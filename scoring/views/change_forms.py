"""What really happened, as a director fills it in: one short form for each kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.entry_words import NAMES
from tournaments.models import Event, Place, Section
from tournaments.movements.changes import (
    Change,
    Exchanged,
    Late,
    Left,
    Turned,
    WrongBoards,
)
from tournaments.movements.words import spoken
from tournaments.sheets.schedule import boards_text

Choices = list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Floor:
    """What can be named of a section: who sits where, its rounds, tables and boards."""

    names: dict[int, str]
    labels: dict[int, str]
    boards: dict[int, str]
    choices: dict[str, Choices]
    contest: Event.Contest


def floor_of(section: Section) -> Floor:
    """Read what can be named of a section, in two queries."""
    places = list(section.places.select_related("entry").order_by("number"))
    names = {each.number: each.entry.name for each in places if each.entry}
    labels = {each.number: spoken(each.label) for each in places}
    groups = sorted(set(section.sittings.values_list("board_group", flat=True)))
    boards = {n: boards_text(n, section.session.boards_a_round) for n in groups}
    rounds = [(n, str(n)) for n in range(1, section.rounds + 1)]
    who = [(number, f"{labels[number]}: {name}") for number, name in names.items()]
    choices: dict[str, Choices] = {
        "table": [(n, str(n)) for n in range(1, section.tables + 1)],
        "board_group": list(boards.items()),
    }
    choices |= dict.fromkeys(("first", "last", "round", "from_round"), rounds)
    contest = Event.Contest(section.session.event.contest)
    choices |= dict.fromkeys(("place", "one", "other"), who)
    if contest == Event.Contest.TEAMS:
        choices["place"] = _teams(places)
    return Floor(names, labels, boards, choices, contest)


def _teams(places: Sequence[Place]) -> Choices:
    """Each team once, though it sits at two places."""
    first: dict[int, tuple[int, str]] = {}
    for place in places:
        if place.entry:
            words = f"{place.entry.number}: {place.entry.name}"
            first.setdefault(place.entry.number, (place.number, words))
    return [first[number] for number in sorted(first)]


class ChangeForm(forms.Form):
    """The fields that every kind of change shares; choices come from the section."""

    title: str | Promise = ""
    text: str | Promise = ""

    def __init__(self, *args: Any, floor: Floor, **kwargs: Any) -> None:
        self.floor = floor
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            if isinstance(field, forms.TypedChoiceField):
                field.choices = floor.choices[name]

    def called(self, place: int) -> str:
        """A place and who sits there."""
        return f"{self.floor.labels[place]}: {self.floor.names[place]}"

    def rounds_told(self) -> str:
        """The rounds of a form that has a first and a last one."""
        first, last = self.cleaned_data["first"], self.cleaned_data["last"]
        if first == last:
            return _("in round %(round)s") % {"round": first}
        return _("in rounds %(first)s to %(last)s") % {"first": first, "last": last}

    def change(self) -> Change:
        """What happened, as the movements understand it."""
        raise AssertionError("Each form of a change says this for itself.")

    def what(self) -> str:
        """What happened, in a sentence."""
        raise AssertionError("Each form of a change says this for itself.")

    def told_rounds(self) -> int:
        """The last round of which the form tells."""
        return int(self.cleaned_data["last"])

    def player_names(self) -> list[str]:
        """Who came late; nobody in other forms."""
        return []


def _pick(label: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, coerce=int)


class LateForm(ChangeForm):
    """Asks as many names as make an entry of the contest: one, two or four."""

    player1 = forms.CharField(label=gettext_lazy("First player"), max_length=80)
    player2 = forms.CharField(label=gettext_lazy("Second player"), max_length=80)
    player3 = forms.CharField(label=gettext_lazy("Third player"), max_length=80)
    player4 = forms.CharField(label=gettext_lazy("Fourth player"), max_length=80)
    from_round = _pick(gettext_lazy("The first round they can play"))

    def __init__(self, *args: Any, floor: Floor, **kwargs: Any) -> None:
        super().__init__(*args, floor=floor, **kwargs)
        self.wanted = [f"player{n}" for n in range(1, NAMES[floor.contest] + 1)]
        for name in [name for name in self.fields if name.startswith("player")]:
            if name not in self.wanted:
                del self.fields[name]
        if len(self.wanted) == 1:
            self.fields["player1"].label = _("Player")
        self.title, self.text = LATE_WORDS.get(floor.contest, PAIR_LATE)

    def change(self) -> Change:
        return Late()

    def what(self) -> str:
        return _("%(who)s came late, in time for round %(round)s.") % {
            "who": self._together(),
            "round": self.cleaned_data["from_round"],
        }

    def _together(self) -> str:
        *others, last = self.player_names()
        return f"{', '.join(others)} & {last}" if others else last

    def told_rounds(self) -> int:
        return int(self.cleaned_data["from_round"]) - 1

    def player_names(self) -> list[str]:
        return [self.cleaned_data[name] for name in self.wanted]


PAIR_LATE = (
    gettext_lazy("A pair has come late"),
    gettext_lazy("They are entered, and come in as soon as they can."),
)
LATE_WORDS = {
    Event.Contest.INDIVIDUAL: (
        gettext_lazy("A player has come late"),
        gettext_lazy("The player is entered, and comes in as soon as possible."),
    ),
    Event.Contest.TEAMS: (
        gettext_lazy("A team has come late"),
        gettext_lazy("The team is entered, and comes in as soon as it can."),
    ),
}


class LeftForm(ChangeForm):
    title = gettext_lazy("Somebody goes home")
    text = gettext_lazy("Their scores stay; from then on they play no more.")
    place = _pick(gettext_lazy("Who"))
    from_round = _pick(gettext_lazy("The first round they miss"))

    def change(self) -> Change:
        return Left(self.cleaned_data["place"])

    def what(self) -> str:
        return _("%(who)s: gone home before round %(round)s.") % {
            "who": dict(self.floor.choices["place"])[self.cleaned_data["place"]],
            "round": self.cleaned_data["from_round"],
        }

    def told_rounds(self) -> int:
        return int(self.cleaned_data["from_round"]) - 1


class TurnedForm(ChangeForm):
    title = gettext_lazy("A table sat the wrong way round")
    text = gettext_lazy("North-South sat East-West. Tricks stay with the seats that took them.")
    table = _pick(gettext_lazy("Table"))
    first = _pick(gettext_lazy("From round"))
    last = _pick(gettext_lazy("To round"))

    def change(self) -> Change:
        data = self.cleaned_data
        return Turned(data["table"], data["first"], data["last"])

    def what(self) -> str:
        words = {"table": self.cleaned_data["table"], "rounds": self.rounds_told()}
        return _("Table %(table)s sat the wrong way round %(rounds)s.") % words


class BoardsForm(ChangeForm):
    title = gettext_lazy("A table played the wrong boards")
    text = gettext_lazy("Scores that are in move to the boards that were really played.")
    round = _pick(gettext_lazy("Round"))
    table = _pick(gettext_lazy("Table"))
    board_group = _pick(gettext_lazy("The boards it really played"))

    def change(self) -> Change:
        data = self.cleaned_data
        return WrongBoards(data["round"], data["table"], data["board_group"])

    def what(self) -> str:
        return _("Table %(table)s played boards %(boards)s in round %(round)s.") % {
            "table": self.cleaned_data["table"],
            "round": self.cleaned_data["round"],
            "boards": self.floor.boards[self.cleaned_data["board_group"]],
        }

    def told_rounds(self) -> int:
        return int(self.cleaned_data["round"])


class ExchangedForm(ChangeForm):
    title = gettext_lazy("Two sat at each other's places")
    text = gettext_lazy("Both met the wrong opponents. Scores stay with who really sat there.")
    one = _pick(gettext_lazy("One"))
    other = _pick(gettext_lazy("The other"))
    first = _pick(gettext_lazy("From round"))
    last = _pick(gettext_lazy("To round"))

    def change(self) -> Change:
        data = self.cleaned_data
        return Exchanged(data["one"], data["other"], data["first"], data["last"])

    def what(self) -> str:
        return _("%(one)s and %(other)s sat at each other's places %(rounds)s.") % {
            "one": self.called(self.cleaned_data["one"]),
            "other": self.called(self.cleaned_data["other"]),
            "rounds": self.rounds_told(),
        }


FORMS: dict[str, type[ChangeForm]] = {
    "boards": BoardsForm,
    "turned": TurnedForm,
    "exchanged": ExchangedForm,
    "late": LateForm,
    "left": LeftForm,
}
