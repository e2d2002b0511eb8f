"""The personal link of `/me/`: its token is moved from the URL into a cookie."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from clubs.models import PersonLink

COOKIE = "me"
PATH = "/me/"
"""The cookie's path, so that public pages stay equal for everyone."""


def link_of(token: str) -> PersonLink | None:
    """Return the valid personal link with a token; None for any other text."""
    link = PersonLink.find(token[:60], "player__club") if token else None
    is_live = link is not None and link.is_live(timezone.now())
    return link if is_live and link is not None and not link.player.forgotten_on else None


def link_at_hand(request: HttpRequest) -> PersonLink | None:
    """Return the personal link of the browser's cookie, and occasionally record its use."""
    link = link_of(token_at_hand(request))
    if link is not None:
        link.note_visit()
    return link


def token_at_hand(request: HttpRequest) -> str:
    """Return the token in the cookie, for the one page that shows it to its owner."""
    return request.COOKIES.get(COOKIE, "")


def remember(answer: HttpResponse, link: PersonLink, token: str, *, is_secure: bool) -> None:
    """Set the cookie with the token, only for these pages and while the link is valid."""
    left = (link.ends_at - timezone.now()).total_seconds() if link.ends_at else None
    answer.set_cookie(
        COOKIE,
        token,
        max_age=None if left is None else int(left),
        path=PATH,
        httponly=True,
        secure=is_secure,
        samesite="Lax",
    )


def forget(answer: HttpResponse) -> None:
    """Delete the cookie."""
    answer.delete_cookie(COOKIE, path=PATH)
