"""The ruling assistant: advice from the laws, for a situation and the director's answers.

Sources: the Laws of Duplicate Whist; rules E1-E6, F1-F6, G1-G3, H1-H12, I1-I52.
"""

from dataclasses import replace

from django.utils.translation import gettext as _

from laws.book import decisions
from laws.book.questions import (
    QUESTIONS_BY_NAME,
    Question,
    QuestionName,
    build_first_table_question,
)
from laws.book.situation import (
    MAX_TABLES_FOR_NEW_DEAL,
    NO_EFFECT,
    Advice,
    Answers,
    PlayFacts,
    PlayKind,
    Situation,
    SituationCase,
)
from laws.book.situations import SITUATIONS_BY_CODE


def get_advice(situation_code: str, answers: Answers, play_facts: PlayFacts) -> Advice:
    """Return the laws' advice on a situation, with the next open question.

    Raises KeyError for an unknown situation.
    """
    situation = SITUATIONS_BY_CODE[situation_code]
    general_advice = Advice(
        situation,
        law=situation.laws[0],
        remedy=situation.remedy,
        enforcer=situation.enforcer,
        time_limit=situation.time_limit,
        score=situation.score,
    )
    questions = list_questions(situation_code, answers, play_facts)
    open_question = next(
        (
            question
            for question in questions
            if not question.is_possible_answer(answers.get(question.name))
        ),
        None,
    )
    if open_question is not None:
        return replace(general_advice, open_questions=(open_question,))
    case = SituationCase(
        general_advice, answers, play_facts.apply_answers(answers), SITUATIONS_BY_CODE
    )
    if _is_for_other_play_kind(situation, case.facts):
        return decisions.refer_to_other_situation(case)
    if answers.get(QuestionName.WRONG_DEMAND) == "yes":
        return _build_unenforceable_advice(general_advice)
    return situation.adapt_advice(case) if situation.adapt_advice else general_advice


def list_questions(code: str, answers: Answers, play_facts: PlayFacts) -> list[Question]:
    """Return the questions to show for the answers so far, in order.

    The question "Which table played the deal first?" comes first. It is included only if the
    law depends on its answer and the program does not know the answer. If another situation
    applies, no further question follows.
    """
    situation = SITUATIONS_BY_CODE[code]
    first_table_questions = (
        [build_first_table_question(play_facts.first_tables)]
        if _is_play_order_relevant(situation, play_facts)
        else []
    )
    if situation.play_kind is PlayKind.ORIGINAL_TABLE:
        question_names = _list_question_names(situation, answers, play_facts)
        is_first_table_needed = (
            question_names[-1] is QuestionName.OVERPLAYED
            and answers.get(QuestionName.OVERPLAYED) == "yes"
        )
        return [
            *(QUESTIONS_BY_NAME[question_name] for question_name in question_names),
            *(first_table_questions if is_first_table_needed else []),
        ]
    updated_facts = play_facts.apply_answers(answers)
    if (
        first_table_questions and updated_facts.is_original_play is None
    ) or _is_for_other_play_kind(situation, updated_facts):
        return first_table_questions
    return [
        *first_table_questions,
        *(
            QUESTIONS_BY_NAME[question_name]
            for question_name in _list_question_names(situation, answers, updated_facts)
        ),
    ]


def _is_play_order_relevant(situation: Situation, play_facts: PlayFacts) -> bool:
    """Return whether the law depends on which table played first, and this is unknown.

    Sources: Laws III §2 d, IV and V.
    """
    if situation.play_kind is PlayKind.ORIGINAL_TABLE:
        return (
            len(play_facts.first_tables) > 1
            and play_facts.table_count > MAX_TABLES_FOR_NEW_DEAL
        )
    return situation.play_kind is not PlayKind.ANY_PLAY and play_facts.is_original_play is None


def _is_for_other_play_kind(situation: Situation, play_facts: PlayFacts) -> bool:
    """Return whether the law is for original plays and this is an overplay, or vice versa."""
    if situation.play_kind is PlayKind.ORIGINAL:
        return play_facts.is_original_play is False
    return situation.play_kind is PlayKind.OVERPLAY and play_facts.is_original_play is True


# Answers after which the remaining questions of a situation are skipped.
_FINAL_ANSWERS_BY_QUESTION: dict[QuestionName, str] = {
    QuestionName.ALL_FOUR_PLAYED: "yes",
    QuestionName.THIRD_HAND_PLAYED: "yes",
    QuestionName.SUIT_NAMED_IN_TIME: "no",
    QuestionName.CLAIMED_IN_TIME: "no",
    QuestionName.OTHER_HANDS_CORRECT: "no",
    QuestionName.CARD_CAUSED_REVOKE: "no",
    QuestionName.REVOKE_ESTABLISHED: "yes",  # it is too late for a correction
}


def _list_question_names(
    situation: Situation, answers: Answers, play_facts: PlayFacts
) -> list[QuestionName]:
    """Return the names of the situation's questions, up to an answer that ends the list."""
    final_answers = {**_FINAL_ANSWERS_BY_QUESTION, **situation.final_answers_by_question}
    question_names: list[QuestionName] = []
    for question_name in situation.questions:
        if question_name is QuestionName.WHEN_DEALT and play_facts.is_original_play:
            continue
        question_names.append(question_name)
        answer = answers.get(question_name)
        if answer is not None and answer == final_answers.get(question_name):
            break
    return question_names


def _build_unenforceable_advice(general_advice: Advice) -> Advice:
    """Return the advice after a wrong demand: nothing can be enforced (Law XI §4)."""
    return replace(
        general_advice,
        law="XI.4",
        remedy=_(
            "Nothing can be enforced. A wrong demand, or a waiver by "
            "either opponent, ends the right."
        ),
        enforcer=_("No one"),
        time_limit=_("Too late. The right has lapsed."),
        score=_(NO_EFFECT),
    )
