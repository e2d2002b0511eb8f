"""The etiquette of whist: customs without a penalty, for every form of the game.

Source: *The Standard Hoyle* (1912), lines 1675–1710, and *Hoyle's Games Modernized* (1909),
"The etiquette of whist", in plain words.
"""

from laws.single_table.values import Chapter, NumberedLaw
from server.translation import gettext_noop as _

ETIQUETTE_SOURCE = _("After The Standard Hoyle (1912) and Hoyle’s Games Modernized (1909).")
ETIQUETTE_INTRODUCTION = _(
    "These are customs, not laws: breaking them has no penalty. If players keep ignoring them, "
    "the only remedy is not to play with them."
)
ETIQUETTE = Chapter(
    title=_("The etiquette of whist"),
    rules=(
        NumberedLaw("1", text=_("Use two packs if you can, as clubs do.")),
        NumberedLaw(
            "2",
            text=_(
                "When you have the lead, don’t take a second card out of your hand before "
                "your partner has played. It shows that your first card is a winner."
            ),
        ),
        NumberedLaw(
            "3",
            text=_(
                "Give no hint of your hand or of the game, by word or by gesture. Don’t "
                "ask who dealt, and don’t answer if someone does."
            ),
        ),
        NumberedLaw(
            "4",
            text=_(
                "Ask to see cards, or which suit is trumps, only for your own information. "
                "Never ask to draw your partner’s attention."
            ),
        ),
        NumberedLaw(
            "5",
            text=_(
                "If you disagree about facts, let a bystander decide who has no interest in "
                "the game: who played a card, say, or whether honours were claimed."
            ),
        ),
        NumberedLaw(
            "6",
            text=_(
                "Never revoke on purpose. If you have revoked, don’t revoke again to hide it."
            ),
        ),
        NumberedLaw(
            "7",
            text=_("Bet with bystanders only after the players have made their own bets."),
        ),
        NumberedLaw(
            "8",
            text=_(
                "Bystanders make no remarks and give no hints until the game is over and "
                "scored. They don’t walk round the table to see the hands."
            ),
        ),
        NumberedLaw(
            "9", text=_("Don’t look into the hand of a player against whom you have bet.")
        ),
    ),
)
