"""What everybody may see of a person."""

from clubs.models import Player


def may_be_shown(player: Player) -> bool:
    """Only who is shown by name has a page: initials with a list of evenings are no secret."""
    return player.shown == Player.Shown.NAME
