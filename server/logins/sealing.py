"""The secrets of second factors, sealed with the installation's key before they are stored."""

from base64 import urlsafe_b64encode
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

USE = b"overplay: secrets of second factors"


class WrongKey(Exception):
    """The key of this installation does not open what is stored: it was changed."""


def seal(text: str) -> str:
    """Return a text that only the holder of SECRET_KEY can read."""
    return _box().encrypt(text.encode()).decode("ascii")


def unseal(sealed: str) -> str:
    """Read a sealed text; raises WrongKey."""
    try:
        return _box().decrypt(sealed.encode("ascii")).decode()
    except InvalidToken:
        raise WrongKey from None


def _box() -> MultiFernet:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([_of_key(key) for key in keys])


@lru_cache(maxsize=8)
def _of_key(secret: str) -> Fernet:
    key = HKDF(SHA256(), 32, salt=None, info=USE).derive(secret.encode())
    return Fernet(urlsafe_b64encode(key))
