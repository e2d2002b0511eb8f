"""Errors about scores and papers, with messages for the user."""

from boards.whist import WhistError


class TricksRefused(WhistError):
    """Raised for tricks that are neither 0 to 13 nor a mark for a board not played."""

    code = "tricks_refused"


class PlayNotFound(WhistError):
    """Raised for a board that is not played at that table in that round."""

    code = "no_such_play"


class RulingRefused(WhistError):
    """Raised for a ruling that is incomplete, or that cannot be withdrawn now."""

    code = "ruling_refused"


class TermsRefused(WhistError):
    """Raised for an impossible way of scoring an event."""

    code = "terms_refused"


class PaperRefused(WhistError):
    """Raised if a paper cannot be made, or cannot be made yet."""

    code = "paper_refused"


class QuotaReached(WhistError):
    """Raised for work beyond a club's quota on this server."""

    code = "quota_reached"

    def __init__(self, message: str, *, wait_seconds: int) -> None:
        super().__init__(message)
        self.wait_seconds = wait_seconds


class PlayRefused(WhistError):
    """Raised for a play record that cannot be stored, or cannot be stored yet."""

    code = "play_refused"


class StageRefused(WhistError):
    """Raised for finals, a bracket, strata or prizes that are impossible, or not possible
    now.
    """

    code = "stage_refused"


class LaterMatchBegun(StageRefused):
    """Raised if a correction changes who advances although a later match has begun; a director
    has to decide.
    """
