"""What can be wrong with a rubber night, in words fit to show a person."""

from boards.whist.errors import WhistError


class RubberRefused(WhistError, ValueError):
    """Something that a rubber night as it stands does not allow; the text says why."""

    code = "rubber_refused"


class RubberMeanwhile(WhistError):
    """Another screen has marked or seated since this one was shown."""

    code = "marked_meanwhile"
