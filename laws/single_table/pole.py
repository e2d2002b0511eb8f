"""The laws of whist according to W. Pole, 1 to 91, in plain words.

Source: *The Standard Hoyle* (1912), "The laws of whist, according to Pole".
"""

from laws.book.values import SectionText
from laws.single_table.pole_before_play import CHAPTERS_BEFORE_PLAY
from laws.single_table.values import LawBook, LawTexts, build_chapter
from server.translation import gettext_noop as _

_CALLABLE_CARD_LAWS: LawTexts = {
    "56": SectionText(
        _(
            "An exposed card may be called, and stays face up on the table. A card dropped on "
            "the floor or below the table is not exposed. Exposed cards are:"
        ),
        items={
            "I": _(
                "two or more cards played at once: the opponents choose which of them "
                "counts, and may call the others later;"
            ),
            "II": _(
                "any card dropped face up, or shown in any way on or above the table, even "
                "if it is picked up too quickly to be named."
            ),
        },
    ),
    "57": _(
        "A player may have led or played a card that wins the trick, and then led again "
        "without waiting for partner, or played several such winners in a row. Partner may "
        "then be told to win the first or any other of those tricks, if possible. The other "
        "cards are exposed."
    ),
    "58": _(
        "If players throw their cards face up on the table, thinking the game won or lost, "
        "those cards are exposed and the opponents may call them. A player who keeps the "
        "hand can’t be made to give it up."
    ),
    "59": _(
        "If all four throw their cards face up on the table, the hand is over and no one "
        "may take the cards back. No one can then claim that the game could have been won "
        "or saved, unless a revoke is proved. The side that revoked can’t win the game by "
        "that hand, and the opponents add three to their own score or take three from the "
        "other."
    ),
    "60": _(
        "A card taken out of the hand so that an opponent can name it may be called. If "
        "the opponent names a wrong card, a suit may be called from that opponent’s side "
        "when it next has the lead."
    ),
    "61": _(
        "A player who could obey but does not play the highest or lowest as called, or does "
        "not lead the suit that was called, is penalised as for a revoke."
    ),
    "62": _(
        "If a player leads out of turn, the opponents may either call the card that was led, "
        "or call a suit from that player or partner, whichever of them next has the lead."
    ),
    "63": _(
        "If the other three have followed a lead out of turn, the trick counts. If only one or "
        "two have followed, they take their cards back without a penalty. Only the player who "
        "led wrongly is penalised: that card may be called, or a suit when that side next "
        "leads."
    ),
    "64": _("No one can be made to play a card if that would be a revoke."),
    "65": _("A call may be repeated at every trick until the card has been played."),
    "66": _("If a player who must lead a suit has none of it, the penalty is paid."),
}
_CARDS_PLAYED_WRONGLY_OR_NOT_PLAYED_LAWS: LawTexts = {
    "67": _(
        "If third hand plays before second hand, fourth hand may also play before second hand."
    ),
    "68": _(
        "If third hand has not played and fourth hand plays before second hand, second hand "
        "may be told to win the trick or not to win it."
    ),
    "69": _(
        "If a player misses a trick and the mistake is found only after that player has played "
        "to the next one, the opponents may claim a new deal. If they let the deal count, the "
        "card left over at the end belongs to the incomplete trick, but is not a revoke in it."
    ),
    "70": _(
        "If a player plays two cards to one trick, or mixes a card with a trick where it "
        "doesn’t belong, and this is found only at the end, the player answers for every "
        "revoke that follows from it. If it is noticed during the hand, the tricks may be "
        "counted face down. If there is one card too many, they may be searched and the "
        "card given back, but revokes made in the meantime count."
    ),
}
_REVOKE_LAWS: LawTexts = {
    "71": _("A player who holds a card of the suit led but plays another suit revokes."),
    "72": SectionText(
        _("The penalty for a revoke:"),
        items={
            "I": _(
                "the opponents choose at the end of the hand: they take three tricks from "
                "the revoking side, or take three points off its score, or add three "
                "points to their own;"
            ),
            "II": _("it may be claimed for every revoke in the hand;"),
            "III": _("it counts only in the game in which the revoke happened;"),
            "IV": _("it can’t be divided between the two scores;"),
            "V": _(
                "it is scored before everything else. With two points against none, the "
                "claimants add three and win a treble, even if the others made thirteen "
                "tricks and held four honours."
            ),
        },
    ),
    "73": _(
        "A revoke is established when the trick has been turned and quitted, which means "
        "turned face down and let go of. It is also established when the revoking player or "
        "partner, in turn or not, leads or plays to the next trick."
    ),
    "74": _(
        "A player may ask partner whether partner really has no card of the suit. If this "
        "was asked before the trick was turned and quitted, the error may still be "
        "corrected. It can’t be corrected if the answer was no, or if that side has led or "
        "played to the next trick."
    ),
    "75": _("At the end of the hand, those who claim a revoke may search all the tricks."),
    "76": _(
        "If a player notices the error in time, there is no revoke. The opponents may call "
        "the wrong card whenever they like, or have the player play the highest or lowest "
        "card of the suit to that trick. Players who played after it may change their "
        "cards, and these can’t be called."
    ),
    "77": _(
        "If the accused player or partner mixes the cards after a claim and before the "
        "opponents have examined them, the revoke is established. Cards mixed earlier make it "
        "harder to prove, but it may still be claimed."
    ),
    "78": _("A revoke can’t be claimed once the cards have been cut for the next deal."),
    "79": _("The side that revoked may always have the hand played to the end."),
    "80": _(
        "After a proved revoke, bets on the odd trick or the score are settled by the score "
        "after the penalty."
    ),
    "81": _(
        "If both sides revoke, neither can win the game by that hand, and each is penalised as "
        "the other chooses."
    ),
    "82": _(
        "However the penalty is taken, a side can’t win the game by a hand in which it "
        "revoked. It stops at four points. (See law 61.)"
    ),
}
_NEW_CARD_LAWS: LawTexts = {
    "83": _(
        "Before the pack is cut for the deal, a player who pays for them may call for new "
        "cards. Two new packs are then brought, and the dealer chooses one."
    ),
}
_GENERAL_RULES: LawTexts = {
    "84": _(
        "If partners may choose between two penalties, they agree which of them chooses, "
        "but do not discuss which penalty is better. If they discuss it, they lose the "
        "right. If either demands a penalty that is due, with or without partner’s "
        "consent, the decision is final. After a revoke, however, partners may discuss the "
        "penalty."
    ),
    "85": _(
        "During a trick, until the four cards are touched to be gathered, anyone may ask the "
        "players to put their cards in front of them."
    ),
    "86": _(
        "If a player calls attention to the trick before partner has played, by claiming it, "
        "naming the card or drawing it in, the opponents may tell that partner to play the "
        "highest or lowest of the suit, or to win or lose the trick."
    ),
    "87": _("A player who owes a penalty must give the opponents reasonable time to decide."),
    "88": _(
        "If a bystander’s remark draws attention to an oversight in the score, the players "
        "may make the bystander pay the stakes and all bets on that game or rubber."
    ),
    "89": _("If the players agree, a bystander may decide any question."),
    "90": _(
        "A torn or marked card must be replaced by agreement, or new cards are bought at "
        "the table’s expense."
    ),
    "91": _(
        "Any player may ask to see the last trick, and no more. So no more than eight cards "
        "may be seen during play: the four on the table and those of the last trick."
    ),
}
_CHAPTERS = (
    build_chapter(_("Cards that may be called"), _CALLABLE_CARD_LAWS),
    build_chapter(
        _("Cards played wrongly, or not played"), _CARDS_PLAYED_WRONGLY_OR_NOT_PLAYED_LAWS
    ),
    build_chapter(_("The revoke"), _REVOKE_LAWS),
    build_chapter(_("New cards"), _NEW_CARD_LAWS),
    build_chapter(_("General rules"), _GENERAL_RULES),
)
_LAW_NUMBERS_BY_INCIDENT = {
    "more-than-four": ("16", "17"),
    "equal-cuts": ("18", "19"),
    "going-out": ("20", "21"),
    "leaving": ("23", "25"),
    "cut-exposed": ("32", "34"),
    "shuffled-after-cut": ("36",),
    "not-cut": ("43", "44"),
    "deal-exposed": ("38", "39", "40"),
    "faced-in-pack": ("37",),
    "bad-pack": ("37", "46", "47"),
    "misdeal": ("43", "44", "45", "50"),
    "wrong-count": ("44", "46"),
    "wrong-dealer": ("48", "49", "51"),
    "wrong-hand": ("42",),
    "looked-at-trump": ("41",),
    "trump-left": ("52",),
    "trump-named": ("53",),
    "trump-early": ("54",),
    "trump-forgotten": ("55",),
    "exposed": ("56", "64", "65"),
    "two-at-once": ("56",),
    "named": ("60",),
    "winners": ("57",),
    "thrown-down": ("58", "59"),
    "claim": ("58", "86"),
    "lead-out-of-turn": ("62", "63", "66"),
    "play-out-of-turn": ("67", "68"),
    "missed-trick": ("69",),
    "extra-card": ("70",),
    "revoke": ("71", "72", "73", "82"),
    "revoke-noticed": ("73", "74", "76"),
    "revoke-proof": ("75", "77"),
    "revoke-late": ("78",),
    "both-revoke": ("81",),
    "disobeyed": ("61", "64", "66"),
    "demand": ("84", "87"),
    "honours-late": ("4", "6", "7"),
    "wrong-score": ("11", "12"),
    "torn-card": ("83", "90"),
    "attention": ("86",),
    "last-trick": ("91",),
    "whose-card": ("85",),
    "bystander": ("88", "89"),
}
POLE_LAW_BOOK = LawBook(
    code="pole",
    short_title=_("Pole"),
    title=_("Laws of whist (Pole)"),
    source=_("After The Standard Hoyle (1912), laws of whist according to Pole, 1–91."),
    chapters=(*CHAPTERS_BEFORE_PLAY, *_CHAPTERS),
    law_numbers_by_incident=_LAW_NUMBERS_BY_INCIDENT,
)
