"""The errors that services of a club raise, with messages for users."""

from boards.whist import WhistError


class ActionUnavailable(WhistError):
    """A request that the current state does not allow."""

    code = "not_now"


class EntryConflict(WhistError):
    """A conflict: someone else has entered another value since the page was loaded.

    `current_value` is the value as a form would submit it; `by` is its author.
    """

    code = "entered_meanwhile"

    def __init__(self, message: str, *, current_value: str, by: str = "") -> None:
        super().__init__(message)
        self.current_value = current_value
        self.by = by


class RoundOver(WhistError):
    """A request from a table's phone for a round that has ended at this table.

    The response must not reveal stored results, because other players may be at the table now.
    """

    code = "round_left"


class InvalidCorrectionPeriod(WhistError):
    """An invalid correction period: not a number of hours, or longer than two months."""

    code = "hours_refused"


class InvalidLogo(WhistError):
    """An uploaded logo that is not a picture or is too large."""

    code = "logo_refused"


class InvalidRoomPlan(WhistError):
    """A room plan with a table outside the room, or with two tables in one position."""

    code = "plan_refused"


class InvalidAppearance(WhistError):
    """An unknown accent colour, or a short club name that is too long."""

    code = "look_refused"


class ClubMoved(ActionUnavailable):
    """A change to a club that has moved to another machine and is read-only here."""

    code = "club_moved"


class InvalidCalendarChange(WhistError):
    """An invalid series or evening; `field_name` is the invalid form field, or ""."""

    code = "calendar_refused"

    def __init__(self, reason: str, field_name: str = "") -> None:
        super().__init__(reason)
        self.field_name = field_name


class BookingRefused(ActionUnavailable):
    """A booking that cannot be made or changed in the requested way."""

    code = "booking_refused"


class InvalidCurrencyChange(ActionUnavailable):
    """An unknown currency, or a change of the currency after fees were recorded."""

    code = "money_refused"


class CheckInRefused(ActionUnavailable):
    """A check-in that cannot be made or changed in the requested way."""

    code = "check_in_refused"


class AlreadyCheckedIn(CheckInRefused):
    """A check-in of a person who already has a chair at another table."""

    code = "already_checked_in"
