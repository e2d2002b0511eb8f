"""One situation in which a director is called, as a value."""

from dataclasses import dataclass
from enum import StrEnum

from boards.whist.words import Told, gettext_noop
from laws.book.questions import Ask

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


@dataclass(frozen=True)
class Situation:
    """What may happen at a table, and what the laws say to it."""

    code: str
    laws: tuple[str, ...]
    """The sections it stands on, the first one being cited: "X.4"."""
    offence: Told = Told()
    remedy: Told = Told()
    enforcer: Told = Told()
    lost: Told = Told()
    score: Told = Told(NO_EFFECT)
    asks: tuple[Ask, ...] = ()
    also: Told = Told("")
    """Other words by which somebody may look for it."""

    @property
    def number(self) -> int:
        """The situation's place in the list, 1 to 31."""
        return int(self.code.removeprefix("I"))

    @property
    def words(self) -> str:
        """Everything that a search looks through."""
        return " ".join([self.offence, self.remedy, self.also])
