"""API tokens: shown once, stored as a hash, limited by scopes."""

import secrets
from base64 import b32encode
from datetime import datetime, timedelta
from hashlib import sha256
from zlib import crc32

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy

from server.models import ApiToken, User

PREFIX = "ovp_"
RANDOM = 20  # bytes: 160 bits
SCOPES = {
    "read": gettext_lazy("read what the login sees"),
    "score": gettext_lazy("enter scores"),
    "direct": gettext_lazy("direct: prepare evenings, seat, rule, close"),
    "publish": gettext_lazy("publish: send finished evenings to this server, and nothing else"),
    "own": gettext_lazy("own: what only an owner may do"),
}
USUAL, LONGEST = 90, 365
"""Days for which a token is good."""
MAX_PASSWORD_TOKENS = 20
"""Valid tokens of one login made with a password; the oldest is revoked."""


@transaction.atomic
def make_token(
    user: User,
    *,
    name: str,
    scopes: tuple[str, ...] = tuple(SCOPES),
    club: int | None = None,
    days: int = USUAL,
) -> tuple[ApiToken, str]:
    """Make a token; return its row and the secret, which is shown once."""
    now = timezone.now()
    shown = _fresh()
    row = ApiToken.objects.create(
        user=user,
        name=" ".join(name.split())[:60],
        hash=hash_token(shown),
        tail=shown[-4:],
        club=club,
        scopes=" ".join(each for each in SCOPES if each in scopes),
        made_at=now,
        ends_at=now + timedelta(days=min(days, LONGEST)),
    )
    return row, shown


def make_token_by_password(user: User, name: str) -> str:
    """Make a token for a client with a password; the number of these is limited."""
    own = ApiToken.objects.filter(user=user, name=name).order_by("-pk")
    ApiToken.objects.filter(
        pk__in=list(own.values_list("pk", flat=True)[MAX_PASSWORD_TOKENS - 1 :])
    ).delete()
    return make_token(user, name=name)[1]


def valid_tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the valid tokens of a login, newest first."""
    return ApiToken.objects.filter(user=user, ends_at__gt=timezone.now()).order_by("-pk")


def revoke_token(user: User, pk: int) -> ApiToken | None:
    """Revoke one of a login's tokens; return None if there is no such token."""
    row = ApiToken.objects.filter(user=user, pk=pk).first()
    if row is not None:
        ApiToken.objects.filter(pk=row.pk).delete()
    return row


def delete_expired_tokens(now: datetime) -> None:
    """Delete tokens that ended long ago."""
    ApiToken.objects.filter(ends_at__lt=now - timedelta(days=30)).delete()


def hash_token(shown: str) -> str:
    """Return the hash that is stored; the token is random, so a plain hash suffices."""
    return sha256(shown.encode()).hexdigest()


def has_token_format(shown: str) -> bool:
    """Return whether a text has the form of a token: a checksum at its end, or older hex."""
    if shown.startswith(PREFIX):
        body = shown.removeprefix(PREFIX)
        return body[-7:] == _checksum(body[:-7])
    return len(shown) == 40 and not set(shown) - set("0123456789abcdef")


def _fresh() -> str:
    body = b32encode(secrets.token_bytes(RANDOM)).decode().lower()
    return f"{PREFIX}{body}{_checksum(body)}"


def _checksum(body: str) -> str:
    return b32encode(crc32(body.encode()).to_bytes(4, "big")).decode().lower().rstrip("=")


def find_token(shown: str) -> ApiToken | None:
    """Return a valid token with its login; None for any other text."""
    if not has_token_format(shown):
        return None
    row = ApiToken.objects.select_related("user").filter(hash=hash_token(shown)).first()
    is_good = row is not None and row.user.is_active and row.ends_at > timezone.now()
    return row if is_good else None
