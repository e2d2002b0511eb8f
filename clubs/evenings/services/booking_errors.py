"""The error messages for refused bookings."""

from django.utils.translation import gettext as _


def format_booking_error(error_code: str) -> str:
    """Return the error message for a `InvalidQueueChange` code."""
    message_by_code = {
        "nobody": _("Enter the players’ names."),
        "twice": _("Both names are the same. Enter the partner’s name."),
        "booked": _("One of you is already booked with someone else."),
        "unknown": _("This booking no longer exists."),
        "accepted": _("Your partner has already accepted. Cancel the booking instead."),
        "not_single": _("One of you has already found a partner."),
        "gone": _(
            "Can’t undo: a player has since been merged or removed. Undo the newer change "
            "first."
        ),
        "again": _("One of you is already on the list."),
        "full": _("The evening is full. There are no places for two yet."),
    }
    return message_by_code[error_code]
