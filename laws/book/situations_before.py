"""What may go wrong before the first card is played, and with the hands in the tray."""

from boards.whist.words import gettext_noop as _
from laws.book.questions import REVOKE_ASKS, Ask
from laws.book.situation import Situation

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

DEALING: tuple[Situation, ...] = (
    Situation(
        "I1",
        ("I.2",),
        _("A face is shown while shuffling"),
        _("Shuffle again."),
        ANYBODY,
        _("Before the deal."),
        BEFORE_PLAY,
        also=_("exposed shuffle"),
    ),
    Situation(
        "I2",
        ("II.1",),
        _("A card is exposed while cutting"),
        _("Shuffle and cut again."),
        ANYBODY,
        _("Before the deal."),
        BEFORE_PLAY,
        also=_("cut reuniting"),
    ),
    Situation(
        "I3",
        ("II.1",),
        _("The cut is mixed up or doubtful"),
        _("Cut again."),
        ANYBODY,
        _("Before the deal."),
        BEFORE_PLAY,
        also=_("confusion disarranged"),
    ),
    Situation(
        "I4",
        ("III.2",),
        _("A fault in dealing: a card exposed, a wrong number of cards, a bad pack"),
        _("A new deal."),
        DIRECTOR,
        NEVER,
        _("The old deal is void; the new one is scored."),
        also=_("misdeal faced imperfect thirteen fourteen twelve"),
    ),
    Situation(
        "I5",
        ("III.2",),
        _("Cards are found left in the tray on the original play"),
        _("A new deal."),
        DIRECTOR,
        _("It must be done when found after the first trick was turned and quitted."),
        _("The old deal is void; the new one is scored."),
        (Ask.QUITTED,),
        also=_("board pocket left over"),
    ),
)
TRUMP: tuple[Situation, ...] = (
    Situation(
        "I6",
        ("IV.5", "IV.6"),
        _("A player looks at the trump slip when he may not"),
        _("His own highest or lowest trump may be called."),
        EITHER,
        WHILE_UNPLAYED,
        asks=(Ask.DEMAND,),
    ),
    Situation(
        "I7",
        ("IV.5", "IV.6"),
        _("A player names the trump card, or shows the slip to his partner"),
        _("His partner's highest or lowest trump may be called."),
        EITHER,
        WHILE_UNPLAYED,
        asks=(Ask.DEMAND,),
        also=_("tells turn-up"),
    ),
    Situation(
        "I8",
        ("IV.8", "VII.4"),
        _("A wrong trump card is turned on an overplay, and put right before play"),
        _("The card wrongly turned lies face up and is liable to be called."),
        _("The opponent on the dealer's right"),
        _("When the card has been played."),
        asks=(Ask.DEMAND,),
        also=_("turn-up slip"),
    ),
    Situation(
        "I9",
        ("IV.9",),
        _("A wrong trump card is turned on an overplay, and found after play began"),
        AVERAGE_OR_NEW,
        DIRECTOR,
        NEVER,
        AVERAGE_OR_NEW,
        also=_("turn-up slip average"),
    ),
    Situation(
        "I10",
        ("IV.10",),
        _("The slip records another trump than the one turned in dealing"),
        _("A new deal; or the recorded trump stands and the original table takes the average."),
        DIRECTOR,
        NEVER,
        _(
            "Found before a later table played it, or with fewer than three tables: a new "
            "deal. Otherwise the average at the original table."
        ),
        (Ask.OVERPLAYED,),
        also=_("wrong trump recorded written"),
    ),
)
HANDS: tuple[Situation, ...] = (
    Situation(
        "I11",
        ("V.1",),
        _(
            "On an overplay a hand has too many cards, the trump card is astray, or a card "
            "lies face up"
        ),
        _(
            "More than two tables in play: put the hands right and send them on; this table "
            "does not play the deal. Fewer than three: a new deal."
        ),
        DIRECTOR,
        NEVER,
        AVERAGE_OR_NEW,
        also=_("extra card fourteen faced fouled tray board"),
    ),
    Situation(
        "I12",
        ("V.2", "X.4"),
        _("On an overplay a hand is found short after the first trick"),
        _(
            "The deal stands. The player answers for what is missing: a revoke that came of it "
            "is charged to him."
        ),
        _("The opponents"),
        _("As with a revoke (Law X §5)."),
        _("As for a revoke, if there was one because of it."),
        (Ask.OTHERS_RIGHT, Ask.QUITTED, Ask.CAUSED, *REVOKE_ASKS),
        also=_("twelve missing lost card"),
    ),
)
