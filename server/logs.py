"""The form of a line in the log: a database that refuses a row must not print its hands."""

import logging
import re

# Four suits with dots between them, as PBN writes a hand; at least eight cards, so that a
# version number or an address is not taken for one.
HAND = re.compile(r"(?<![\w.])(?=(?:\.*[2-9TJQKA]){8})[2-9TJQKA]*(?:\.[2-9TJQKA]*){3}(?![\w.])")


class Discreet(logging.Formatter):
    """Writes time, level, origin and message, with a star for every hand."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, traceback included, without hands."""
        return hide_hands(super().format(record))


def hide_hands(text: str) -> str:
    """Put a star in the place of every hand in PBN."""
    return HAND.sub("*", text)
