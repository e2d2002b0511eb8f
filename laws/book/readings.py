"""The words that the laws define, and the program's readings of unclear places.

Source: the American Whist League's code, as printed in *Hoyle's Standard Games*, in our own
plain words.
"""

from laws.book.values import Definition, LawReading
from server.translation import gettext_noop as _

DEFINITIONS: tuple[Definition, ...] = (
    Definition("a", _("Hand"), _("the thirteen cards that one player receives.")),
    Definition(
        "b",
        _("Deal"),
        _("the four hands of a pack as they lie for play; also the act of dealing."),
    ),
    Definition(
        "c",
        _("Tray"),
        _("what keeps the four hands of a deal apart and shows who plays in turn."),
    ),
    Definition(
        "d",
        _("Dealer"),
        _(
            "the player who is entitled to the trump card, whether or not he dealt the cards; "
            "so an overplay has its dealer too."
        ),
    ),
    Definition(
        "e",
        _("Original play, overplay"),
        _("the first play of a deal is the original play; every later one is an overplay."),
    ),
    Definition(
        "f",
        _("Duplicate whist"),
        _(
            "whist in which each player plays a deal only once, and each deal is played again "
            "so that teams, pairs or single players can be compared."
        ),
    ),
    Definition(
        "g",
        _("Renounce, renounce in error, revoke"),
        _(
            "to renounce is not to follow suit; in error it is when one has a card of the "
            "suit; a renounce in error that is not put right as the laws allow is a revoke."
        ),
    ),
    Definition(
        "h",
        _("Played"),
        _(
            "a card is played once it has been put or dropped face up on the table in the "
            "course of play."
        ),
    ),
    Definition(
        "i",
        _("Turned and quitted"),
        _(
            "a trick is turned and quitted when all four players have turned down their own "
            "card and let go of it."
        ),
    ),
)

READINGS: tuple[LawReading, ...] = (
    LawReading(
        1,
        _("The average"),
        _(
            "The laws never say what it is. Here it is the mean of what the pairs sitting the "
            "same way made at the other tables that rightly played the deal. It may be a "
            "fraction, and it is kept exactly."
        ),
    ),
    LawReading(
        2,
        _("Tricks won before the revoke, against the average (Law X §4)"),
        _(
            "“In no case” is taken at its word: those tricks are kept even if that leaves the "
            "side above the average. An event can choose otherwise."
        ),
    ),
    LawReading(
        3,
        _("The average in pair matches (Law X §4)"),
        _("It binds there too: the law states it for all matches before it speaks of pairs."),
    ),
    LawReading(
        4,
        _("Both sides revoke on one deal"),
        _(
            "The laws do not speak of it. What the revokes cost is set off, no average binds, "
            "and the director has to confirm the outcome."
        ),
    ),
    LawReading(
        5,
        _("A penalty of more tricks than the side has"),
        _("It stops at none, or at the tricks won before the first revoke."),
    ),
    LawReading(
        6,
        _("A pair match where no other table has a score yet"),
        _(
            "The most and the least are not known; the ruling is provisional until another "
            "score comes in."
        ),
    ),
    LawReading(
        7,
        _("The dealer leaves the trump card on the table (Law IV §2)"),
        _(
            "No penalty is named. Once the second trick is turned and quitted the director may "
            "let it be called, as the same book does at a single table."
        ),
    ),
    LawReading(
        8,
        _("Tables in play (Laws IV §9-10, V §1)"),
        _("Those at which the deal is to be played in the section."),
    ),
    LawReading(
        9,
        _("A new deal after the old one was played, with fewer than three tables"),
        _("The score made before cannot be compared and is void."),
    ),
    LawReading(
        10,
        _("Who may enforce (Laws IV §6, VII §4, XI §6)"),
        _(
            "Sometimes only the opponent on the right, sometimes either. The difference is "
            "meant, so each offence says it."
        ),
    ),
    LawReading(
        11,
        _("The full penalty in pair matches (Law X §4)"),
        _(
            "The most of one side and the least of the other are the same limit, as the two "
            "share thirteen tricks. Where the committee enforces the full penalty, both fall "
            "away."
        ),
    ),
    LawReading(
        12,
        _("A wrong slip, but later tables played with the trump that was turned (Law IV §10)"),
        _(
            "There is a new deal only if the next table finds it, and an average only if a "
            "table played with the wrong trump. Here the slip is corrected, and the results "
            "stay."
        ),
    ),
    LawReading(
        13,
        _("A pack that is wrong on an overplay (Laws III §2, V)"),
        _(
            "If it was wrong when the board was dealt, there is a new deal. If a card was lost "
            "or added later, the earlier results stay and Law V decides for this table."
        ),
    ),
)
