#!/usr/bin/env python
"""Run a command of Overplay, for instance `python manage.py serve`."""

import os
import sys
from io import TextIOWrapper
from typing import NoReturn

from server.memory import raise_gc_threshold
from server.version import VERSION


def main() -> None:
    """Print the version, or check the database and hand the command line to Django."""
    _print_in_utf8()
    raise_gc_threshold()
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
        _check_database()
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # its text says what to do
        _end(str(error), 3 if getattr(error, "is_of_data", False) else 2)
    except Exception as error:
        if not (words := _words_of(error)):
            raise  # a mistake of ours
        _end(words, 3)


def _print_in_utf8() -> None:
    """Make output UTF-8: on Windows a pipe or file has an encoding that lacks many names."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _words_of(error: Exception) -> str:
    """Describe an unusable or unavailable database or disk; empty for any other error."""
    from server import databases, outages, startup_checks

    if isinstance(error, startup_checks.UnusableData):
        return str(error)
    outage = outages.find_outage(error)
    if outage is None:
        return ""
    said = " ".join(str(error).split())
    if isinstance(error, PermissionError):
        return said  # what may not be read or written need not be the program's own
    if outage.code == "damaged":
        said = f"{said.rstrip('.')}. {databases.describe_restore()}".strip()
    return f"{outage.title}: {said}"


def _check_database() -> None:
    """Check the database before the command opens it; raise UnusableData."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-") or {"-h", "--help"} & {*sys.argv}:
        return
    import django

    django.setup()
    from server.databases import check_before_command

    check_before_command(sys.argv[1])


def _end(words: str, code: int) -> NoReturn:
    """Raise SystemExit with one line, or what is being handled where a traceback is wanted."""
    if "--traceback" in sys.argv:
        raise
    sys.stderr.write(f"{words}\n")
    raise SystemExit(code) from None


if __name__ == "__main__":
    main()
