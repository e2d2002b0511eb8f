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


def add_subcommand(subparsers: Any, name: str, help_text: str) -> argparse.ArgumentParser:
    """Add a subcommand; its help text is also listed in the help of the main command."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name, help=help_text, description=help_text
    )
    return parser


def read_file(file_name: str) -> bytes:
    """Read a file, or standard input for "-". Raises CommandError with the reason."""
    try:
        return sys.stdin.buffer.read() if file_name == "-" else Path(file_name).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a file name with NUL
        reason = getattr(error, "strerror", None) or error
        message = _("Can’t read %(file)s: %(why)s.")
        raise CommandError(message % {"file": file_name, "why": reason}) from None


@contextmanager
def report_write_errors(path: Path) -> Iterator[None]:
    """Convert an OSError while a file is written to a CommandError with the reason."""
    try:
        yield
    except OSError as error:
        message = _("Can’t write %(file)s: %(why)s.")
        raise CommandError(message % {"file": path, "why": error.strerror}) from None


def write_file(path: Path, content: bytes) -> None:
    """Write a file and create its parent folders. Raises CommandError with the reason."""
    with report_write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
