"""The form of a line in the log, which prints no hand of a row and no secret of an address."""

import logging
import re
from collections.abc import Sequence

# Four suits with dots between them, as PBN writes a hand; at least eight cards, so that a
# version number or an address is not taken for one.
HAND = re.compile(r"(?<![\w.])(?=(?:\.*[2-9TJQKA]){8})[2-9TJQKA]*(?:\.[2-9TJQKA]*){3}(?![\w.])")


class Discreet(logging.Formatter):
    """Writes time, level, origin and message, with a star for every hand and every secret.

    `secrets_after` are the folders whose pages need no login but the secret that follows.
    """

    def __init__(self, secrets_after: Sequence[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self.secrets_after = tuple(secrets_after)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, traceback included, without hands and secrets."""
        return hide_secrets(hide_hands(super().format(record)), self.secrets_after)


def hide_hands(text: str) -> str:
    """Put a star in the place of every hand in PBN."""
    return HAND.sub("*", text)


def hide_secrets(text: str, folders: Sequence[str]) -> str:
    """Put a star in the place of every secret that follows one of these folders in a path."""
    if not folders:
        return text
    after = "|".join(map(re.escape, folders))
    return re.sub(rf"(?<!\w)/({after})/[\w-]{{20,}}", r"/\1/*", text)
