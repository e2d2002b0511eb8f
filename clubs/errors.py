"""What can be wrong about a club and its evenings, in words fit to show a person."""

from boards.whist import WhistError


class NotNow(WhistError):
    """Something that the state of things does not allow, now or any more."""

    code = "not_now"


class HoursRefused(WhistError):
    """A period for corrections that is no number of hours, or longer than two months."""

    code = "hours_refused"
