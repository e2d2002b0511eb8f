"""Score a rubber, or tell what cuts say: `manage.py rubber score FILE`; needs no database."""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from boards.whist import WhistError
from drives.rubber.files import cut_text, score_text

VERBS = {"score": score_text, "cut": cut_text}
BAD_INPUT = 2


class Command(BaseCommand):
    """Score hands at a single table, or cut for it."""

    help = "Score the hands of a rubber night, or tell what cuts for a table say."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the verb and the file; `handle` looks at them, so a refusal is one line."""
        parser.add_argument("verb", nargs="?", help=f"{' or '.join(VERBS)}")
        parser.add_argument("file", nargs="?", help="a JSON file, or - for standard input")
        parser.add_argument("--format", default="json", help="json, the only one")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print, or refuse with one line and exit 2."""
        if options["verb"] not in VERBS or options["file"] is None:
            raise _refused(_("write: rubber score FILE, or: rubber cut FILE"))
        if options["format"] != "json":
            raise _refused(_("--format is json, there is no other"))
        try:
            told = VERBS[options["verb"]](_read(options["file"]))
        except WhistError as problem:
            raise _refused(str(problem)) from None
        self.stdout.write(json.dumps(told, ensure_ascii=False))


def _read(name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _refused(_("%(file)s: this is not UTF-8") % {"file": name}) from None
    except (OSError, ValueError) as problem:  # a name with a zero in it is no file either
        reason = getattr(problem, "strerror", None) or problem
        raise _refused(f"{name}: {reason}") from None


def _refused(words: str) -> CommandError:
    return CommandError(words, returncode=BAD_INPUT)
