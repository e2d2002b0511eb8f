"""One situation in which a director is called, as a value."""

from dataclasses import dataclass
from enum import StrEnum

from scoring.laws.questions import Ask

NO_EFFECT = "None: the tricks count as they are made."


class Moment(StrEnum):
    """When in the play of a deal something happens, in words for a heading."""

    DEALING = "Shuffling, cutting, dealing"
    TRUMP = "Trump card and trump slip"
    HANDS = "Hands that are not right"
    SEEN = "Cards seen, named or touched"
    LEADS = "Leads and plays out of turn"
    REVOKES = "Renounces and revokes"
    DEMANDS = "Calls and demands"


@dataclass(frozen=True, slots=True)
class Situation:
    """What may happen at a table, and what the laws say to it."""

    code: str
    offence: str
    laws: tuple[str, ...]
    """The sections it stands on, the first one being cited: "X.4"."""
    remedy: str
    enforcer: str
    lost: str
    score: str = NO_EFFECT
    asks: tuple[Ask, ...] = ()
    also: str = ""
    """Other words by which somebody may look for it."""

    @property
    def number(self) -> int:
        """The situation's place in the list, 1 to 31."""
        return int(self.code.removeprefix("I"))

    @property
    def words(self) -> str:
        """Everything that a search looks through."""
        return " ".join([self.offence, self.remedy, self.also])
