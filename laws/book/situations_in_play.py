"""What may go wrong while the cards are played, and with what is demanded for it."""

from boards.whist.words import gettext_noop as _
from laws.book.questions import REVOKE_ASKS, Ask
from laws.book.situation import Situation

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

SEEN: tuple[Situation, ...] = (
    Situation(
        "I13",
        ("VI.3",),
        _("A player lifts or turns another's card during play"),
        _("It is forbidden; the laws name no penalty. Put the card back."),
        _("The director"),
        _("There is no penalty to lose."),
        also=_("touches"),
    ),
    Situation(
        "I14",
        ("VI.5", "VIII.1"),
        _(
            "A player names, lifts or turns a card of a quitted trick so that his side can see "
            "it"
        ),
        _("As for leading out of turn: a suit may be called when his side next has the lead."),
        RIGHT_OF_LEADER,
        _("When the first trick that the offending side then wins is turned and quitted."),
        asks=(Ask.NAMED_IN_TIME, Ask.DEMAND),
        also=_("looks back last trick"),
    ),
    Situation(
        "I15",
        ("VII.1", "VII.4"),
        _("A card is exposed on the table, shown to partner or to both opponents, or named"),
        _("The card lies face up and is liable to be called."),
        RIGHT,
        CALL_LOST,
        asks=(Ask.DEMAND,),
        also=_("dropped faced penalty card"),
    ),
    Situation(
        "I16",
        ("VII.2", "VII.4"),
        _("A player claims the rest, or shows his cards, before his partner has played"),
        _("His partner's cards are laid face up and are liable to be called."),
        RIGHT,
        CALL_LOST,
        asks=(Ask.DEMAND,),
        also=_("the rest are ours claim concedes"),
    ),
    Situation(
        "I28",
        ("XI.1",),
        _("A player draws attention to a trick before his partner has played to it"),
        _(
            "His partner may be told to play his highest or lowest of the suit led, or, having "
            "none, to trump or not to trump."
        ),
        _("The opponent who is last to play to the trick"),
        _("When the partner has played."),
        asks=(Ask.DEMAND,),
        also=_("it is ours whose trick remark"),
    ),
    Situation(
        "I29",
        ("XI.6",),
        _("A player leads or plays several winners before his partner has played"),
        _(
            "The partner may be told to win the first or any later trick to which one of them "
            "is played; the other cards so played are liable to be called."
        ),
        _("Either opponent"),
        _("When the partner has played to the trick."),
        asks=(Ask.DEMAND,),
        also=_("runs cards together"),
    ),
)
LEADS: tuple[Situation, ...] = (
    Situation(
        "I18",
        ("VIII.4",),
        _("All four have played to a lead out of turn"),
        _("The trick stands; there is no penalty."),
        _("Nobody"),
        _("There is nothing to lose."),
    ),
    Situation(
        "I19",
        ("VIII.1", "VIII.4"),
        _("A player leads when it is an opponent's lead"),
        _(
            "The cards are taken back and are not liable. A suit may be called from him or his "
            "partner when either next has the right to lead."
        ),
        RIGHT_OF_LEADER,
        _("When the first trick that the offending side then wins is turned and quitted."),
        asks=(Ask.ALL_PLAYED, Ask.NAMED_IN_TIME, Ask.DEMAND),
        also=_("lead out of turn"),
    ),
    Situation(
        "I20",
        ("VIII.2", "VIII.4"),
        _("A player leads when it is his partner's lead"),
        _(
            "The cards are taken back. A suit may be called at once from the player who should "
            "lead; he waits, and if he leads before that, his card is liable to be called."
        ),
        RIGHT_OF_LEADER,
        _("When it is waived, or not demanded at once."),
        asks=(Ask.ALL_PLAYED, Ask.DEMAND),
        also=_("lead out of turn"),
    ),
    Situation(
        "I21",
        ("VIII.3",),
        _("A player has none of the suit that is called for the lead"),
        _("He leads as he likes; the penalty is paid."),
        _("Nobody"),
        _("There is nothing to lose."),
        also=_("cannot lead"),
    ),
    Situation(
        "I22",
        ("VIII.4",),
        _("Cards have been played to a lead out of turn"),
        _(
            "The lead and the cards played to it are taken back; they are not liable to be "
            "called."
        ),
        _("Nobody"),
        _("Only while not all four have played."),
        asks=(Ask.ALL_PLAYED,),
        also=_("followed wrong lead"),
    ),
    Situation(
        "I23",
        ("IX.1",),
        _("The third hand plays before the second"),
        _("The fourth hand may play before the second too."),
        _("The fourth hand"),
        _("When the second hand has played."),
        also=_("out of turn"),
    ),
    Situation(
        "I24",
        ("IX.2",),
        _("The fourth hand plays before the second, and the third has not played"),
        _(
            "The second hand may be told to play his highest or lowest of the suit led, or, "
            "having none, to trump or not to trump. If he plays before that, his card is "
            "liable to be called."
        ),
        _("The third hand"),
        _("When the third hand has played."),
        asks=(Ask.THIRD_PLAYED, Ask.DEMAND),
        also=_("out of turn"),
    ),
)
REVOKES: tuple[Situation, ...] = (
    Situation(
        "I25",
        ("X.3",),
        _("A renounce in error is put right in time"),
        _("The card wrongly played is liable to be called."),
        _(
            "The opponent on the offender's right calls the card; the one on his left may "
            "demand highest or lowest to that trick"
        ),
        CALL_LOST,
        asks=(Ask.ESTABLISHED, Ask.HAND, Ask.DEMAND),
        also=_("failed to follow suit corrected"),
    ),
    Situation(
        "I26",
        ("X.4", "X.5"),
        _("A revoke"),
        _(
            "Two tricks for the first revoke and one for each more, within the limits of Law X "
            "§4."
        ),
        _("The opponents claim; the director enforces"),
        REVOKE_LOST,
        AS_REVOKE,
        (Ask.ESTABLISHED, *REVOKE_ASKS),
        also=_("failed to follow suit"),
    ),
    Situation(
        "I27",
        ("X.6", "X.4"),
        _("After a claim of a revoke the accused side disturbs the order of its cards"),
        _("The revoke is established without proof."),
        OPPONENTS,
        REVOKE_LOST,
        AS_REVOKE,
        REVOKE_ASKS,
        also=_("mixes shuffles cards"),
    ),
)
DEMANDS: tuple[Situation, ...] = (
    Situation(
        "I17",
        ("XI.5", "X.4"),
        _("A player plays another card than the one rightly called"),
        _("He is liable as for a revoke."),
        OPPONENTS,
        REVOKE_LOST,
        AS_REVOKE,
        REVOKE_ASKS,
        also=_("refuses call"),
    ),
    Situation(
        "I30",
        ("XI.5", "X.4"),
        _("A player needlessly does not do what he was rightly told"),
        _("He is liable as for a revoke."),
        OPPONENTS,
        REVOKE_LOST,
        AS_REVOKE,
        REVOKE_ASKS,
        also=_("disobeys highest lowest trump lead suit win"),
    ),
    Situation(
        "I31",
        ("XI.4",),
        _("A wrong penalty is demanded, by the wrong opponent, or it is waived"),
        _("Nothing can be enforced any more, except for a revoke."),
        _("Nobody"),
        _("A rightful demand by either opponent is final."),
        asks=(Ask.WAS_REVOKE,),
        also=_("renounces right consults partner"),
    ),
)
