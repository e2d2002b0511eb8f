"""Errors of rubber nights; their texts can be shown to users."""

from boards.whist.errors import WhistError


class RubberRefused(WhistError, ValueError):
    """The state of the rubber night does not allow an action; the error text gives the
    reason.
    """

    code = "rubber_refused"


class RubberConflict(WhistError):
    """Edit conflict: another screen has changed the table since the page was rendered."""

    code = "marked_meanwhile"
