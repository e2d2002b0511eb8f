"""How each situation is decided: nothing by feeling, each branch on a section of the laws."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from boards.whist.words import gettext as _
from boards.whist.words import gettext_noop
from laws.book.advice import FEW_TABLES, Advice, Effect, Facts
from laws.book.questions import Ask
from laws.book.situation import NO_EFFECT
from laws.book.situations import SITUATIONS

Answers = Mapping[str, str]
"""What was answered, by the question's name."""
Decider = Callable[[Advice, Answers, Facts], Advice]


def _stands(plain: Advice, law: str, remedy: str) -> Advice:
    return replace(
        plain,
        law=law,
        remedy=remedy,
        enforcer=_("Nobody"),
        lost=_("It is lost."),
        score=_(NO_EFFECT),
    )


def _average_or_new(plain: Advice, _answers: Answers, facts: Facts) -> Advice:
    """Decide by the number of tables in play (Laws IV §9, V §1; rules F1, E3)."""
    if facts.tables > FEW_TABLES:
        return replace(
            plain,
            remedy=_(_AVERAGE_REMEDIES[plain.law]),
            score=_("Both sides take the average of the deal at this table."),
            effect=Effect.AVERAGE,
        )
    return _new_deal(plain)


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


def _dealing(plain: Advice, _answers: Answers, facts: Facts) -> Advice:
    if facts.is_original:
        return _new_deal(plain)
    return _not_here(plain, "I11")


def _left_in_tray(plain: Advice, answers: Answers, facts: Facts) -> Advice:
    if not facts.is_original:
        return _not_here(plain, "I12")
    if answers[Ask.QUITTED] == "yes":
        return _new_deal(plain)
    return _stands(
        plain,
        "III.2",
        _(
            "Put the cards into the hand they belong to and play on: the new deal is for cards "
            "found after the first trick was turned and quitted."
        ),
    )


def _not_here(plain: Advice, code: str) -> Advice:
    """Lead on to the situation for an overplay."""
    other = SITUATIONS[code]
    remedy = _(
        "This is an overplay: the deal was dealt and counted at another table. Take %(code)s "
        "instead: “%(offence)s”."
    )
    return replace(
        plain,
        law=other.laws[0],
        remedy=remedy % {"code": code, "offence": other.offence},
        enforcer=_("The director"),
        score=other.score,
        see=code,
    )


def _on_overplay_only(decide: Callable[[Advice, Answers, Facts], Advice]) -> Decider:
    def decided(plain: Advice, answers: Answers, facts: Facts) -> Advice:
        if facts.is_original:
            return replace(
                plain,
                law="III.2",
                remedy=_(
                    "This is the original play, so it is a fault in dealing. Take I4 instead: "
                    "a new deal."
                ),
                score=SITUATIONS["I4"].score,
                see="I4",
            )
        return decide(plain, answers, facts)

    return decided


def _wrong_slip(plain: Advice, answers: Answers, facts: Facts) -> Advice:
    """Tell the two cases of Law IV §10 apart (rules F3, E3, E4)."""
    if answers[Ask.OVERPLAYED] == "no" or facts.tables <= FEW_TABLES:
        return _new_deal(plain)
    return replace(
        plain,
        remedy=_(
            "The recorded trump stands. The players at the original table take the average."
        ),
        score=_("Both sides take the average of the deal at the original table."),
        effect=Effect.AVERAGE,
        at_original=True,
    )


def _short_hand(plain: Advice, answers: Answers, facts: Facts) -> Advice:
    if answers[Ask.OTHERS_RIGHT] == "no":
        return replace(
            plain,
            law="V.1",
            remedy=_(
                "Another hand is wrong too. Take I11 instead, for a hand with too many cards."
            ),
            score=SITUATIONS["I11"].score,
            see="I11",
        )
    if answers[Ask.QUITTED] == "no":
        return _stands(plain, "V.2", _("Find the card, put it into its hand, and play on."))
    if answers[Ask.CAUSED] == "no":
        remedy = _("The deal stands; nothing is charged.")
        return replace(plain, remedy=remedy, score=_(NO_EFFECT))
    return _revoke(plain, answers, facts)


def _revoke(plain: Advice, answers: Answers, _facts: Facts) -> Advice:
    """A revoke in time must be enforced; later it cannot be claimed (Law X §5)."""
    if answers[Ask.IN_TIME] == "no":
        return _stands(
            plain, "X.5", _("It is too late to claim: the score stands as it was made.")
        )
    return replace(plain, effect=Effect.REVOKE)


def _perhaps_revoke(plain: Advice, answers: Answers, facts: Facts) -> Advice:
    if answers[Ask.ESTABLISHED] == "no":
        return replace(
            plain,
            law="X.3",
            remedy=_("It is not a revoke yet: have it put right. Take I25 instead."),
            lost=SITUATIONS["I25"].lost,
            enforcer=SITUATIONS["I25"].enforcer,
            score=_(NO_EFFECT),
            see="I25",
        )
    return _revoke(plain, answers, facts)


def _corrected(plain: Advice, answers: Answers, _facts: Facts) -> Advice:
    if answers[Ask.ESTABLISHED] == "yes":
        return replace(
            plain,
            law="X.1",
            remedy=_("It is too late to put it right: this is a revoke. Take I26 instead."),
            score=SITUATIONS["I26"].score,
            lost=SITUATIONS["I26"].lost,
            enforcer=SITUATIONS["I26"].enforcer,
            see="I26",
        )
    freely = _("Whoever played after the renounce may change his card freely.")
    if answers[Ask.HAND] == "yes":
        left = _(
            "The opponent on the offender's left may have him play his highest or lowest to "
            "that trick."
        )
        return replace(plain, remedy=f"{plain.remedy} {left} {freely}")
    return replace(
        plain, remedy=f"{plain.remedy} {freely}", enforcer=SITUATIONS["I15"].enforcer
    )


def _lead(plain: Advice, answers: Answers, _facts: Facts) -> Advice:
    if answers.get(Ask.ALL_PLAYED) == "yes":
        return _stands(plain, "VIII.4", SITUATIONS["I18"].remedy)
    if answers.get(Ask.NAMED_IN_TIME) == "no":
        remedy = _("The suit was named too late: no suit can be called.")
        return _stands(plain, "VIII.1", remedy)
    return plain


def _fourth(plain: Advice, answers: Answers, _facts: Facts) -> Advice:
    if answers[Ask.THIRD_PLAYED] == "yes":
        return _stands(plain, "IX.2", _("The third hand has played: the right is lost."))
    return plain


def _wrong_demand(plain: Advice, answers: Answers, _facts: Facts) -> Advice:
    if answers[Ask.WAS_REVOKE] == "yes":
        return replace(
            plain,
            law="X.5",
            remedy=_("A revoke found in time must be enforced; nothing waives it. Take I26."),
            enforcer=SITUATIONS["I26"].enforcer,
            lost=SITUATIONS["I26"].lost,
            score=SITUATIONS["I26"].score,
            see="I26",
        )
    return plain


DECIDERS: dict[str, Decider] = {
    "I4": _dealing,
    "I5": _left_in_tray,
    "I9": _on_overplay_only(_average_or_new),
    "I10": _wrong_slip,
    "I11": _on_overplay_only(_average_or_new),
    "I12": _on_overplay_only(_short_hand),
    "I14": _lead,
    "I17": _revoke,
    "I19": _lead,
    "I20": _lead,
    "I22": _lead,
    "I24": _fourth,
    "I25": _corrected,
    "I26": _perhaps_revoke,
    "I27": _revoke,
    "I30": _revoke,
    "I31": _wrong_demand,
}
