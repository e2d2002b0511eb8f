"""`manage.py season`: import a season, show its ladders and handicaps, close and export it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist import WhistError
from clubs.models import Club
from config.demo_season import create_demo_season
from exchange.data_tables import DataTable, encode_csv
from seasons.grades.grades_file import build_grades_data, read_grades
from seasons.grades.services.computation import compute_grades
from seasons.grades.services.constants_fit import fit_constants
from seasons.grades.services.settings import queue_fit
from seasons.grades.sheets import build_club_grades_data
from seasons.ladders.api import HandicapRankingSerializer, HandicapSerializer, LadderSerializer
from seasons.ladders.models import Ladder, Season
from seasons.ladders.papers import draw_ladder, draw_ranking
from seasons.ladders.rules.handicaps import HandicapTerms
from seasons.ladders.rules.words import describe_terms
from seasons.ladders.season_file import build_season_document
from seasons.ladders.season_tables import load_ladder_tables, load_season_terms
from seasons.ladders.services.importing import import_season
from seasons.ladders.services.ladders import close_season
from seasons.ladders.sheets.handicaps import (
    build_people_table,
    build_ranking_table,
    format_people,
    format_ranking,
    list_current_handicaps,
    load_handicap_ranking,
)
from seasons.ladders.sheets.ladders import (
    LadderSheet,
    build_ladder_sheet,
    build_ladder_table,
    format_ladder,
)
from server.command_line import add_subcommand, format_command, read_file, write_file
from server.databases import prepare_database

Write = Callable[[str], object]
FORMATS = ("text", "json", "csv", "pdf")


class Command(BaseCommand):
    """Import, show, close and export seasons."""

    help = "Import, export or close a season, or show its ladders and grades."

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the subcommands and their options."""
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
        verb = add_subcommand(
            verbs, "import", "import a season (the last line printed is the slug)"
        )
        verb.add_argument("file", help="whist-season/1 file, or - for standard input")
        verb = add_subcommand(verbs, "ladder", "show a ladder with full names")
        verb.add_argument("slug", metavar="SEASON[/LADDER]")
        verb.add_argument("--format", choices=FORMATS, default="text")
        verb.add_argument("--size", choices=["A4", "Letter"], default="A4")
        verb.add_argument("--out", type=Path, metavar="FILE")
        verb = add_subcommand(
            verbs, "handicap", "show today's handicaps, or an evening's standings with them"
        )
        verb.add_argument("slug", metavar="SEASON[/EVENING]")
        verb.add_argument("--format", choices=FORMATS, default="text")
        verb.add_argument("--size", choices=["A4", "Letter"], default="A4")
        verb.add_argument("--out", type=Path, metavar="FILE")
        verb = add_subcommand(verbs, "close", "close the ladders and save this version")
        verb.add_argument("slug")
        verb = add_subcommand(verbs, "export", "export a season as a whist-season/1 file")
        verb.add_argument("slug")
        verb.add_argument("--out", type=Path, metavar="FILE")

        add_subcommand(verbs, "demo", "add a season of finished evenings to the demo club")
        verb = add_subcommand(verbs, "grades", "show grades of a club or a file")
        verb.add_argument("club", nargs="?", default="", metavar="CLUB")
        verb.add_argument("--from", dest="file", default="", metavar="FILE")
        verb.add_argument(
            "--recompute", action="store_true", help="update the club's pages too"
        )
        verb.add_argument("--fit", action="store_true", help="fit the grade settings first")
        verb.add_argument("--each", action="store_true", help="grades after every evening")
        verb.add_argument("--format", choices=["json"], default="json")
        verb.add_argument("--out", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the subcommand; report errors that the user can correct without a traceback."""
        if not options.get("file") or options["verb"] != "grades":
            prepare_database()
        try:
            _SUBCOMMANDS[options["verb"]](options, self.stdout.write)
        except WhistError as problem:
            raise CommandError(str(problem)) from None


def _import_season(options: dict[str, Any], write: Write) -> None:
    season = import_season(document=read_file(options["file"]), by=None)
    ladders, evenings = season.ladders.count(), season.elsewhere.count()
    counts = [
        ngettext("%(count)s ladder", "%(count)s ladders", ladders) % {"count": ladders},
        ngettext("%(count)s evening", "%(count)s evenings", evenings) % {"count": evenings},
    ]
    write(f"{season.name}: {', '.join(counts)}.")
    write(season.slug)


def _show_ladders(options: dict[str, Any], write: Write) -> None:
    slug, _slash, name = options["slug"].partition("/")
    season = _load_season(slug)
    sheets = [
        build_ladder_sheet(row, table, in_full=True)
        for row, table in _choose_ladders(season, name)
    ]
    kind = options["format"]
    if kind == "json":
        ladder_data = LadderSerializer(sheets, many=True).data
        text = json.dumps(
            ladder_data[0] if len(ladder_data) == 1 else ladder_data,
            ensure_ascii=False,
            indent=1,
        )
        _write_text(text, options["out"], write)
    elif kind == "text":
        _write_text(
            "\n\n".join("\n".join(format_ladder(s)) for s in sheets), options["out"], write
        )
    else:
        _write_ladder_file(_require_single_sheet(sheets), kind, options, write)


def _write_ladder_file(
    sheet: LadderSheet, kind: str, options: dict[str, Any], write: Write
) -> None:
    if kind == "csv":
        _write_csv(build_ladder_table(sheet), options["out"], write)
    else:
        _write_pdf(draw_ladder(sheet, size=options["size"]), options["out"])


def _write_csv(sheet: DataTable, target: Path | None, write: Write) -> None:
    if target is None:
        write(encode_csv(sheet).decode().replace("\r\n", "\n").rstrip("\n"))
    else:
        write_file(target, encode_csv(sheet))


def _write_pdf(content: bytes, target: Path | None) -> None:
    if target is None:
        sys.stdout.buffer.write(content)
    else:
        write_file(target, content)


def _show_handicaps(options: dict[str, Any], write: Write) -> None:
    slug, _slash, key = options["slug"].partition("/")
    season = _load_season(slug)
    terms = load_season_terms(season)
    if terms is None:
        raise CommandError(_("This season has no handicap."))
    if key:
        _show_handicap_ranking(season, terms, key, options, write)
        return
    people = list_current_handicaps(season, terms, in_full=True)
    kind, target = options["format"], options["out"]
    if kind == "json":
        rows = HandicapSerializer(people, many=True).data
        data = {"season": season.slug, "figure": terms.figure, "people": rows}
        _write_text(json.dumps(data, ensure_ascii=False, indent=1), target, write)
    elif kind == "csv":
        _write_csv(build_people_table(people), target, write)
    elif kind == "pdf":
        raise CommandError(_("Give an evening: SEASON/EVENING."))
    else:
        _write_text("\n".join([describe_terms(terms), *format_people(people)]), target, write)


def _show_handicap_ranking(
    season: Season, terms: HandicapTerms, key: str, options: dict[str, Any], write: Write
) -> None:
    sheet = load_handicap_ranking(season, terms, key, in_full=True)
    if sheet is None:
        message = _("The season has no finished evening %(key)s.")
        raise CommandError(message % {"key": key})
    kind, target = options["format"], options["out"]
    if kind == "json":
        _write_text(
            json.dumps(HandicapRankingSerializer(sheet).data, ensure_ascii=False, indent=1),
            target,
            write,
        )
    elif kind == "csv":
        _write_csv(build_ranking_table(sheet), target, write)
    elif kind == "pdf":
        _write_pdf(draw_ranking(sheet, size=options["size"]), target)
    else:
        _write_text("\n".join(format_ranking(sheet)), target, write)


def _close_season(options: dict[str, Any], write: Write) -> None:
    version = close_season(season=_load_season(options["slug"]), by=None)
    message = _("%(season)s: version %(number)s of its ladders is saved.")
    write(message % {"season": version.season.name, "number": version.number})


def _export_season(options: dict[str, Any], write: Write) -> None:
    document = build_season_document(_load_season(options["slug"]))
    _write_text(json.dumps(document, ensure_ascii=False, indent=1), options["out"], write)


def _compute_grades(club: Club, *, fit: bool, recompute: bool) -> None:
    """Fit the constants and compute the club's grades, as requested."""
    if fit:
        queue_fit(club=club, by=None)
        while fit_constants(club):
            pass
    if fit or recompute:
        has_more = compute_grades(club, from_scratch=recompute)
        while has_more:
            has_more = compute_grades(club)


def _show_grades(options: dict[str, Any], write: Write) -> None:
    if bool(options["club"]) == bool(options["file"]):
        raise CommandError(_("Give a club, or a file with --from."))
    if options["file"]:
        constants, evenings = read_grades(read_file(options["file"]))
        data = build_grades_data(constants, evenings, each_evening=options["each"])
    else:
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(_("Club %(slug)s not found.") % {"slug": options["club"]})
        _compute_grades(club, fit=options["fit"], recompute=options["recompute"])
        data = build_club_grades_data(club, each_evening=options["each"])
    _write_text(json.dumps(data, ensure_ascii=False, indent=1), options["out"], write)


def _create_demo(_options: dict[str, Any], write: Write) -> None:
    club = Club.objects.filter(is_demo=True).first()
    if club is None:
        raise CommandError(_("Run `%s` first.") % format_command("demo"))
    write(create_demo_season(club).slug)


_SUBCOMMANDS: dict[str, Callable[[dict[str, Any], Write], None]] = {
    "import": _import_season,
    "ladder": _show_ladders,
    "handicap": _show_handicaps,
    "close": _close_season,
    "demo": _create_demo,
    "export": _export_season,
    "grades": _show_grades,
}


def _load_season(slug: str) -> Season:
    season = Season.objects.select_related("club").filter(slug=slug).first()
    if season is None:
        raise CommandError(_("Season %(slug)s not found.") % {"slug": slug})
    return season


def _choose_ladders(season: Season, name: str) -> list[tuple[Ladder, Any]]:
    tables = load_ladder_tables(season)
    chosen_ladders = [(row, table) for row, table in tables if not name or row.slug == name]
    if not chosen_ladders:
        message = _("Ladder %(name)s not found in this season. It has: %(names)s.")
        names = ", ".join(row.slug for row, _table in tables) or "–"
        raise CommandError(message % {"name": name or "–", "names": names})
    return chosen_ladders


def _require_single_sheet(sheets: list[LadderSheet]) -> LadderSheet:
    if len(sheets) > 1:
        names = ", ".join(sheet.row.slug for sheet in sheets)
        raise CommandError(_("Choose a ladder: %(names)s.") % {"names": names})
    return sheets[0]


def _write_text(text: str, target: Path | None, write: Write) -> None:
    if target is None:
        write(text)
    else:
        write_file(target, f"{text}\n".encode())
