#!/usr/bin/env python
"""Run a command of Overplay, for instance `python manage.py serve`."""

import os
import sys
from typing import NoReturn

from server.version import VERSION


def main() -> None:
    """Say which version this is, or hand the command line to Django."""
    if sys.argv[1:] in (["version"], ["--version"]):
        sys.stdout.write(f"Overplay {VERSION}\n")
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise SystemExit(
            "Django is not installed here. Run `make run`, or: python -m venv .venv, then "
            ".venv/bin/pip install -r requirements.txt and .venv/bin/python manage.py serve"
        ) from error
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # its text is the cure
        _end(str(error), 3 if getattr(error, "is_of_data", False) else 2)
    except Exception as error:
        from server import away

        if not (outage := away.outage_of(error)):
            raise  # a mistake of ours
        said = " ".join(str(error).split())
        # what may not be read or written need not be the program's own
        _end(said if isinstance(error, PermissionError) else f"{outage.title}: {said}", 3)


def _end(words: str, code: int) -> NoReturn:
    """Raise SystemExit with one line, or what is being handled where a traceback is wanted."""
    if "--traceback" in sys.argv:
        raise
    sys.stderr.write(f"{words}\n")
    raise SystemExit(code) from None


if __name__ == "__main__":
    main()
