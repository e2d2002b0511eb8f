"""Helpers for management commands: the program's name, subcommands, and files."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.utils.translation import gettext as _


def format_command(arguments: str) -> str:
    """Return a command as the user types it, with the name of the running program.

    The installed package is started as `overplay`, a checkout as `python manage.py`.
    """
    is_installed = Path(sys.argv[0]).stem == "overplay"
    return f"{'overplay' if is_installed else 'python manage.py'} {arguments}"


def add_subcommand(verbs: Any, name: str, text: str) -> argparse.ArgumentParser:
    """Add a subcommand; its help text is also listed in the help of the main command."""
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text)
    return parser


def read_file(name: str) -> bytes:
    """Read a file, or standard input for "-".

    Raise CommandError with the reason of a failure.
    """
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a file name with NUL
        reason = getattr(error, "strerror", None) or error
        message = _("Can't read %(file)s: %(why)s.")
        raise CommandError(message % {"file": name, "why": reason}) from None


@contextmanager
def report_write_errors(file: Path) -> Iterator[None]:
    """Convert an OSError while a file is written to a CommandError with the reason."""
    try:
        yield
    except OSError as error:
        message = _("Can't write %(file)s: %(why)s.")
        raise CommandError(message % {"file": file, "why": error.strerror}) from None


def write_file(file: Path, content: bytes) -> None:
    """Write a file and create its parent folders.

    Raise CommandError with the reason of a failure.
    """
    with report_write_errors(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
