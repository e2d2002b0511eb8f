"""The form of a line in the log, which prints no hand of a row and no secret of any kind."""

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
"""What follows a name which says that it is secret: `password=…`, `'sessionid': '…'`."""
SCHEME = re.compile(r"(?i)\b(Token|Bearer|Basic)\s+[\w.~+/=-]{8,}")
"""What a program shows to be let in."""
LOGIN_IN_URL = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/@]*:[^\s/]*@")
"""The password in an address such as postgres://user:password@host."""
FACTOR = re.compile(r"(?i)\botpauth://\S+")
"""The secret of a second factor, as an authenticator reads it."""


class Discreet(logging.Formatter):
    """Writes time, level, origin and message, with a star for every hand and every secret.

    `secrets_after` are the folders whose pages need no login but the secret that follows.
    """

    def __init__(self, secrets_after: Sequence[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self.secrets_after = tuple(secrets_after)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, traceback included, without hands and secrets."""
        return self.hide(super().format(record))

    def hide(self, text: str) -> str:
        """Put a star in the place of every hand and every secret."""
        return hide_named(hide_secrets(hide_hands(text), self.secrets_after))


def drop_client_traceback(record: logging.LogRecord) -> bool:
    """Leave the traceback out where a client sent something that Django refuses.

    Anyone can send such requests, for instance with a foreign Host header, and the traceback
    only shows Django itself.
    """
    if record.name.startswith("django.security."):
        record.exc_info = record.exc_text = None
    return True


def hide_hands(text: str) -> str:
    """Put a star in the place of every hand in PBN."""
    return HAND.sub("*", text)


def hide_secrets(text: str, folders: Sequence[str]) -> str:
    """Put a star in the place of whatever follows one of these folders in a path."""
    if not folders:
        return text
    after = "|".join(map(re.escape, folders))
    return re.sub(rf"(?<![\w-]{{12}})/({after})/[\w%~./-]*[\w%~-]", r"/\1/*", text)


def hide_named(text: str) -> str:
    """Put a star in the place of passwords, keys, cookies and tokens."""
    text = FACTOR.sub("otpauth://*", LOGIN_IN_URL.sub(r"\1*@", text))
    return SCHEME.sub(r"\1 *", NAMED.sub(r"\g<name>*", text))
