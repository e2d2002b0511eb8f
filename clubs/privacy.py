"""The rule that decides which players have a public page."""

from clubs.models import Player


def has_public_page(player: Player) -> bool:
    """Return whether a player has a public page, which requires the full name to be public.

    Initials would not protect a person, because the page lists the person's evenings.
    """
    return player.shown == Player.Shown.NAME
