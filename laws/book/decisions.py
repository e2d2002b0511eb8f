"""Functions that adapt the advice to the answers, in the order of the laws."""

from collections.abc import Callable
from dataclasses import replace

from django.utils.translation import gettext as _

from laws.book.questions import QuestionName
from laws.book.situation import (
    MAX_TABLES_FOR_NEW_DEAL,
    NO_EFFECT,
    Advice,
    RulingEffect,
    SituationCase,
)
from server.translation import gettext_noop

AdviceFunction = Callable[[SituationCase], Advice]


def _build_expired_right_advice(general_advice: Advice, law: str, remedy: str) -> Advice:
    return replace(
        general_advice,
        law=law,
        remedy=remedy,
        enforcer=_("No one"),
        time_limit=_("Too late. The right has lapsed."),
        score=_(NO_EFFECT),
    )


def order_average_or_new_deal(case: SituationCase) -> Advice:
    """Order the average score or, with one or two tables, a new deal.

    Sources: Laws IV §9 and V §1; rules F1 and E3.
    """
    if case.facts.table_count > MAX_TABLES_FOR_NEW_DEAL:
        return replace(
            case.general_advice,
            remedy=_(_AVERAGE_REMEDIES[case.general_advice.law]),
            score=_("Both sides take the average for the deal at this table."),
            effect=RulingEffect.AVERAGE,
        )
    return _order_new_deal(case.general_advice)


_AVERAGE_REMEDIES = {
    "IV.9": gettext_noop("The players at this table take the average score for the deal."),
    "V.1": gettext_noop(
        "Correct the hands and pass them on. This table doesn’t play the deal and takes "
        "the average."
    ),
}


def _order_new_deal(general_advice: Advice) -> Advice:
    return replace(
        general_advice,
        remedy=_("There must be a new deal."),
        score=_("Results on the old deal are void. The new deal is scored."),
        effect=RulingEffect.NEW_DEAL,
    )


def order_new_deal(case: SituationCase) -> Advice:
    """Order a new deal, whatever the number of tables (Law III §2)."""
    return _order_new_deal(case.general_advice)


def advise_on_wrong_pack(case: SituationCase) -> Advice:
    """Order a new deal only if the pack was wrong when it was dealt (Law III §2 b).

    If it became wrong after the original play, the error is in the tray. The earlier results
    then stay, and Law V applies to the table that found the error.
    """
    when_dealt_answer = case.answers.get(QuestionName.WHEN_DEALT)
    if case.facts.is_original_play or when_dealt_answer == "yes":
        return _order_new_deal(case.general_advice)
    if when_dealt_answer == "lost":
        remedy = _("Earlier results stay. Use I12 instead (a hand with too few cards).")
        return _refer_to_situation(case, "I12", "V.2", remedy)
    remedy = _("Earlier results stay. Use I11 instead (a hand with too many cards).")
    return _refer_to_situation(case, "I11", "V.1", remedy)


def advise_on_tray_cards(case: SituationCase) -> Advice:
    """Order a new deal if cards were found in the tray after the first trick (Law III §2)."""
    if case.answers[QuestionName.FIRST_TRICK_QUITTED] == "yes":
        return _order_new_deal(case.general_advice)
    return _build_expired_right_advice(
        case.general_advice,
        "III.2",
        _(
            "Put the cards into the right hand and play on. A new deal "
            "is only for cards found after the first trick was turned "
            "and quitted."
        ),
    )


def refer_to_other_situation(case: SituationCase) -> Advice:
    """Refer to the situation for the other play of the deal (Laws III §2, IV §9, V)."""
    other_situation = case.situations_by_code[
        case.general_advice.situation.other_play_situation_code
    ]
    if case.facts.is_original_play:
        remedy = _(
            "This is the original play, so it is a dealing fault. Use "
            "%(code)s instead: “%(offence)s”."
        )
    else:
        remedy = _(
            "This is an overplay of a deal from another table. Use "
            "%(code)s instead: “%(offence)s”."
        )
    remedy_text = remedy % {"code": other_situation.code, "offence": other_situation.offence}
    return _refer_to_situation(case, other_situation.code, other_situation.laws[0], remedy_text)


def _refer_to_situation(case: SituationCase, code: str, law: str, remedy: str) -> Advice:
    """Refer to another situation and copy its enforcer, its time limit and its score."""
    other_situation = case.situations_by_code[code]
    return replace(
        case.general_advice,
        law=law,
        remedy=remedy,
        enforcer=other_situation.enforcer,
        time_limit=other_situation.time_limit,
        score=other_situation.score,
        other_situation_code=code,
    )


def advise_on_wrong_slip(case: SituationCase) -> Advice:
    """Rule on a trump slip that names the wrong trump (Law IV §10; rules F3, E3, E4).

    The law has one case for a deal that was overplayed with the wrong trump, and one for a deal
    not overplayed yet. If later tables played with the trump that was turned, no result is void
    (reading 12).
    """
    if case.answers[QuestionName.OVERPLAYED] == "no" and case.facts.is_overplayed:
        return replace(
            case.general_advice,
            remedy=_(
                "Correct the slip. Every table played with the trump that was turned, so the "
                "results stay."
            ),
            score=_(NO_EFFECT),
        )
    if (
        case.answers[QuestionName.OVERPLAYED] == "no"
        or case.facts.table_count <= MAX_TABLES_FOR_NEW_DEAL
    ):
        return _order_new_deal(case.general_advice)
    return replace(
        case.general_advice,
        remedy=_(
            "The recorded trump counts. The players at the original table take the average."
        ),
        score=_("Both sides take the average for the deal at the original table."),
        effect=RulingEffect.AVERAGE,
        is_for_original_table=True,
    )


def advise_on_short_hand(case: SituationCase) -> Advice:
    """Count the deal, and charge a revoke that the missing card caused (Law V §2)."""
    if case.answers[QuestionName.OTHER_HANDS_CORRECT] == "no":
        remedy = _("Another hand is wrong too. Use I11 instead (a hand with too many cards).")
        return _refer_to_situation(case, "I11", "V.1", remedy)
    if case.answers[QuestionName.FIRST_TRICK_QUITTED] == "no":
        return _build_expired_right_advice(
            case.general_advice, "V.2", _("Find the card, put it into the hand and play on.")
        )
    if case.answers[QuestionName.CARD_CAUSED_REVOKE] == "no":
        remedy = _("The deal counts, with no penalty.")
        return replace(case.general_advice, remedy=remedy, score=_(NO_EFFECT))
    return advise_on_revoke(case)


def advise_on_unlifted_trump(case: SituationCase) -> Advice:
    """Rule on a dealer who left the trump card on the table (Law IV §2).

    Before the end of the second trick there is no penalty. After it, the director may allow the
    opponents to call the card.
    """
    if case.answers[QuestionName.SECOND_TRICK_QUITTED] == "no":
        remedy = _(
            "The dealer takes it into hand and turns the slip down. There is no penalty."
        )
        return replace(case.general_advice, remedy=remedy)
    return replace(
        case.general_advice,
        remedy=_(
            "The laws name no penalty. The director may let the card be "
            "called as an exposed card (Law VII §1). Otherwise the "
            "dealer takes it into hand."
        ),
        enforcer=_("If the director allows it, the opponent on the dealer’s right"),
        time_limit=_("When the card has been played."),
    )


def advise_on_both_revokes(case: SituationCase) -> Advice:
    """Refer to a separate ruling for the revokes of each side (Law X §4; rules H12)."""
    remedy = _(
        "Rule on each side separately with I26. The penalties are "
        "offset, without the limit at the average, and you confirm "
        "the outcome."
    )
    return _refer_to_situation(case, "I26", "X.4", remedy)


def advise_on_revoke(case: SituationCase) -> Advice:
    """Enforce a revoke claimed in time; refuse a later claim (Law X §5; rules H9)."""
    if case.answers[QuestionName.CLAIMED_IN_TIME] == "no":
        return _build_expired_right_advice(
            case.general_advice,
            "X.5",
            _("It is too late to claim. The score counts as made."),
        )
    return replace(case.general_advice, effect=RulingEffect.REVOKE)


def advise_on_possible_revoke(case: SituationCase) -> Advice:
    """Advise a correction if the revoke is not established yet (Law X §3).

    After that, the penalty for the revoke applies.
    """
    if case.answers[QuestionName.REVOKE_ESTABLISHED] == "no":
        remedy = _("It isn’t a revoke yet, so it can be corrected. Use I25 instead.")
        return _refer_to_situation(case, "I25", "X.3", remedy)
    return advise_on_revoke(case)


def advise_on_corrected_renounce(case: SituationCase) -> Advice:
    """Allow the opponents to call the card; a late correction is a revoke (Law X §1, §3)."""
    if case.answers[QuestionName.REVOKE_ESTABLISHED] == "yes":
        remedy = _("It is too late to correct, so it is a revoke. Use I26 instead.")
        return _refer_to_situation(case, "I26", "X.1", remedy)
    permission_text = _("Players who played after the renounce may change their cards.")
    if case.answers[QuestionName.NEXT_OPPONENT_PLAYED] == "yes":
        remaining_text = _(
            "The opponent on the offender’s left may demand the highest or lowest to that "
            "trick."
        )
        return replace(
            case.general_advice,
            remedy=f"{case.general_advice.remedy} {remaining_text} {permission_text}",
        )
    return replace(
        case.general_advice,
        remedy=f"{case.general_advice.remedy} {permission_text}",
        enforcer=case.situations_by_code["I15"].enforcer,
    )


def advise_on_wrong_lead(case: SituationCase) -> Advice:
    """Refuse a demand for a suit that comes too late (Law VIII §1, §4).

    It is too late if all four players have played to the wrong lead.
    """
    if case.answers.get(QuestionName.ALL_FOUR_PLAYED) == "yes":
        return _build_expired_right_advice(
            case.general_advice, "VIII.4", case.situations_by_code["I18"].remedy
        )
    if case.answers.get(QuestionName.SUIT_NAMED_IN_TIME) == "no":
        remedy = _("The suit was named too late, so no suit can be called.")
        return _build_expired_right_advice(case.general_advice, "VIII.1", remedy)
    return case.general_advice


def advise_on_early_fourth_hand(case: SituationCase) -> Advice:
    """Let the third player demand a card only before playing to the trick (Law IX §2)."""
    if case.answers[QuestionName.THIRD_HAND_PLAYED] == "yes":
        return _build_expired_right_advice(
            case.general_advice, "IX.2", _("The third hand has played, so the right is lost.")
        )
    return case.general_advice


def advise_on_wrong_demand(case: SituationCase) -> Advice:
    """Refer to the situation "a revoke" if that was the penalty (Law X §5).

    The right to the penalty for a revoke cannot be lost by a wrong demand.
    """
    if case.answers[QuestionName.WAS_REVOKE_PENALIZED] == "yes":
        remedy = _("A revoke found in time must be enforced and can’t be waived. Use I26.")
        return _refer_to_situation(case, "I26", "X.5", remedy)
    return case.general_advice
