"""What commands with several verbs share: a verb with its help, and a file that is read."""

import argparse
import sys
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.utils.translation import gettext as _


def add_verb(verbs: Any, name: str, text: str) -> argparse.ArgumentParser:
    """Add a verb to a command; its own --help says the same as the command's."""
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text)
    return parser


def read_file(name: str) -> bytes:
    """Read a file, or with "-" what comes in; raises CommandError with the reason."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:  # a name with a zero in it is no file either
        why = getattr(error, "strerror", None) or error
        words = _("%(file)s cannot be read: %(why)s.")
        raise CommandError(words % {"file": name, "why": why}) from None
