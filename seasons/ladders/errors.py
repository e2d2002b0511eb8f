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


class HandicapRefused(WhistError):
    """Terms of a handicap, or one by hand, that cannot stand; `faults` are of the terms."""

    code = "handicap_refused"

    def __init__(self, words: str, faults: Sequence[RuleFault] = ()) -> None:
        super().__init__(words)
        self.faults = tuple(faults)


class LadderRefused(WhistError):
    """A ladder that cannot stand; `faults` are of its rule, each by its setting."""

    code = "ladder_refused"

    def __init__(self, words: str, faults: Sequence[RuleFault] = ()) -> None:
        super().__init__(words)
        self.faults = tuple(faults)
