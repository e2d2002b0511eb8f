"""Secret links with 128-bit tokens, which are derived from a salt and SECRET_KEY.

The database stores only the salt and a hash of the token. A copy of the database is therefore
useless without SECRET_KEY, but the program can print a link again. After SECRET_KEY is changed,
links remain printable as long as the old key is in SECRET_KEY_FALLBACKS.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from server.keys import derive_keys, list_root_keys

VISIT_RECORD_INTERVAL = timedelta(minutes=1)
"""The minimum time between two recorded visits of a link."""


class SecretLink(models.Model):
    """The base of links that open a page without a login.

    The token is derived from `salt` and SECRET_KEY. Only the token's hash is stored.
    """

    url_name: ClassVar[str]  # the name of a URL pattern with the token as argument

    salt = models.CharField(max_length=32)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)  # when it expires
    revoked_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @classmethod
    def create_link(cls, *, ends_at: datetime | None = None, **field_values: Any) -> Self:
        """Create a link with a new token.

        `field_values` contains the values of the subclass's fields.
        """
        salt, token_hash = create_salt_and_hash()
        return cls._default_manager.create(
            salt=salt,
            token_hash=token_hash,
            created_at=timezone.now(),
            ends_at=ends_at,
            **field_values,
        )

    @classmethod
    def filter_by_token(cls, token: str) -> "QuerySet[Self]":
        """Return a queryset of the link with this token, whether or not it is still valid."""
        return cls._default_manager.filter(token_hash=hash_token(token))

    @classmethod
    def find_by_token(cls, token: str, *related_names: str) -> Self | None:
        """Return the link with this token, valid or not, or None if no link has it.

        `related_names` are arguments for `select_related`.
        """
        links = cls.filter_by_token(token)
        return (links.select_related(*related_names) if related_names else links).first()

    @property
    def path(self) -> str:
        """The URL path of the link, or "" if the token cannot be derived any more."""
        token = _find_token(self.salt, self.token_hash)
        return reverse(self.url_name, args=[token]) if token else ""

    @staticmethod
    def can_derive_token(salt: str, token_hash: str) -> bool:
        """Return whether the token with this hash can still be derived from the salt."""
        return bool(_find_token(salt, token_hash))

    def is_live(self, time: datetime) -> bool:
        """Return whether the link is neither revoked nor expired at the given time."""
        return self.revoked_at is None and (self.ends_at is None or time < self.ends_at)

    def revoke(self) -> None:
        """Revoke the link; idempotent."""
        if self.revoked_at is None:
            self.revoked_at = timezone.now()
            self.save(update_fields=["revoked_at"])

    def record_visit(self) -> None:
        """Store the time of a visit, at most once per `VISIT_RECORD_INTERVAL`."""
        now = timezone.now()
        if self.seen_at is None or now - self.seen_at > VISIT_RECORD_INTERVAL:
            self.seen_at = now
            self.save(update_fields=["seen_at"])


def create_salt_and_hash() -> tuple[str, str]:
    """Return a new salt, and the hash of the token that is derived from it."""
    salt = secrets.token_hex(16)
    return salt, hash_token(next(_iter_tokens(salt)))


def count_unprintable_links(*links: QuerySet[Any]) -> int:
    """Return the number of unrevoked links that cannot be printed again.

    Their tokens were derived from a key that is no longer in the settings.
    """
    querysets = [
        queryset.filter(revoked_at__isnull=True).order_by().values_list("salt", "token_hash")
        for queryset in links
    ]
    salts_and_hashes = (
        querysets[0].union(*querysets[1:]) if len(querysets) > 1 else querysets[0]
    )
    return sum(
        not SecretLink.can_derive_token(salt, token_hash)
        for salt, token_hash in salts_and_hashes
    )


def _iter_tokens(salt: str) -> Iterator[str]:
    """Yield the possible tokens for a salt, beginning with the one from SECRET_KEY.

    The others are derived from the keys in SECRET_KEY_FALLBACKS, or as in version 1.0.
    """
    for signing_key in derive_keys("links"):
        yield encode_token(hmac.new(signing_key, salt.encode(), hashlib.sha256).digest())
    for root_key in list_root_keys():  # links from version 1.0 are still valid
        yield encode_token(
            salted_hmac(
                "overplay.table-link", salt, secret=root_key, algorithm="sha256"
            ).digest()
        )


def encode_token(token_bytes: bytes) -> str:
    """Return the first 16 bytes as a token for a URL."""
    return base64.urlsafe_b64encode(token_bytes[:16]).decode().rstrip("=")


def _find_token(salt: str, token_hash: str) -> str:
    """Return the token with this hash, or "" if it cannot be derived from the salt any more."""
    return next((token for token in _iter_tokens(salt) if hash_token(token) == token_hash), "")


def hash_token(token: str) -> str:
    """Return the stored hash of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
