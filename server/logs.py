"""A log formatter that hides bridge hands and secrets."""

import logging
import re
import time
from collections.abc import Sequence

# four suits with dots between them, as PBN writes a hand; at least eight cards, so that version
# numbers and IP addresses do not match
HAND_PATTERN = re.compile(
    r"(?<![\w.])(?=(?:\.*[2-9TJQKA]){8})[2-9TJQKA]*(?:\.[2-9TJQKA]*){3}(?![\w.])"
)

_SECRET_NAME_PATTERN = (
    r"[\w-]*(?:passw(?:or)?d|passphrase|secret|token|cookie|sessionid|csrf\w*|api[_-]?key"
    r"|authorization|otp)[\w-]*"
)
NAMED_SECRET_PATTERN = re.compile(
    rf"(?i)(?P<name>[\"']?\b{_SECRET_NAME_PATTERN}[\"']?\s*[=:]\s*)"
    rf"(?P<value>\"[^\"]*\"|'[^']*'|(?:Token|Bearer|Basic)\s+\S+|[^\s,;&)}}\]]+)"
)
"""Matches a value after a secret's name, e.g. `password=…` or `'sessionid': '…'`."""
AUTHORIZATION_PATTERN = re.compile(r"(?i)\b(Token|Bearer|Basic)\s+[\w.~+/=-]{8,}")
"""Matches the value of an Authorization header."""
URL_PASSWORD_PATTERN = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/@]*:[^\s/]*@")
"""Matches the user and password in a URL such as postgres://user:password@host."""
AUTHENTICATOR_URL_PATTERN = re.compile(r"(?i)\botpauth://\S+")
"""Matches the URL of an authenticator app, which contains its secret."""

CONTROL_CHARACTER_PATTERN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class RedactingFormatter(logging.Formatter):
    """A log formatter that replaces bridge hands and secrets with a star.

    The part of a URL after a folder in `secret_folders` is a secret. Times are in UTC.
    """

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self, secret_folders: Sequence[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self.secret_folders = tuple(secret_folders)

    def format(self, record: logging.LogRecord) -> str:
        """Return the log line and its traceback without bridge hands and secrets."""
        return self.redact(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line without its traceback, with control characters escaped.

        Otherwise a line break in a user's input could forge a log line.
        """
        record.message = escape_control_characters(record.message)
        return super().formatMessage(record)

    def redact(self, text: str) -> str:
        """Replace every hand and secret in a text by a star."""
        return redact_named_secrets(
            redact_secret_paths(redact_hands(text), self.secret_folders)
        )


def drop_client_traceback(record: logging.LogRecord) -> bool:
    """Remove the traceback from the log record of a request that Django refuses.

    Anyone can cause such a traceback, e.g. with a foreign Host header, and it only shows
    Django's code. This function is a logging filter, so it always returns True.
    """
    if record.name.startswith("django.security."):
        record.exc_info = record.exc_text = None
    return True


def escape_control_characters(text: str) -> str:
    """Return a text with its line breaks and other control characters escaped."""
    return CONTROL_CHARACTER_PATTERN.sub(
        lambda match: match[0].encode("unicode_escape").decode(), text
    )


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
    text = AUTHENTICATOR_URL_PATTERN.sub("otpauth://*", URL_PASSWORD_PATTERN.sub(r"\1*@", text))
    return AUTHORIZATION_PATTERN.sub(r"\1 *", NAMED_SECRET_PATTERN.sub(r"\g<name>*", text))
