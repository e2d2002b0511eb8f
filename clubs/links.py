"""Secret addresses: 128 bits, made anew from a salt and the program's key.

The database keeps the salt and a hash. Neither opens a page without SECRET_KEY, and with it
the same address can be printed again.
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

from server.keys import derive_keys, root_keys

SEEN_AGAIN = timedelta(minutes=1)
"""How long lies between two notes that a page was opened."""


class SecretLink(models.Model):
    """The address of a page that needs no login; only the hash of its secret is kept.

    `salt` and the program's key make the secret anew, so that it can be printed again. It is
    of no use to somebody who has the database alone.
    """

    page: ClassVar[str]  # the name of the address, which takes the secret

    salt = models.CharField(max_length=32)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)  # from when it answers no more
    revoked_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @classmethod
    def new(cls, *, ends_at: datetime | None = None, **about: Any) -> Self:
        """Make and keep a link; `about` says whose page it opens."""
        salt, token_hash = renewed()
        return cls._default_manager.create(
            salt=salt,
            token_hash=token_hash,
            created_at=timezone.now(),
            ends_at=ends_at,
            **about,
        )

    @classmethod
    def with_token(cls, token: str) -> "QuerySet[Self]":
        """The link of a secret, dead or alive."""
        return cls._default_manager.filter(token_hash=_hash_of(token))

    @classmethod
    def find(cls, token: str, *fetched: str) -> Self | None:
        """Find the link of a secret, dead or alive, with what is `fetched` along with it."""
        found = cls.with_token(token)
        return (found.select_related(*fetched) if fetched else found).first()

    @property
    def path(self) -> str:
        """The path of its page; empty where the program's key is another by now."""
        token = _known(self.salt, self.token_hash)
        return reverse(self.page, args=[token]) if token else ""

    @staticmethod
    def opens(salt: str, token_hash: str) -> bool:
        """Whether the program's key makes of a salt the secret that the hash is of."""
        return bool(_known(salt, token_hash))

    def is_live(self, at: datetime) -> bool:
        """Whether its page answers: neither taken back nor at an end."""
        return self.revoked_at is None and (self.ends_at is None or at < self.ends_at)

    def revoke(self) -> None:
        """Take it back: its address answers no more."""
        if self.revoked_at is None:
            self.revoked_at = timezone.now()
            self.save(update_fields=["revoked_at"])

    def note_visit(self) -> None:
        """Note now and then that it is in use."""
        now = timezone.now()
        if self.seen_at is None or now - self.seen_at > SEEN_AGAIN:
            self.seen_at = now
            self.save(update_fields=["seen_at"])


def renewed() -> tuple[str, str]:
    """Make a new salt, and the hash of the secret that belongs to it."""
    salt = secrets.token_hex(16)
    return salt, _hash_of(next(_tokens_for(salt)))


def lost(*links: QuerySet[Any]) -> int:
    """Count live links that open and cannot be printed again; one question for all kinds."""
    asked = [
        rows.filter(revoked_at__isnull=True).order_by().values_list("salt", "token_hash")
        for rows in links
    ]
    found = asked[0].union(*asked[1:]) if len(asked) > 1 else asked[0]
    return sum(not SecretLink.opens(salt, token_hash) for salt, token_hash in found)


def _tokens_for(salt: str) -> Iterator[str]:
    """The secrets that the program's keys make of a salt, that of today's key first."""
    for key in derive_keys("links"):
        yield _short(hmac.new(key, salt.encode(), hashlib.sha256).digest())
    for root in root_keys():  # as version 1.0 made them
        yield _short(
            salted_hmac("overplay.table-link", salt, secret=root, algorithm="sha256").digest()
        )


def _short(made: bytes) -> str:
    return base64.urlsafe_b64encode(made[:16]).decode().rstrip("=")


def _known(salt: str, token_hash: str) -> str:
    """The secret of a link, where one of the program's keys makes it; else ""."""
    return next((each for each in _tokens_for(salt) if _hash_of(each) == token_hash), "")


def _hash_of(token: str) -> str:
    """Return what the database knows of a secret."""
    return hashlib.sha256(token.encode()).hexdigest()
