"""Encryption of the secrets of second factors with a key of this installation."""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from server import keys

PURPOSE = "secrets of second factors"


class WrongKey(Exception):
    """No key of this installation decrypts the value: the key was changed."""


def seal(text: str) -> str:
    """Encrypt a text with the root key."""
    return _box().encrypt(text.encode()).decode("ascii")


def unseal(sealed: str) -> str:
    """Decrypt a text; raise WrongKey."""
    try:
        return _box().decrypt(sealed.encode("ascii")).decode()
    except InvalidToken:
        raise WrongKey from None


def _box() -> MultiFernet:
    return MultiFernet([Fernet(urlsafe_b64encode(key)) for key in keys.derive_keys(PURPOSE)])
