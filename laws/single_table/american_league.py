"""The American Whist League's laws for a single table, in plain words.

Source of laws 1 to 39: *Hoyle's Standard Games*, "The laws of whist, as revised and adopted by
the third American Whist Congress". Source of law 40: *The Standard Hoyle* (1912).
"""

from laws.book.values import SectionText
from laws.single_table.values import LawBook, LawTexts, build_chapter
from server.translation import gettext_noop as _

_GAME_LAWS: LawTexts = {
    "1": _(
        "A game is seven points. Each trick over six counts one point. A game is worth "
        "seven less the losers’ score."
    ),
}
_FORMING_THE_TABLE_LAWS: LawTexts = {
    "2": _(
        "Those who came first have the preference. If several came together and there are more "
        "than four, the last comers cut, and lower cards come first. A table is complete with "
        "six; the first four play. They cut for partners, the two highest against the two "
        "lowest. The lowest deals and chooses cards and seats."
    ),
    "3": _(
        "If two players cut equal cards in the middle, they cut again. The lower of the new "
        "cut plays with the original lowest."
    ),
    "4": _(
        "Three players with equal cards cut again. If the fourth card is the highest, the two "
        "lowest of the new cut are partners and the lowest deals. If the fourth card is the "
        "lowest, its owner deals, and the two highest of the new cut are partners."
    ),
    "5": _(
        "If more than four belong to the table, enough players go out at the end of a game to "
        "let in those who wait. Those who have played fewer games in a row stay in. Among "
        "equals a cut decides, and lower cards stay in."
    ),
    "6": _(
        "To come in, say so before any player has cut for a new game or to decide who goes out."
    ),
}
_CUTTING_LAWS: LawTexts = {
    "7": _(
        "The ace is the lowest card. Everyone cuts from the same pack. A player who exposes "
        "more than one card cuts again. Players may also draw from a pack spread on the table."
    ),
}
_SHUFFLING_LAWS: LawTexts = {
    "8": _(
        "The cards are shuffled before every deal. With two packs, the dealer’s partner "
        "collects and shuffles the cards for the next deal, and puts them at their own "
        "right hand. The dealer may always shuffle last."
    ),
    "9": _("Do not shuffle during the play of a hand, nor so that the face of a card shows."),
}
_CUTTING_TO_THE_DEALER_LAWS: LawTexts = {
    "10": _(
        "The dealer offers the pack to the opponent on the right, who lifts a packet off the "
        "top and puts it towards the dealer. At least four cards stay in each packet. The "
        "dealer puts the packet left behind on the other one."
    ),
    "11": _(
        "If a card is exposed in cutting or putting the packets together, the dealer shuffles "
        "again and the pack is cut again. If the cards are mixed up, or the place of the cut "
        "is doubtful, the pack is cut again."
    ),
    "12": _("A dealer who shuffles again after a proper cut loses the deal."),
}
_DEALING_LAWS: LawTexts = {
    "13": _(
        "After a proper cut the dealer deals one card at a time to each player in turn, "
        "starting at the left. The last card is the trump card, and is turned up in front of "
        "the dealer. After the hand, or when the deal is lost, the deal passes to the left."
    ),
    "14": SectionText(
        _("The same dealer must deal again:"),
        items={
            "I": _("if any card but the last is face up in the pack;"),
            "II": _(
                "if the pack proves wrong or incomplete during the deal or the play; "
                "earlier scores with that pack count."
            ),
        },
    ),
    "15": _(
        "If a card is exposed during the deal, the side not at fault may demand a new "
        "deal, provided neither of its players has touched a card. Without a new deal the "
        "exposed card can’t be called."
    ),
    "16": _(
        "A player who deals out of turn, or with the opponents’ pack, may be stopped until "
        "the trump card is turned. After that the deal counts, and a changed pack stays "
        "changed."
    ),
}
_MISDEAL_LAWS: LawTexts = {
    "17": SectionText(
        _(
            "A misdeal loses the deal, unless an opponent touched a card or interrupted the "
            "dealer in any way during the deal. It is a misdeal:"
        ),
        items={
            "I": _(
                "if the dealer does not have the pack cut, and the opponents notice it "
                "before the trump card is turned and before they look at their cards;"
            ),
            "II": _(
                "if the dealer deals a card wrongly and does not correct it before dealing "
                "another;"
            ),
            "III": _("if the dealer counts the cards on the table or those still to be dealt;"),
            "IV": _(
                "if, with a perfect pack, a player does not get the right number of cards, "
                "and this is found before all have played to the first trick;"
            ),
            "V": _("if the dealer looks at the trump card before the deal is complete;"),
            "VI": _("if the dealer puts the trump card face down on any player’s cards."),
        },
    ),
}
_TRUMP_CARD_LAWS: LawTexts = {
    "18": _(
        "The dealer leaves the trump card face up on the table until their turn to play to the "
        "first trick. If it is still there after the second trick has been turned and quitted, "
        "it may be called. Once it has been taken up, no one may name it. Either opponent may "
        "call the highest or lowest trump of a player who does. Anyone may ask which suit is "
        "trumps."
    ),
}
_WRONG_NUMBER_OF_CARDS_LAWS: LawTexts = {
    "19": _(
        "After all have played to the first trick, with a perfect pack, a player may turn out "
        "to have too many or too few cards. If the opponents have the right number, they may "
        "discuss it, and choose either a new deal or to have the hand played out without "
        "regard to the missing or extra cards. If an opponent also has a wrong number, there "
        "must be a new deal. If the extra card comes from a missed trick, the opponents choose "
        "only after that player has played to the next trick."
    ),
}
_CALLABLE_CARD_LAWS: LawTexts = {
    "20": SectionText(
        _("Either opponent may call:"),
        items={
            "I": _(
                "every card faced on the table out of the regular course of play, but not "
                "a card led out of turn;"
            ),
            "II": _(
                "every card thrown down with the one led or played; the player says which "
                "one was meant;"
            ),
            "III": _("every card held so that partner sees any part of its face;"),
            "IV": _(
                "all the cards of a hand lowered or shown so that partner sees more than "
                "one of them;"
            ),
            "V": _("every card that its holder names."),
        },
    ),
    "21": _(
        "Cards that may be called stay face up on the table. When called they must be led "
        "or played, unless that would be a revoke. The call may be repeated at each trick "
        "until the card is played. The holder can’t be stopped from playing such a card. "
        "Once it is played in the course of play, no penalty remains."
    ),
    "22": _(
        "If a player leads a card that beats all the opponents’ cards of the suit, and "
        "then leads others without waiting for partner, either opponent may tell partner "
        "to take the first trick. The other cards may be called. It makes no difference "
        "whether they were played one by one or thrown down together."
    ),
    "23": _(
        "A player with a card that may be called waits until the opponents have said whether "
        "they call it. A card played without waiting may be called too."
    ),
}
_LEADING_OUT_OF_TURN_LAWS: LawTexts = {
    "24": _(
        "If a player leads out of turn, a suit may be called from that player or partner, "
        "the first time that either has the lead. Only the opponent on the right of that "
        "leader may call it. If the leader has none of the suit, or if all have played to "
        "the wrong lead, there is no penalty. If not all have played, the cards are taken "
        "back, and those played to the wrong lead can’t be called."
    ),
}
_PLAYING_OUT_OF_TURN_LAWS: LawTexts = {
    "25": _(
        "If third hand plays before second hand, fourth hand may also play before second hand."
    ),
    "26": _(
        "If third hand has not played and fourth hand plays before second hand, third hand may "
        "tell second hand to play the highest or lowest of the suit led or, without that suit, "
        "to trump or not to trump."
    ),
}
_ABANDONED_HANDS_LAWS: LawTexts = {
    "27": _(
        "If all four throw their cards face up on the table, that hand is over. The result "
        "claimed or admitted then counts, but a revoke that is found is still penalised."
    ),
}
_REVOKE_LAWS: LawTexts = {
    "28": _(
        "A player who holds a card of the suit led but plays another suit renounces in "
        "error. If it isn’t corrected in time, it is a revoke. The player may correct it "
        "until the trick has been turned and quitted, unless that player or partner, in "
        "turn or not, has led or played to the next trick, or partner has asked whether "
        "the player has any of the suit."
    ),
    "29": _(
        "If the player corrects it in time, the wrong card may be called. Players who "
        "played after it may change their cards, and these can’t be called."
    ),
    "30": _(
        "The penalty for a revoke is two tricks, taken from the revoking side and given to "
        "the opponents. It counts for every revoke in the hand. The revoking side can’t "
        "win the game in that hand. If both sides revoke, neither can."
    ),
    "31": _(
        "The side that revoked may have the hand played out, and scores all the points it "
        "makes up to six."
    ),
    "32": _(
        "At the end of the hand, those who claim a revoke may search all the tricks. If the "
        "tricks have been mixed, the claim may still be made and proved if possible. No proof "
        "is needed if, after the claim, the accused player or partner mixes the cards before "
        "the opponents have examined them."
    ),
    "33": _(
        "A revoke can be claimed until the cards have been offered and cut for the next deal."
    ),
}
_OTHER_LAWS: LawTexts = {
    "34": _(
        "During a trick, until the cards are touched to be gathered, anyone may ask the "
        "players to draw their cards in front of them."
    ),
    "35": _(
        "If a player calls attention to the trick or the score before partner has played, the "
        "opponent who plays last to that trick may tell partner to play the highest or lowest "
        "of the suit led or, without that suit, to trump or not to trump."
    ),
    "36": _(
        "If a player says “I can win the rest”, “the rest are ours”, “we have the game” or "
        "the like, partner’s cards are put on the table and may be called."
    ),
    "37": _(
        "Once a trick has been turned and quitted, no one may see it again until the hand is "
        "over. The penalty is the same as for a lead out of turn."
    ),
    "38": _(
        "A player who could obey but does not play the highest or lowest, trump or not trump, "
        "or lead the suit, as lawfully told, is penalised as for a revoke."
    ),
    "39": _(
        "A player who owes a penalty waits for the opponents’ decision. If either demands "
        "a penalty that is due, with or without partner’s consent, that is final. If the "
        "wrong opponent demands it, or a wrong penalty is demanded, none can be enforced."
    ),
}
_CHAPTERS = (
    build_chapter(_("The game"), _GAME_LAWS),
    build_chapter(_("Forming the table"), _FORMING_THE_TABLE_LAWS),
    build_chapter(_("Cutting"), _CUTTING_LAWS),
    build_chapter(_("Shuffling"), _SHUFFLING_LAWS),
    build_chapter(_("Cutting to the dealer"), _CUTTING_TO_THE_DEALER_LAWS),
    build_chapter(_("Dealing"), _DEALING_LAWS),
    build_chapter(_("A misdeal"), _MISDEAL_LAWS),
    build_chapter(_("The trump card"), _TRUMP_CARD_LAWS),
    build_chapter(_("Wrong number of cards"), _WRONG_NUMBER_OF_CARDS_LAWS),
    build_chapter(_("Cards that may be called"), _CALLABLE_CARD_LAWS),
    build_chapter(_("Leading out of turn"), _LEADING_OUT_OF_TURN_LAWS),
    build_chapter(_("Playing out of turn"), _PLAYING_OUT_OF_TURN_LAWS),
    build_chapter(_("Abandoned hands"), _ABANDONED_HANDS_LAWS),
    build_chapter(_("The revoke"), _REVOKE_LAWS),
    build_chapter(_("Other laws"), _OTHER_LAWS),
)
_LAW_NUMBERS_BY_INCIDENT = {
    "more-than-four": ("2",),
    "equal-cuts": ("3", "4"),
    "going-out": ("5", "6"),
    "cut-exposed": ("11",),
    "shuffled-after-cut": ("12",),
    "not-cut": ("17",),
    "deal-exposed": ("15",),
    "faced-in-pack": ("14",),
    "bad-pack": ("14",),
    "misdeal": ("17",),
    "wrong-count": ("17", "19"),
    "wrong-dealer": ("16",),
    "looked-at-trump": ("17",),
    "trump-left": ("18",),
    "trump-named": ("18",),
    "trump-early": ("18",),
    "exposed": ("20", "21", "23"),
    "two-at-once": ("20", "22"),
    "named": ("20",),
    "winners": ("22",),
    "thrown-down": ("20", "27"),
    "claim": ("36",),
    "lead-out-of-turn": ("24",),
    "play-out-of-turn": ("25", "26"),
    "missed-trick": ("19",),
    "extra-card": ("19",),
    "revoke": ("28", "30", "31"),
    "revoke-noticed": ("28", "29"),
    "revoke-proof": ("32",),
    "revoke-late": ("33",),
    "both-revoke": ("30",),
    "disobeyed": ("38",),
    "demand": ("39",),
    "attention": ("35",),
    "last-trick": ("37",),
    "whose-card": ("34",),
}
AMERICAN_LEAGUE_LAW_BOOK = LawBook(
    code="american-league",
    short_title=_("American League"),
    title=_("Laws of whist (American Whist League)"),
    source=_("After Hoyle’s Standard Games, laws of the third American Whist Congress, 1–39."),
    note=_(
        "The Standard Hoyle (1912) prints these laws with other numbers from 27 on. Its "
        "rule 40 lets clubs score and form tables in other ways."
    ),
    chapters=_CHAPTERS,
    law_numbers_by_incident=_LAW_NUMBERS_BY_INCIDENT,
)
