"""An incident at a table, with its questions and the ruling of the laws."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from laws.book.questions import Question, QuestionName
from server.translation import TranslatedField, gettext_noop

Answers = Mapping[str, str]
"""The director's answers by the names of the questions."""

MAX_TABLES_FOR_NEW_DEAL = 2
"""The maximum number of tables at which a spoiled deal is dealt again.

With more tables in play, the result is the average (rules F1).
"""
NO_EFFECT = gettext_noop("None: the tricks count as made.")


class IncidentMoment(StrEnum):
    """The moment in the play of a deal; the value is a heading, marked for translation."""

    DEALING = gettext_noop("Shuffling, cutting, dealing")
    TRUMP = gettext_noop("Trump card and trump slip")
    HANDS = gettext_noop("Wrong hands")
    SEEN_CARDS = gettext_noop("Cards seen, named or touched")
    LEADS = gettext_noop("Leads and plays out of turn")
    REVOKES = gettext_noop("Renounces and revokes")
    DEMANDS = gettext_noop("Calls and demands")
    HANDLING_CARDS = gettext_noop("Turning, counting, returning cards")
    PERMITTED_ACTIONS = gettext_noop("What is allowed")


class PlayKind(StrEnum):
    """The play of a deal to which a law applies: original play, overplay or any."""

    ANY_PLAY = "any"
    """The law is the same for the original play and for overplays."""
    ORIGINAL = "original"
    """The law is for the original play; for an overplay another situation applies."""
    OVERPLAY = "overplay"
    """The law is for an overplay; for the original play another situation applies."""
    ORIGINAL_TABLE = "whose"
    """The ruling is for the table that played the deal first, whichever found the error.

    Source: Law IV §10.
    """


@dataclass(frozen=True, kw_only=True)
class Situation:
    """An incident at a table, with its questions and the ruling of the laws."""

    code: str
    laws: tuple[str, ...]
    """The keys of the sections on which the ruling is based, such as "X.4".

    The advice cites the first one.
    """
    offence: TranslatedField = TranslatedField()
    remedy: TranslatedField = TranslatedField()
    enforcer: TranslatedField = TranslatedField()
    time_limit: TranslatedField = TranslatedField()
    score: TranslatedField = TranslatedField(NO_EFFECT)
    questions: tuple[QuestionName, ...] = ()
    search_words: TranslatedField = TranslatedField("")
    """Further words by which a search finds the situation."""
    final_answers_by_question: Mapping[QuestionName, str] = field(default_factory=dict)
    """Answers after which this situation's remaining questions are skipped.

    `laws.book.assistant` has the answers that end the questions of any situation.
    """
    play_kind: PlayKind = PlayKind.ANY_PLAY
    other_play_situation_code: str = ""
    """The code of the situation that applies instead if the play is not of `play_kind`."""
    adapt_advice: "Callable[[SituationCase], Advice] | None" = None
    """The function that adapts the advice to the answers; None if the advice is always the
    same.
    """
    frequency_rank: int = 0
    """The position in the list of the most frequent situations, or 0."""

    @property
    def number(self) -> int:
        """The number of the situation, 1 to 52."""
        return int(self.code.removeprefix("I"))

    @property
    def offence_text(self) -> str:
        """The offence and the further search words as one text."""
        return f"{self.offence} {self.search_words}"

    @property
    def search_text(self) -> str:
        """The text in which a search looks for the words of a query."""
        return f"{self.offence_text} {self.remedy}"


class RulingEffect(StrEnum):
    """The effect of a ruling on the score; the values are the kinds of rulings."""

    NOTED = "noted"
    AVERAGE = "average"
    NEW_DEAL = "new_deal"
    REVOKE = "revoke"


@dataclass(frozen=True, slots=True)
class PlayFacts:
    """The facts about the play of a deal that the program knows."""

    table_count: int
    """The number of tables that have played or will play the deal (Laws IV §9, V §1)."""
    is_original_play: bool | None
    """Whether the table played the deal first.

    None if tables share the boards of a round and the program does not know which one began.
    """
    table_name: str = ""
    """The table of the ruling, as players know it: "13", "A13"."""
    first_tables: tuple[str, ...] = ()
    """The names of the tables that may have played the deal first; one name if it is known."""
    is_overplayed: bool = False
    """Whether a table other than the original one has a result for the deal."""

    def apply_answers(self, answers: Answers) -> "PlayFacts":
        """Return the facts, updated if an answer names the table that played first."""
        first_table_answer = answers.get(QuestionName.FIRST_TABLE, "")
        if len(self.first_tables) < 2 or first_table_answer not in self.first_tables:
            return self
        is_original_play = (
            first_table_answer == self.table_name
            if self.is_original_play is None
            else self.is_original_play
        )
        return replace(
            self, is_original_play=is_original_play, first_tables=(first_table_answer,)
        )


@dataclass(frozen=True, slots=True)
class Advice:
    """The laws' advice on a situation."""

    situation: Situation
    law: str
    """The key of the section that is cited, such as "X.4"."""
    remedy: str
    enforcer: str
    """The person who may enforce the remedy, as a text."""
    time_limit: str
    score: str
    """The effect on the score, as a text."""
    effect: RulingEffect = RulingEffect.NOTED
    is_for_original_table: bool = False
    """Whether the ruling changes the original table's score instead of the current table's."""
    open_questions: tuple[Question, ...] = ()
    """The questions that still need an answer."""
    other_situation_code: str = ""
    """The code of another situation that fits the answers better; "" if there is none."""


@dataclass(frozen=True, slots=True)
class SituationCase:
    """A situation as it occurred: the general advice, the answers and the facts."""

    general_advice: Advice
    answers: Answers
    facts: PlayFacts
    situations_by_code: Mapping[str, Situation]
    """All situations by code, because the advice may refer to another situation."""
