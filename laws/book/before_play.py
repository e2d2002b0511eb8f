"""Laws I to V in plain words: the pack, the deal, the trump card, hands that are not right.

Source: the American Whist League's Laws of Duplicate Whist, as printed in *Hoyle's Standard
Games* (amended to 1914); law and section numbers are the code's own.
"""

from boards.whist.words import gettext_noop as _
from laws.book.values import Law, Text, law

BEFORE_PLAY: tuple[Law, ...] = (
    law(
        "I",
        _("Shuffling"),
        _("Shuffle the pack before every deal, where an opponent or the umpire can watch."),
        _("No face may show while shuffling. If one does, shuffle again."),
    ),
    law(
        "II",
        _("Cutting"),
        Text(
            _(
                "The dealer offers the pack to the opponent on his right, who lifts at least "
                "four cards off the top, lays them towards the dealer, and leaves at least "
                "four behind. The dealer puts the packet left behind on top. If a card shows "
                "meanwhile, shuffle and cut again; if the cards are mixed up, or nobody is "
                "sure where the cut was, cut again."
            ),
            note=_(
                "The code's heading is “Cutting for the Trump”; what it describes is the "
                "common cut before a deal."
            ),
        ),
    ),
    law(
        "III",
        _("Dealing"),
        _(
            "Deal the cards one by one from the top, face down, beginning with the player on "
            "the dealer's left and going on to the left. The last card, the fifty-second, is "
            "the trump card: it is turned up on the tray, or at the dealer's right where there "
            "is no tray."
        ),
        Text(
            _("There must be a new deal when"),
            items=(
                ("a", _("any card but the last shows its face during the deal;")),
                ("b", _("the pack proves to be wrong or incomplete;")),
                ("c", _("a player has been dealt more or fewer than thirteen cards;")),
                (
                    "d",
                    _(
                        "on the original play, cards are found left in the tray after the "
                        "first trick has been turned and quitted."
                    ),
                ),
            ),
            note=_(
                "No fault in dealing costs the dealer his deal, as it does at a single table: "
                "the cards are simply dealt anew."
            ),
        ),
    ),
    law(
        "IV",
        _("The trump card"),
        _(
            "Before play, write the trump card and the number of the deal on the trump slip, "
            "and nowhere else. Show the slip to an opponent, turn it face down, and put it in "
            "the tray."
        ),
        _(
            "The dealer leaves the trump card face up until it is his turn to play to the "
            "first trick. He must have taken it into his hand, and turned the slip down, "
            "before the second trick is turned and quitted."
        ),
        _(
            "On an overplay the dealer shows the trump slip to an opponent; from there on slip "
            "and trump card are handled as on the original play."
        ),
        _(
            "Once the trump card is in the hand and the slip turned down, nobody may name the "
            "card or look at the slip while the deal is played. Anybody may always ask which "
            "suit is trumps."
        ),
        _(
            "A player who looks at the slip when he may not can be told to play his highest or "
            "his lowest trump. If he names the trump card, or shows the slip to his partner, "
            "it is his partner who can be told so."
        ),
        _(
            "Either opponent may demand this at any time during that deal, as long as the "
            "player to be called has not yet played to the trick in progress. The call can be "
            "repeated from trick to trick until it is obeyed, but not changed: highest stays "
            "highest."
        ),
        _(
            "After play each player puts his own cards into the tray face down, the trump card "
            "among them. The trump slip goes face up on the dealer's cards."
        ),
        _(
            "If on an overplay the dealer turns another card than the slip says, and this is "
            "put right before play of the deal begins, the card wrongly turned is liable to be "
            "called."
        ),
        _(
            "If it is put right only after the overplay has begun: where more than two tables "
            "are in play, the players at that table take the average score for the deal; where "
            "fewer than three are, there must be a new deal."
        ),
        Text(
            _(
                "If the slip names another trump than the one turned in dealing: found at the "
                "next table, there must be a new deal. Where one or more tables have already "
                "played the deal with the wrong trump, the recorded trump counts as right and "
                "the players at the original table take the average score; with fewer than "
                "three tables in play there must be a new deal."
            ),
            note=_(
                "Two cases: found before any later table has played the deal, a new deal; "
                "found after at least one has, the recorded trump stands."
            ),
        ),
        _(
            "If every player of the match agrees, a trump suit may be declared and no card "
            "turned."
        ),
    ),
    law(
        "V",
        _("Hands that are not right, on an overplay"),
        Text(
            _(
                "When on an overplay a player has too many cards, or the trump card is not in "
                "the dealer's hand, or any other card lies so that some of its face shows:"
            ),
            items=(
                ("1", _("with fewer than three tables engaged there must be a new deal;")),
                (
                    "2",
                    _(
                        "with more than two, the hands are put right and passed on. The table "
                        "that found the fault must not play the deal and takes the average "
                        "score."
                    ),
                ),
            ),
        ),
        _(
            "When on an overplay a player is found short after the first trick has been turned "
            "and quitted, and the other three hands are right, he answers for what is missing: "
            "any revoke that came of it is charged to him. The deal stands."
        ),
    ),
)
