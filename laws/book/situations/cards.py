"""Situations with the pack, the trump and the hands: Laws I to V."""

from laws.book import deciding
from laws.book.questions import REVOKE_ASKS, Ask
from laws.book.situation import Situation, Turn
from laws.book.situations.wording import (
    ANYBODY,
    AVERAGE_OR_NEW,
    BEFORE_PLAY,
    DIRECTOR,
    EITHER,
    MENDED,
    NEVER,
    WHILE_UNPLAYED,
)
from server.translation import gettext_noop as _

DEALING: tuple[Situation, ...] = (
    Situation(
        code="I1",
        laws=("I.2",),
        offence=_("A face is shown while shuffling"),
        remedy=_("Shuffle again."),
        enforcer=ANYBODY,
        lost=_("Before the deal."),
        score=BEFORE_PLAY,
        also=_("exposed shuffle"),
    ),
    Situation(
        code="I2",
        laws=("II.1",),
        offence=_("A card is exposed while cutting"),
        remedy=_("Shuffle and cut again."),
        enforcer=ANYBODY,
        lost=_("Before the deal."),
        score=BEFORE_PLAY,
        also=_("cut reuniting"),
    ),
    Situation(
        code="I3",
        laws=("II.1",),
        offence=_("The cut is mixed up or doubtful"),
        remedy=_("Cut again."),
        enforcer=ANYBODY,
        lost=_("Before the deal."),
        score=BEFORE_PLAY,
        also=_("confusion disarranged"),
    ),
    Situation(
        code="I4",
        laws=("III.2",),
        offence=_("A fault in dealing: a card exposed, a wrong number of cards, a bad pack"),
        remedy=_("A new deal."),
        enforcer=DIRECTOR,
        lost=NEVER,
        score=_("The old deal is void; the new one is scored."),
        also=_(
            "misdeal faced imperfect cards thirteen fourteen twelve 14 13 12 too many few "
            "missing spoiled spoilt"
        ),
        turn=Turn.ORIGINAL,
        instead="I11",
        decide=deciding.new_deal,
    ),
    Situation(
        code="I5",
        laws=("III.2",),
        offence=_("Cards are found left in the tray on the original play"),
        remedy=_("A new deal."),
        enforcer=DIRECTOR,
        lost=_("It must be done when found after the first trick was turned and quitted."),
        score=_("The old deal is void; the new one is scored."),
        asks=(Ask.QUITTED,),
        also=_("board pocket left over"),
        turn=Turn.ORIGINAL,
        instead="I12",
        decide=deciding.left_in_tray,
    ),
)

TRUMP: tuple[Situation, ...] = (
    Situation(
        code="I6",
        laws=("IV.5", "IV.6"),
        offence=_("A player looks at the trump slip when he may not"),
        remedy=_("His own highest or lowest trump may be called."),
        enforcer=EITHER,
        lost=WHILE_UNPLAYED,
        asks=(Ask.DEMAND,),
    ),
    Situation(
        code="I7",
        laws=("IV.5", "IV.6"),
        offence=_("A player names the trump card, or shows the slip to his partner"),
        remedy=_("His partner's highest or lowest trump may be called."),
        enforcer=EITHER,
        lost=WHILE_UNPLAYED,
        asks=(Ask.DEMAND,),
        also=_("tells turn-up"),
    ),
    Situation(
        code="I8",
        laws=("IV.8", "VII.4"),
        offence=_("A wrong trump card is turned on an overplay, and put right before play"),
        remedy=_("The card wrongly turned lies face up and is liable to be called."),
        enforcer=_("The opponent on the dealer's right"),
        lost=_("When the card has been played."),
        asks=(Ask.DEMAND,),
        also=_("turn-up slip"),
        turn=Turn.OVERPLAY,
        instead="I4",
    ),
    Situation(
        code="I9",
        laws=("IV.9",),
        offence=_("A wrong trump card is turned on an overplay, and found after play began"),
        remedy=AVERAGE_OR_NEW,
        enforcer=DIRECTOR,
        lost=NEVER,
        score=AVERAGE_OR_NEW,
        also=_("turn-up slip average turned up"),
        turn=Turn.OVERPLAY,
        instead="I4",
        decide=deciding.average_or_new,
    ),
    Situation(
        code="I10",
        laws=("IV.10",),
        offence=_("The slip records another trump than the one turned in dealing"),
        remedy=_(
            "A new deal; or the recorded trump stands and the original table takes the average."
        ),
        enforcer=DIRECTOR,
        lost=NEVER,
        score=_(
            "Found before a later table played it, or with fewer than three tables: a new "
            "deal. Otherwise the average at the original table."
        ),
        asks=(Ask.OVERPLAYED,),
        also=_("wrong trump card suit recorded written turn-up"),
        turn=Turn.WHOSE,
        decide=deciding.wrong_slip,
        often=6,
    ),
    Situation(
        code="I32",
        laws=("IV.2", "VII.1"),
        offence=_("The dealer leaves the trump card lying on the table"),
        remedy=_(
            "He takes it into his hand and turns the slip down. Once the second trick is "
            "turned and quitted, the director may let it be called."
        ),
        enforcer=DIRECTOR,
        lost=_("While the second trick is not turned and quitted there is nothing to enforce."),
        asks=(Ask.SECOND,),
        also=_("turn-up turned up card left face up forgets forgot to take pick up"),
        decide=deciding.left_lying,
    ),
    Situation(
        code="I33",
        laws=("IV.2", "IV.4"),
        offence=_("The trump slip is left face up"),
        remedy=_(
            "It is turned down. It should be before the second trick is turned and quitted; "
            "the laws name no penalty."
        ),
        enforcer=DIRECTOR,
        lost=MENDED,
        also=_("forgets forgot to turn the slip open lying"),
    ),
    Situation(
        code="I34",
        laws=("IV.1", "IV.3"),
        offence=_("The trump slip is missing, not written, or was not shown to an opponent"),
        remedy=_(
            "Put it right: the trump card and the deal's number are written on the slip, an "
            "opponent is shown it, and it is turned down. The laws name no penalty. On an "
            "overplay the director asks a table that has played the deal."
        ),
        enforcer=DIRECTOR,
        lost=MENDED,
        also=_("no slip lost empty forgot write turn-up unknown"),
    ),
    Situation(
        code="I35",
        laws=("IV.1",),
        offence=_("The trump card is written elsewhere than on the slip"),
        remedy=_(
            "It is struck out: what is turned up stands on the slip and nowhere else. The laws "
            "name no penalty."
        ),
        enforcer=DIRECTOR,
        lost=MENDED,
        also=_("turn-up noted score card traveller paper"),
    ),
)

HANDS: tuple[Situation, ...] = (
    Situation(
        code="I11",
        laws=("V.1",),
        offence=_(
            "On an overplay a hand has too many cards, the trump card is astray, or a card "
            "lies face up"
        ),
        remedy=_(
            "More than two tables in play: put the hands right and send them on; this table "
            "does not play the deal. Fewer than three: a new deal."
        ),
        enforcer=DIRECTOR,
        lost=NEVER,
        score=AVERAGE_OR_NEW,
        also=_(
            "extra cards with 14 12 fourteen twelve one faced up fouled spoiled "
            "spoilt tray board"
        ),
        turn=Turn.OVERPLAY,
        instead="I4",
        decide=deciding.average_or_new,
        often=2,
    ),
    Situation(
        code="I12",
        laws=("V.2", "X.4"),
        offence=_("On an overplay a hand is found short after the first trick"),
        remedy=_(
            "The deal stands. The player answers for what is missing: a revoke that came of it "
            "is charged to him."
        ),
        enforcer=_("The opponents"),
        lost=_("As with a revoke (Law X §5)."),
        score=_("As for a revoke, if there was one because of it."),
        asks=(Ask.OTHERS_RIGHT, Ask.QUITTED, Ask.CAUSED, *REVOKE_ASKS),
        also=_("12 twelve cards missing lost not enough too few"),
        stops={Ask.QUITTED: "no"},
        turn=Turn.OVERPLAY,
        instead="I4",
        decide=deciding.short_hand,
    ),
    Situation(
        code="I36",
        laws=("III.2",),
        offence=_("The pack proves wrong: a card is in no hand, or there twice"),
        remedy=_("A new deal, from a pack that is right."),
        enforcer=DIRECTOR,
        lost=NEVER,
        also=_("imperfect incorrect pack 51 53 cards missing double same card two packs mixed"),
        score=_("What was made of the old deal is void; the new deal is scored."),
        asks=(Ask.WHEN_DEALT,),
        decide=deciding.wrong_pack,
    ),
)
