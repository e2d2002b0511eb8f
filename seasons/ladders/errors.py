"""The errors of seasons, ladders and handicaps, with messages for users."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from boards.whist import WhistError
from seasons.ladders.rules.rule import RuleFault


def gone_words() -> str:
    """Return the message for an undo that would need a merged or deleted player."""
    return _(
        "A name in this was made one with another, or taken out of the club's list, since "
        "then. Take that back first."
    )


class SeasonRefused(WhistError):
    """A season that cannot be imported or closed as it is."""

    code = "season_refused"


class FaultyRule(WhistError):
    """Invalid settings; `faults` names the wrong ones."""

    def __init__(self, words: str, faults: Sequence[RuleFault] = ()) -> None:
        super().__init__(words or " ".join(f"{each.setting}: {each.why}" for each in faults))
        self.faults = tuple(faults)


class HandicapRefused(FaultyRule):
    """Invalid handicap terms, or an invalid handicap set by the director."""

    code = "handicap_refused"


class LadderRefused(FaultyRule):
    """An invalid ladder."""

    code = "ladder_refused"
