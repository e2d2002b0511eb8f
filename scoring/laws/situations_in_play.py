"""What may go wrong while the cards are played, and with what is demanded for it."""

from scoring.laws.questions import REVOKE_ASKS, Ask
from scoring.laws.situation import Situation

RIGHT = "Only the opponent on the right of the player whose card is called"
RIGHT_OF_LEADER = "Only the opponent on the right of the player who is to lead"
OPPONENTS = "The opponents"
REVOKE_LOST = (
    "When the claimant or his partner has played to the next deal, or both have left the table "
    "(Law X §5). In time it cannot be waived."
)
CALL_LOST = (
    "For that trick, when the opponent on the right has played without calling. Where the "
    "holder has the lead: when the trick before is turned and quitted, or another card is led. "
    "For good, when the card has been played (Law VII §3-4)."
)
AS_REVOKE = (
    "As for a revoke: two tricks, within the limits of average, most and least (Law X §4)."
)

SEEN: tuple[Situation, ...] = (
    Situation(
        "I13",
        "A player lifts or turns another's card during play",
        ("VI.3",),
        "It is forbidden; the laws name no penalty. Put the card back.",
        "The director",
        "There is no penalty to lose.",
        also="touches",
    ),
    Situation(
        "I14",
        "A player names, lifts or turns a card of a quitted trick so that his side can see it",
        ("VI.5", "VIII.1"),
        "As for leading out of turn: a suit may be called when his side next has the lead.",
        RIGHT_OF_LEADER,
        "When the first trick that the offending side then wins is turned and quitted.",
        asks=(Ask.NAMED_IN_TIME, Ask.DEMAND),
        also="looks back last trick",
    ),
    Situation(
        "I15",
        "A card is exposed on the table, shown to partner or to both opponents, or named",
        ("VII.1", "VII.4"),
        "The card lies face up and is liable to be called.",
        RIGHT,
        CALL_LOST,
        asks=(Ask.DEMAND,),
        also="dropped faced penalty card",
    ),
    Situation(
        "I16",
        "A player claims the rest, or shows his cards, before his partner has played",
        ("VII.2", "VII.4"),
        "His partner's cards are laid face up and are liable to be called.",
        RIGHT,
        CALL_LOST,
        asks=(Ask.DEMAND,),
        also="the rest are ours claim concedes",
    ),
    Situation(
        "I28",
        "A player draws attention to a trick before his partner has played to it",
        ("XI.1",),
        "His partner may be told to play his highest or lowest of the suit led, or, having "
        "none, to trump or not to trump.",
        "The opponent who is last to play to the trick",
        "When the partner has played.",
        asks=(Ask.DEMAND,),
        also="it is ours whose trick remark",
    ),
    Situation(
        "I29",
        "A player leads or plays several winners before his partner has played",
        ("XI.6",),
        "The partner may be told to win the first or any later trick to which one of them is "
        "played; the other cards so played are liable to be called.",
        "Either opponent",
        "When the partner has played to the trick.",
        asks=(Ask.DEMAND,),
        also="runs cards together",
    ),
)
LEADS: tuple[Situation, ...] = (
    Situation(
        "I18",
        "All four have played to a lead out of turn",
        ("VIII.4",),
        "The trick stands; there is no penalty.",
        "Nobody",
        "There is nothing to lose.",
    ),
    Situation(
        "I19",
        "A player leads when it is an opponent's lead",
        ("VIII.1", "VIII.4"),
        "The cards are taken back and are not liable. A suit may be called from him or his "
        "partner when either next has the right to lead.",
        RIGHT_OF_LEADER,
        "When the first trick that the offending side then wins is turned and quitted.",
        asks=(Ask.ALL_PLAYED, Ask.NAMED_IN_TIME, Ask.DEMAND),
        also="lead out of turn",
    ),
    Situation(
        "I20",
        "A player leads when it is his partner's lead",
        ("VIII.2", "VIII.4"),
        "The cards are taken back. A suit may be called at once from the player who should "
        "lead; he waits, and if he leads before that, his card is liable to be called.",
        RIGHT_OF_LEADER,
        "When it is waived, or not demanded at once.",
        asks=(Ask.ALL_PLAYED, Ask.DEMAND),
        also="lead out of turn",
    ),
    Situation(
        "I21",
        "A player has none of the suit that is called for the lead",
        ("VIII.3",),
        "He leads as he likes; the penalty is paid.",
        "Nobody",
        "There is nothing to lose.",
        also="cannot lead",
    ),
    Situation(
        "I22",
        "Cards have been played to a lead out of turn",
        ("VIII.4",),
        "The lead and the cards played to it are taken back; they are not liable to be called.",
        "Nobody",
        "Only while not all four have played.",
        asks=(Ask.ALL_PLAYED,),
        also="followed wrong lead",
    ),
    Situation(
        "I23",
        "The third hand plays before the second",
        ("IX.1",),
        "The fourth hand may play before the second too.",
        "The fourth hand",
        "When the second hand has played.",
        also="out of turn",
    ),
    Situation(
        "I24",
        "The fourth hand plays before the second, and the third has not played",
        ("IX.2",),
        "The second hand may be told to play his highest or lowest of the suit led, or, having "
        "none, to trump or not to trump. If he plays before that, his card is liable to be "
        "called.",
        "The third hand",
        "When the third hand has played.",
        asks=(Ask.THIRD_PLAYED, Ask.DEMAND),
        also="out of turn",
    ),
)
REVOKES: tuple[Situation, ...] = (
    Situation(
        "I25",
        "A renounce in error is put right in time",
        ("X.3",),
        "The card wrongly played is liable to be called.",
        "The opponent on the offender's right calls the card; the one on his left may demand "
        "highest or lowest to that trick",
        CALL_LOST,
        asks=(Ask.ESTABLISHED, Ask.HAND, Ask.DEMAND),
        also="failed to follow suit corrected",
    ),
    Situation(
        "I26",
        "A revoke",
        ("X.4", "X.5"),
        "Two tricks for the first revoke and one for each more, within the limits of Law X §4.",
        "The opponents claim; the director enforces",
        REVOKE_LOST,
        AS_REVOKE,
        (Ask.ESTABLISHED, *REVOKE_ASKS),
        also="failed to follow suit",
    ),
    Situation(
        "I27",
        "After a claim of a revoke the accused side disturbs the order of its cards",
        ("X.6", "X.4"),
        "The revoke is established without proof.",
        OPPONENTS,
        REVOKE_LOST,
        AS_REVOKE,
        REVOKE_ASKS,
        also="mixes shuffles cards",
    ),
)
DEMANDS: tuple[Situation, ...] = (
    Situation(
        "I17",
        "A player plays another card than the one rightly called",
        ("XI.5", "X.4"),
        "He is liable as for a revoke.",
        OPPONENTS,
        REVOKE_LOST,
        AS_REVOKE,
        REVOKE_ASKS,
        also="refuses call",
    ),
    Situation(
        "I30",
        "A player needlessly does not do what he was rightly told",
        ("XI.5", "X.4"),
        "He is liable as for a revoke.",
        OPPONENTS,
        REVOKE_LOST,
        AS_REVOKE,
        REVOKE_ASKS,
        also="disobeys highest lowest trump lead suit win",
    ),
    Situation(
        "I31",
        "A wrong penalty is demanded, by the wrong opponent, or it is waived",
        ("XI.4",),
        "Nothing can be enforced any more, except for a revoke.",
        "Nobody",
        "A rightful demand by either opponent is final.",
        asks=(Ask.WAS_REVOKE,),
        also="renounces right consults partner",
    ),
)
