"""The terms that the laws define, and the program's readings of unclear passages.

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
        _("the four hands of a pack, ready for play. Also the act of dealing."),
    ),
    Definition(
        "c",
        _("Tray"),
        _("a holder that keeps the four hands of a deal apart and shows who plays in turn."),
    ),
    Definition(
        "d",
        _("Dealer"),
        _(
            "the player entitled to the trump card, even if someone else dealt. So an "
            "overplay has a dealer too."
        ),
    ),
    Definition(
        "e",
        _("Original play, overplay"),
        _("the first play of a deal is the original play. Every later one is an overplay."),
    ),
    Definition(
        "f",
        _("Duplicate whist"),
        _(
            "whist in which other players play each deal again, so that teams, pairs or "
            "individuals can be compared."
        ),
    ),
    Definition(
        "g",
        _("Renounce, renounce in error, revoke"),
        _(
            "to renounce is not to follow suit. It is in error if the player has a card of "
            "the suit. If it isn’t corrected as the laws allow, it is a revoke."
        ),
    ),
    Definition(
        "h",
        _("Played"),
        _(
            "a card is played once it is put or dropped face up on the "
            "table in the course of play."
        ),
    ),
    Definition(
        "i",
        _("Turned and quitted"),
        _(
            "a trick is turned and quitted when all four players have "
            "turned down their card and let go of it."
        ),
    ),
)

READINGS: tuple[LawReading, ...] = (
    LawReading(
        1,
        _("The average"),
        _(
            "The laws never define it. Here it is the mean of the same direction at the "
            "other tables that validly played the deal. It may be a fraction and isn’t "
            "rounded."
        ),
    ),
    LawReading(
        2,
        _("Tricks won before the revoke, against the average (Law X §4)"),
        _(
            "“In no case” is taken literally: those tricks are kept even "
            "above the average. An event can choose otherwise."
        ),
    ),
    LawReading(
        3,
        _("The average in pair matches (Law X §4)"),
        _("It applies there too. The law states it for all matches before it mentions pairs."),
    ),
    LawReading(
        4,
        _("Both sides revoke on one deal"),
        _(
            "The laws don’t cover this. The penalties are offset, without the limit at the "
            "average, and the director confirms the outcome."
        ),
    ),
    LawReading(
        5,
        _("A penalty of more tricks than the side has"),
        _("It stops at zero, or at the tricks won before the first revoke."),
    ),
    LawReading(
        6,
        _("A pair match where no other table has a score yet"),
        _(
            "The most and the least aren’t known yet, so the ruling is provisional until "
            "another score comes in."
        ),
    ),
    LawReading(
        7,
        _("The dealer leaves the trump card on the table (Law IV §2)"),
        _(
            "No penalty is named. Once the second trick is turned and "
            "quitted, the director may let it be called, as at a single "
            "table."
        ),
    ),
    LawReading(
        8,
        _("Tables in play (Laws IV §9-10, V §1)"),
        _("The tables in the section at which the deal is to be played."),
    ),
    LawReading(
        9,
        _("A new deal after the old one was played, with fewer than three tables"),
        _("The earlier score can’t be compared and is void."),
    ),
    LawReading(
        10,
        _("The right to enforce (Laws IV §6, VII §4, XI §6)"),
        _(
            "Sometimes only the right-hand opponent may enforce, sometimes either. This is "
            "deliberate, so each offence says who may."
        ),
    ),
    LawReading(
        11,
        _("The full penalty in pair matches (Law X §4)"),
        _(
            "One side’s most is the other side’s least, as they share thirteen tricks. If "
            "the committee enforces the full penalty, neither applies."
        ),
    ),
    LawReading(
        12,
        _("A wrong slip, but later tables played with the trump that was turned (Law IV §10)"),
        _(
            "The law gives a new deal only if the next table finds it. "
            "It gives an average only if a table played with the wrong "
            "trump. Here the slip is corrected and the results stay."
        ),
    ),
    LawReading(
        13,
        _("A pack that is wrong on an overplay (Laws III §2, V)"),
        _(
            "If it was wrong when the board was dealt, there is a new "
            "deal. If a card was lost or added later, earlier results "
            "stay and Law V decides for this table."
        ),
    ),
)
