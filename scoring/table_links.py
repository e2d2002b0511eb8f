"""The secrets of the tables' addresses: 128 bits, made anew from a salt and the program's key.

The database keeps the salt and a hash. Neither opens a table's page without SECRET_KEY, and
with it the same address can be printed again.
"""

import base64
import hashlib
import secrets
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import salted_hmac

from scoring.models import EntryLink, HandLink, TableLink


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


def path_of(link: TableLink) -> str:
    """Return the path of a table's page; empty where the program's key is another by now."""
    token = token_for(link.salt)
    return reverse("table", args=[token]) if hash_of(token) == link.token_hash else ""


def entry_path_of(link: EntryLink) -> str:
    """Return the path of an entry's page; empty where the program's key is another by now."""
    token = token_for(link.salt)
    return reverse("entry_page", args=[token]) if hash_of(token) == link.token_hash else ""


def hand_path_of(link: HandLink) -> str:
    """Return the path of the helpers' pages; empty where the key is another by now."""
    token = token_for(link.salt)
    return reverse("typing", args=[token]) if hash_of(token) == link.token_hash else ""


def is_of_the_hall(address: str) -> bool:
    """Whether an address leads no farther than the network that this computer is in."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".home.arpa"))


def phone_address() -> str:
    """Return the address under which phones reach this program, without a slash at its end.

    Empty where only this computer itself can reach it.
    """
    addresses: list[str] = settings.PHONE_ADDRESSES
    return addresses[0].rstrip("/") if addresses else ""
