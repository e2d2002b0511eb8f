"""The English code of 1900, laws 1 to 45: cards, the table, the deal and the trump card."""

from laws.book.values import SectionText
from laws.single_table.values import LawTexts, build_chapter
from server.translation import gettext_noop as _

_CARD_LAWS: LawTexts = {
    "1": _("Two packs are used, one for each side."),
    "2": _(
        "A torn or marked card must be replaced by agreement, or new cards are bought at "
        "the table’s expense."
    ),
    "3": _(
        "Before the pack is cut for the deal, a player who pays for them may call for new "
        "cards. Two new packs are then brought, and the dealer chooses one."
    ),
}
_CUTTING_OR_DRAWING_LAWS: LawTexts = {
    "4": _("The ace is the lowest card."),
    "5": _("Everyone cuts or draws from the same pack."),
    "6": _("A player who exposes or draws more than one card cuts or draws again."),
}
_FORMING_THE_TABLE_LAWS: LawTexts = {
    "7": SectionText(
        _("Who plays:"),
        items={
            "a": _(
                "Those who came first have the preference. If there are more than six and "
                "it is unclear who came first, those players draw, and the lower cards "
                "come first. The table is complete with six. When one of them retires, "
                "those who drew the lowest cards come in first."
            ),
            "b": _("If there are more than four, all draw, and the four lowest play first."),
            "c": _("Players who draw equal cards draw again where the order matters."),
        },
    ),
}
_PARTNER_LAWS: LawTexts = {
    "8": _(
        "The four who play draw again for partners: the two lowest against the two highest. "
        "The lowest deals and chooses cards and seats, and keeps to that choice."
    ),
    "9": _(
        "Two players with equal cards draw again, unless theirs are the two highest. The "
        "higher of the new draw plays with the original highest. If theirs are the two lowest, "
        "the new draw decides only who deals."
    ),
    "10": _(
        "Three players with equal cards draw again. If the fourth card is the highest, the two "
        "lowest of the new draw are partners and the lower of them deals. If the fourth card "
        "is the lowest, its owner deals, and the two highest of the new draw are partners."
    ),
}
_GOING_OUT_LAWS: LawTexts = {
    "11": _(
        "At the end of a rubber one or two others may ask to come in. Those who have played "
        "the most rubbers in a row go out. If two or more have played the same number, they "
        "cut or draw where necessary, and the highest go out."
    ),
}
_JOINING_AND_REJOINING_LAWS: LawTexts = {
    "12": _(
        "To come in, say so before any player has drawn a card for the next rubber or for "
        "going out."
    ),
    "12a": _(
        "Anyone may put their name down for a table that is not complete, and then comes "
        "before those who have not."
    ),
    "13": _(
        "When new tables are formed, those who have not played at another table come first. "
        "The others draw for it."
    ),
    "14": _(
        "A player who leaves during a rubber may name a substitute for that rubber, if the "
        "other three agree."
    ),
    "15": _(
        "A player who cuts in at one table while belonging to another loses the right to come "
        "back there first, and waits like a newcomer, last in the room."
    ),
    "16": _(
        "If a player breaks up a table, the other players come before that player at any other "
        "table. If there are too few places for all of them, they draw."
    ),
}
_SHUFFLING_LAWS: LawTexts = {
    "17": _(
        "After the cards for the first deal have been chosen, an opponent shuffles that "
        "pack, and the dealer or the dealer’s partner shuffles the other one."
    ),
    "18": _("Do not shuffle below the table, nor so that the face of a card can be seen."),
    "19": _("Do not shuffle during the play of a hand."),
    "20": _("Do not shuffle a pack that has been played with by dealing it into packets."),
    "21": _(
        "Before a deal, after a faulty cut, and before a new deal, each player may shuffle "
        "once. Law 24 gives the dealer more."
    ),
    "22": _(
        "The dealer’s partner collects the cards for the next deal and may shuffle that "
        "pack first."
    ),
    "23": _(
        "After shuffling, put the cards together, face down, to the left of the next dealer."
    ),
    "24": _(
        "The dealer may always shuffle last. If a card is seen while the dealer shuffles or "
        "offers the pack to be cut, the opponents may have it shuffled again."
    ),
}
_DEAL_LAWS: LawTexts = {
    "25": _(
        "The player who cut the lowest card deals first. The deal then passes to the left "
        "until the rubber is over."
    ),
    "26": _(
        "After the last shuffle the dealer offers the pack to the opponent on the right, who "
        "cuts and leaves at least four cards in each packet. If a card is exposed in cutting "
        "or putting the packets together, if the cards are mixed up, or if the place of the "
        "cut is doubtful, the pack is cut again."
    ),
    "27": _(
        "Once the pack has been separated, the player who cuts can’t change it, shuffle or "
        "cut again."
    ),
    "28": _("A dealer who shuffles after the cut loses the deal."),
    "29": SectionText(
        _("The same dealer must deal again:"),
        items={
            "I": _("if the pack proves wrong or incomplete during the deal or the play;"),
            "II": _("if any card but the last is face up in the pack;"),
            "III": _("if a player takes up another player’s hand."),
        },
    ),
    "30": _(
        "If the dealer or partner exposes a card during the deal, on or below the table, "
        "the opponents may claim a new deal, provided neither has touched a card. If an "
        "opponent exposes one, the dealer may claim it, provided partner has not touched a "
        "card. Without a new deal the exposed card can’t be called."
    ),
    "31": _(
        "If a player touches cards during the deal, the opponents may do so too and keep their "
        "right to a new deal."
    ),
    "32": _(
        "If a card is exposed in dealing and the dealer turns up the trump card before the "
        "opponents have had time to decide, they keep their right to a new deal."
    ),
    "33": _(
        "If a player looks at the trump card during the deal, the opponents may see it too, "
        "and either of them may demand a new deal."
    ),
    "34": _(
        "A player who deals out of turn, or with the opponents’ pack, may be stopped until "
        "the trump card is turned up. After that, play goes on as if nothing had happened."
    ),
    "35": _(
        "A player may not shuffle, cut or deal for partner without the opponents’ permission."
    ),
    "36": _(
        "If the opponents interrupt a dealer with a question about the score or whose deal it "
        "is, and they are wrong, a misdeal that follows does not lose the deal."
    ),
}
_MISDEAL_LAWS: LawTexts = {
    "37": SectionText(
        _("It is a misdeal:"),
        items={
            "I": _(
                "unless the cards are dealt into four packets, one at a time in order, "
                "starting at the dealer’s left;"
            ),
            "II": _(
                "if the dealer puts the last card, the trump card, face down on any packet;"
            ),
            "III": _(
                "if the trump card does not come to the dealer in its regular order; but "
                "the dealer keeps the deal if the pack proves incomplete;"
            ),
            "IV": _(
                "if one player has fourteen cards or more and another fewer than thirteen; "
                "but if an opponent caused it, there is a new deal;"
            ),
            "V": _(
                "if the dealer touches the cards on the table, or those still to be dealt, "
                "to count them;"
            ),
            "VI": _(
                "if the dealer deals two cards at once, or two to the same hand, and then "
                "deals a third; before the third card the dealer may correct it, if moving "
                "one card is enough;"
            ),
            "VII": _(
                "if the dealer does not have the pack cut, and the opponents notice it "
                "before the trump card is turned up and before they look at their cards."
            ),
        },
    ),
    "38": _(
        "If a player deals in partner’s turn and misdeals, the partner loses the deal, and "
        "it passes to the next opponent in turn."
    ),
    "39": _(
        "A misdeal loses the deal, unless an opponent touched the cards during the deal "
        "before the dealer’s partner did. If the partner touched them first, the deal is "
        "lost, even if the opponents touched them later."
    ),
    "40": _(
        "If three players have the right number of cards, and the fourth has fewer than "
        "thirteen and notices only after the first trick has been turned and quitted, the pack "
        "is taken as complete and the deal counts. The player answers for any revoke as if the "
        "missing cards had been in the hand."
    ),
    "41": _(
        "If a pack proves wrong or incomplete during or after a rubber, earlier scores, games "
        "and rubbers count. The hand in which it was found is void, except in the case of law "
        "40, and the dealer deals again."
    ),
}
_TRUMP_CARD_LAWS: LawTexts = {
    "42": _(
        "The dealer takes the trump card into hand when playing to the first trick. If it "
        "is still on the table after the second trick has been turned and quitted, it may "
        "be called. The dealer’s partner may remind the dealer at any time."
    ),
    "43": _(
        "Once the trump card is in the dealer’s hand, no one may ask for it. A player who "
        "names it during that hand may have the highest or lowest trump called, once only. "
        "Anyone may ask at any time which suit is trumps."
    ),
    "44": _(
        "If the dealer takes the trump card up too early, the opponents may have it put back. "
        "If the dealer shows a wrong card, that card may be called, and so may each further "
        "wrong card until the trump card appears."
    ),
    "45": _(
        "If the dealer can’t remember the trump card, the highest or lowest trump in that "
        "hand may be called at any time, and must be played unless that would be a revoke. "
        "The call may be repeated until it is obeyed, but not changed."
    ),
}
CHAPTERS_BEFORE_PLAY = (
    build_chapter(_("Cards"), _CARD_LAWS),
    build_chapter(_("Cutting or drawing"), _CUTTING_OR_DRAWING_LAWS),
    build_chapter(_("Forming the table"), _FORMING_THE_TABLE_LAWS),
    build_chapter(_("Partners"), _PARTNER_LAWS),
    build_chapter(_("Going out"), _GOING_OUT_LAWS),
    build_chapter(_("Entry and re-entry"), _JOINING_AND_REJOINING_LAWS),
    build_chapter(_("Shuffling"), _SHUFFLING_LAWS),
    build_chapter(_("The deal"), _DEAL_LAWS),
    build_chapter(_("A misdeal"), _MISDEAL_LAWS),
    build_chapter(_("The trump card"), _TRUMP_CARD_LAWS),
)
