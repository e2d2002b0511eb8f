"""Tokens of programs: made and shown once, found by their hash, limited in what they may do."""

import secrets
from base64 import b32encode
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from zlib import crc32

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import (
    SessionAuthentication,
    TokenAuthentication,
    get_authorization_header,
)
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from server import wall
from server.logins import throttle
from server.logins.notes import What, note
from server.models import ApiToken, User

PREFIX = "ovp_"
RANDOM = 20  # bytes: 160 bits
SCOPES = {
    "read": gettext_lazy("read what the login sees"),
    "score": gettext_lazy("enter scores"),
    "direct": gettext_lazy("direct: prepare evenings, seat, rule, close"),
    "own": gettext_lazy("own: what only an owner may do"),
}
USUAL, LONGEST = 90, 365
"""Days for which a token is good."""
MOST = 20
"""Living tokens of one login that were made with a password; the oldest of them goes."""
HOUR = timedelta(hours=1)


def make(
    user: User,
    *,
    name: str,
    scopes: tuple[str, ...] = tuple(SCOPES),
    club: int | None = None,
    days: int = USUAL,
) -> tuple[ApiToken, str]:
    """Make a token; return its row and what is shown once."""
    now = timezone.now()
    shown = _fresh()
    row = ApiToken.objects.create(
        user=user,
        name=" ".join(name.split())[:60],
        hash=hashed(shown),
        tail=shown[-4:],
        club=club,
        scopes=" ".join(each for each in SCOPES if each in scopes),
        made_at=now,
        ends_at=now + timedelta(days=min(days, LONGEST)),
    )
    return row, shown


def make_by_password(user: User, name: str) -> str:
    """Make a token for a program that knows the password; only so many of these live."""
    own = ApiToken.objects.filter(user=user, name=name).order_by("-pk")
    ApiToken.objects.filter(pk__in=list(own.values_list("pk", flat=True)[MOST - 1 :])).delete()
    return make(user, name=name)[1]


def of(user: User) -> QuerySet[ApiToken]:
    """The tokens of a login that are good, the newest first."""
    return ApiToken.objects.filter(user=user, ends_at__gt=timezone.now()).order_by("-pk")


def take_back(user: User, pk: int) -> ApiToken | None:
    """Refuse one of a login's tokens from now on; None where there is no such token."""
    row = ApiToken.objects.filter(user=user, pk=pk).first()
    if row is not None:
        ApiToken.objects.filter(pk=row.pk).delete()
    return row


def forget_old(now: datetime) -> None:
    """Take away tokens that ended long ago."""
    ApiToken.objects.filter(ends_at__lt=now - timedelta(days=30)).delete()


def hashed(shown: str) -> str:
    """What is kept of a token; it is random, so one plain hash is enough."""
    return sha256(shown.encode()).hexdigest()


def is_formed(shown: str) -> bool:
    """Whether a text can be a token at all: ours ends with its checksum, an older is hex."""
    if shown.startswith(PREFIX):
        body = shown.removeprefix(PREFIX)
        return body[-7:] == _checksum(body[:-7])
    return len(shown) == 40 and not set(shown) - set("0123456789abcdef")


def _fresh() -> str:
    body = b32encode(secrets.token_bytes(RANDOM)).decode().lower()
    return f"{PREFIX}{body}{_checksum(body)}"


def _checksum(body: str) -> str:
    return b32encode(crc32(body.encode()).to_bytes(4, "big")).decode().lower().rstrip("=")


class TokenAuth(TokenAuthentication):
    """`Authorization: Token ovp_…`."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Find who a token speaks for, and how far it reaches."""
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != self.keyword.lower().encode():
            return None
        shown = words[1].decode("ascii", "ignore") if len(words) == 2 else ""
        row = _found(shown) if is_formed(shown) else None
        if row is None:
            self._refuse(request)
        assert row is not None
        _check_owes_nothing(row.user)
        row.user.only_club = row.club
        _note_use(row, request)
        return row.user, row

    def _refuse(self, request: Request) -> None:
        """Say that it is none; after many from one address say to wait."""
        try:
            throttle.wrong_token(request._request)
        except throttle.Wait as wait:
            raise exceptions.Throttled(wait.seconds) from None
        raise exceptions.AuthenticationFailed(
            _("This token is not known, has ended or was taken back. Make one under Account.")
        )


class SessionAuth(SessionAuthentication):
    """The browser in which somebody is signed in; it passes the same wall as pages."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        """Find who is signed in."""
        found: tuple[Any, None] | None = super().authenticate(request)
        if found is None or not isinstance(found[0], User):
            return found
        if wall.is_over(request._request):
            return None
        _check_owes_nothing(found[0])
        return found


class Scoped(BasePermission):
    """A token does what it is for: it reads with the scope "read", and writes with another."""

    needs = "direct"

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the request may go on; what the login itself may do is asked later."""
        reads = request.method in SAFE_METHODS
        if isinstance(request.auth, ApiToken):
            scope = "read" if reads else self.needs
            if scope not in request.auth.scopes.split():
                raise exceptions.PermissionDenied(
                    _("This token is not for that: it lacks the scope “%(scope)s”.")
                    % {"scope": scope},
                    code="scope_needed",
                )
        return True


def scoped(needs: str) -> type[Scoped]:
    """Make the permission of one address, whose writing needs a scope."""
    return type("Scoped", (Scoped,), {"needs": needs})


def _found(shown: str) -> ApiToken | None:
    row = ApiToken.objects.select_related("user").filter(hash=hashed(shown)).first()
    is_good = row is not None and row.user.is_active and row.ends_at > timezone.now()
    return row if is_good else None


def _check_owes_nothing(user: User) -> None:
    match wall.owes(user):
        case "password":
            words = _("Sign in and set a password of your own first.")
            raise exceptions.PermissionDenied(words, code="password_change_needed")
        case "factor":
            words = _("Sign in and add a second factor first.")
            raise exceptions.PermissionDenied(words, code="factor_needed")


def _note_use(row: ApiToken, request: Request) -> None:
    """Note that a token is used, to the hour."""
    now = timezone.now()
    if row.used_at is None:
        note(What.TOKEN_USED, user=row.user, request=request._request, detail=row.name)
    if row.used_at is None or now - row.used_at > HOUR:
        ApiToken.objects.filter(pk=row.pk).update(used_at=now)


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The browser in which somebody is signed in."""

    target_class = "server.api.tokens.SessionAuth"
    name = "cookieAuth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Name its cookie, as a laptop calls it."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
