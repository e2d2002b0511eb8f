"""Situations during the play and the count: Laws VI to IX and XI."""

from laws.book import decisions
from laws.book.questions import QuestionName
from laws.book.situation import Situation
from laws.book.situations.wording import (
    ALLOWED,
    ANYBODY,
    CALL_LOST,
    DIRECTOR,
    MENDED,
    NOBODY,
    RIGHT,
    RIGHT_OF_LEADER,
)
from server.translation import gettext_noop as _

SEEN: tuple[Situation, ...] = (
    Situation(
        code="I13",
        laws=("VI.3",),
        offence=_("A player lifts or turns another's card during play"),
        remedy=_("It is forbidden; the laws name no penalty. Put the card back."),
        enforcer=_("The director"),
        time_limit=_("There is no penalty to lose."),
        search_words=_("touches"),
    ),
    Situation(
        code="I14",
        laws=("VI.5", "VIII.1"),
        offence=_(
            "A player names, lifts or turns a card of a quitted trick so that his side can see "
            "it"
        ),
        remedy=_(
            "As for leading out of turn: a suit may be called when his side next has the lead."
        ),
        enforcer=RIGHT_OF_LEADER,
        time_limit=_(
            "When the first trick that the offending side then wins is turned and quitted."
        ),
        questions=(QuestionName.SUIT_NAMED_IN_TIME, QuestionName.WRONG_DEMAND),
        search_words=_("looks back last trick"),
        adapt_advice=decisions.decide_wrong_lead,
    ),
    Situation(
        code="I15",
        laws=("VII.1", "VII.4"),
        offence=_(
            "A card is exposed on the table, shown to partner or to both opponents, or named"
        ),
        remedy=_("The card lies face up and is liable to be called."),
        enforcer=RIGHT,
        time_limit=CALL_LOST,
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("dropped faced penalty card falls out of hand"),
        frequency_rank=3,
    ),
    Situation(
        code="I16",
        laws=("VII.2", "VII.4"),
        offence=_(
            "A player claims the rest at any time, or plays or shows his remaining cards "
            "before his partner has played"
        ),
        remedy=_("His partner's cards are laid face up and are liable to be called."),
        enforcer=RIGHT,
        time_limit=CALL_LOST,
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("the rest are ours claim concedes showed hand lays down cards"),
    ),
    Situation(
        code="I28",
        laws=("XI.1",),
        offence=_("A player draws attention to a trick before his partner has played to it"),
        remedy=_(
            "His partner may be told to play his highest or lowest of the suit led, or, having "
            "none, to trump or not to trump."
        ),
        enforcer=_("The opponent who is last to play to the trick"),
        time_limit=_("When the partner has played."),
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("it is ours whose trick remark"),
    ),
    Situation(
        code="I29",
        laws=("XI.6",),
        offence=_("A player leads or plays several winners before his partner has played"),
        remedy=_(
            "The partner may be told to win the first or any later trick to which one of them "
            "is played; the other cards so played are liable to be called."
        ),
        enforcer=_("Either opponent"),
        time_limit=_(
            "For a trick, when the partner has played to it. It lives on for every later trick "
            "to which one of those cards is played."
        ),
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("runs cards together two at once"),
    ),
    Situation(
        code="I37",
        laws=("VII.1",),
        offence=_("A card is seen by one opponent only"),
        remedy=_("It goes back into the hand; it is not liable to be called."),
        enforcer=NOBODY,
        time_limit=ALLOWED,
        search_words=_("showed glimpse one adversary looked into hand"),
    ),
    Situation(
        code="I38",
        laws=("VII.3",),
        offence=_("The holder plays a card that is liable to be called of his own accord"),
        remedy=_("He may: nobody can stop him, and nothing is left of the penalty."),
        enforcer=NOBODY,
        time_limit=ALLOWED,
        search_words=_("exposed penalty card gets rid uncalled"),
    ),
    Situation(
        code="I39",
        laws=("VII.3",),
        offence=_("A card is called that cannot be played without a revoke"),
        remedy=_(
            "He follows suit. The card stays on the table, and the call may be repeated at "
            "every trick."
        ),
        enforcer=RIGHT,
        time_limit=_("When the card has been played."),
        search_words=_("exposed penalty card must follow suit"),
    ),
    Situation(
        code="I40",
        laws=("VII.4",),
        offence=_("The opponent on the right plays without calling the card that is liable"),
        remedy=_("To that trick the holder may play as he likes; the card stays liable."),
        enforcer=RIGHT,
        time_limit=CALL_LOST,
        search_words=_("exposed penalty card forgot forgets to call too late"),
    ),
)

LEADS: tuple[Situation, ...] = (
    Situation(
        code="I18",
        laws=("VIII.4",),
        offence=_("All four have played to a lead out of turn"),
        remedy=_("The trick stands; there is no penalty."),
        enforcer=_("Nobody"),
        time_limit=_("There is nothing to lose."),
        search_words=_("led followed"),
    ),
    Situation(
        code="I19",
        laws=("VIII.1", "VIII.4"),
        offence=_("A player leads when it is an opponent's lead"),
        remedy=_(
            "The cards are taken back and are not liable. A suit may be called from him or his "
            "partner when either next has the right to lead."
        ),
        enforcer=RIGHT_OF_LEADER,
        time_limit=_(
            "When the first trick that the offending side then wins is turned and quitted."
        ),
        questions=(
            QuestionName.ALL_FOUR_PLAYED,
            QuestionName.SUIT_NAMED_IN_TIME,
            QuestionName.WRONG_DEMAND,
        ),
        search_words=_("led lead out of turn wrong"),
        adapt_advice=decisions.decide_wrong_lead,
        frequency_rank=5,
    ),
    Situation(
        code="I20",
        laws=("VIII.2", "VIII.4"),
        offence=_("A player leads when it is his partner's lead"),
        remedy=_(
            "The cards are taken back. A suit may be called at once from the player who should "
            "lead; he waits, and if he leads before that, his card is liable to be called."
        ),
        enforcer=RIGHT_OF_LEADER,
        time_limit=_("When it is waived, or not demanded at once."),
        questions=(QuestionName.ALL_FOUR_PLAYED, QuestionName.WRONG_DEMAND),
        search_words=_("led lead out of turn wrong"),
        adapt_advice=decisions.decide_wrong_lead,
        frequency_rank=4,
    ),
    Situation(
        code="I21",
        laws=("VIII.3",),
        offence=_("A player has none of the suit that is called for the lead"),
        remedy=_("He leads as he likes; the penalty is paid."),
        enforcer=_("Nobody"),
        time_limit=_("There is nothing to lose."),
        search_words=_("cannot lead"),
    ),
    Situation(
        code="I22",
        laws=("VIII.4",),
        offence=_("Cards have been played to a lead out of turn"),
        remedy=_(
            "The lead and the cards played to it are taken back; they are not liable to be "
            "called."
        ),
        enforcer=_("Nobody"),
        time_limit=_("Only while not all four have played."),
        questions=(QuestionName.ALL_FOUR_PLAYED,),
        search_words=_("followed wrong lead"),
        adapt_advice=decisions.decide_wrong_lead,
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
            "The second hand may be told to play his highest or lowest of the suit led, or, "
            "having none, to trump or not to trump. If he plays before that, his card is "
            "liable to be called."
        ),
        enforcer=_("The third hand"),
        time_limit=_("When the third hand has played."),
        questions=(QuestionName.THIRD_HAND_PLAYED, QuestionName.WRONG_DEMAND),
        search_words=_("out of turn"),
        adapt_advice=decisions.decide_fourth_hand_early,
    ),
    Situation(
        code="I41",
        laws=("VIII.2", "VII.4"),
        offence=_("After a lead out of turn his partner leads before the suit is called"),
        remedy=_("The card that he leads is liable to be called."),
        enforcer=RIGHT,
        time_limit=CALL_LOST,
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
        remedy=_("The card that he played is liable to be called."),
        enforcer=RIGHT,
        time_limit=CALL_LOST,
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("did not wait too soon penalty"),
    ),
)

COUNTING: tuple[Situation, ...] = (
    Situation(
        code="I43",
        laws=("VI.1",),
        offence=_("A played card is not turned down, or lies the wrong way"),
        remedy=_(
            "It is put right: over the card before, its ends pointing to the side that won the "
            "trick. The laws name no penalty."
        ),
        enforcer=ANYBODY,
        time_limit=MENDED,
        search_words=_("trick direction pointing forgot to turn quit"),
    ),
    Situation(
        code="I44",
        laws=("VI.2", "X.6"),
        offence=_("Somebody mixes his cards before the score is written down"),
        remedy=_(
            "The laws name no penalty: the tricks are counted from the other hands. Where a "
            "revoke was claimed, take I27."
        ),
        enforcer=DIRECTOR,
        time_limit=MENDED,
        search_words=_("order disturbed picks up picked up shuffled too soon tricks gathered"),
    ),
    Situation(
        code="I45",
        laws=("VI.1", "VI.2"),
        offence=_("The sides do not agree how many tricks were won"),
        remedy=_(
            "The cards tell it: they lie in the order of play, their ends to the side that "
            "won. Compare them trick by trick; the two sides have thirteen together."
        ),
        enforcer=DIRECTOR,
        time_limit=_("When the hands are back in the tray, the cards no longer tell it."),
        search_words=_(
            "disagree dispute number count wrong 13 thirteen who won the trick score"
        ),
        score=_("What the cards show is what counts."),
    ),
    Situation(
        code="I46",
        laws=("IV.7", "V.1"),
        offence=_("The hands go back into the tray wrong, or the slip does not lie on top"),
        remedy=_(
            "Put it right before the tray goes on: each hand face down, the trump card with "
            "it, the slip face up on the dealer's cards. What the next table finds falls under "
            "I11."
        ),
        enforcer=DIRECTOR,
        time_limit=MENDED,
        search_words=_("board pocket wrong place put back swapped face up"),
    ),
)
