"""Who opens `/me/`: the secret of an own address, moved from the address into a cookie."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from clubs.models import PersonLink

COOKIE = "me"
PATH = "/me/"
"""Only these pages get the cookie, so that those for everybody stay the same for all."""


def link_of(token: str) -> PersonLink | None:
    """The live own address of a secret; None for any other text."""
    link = PersonLink.find(token[:60], "player__club") if token else None
    is_live = link is not None and link.is_live(timezone.now())
    return link if is_live and link is not None and not link.player.forgotten_on else None


def link_at_hand(request: HttpRequest) -> PersonLink | None:
    """The own address whose secret the browser bears; its use is noted now and then."""
    link = link_of(token_at_hand(request))
    if link is not None:
        link.note_visit()
    return link


def token_at_hand(request: HttpRequest) -> str:
    """The secret that the browser bears, for the one page that shows it to its owner."""
    return request.COOKIES.get(COOKIE, "")


def remember(answer: HttpResponse, link: PersonLink, token: str, *, is_secure: bool) -> None:
    """Let the browser bear the secret, for these pages alone and while it answers."""
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
    """Let the browser forget the secret."""
    answer.delete_cookie(COOKIE, path=PATH)
