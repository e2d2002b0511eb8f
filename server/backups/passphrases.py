"""Reads passphrases from a file, since command lines are visible in the process list."""

from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _


def read_passphrase(name: str | None) -> str:
    """Return the first line of the named file, or "" if `name` is empty.

    Raises CommandError if the file cannot be read.
    """
    if not name:
        return ""
    try:
        file_lines = Path(name).expanduser().read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        message = _("Can’t read the passphrase from %(file)s (%(why)s).")
        raise CommandError(message % {"file": name, "why": error}) from error
    if not file_lines or not file_lines[0].strip():
        raise CommandError(_("The first line of %(file)s is empty.") % {"file": name})
    return file_lines[0].strip()
