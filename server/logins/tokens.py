"""API tokens: shown once, stored as a hash, limited by scopes and expiry."""

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

TOKEN_PREFIX = "ovp_"
TOKEN_RANDOM_BYTE_COUNT = 20  # 160 bits
SCOPES = {
    "read": gettext_lazy("read: see everything this login may see"),
    "score": gettext_lazy("score: enter scores"),
    "direct": gettext_lazy("direct: prepare and run events"),
    "publish": gettext_lazy("publish: only send finished events to this server"),
    "own": gettext_lazy("own: do what only an owner may do"),
}
DEFAULT_TOKEN_VALIDITY_DAYS, MAX_TOKEN_VALIDITY_DAYS = 90, 365
"""The default and the maximum validity of a token in days."""
MAX_PASSWORD_TOKENS = 20
"""The maximum number of valid tokens of one user that were requested by password."""


@transaction.atomic
def create_token(
    user: User,
    *,
    name: str,
    scopes: tuple[str, ...] = tuple(SCOPES),
    club_pk: int | None = None,
    days: int = DEFAULT_TOKEN_VALIDITY_DAYS,
) -> tuple[ApiToken, str]:
    """Create a token; return its row and its text, which is not stored and shown only once."""
    now = timezone.now()
    token_text = _generate_token()
    token = ApiToken.objects.create(
        user=user,
        name=" ".join(name.split())[:60],
        hash=hash_token(token_text),
        tail=token_text[-4:],
        club=club_pk,
        scopes=" ".join(scope for scope in SCOPES if scope in scopes),
        made_at=now,
        ends_at=now + timedelta(days=min(days, MAX_TOKEN_VALIDITY_DAYS)),
    )
    return token, token_text


def create_password_token(user: User, name: str) -> str:
    """Create a token for a client that sent a password; revoke the oldest tokens above the
    limit.
    """
    password_tokens = ApiToken.objects.filter(user=user, name=name).order_by("-pk")
    ApiToken.objects.filter(
        pk__in=list(password_tokens.values_list("pk", flat=True)[MAX_PASSWORD_TOKENS - 1 :])
    ).delete()
    return create_token(user, name=name)[1]


def list_valid_tokens(user: User) -> QuerySet[ApiToken]:
    """Return the valid tokens of a login, newest first."""
    return ApiToken.objects.filter(user=user, ends_at__gt=timezone.now()).order_by("-pk")


def revoke_token(user: User, pk: int) -> ApiToken | None:
    """Revoke one of a login's tokens; return None if there is no such token."""
    token = ApiToken.objects.filter(user=user, pk=pk).first()
    if token is not None:
        ApiToken.objects.filter(pk=token.pk).delete()
    return token


def delete_expired_tokens(now: datetime) -> None:
    """Delete tokens that expired more than 30 days ago."""
    ApiToken.objects.filter(ends_at__lt=now - timedelta(days=30)).delete()


def hash_token(token_text: str) -> str:
    """Return the SHA-256 that is stored for a token; a random token needs no slower hash."""
    return sha256(token_text.encode()).hexdigest()


def has_token_format(token_text: str) -> bool:
    """Return whether a text has the format of a current or an older token."""
    if token_text.startswith(TOKEN_PREFIX):
        token_body = token_text.removeprefix(TOKEN_PREFIX)
        return token_body[-7:] == _compute_checksum(token_body[:-7])
    return len(token_text) == 40 and not set(token_text) - set("0123456789abcdef")


def _generate_token() -> str:
    random_part = b32encode(secrets.token_bytes(TOKEN_RANDOM_BYTE_COUNT)).decode().lower()
    return f"{TOKEN_PREFIX}{random_part}{_compute_checksum(random_part)}"


def _compute_checksum(random_part: str) -> str:
    return (
        b32encode(crc32(random_part.encode()).to_bytes(4, "big")).decode().lower().rstrip("=")
    )


def find_token(token_text: str) -> ApiToken | None:
    """Return the row of a valid token with its login, or None for any other text."""
    if not has_token_format(token_text):
        return None
    token = ApiToken.objects.select_related("user").filter(hash=hash_token(token_text)).first()
    is_valid = token is not None and token.user.is_active and token.ends_at > timezone.now()
    return token if is_valid else None
