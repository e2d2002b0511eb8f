"""The 31 situations in which a director is called, grouped by the moment of play.

Each says the offence, its law, the remedy, who may enforce it, when the right to it is lost,
and what becomes of the score. Source: rules I1-I31, after the Laws of Duplicate Whist.
"""

from boards.whist.words import gettext_noop as _
from laws.book import deciding
from laws.book.questions import REVOKE_ASKS, Ask
from laws.book.situation import NO_EFFECT, Moment, Situation

ANYBODY = _("Any player")
DIRECTOR = _("The director")
EITHER = _("Either opponent")
NEVER = _("Not lost: it must be done.")
BEFORE_PLAY = _("None: the deal has not been played.")
AVERAGE_OR_NEW = _(
    "More than two tables in play: the average for the deal at this table. Fewer than three: a "
    "new deal."
)
WHILE_UNPLAYED = _(
    "Any time in the deal before the player to be called has played to the trick in progress. "
    "It can be repeated until obeyed, but not changed (Law IV §6)."
)
RIGHT = _("Only the opponent on the right of the player whose card is called")
RIGHT_OF_LEADER = _("Only the opponent on the right of the player who is to lead")
OPPONENTS = _("The opponents")
REVOKE_LOST = _(
    "When the claimant or his partner has played to the next deal, or both have left the table "
    "(Law X §5). In time it cannot be waived."
)
CALL_LOST = _(
    "For that trick, when the opponent on the right has played without calling. Where the "
    "holder has the lead: when the trick before is turned and quitted, or another card is led. "
    "For good, when the card has been played (Law VII §3-4)."
)
AS_REVOKE = _(
    "As for a revoke: two tricks, within the limits of average, most and least (Law X §4)."
)

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
        also=_("misdeal faced imperfect thirteen fourteen twelve"),
        decide=deciding.dealing,
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
        score=NO_EFFECT,
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
        score=NO_EFFECT,
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
        score=NO_EFFECT,
    ),
    Situation(
        code="I9",
        laws=("IV.9",),
        offence=_("A wrong trump card is turned on an overplay, and found after play began"),
        remedy=AVERAGE_OR_NEW,
        enforcer=DIRECTOR,
        lost=NEVER,
        score=AVERAGE_OR_NEW,
        also=_("turn-up slip average"),
        decide=deciding.on_overplay_only(deciding.average_or_new),
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
        also=_("wrong trump recorded written"),
        decide=deciding.wrong_slip,
        often=6,
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
        also=_("extra card fourteen faced fouled tray board"),
        decide=deciding.on_overplay_only(deciding.average_or_new),
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
        also=_("twelve missing lost card"),
        stops={Ask.QUITTED: "no"},
        decide=deciding.on_overplay_only(deciding.short_hand),
    ),
)
SEEN: tuple[Situation, ...] = (
    Situation(
        code="I13",
        laws=("VI.3",),
        offence=_("A player lifts or turns another's card during play"),
        remedy=_("It is forbidden; the laws name no penalty. Put the card back."),
        enforcer=_("The director"),
        lost=_("There is no penalty to lose."),
        also=_("touches"),
        score=NO_EFFECT,
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
        lost=_("When the first trick that the offending side then wins is turned and quitted."),
        asks=(Ask.NAMED_IN_TIME, Ask.DEMAND),
        also=_("looks back last trick"),
        score=NO_EFFECT,
        decide=deciding.lead,
    ),
    Situation(
        code="I15",
        laws=("VII.1", "VII.4"),
        offence=_(
            "A card is exposed on the table, shown to partner or to both opponents, or named"
        ),
        remedy=_("The card lies face up and is liable to be called."),
        enforcer=RIGHT,
        lost=CALL_LOST,
        asks=(Ask.DEMAND,),
        also=_("dropped faced penalty card"),
        score=NO_EFFECT,
        often=3,
    ),
    Situation(
        code="I16",
        laws=("VII.2", "VII.4"),
        offence=_(
            "A player claims the rest, or shows his cards, before his partner has played"
        ),
        remedy=_("His partner's cards are laid face up and are liable to be called."),
        enforcer=RIGHT,
        lost=CALL_LOST,
        asks=(Ask.DEMAND,),
        also=_("the rest are ours claim concedes"),
        score=NO_EFFECT,
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
        lost=_("When the partner has played."),
        asks=(Ask.DEMAND,),
        also=_("it is ours whose trick remark"),
        score=NO_EFFECT,
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
        lost=_("When the partner has played to the trick."),
        asks=(Ask.DEMAND,),
        also=_("runs cards together"),
        score=NO_EFFECT,
    ),
)
LEADS: tuple[Situation, ...] = (
    Situation(
        code="I18",
        laws=("VIII.4",),
        offence=_("All four have played to a lead out of turn"),
        remedy=_("The trick stands; there is no penalty."),
        enforcer=_("Nobody"),
        lost=_("There is nothing to lose."),
        score=NO_EFFECT,
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
        lost=_("When the first trick that the offending side then wins is turned and quitted."),
        asks=(Ask.ALL_PLAYED, Ask.NAMED_IN_TIME, Ask.DEMAND),
        also=_("lead out of turn"),
        score=NO_EFFECT,
        decide=deciding.lead,
        often=5,
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
        lost=_("When it is waived, or not demanded at once."),
        asks=(Ask.ALL_PLAYED, Ask.DEMAND),
        also=_("lead out of turn"),
        score=NO_EFFECT,
        decide=deciding.lead,
        often=4,
    ),
    Situation(
        code="I21",
        laws=("VIII.3",),
        offence=_("A player has none of the suit that is called for the lead"),
        remedy=_("He leads as he likes; the penalty is paid."),
        enforcer=_("Nobody"),
        lost=_("There is nothing to lose."),
        also=_("cannot lead"),
        score=NO_EFFECT,
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
        lost=_("Only while not all four have played."),
        asks=(Ask.ALL_PLAYED,),
        also=_("followed wrong lead"),
        score=NO_EFFECT,
        decide=deciding.lead,
    ),
    Situation(
        code="I23",
        laws=("IX.1",),
        offence=_("The third hand plays before the second"),
        remedy=_("The fourth hand may play before the second too."),
        enforcer=_("The fourth hand"),
        lost=_("When the second hand has played."),
        also=_("out of turn"),
        score=NO_EFFECT,
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
        lost=_("When the third hand has played."),
        asks=(Ask.THIRD_PLAYED, Ask.DEMAND),
        also=_("out of turn"),
        score=NO_EFFECT,
        decide=deciding.fourth,
    ),
)
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
        score=NO_EFFECT,
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
        also=_("failed to follow suit"),
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
        also=_("mixes shuffles cards"),
        decide=deciding.revoke,
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
        score=NO_EFFECT,
        decide=deciding.wrong_demand,
    ),
)

GROUPS: dict[Moment, tuple[Situation, ...]] = {
    Moment.DEALING: DEALING,
    Moment.TRUMP: TRUMP,
    Moment.HANDS: HANDS,
    Moment.SEEN: SEEN,
    Moment.LEADS: LEADS,
    Moment.REVOKES: REVOKES,
    Moment.DEMANDS: DEMANDS,
}
SITUATIONS: dict[str, Situation] = {
    each.code: each
    for each in sorted(
        (one for group in GROUPS.values() for one in group), key=lambda it: it.number
    )
}
"""Every situation by its code, from I1 to I31."""


OFTEN = tuple(sorted((it for it in SITUATIONS.values() if it.often), key=lambda it: it.often))
"""What a director is called for most, that first."""
