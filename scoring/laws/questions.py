"""The few short questions that the ruling assistant may ask."""

from dataclasses import dataclass
from enum import StrEnum

Choices = tuple[tuple[str, str], ...]
YES_NO: Choices = (("yes", "Yes"), ("no", "No"))


class Ask(StrEnum):
    """What may be asked about a situation; the value is the name of the answer."""

    QUITTED = "quitted"
    OVERPLAYED = "overplayed"
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


@dataclass(frozen=True, slots=True)
class Question:
    """One question with the answers that can be given."""

    name: Ask
    text: str
    choices: Choices = YES_NO


def _numbers(first: int, last: int) -> Choices:
    return tuple((str(number), str(number)) for number in range(first, last + 1))


QUESTIONS: dict[Ask, Question] = {
    question.name: question
    for question in (
        Question(Ask.QUITTED, "Had the first trick been turned and quitted when it was found?"),
        Question(
            Ask.OVERPLAYED,
            "Has a later table already played the deal with the trump on the slip?",
        ),
        Question(Ask.OTHERS_RIGHT, "Did the other three players have their right number?"),
        Question(Ask.CAUSED, "Did the player revoke because of the card he lacked?"),
        Question(Ask.ALL_PLAYED, "Had all four players played to the wrong lead?"),
        Question(
            Ask.NAMED_IN_TIME,
            "Was the suit named before the first trick that the offending side then won was "
            "turned and quitted?",
        ),
        Question(Ask.THIRD_PLAYED, "Has the third hand played to the trick?"),
        Question(
            Ask.ESTABLISHED,
            "Had the trick been turned and quitted, or had the player or his partner led or "
            "played to the next trick?",
        ),
        Question(
            Ask.HAND,
            "Was the offender second or third hand, and had the opponent on his left played "
            "before it was noticed?",
        ),
        Question(
            Ask.IN_TIME,
            "Was it claimed before the claimant or his partner played to the next deal, and "
            "before both had left the table?",
        ),
        Question(Ask.SIDE, "Which side is charged?", (("NS", "N-S"), ("EW", "E-W"))),
        Question(Ask.REVOKES, "How often did the side revoke in this deal?", _numbers(1, 6)),
        Question(
            Ask.WON_BEFORE,
            "How many tricks had the side won before its first revoke?",
            _numbers(0, 12),
        ),
        Question(
            Ask.DEMAND,
            "Was a wrong penalty demanded, did the wrong opponent demand it, or did an "
            "opponent waive it?",
        ),
        Question(Ask.WAS_REVOKE, "Was the penalty that of a revoke?"),
    )
}
REVOKE_ASKS = (Ask.IN_TIME, Ask.SIDE, Ask.REVOKES, Ask.WON_BEFORE)
