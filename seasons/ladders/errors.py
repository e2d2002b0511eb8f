"""The errors of seasons, ladders and handicaps, with messages for users."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from boards.whist import WhistError
from seasons.ladders.rules.rule import RuleFault


def format_player_gone() -> str:
    """Return the message for an undo that needs a player who was merged or deleted."""
    return _(
        "A name in this was made one with another, or taken out of the club's list, since "
        "then. Take that back first."
    )


class SeasonRefused(WhistError):
    """Raised if an action on a season, a trophy or the results e-mail is not possible."""

    code = "season_refused"


class RuleRefused(WhistError):
    """Base class of errors for invalid settings; `faults` names the invalid settings."""

    def __init__(self, words: str, faults: Sequence[RuleFault] = ()) -> None:
        super().__init__(words or " ".join(f"{each.setting}: {each.why}" for each in faults))
        self.faults = tuple(faults)


class HandicapRefused(RuleRefused):
    """Raised for invalid handicap terms, and for an invalid handicap set by the director."""

    code = "handicap_refused"


class LadderRefused(RuleRefused):
    """Raised for an invalid ladder."""

    code = "ladder_refused"
