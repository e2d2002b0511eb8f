"""The picture of the playing room for pages that have only the session."""

from django import template

from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.room_page import HallPicture, build_hall_picture
from tournaments.models import Session

register = template.Library()


@register.simple_tag
def draw_hall_picture(session: Session) -> HallPicture | None:
    """Draw the seats in the first round of a session; None while no one has a seat."""
    return build_hall_picture(load_session_snapshot(session))
