"""The cookie that stores the token of a personal link, which keeps it out of `/me/` URLs."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from clubs.models import PersonLink
from server.cookie_names import build_cookie_name

COOKIE_PATH = "/me/"
"""The path of the cookie. Public pages are outside it and can therefore be cached."""


def find_person_link(token: str) -> PersonLink | None:
    """Return the valid personal link with this token, or None."""
    link = PersonLink.find_by_token(token[:60], "player__club") if token else None
    is_live = link is not None and link.is_live(timezone.now())
    return link if is_live and link is not None and not link.player.forgotten_on else None


def get_current_person_link(request: HttpRequest) -> PersonLink | None:
    """Return the valid personal link in the request's cookie, or None, and record the visit."""
    link = find_person_link(get_current_token(request))
    if link is not None:
        link.record_visit()
    return link


def get_current_token(request: HttpRequest) -> str:
    """Return the token in the request's cookie, or ""."""
    return request.COOKIES.get(_get_cookie_name(), "")


def set_link_cookie(
    response: HttpResponse, link: PersonLink, token: str, *, is_secure: bool
) -> None:
    """Set the cookie for `/me/` with the token, until the link expires."""
    seconds_left = (link.ends_at - timezone.now()).total_seconds() if link.ends_at else None
    response.set_cookie(
        _get_cookie_name(),
        token,
        max_age=None if seconds_left is None else int(seconds_left),
        path=COOKIE_PATH,
        httponly=True,
        secure=is_secure,
        samesite="Lax",
    )


def delete_link_cookie(response: HttpResponse) -> None:
    """Delete the cookie with the personal link."""
    response.delete_cookie(_get_cookie_name(), path=COOKIE_PATH)


def _get_cookie_name() -> str:
    return build_cookie_name("me", COOKIE_PATH)
