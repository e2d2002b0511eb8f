"""The few short questions of the ruling assistant."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from server.translation import TranslatedField, gettext_noop

Choices = tuple[tuple[str, str], ...]
YES_NO: Choices = (("yes", gettext_noop("Yes")), ("no", gettext_noop("No")))


class Ask(StrEnum):
    """The questions of the assistant; the value is the key of the question's answer."""

    ROUND = "round"
    FIRST = "first"
    QUITTED = "quitted"
    SECOND = "second"
    OVERPLAYED = "overplayed"
    WHEN_DEALT = "when_dealt"
    OTHERS_RIGHT = "others_right"
    CAUSED = "caused"
    ALL_PLAYED = "all_played"
    NAMED_IN_TIME = "named_in_time"
    THIRD_PLAYED = "third_played"
    ESTABLISHED = "established"
    HAND = "hand"
    IN_TIME = "in_time"
    SIDE = "side"
    REVOKES = "revokes"
    WON_BEFORE = "won_before"
    DEMAND = "demand"
    WAS_REVOKE = "was_revoke"


@dataclass(frozen=True)
class Question:
    """One question with its possible answers; `answers` are marked for translation only."""

    name: Ask
    text: TranslatedField = TranslatedField()
    answers: Choices = YES_NO

    @property
    def choices(self) -> Choices:
        """The values of the answers with their labels, in the reader's language."""
        return tuple((value, _(words)) for value, words in self.answers)

    def takes(self, answer: str | None) -> bool:
        """Return whether this value is a possible answer."""
        return answer in {value for value, _words in self.answers}


def _numbers(numbers: Iterable[int]) -> Choices:
    return tuple((str(number), str(number)) for number in numbers)


def which_round(rounds: Iterable[int]) -> Question:
    """Return the question "which play is meant?", if a table has a board in several rounds."""
    text = gettext_noop("This table has the board more than once. In which round was it?")
    return Question(Ask.ROUND, text, _numbers(rounds))


def which_first(tables: Iterable[str]) -> Question:
    """Return the question "who began?", if tables share a round's boards (definition e)."""
    text = gettext_noop("These tables share the board. Which of them played it first?")
    return Question(Ask.FIRST, text, tuple((table, table) for table in tables))


QUESTIONS: dict[Ask, Question] = {
    question.name: question
    for question in (
        Question(
            Ask.QUITTED,
            gettext_noop("Had the first trick been turned and quitted when it was found?"),
        ),
        Question(Ask.SECOND, gettext_noop("Has the second trick been turned and quitted?")),
        Question(
            Ask.OVERPLAYED,
            gettext_noop(
                "Has a later table already played the deal with the trump on the slip?"
            ),
        ),
        Question(
            Ask.WHEN_DEALT,
            gettext_noop("Was it so when the board was dealt?"),
            (
                ("yes", gettext_noop("Yes")),
                ("lost", gettext_noop("No, a card was lost later")),
                ("added", gettext_noop("No, a card was added later")),
            ),
        ),
        Question(
            Ask.OTHERS_RIGHT,
            gettext_noop("Did the other three players have their right number?"),
        ),
        Question(
            Ask.CAUSED, gettext_noop("Did the player revoke because of the card he lacked?")
        ),
        Question(
            Ask.ALL_PLAYED, gettext_noop("Had all four players played to the wrong lead?")
        ),
        Question(
            Ask.NAMED_IN_TIME,
            gettext_noop(
                "Was the suit named before the first trick that the offending side then won "
                "was turned and quitted?"
            ),
        ),
        Question(Ask.THIRD_PLAYED, gettext_noop("Has the third hand played to the trick?")),
        Question(
            Ask.ESTABLISHED,
            gettext_noop(
                "Had the trick been turned and quitted, or had the player or his partner led "
                "or played to the next trick?"
            ),
        ),
        Question(
            Ask.HAND,
            gettext_noop(
                "Was the offender second or third hand, and had the opponent on his left "
                "played before it was noticed?"
            ),
        ),
        Question(
            Ask.IN_TIME,
            gettext_noop(
                "Was it claimed before the claimant or his partner played to the next deal, "
                "and before both had left the table?"
            ),
        ),
        Question(
            Ask.SIDE,
            gettext_noop("Which side is charged?"),
            (("NS", gettext_noop("N-S")), ("EW", gettext_noop("E-W"))),
        ),
        Question(
            Ask.REVOKES,
            gettext_noop("How often did the side revoke in this deal?"),
            _numbers(range(1, 7)),
        ),
        Question(
            Ask.WON_BEFORE,
            gettext_noop("How many tricks had the side won before its first revoke?"),
            _numbers(range(13)),
        ),
        Question(
            Ask.DEMAND,
            gettext_noop(
                "Was a wrong penalty demanded, did the wrong opponent demand it, or did an "
                "opponent waive it?"
            ),
        ),
        Question(Ask.WAS_REVOKE, gettext_noop("Was the penalty that of a revoke?")),
    )
}
REVOKE_ASKS = (Ask.IN_TIME, Ask.SIDE, Ask.REVOKES, Ask.WON_BEFORE)
