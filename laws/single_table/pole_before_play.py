"""Pole's laws 1 to 55: the rubber, the score, the table, the deal and the trump card."""

from laws.book.values import SectionText
from laws.single_table.values import LawTexts, build_chapter
from server.translation import gettext_noop as _

_RUBBER_LAWS: LawTexts = {
    "1": _(
        "A rubber is the best of three games. If the same side wins the first two, the third "
        "is not played."
    ),
}
_SCORING_LAWS: LawTexts = {
    "2": _("A game is five points. Each trick over six counts one point."),
    "3": SectionText(
        _(
            "Honours are the ace, king, queen and jack of trumps. Partners count theirs "
            "together:"
        ),
        items={
            "I": _("all four score four points;"),
            "II": _("any three score two points;"),
            "III": _("two or fewer score nothing."),
        },
    ),
    "4": _(
        "Where honours are played, a side that already has four points does not score them."
    ),
    "5": _("A revoke is scored first, then tricks, then honours."),
    "6": _(
        "Honours must be claimed before the trump card of the next deal is turned up. "
        "After that they can’t be scored."
    ),
    "7": _(
        "Writing honours down is not enough: they must be called at the end of the hand. Once "
        "called, they may be scored at any time during the game."
    ),
    "8": SectionText(
        _("The winners of a game gain:"),
        items={
            "I": _("a treble, three points, if the losers have no score;"),
            "II": _("a double, two points, if the losers have fewer than three;"),
            "III": _("a single, one point, if the losers have three or four."),
        },
    ),
    "9": _(
        "The winners of the rubber add two points, the rubber points, to the value of their "
        "games."
    ),
    "10": _(
        "If the rubber took three games, the value of the losers’ game is taken off the "
        "winners’ total."
    ),
    "11": _(
        "A mistake in the score can be corrected until the game is over. A game is over when "
        "the trump card of the next deal has been turned up."
    ),
    "12": _(
        "A mistake that changes the value of the rubber can be corrected at any time during "
        "the rubber."
    ),
}
_CUTTING_LAWS: LawTexts = {
    "13": _("The ace is the lowest card."),
    "14": _("Everyone cuts from the same pack."),
    "15": _("A player who exposes more than one card cuts again."),
}
_FORMING_THE_TABLE_LAWS: LawTexts = {
    "16": _(
        "If more than four want to play, those who came first have the preference, and the "
        "others cut. The four lowest play and cut again for partners: the two lowest against "
        "the two highest. The lowest deals and chooses cards and seats, and keeps to that "
        "choice."
    ),
    "17": _(
        "If there are more than six, the two who cut the next lowest cards also belong to the "
        "table, which is complete with six. When one of the six retires, the player who cut "
        "the next lowest card comes in before anyone who arrives later."
    ),
}
_EQUAL_CARD_LAWS: LawTexts = {
    "18": _(
        "When cutting for partners, two players with equal cards cut again, unless theirs are "
        "the two highest. If theirs are the two lowest, the new cut decides which of them "
        "deals."
    ),
    "19": _(
        "Three players with equal cards cut again. If the fourth card is the highest, the two "
        "lowest of the new cut are partners and the lower of them deals. If the fourth card is "
        "the lowest, its owner deals, and the two highest of the new cut are partners."
    ),
}
_GOING_OUT_LAWS: LawTexts = {
    "20": _(
        "At the end of a rubber one or two others may ask to come in. Those who have played "
        "the most rubbers in a row go out. If all have played the same number, they cut, and "
        "the highest go out."
    ),
}
_JOINING_AND_REJOINING_LAWS: LawTexts = {
    "21": _(
        "To come in, say so before any player has cut a card for the next rubber or for going "
        "out."
    ),
    "22": _(
        "When new tables are formed, those who have not belonged to another table come first. "
        "The others cut for it."
    ),
    "23": _(
        "A player who leaves during a rubber may name a substitute for that rubber, if the "
        "other three agree."
    ),
    "24": _(
        "A player who cuts in at one table while belonging to another loses priority at that "
        "other table, and waits there like a newcomer."
    ),
    "25": _(
        "If a player breaks up a table, the other players come before that player at any other "
        "table. If there are too few places for all of them, they cut."
    ),
}
_SHUFFLING_LAWS: LawTexts = {
    "26": _("Do not shuffle below the table, nor so that the face of a card can be seen."),
    "27": _("Do not shuffle during the play of a hand."),
    "28": _(
        "Do not shuffle a pack that has been played with by dealing it into packets, nor "
        "across the table."
    ),
    "29": _(
        "Before a deal, after a faulty cut, and before a new deal, each player may shuffle "
        "once. Law 32 gives the dealer more."
    ),
    "30": _(
        "The dealer’s partner collects the cards for the next deal and may shuffle that "
        "pack first."
    ),
    "31": _(
        "After shuffling, put the cards together, face down, to the left of the next dealer."
    ),
    "32": _(
        "The dealer may always shuffle last. If a card is seen while the dealer shuffles or "
        "offers the pack to be cut, the opponents may have it shuffled again."
    ),
}
_DEAL_LAWS: LawTexts = {
    "33": _("Players deal in turn. The deal passes to the left."),
    "34": _(
        "The player on the dealer’s right cuts, and leaves at least four cards in each "
        "packet. If a card is exposed in cutting or putting the packets together, if the "
        "cards are mixed up, or if the place of the cut is doubtful, the pack is cut again."
    ),
    "35": _(
        "Once the pack has been separated, the player who cuts can’t change it, shuffle or "
        "cut again."
    ),
    "36": _("A dealer who shuffles after the cut loses the deal."),
}
_NEW_DEAL_LAWS: LawTexts = {
    "37": SectionText(
        _("The same dealer must deal again:"),
        items={
            "I": _("if the pack proves wrong or incomplete during the deal or the play;"),
            "II": _("if any card but the last is face up in the pack."),
        },
    ),
    "38": _(
        "If the dealer or partner exposes a card during the deal, the opponents may claim "
        "a new deal, provided neither has touched a card. If an opponent exposes one, the "
        "dealer may claim it, provided partner has not touched a card. Without a new deal "
        "the exposed card can’t be called."
    ),
    "39": _(
        "If a player touches cards during the deal, the opponents may do so too and keep their "
        "right to a new deal."
    ),
    "40": _(
        "If one of the last cards is exposed and the dealer turns up the trump card before the "
        "opponents have had time to decide, they keep their right to a new deal."
    ),
    "41": _(
        "If a player looks at the trump card during the deal, the opponents may see it too, "
        "and may demand a new deal."
    ),
    "42": _(
        "If a player takes a card of the other pack into hand, the opponents decide whether "
        "there is a new deal."
    ),
}
_MISDEAL_LAWS: LawTexts = {
    "43": _("A misdeal loses the deal, except as laws 45 and 50 say."),
    "44": SectionText(
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
                "if, with a complete pack, one player has fourteen cards or more and "
                "another fewer than thirteen;"
            ),
            "V": _(
                "if the dealer, suspecting a mistake, counts the cards on the table or "
                "those still in hand;"
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
    "45": _(
        "A misdeal does not lose the deal if an opponent touched the cards during the deal "
        "before the dealer’s partner did. If the partner touched them first, the deal is "
        "lost, even if the opponents touched them later."
    ),
    "46": _(
        "If three players have the right number of cards and the fourth has fewer than "
        "thirteen, and that player notices only after playing a card, the deal counts. The "
        "player answers for any revoke as if the missing cards had been in the hand, and may "
        "look for them in the other pack."
    ),
    "47": _(
        "If a pack proves wrong or incomplete during or after a rubber, earlier scores, games "
        "and rubbers count. The hand in which it was found is void, and the dealer deals "
        "again."
    ),
    "48": _(
        "A player who deals out of turn, or with the opponents’ pack, may be stopped until "
        "the trump card is turned up. After that, play goes on as if nothing had happened."
    ),
    "49": _(
        "A player may not shuffle, cut or deal for partner without the opponents’ permission."
    ),
    "50": _(
        "If the opponents interrupt a dealer with a question about the score or whose deal it "
        "is, and they are wrong, a misdeal that follows does not lose the deal."
    ),
    "51": _(
        "If a player deals in partner’s turn and misdeals, the partner loses the deal, and "
        "it passes to the next opponent in turn."
    ),
}
_TRUMP_CARD_LAWS: LawTexts = {
    "52": _(
        "The dealer takes the trump card into hand when playing to the first trick. If it "
        "is still on the table after that trick has been turned and quitted, it may be "
        "called. The dealer’s partner may remind the dealer at any time. (The editor of "
        "the book adds: “This law is never enforced.”)"
    ),
    "53": _(
        "Once the trump card is in the dealer’s hand, no one may ask for it. A player who "
        "names it during that hand may have the highest or lowest trump called. Anyone may "
        "ask which suit is trumps."
    ),
    "54": _(
        "If the dealer takes the trump card up too early, the opponents may have it put back. "
        "If the dealer shows a wrong card, that card may be called, and so may each further "
        "wrong card until the trump card appears."
    ),
    "55": _(
        "If the dealer can’t remember the trump card, the highest or lowest trump in that "
        "hand may be called at any time, and must be played unless that would be a revoke. "
        "The call may be repeated until it is obeyed, but not changed."
    ),
}
CHAPTERS_BEFORE_PLAY = (
    build_chapter(_("The rubber"), _RUBBER_LAWS),
    build_chapter(_("Scoring"), _SCORING_LAWS),
    build_chapter(_("Cutting"), _CUTTING_LAWS),
    build_chapter(_("Forming the table"), _FORMING_THE_TABLE_LAWS),
    build_chapter(_("Equal cards"), _EQUAL_CARD_LAWS),
    build_chapter(_("Going out"), _GOING_OUT_LAWS),
    build_chapter(_("Entry and re-entry"), _JOINING_AND_REJOINING_LAWS),
    build_chapter(_("Shuffling"), _SHUFFLING_LAWS),
    build_chapter(_("The deal"), _DEAL_LAWS),
    build_chapter(_("A new deal"), _NEW_DEAL_LAWS),
    build_chapter(_("A misdeal"), _MISDEAL_LAWS),
    build_chapter(_("The trump card"), _TRUMP_CARD_LAWS),
)
