"""What can be wrong about a club and its evenings, in words fit to show a person."""

from boards.whist import WhistError


class NotNow(WhistError):
    """Something that the state of things does not allow."""

    code = "not_now"
