"""The ruling assistant: from a situation and a few answers to what the laws say.

Sources: the Laws of Duplicate Whist; rules E1-E6, F1-F6, G1-G3, H1-H12, I1-I31.
"""

from dataclasses import replace

from boards.whist.words import gettext as _
from laws.book.questions import QUESTIONS, Ask, Question
from laws.book.situation import NO_EFFECT, Advice, Answers, Case, Facts, Situation
from laws.book.situations import SITUATIONS


def advise(code: str, answers: Answers, facts: Facts) -> Advice:
    """Say what the laws say; where answers are missing, ask for them first.

    Raises KeyError for a situation that there is not.
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
    missing = next(
        (ask for ask in _asked(situation, answers) if not _is_answered(ask, answers)), None
    )
    if missing is not None:
        return replace(plain, missing=(QUESTIONS[missing],))
    if answers.get(Ask.DEMAND) == "yes":
        return _forfeited(plain)
    if situation.decide is None:
        return plain
    return situation.decide(Case(plain, answers, facts, SITUATIONS))


def asked(code: str, answers: Answers) -> list[Question]:
    """Return the questions that the answers so far lead to, in the order of asking."""
    return [QUESTIONS[ask] for ask in _asked(SITUATIONS[code], answers)]


# The answers after which the rest of a situation's questions no longer matters.
_STOPS: dict[Ask, str] = {
    Ask.ALL_PLAYED: "yes",
    Ask.THIRD_PLAYED: "yes",
    Ask.NAMED_IN_TIME: "no",
    Ask.IN_TIME: "no",
    Ask.OTHERS_RIGHT: "no",
    Ask.CAUSED: "no",
    Ask.ESTABLISHED: "yes",  # a correction is too late
}


def _asked(situation: Situation, answers: Answers) -> list[Ask]:
    """Leave out what an earlier answer has settled."""
    stops = {**_STOPS, **situation.stops}
    asks: list[Ask] = []
    for ask in situation.asks:
        asks.append(ask)
        answer = answers.get(ask)
        if answer is not None and answer == stops.get(ask):
            break
    return asks


def _is_answered(ask: Ask, answers: Answers) -> bool:
    return answers.get(ask) in {value for value, _words in QUESTIONS[ask].answers}


def _forfeited(plain: Advice) -> Advice:
    """Nothing is left when the demand was wrong (Law XI §4)."""
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
