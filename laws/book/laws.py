"""The Laws of Duplicate Whist, law by law and section by section.

Source: the American Whist League's code, adopted in 1900 and amended to 1914, as printed in
*Hoyle's Standard Games*, in our own plain words. Law and section numbers are those of the code.
"""

from laws.book.values import Law, LawSection, SectionText, build_law
from server.translation import gettext_noop as _

LAWS_SOURCE = _(
    "The American Whist League’s code of 1900, amended 1902 to 1906, 1908 to 1910, 1912 "
    "and 1914, in plain words."
)
"""The author and the years of this code of laws, for display."""

LAWS: tuple[Law, ...] = (
    build_law(
        "I",
        _("Shuffling"),
        _("Shuffle the pack before every deal, where an opponent or the umpire can watch."),
        _("No face may show while shuffling. If one does, shuffle again."),
    ),
    build_law(
        "II",
        _("Cutting"),
        SectionText(
            _(
                "The dealer offers the pack to the opponent on the right. "
                "That player lifts at least four cards off the top, lays "
                "them towards the dealer, and leaves at least four behind. "
                "The dealer puts the packet left behind on top. If a card "
                "shows, shuffle and cut again. If the cards are mixed up, or "
                "the place of the cut is doubtful, cut again."
            ),
            note=_(
                "The code’s heading is “Cutting for the Trump”, but it describes the usual "
                "cut before a deal."
            ),
        ),
    ),
    build_law(
        "III",
        _("Dealing"),
        _(
            "Deal the cards one by one from the top, face down, to the left, beginning "
            "with the player on the dealer’s left. The last card, the fifty-second, is the "
            "trump card. It is turned up on the tray, or at the dealer’s right if there is "
            "no tray."
        ),
        SectionText(
            _("There must be a new deal when"),
            items={
                "a": _("any card but the last shows its face during the deal;"),
                "b": _("the pack proves to be wrong or incomplete;"),
                "c": _("a player has been dealt more or fewer than thirteen cards;"),
                "d": _(
                    "on the original play, cards are found left in the tray after the "
                    "first trick has been turned and quitted."
                ),
            },
            note=_(
                "A fault in dealing never costs the dealer the deal, as it "
                "does at a single table. The cards are simply dealt again."
            ),
        ),
    ),
    build_law(
        "IV",
        _("The trump card"),
        _(
            "Before play, write the trump card and the number of the deal on the trump slip, "
            "and nowhere else. Show the slip to an opponent, turn it face down, and put it in "
            "the tray."
        ),
        _(
            "The dealer leaves the trump card face up until it is the dealer’s turn to "
            "play to the first trick. It must be taken into the hand, and the slip turned "
            "down, before the second trick is turned and quitted."
        ),
        _(
            "On an overplay the dealer shows the trump slip to an "
            "opponent. After that, slip and trump card are handled as on "
            "the original play."
        ),
        _(
            "Once the trump card is in the hand and the slip turned "
            "down, no one may name the card or look at the slip. This "
            "applies until the deal has been played. Anyone may always "
            "ask which suit is trumps."
        ),
        _(
            "A player who looks at the slip when not allowed to may be "
            "told to play the highest or lowest trump. If a player names "
            "the trump card, or shows the slip to partner, the partner "
            "may be told so."
        ),
        _(
            "Either opponent may demand this during the deal, until the "
            "player to be called has played to the trick in progress. "
            "The call can be repeated from trick to trick until it is "
            "obeyed, but not changed: highest stays highest."
        ),
        _(
            "After play each player puts their own cards into the tray face down, "
            "including the trump card. The trump slip goes face up on the dealer’s cards."
        ),
        _(
            "On an overplay the dealer turns a different card from the "
            "slip: if this is corrected before play of the deal begins, "
            "the card wrongly turned is liable to be called."
        ),
        _(
            "If it is corrected only after the overplay has begun, the "
            "number of tables in play decides. With more than two, the "
            "players at that table take the average score for the deal. "
            "With fewer than three, there must be a new deal."
        ),
        SectionText(
            _(
                "The slip names a different trump from the one turned in "
                "dealing: if this is found at the next table, there must be "
                "a new deal. If one or more tables have already played the "
                "deal with the wrong trump, the recorded trump counts as "
                "right. The players at the original table then take the "
                "average score. With fewer than three tables in play there "
                "must be a new deal."
            ),
            note=_(
                "Two cases: a new deal if found before any later table has "
                "played it, otherwise the recorded trump counts."
            ),
        ),
        _(
            "If every player of the match agrees, a trump suit may be declared and no card "
            "turned."
        ),
    ),
    build_law(
        "V",
        _("Wrong hands on an overplay"),
        SectionText(
            _(
                "If on an overplay a player has too many cards, or the trump card is not "
                "in the dealer’s hand, or any other card shows some of its face:"
            ),
            items={
                "1": _("with fewer than three tables engaged there must be a new deal;"),
                "2": _(
                    "with more than two, the hands are corrected and passed on. "
                    "The table that found the fault must not play the deal and "
                    "takes the average score."
                ),
            },
        ),
        _(
            "If on an overplay a player is found short after the first "
            "trick has been turned and quitted, and the other three "
            "hands are right, the deal counts. The player answers for "
            "what is missing: any revoke that came of it is charged."
        ),
    ),
    build_law(
        "VI",
        _("Playing, turning and quitting"),
        _(
            "Each player in turn lays a card face up in front, towards "
            "the middle, and leaves it until all four have played. Then "
            "each turns their card down nearer to themselves, over the "
            "last one, its ends pointing to the side that won the trick. "
            "A card is quitted when the hand leaves it, after playing "
            "and again after turning."
        ),
        _(
            "The cards stay in the order in which they were played until the deal’s score "
            "has been written down."
        ),
        _("During play no one may lift or turn another player’s card."),
        _(
            "Until the trick is turned and quitted, any player may have "
            "any other show the card played to it."
        ),
        _(
            "No player may name a card of a trick that is turned and "
            "quitted, or lift or turn one so that this player or partner "
            "can see some of its face. A player who does is liable as "
            "for leading out of turn (Law VIII)."
        ),
    ),
    build_law(
        "VII",
        _("Cards liable to be called"),
        SectionText(
            _("These cards are liable to be called:"),
            items={
                "a": _(
                    "a card put on the table so that some of its face shows, unless "
                    "another law says otherwise;"
                ),
                "b": _(
                    "a card held so that its holder’s partner, or both opponents at once, "
                    "can see some of its face;"
                ),
                "c": _("a card, other than the trump card, that its holder names."),
            },
        ),
        _(
            "If a player says “the rest are ours”, “it does not matter what you play” or "
            "the like, partner’s cards must be laid face up and are liable to be called. "
            "The same applies if, before partner has played to the trick, a player plays "
            "or shows all the cards left."
        ),
        _(
            "Such cards stay face up until they are played. When one is "
            "rightly called it must be led or played, unless that would "
            "be a revoke. It can be called at every trick. Its holder "
            "may always play it without a call. Once it is played, the "
            "penalty is gone."
        ),
        _(
            "Only the opponent on the holder’s right may call it. If that opponent plays "
            "without calling, the holder may play any card to that trick. Where the holder "
            "has the lead, the call must come before the previous trick is turned and "
            "quitted, or before the holder leads another card."
        ),
    ),
    build_law(
        "VIII",
        _("Leading out of turn"),
        _(
            "A player leads when it was an opponent’s lead, and it is noticed before all "
            "four have played: a suit may be called from that player or partner, the next "
            "time either of them has the right to lead. Only the opponent on the right of "
            "the one who is to lead may call it. The suit must be named before the first "
            "trick that the offending side then wins is turned and quitted. After that the "
            "right is lost."
        ),
        _(
            "A player leads when it was partner’s lead, and it is noticed before all four "
            "have played: the opponent on the right of the one who should lead may at once "
            "call a suit from that player. The player must wait until this is done, waived "
            "or lost. If a card is led before that, it is liable to be called."
        ),
        _("A player who has none of the suit called may lead any card."),
        SectionText(
            _(
                "If not all four have played to the wrong lead, the card led "
                "and those played to it go back into the hands. They are not "
                "liable to be called."
            ),
            note=_(
                "When all four have played, the trick counts and there is no penalty. The "
                "law implies it, and the same book’s laws for a single table state it."
            ),
        ),
    ),
    build_law(
        "IX",
        _("Playing out of turn"),
        _(
            "If the third hand plays before the second, the fourth hand may play before the "
            "second too."
        ),
        _(
            "If the fourth hand plays before the second, and the third "
            "has not played, the third hand may have the second play "
            "highest or lowest of the suit led. If the second has none, "
            "the third may have the second trump or not trump. The right "
            "is lost when the third hand has played. A card that the "
            "second plays before this is settled is liable to be called."
        ),
    ),
    build_law(
        "X",
        _("The revoke"),
        SectionText(
            _(
                "A player may correct a renounce in error, except in two "
                "cases. Then it is a revoke, and the penalty is due:"
            ),
            items={
                "a": _("when the trick has been turned and quitted;"),
                "b": _(
                    "when the player or partner, in turn or not, has led or "
                    "played to the next trick."
                ),
            },
        ),
        _(
            "Before the trick is turned and quitted, any player may ask "
            "an opponent who has renounced whether they have none of the "
            "suit, and may have the error corrected."
        ),
        _(
            "When it has been corrected in time, the card wrongly played "
            "is liable to be called. If the offender was second or third "
            "hand, and the opponent on the left had played before it was "
            "noticed, that opponent may demand highest or lowest to that "
            "trick. The offender must wait for this decision. Players "
            "who played after the renounce may change their cards."
        ),
        SectionText(
            _("The penalty for a revoke:"),
            items={
                "1": _(
                    "A side’s first revoke in a deal costs it two tricks, which its "
                    "opponents get. Each further one costs one more."
                ),
                "2": _(
                    "On that deal the revoking side cannot score more than the average, "
                    "nor its opponents less."
                ),
                "3": _(
                    "In no case does the penalty take a trick that the side had won before "
                    "its first revoke."
                ),
                "4": _(
                    "In pair matches the score is written down as it was made, "
                    "with −R next to the revoking side and +R next to its "
                    "opponents. The penalty lifts the opponents no higher than "
                    "the most made at the other tables, and takes the revoking "
                    "side no lower than the least made there. The exception is "
                    "when the injured side satisfies the committee that the full "
                    "penalty should be enforced."
                ),
                "5": _(
                    "If the opponents have more than that most without the "
                    "penalty, the score counts as it was made."
                ),
            },
            note=_(
                "“In no case” in item 3 is taken literally, even above the "
                "average. An event can choose to put the average first. Item "
                "2 applies in pair matches too."
            ),
        ),
        _(
            "A revoke can’t be claimed once the claimant or partner has played to the next "
            "deal, or once both have left the table where it happened. If it is found in "
            "time it must be enforced, and can’t be waived."
        ),
        _(
            "After the deal those who claim may look through all the "
            "cards. If a hand has been shuffled the claim can still be "
            "argued, and proved if that is possible. If, after the "
            "claim, the accused player or partner disturbs the order of "
            "the cards before the opponents are satisfied, the revoke is "
            "established without proof."
        ),
    ),
    build_law(
        "XI",
        _("Other matters"),
        _(
            "If a player draws attention to a trick before partner has "
            "played to it, the last opponent to play to the trick may "
            "have that partner play highest or lowest of the suit led. "
            "If that partner has none, the opponent may have them trump "
            "or not trump."
        ),
        _("A player may remind partner that a penalty can be enforced, and which."),
        _(
            "A player may stop partner from breaking a law. For example, "
            "a player may ask whether partner has none of a suit just "
            "renounced, until the trick is turned and quitted."
        ),
        _(
            "When either opponent demands a penalty to which they are entitled, that is "
            "final, with or without partner’s consent. When the wrong opponent demands "
            "one, or a wrong one is demanded, or either opponent waives it, none can be "
            "enforced. The exception is a revoke."
        ),
        _(
            "A player may rightly be told to play highest or lowest, to "
            "trump or not, to lead a suit or to win a trick. A player "
            "who could obey but does not is liable as for a revoke."
        ),
        _(
            "A player leads or plays a card and then, before partner has "
            "played to the trick, leads one or more others, or plays "
            "several at once: if all are better than any the opponents "
            "have of the suit, either opponent may have the partner win "
            "the first trick to which one of them is played, or any "
            "later one. The other cards so played are liable to be "
            "called."
        ),
    ),
)
SECTIONS_BY_KEY: dict[str, LawSection] = {
    section.key: section for law in LAWS for section in law.sections
}
"""All sections of the laws by key, such as "X.4"."""
