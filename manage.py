#!/usr/bin/env python
"""Run a command of Overplay, for instance `python manage.py serve`."""

import os
import sys
from io import TextIOWrapper
from typing import NoReturn

from server.memory import raise_gc_threshold
from server.version import VERSION


def main() -> None:
    """Print the version, or check the database and run a command of Django."""
    _configure_utf8_output()
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
    except ImproperlyConfigured as error:
        _exit_with_message(str(error), 3 if getattr(error, "is_data_error", False) else 2)
    except Exception as error:
        if not (message := _describe_data_problem(error)):
            raise  # a bug: Python shows its traceback
        _exit_with_message(message, 3)


def _configure_utf8_output() -> None:
    """Write output as UTF-8; the default encoding on Windows lacks letters of many names."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _describe_data_problem(error: Exception) -> str:
    """Return a description of an unusable database or disk, or "" for any other error."""
    from server import databases, outages, startup_checks

    if isinstance(error, startup_checks.UnusableData):
        return str(error)
    outage = outages.find_outage(error)
    if outage is None:
        return ""
    error_text = " ".join(str(error).split())
    if isinstance(error, PermissionError):
        return error_text  # the file may belong to another program, so no remedy is named
    if outage.code == "damaged":
        error_text = f"{error_text.rstrip('.')}. {databases.describe_restore()}".strip()
    return f"{outage.title}: {error_text}"


def _check_database() -> None:
    """Check the database before the command opens it; raise UnusableData if it is unusable."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-") or {"-h", "--help"} & {*sys.argv}:
        return
    import django

    django.setup()
    from server.databases import check_before_command

    check_before_command(sys.argv[1])


def _exit_with_message(message: str, exit_code: int) -> NoReturn:
    """Print a message and exit; with --traceback, raise the current exception again."""
    if "--traceback" in sys.argv:
        raise
    sys.stderr.write(f"{message}\n")
    raise SystemExit(exit_code) from None


if __name__ == "__main__":
    main()
