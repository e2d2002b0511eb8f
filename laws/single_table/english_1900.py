"""The English laws of whist of 1900, 1 to 94 and 12a, in plain words.

Source: *Hoyle's Games Modernized* (1909), "The laws of whist", the revised code of 1900.
"""

from laws.book.values import SectionText
from laws.single_table.english_1900_before_play import CHAPTERS_BEFORE_PLAY
from laws.single_table.values import LawBook, LawTexts, build_chapter
from server.translation import gettext_noop as _

_RUBBER_LAWS: LawTexts = {
    "46": _(
        "A rubber is the best of three games. If the same side wins the first two, the third "
        "is not played."
    ),
}
_SCORING_LAWS: LawTexts = {
    "47": _("A game is five points. Each trick over six counts one point."),
    "48": SectionText(
        _(
            "Honours are the ace, king, queen and jack of trumps. Partners count theirs "
            "together:"
        ),
        items={
            "I": _("all four score four points;"),
            "II": _("any three score two points."),
        },
    ),
    "49": _("A side that has four points when the deal begins does not score honours."),
    "50": _("A revoke is scored first, then tricks, then honours."),
    "51": _(
        "Honours must be claimed before the trump card of the next deal is turned up. "
        "After that they can’t be scored."
    ),
    "52": _(
        "Writing honours down is not enough: they must be claimed at the end of the hand. Once "
        "claimed, they may be scored at any time during the game. If tricks and honours "
        "together make the game, it is enough to call “game”."
    ),
    "53": SectionText(
        _("The winners of a game gain:"),
        items={
            "I": _("a treble, three points, if the losers have no score;"),
            "II": _("a double, two points, if the losers have one or two;"),
            "III": _("a single, one point, if the losers have three or four."),
        },
    ),
    "54": _(
        "The winners of the rubber add two points, the rubber points, to the value of their "
        "games."
    ),
    "55": _(
        "If the rubber took three games, the value of the losers’ game is taken off the "
        "winners’ total."
    ),
    "56": _(
        "A mistake in the score can be corrected until the game is over. A game is over when "
        "the trump card of the next deal has been turned up."
    ),
    "57": _(
        "A mistake that changes the value of the rubber can be corrected at any time during "
        "the rubber."
    ),
}
_CALLABLE_CARD_LAWS: LawTexts = {
    "58": SectionText(
        _("Exposed cards are:"),
        items={
            "I": _("two or more cards played at once, face up;"),
            "II": _(
                "any card dropped face up on or above the table, even if it is picked up "
                "too quickly to be named;"
            ),
            "III": _("every card that its holder names."),
        },
    ),
    "59": _(
        "An exposed card may be called, and stays face up on the table. If two or more "
        "cards are played at once, the opponents choose which of them counts, and may call "
        "the others later. A card dropped on the floor or below the table is not exposed. "
        "An opponent who calls an exposed card before its owner’s turn loses the penalty "
        "for that trick."
    ),
    "60": _(
        "A player may have led or played a card that wins the trick, and then led again "
        "without waiting for partner, or played several such winners in a row. Partner may "
        "then be told to win the first or any other of those tricks, if possible. The other "
        "cards are exposed."
    ),
    "61": _(
        "If some players, but not all, throw their cards face up on the table, those cards "
        "are exposed and the opponents may call them. A player who keeps the hand can’t be "
        "made to give it up."
    ),
    "62": _(
        "If all four throw their cards face up on the table, the hand is over and no one "
        "may take the cards back. The losers can’t then claim that the game could have "
        "been won or saved, unless a revoke is proved. The side that revoked can’t win the "
        "game by that hand, and for each revoke the opponents add three to their own score "
        "or take three from the other."
    ),
    "63": _(
        "If an opponent at once names a card taken out of the hand correctly, that card is "
        "exposed. If the opponent names a wrong card, a suit may be called from that "
        "opponent’s side when it next has the lead."
    ),
    "64": _(
        "If a player leads out of turn, the opponents may call that card, or call a suit "
        "from that player or partner, whichever of them next has the lead. If it was "
        "partner’s lead, the suit must be called at once, or only the card can be called. "
        "The right to call a suit remains even if the card led was played without being "
        "called. If a suit is called, the card may go back into the hand."
    ),
    "65": _(
        "If partners lead at the same time, the opponents may have the one in error play the "
        "highest or lowest of the suit properly led, or treat that card as one that may be "
        "called."
    ),
    "66": _(
        "If the other three have followed a lead out of turn, the trick counts. If only one or "
        "two have followed, they take their cards back without a penalty. Only the player who "
        "led wrongly is penalised: that card may be called, or a suit when that side next "
        "leads."
    ),
    "67": _("No one can be made to play a card if that would be a revoke."),
    "68": _("A call may be repeated at every trick until the card has been played."),
    "69": _("If a player who must lead a suit has none of it, the penalty is paid."),
}
_IRREGULAR_PLAY_LAWS: LawTexts = {
    "70": _(
        "If third hand plays before second hand, fourth hand may also play before second hand."
    ),
    "71": _(
        "If third hand has not played and fourth hand plays before second hand, second hand "
        "may be told to win the trick or not to win it."
    ),
    "72": _(
        "If a player misses a trick and the mistake is found only after that player has played "
        "to the next one, the opponents may claim a new deal. If they let the deal count, the "
        "card left over at the end belongs to the incomplete trick, but is not a revoke in it."
    ),
    "73": _(
        "If a player plays two cards to one trick, or mixes a card with a trick where it "
        "doesn’t belong, and this is found only at the end, the player answers for every "
        "revoke that follows from it. If it is noticed during the hand, the tricks may be "
        "counted face down. If there is one card too many, they may be searched and the "
        "card given back, but revokes made in the meantime count. If there was no revoke, "
        "the card may be treated as exposed."
    ),
}
_REVOKE_LAWS: LawTexts = {
    "74": _("A player who holds a card of the suit led but plays another suit revokes."),
    "75": SectionText(
        _("The penalty for a revoke:"),
        items={
            "I": _(
                "the opponents choose at the end of the hand, and may discuss it: they "
                "take three tricks from the revoking side and add them to their own, or "
                "take three points off its score, or add three points to their own;"
            ),
            "II": _(
                "it may be claimed for every revoke in the hand, and a different penalty "
                "may be chosen for each;"
            ),
            "III": _("it counts only in the game in which the revoke happened;"),
            "IV": _("it can’t be divided between the two scores;"),
            "V": _(
                "it is scored before everything else. With two points against none, the "
                "claimants add three and win a treble, even if the others made thirteen "
                "tricks and held four honours."
            ),
        },
    ),
    "76": _(
        "A player who could obey but does not play the highest or lowest as called, does not "
        "win or lose the trick as told, or does not lead the suit that was called, is "
        "penalised as for a revoke."
    ),
    "77": _(
        "A revoke is established when the trick has been turned and quitted, which means "
        "turned face down and let go of. It is also established when the revoking player or "
        "partner, in turn or not, leads or plays to the next trick. Throwing down the hand or "
        "claiming the game counts as playing to the next trick."
    ),
    "78": _(
        "A player may ask partner whether partner really has no card of the suit, or has "
        "played as demanded. If this was asked before the opponents turned and quitted the "
        "trick, the error may still be corrected. It can’t be corrected if the answer was "
        "no, or if that side has led or played to the next trick, or turned the trick "
        "before answering."
    ),
    "79": _("At the end of the hand, those who claim a revoke may search all the tricks."),
    "80": _(
        "If a player notices the error in time, there is no revoke. The opponents may call "
        "the wrong card whenever they like, or have the player play the highest or lowest "
        "card of the suit to that trick. Players who played after it may change their "
        "cards, and these can’t be called."
    ),
    "81": _(
        "If the accused player or partner mixes the cards after a claim and before the "
        "opponents have examined them, the revoke is established. Cards mixed earlier make it "
        "harder to prove, but it may still be claimed."
    ),
    "82": _(
        "A revoke can’t be claimed once the cards have been properly cut for the next deal."
    ),
    "83": _("The side that revoked may always have the hand played to the end."),
    "84": _(
        "After a proved revoke, bets on the odd trick or the score are settled by the score "
        "after the penalty."
    ),
    "85": _(
        "If both sides revoke, neither can win the game by that hand, and the revokes cancel "
        "each other."
    ),
    "86": _(
        "However the penalty is taken, a side can’t win the game by a hand in which it "
        "revoked. It stops at four points."
    ),
}
_DEMANDING_PENALTIES_LAWS: LawTexts = {
    "87": _(
        "If partners may choose between two penalties, they agree which of them chooses, "
        "but do not discuss which penalty is better. If they discuss it, they lose the "
        "right to any penalty. If either demands a penalty that is due, with or without "
        "partner’s consent, the decision is final. After a revoke, however, partners may "
        "discuss the penalty."
    ),
    "88": _(
        "A player who demands a penalty that the laws don’t give for the offence loses the "
        "right to any penalty for it."
    ),
}
_GENERAL_RULES: LawTexts = {
    "89": _(
        "During a trick, until the four cards are touched to be gathered, anyone may ask the "
        "players to put their cards in front of them."
    ),
    "90": _(
        "If a player calls attention to the trick before partner has played, by claiming it, "
        "naming the card or drawing it in, the opponents may tell that partner to play the "
        "highest or lowest of the suit, or to win or not to win the trick."
    ),
    "91": _("A player who owes a penalty must give the opponents reasonable time to decide."),
    "92": _(
        "If a bystander’s remark, made before the stakes are paid, draws attention to an "
        "oversight in the score, the players may make the bystander pay the stakes and all "
        "bets on that game or rubber."
    ),
    "93": _("If the players agree, a bystander may decide any question."),
    "94": _(
        "Once a trick has been turned and quitted, no one may look at it again until the hand "
        "is over, except as law 73 says. If someone does, a suit may be called when that "
        "player or partner next has the lead."
    ),
}
_CHAPTERS = (
    build_chapter(_("The rubber"), _RUBBER_LAWS),
    build_chapter(_("Scoring"), _SCORING_LAWS),
    build_chapter(_("Cards that may be called"), _CALLABLE_CARD_LAWS),
    build_chapter(_("Irregular play"), _IRREGULAR_PLAY_LAWS),
    build_chapter(_("The revoke"), _REVOKE_LAWS),
    build_chapter(_("Demanding penalties"), _DEMANDING_PENALTIES_LAWS),
    build_chapter(_("General rules"), _GENERAL_RULES),
)
_LAW_NUMBERS_BY_INCIDENT = {
    "more-than-four": ("7", "8"),
    "equal-cuts": ("7", "9", "10"),
    "going-out": ("11", "12"),
    "leaving": ("14", "16"),
    "cut-exposed": ("24", "26"),
    "shuffled-after-cut": ("28",),
    "not-cut": ("37", "39"),
    "deal-exposed": ("30", "31", "32"),
    "faced-in-pack": ("29",),
    "bad-pack": ("29", "40", "41"),
    "misdeal": ("36", "37", "39"),
    "wrong-count": ("37", "40"),
    "wrong-dealer": ("34", "35", "38"),
    "wrong-hand": ("29",),
    "looked-at-trump": ("33",),
    "trump-left": ("42",),
    "trump-named": ("43",),
    "trump-early": ("44",),
    "trump-forgotten": ("45",),
    "exposed": ("58", "59", "67", "68"),
    "two-at-once": ("58", "59"),
    "named": ("58", "63"),
    "winners": ("60",),
    "thrown-down": ("61", "62"),
    "claim": ("61", "77", "90"),
    "lead-out-of-turn": ("64", "65", "66", "69"),
    "play-out-of-turn": ("70", "71"),
    "missed-trick": ("72",),
    "extra-card": ("73",),
    "revoke": ("74", "75", "77", "86"),
    "revoke-noticed": ("77", "78", "80"),
    "revoke-proof": ("79", "81"),
    "revoke-late": ("82",),
    "both-revoke": ("85",),
    "disobeyed": ("67", "69", "76"),
    "demand": ("87", "88", "91"),
    "honours-late": ("49", "51", "52"),
    "wrong-score": ("56", "57"),
    "torn-card": ("2", "3"),
    "attention": ("90",),
    "last-trick": ("94",),
    "whose-card": ("89",),
    "bystander": ("92", "93"),
}
ENGLISH_1900_LAW_BOOK = LawBook(
    code="english-1900",
    short_title=_("English code, 1900"),
    title=_("Laws of whist (English code of 1900)"),
    source=_("After Hoyle’s Games Modernized (1909), the revised code of 1900, laws 1–94."),
    chapters=(*CHAPTERS_BEFORE_PLAY, *_CHAPTERS),
    law_numbers_by_incident=_LAW_NUMBERS_BY_INCIDENT,
)
