"""The questions of the ruling assistant."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from server.translation import TranslatedField, gettext_noop

Choices = tuple[tuple[str, str], ...]
YES_NO_CHOICES: Choices = (("yes", gettext_noop("Yes")), ("no", gettext_noop("No")))


class QuestionName(StrEnum):
    """The names of the assistant's questions; a value is the key of the answer in a request."""

    ROUND_OF_BOARD = "round"
    FIRST_TABLE = "first"
    FIRST_TRICK_QUITTED = "quitted"
    SECOND_TRICK_QUITTED = "second"
    OVERPLAYED = "overplayed"
    WHEN_DEALT = "when_dealt"
    OTHER_HANDS_CORRECT = "others_right"
    CARD_CAUSED_REVOKE = "caused"
    ALL_FOUR_PLAYED = "all_played"
    SUIT_NAMED_IN_TIME = "named_in_time"
    THIRD_HAND_PLAYED = "third_played"
    REVOKE_ESTABLISHED = "established"
    NEXT_OPPONENT_PLAYED = "hand"
    CLAIMED_IN_TIME = "in_time"
    CHARGED_SIDE = "side"
    REVOKE_COUNT = "revokes"
    TRICKS_WON_BEFORE = "won_before"
    WRONG_DEMAND = "demand"
    WAS_REVOKE_PENALIZED = "was_revoke"


@dataclass(frozen=True)
class Question:
    """One question, with (stored value, untranslated label) of each possible answer."""

    name: QuestionName
    text: TranslatedField = TranslatedField()
    answers: Choices = YES_NO_CHOICES

    @property
    def choices(self) -> Choices:
        """The stored values of the answers with their labels, in the reader's language."""
        return tuple((stored_value, _(label)) for stored_value, label in self.answers)

    def is_possible_answer(self, answer: str | None) -> bool:
        """Return whether the answer is the stored value of one of the possible answers."""
        return answer in {stored_value for stored_value, _label in self.answers}


def _build_number_choices(numbers: Iterable[int]) -> Choices:
    return tuple((str(number), str(number)) for number in numbers)


def build_round_question(round_numbers: Iterable[int]) -> Question:
    """Return the question "In which round?", for a board that a table plays more than once."""
    question_text = gettext_noop(
        "This table plays the board more than once. In which round was it?"
    )
    return Question(
        QuestionName.ROUND_OF_BOARD, question_text, _build_number_choices(round_numbers)
    )


def build_first_table_question(table_labels: Iterable[str]) -> Question:
    """Return the question "Which table played first?", for tables that share a board.

    The first play is the original play (definition e).
    """
    question_text = gettext_noop("These tables share the board. Which played it first?")
    return Question(
        QuestionName.FIRST_TABLE,
        question_text,
        tuple((table_label, table_label) for table_label in table_labels),
    )


QUESTIONS_BY_NAME: dict[QuestionName, Question] = {
    question.name: question
    for question in (
        Question(
            QuestionName.FIRST_TRICK_QUITTED,
            gettext_noop("Was the first trick already turned and quitted when it was found?"),
        ),
        Question(
            QuestionName.SECOND_TRICK_QUITTED,
            gettext_noop("Is the second trick turned and quitted?"),
        ),
        Question(
            QuestionName.OVERPLAYED,
            gettext_noop("Has a later table played the deal with the trump on the slip?"),
        ),
        Question(
            QuestionName.WHEN_DEALT,
            gettext_noop("Was it like this when the board was dealt?"),
            (
                ("yes", gettext_noop("Yes")),
                ("lost", gettext_noop("No, a card was lost later")),
                ("added", gettext_noop("No, a card was added later")),
            ),
        ),
        Question(
            QuestionName.OTHER_HANDS_CORRECT,
            gettext_noop("Did the other three players have the right number of cards?"),
        ),
        Question(
            QuestionName.CARD_CAUSED_REVOKE,
            gettext_noop("Did the player revoke because of the missing card?"),
        ),
        Question(
            QuestionName.ALL_FOUR_PLAYED,
            gettext_noop("Had all four players played to the wrong lead?"),
        ),
        Question(
            QuestionName.SUIT_NAMED_IN_TIME,
            gettext_noop(
                "Was the suit named before the next trick won by the "
                "offending side was turned and quitted?"
            ),
        ),
        Question(
            QuestionName.THIRD_HAND_PLAYED,
            gettext_noop("Has the third hand played to the trick?"),
        ),
        Question(
            QuestionName.REVOKE_ESTABLISHED,
            gettext_noop(
                "Was the trick turned and quitted, or had the player or "
                "partner led or played to the next trick?"
            ),
        ),
        Question(
            QuestionName.NEXT_OPPONENT_PLAYED,
            gettext_noop(
                "Was the offender second or third hand, and had the opponent "
                "on the left played before it was noticed?"
            ),
        ),
        Question(
            QuestionName.CLAIMED_IN_TIME,
            gettext_noop(
                "Was it claimed before the claimant or partner played to the "
                "next deal, and before both left the table?"
            ),
        ),
        Question(
            QuestionName.CHARGED_SIDE,
            gettext_noop("Which side is charged?"),
            (("NS", gettext_noop("N-S")), ("EW", gettext_noop("E-W"))),
        ),
        Question(
            QuestionName.REVOKE_COUNT,
            gettext_noop("How many times did that side revoke in this deal?"),
            _build_number_choices(range(1, 7)),
        ),
        Question(
            QuestionName.TRICKS_WON_BEFORE,
            gettext_noop("How many tricks had that side won before its first revoke?"),
            _build_number_choices(range(13)),
        ),
        Question(
            QuestionName.WRONG_DEMAND,
            gettext_noop(
                "Was a wrong penalty demanded, or by the wrong opponent, or "
                "did an opponent waive it?"
            ),
        ),
        Question(
            QuestionName.WAS_REVOKE_PENALIZED, gettext_noop("Was it the penalty for a revoke?")
        ),
    )
}
REVOKE_QUESTIONS = (
    QuestionName.CLAIMED_IN_TIME,
    QuestionName.CHARGED_SIDE,
    QuestionName.REVOKE_COUNT,
    QuestionName.TRICKS_WON_BEFORE,
)
