"""The ruling assistant: advice from the laws for a situation and a few answers.

Sources: the Laws of Duplicate Whist; rules E1-E6, F1-F6, G1-G3, H1-H12, I1-I52.
"""

from dataclasses import replace

from django.utils.translation import gettext as _

from laws.book import deciding
from laws.book.questions import QUESTIONS, Ask, Question, which_first
from laws.book.situation import (
    FEW_TABLES,
    NO_EFFECT,
    Advice,
    Answers,
    Case,
    Facts,
    Situation,
    Turn,
)
from laws.book.situations import SITUATIONS


def advise(code: str, answers: Answers, facts: Facts) -> Advice:
    """Return the laws' advice on a situation; its `missing` has the next open question.

    Raises KeyError for an unknown situation.
    """
    situation = SITUATIONS[code]
    plain = Advice(
        situation,
        law=situation.laws[0],
        remedy=situation.remedy,
        enforcer=situation.enforcer,
        lost=situation.lost,
        score=situation.score,
    )
    questions = asked(code, answers, facts)
    missing = next((it for it in questions if not it.takes(answers.get(it.name))), None)
    if missing is not None:
        return replace(plain, missing=(missing,))
    case = Case(plain, answers, facts.after(answers), SITUATIONS)
    if _is_elsewhere(situation, case.facts):
        return deciding.taken_instead(case)
    if answers.get(Ask.DEMAND) == "yes":
        return _forfeited(plain)
    return situation.decide(case) if situation.decide else plain


def asked(code: str, answers: Answers, facts: Facts) -> list[Question]:
    """Return the questions to show for the answers so far, in order.

    The first may be which table played the deal first. It is included only if the law depends
    on it and the program does not know it. If another situation applies, no further question
    follows.
    """
    situation = SITUATIONS[code]
    order = [which_first(facts.first)] if _turns_on_order(situation, facts) else []
    if situation.turn is Turn.WHOSE:
        asks = _open_questions(situation, answers, facts)
        is_kept = asks[-1] is Ask.OVERPLAYED and answers.get(Ask.OVERPLAYED) == "yes"
        return [*(QUESTIONS[ask] for ask in asks), *(order if is_kept else [])]
    now = facts.after(answers)
    if (order and now.is_original is None) or _is_elsewhere(situation, now):
        return order
    return [*order, *(QUESTIONS[ask] for ask in _open_questions(situation, answers, now))]


def _turns_on_order(situation: Situation, facts: Facts) -> bool:
    """Return whether the law depends on an unknown order of play (Laws III §2 d, IV, V)."""
    if situation.turn is Turn.WHOSE:
        return len(facts.first) > 1 and facts.tables > FEW_TABLES
    return situation.turn is not Turn.ANY and facts.is_original is None


def _is_elsewhere(situation: Situation, facts: Facts) -> bool:
    """Return whether the situation's law is for the other play: original play or overplay."""
    if situation.turn is Turn.ORIGINAL:
        return facts.is_original is False
    return situation.turn is Turn.OVERPLAY and facts.is_original is True


# Answers after which a situation's remaining questions are skipped.
_STOPS: dict[Ask, str] = {
    Ask.ALL_PLAYED: "yes",
    Ask.THIRD_PLAYED: "yes",
    Ask.NAMED_IN_TIME: "no",
    Ask.IN_TIME: "no",
    Ask.OTHERS_RIGHT: "no",
    Ask.CAUSED: "no",
    Ask.ESTABLISHED: "yes",  # a correction is too late
}


def _open_questions(situation: Situation, answers: Answers, facts: Facts) -> list[Ask]:
    """Return the questions that neither the given answers nor the facts settle."""
    stops = {**_STOPS, **situation.stops}
    asks: list[Ask] = []
    for ask in situation.asks:
        if ask is Ask.WHEN_DEALT and facts.is_original:
            continue
        asks.append(ask)
        answer = answers.get(ask)
        if answer is not None and answer == stops.get(ask):
            break
    return asks


def _forfeited(plain: Advice) -> Advice:
    """Return the advice after a wrong demand: nothing can be enforced (Law XI §4)."""
    return replace(
        plain,
        law="XI.4",
        remedy=_(
            "Nothing can be enforced: a wrong demand, or a waiver by either opponent, ends the "
            "right."
        ),
        enforcer=_("Nobody"),
        lost=_("It is lost."),
        score=_(NO_EFFECT),
    )
