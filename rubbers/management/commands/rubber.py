"""The command `manage.py rubber`, whose verbs score, cut, verify, import or export.

Only `import` and `export` use the database.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from boards.whist import WhistError
from clubs.models import Club
from clubs.services.clubs import create_club
from rubbers.files.export import export_night
from rubbers.files.night_file import find_inconsistencies, parse_night_file
from rubbers.files.rubber_file import evaluate_cut_file, score_rubber_file
from rubbers.models import RubberNight
from rubbers.services import import_rubber_night
from rubbers.snapshot import load_night
from server.databases import prepare_database

INVALID_INPUT_STATUS = 2
CommandReport = dict[str, Any]


class Command(BaseCommand):
    """Runs the verbs of `manage.py rubber`."""

    help = "Score the hands of a rubber night, decide its cuts, import, export or verify it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments; `handle` checks them, to report errors in one line."""
        parser.add_argument("verb", nargs="?", help=" or ".join(RUNNER_BY_SUBCOMMAND))
        parser.add_argument("file", nargs="?", help="a JSON file, or - for standard input")
        parser.add_argument("--format", default="json", help="json (the only format)")
        parser.add_argument("--club", default="", help="the club to import into")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the result as JSON; report errors in one line, with exit code 2."""
        subcommand, file_name = options["verb"], options["file"]
        if subcommand not in RUNNER_BY_SUBCOMMAND or (
            file_name is None and subcommand != "export"
        ):
            raise _build_error(_("enter: rubber score FILE, or: rubber cut FILE"))
        if options["format"] != "json":
            raise _build_error(_("--format can only be json"))
        try:
            report = RUNNER_BY_SUBCOMMAND[subcommand](file_name or "", options["club"])
        except WhistError as error:
            raise _build_error(" ".join(str(error).split())) from None
        self.stdout.write(json.dumps(report, ensure_ascii=False))


def _run_score_subcommand(file_name: str, _club: str) -> CommandReport:
    return score_rubber_file(_read_file(file_name))


def _run_cut_subcommand(file_name: str, _club: str) -> CommandReport:
    return evaluate_cut_file(_read_file(file_name))


def _run_verify_subcommand(file_name: str, _club: str) -> CommandReport:
    differences = find_inconsistencies(parse_night_file(_read_file(file_name)))
    if differences:
        raise CommandError("\n".join(differences))
    return {"verified": True}


def _run_import_subcommand(file_name: str, club_name: str) -> CommandReport:
    file_text = _read_file(file_name)
    parse_night_file(file_text)  # raises an error before a club is created
    prepare_database()
    with transaction.atomic():
        night = import_rubber_night(
            club=_get_or_create_club(club_name), file_text=file_text, by=None
        )
    return {"slug": night.slug, "uid": str(night.uid), "players": night.players.count()}


def _get_or_create_club(name: str) -> Club:
    """Return the club with a name or slug, and create it if it does not exist.

    An empty name means the only club.
    """
    clubs = list(
        Club.objects.filter(Q(name=name) | Q(slug=name)) if name else Club.objects.all()
    )
    if len(clubs) == 1:
        return clubs[0]
    if clubs:
        raise _build_error(_("There are several clubs. Choose one with --club."))
    return create_club(name=name or _("Whist club"), owner=None, by=None)


def _run_export_subcommand(identifier: str, _club: str) -> CommandReport:
    """Return the content of a night's file.

    The identifier is the slug or the uid of the night, or "" for the only night.
    """
    prepare_database()
    standalone_nights = RubberNight.objects.filter(drive=None).select_related(
        "club", "evening", "drive"
    )
    nights = [
        night
        for night in standalone_nights
        if not identifier or identifier in (night.slug, str(night.uid))
    ]
    if len(nights) != 1:
        message = _("Rubber night “%(night)s” not found.")
        if nights:
            message = _("Choose one: %(nights)s.")
        slugs = ", ".join(night.slug for night in nights[:20])
        raise _build_error(message % {"night": identifier, "nights": slugs})
    return export_night(load_night(nights[0]))


RUNNER_BY_SUBCOMMAND: dict[str, Callable[[str, str], CommandReport]] = {
    "score": _run_score_subcommand,
    "cut": _run_cut_subcommand,
    "import": _run_import_subcommand,
    "export": _run_export_subcommand,
    "verify": _run_verify_subcommand,
}


def _read_file(file_name: str) -> str:
    try:
        file_bytes = (
            sys.stdin.buffer.read() if file_name == "-" else Path(file_name).read_bytes()
        )
        return file_bytes.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _build_error(_("%(file)s: this isn’t UTF-8") % {"file": file_name}) from None
    except (OSError, ValueError) as error:  # ValueError if the name contains NUL
        reason = getattr(error, "strerror", None) or error
        raise _build_error(f"{file_name}: {reason}") from None


def _build_error(message: str) -> CommandError:
    return CommandError(message, returncode=INVALID_INPUT_STATUS)
