"""Wording shared by many situations: the enforcer, the time limit, and the effect."""

from server.translation import gettext_noop as _

ANYBODY = _("Any player")
DIRECTOR = _("The director")
EITHER = _("Either opponent")
NEVER = _("Not lost: it must be done.")
BEFORE_PLAY = _("None: the deal hasn't been played.")
AVERAGE_OR_NEW = _(
    "Three or more tables in play: the average for the deal at this table. Fewer: a new deal."
)
WHILE_UNPLAYED = _(
    "At the end of the deal. Until then it may be called before the "
    "player plays to a trick, until obeyed. The call can't be changed "
    "(Law IV §6)."
)
RIGHT = _("Only the opponent on the right of the player whose card is called")
RIGHT_OF_LEADER = _("Only the opponent on the right of the player who is to lead")
OPPONENTS = _("The opponents")
REVOKE_LOST = _(
    "When the claimant or partner has played to the next deal, "
    "or both have left the table (Law X §5). Until then it can't "
    "be waived."
)
CALL_LOST = _(
    "For that trick, when the opponent on the right has played "
    "without calling. If the holder has the lead, when the "
    "previous trick is turned and quitted or another card is "
    "led. For good, when the card has been played (Law VII §3-4)."
)
AS_REVOKE = _("As for a revoke: two tricks, within the limits of Law X §4.")
MENDED = _("No penalty to lose.")
NOTHING_TO_LOSE = _("Nothing to lose.")
NOBODY = _("No one")
