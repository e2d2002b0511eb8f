"""Encrypt secrets of second factors with a key of this installation."""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from server import keys

KEY_PURPOSE = "secrets of second factors"


class WrongKey(Exception):
    """No key of this installation decrypts the value: the root key was changed."""


def encrypt_secret(plain_text: str) -> str:
    """Encrypt a text with the root key."""
    return _create_cipher().encrypt(plain_text.encode()).decode("ascii")


def decrypt_secret(encrypted_text: str) -> str:
    """Decrypt a text. Raises WrongKey if no key of this installation fits."""
    try:
        return _create_cipher().decrypt(encrypted_text.encode("ascii")).decode()
    except InvalidToken:
        raise WrongKey from None


def _create_cipher() -> MultiFernet:
    return MultiFernet(
        [Fernet(urlsafe_b64encode(key)) for key in keys.derive_keys(KEY_PURPOSE)]
    )
