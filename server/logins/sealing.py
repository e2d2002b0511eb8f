"""The secrets of second factors, sealed with the installation's key before they are stored."""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from server import keys

PURPOSE = "secrets of second factors"


class WrongKey(Exception):
    """The key of this installation does not open what is stored: it was changed."""


def seal(text: str) -> str:
    """Return a text that only the holder of the root key can read."""
    return _box().encrypt(text.encode()).decode("ascii")


def unseal(sealed: str) -> str:
    """Read a sealed text; raises WrongKey."""
    try:
        return _box().decrypt(sealed.encode("ascii")).decode()
    except InvalidToken:
        raise WrongKey from None


def _box() -> MultiFernet:
    return MultiFernet([Fernet(urlsafe_b64encode(key)) for key in keys.derived(PURPOSE)])
