"""The personal link of `/me/` in a cookie, to which its token is moved from the URL."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from clubs.models import PersonLink

COOKIE_NAME = "me"
COOKIE_PATH = "/me/"
"""The cookie's path, so that public pages stay equal for everyone."""


def find_person_link(token: str) -> PersonLink | None:
    """Return the valid personal link with a token; None for any other text."""
    link = PersonLink.find(token[:60], "player__club") if token else None
    is_live = link is not None and link.is_live(timezone.now())
    return link if is_live and link is not None and not link.player.forgotten_on else None


def get_current_person_link(request: HttpRequest) -> PersonLink | None:
    """Return the personal link of the browser's cookie, and occasionally record its use."""
    link = find_person_link(get_current_token(request))
    if link is not None:
        link.record_visit()
    return link


def get_current_token(request: HttpRequest) -> str:
    """Return the token in the cookie, for the one page that shows it to its owner."""
    return request.COOKIES.get(COOKIE_NAME, "")


def set_link_cookie(
    answer: HttpResponse, link: PersonLink, token: str, *, is_secure: bool
) -> None:
    """Set the cookie with the token, only for these pages and while the link is valid."""
    left = (link.ends_at - timezone.now()).total_seconds() if link.ends_at else None
    answer.set_cookie(
        COOKIE_NAME,
        token,
        max_age=None if left is None else int(left),
        path=COOKIE_PATH,
        httponly=True,
        secure=is_secure,
        samesite="Lax",
    )


def delete_link_cookie(answer: HttpResponse) -> None:
    """Delete the cookie."""
    answer.delete_cookie(COOKIE_NAME, path=COOKIE_PATH)
