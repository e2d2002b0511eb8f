"""One situation in which a director is called, and what the assistant says to it, as values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from laws.book.questions import Ask, Question
from server.translation import TranslatedField, gettext_noop

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
    COUNTING = gettext_noop("Turning, counting, putting back")
    PERMITTED = gettext_noop("What is permitted")


class Turn(StrEnum):
    """What a situation needs to know about the order in which the tables played the deal."""

    ANY = "any"
    """Nothing: the law is the same on every play."""
    ORIGINAL = "original"
    """It is one of the original play; on an overplay another law holds."""
    OVERPLAY = "overplay"
    """It is one of an overplay; on the original play another law holds."""
    WHOSE = "whose"
    """The original table is ruled on, whichever table found it (Law IV §10)."""


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What may happen at a table, what is asked, and what the laws say to it."""

    code: str
    laws: tuple[str, ...]
    """The sections it stands on, the first one being cited: "X.4"."""
    offence: TranslatedField = TranslatedField()
    remedy: TranslatedField = TranslatedField()
    enforcer: TranslatedField = TranslatedField()
    lost: TranslatedField = TranslatedField()
    score: TranslatedField = TranslatedField(NO_EFFECT)
    asks: tuple[Ask, ...] = ()
    also: TranslatedField = TranslatedField("")
    """Other words by which somebody may look for it."""
    stops: Mapping[Ask, str] = field(default_factory=dict)
    """The answers after which, here, its other questions no longer matter."""
    turn: Turn = Turn.ANY
    instead: str = ""
    """The situation to take where `turn` does not hold."""
    decide: "Callable[[Case], Advice] | None" = None
    """What the answers and the tables make of it; None where nothing changes what is said."""
    often: int = 0
    """Its place among what a director is called for most; 0 for the others."""

    @property
    def number(self) -> int:
        """The situation's place in the list, 1 to 52."""
        return int(self.code.removeprefix("I"))

    @property
    def happening(self) -> str:
        """What happened, in all the words by which somebody may look for it."""
        return f"{self.offence} {self.also}"

    @property
    def words(self) -> str:
        """Everything that a search looks through."""
        return f"{self.happening} {self.remedy}"


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
    """Those at which the deal is to be played (Laws IV §9, V §1)."""
    is_original: bool | None
    """None where tables share the boards of a round and nobody knows yet who began."""
    here: str = ""
    """The table that the ruling is about, as players know it: "13", "A13"."""
    first: tuple[str, ...] = ()
    """The tables that may have played the deal first: one where it is known."""
    is_overplayed: bool = False
    """Whether a table other than the original one has a result for the deal."""

    def after(self, answers: Answers) -> "Facts":
        """Know which table played the deal first, once somebody has said it."""
        said = answers.get(Ask.FIRST, "")
        if len(self.first) < 2 or said not in self.first:
            return self
        mine = said == self.here if self.is_original is None else self.is_original
        return replace(self, is_original=mine, first=(said,))


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
