"""The secrets of the tables' addresses: 128 bits, made anew from a salt and the program's key.

The database keeps the salt and a hash. Neither opens a table's page without SECRET_KEY, and
with it the same address can be printed again.
"""

import base64
import hashlib
import secrets
from typing import ClassVar, Protocol

from django.urls import reverse
from django.utils.crypto import salted_hmac


class Link(Protocol):
    """What has a secret address: the name of its page, the salt, and a hash of the secret."""

    page: ClassVar[str]
    salt: str
    token_hash: str


def new_salt() -> str:
    """Return a salt for a new link."""
    return secrets.token_hex(16)


def token_for(salt: str) -> str:
    """Return the secret part of an address."""
    made = salted_hmac("overplay.table-link", salt, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(made[:16]).decode().rstrip("=")


def hash_of(token: str) -> str:
    """Return what the database knows of a secret."""
    return hashlib.sha256(token.encode()).hexdigest()


def path_of(link: Link) -> str:
    """Return the path of a link's page; empty where the program's key is another by now."""
    token = token_for(link.salt)
    return reverse(link.page, args=[token]) if hash_of(token) == link.token_hash else ""
