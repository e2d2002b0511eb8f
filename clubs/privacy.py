"""The public visibility of people."""

from clubs.models import Player


def has_public_page(player: Player) -> bool:
    """Return whether a person has a public page, which requires the full name.

    Initials do not protect a person whose page lists evenings.
    """
    return player.shown == Player.Shown.NAME
