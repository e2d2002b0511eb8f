"""Situations with revokes, demands, and what is permitted: Laws X and XI."""

from laws.book import deciding
from laws.book.questions import REVOKE_ASKS, Ask
from laws.book.situation import Situation
from laws.book.situations.wording import (
    ALLOWED,
    ANYBODY,
    AS_REVOKE,
    CALL_LOST,
    OPPONENTS,
    REVOKE_LOST,
)
from server.translation import gettext_noop as _

REVOKES: tuple[Situation, ...] = (
    Situation(
        code="I25",
        laws=("X.3",),
        offence=_("A renounce in error is put right in time"),
        remedy=_("The card wrongly played is liable to be called."),
        enforcer=_(
            "The opponent on the offender's right calls the card; the one on his left may "
            "demand highest or lowest to that trick"
        ),
        lost=CALL_LOST,
        asks=(Ask.ESTABLISHED, Ask.HAND, Ask.DEMAND),
        also=_("failed to follow suit corrected"),
        decide=deciding.corrected,
    ),
    Situation(
        code="I26",
        laws=("X.4", "X.5"),
        offence=_("A revoke"),
        remedy=_(
            "Two tricks for the first revoke and one for each more, within the limits of Law X "
            "§4."
        ),
        enforcer=_("The opponents claim; the director enforces"),
        lost=REVOKE_LOST,
        score=AS_REVOKE,
        asks=(Ask.ESTABLISHED, *REVOKE_ASKS),
        also=_("failed to follow suit claimed claim too late twice"),
        stops={Ask.ESTABLISHED: "no"},
        decide=deciding.perhaps_revoke,
        often=1,
    ),
    Situation(
        code="I27",
        laws=("X.6", "X.4"),
        offence=_("After a claim of a revoke the accused side disturbs the order of its cards"),
        remedy=_("The revoke is established without proof."),
        enforcer=OPPONENTS,
        lost=REVOKE_LOST,
        score=AS_REVOKE,
        asks=REVOKE_ASKS,
        also=_("mixes mixed shuffles cards"),
        decide=deciding.revoke,
    ),
    Situation(
        code="I47",
        laws=("X.4",),
        offence=_("Both sides revoke in one deal"),
        remedy=_(
            "What the revokes of each side cost is set off; no average limits it, and the "
            "director confirms the outcome."
        ),
        enforcer=OPPONENTS,
        lost=REVOKE_LOST,
        score=AS_REVOKE,
        also=_("each all two sides failed to follow suit"),
        decide=deciding.both_revoked,
    ),
)

DEMANDS: tuple[Situation, ...] = (
    Situation(
        code="I17",
        laws=("XI.5", "X.4"),
        offence=_("A player plays another card than the one rightly called"),
        remedy=_("He is liable as for a revoke."),
        enforcer=OPPONENTS,
        lost=REVOKE_LOST,
        score=AS_REVOKE,
        asks=REVOKE_ASKS,
        also=_("refuses call"),
        decide=deciding.revoke,
    ),
    Situation(
        code="I30",
        laws=("XI.5", "X.4"),
        offence=_("A player needlessly does not do what he was rightly told"),
        remedy=_("He is liable as for a revoke."),
        enforcer=OPPONENTS,
        lost=REVOKE_LOST,
        score=AS_REVOKE,
        asks=REVOKE_ASKS,
        also=_("disobeys highest lowest trump lead suit win"),
        decide=deciding.revoke,
    ),
    Situation(
        code="I31",
        laws=("XI.4",),
        offence=_("A wrong penalty is demanded, by the wrong opponent, or it is waived"),
        remedy=_("Nothing can be enforced any more, except for a revoke."),
        enforcer=_("Nobody"),
        lost=_("A rightful demand by either opponent is final."),
        asks=(Ask.WAS_REVOKE,),
        also=_("renounces right consults partner"),
        decide=deciding.wrong_demand,
    ),
)

PERMITTED: tuple[Situation, ...] = (
    Situation(
        code="I48",
        laws=("IV.4",),
        offence=_("A player asks what trumps are"),
        remedy=_(
            "It is permitted at any time: he is told the suit. The trump card may not be "
            "named, nor the slip looked at."
        ),
        enforcer=ANYBODY,
        lost=ALLOWED,
        also=_("which suit is trump asked turn-up forgot may I"),
    ),
    Situation(
        code="I49",
        laws=("VI.4",),
        offence=_("A player asks to see a card of the trick in progress"),
        remedy=_(
            "It is permitted until the trick is turned and quitted: whoever played the card "
            "shows it."
        ),
        enforcer=ANYBODY,
        lost=_("When the trick is turned and quitted."),
        also=_("show draw cards asked which card did you play may I"),
    ),
    Situation(
        code="I50",
        laws=("X.2", "XI.3"),
        offence=_("A player asks his partner or an opponent whether he has none of the suit"),
        remedy=_(
            "It is permitted until the trick is turned and quitted. If he has some, the error "
            "is put right: take I25."
        ),
        enforcer=ANYBODY,
        lost=_("When the trick is turned and quitted."),
        also=_("asked no spades hearts diamonds clubs having void renounce may I"),
    ),
    Situation(
        code="I51",
        laws=("XI.2", "XI.3"),
        offence=_("A player reminds his partner of a penalty, or stops him from a mistake"),
        remedy=_(
            "It is permitted: he may say that a penalty can be enforced and which, and may "
            "keep his partner from an irregularity."
        ),
        enforcer=ANYBODY,
        lost=ALLOWED,
        also=_("tells told consults warned prevents irregularity may I"),
    ),
    Situation(
        code="I52",
        laws=("X.6",),
        offence=_("Who claims a revoke looks at all the cards after the deal"),
        remedy=_(
            "It is permitted; the accused side leaves its cards in their order until then."
        ),
        enforcer=OPPONENTS,
        lost=_("As with a revoke (Law X §5)."),
        also=_("examine inspect proof tricks see may I"),
    ),
)
