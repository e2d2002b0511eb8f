"""How each situation is decided: nothing by feeling, each branch on a section of the laws."""

from collections.abc import Callable
from dataclasses import replace

from boards.whist.words import gettext as _
from boards.whist.words import gettext_noop
from laws.book.questions import Ask
from laws.book.situation import FEW_TABLES, NO_EFFECT, Advice, Case, Effect

Decider = Callable[[Case], Advice]


def _stands(plain: Advice, law: str, remedy: str) -> Advice:
    return replace(
        plain,
        law=law,
        remedy=remedy,
        enforcer=_("Nobody"),
        lost=_("It is lost."),
        score=_(NO_EFFECT),
    )


def average_or_new(case: Case) -> Advice:
    """Decide by the number of tables in play (Laws IV §9, V §1; rules F1, E3)."""
    if case.facts.tables > FEW_TABLES:
        return replace(
            case.plain,
            remedy=_(_AVERAGE_REMEDIES[case.plain.law]),
            score=_("Both sides take the average of the deal at this table."),
            effect=Effect.AVERAGE,
        )
    return _new_deal(case.plain)


_AVERAGE_REMEDIES = {
    "IV.9": gettext_noop("The players at this table take the average score for the deal."),
    "V.1": gettext_noop(
        "Put the hands right and send them on. This table does not play the deal and takes the "
        "average score."
    ),
}


def _new_deal(plain: Advice) -> Advice:
    return replace(
        plain,
        remedy=_("There must be a new deal."),
        score=_("What was made of the old deal is void; the new deal is scored."),
        effect=Effect.NEW_DEAL,
    )


def dealing(case: Case) -> Advice:
    """A new deal where the boards are dealt; an overplay was dealt elsewhere (Law III §2)."""
    if case.facts.is_original:
        return _new_deal(case.plain)
    return _not_here(case, "I11")


def left_in_tray(case: Case) -> Advice:
    """A new deal, but only for cards found after the first trick (Law III §2)."""
    if not case.facts.is_original:
        return _not_here(case, "I12")
    if case.answers[Ask.QUITTED] == "yes":
        return _new_deal(case.plain)
    return _stands(
        case.plain,
        "III.2",
        _(
            "Put the cards into the hand they belong to and play on: the new deal is for cards "
            "found after the first trick was turned and quitted."
        ),
    )


def _not_here(case: Case, code: str) -> Advice:
    """Lead on to the situation for an overplay."""
    other = case.book[code]
    remedy = _(
        "This is an overplay: the deal was dealt and counted at another table. Take %(code)s "
        "instead: “%(offence)s”."
    )
    return replace(
        case.plain,
        law=other.laws[0],
        remedy=remedy % {"code": code, "offence": other.offence},
        enforcer=_("The director"),
        score=other.score,
        see=code,
    )


def on_overplay_only(decide: Decider) -> Decider:
    """Decide so on an overplay; on the original play it is a fault in dealing (Law III §2)."""

    def decided(case: Case) -> Advice:
        if case.facts.is_original:
            return replace(
                case.plain,
                law="III.2",
                remedy=_(
                    "This is the original play, so it is a fault in dealing. Take I4 instead: "
                    "a new deal."
                ),
                score=case.book["I4"].score,
                see="I4",
            )
        return decide(case)

    return decided


def wrong_slip(case: Case) -> Advice:
    """Tell the two cases of Law IV §10 apart (rules F3, E3, E4)."""
    if case.answers[Ask.OVERPLAYED] == "no" or case.facts.tables <= FEW_TABLES:
        return _new_deal(case.plain)
    return replace(
        case.plain,
        remedy=_(
            "The recorded trump stands. The players at the original table take the average."
        ),
        score=_("Both sides take the average of the deal at the original table."),
        effect=Effect.AVERAGE,
        at_original=True,
    )


def short_hand(case: Case) -> Advice:
    """The deal stands; a revoke that came of it is charged (Law V §2)."""
    if case.answers[Ask.OTHERS_RIGHT] == "no":
        return replace(
            case.plain,
            law="V.1",
            remedy=_(
                "Another hand is wrong too. Take I11 instead, for a hand with too many cards."
            ),
            score=case.book["I11"].score,
            see="I11",
        )
    if case.answers[Ask.QUITTED] == "no":
        return _stands(
            case.plain, "V.2", _("Find the card, put it into its hand, and play on.")
        )
    if case.answers[Ask.CAUSED] == "no":
        remedy = _("The deal stands; nothing is charged.")
        return replace(case.plain, remedy=remedy, score=_(NO_EFFECT))
    return revoke(case)


def revoke(case: Case) -> Advice:
    """A revoke in time must be enforced; later it cannot be claimed (Law X §5; rules H9)."""
    if case.answers[Ask.IN_TIME] == "no":
        return _stands(
            case.plain, "X.5", _("It is too late to claim: the score stands as it was made.")
        )
    return replace(case.plain, effect=Effect.REVOKE)


def perhaps_revoke(case: Case) -> Advice:
    """A renounce that can still be put right is no revoke yet (Law X §3)."""
    if case.answers[Ask.ESTABLISHED] == "no":
        return replace(
            case.plain,
            law="X.3",
            remedy=_("It is not a revoke yet: have it put right. Take I25 instead."),
            lost=case.book["I25"].lost,
            enforcer=case.book["I25"].enforcer,
            score=_(NO_EFFECT),
            see="I25",
        )
    return revoke(case)


def corrected(case: Case) -> Advice:
    """Put right in time the card can be called; too late it is a revoke (Law X §1, §3)."""
    if case.answers[Ask.ESTABLISHED] == "yes":
        return replace(
            case.plain,
            law="X.1",
            remedy=_("It is too late to put it right: this is a revoke. Take I26 instead."),
            score=case.book["I26"].score,
            lost=case.book["I26"].lost,
            enforcer=case.book["I26"].enforcer,
            see="I26",
        )
    freely = _("Whoever played after the renounce may change his card freely.")
    if case.answers[Ask.HAND] == "yes":
        left = _(
            "The opponent on the offender's left may have him play his highest or lowest to "
            "that trick."
        )
        return replace(case.plain, remedy=f"{case.plain.remedy} {left} {freely}")
    return replace(
        case.plain, remedy=f"{case.plain.remedy} {freely}", enforcer=case.book["I15"].enforcer
    )


def lead(case: Case) -> Advice:
    """The call of a suit is lost when all four have played, or late (Law VIII §1, §4)."""
    if case.answers.get(Ask.ALL_PLAYED) == "yes":
        return _stands(case.plain, "VIII.4", case.book["I18"].remedy)
    if case.answers.get(Ask.NAMED_IN_TIME) == "no":
        remedy = _("The suit was named too late: no suit can be called.")
        return _stands(case.plain, "VIII.1", remedy)
    return case.plain


def fourth(case: Case) -> Advice:
    """The second hand can be told what to play until the third has played (Law IX §2)."""
    if case.answers[Ask.THIRD_PLAYED] == "yes":
        return _stands(case.plain, "IX.2", _("The third hand has played: the right is lost."))
    return case.plain


def wrong_demand(case: Case) -> Advice:
    """A revoke found in time cannot be waived (Law X §5)."""
    if case.answers[Ask.WAS_REVOKE] == "yes":
        return replace(
            case.plain,
            law="X.5",
            remedy=_("A revoke found in time must be enforced; nothing waives it. Take I26."),
            enforcer=case.book["I26"].enforcer,
            lost=case.book["I26"].lost,
            score=case.book["I26"].score,
            see="I26",
        )
    return case.plain
