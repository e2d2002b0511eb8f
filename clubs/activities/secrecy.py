"""The rules for showing players' names and the secret of an activity."""

from django.utils.translation import gettext as _

from clubs.activities.models import ActivityPlayer, EveningActivity
from clubs.errors import ActionUnavailable


def format_full_name(player: ActivityPlayer) -> str:
    """Return the player's name for directors and scorers."""
    return player.full_name


def format_public_name(player: ActivityPlayer) -> str:
    """Return the player's name for public pages: the full name, the initials, or "a player"."""
    return player.shown_name


def format_secret(activity: EveningActivity) -> str:
    """Return the activity's secret as hexadecimal digits.

    Raises ActionUnavailable before the activity is closed.
    """
    if not activity.is_closed:
        raise ActionUnavailable(_("The secret is published after closing."))
    return bytes(activity.secret or b"").hex()
