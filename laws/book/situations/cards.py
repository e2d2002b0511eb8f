"""Situations with the pack, the trump and the hands: Laws I to V."""

from laws.book import decisions
from laws.book.questions import REVOKE_QUESTIONS, QuestionName
from laws.book.situation import PlayKind, Situation
from laws.book.situations.wording import (
    ANY_PLAYER,
    AVERAGE_OR_NEW_DEAL,
    DEMAND_TIME_LIMIT,
    DIRECTOR,
    EITHER_OPPONENT,
    NO_EFFECT_BEFORE_PLAY,
    NO_PENALTY_TIME_LIMIT,
    NO_TIME_LIMIT,
)
from server.translation import gettext_noop as _

DEALING_SITUATIONS: tuple[Situation, ...] = (
    Situation(
        code="I1",
        laws=("I.2",),
        offence=_("A face is shown while shuffling"),
        remedy=_("Shuffle again."),
        enforcer=ANY_PLAYER,
        time_limit=_("When the deal begins."),
        score=NO_EFFECT_BEFORE_PLAY,
        search_words=_("exposed shuffle"),
    ),
    Situation(
        code="I2",
        laws=("II.1",),
        offence=_("A card is exposed while cutting"),
        remedy=_("Shuffle and cut again."),
        enforcer=ANY_PLAYER,
        time_limit=_("When the deal begins."),
        score=NO_EFFECT_BEFORE_PLAY,
        search_words=_("cut reuniting"),
    ),
    Situation(
        code="I3",
        laws=("II.1",),
        offence=_("The cut is mixed up or doubtful"),
        remedy=_("Cut again."),
        enforcer=ANY_PLAYER,
        time_limit=_("When the deal begins."),
        score=NO_EFFECT_BEFORE_PLAY,
        search_words=_("confusion disarranged"),
    ),
    Situation(
        code="I4",
        laws=("III.2",),
        offence=_("A dealing fault: a card exposed, a wrong number of cards, a bad pack"),
        remedy=_("A new deal."),
        enforcer=DIRECTOR,
        time_limit=NO_TIME_LIMIT,
        score=_("The old deal is void. The new one is scored."),
        search_words=_(
            "misdeal faced imperfect cards thirteen fourteen twelve 14 13 12 too many few "
            "missing spoiled spoilt"
        ),
        play_kind=PlayKind.ORIGINAL,
        other_play_situation_code="I11",
        adapt_advice=decisions.order_new_deal,
    ),
    Situation(
        code="I5",
        laws=("III.2",),
        offence=_("Cards are found left in the tray on the original play"),
        remedy=_("A new deal."),
        enforcer=DIRECTOR,
        time_limit=_("It must be done if found after the first trick was turned and quitted."),
        score=_("The old deal is void. The new one is scored."),
        questions=(QuestionName.FIRST_TRICK_QUITTED,),
        search_words=_("board pocket left over"),
        play_kind=PlayKind.ORIGINAL,
        other_play_situation_code="I12",
        adapt_advice=decisions.advise_on_tray_cards,
    ),
)

TRUMP_SITUATIONS: tuple[Situation, ...] = (
    Situation(
        code="I6",
        laws=("IV.5", "IV.6"),
        offence=_("A player looks at the trump slip when not allowed to"),
        remedy=_("The player’s highest or lowest trump may be called."),
        enforcer=EITHER_OPPONENT,
        time_limit=DEMAND_TIME_LIMIT,
        questions=(QuestionName.WRONG_DEMAND,),
    ),
    Situation(
        code="I7",
        laws=("IV.5", "IV.6"),
        offence=_("A player names the trump card, or shows the slip to partner"),
        remedy=_("Partner’s highest or lowest trump may be called."),
        enforcer=EITHER_OPPONENT,
        time_limit=DEMAND_TIME_LIMIT,
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("tells turn-up"),
    ),
    Situation(
        code="I8",
        laws=("IV.8", "VII.4"),
        offence=_("A wrong trump card is turned on an overplay, and corrected before play"),
        remedy=_("The wrong card stays face up and may be called."),
        enforcer=_("The opponent on the dealer’s right"),
        time_limit=_("When the card has been played."),
        questions=(QuestionName.WRONG_DEMAND,),
        search_words=_("turn-up slip"),
        play_kind=PlayKind.OVERPLAY,
        other_play_situation_code="I4",
    ),
    Situation(
        code="I9",
        laws=("IV.9",),
        offence=_(
            "A wrong trump card is turned on an overplay, and found after play has begun"
        ),
        remedy=AVERAGE_OR_NEW_DEAL,
        enforcer=DIRECTOR,
        time_limit=NO_TIME_LIMIT,
        score=AVERAGE_OR_NEW_DEAL,
        search_words=_("turn-up slip average turned up"),
        play_kind=PlayKind.OVERPLAY,
        other_play_situation_code="I4",
        adapt_advice=decisions.order_average_or_new_deal,
    ),
    Situation(
        code="I10",
        laws=("IV.10",),
        offence=_("The slip shows a different trump from the one turned in dealing"),
        remedy=_(
            "A new deal, or the recorded trump counts and the original table takes the average."
        ),
        enforcer=DIRECTOR,
        time_limit=NO_TIME_LIMIT,
        score=_(
            "Found before a later table played it, or with fewer than "
            "three tables: a new deal. Otherwise: average at the "
            "original table."
        ),
        questions=(QuestionName.OVERPLAYED,),
        search_words=_("wrong trump card suit recorded written turn-up"),
        play_kind=PlayKind.ORIGINAL_TABLE,
        adapt_advice=decisions.advise_on_wrong_slip,
        frequency_rank=6,
    ),
    Situation(
        code="I32",
        laws=("IV.2", "VII.1"),
        offence=_("The dealer leaves the trump card on the table"),
        remedy=_(
            "The dealer takes it into hand and turns the slip down. Once "
            "the second trick is turned and quitted, the director may "
            "let it be called."
        ),
        enforcer=DIRECTOR,
        time_limit=_(
            "Until the second trick is turned and quitted there is nothing to enforce."
        ),
        questions=(QuestionName.SECOND_TRICK_QUITTED,),
        search_words=_("turn-up turned up card left face up forgets forgot to take pick up"),
        adapt_advice=decisions.advise_on_unlifted_trump,
    ),
    Situation(
        code="I33",
        laws=("IV.2", "IV.4"),
        offence=_("The trump slip is left face up"),
        remedy=_(
            "Turn it down. It should be down before the second trick is "
            "turned and quitted. The laws name no penalty."
        ),
        enforcer=DIRECTOR,
        time_limit=NO_PENALTY_TIME_LIMIT,
        search_words=_("forgets forgot to turn the slip open lying"),
    ),
    Situation(
        code="I34",
        laws=("IV.1", "IV.3"),
        offence=_("The trump slip is missing, not filled in, or was not shown to an opponent"),
        remedy=_(
            "Write the trump card and deal number on the slip, show it "
            "to an opponent and turn it down. The laws name no penalty. "
            "On an overplay, ask a table that has played the deal."
        ),
        enforcer=DIRECTOR,
        time_limit=NO_PENALTY_TIME_LIMIT,
        search_words=_("no slip lost empty forgot write turn-up unknown"),
    ),
    Situation(
        code="I35",
        laws=("IV.1",),
        offence=_("The trump card is written elsewhere than on the slip"),
        remedy=_(
            "Cross it out. The trump card is written only on the slip. "
            "The laws name no penalty."
        ),
        enforcer=DIRECTOR,
        time_limit=NO_PENALTY_TIME_LIMIT,
        search_words=_("turn-up noted score card traveller paper"),
    ),
)

HAND_SITUATIONS: tuple[Situation, ...] = (
    Situation(
        code="I11",
        laws=("V.1",),
        offence=_(
            "On an overplay a hand has too many cards or a faced card, "
            "or the dealer lacks the trump card"
        ),
        remedy=_(
            "Three or more tables in play: correct the hands and pass "
            "them on without playing the deal. Fewer: a new deal."
        ),
        enforcer=DIRECTOR,
        time_limit=NO_TIME_LIMIT,
        score=AVERAGE_OR_NEW_DEAL,
        search_words=_(
            "extra cards with 14 12 fourteen twelve one faced up fouled spoiled "
            "spoilt tray board"
        ),
        play_kind=PlayKind.OVERPLAY,
        other_play_situation_code="I4",
        adapt_advice=decisions.order_average_or_new_deal,
        frequency_rank=2,
    ),
    Situation(
        code="I12",
        laws=("V.2", "X.4"),
        offence=_("On an overplay a hand is found short after the first trick"),
        remedy=_(
            "The deal counts. The player is responsible for missing "
            "cards, and any revoke they caused is charged."
        ),
        enforcer=_("The opponents"),
        time_limit=_("As with a revoke (Law X §5)."),
        score=_("As for a revoke, if the missing cards caused one."),
        questions=(
            QuestionName.OTHER_HANDS_CORRECT,
            QuestionName.FIRST_TRICK_QUITTED,
            QuestionName.CARD_CAUSED_REVOKE,
            *REVOKE_QUESTIONS,
        ),
        search_words=_("12 twelve cards missing lost not enough too few"),
        final_answers_by_question={QuestionName.FIRST_TRICK_QUITTED: "no"},
        play_kind=PlayKind.OVERPLAY,
        other_play_situation_code="I4",
        adapt_advice=decisions.advise_on_short_hand,
    ),
    Situation(
        code="I36",
        laws=("III.2",),
        offence=_("The pack is wrong: a card is missing or duplicated"),
        remedy=_("A new deal with a correct pack."),
        enforcer=DIRECTOR,
        time_limit=NO_TIME_LIMIT,
        search_words=_(
            "imperfect incorrect pack 51 53 cards missing double same card two packs mixed"
        ),
        score=_("Results on the old deal are void. The new deal is scored."),
        questions=(QuestionName.WHEN_DEALT,),
        adapt_advice=decisions.advise_on_wrong_pack,
    ),
)
