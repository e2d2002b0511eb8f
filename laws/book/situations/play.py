"""Situations during the play and the count: Laws VI to IX and XI."""

from laws.book import decisions
from laws.book.questions import QuestionName
from laws.book.situation import Situation
from laws.book.situations.wording import (
    ANY_PLAYER,
    CALL_TIME_LIMIT,
    DIRECTOR,
    NO_ONE,
    NO_PENALTY_TIME_LIMIT,
    NO_TIME_LIMIT_NEEDED,
    OPPONENT_ON_RIGHT,
    OPPONENT_ON_RIGHT_OF_LEADER,
)
from server.translation import gettext_noop as _

SEEN_CARD_SITUATIONS: tuple[Situation, ...] = (
    Situation(
        code="I13",
        laws=("VI.3",),
        offence=_("A player lifts or turns another’s card during play"),
        remedy=_("It is forbidden, but the laws name no penalty. Put the card back."),
        enforcer=_("The director"),
        time_limit=_("No time limit: there is no penalty."),
        search_words=_("touches"),
    ),
    Situation(
        code="I14",
        laws=("VI.5", "VIII.1"),
        offence=_(
            "A player names, lifts or turns a card of a quitted trick so "
            "that their side can see it"
        ),
        remedy=_(
            "As for leading out of turn: a suit may be called when that side next has the lead."
        ),
        enforcer=OPPONENT_ON_RIGHT_OF_LEADER,
        time_limit=_("When the next trick won by the offending side is turned and quitted."),
        questions=(QuestionName.SUIT_NAMED_IN_TIME, QuestionName.WRONG_DEMAND),
        search_words=_("looks back last trick"),
        adapt_advice=decisions.advise_on_wrong_lead,
    ),
    Situation(
        code="I15",
        laws=("VII.1", "VII.4"),
        offence=_(
            "A card is exposed on the table, shown to partner or to both opponents, or named"
        ),
        remedy=_("The card stays face up and may be called."),
        enforcer=OPPONENT_ON_RIGHT,
        time_limit=CALL_TIME_LIMIT,
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("dropped faced penalty card falls out of hand"),
        frequency_rank=3,
    ),
    Situation(
        code="I16",
        laws=("VII.2", "VII.4"),
        offence=_(
            "A player claims the rest at any time, or plays or shows the "
            "remaining cards before partner has played"
        ),
        remedy=_("Partner’s cards are laid face up and may be called."),
        enforcer=OPPONENT_ON_RIGHT,
        time_limit=CALL_TIME_LIMIT,
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("the rest are ours claim concedes showed hand lays down cards"),
    ),
    Situation(
        code="I28",
        laws=("XI.1",),
        offence=_("A player draws attention to a trick before partner has played to it"),
        remedy=_(
            "Partner may be told to play highest or lowest of the suit "
            "led or, if void, to trump or not."
        ),
        enforcer=_("The opponent who is last to play to the trick"),
        time_limit=_("When partner has played."),
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("it is ours whose trick remark"),
    ),
    Situation(
        code="I29",
        laws=("XI.6",),
        offence=_("A player leads or plays several winners before partner has played"),
        remedy=_(
            "Partner may be told to win the first or any later trick to "
            "which one of them is played. The other cards may be called."
        ),
        enforcer=_("Either opponent"),
        time_limit=_(
            "For a trick, when partner has played to it. It lasts for "
            "every later trick to which one of those cards is played."
        ),
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("runs cards together two at once"),
    ),
    Situation(
        code="I37",
        laws=("VII.1",),
        offence=_("A card is seen by one opponent only"),
        remedy=_("It goes back into the hand and can’t be called."),
        enforcer=NO_ONE,
        time_limit=NO_TIME_LIMIT_NEEDED,
        search_words=_("showed glimpse one adversary looked into hand"),
    ),
    Situation(
        code="I38",
        laws=("VII.3",),
        offence=_("The holder plays a card that may be called without being told to"),
        remedy=_("This is allowed, and no penalty remains."),
        enforcer=NO_ONE,
        time_limit=NO_TIME_LIMIT_NEEDED,
        search_words=_("exposed penalty card gets rid uncalled"),
    ),
    Situation(
        code="I39",
        laws=("VII.3",),
        offence=_("A called card can’t be played without a revoke"),
        remedy=_(
            "The player follows suit. The card stays on the table, and "
            "the call may be repeated at every trick."
        ),
        enforcer=OPPONENT_ON_RIGHT,
        time_limit=_("When the card has been played."),
        search_words=_("exposed penalty card must follow suit"),
    ),
    Situation(
        code="I40",
        laws=("VII.4",),
        offence=_(
            "The opponent on the right plays without calling the card that may be called"
        ),
        remedy=_(
            "The holder may play any card to that trick. The card may still be called later."
        ),
        enforcer=OPPONENT_ON_RIGHT,
        time_limit=CALL_TIME_LIMIT,
        search_words=_("exposed penalty card forgot forgets to call too late"),
    ),
)

LEAD_SITUATIONS: tuple[Situation, ...] = (
    Situation(
        code="I18",
        laws=("VIII.4",),
        offence=_("All four have played to a lead out of turn"),
        remedy=_("The trick counts, and there is no penalty."),
        enforcer=_("No one"),
        time_limit=_("No time limit: there is nothing to enforce."),
        search_words=_("led followed"),
    ),
    Situation(
        code="I19",
        laws=("VIII.1", "VIII.4"),
        offence=_("A player leads when it is an opponent’s lead"),
        remedy=_(
            "The cards go back and can’t be called. A suit may be called from that player "
            "or partner, when either next has the lead."
        ),
        enforcer=OPPONENT_ON_RIGHT_OF_LEADER,
        time_limit=_("When the next trick won by the offending side is turned and quitted."),
        questions=(
            QuestionName.ALL_FOUR_PLAYED,
            QuestionName.SUIT_NAMED_IN_TIME,
            QuestionName.WRONG_DEMAND,
        ),
        search_words=_("led lead out of turn wrong"),
        adapt_advice=decisions.advise_on_wrong_lead,
        frequency_rank=5,
    ),
    Situation(
        code="I20",
        laws=("VIII.2", "VIII.4"),
        offence=_("A player leads when it is partner’s lead"),
        remedy=_(
            "The cards go back. A suit may be called at once from the "
            "player who should lead. If that player leads without "
            "waiting, the card may be called."
        ),
        enforcer=OPPONENT_ON_RIGHT_OF_LEADER,
        time_limit=_("When it is waived, or not demanded at once."),
        questions=(QuestionName.ALL_FOUR_PLAYED, QuestionName.WRONG_DEMAND),
        search_words=_("led lead out of turn wrong"),
        adapt_advice=decisions.advise_on_wrong_lead,
        frequency_rank=4,
    ),
    Situation(
        code="I21",
        laws=("VIII.3",),
        offence=_("A player has none of the suit that is called for the lead"),
        remedy=_("The player leads any card, and the penalty is paid."),
        enforcer=_("No one"),
        time_limit=_("No time limit: there is nothing to enforce."),
        search_words=_("cannot lead"),
    ),
    Situation(
        code="I22",
        laws=("VIII.4",),
        offence=_("Cards have been played to a lead out of turn"),
        remedy=_("The lead and the cards played to it go back and can’t be called."),
        enforcer=_("No one"),
        time_limit=_("Only until all four have played."),
        questions=(QuestionName.ALL_FOUR_PLAYED,),
        search_words=_("followed wrong lead"),
        adapt_advice=decisions.advise_on_wrong_lead,
    ),
    Situation(
        code="I23",
        laws=("IX.1",),
        offence=_("The third hand plays before the second"),
        remedy=_("The fourth hand may play before the second too."),
        enforcer=_("The fourth hand"),
        time_limit=_("When the second hand has played."),
        search_words=_("out of turn"),
    ),
    Situation(
        code="I24",
        laws=("IX.2",),
        offence=_("The fourth hand plays before the second, and the third has not played"),
        remedy=_(
            "The second hand may be told to play highest or lowest of the "
            "suit. If void, they may be told to trump or not. A card "
            "played before that may be called."
        ),
        enforcer=_("The third hand"),
        time_limit=_("When the third hand has played."),
        questions=(QuestionName.THIRD_HAND_PLAYED, QuestionName.WRONG_DEMAND),
        search_words=_("out of turn"),
        adapt_advice=decisions.advise_on_early_fourth_hand,
    ),
    Situation(
        code="I41",
        laws=("VIII.2", "VII.4"),
        offence=_("After a lead out of turn, partner leads before the suit is called"),
        remedy=_("That card may be called."),
        enforcer=OPPONENT_ON_RIGHT,
        time_limit=CALL_TIME_LIMIT,
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("proper leader did not wait too soon"),
    ),
    Situation(
        code="I42",
        laws=("IX.2", "VII.4"),
        offence=_(
            "After the fourth hand played out of turn, the second plays before the third has "
            "chosen"
        ),
        remedy=_("That card may be called."),
        enforcer=OPPONENT_ON_RIGHT,
        time_limit=CALL_TIME_LIMIT,
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("did not wait too soon penalty"),
    ),
)

HANDLING_CARD_SITUATIONS: tuple[Situation, ...] = (
    Situation(
        code="I43",
        laws=("VI.1",),
        offence=_("A played card is not turned down, or points the wrong way"),
        remedy=_(
            "Put it on the previous card, pointing to the side that won "
            "the trick. The laws name no penalty."
        ),
        enforcer=ANY_PLAYER,
        time_limit=NO_PENALTY_TIME_LIMIT,
        search_words=_("trick direction pointing forgot to turn quit"),
    ),
    Situation(
        code="I44",
        laws=("VI.2", "X.6"),
        offence=_("A player mixes the cards before the score is written down"),
        remedy=_(
            "The laws name no penalty. Count the tricks from the other "
            "hands. If a revoke was claimed, use I27."
        ),
        enforcer=DIRECTOR,
        time_limit=NO_PENALTY_TIME_LIMIT,
        search_words=_("order disturbed picks up picked up shuffled too soon tricks gathered"),
    ),
    Situation(
        code="I45",
        laws=("VI.1", "VI.2"),
        offence=_("The sides do not agree how many tricks were won"),
        remedy=_(
            "Check the cards: they are in order of play and point to the "
            "side that won. Compare trick by trick. The two sides have "
            "thirteen together."
        ),
        enforcer=DIRECTOR,
        time_limit=_("When the hands are back in the tray."),
        search_words=_(
            "disagree dispute number count wrong 13 thirteen who won the trick score"
        ),
        score=_("Decide by the cards."),
    ),
    Situation(
        code="I46",
        laws=("IV.7", "V.1"),
        offence=_("The hands go back into the tray wrong, or the slip is not on top"),
        remedy=_(
            "Correct it before the tray moves on: each hand face down with its trump card, "
            "the slip face up on the dealer’s cards. For faults found at the next table "
            "use I11."
        ),
        enforcer=DIRECTOR,
        time_limit=NO_PENALTY_TIME_LIMIT,
        search_words=_("board pocket wrong place put back swapped face up"),
    ),
)
