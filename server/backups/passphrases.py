"""Reads passphrases from a file, since command lines are visible in the process list."""

from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _


def read_passphrase(passphrase_file_path: str | None) -> str:
    """Return the first line of the named file, or "" if `passphrase_file_path` is empty.

    Raises CommandError if the file cannot be read.
    """
    if not passphrase_file_path:
        return ""
    try:
        file_lines = Path(passphrase_file_path).expanduser().read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        message = _("Can’t read the passphrase from %(file)s (%(why)s).")
        raise CommandError(message % {"file": passphrase_file_path, "why": error}) from error
    if not file_lines or not file_lines[0].strip():
        raise CommandError(
            _("The first line of %(file)s is empty.") % {"file": passphrase_file_path}
        )
    return file_lines[0].strip()
