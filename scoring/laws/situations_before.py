"""What may go wrong before the first card is played, and with the hands in the tray."""

from scoring.laws.questions import REVOKE_ASKS, Ask
from scoring.laws.situation import Situation

ANYBODY = "Any player"
DIRECTOR = "The director"
EITHER = "Either opponent"
NEVER = "Not lost: it must be done."
BEFORE_PLAY = "None: the deal has not been played."
AVERAGE_OR_NEW = (
    "More than two tables in play: the average for the deal at this table. Fewer than three: a "
    "new deal."
)
WHILE_UNPLAYED = (
    "Any time in the deal before the player to be called has played to the trick in progress. "
    "It can be repeated until obeyed, but not changed (Law IV §6)."
)

DEALING: tuple[Situation, ...] = (
    Situation(
        "I1",
        "A face is shown while shuffling",
        ("I.2",),
        "Shuffle again.",
        ANYBODY,
        "Before the deal.",
        BEFORE_PLAY,
        also="exposed shuffle",
    ),
    Situation(
        "I2",
        "A card is exposed while cutting",
        ("II.1",),
        "Shuffle and cut again.",
        ANYBODY,
        "Before the deal.",
        BEFORE_PLAY,
        also="cut reuniting",
    ),
    Situation(
        "I3",
        "The cut is mixed up or doubtful",
        ("II.1",),
        "Cut again.",
        ANYBODY,
        "Before the deal.",
        BEFORE_PLAY,
        also="confusion disarranged",
    ),
    Situation(
        "I4",
        "A fault in dealing: a card exposed, a wrong number of cards, a bad pack",
        ("III.2",),
        "A new deal.",
        DIRECTOR,
        NEVER,
        "The old deal is void; the new one is scored.",
        also="misdeal faced imperfect thirteen fourteen twelve",
    ),
    Situation(
        "I5",
        "Cards are found left in the tray on the original play",
        ("III.2",),
        "A new deal.",
        DIRECTOR,
        "It must be done when found after the first trick was turned and quitted.",
        "The old deal is void; the new one is scored.",
        (Ask.QUITTED,),
        also="board pocket left over",
    ),
)
TRUMP: tuple[Situation, ...] = (
    Situation(
        "I6",
        "A player looks at the trump slip when he may not",
        ("IV.5", "IV.6"),
        "His own highest or lowest trump may be called.",
        EITHER,
        WHILE_UNPLAYED,
        asks=(Ask.DEMAND,),
    ),
    Situation(
        "I7",
        "A player names the trump card, or shows the slip to his partner",
        ("IV.5", "IV.6"),
        "His partner's highest or lowest trump may be called.",
        EITHER,
        WHILE_UNPLAYED,
        asks=(Ask.DEMAND,),
        also="tells turn-up",
    ),
    Situation(
        "I8",
        "A wrong trump card is turned on an overplay, and put right before play",
        ("IV.8", "VII.4"),
        "The card wrongly turned lies face up and is liable to be called.",
        "The opponent on the dealer's right",
        "When the card has been played.",
        asks=(Ask.DEMAND,),
        also="turn-up slip",
    ),
    Situation(
        "I9",
        "A wrong trump card is turned on an overplay, and found after play began",
        ("IV.9",),
        AVERAGE_OR_NEW,
        DIRECTOR,
        NEVER,
        AVERAGE_OR_NEW,
        also="turn-up slip average",
    ),
    Situation(
        "I10",
        "The slip records another trump than the one turned in dealing",
        ("IV.10",),
        "A new deal; or the recorded trump stands and the original table takes the average.",
        DIRECTOR,
        NEVER,
        "Found before a later table played it, or with fewer than three tables: a new deal. "
        "Otherwise the average at the original table.",
        (Ask.OVERPLAYED,),
        also="wrong trump recorded written",
    ),
)
HANDS: tuple[Situation, ...] = (
    Situation(
        "I11",
        "On an overplay a hand has too many cards, the trump card is astray, or a card lies "
        "face up",
        ("V.1",),
        "More than two tables in play: put the hands right and send them on; this table does "
        "not play the deal. Fewer than three: a new deal.",
        DIRECTOR,
        NEVER,
        AVERAGE_OR_NEW,
        also="extra card fourteen faced fouled tray board",
    ),
    Situation(
        "I12",
        "On an overplay a hand is found short after the first trick",
        ("V.2", "X.4"),
        "The deal stands. The player answers for what is missing: a revoke that came of it is "
        "charged to him.",
        "The opponents",
        "As with a revoke (Law X §5).",
        "As for a revoke, if there was one because of it.",
        (Ask.OTHERS_RIGHT, Ask.QUITTED, Ask.CAUSED, *REVOKE_ASKS),
        also="twelve missing lost card",
    ),
)
