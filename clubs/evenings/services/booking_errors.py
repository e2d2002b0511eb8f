"""The error messages for refused bookings."""

from django.utils.translation import gettext as _


def format_refusal(code: str) -> str:
    """Return the error message for a `QueueRefused` code."""
    words = {
        "nobody": _("Write who comes."),
        "twice": _("Both names are the same. Enter the partner's name."),
        "booked": _("Somebody of these has booked this evening already, with somebody else."),
        "unknown": _("This booking is there no more."),
        "accepted": _("The partner has said yes already. Say that you cannot come instead."),
        "not_single": _("One of the two has found a partner already."),
        "gone": _(
            "A name in this was made one with another, or taken out of the club's list, since "
            "then. Take that back first."
        ),
        "again": _("Somebody of these is in the list already."),
        "full": _("The evening is full, so there is no place for the two of you yet."),
    }
    return words[code]
