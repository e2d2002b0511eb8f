"""A log formatter that hides hands and secrets."""

import logging
import re
from collections.abc import Sequence

# Four suits with dots between them, as PBN writes a hand; at least eight cards, so that a
# version number or an address is not taken for one.
HAND_PATTERN = re.compile(
    r"(?<![\w.])(?=(?:\.*[2-9TJQKA]){8})[2-9TJQKA]*(?:\.[2-9TJQKA]*){3}(?![\w.])"
)

_SECRET_NAME = (
    r"[\w-]*(?:passw(?:or)?d|passphrase|secret|token|cookie|sessionid|csrf\w*|api[_-]?key"
    r"|authorization|otp)[\w-]*"
)
NAMED_SECRET = re.compile(
    rf"(?i)(?P<name>[\"']?\b{_SECRET_NAME}[\"']?\s*[=:]\s*)"
    rf"(?P<value>\"[^\"]*\"|'[^']*'|(?:Token|Bearer|Basic)\s+\S+|[^\s,;&)}}\]]+)"
)
"""Matches a value after a secret's name, e.g. `password=…` or `'sessionid': '…'`."""
AUTHORIZATION_VALUE = re.compile(r"(?i)\b(Token|Bearer|Basic)\s+[\w.~+/=-]{8,}")
"""Matches the value of an Authorization header."""
PASSWORD_IN_URL = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/@]*:[^\s/]*@")
"""Matches the user and password in a URL such as postgres://user:password@host."""
AUTHENTICATOR_URL = re.compile(r"(?i)\botpauth://\S+")
"""Matches the URL of an authenticator app, which contains its secret."""


class RedactingFormatter(logging.Formatter):
    """A log formatter that replaces hands and secrets with a star.

    In URLs below the folders `secrets_after`, the rest of the path is a secret.
    """

    def __init__(self, secrets_after: Sequence[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self.secrets_after = tuple(secrets_after)

    def format(self, record: logging.LogRecord) -> str:
        """Return the log line and its traceback without hands and secrets."""
        return self.redact(super().format(record))

    def redact(self, text: str) -> str:
        """Replace every hand and secret in a text by a star."""
        return redact_named_secrets(redact_secret_paths(redact_hands(text), self.secrets_after))


def drop_client_traceback(record: logging.LogRecord) -> bool:
    """Remove the traceback from the log record of a request that Django refuses.

    Anyone can cause it, e.g. with a foreign Host header, and it only shows Django's code. It is
    a logging filter, and always returns True.
    """
    if record.name.startswith("django.security."):
        record.exc_info = record.exc_text = None
    return True


def redact_hands(text: str) -> str:
    """Replace every hand in PBN notation by a star."""
    return HAND_PATTERN.sub("*", text)


def redact_secret_paths(text: str, folders: Sequence[str]) -> str:
    """Replace the part of a path after one of these folders with a star, because it contains a
    token.
    """
    if not folders:
        return text
    folder_pattern = "|".join(map(re.escape, folders))
    return re.sub(rf"(?<![\w-]{{12}})/({folder_pattern})/[\w%~./-]*[\w%~-]", r"/\1/*", text)


def redact_named_secrets(text: str) -> str:
    """Replace passwords, keys, cookies and tokens by a star."""
    text = AUTHENTICATOR_URL.sub("otpauth://*", PASSWORD_IN_URL.sub(r"\1*@", text))
    return AUTHORIZATION_VALUE.sub(r"\1 *", NAMED_SECRET.sub(r"\g<name>*", text))
