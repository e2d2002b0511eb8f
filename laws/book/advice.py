"""What the ruling assistant says, as a value, and what it needs to know."""

from dataclasses import dataclass
from enum import StrEnum

from laws.book.questions import Question
from laws.book.situation import Situation

FEW_TABLES = 2
"""With more tables than this in play a spoiled deal takes the average (rules F1)."""


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
