"""The picture of the playing room for pages that have only the session."""

from django import template

from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.room_page import RoomPicture, build_room_picture
from tournaments.models import Session

register = template.Library()


@register.simple_tag
def draw_room(session: Session) -> RoomPicture | None:
    """Draw the seats in the first round of a session; None while no one has a seat."""
    return build_room_picture(load_session_snapshot(session))
