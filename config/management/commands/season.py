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
    build_handicap_ranking_table,
    build_person_handicap_table,
    format_handicap_ranking,
    format_person_handicaps,
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

LineWriter = Callable[[str], object]
OUTPUT_FORMATS = ("text", "json", "csv", "pdf")


class Command(BaseCommand):
    """Import, show, close and export seasons."""

    help = "Import, export or close a season, or show its ladders and grades."

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the subcommands and their options."""
        subparsers = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        subparser = add_subcommand(
            subparsers, "import", "import a season (the last line printed is the slug)"
        )
        subparser.add_argument("file", help="whist-season/1 file, or - for standard input")
        subparser = add_subcommand(subparsers, "ladder", "show a ladder with full names")
        subparser.add_argument("slug", metavar="SEASON[/LADDER]")
        subparser.add_argument("--format", choices=OUTPUT_FORMATS, default="text")
        subparser.add_argument("--size", choices=["A4", "Letter"], default="A4")
        subparser.add_argument("--out", type=Path, metavar="FILE")
        subparser = add_subcommand(
            subparsers,
            "handicap",
            "show today's handicaps, or an evening's standings with them",
        )
        subparser.add_argument("slug", metavar="SEASON[/EVENING]")
        subparser.add_argument("--format", choices=OUTPUT_FORMATS, default="text")
        subparser.add_argument("--size", choices=["A4", "Letter"], default="A4")
        subparser.add_argument("--out", type=Path, metavar="FILE")
        subparser = add_subcommand(
            subparsers, "close", "close the ladders and save this version"
        )
        subparser.add_argument("slug")
        subparser = add_subcommand(
            subparsers, "export", "export a season as a whist-season/1 file"
        )
        subparser.add_argument("slug")
        subparser.add_argument("--out", type=Path, metavar="FILE")

        add_subcommand(subparsers, "demo", "add a season of finished evenings to the demo club")
        subparser = add_subcommand(subparsers, "grades", "show grades of a club or a file")
        subparser.add_argument("club", nargs="?", default="", metavar="CLUB")
        subparser.add_argument("--from", dest="file", default="", metavar="FILE")
        subparser.add_argument(
            "--recompute", action="store_true", help="update the club’s pages too"
        )
        subparser.add_argument(
            "--fit", action="store_true", help="fit the grade settings first"
        )
        subparser.add_argument("--each", action="store_true", help="grades after every evening")
        subparser.add_argument("--format", choices=["json"], default="json")
        subparser.add_argument("--out", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the subcommand; report errors that the user can correct without a traceback."""
        if not options.get("file") or options["subcommand"] != "grades":
            prepare_database()
        try:
            _HANDLERS_BY_SUBCOMMAND[options["subcommand"]](options, self.stdout.write)
        except WhistError as error:
            raise CommandError(str(error)) from None


def _import_season(options: dict[str, Any], write_line: LineWriter) -> None:
    season = import_season(document=read_file(options["file"]), by=None)
    ladder_count, external_evening_count = season.ladders.count(), season.elsewhere.count()
    count_texts = [
        ngettext("%(count)s ladder", "%(count)s ladders", ladder_count)
        % {"count": ladder_count},
        ngettext("%(count)s evening", "%(count)s evenings", external_evening_count)
        % {"count": external_evening_count},
    ]
    write_line(f"{season.name}: {', '.join(count_texts)}.")
    write_line(season.slug)


def _show_ladders(options: dict[str, Any], write_line: LineWriter) -> None:
    season_slug, _slash, ladder_slug = options["slug"].partition("/")
    season = _load_season(season_slug)
    ladder_sheets = [
        build_ladder_sheet(ladder, table, has_full_names=True)
        for ladder, table in _choose_ladders(season, ladder_slug)
    ]
    output_format = options["format"]
    if output_format == "json":
        ladder_data = LadderSerializer(ladder_sheets, many=True).data
        json_text = json.dumps(
            ladder_data[0] if len(ladder_data) == 1 else ladder_data,
            ensure_ascii=False,
            indent=1,
        )
        _write_text(json_text, options["out"], write_line)
    elif output_format == "text":
        _write_text(
            "\n\n".join(
                "\n".join(format_ladder(ladder_sheet)) for ladder_sheet in ladder_sheets
            ),
            options["out"],
            write_line,
        )
    else:
        _write_ladder_file(
            _require_single_sheet(ladder_sheets), output_format, options, write_line
        )


def _write_ladder_file(
    ladder_sheet: LadderSheet,
    output_format: str,
    options: dict[str, Any],
    write_line: LineWriter,
) -> None:
    if output_format == "csv":
        _write_csv(build_ladder_table(ladder_sheet), options["out"], write_line)
    else:
        _write_pdf(draw_ladder(ladder_sheet, paper_size=options["size"]), options["out"])


def _write_csv(data_table: DataTable, output_path: Path | None, write_line: LineWriter) -> None:
    if output_path is None:
        write_line(encode_csv(data_table).decode().replace("\r\n", "\n").rstrip("\n"))
    else:
        write_file(output_path, encode_csv(data_table))


def _write_pdf(pdf: bytes, output_path: Path | None) -> None:
    if output_path is None:
        sys.stdout.buffer.write(pdf)
    else:
        write_file(output_path, pdf)


def _show_handicaps(options: dict[str, Any], write_line: LineWriter) -> None:
    season_slug, _slash, evening_key = options["slug"].partition("/")
    season = _load_season(season_slug)
    handicap_terms = load_season_terms(season)
    if handicap_terms is None:
        raise CommandError(_("This season has no handicap."))
    if evening_key:
        _show_handicap_ranking(season, handicap_terms, evening_key, options, write_line)
        return
    handicaps = list_current_handicaps(season, handicap_terms, has_full_names=True)
    output_format, output_path = options["format"], options["out"]
    if output_format == "json":
        handicap_data = HandicapSerializer(handicaps, many=True).data
        season_data = {
            "season": season.slug,
            "figure": handicap_terms.figure,
            "people": handicap_data,
        }
        _write_text(
            json.dumps(season_data, ensure_ascii=False, indent=1), output_path, write_line
        )
    elif output_format == "csv":
        _write_csv(build_person_handicap_table(handicaps), output_path, write_line)
    elif output_format == "pdf":
        raise CommandError(_("Enter an evening: SEASON/EVENING."))
    else:
        _write_text(
            "\n".join([describe_terms(handicap_terms), *format_person_handicaps(handicaps)]),
            output_path,
            write_line,
        )


def _show_handicap_ranking(
    season: Season,
    handicap_terms: HandicapTerms,
    evening_key: str,
    options: dict[str, Any],
    write_line: LineWriter,
) -> None:
    ranking = load_handicap_ranking(season, handicap_terms, evening_key, has_full_names=True)
    if ranking is None:
        message = _("The season has no finished evening %(key)s.")
        raise CommandError(message % {"key": evening_key})
    output_format, output_path = options["format"], options["out"]
    if output_format == "json":
        _write_text(
            json.dumps(HandicapRankingSerializer(ranking).data, ensure_ascii=False, indent=1),
            output_path,
            write_line,
        )
    elif output_format == "csv":
        _write_csv(build_handicap_ranking_table(ranking), output_path, write_line)
    elif output_format == "pdf":
        _write_pdf(draw_ranking(ranking, paper_size=options["size"]), output_path)
    else:
        _write_text("\n".join(format_handicap_ranking(ranking)), output_path, write_line)


def _close_season(options: dict[str, Any], write_line: LineWriter) -> None:
    season_version = close_season(season=_load_season(options["slug"]), by=None)
    message = _("%(season)s: version %(number)s of its ladders is saved.")
    write_line(
        message % {"season": season_version.season.name, "number": season_version.number}
    )


def _export_season(options: dict[str, Any], write_line: LineWriter) -> None:
    document = build_season_document(_load_season(options["slug"]))
    _write_text(json.dumps(document, ensure_ascii=False, indent=1), options["out"], write_line)


def _compute_grades(club: Club, *, should_fit_constants: bool, should_recompute: bool) -> None:
    """Compute the club's grades.

    If `should_fit_constants`, the constants of the rating are fitted first.

    If neither argument is true, nothing happens.
    """
    if should_fit_constants:
        queue_fit(club=club, by=None)
        while fit_constants(club):
            pass
    if should_fit_constants or should_recompute:
        has_uncomputed_grades = compute_grades(club, should_recompute_all=should_recompute)
        while has_uncomputed_grades:
            has_uncomputed_grades = compute_grades(club)


def _show_grades(options: dict[str, Any], write_line: LineWriter) -> None:
    if bool(options["club"]) == bool(options["file"]):
        raise CommandError(_("Enter a club, or a file with --from."))
    if options["file"]:
        grade_constants, evenings = read_grades(read_file(options["file"]))
        grades_data = build_grades_data(
            grade_constants, evenings, should_include_each_evening=options["each"]
        )
    else:
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(_("Club %(slug)s not found.") % {"slug": options["club"]})
        _compute_grades(
            club, should_fit_constants=options["fit"], should_recompute=options["recompute"]
        )
        grades_data = build_club_grades_data(club, should_include_each_evening=options["each"])
    _write_text(
        json.dumps(grades_data, ensure_ascii=False, indent=1), options["out"], write_line
    )


def _create_demo(_options: dict[str, Any], write_line: LineWriter) -> None:
    club = Club.objects.filter(is_demo=True).first()
    if club is None:
        raise CommandError(_("Run `%s` first.") % format_command("demo"))
    write_line(create_demo_season(club).slug)


_HANDLERS_BY_SUBCOMMAND: dict[str, Callable[[dict[str, Any], LineWriter], None]] = {
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


def _choose_ladders(season: Season, ladder_slug: str) -> list[tuple[Ladder, Any]]:
    tables = load_ladder_tables(season)
    ladders_and_tables = [
        (ladder, table)
        for ladder, table in tables
        if not ladder_slug or ladder.slug == ladder_slug
    ]
    if not ladders_and_tables:
        message = _("Ladder %(name)s not found in this season. Available: %(names)s.")
        known_slugs_text = ", ".join(ladder.slug for ladder, _table in tables) or "–"
        raise CommandError(message % {"name": ladder_slug or "–", "names": known_slugs_text})
    return ladders_and_tables


def _require_single_sheet(ladder_sheets: list[LadderSheet]) -> LadderSheet:
    if len(ladder_sheets) > 1:
        ladder_slugs_text = ", ".join(
            ladder_sheet.ladder.slug for ladder_sheet in ladder_sheets
        )
        raise CommandError(_("Choose a ladder: %(names)s.") % {"names": ladder_slugs_text})
    return ladder_sheets[0]


def _write_text(text: str, output_path: Path | None, write_line: LineWriter) -> None:
    if output_path is None:
        write_line(text)
    else:
        write_file(output_path, f"{text}\n".encode())
