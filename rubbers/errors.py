"""Errors of rubber nights; their texts can be shown to users."""

from boards.whist.errors import WhistError


class RubberRefused(WhistError, ValueError):
    """Refusal of an action that a rubber night's state does not allow; the text says why."""

    code = "rubber_refused"


class RubberConflict(WhistError):
    """Edit conflict: another screen has marked or seated since the page was rendered."""

    code = "marked_meanwhile"
