"""The situations that concern revokes, demands and permitted acts (Laws X and XI)."""

from laws.book import decisions
from laws.book.questions import REVOKE_QUESTIONS, QuestionName
from laws.book.situation import Situation
from laws.book.situations.wording import (
    ANY_PLAYER,
    BOTH_OPPONENTS,
    CALL_TIME_LIMIT,
    NO_TIME_LIMIT_NEEDED,
    REVOKE_CLAIM_TIME_LIMIT,
    REVOKE_EFFECT,
)
from server.translation import gettext_noop as _

REVOKE_SITUATIONS: tuple[Situation, ...] = (
    Situation(
        code="I25",
        laws=("X.3",),
        offence=_("A renounce in error is corrected in time"),
        remedy=_("The card wrongly played may be called."),
        enforcer=_(
            "The opponent on the right calls the card. The one on the "
            "left may demand the highest or lowest card to that trick."
        ),
        time_limit=CALL_TIME_LIMIT,
        questions=(
            QuestionName.REVOKE_ESTABLISHED,
            QuestionName.NEXT_OPPONENT_PLAYED,
            QuestionName.WRONG_DEMAND,
        ),
        search_words=_("failed to follow suit corrected"),
        adapt_advice=decisions.advise_on_corrected_renounce,
    ),
    Situation(
        code="I26",
        laws=("X.4", "X.5"),
        offence=_("A revoke"),
        remedy=_(
            "Two tricks for the first revoke and one for each more, within the limits of Law X "
            "§4."
        ),
        enforcer=_("The opponents claim, the director enforces"),
        time_limit=REVOKE_CLAIM_TIME_LIMIT,
        score=REVOKE_EFFECT,
        questions=(QuestionName.REVOKE_ESTABLISHED, *REVOKE_QUESTIONS),
        search_words=_("failed to follow suit claimed claim too late twice"),
        final_answers_by_question={QuestionName.REVOKE_ESTABLISHED: "no"},
        adapt_advice=decisions.advise_on_possible_revoke,
        frequency_rank=1,
    ),
    Situation(
        code="I27",
        laws=("X.6", "X.4"),
        offence=_("After a claim of a revoke the accused side disturbs the order of its cards"),
        remedy=_("The revoke is established without proof."),
        enforcer=BOTH_OPPONENTS,
        time_limit=REVOKE_CLAIM_TIME_LIMIT,
        score=REVOKE_EFFECT,
        questions=REVOKE_QUESTIONS,
        search_words=_("mixes mixed shuffles cards"),
        adapt_advice=decisions.advise_on_revoke,
    ),
    Situation(
        code="I47",
        laws=("X.4",),
        offence=_("Both sides revoke in one deal"),
        remedy=_(
            "The penalties are offset, without the limit at the average. "
            "The director confirms the outcome."
        ),
        enforcer=BOTH_OPPONENTS,
        time_limit=REVOKE_CLAIM_TIME_LIMIT,
        score=REVOKE_EFFECT,
        search_words=_("each all two sides failed to follow suit"),
        adapt_advice=decisions.advise_on_both_revokes,
    ),
)

DEMAND_SITUATIONS: tuple[Situation, ...] = (
    Situation(
        code="I17",
        laws=("XI.5", "X.4"),
        offence=_("A player plays a different card from the one rightly called"),
        remedy=_("Liable as for a revoke."),
        enforcer=BOTH_OPPONENTS,
        time_limit=REVOKE_CLAIM_TIME_LIMIT,
        score=REVOKE_EFFECT,
        questions=REVOKE_QUESTIONS,
        search_words=_("refuses call"),
        adapt_advice=decisions.advise_on_revoke,
    ),
    Situation(
        code="I30",
        laws=("XI.5", "X.4"),
        offence=_("A player could obey a rightful demand but does not"),
        remedy=_("Liable as for a revoke."),
        enforcer=BOTH_OPPONENTS,
        time_limit=REVOKE_CLAIM_TIME_LIMIT,
        score=REVOKE_EFFECT,
        questions=REVOKE_QUESTIONS,
        search_words=_("disobeys highest lowest trump lead suit win"),
        adapt_advice=decisions.advise_on_revoke,
    ),
    Situation(
        code="I31",
        laws=("XI.4",),
        offence=_(
            "The wrong penalty is demanded, the wrong opponent demands it, or it is waived"
        ),
        remedy=_("Nothing can be enforced, except for a revoke."),
        enforcer=_("No one"),
        time_limit=_("A rightful demand by either opponent is final."),
        questions=(QuestionName.WAS_REVOKE_PENALIZED,),
        search_words=_("renounces right consults partner"),
        adapt_advice=decisions.advise_on_wrong_demand,
    ),
)

PERMITTED_SITUATIONS: tuple[Situation, ...] = (
    Situation(
        code="I48",
        laws=("IV.4",),
        offence=_("A player asks what trumps are"),
        remedy=_(
            "Allowed at any time. Name the suit, but not the trump card, and don’t look at "
            "the slip."
        ),
        enforcer=ANY_PLAYER,
        time_limit=NO_TIME_LIMIT_NEEDED,
        search_words=_("which suit is trump asked turn-up forgot may I"),
    ),
    Situation(
        code="I49",
        laws=("VI.4",),
        offence=_("A player asks to see a card of the trick in progress"),
        remedy=_(
            "Allowed until the trick is turned and quitted. The player "
            "who played the card shows it."
        ),
        enforcer=ANY_PLAYER,
        time_limit=_("When the trick is turned and quitted."),
        search_words=_("show draw cards asked which card did you play may I"),
    ),
    Situation(
        code="I50",
        laws=("X.2", "XI.3"),
        offence=_("A player asks partner or an opponent whether they have none of the suit"),
        remedy=_(
            "Allowed until the trick is turned and quitted. If they have "
            "some, the error is corrected (I25)."
        ),
        enforcer=ANY_PLAYER,
        time_limit=_("When the trick is turned and quitted."),
        search_words=_("asked no spades hearts diamonds clubs having void renounce may I"),
    ),
    Situation(
        code="I51",
        laws=("XI.2", "XI.3"),
        offence=_(
            "A player reminds partner of a penalty, or stops partner from making a mistake"
        ),
        remedy=_(
            "Allowed. A player may say that a penalty can be enforced, "
            "say which, and prevent an irregularity."
        ),
        enforcer=ANY_PLAYER,
        time_limit=NO_TIME_LIMIT_NEEDED,
        search_words=_("tells told consults warned prevents irregularity may I"),
    ),
    Situation(
        code="I52",
        laws=("X.6",),
        offence=_("The side that claims a revoke looks at all the cards after the deal"),
        remedy=_("Allowed. The accused side leaves its cards in order until then."),
        enforcer=BOTH_OPPONENTS,
        time_limit=_("As with a revoke (Law X §5)."),
        search_words=_("examine inspect proof tricks see may I"),
    ),
)
