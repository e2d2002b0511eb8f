"""What can be wrong with a score or a paper, in words fit to show a person."""

from boards.whist import WhistError


class TricksRefused(WhistError):
    """Something typed as tricks that is not 0 to 13, nor a mark for a board not played."""

    code = "tricks_refused"


class NoSuchPlay(WhistError):
    """A board that is not played at that table in that round."""

    code = "no_such_play"


class RulingRefused(WhistError):
    """A ruling that lacks something, or that cannot be taken back now."""

    code = "ruling_refused"


class TermsRefused(WhistError):
    """A way of scoring an event that cannot be."""

    code = "terms_refused"


class PaperRefused(WhistError):
    """A paper that cannot be made, now or at all."""

    code = "paper_refused"


class QuotaReached(WhistError):
    """Work that a club has had as much of as this server gives; `wait` is in seconds."""

    code = "quota_reached"

    def __init__(self, message: str, *, wait: int) -> None:
        super().__init__(message)
        self.wait = wait


class PlayRefused(WhistError):
    """A record of play that cannot be kept as it is, or not yet."""

    code = "play_refused"


class StageRefused(WhistError):
    """Finals, a bracket, strata or prizes that cannot be, or not now."""

    code = "stage_refused"


class LaterMatchBegun(StageRefused):
    """A result that changes who goes on although a later match has begun: the director says."""
