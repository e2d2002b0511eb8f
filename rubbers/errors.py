"""Exceptions of rubber nights; their messages can be shown to users."""

from boards.whist.errors import WhistError


class RubberRefused(WhistError, ValueError):
    """Raised if a rubber night does not allow an action; the message gives the reason."""

    code = "rubber_refused"


class RubberConflict(WhistError):
    """Raised if another screen has changed the table since the page was rendered."""

    code = "marked_meanwhile"
