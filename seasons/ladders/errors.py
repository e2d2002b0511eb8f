"""What can be wrong about a season, a ladder or a handicap, in words to show a person."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from boards.whist import WhistError
from seasons.ladders.rules.rule import RuleFault


def gone_words() -> str:
    """Why what somebody had is not given back to anybody."""
    return _(
        "A name in this was made one with another, or taken out of the club's list, since "
        "then. Take that back first."
    )


class SeasonRefused(WhistError):
    """A season that cannot be taken or closed as it is."""

    code = "season_refused"


class FaultyRule(WhistError):
    """Settings that cannot be stored; `faults` names the wrong ones."""

    def __init__(self, words: str, faults: Sequence[RuleFault] = ()) -> None:
        super().__init__(words or " ".join(f"{each.setting}: {each.why}" for each in faults))
        self.faults = tuple(faults)


class HandicapRefused(FaultyRule):
    """Terms of a handicap, or one by hand, that cannot stand."""

    code = "handicap_refused"


class LadderRefused(FaultyRule):
    """A ladder that cannot stand."""

    code = "ladder_refused"
