"""The template tag for the link to the page that creates a club."""

from django import template
from django.http import HttpRequest
from django.utils.translation import gettext as _

from clubs import permissions

register = template.Library()


@register.simple_tag
def new_club_text(request: HttpRequest) -> str:
    """Return the text of the link to the page that creates a club, or "" for a user who owns no
    club.
    """
    demo_flags = list(permissions.list_owned_clubs(request).values_list("is_demo", flat=True))
    if not demo_flags:
        return ""
    return _("Start your own club") if all(demo_flags) else _("Add another club")
