"""One situation in which a director is called, and what the assistant says to it, as values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from boards.whist.words import Told, gettext_noop
from laws.book.questions import Ask, Question

Answers = Mapping[str, str]
"""What was answered, by the question's name."""

FEW_TABLES = 2
"""With more tables than this in play a spoiled deal takes the average (rules F1)."""
NO_EFFECT = gettext_noop("None: the tricks count as they are made.")


class Moment(StrEnum):
    """When in the play of a deal something happens; the value is marked words for a heading."""

    DEALING = gettext_noop("Shuffling, cutting, dealing")
    TRUMP = gettext_noop("Trump card and trump slip")
    HANDS = gettext_noop("Hands that are not right")
    SEEN = gettext_noop("Cards seen, named or touched")
    LEADS = gettext_noop("Leads and plays out of turn")
    REVOKES = gettext_noop("Renounces and revokes")
    DEMANDS = gettext_noop("Calls and demands")


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What may happen at a table, what is asked, and what the laws say to it."""

    code: str
    laws: tuple[str, ...]
    """The sections it stands on, the first one being cited: "X.4"."""
    offence: Told = Told()
    remedy: Told = Told()
    enforcer: Told = Told()
    lost: Told = Told()
    score: Told = Told()
    asks: tuple[Ask, ...] = ()
    also: Told = Told("")
    """Other words by which somebody may look for it."""
    stops: Mapping[Ask, str] = field(default_factory=dict)
    """The answers after which, here, its other questions no longer matter."""
    decide: "Callable[[Case], Advice] | None" = None
    """What the answers and the tables make of it; None where nothing changes what is said."""
    often: int = 0
    """Its place among what a director is called for most; 0 for the others."""

    @property
    def number(self) -> int:
        """The situation's place in the list, 1 to 31."""
        return int(self.code.removeprefix("I"))

    @property
    def words(self) -> str:
        """Everything that a search looks through."""
        return " ".join([self.offence, self.remedy, self.also])


class Effect(StrEnum):
    """What a ruling does to the score; the values are the kinds of rulings."""

    NOTED = "noted"
    AVERAGE = "average"
    NEW_DEAL = "new_deal"
    REVOKE = "revoke"


@dataclass(frozen=True, slots=True)
class Facts:
    """What the program knows itself: how many tables play the deal, and which play this is."""

    tables: int
    is_original: bool


@dataclass(frozen=True, slots=True)
class Advice:
    """What the laws say to a situation, once the answers are in."""

    situation: Situation
    law: str
    remedy: str
    enforcer: str
    lost: str
    score: str
    effect: Effect = Effect.NOTED
    at_original: bool = False
    """Whether it is the original table's score that is ruled on, not this table's."""
    missing: tuple[Question, ...] = ()
    """The questions that still need an answer."""
    see: str = ""
    """Another situation that fits what was answered better."""


@dataclass(frozen=True, slots=True)
class Case:
    """A situation as it came up: what would be said, what was answered, what is known."""

    plain: Advice
    answers: Answers
    facts: Facts
    book: Mapping[str, Situation]
    """Every situation by its code: some answers lead on to another."""
