"""What can be wrong about a club and its evenings, in words fit to show a person."""

from boards.whist import WhistError


class NotNow(WhistError):
    """Something that the state of things does not allow, now or any more."""

    code = "not_now"


class EnteredMeanwhile(WhistError):
    """Something else was entered since the screen was shown.

    `seen` is what is entered now, as a screen sends it back; `by` says who entered it.
    """

    code = "entered_meanwhile"

    def __init__(self, message: str, *, seen: str, by: str = "") -> None:
        super().__init__(message)
        self.seen = seen
        self.by = by


class RoundLeft(WhistError):
    """A table's phone sent something about a round that is over at the table.

    The answer never depends on what is entered there: other players may sit there now.
    """

    code = "round_left"


class HoursRefused(WhistError):
    """A period for corrections that is no number of hours, or longer than two months."""

    code = "hours_refused"


class LogoRefused(WhistError):
    """A picture that is too large, or none."""

    code = "logo_refused"


class PlanRefused(WhistError):
    """A plan of the hall in which a table stands nowhere, or two in one place."""

    code = "plan_refused"


class LookRefused(WhistError):
    """An accent that is none of the eight, or a short name that is too long."""

    code = "look_refused"


class ClubMoved(NotNow):
    """A change to a club that rests here, for it has moved to another machine."""

    code = "club_moved"


class CalendarRefused(WhistError):
    """A series or an evening that cannot be so; `field` names what to change, if one does."""

    code = "calendar_refused"

    def __init__(self, why: str, field: str = "") -> None:
        super().__init__(why)
        self.field = field


class BookingRefused(NotNow):
    """A booking that cannot be made or changed so."""

    code = "booking_refused"


class MoneyRefused(NotNow):
    """A currency that a club cannot have, or not any more."""

    code = "money_refused"
