"""Who may see what of an activity: its secret, and the names of its players."""

from django.utils.translation import gettext as _

from clubs.activities.models import ActivityPlayer, EveningActivity
from clubs.errors import NotNow


def full(player: ActivityPlayer) -> str:
    """The name as directors and scorers read it."""
    return player.full_name


def shown(player: ActivityPlayer) -> str:
    """The name as everyone reads it: whole, as initials, or left out."""
    return player.shown_name


def told_secret(activity: EveningActivity) -> str:
    """The secret in hexadecimal digits; raise NotNow before the close."""
    if not activity.is_closed:
        raise NotNow(_("The secret is told once the drive is closed."))
    return bytes(activity.secret or b"").hex()
