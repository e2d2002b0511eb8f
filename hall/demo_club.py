"""The demo club, with evenings for practice."""

from clubs.models import Club

NAME = "Riverside Whist Club"
"""The name by which the command `demo` finds its club."""


def is_demo(club: Club | None) -> bool:
    """Return whether this is the demo club."""
    return club is not None and club.name == NAME
