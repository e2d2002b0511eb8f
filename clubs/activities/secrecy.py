"""The visibility of an activity's secret and of its players' names."""

from django.utils.translation import gettext as _

from clubs.activities.models import ActivityPlayer, EveningActivity
from clubs.errors import NotNow


def format_full_name(player: ActivityPlayer) -> str:
    """Return the name for directors and scorers."""
    return player.full_name


def format_public_name(player: ActivityPlayer) -> str:
    """Return the public name: whole, as initials, or left out."""
    return player.shown_name


def format_secret(activity: EveningActivity) -> str:
    """Return the secret in hexadecimal digits; raise NotNow before the close."""
    if not activity.is_closed:
        raise NotNow(_("The secret is published after the close."))
    return bytes(activity.secret or b"").hex()
