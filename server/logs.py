"""Log format that hides hands and secrets."""

import logging
import re
from collections.abc import Sequence

# Four suits with dots between them, as PBN writes a hand; at least eight cards, so that a
# version number or an address is not taken for one.
HAND = re.compile(r"(?<![\w.])(?=(?:\.*[2-9TJQKA]){8})[2-9TJQKA]*(?:\.[2-9TJQKA]*){3}(?![\w.])")

_NAME = (
    r"[\w-]*(?:passw(?:or)?d|passphrase|secret|token|cookie|sessionid|csrf\w*|api[_-]?key"
    r"|authorization|otp)[\w-]*"
)
NAMED = re.compile(
    rf"(?i)(?P<name>[\"']?\b{_NAME}[\"']?\s*[=:]\s*)"
    rf"(?P<value>\"[^\"]*\"|'[^']*'|(?:Token|Bearer|Basic)\s+\S+|[^\s,;&)}}\]]+)"
)
"""A value after a secret name: `password=…`, `'sessionid': '…'`."""
SCHEME = re.compile(r"(?i)\b(Token|Bearer|Basic)\s+[\w.~+/=-]{8,}")
"""The value of an Authorization header."""
LOGIN_IN_URL = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/@]*:[^\s/]*@")
"""The password in an address such as postgres://user:password@host."""
FACTOR = re.compile(r"(?i)\botpauth://\S+")
"""The secret in the URL of an authenticator."""


class Discreet(logging.Formatter):
    """Formats time, level, logger and message, with a star for every hand and secret.

    `secrets_after` are the folders whose pages need no login but a secret after the folder.
    """

    def __init__(self, secrets_after: Sequence[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self.secrets_after = tuple(secrets_after)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with its traceback, without hands and secrets."""
        return self.hide(super().format(record))

    def hide(self, text: str) -> str:
        """Replace every hand and every secret by a star."""
        return hide_named(hide_secrets(hide_hands(text), self.secrets_after))


def drop_client_traceback(record: logging.LogRecord) -> bool:
    """Remove the traceback of a request that Django refuses.

    Anyone can send such requests, for example with a foreign Host header, and the traceback
    shows only Django itself.
    """
    if record.name.startswith("django.security."):
        record.exc_info = record.exc_text = None
    return True


def hide_hands(text: str) -> str:
    """Replace every PBN hand by a star."""
    return HAND.sub("*", text)


def hide_secrets(text: str, folders: Sequence[str]) -> str:
    """Replace the part of a path after one of these folders by a star."""
    if not folders:
        return text
    after = "|".join(map(re.escape, folders))
    return re.sub(rf"(?<![\w-]{{12}})/({after})/[\w%~./-]*[\w%~-]", r"/\1/*", text)


def hide_named(text: str) -> str:
    """Replace passwords, keys, cookies and tokens by a star."""
    text = FACTOR.sub("otpauth://*", LOGIN_IN_URL.sub(r"\1*@", text))
    return SCHEME.sub(r"\1 *", NAMED.sub(r"\g<name>*", text))
