"""Errors about a club and its evenings, with messages for users."""

from boards.whist import WhistError


class NotNow(WhistError):
    """An action that the current state does not allow."""

    code = "not_now"


class EnteredMeanwhile(WhistError):
    """Another value has been entered since the page was loaded.

    `seen` is the current value, in the form that a page sends it back; `by` is its author.
    """

    code = "entered_meanwhile"

    def __init__(self, message: str, *, seen: str, by: str = "") -> None:
        super().__init__(message)
        self.seen = seen
        self.by = by


class RoundOver(WhistError):
    """A request of a table's phone about a round that is over at the table.

    The response never depends on stored results, because other players may sit there now.
    """

    code = "round_left"


class HoursRefused(WhistError):
    """An invalid period for corrections: not a number of hours, or longer than two months."""

    code = "hours_refused"


class LogoRefused(WhistError):
    """A file that is not a picture, or is too large."""

    code = "logo_refused"


class PlanRefused(WhistError):
    """A plan of the hall with a table outside it, or two tables in one place."""

    code = "plan_refused"


class LookRefused(WhistError):
    """An unknown accent, or a short name that is too long."""

    code = "look_refused"


class ClubMoved(NotNow):
    """A change to a club that has moved to another machine and is read-only here."""

    code = "club_moved"


class CalendarRefused(WhistError):
    """An invalid series or evening; `field` names the field to change, if there is one."""

    code = "calendar_refused"

    def __init__(self, why: str, field: str = "") -> None:
        super().__init__(why)
        self.field = field


class BookingRefused(NotNow):
    """A booking that cannot be made or changed like this."""

    code = "booking_refused"


class MoneyRefused(NotNow):
    """A currency that a club cannot have, or can no longer change to."""

    code = "money_refused"
