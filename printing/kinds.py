"""A kind of paper, whole: one record says everything that lists, pages and commands ask of it.

A room makes one record a paper and lists them in a tuple of its own; nothing else in it
repeats a paper's name.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Any

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = str | Promise


class Group(TextChoices):
    """What a paper is for: the headings under which it is found."""

    TABLES = "tables", _("For the tables")
    TRAYS = "trays", _("For the trays")
    RESULTS = "results", _("The results")


class Spot(TextChoices):
    """Where in the room a paper is laid out: a pack of papers goes from one to the next."""

    DOOR = "door", _("at the door")
    TABLES = "tables", _("on the tables")
    TRAYS = "trays", _("with the boards")
    WALL = "wall", _("on the wall")


class Cards(Enum):
    """Whether a paper tells cards or turn-ups; secrecy decides by it when it may be made."""

    NONE = auto()
    FOR_THE_TRAYS = auto()  # a director may order it before play
    AFTER_THE_CLOSE = auto()  # it waits until nobody can play these boards any more


class Follows(Flag):
    """What makes a printed copy untrue when it changes.

    Results are not among them: a paper with scores says itself which version it is.
    """

    NOTHING = 0
    SEATS = auto()
    NAMES = auto()
    SUITS = auto()


def always(_thing: object) -> bool:
    """Whatever is asked, the answer is yes."""
    return True


def at_once(_thing: object) -> str:
    """It waits for nothing."""
    return ""


@dataclass(frozen=True, slots=True)
class Need:
    """A paper that the tables cannot begin without: its place in the pile, and when."""

    place: int
    when: Callable[[Any], bool] = always  # of a session with its tables


@dataclass(frozen=True, slots=True)
class Choice:
    """One question asked when a paper is ordered; each answer is a kind of its own."""

    field: str
    title: Words
    answers: tuple[tuple[str, Words, str], ...]  # its value, its words, the kind's name

    def kind(self, value: str, usual: str) -> str:
        """The name of the kind that an answer stands for."""
        return {given: name for given, _words, name in self.answers}.get(value, usual)


@dataclass(frozen=True, slots=True)
class Page:
    """A page by the name of its address, and what the button says that leads there."""

    view: str
    text: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class PaperKind:
    """Everything about one kind of paper.

    `sheet` makes what is printed from the thing as it was read once; `draw` takes that, and the
    size as `size="A4"` or `size="Letter"`, and returns the bytes of a PDF.
    """

    name: str  # a code that rows and addresses keep
    title: Words
    blurb: Words | Callable[[Any], str]  # what it is for; of the event where that counts
    group: Group
    sheet: Callable[[Any], Any]
    draw: Callable[..., bytes]
    shows_cards: Cards
    follows: Follows
    need: Need | None = None
    on_request: bool = False  # the command writes it only where it is named
    fits: Callable[[Any], bool] = always  # of an event
    choice: Choice | None = None
    addresses: Page | None = None  # where the addresses are made that it prints
    waits: Callable[[Any], str] = at_once  # of a session: what must come first, in words
    spot: Spot | None = None  # where it is laid out: it goes into the pack
    lay: Callable[..., Any] | None = None  # its pages or slips before they are drawn

    def told(self, thing: object) -> str:
        """What the paper is for, in one line."""
        return str(self.blurb(thing) if callable(self.blurb) else self.blurb)


def listed(kinds: tuple[PaperKind, ...]) -> list[PaperKind]:
    """The kinds that stand in a list by themselves: not as an answer beside another."""
    answers = {
        name
        for kind in kinds
        if kind.choice
        for _value, _words, name in kind.choice.answers
        if name != kind.name
    }
    return [kind for kind in kinds if kind.name not in answers]
