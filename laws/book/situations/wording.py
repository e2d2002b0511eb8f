"""Wording shared by many situations: the enforcer, the time limit, and the effect."""

from server.translation import gettext_noop as _

ANY_PLAYER = _("Any player")
DIRECTOR = _("The director")
EITHER_OPPONENT = _("Either opponent")
NO_TIME_LIMIT = _("No time limit: it must be done.")
NO_EFFECT_BEFORE_PLAY = _("None: the deal hasn’t been played.")
AVERAGE_OR_NEW_DEAL = _(
    "Three or more tables in play: the average for the deal at this table. Fewer: a new deal."
)
DEMAND_TIME_LIMIT = _(
    "At the end of the deal. Until then it may be called before the player plays to a "
    "trick, until obeyed. The call can’t be changed (Law IV §6)."
)
OPPONENT_ON_RIGHT = _("Only the opponent on the right of the player whose card is called")
OPPONENT_ON_RIGHT_OF_LEADER = _("Only the opponent on the right of the player who is to lead")
BOTH_OPPONENTS = _("The opponents")
REVOKE_CLAIM_TIME_LIMIT = _(
    "When the claimant or partner has played to the next deal, or both have left the table "
    "(Law X §5). Until then it can’t be waived."
)
CALL_TIME_LIMIT = _(
    "For that trick, when the opponent on the right has played "
    "without calling. If the holder has the lead, when the "
    "previous trick is turned and quitted or another card is "
    "led. For good, when the card has been played (Law VII §3-4)."
)
REVOKE_EFFECT = _("As for a revoke: two tricks, within the limits of Law X §4.")
NO_PENALTY_TIME_LIMIT = _("No time limit: there is no penalty.")
NO_TIME_LIMIT_NEEDED = _("No time limit: there is nothing to enforce.")
NO_ONE = _("No one")
