"""`manage.py event`: import, export, publish, rank and print events."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist import WhistError
from clubs.club_server import build_club_api_url, build_request_function
from clubs.models import Club
from exchange.data_tables import encode_csv
from exchange.eventfile.exporter import encode_event_file, export_event
from exchange.eventfile.importer import import_event
from exchange.formats import map_formats_by_name
from exchange.results.bridgewebs import build_bridgewebs_file
from exchange.results.event_results import EventResults, load_results
from exchange.results.tables import TABLE_NAMES, build_csv_folder, build_tables
from exchange.results.usebio import build_usebio_file
from exchange.workbooks import build_workbook, build_zip
from scoring.papers import get_paper_kinds, paper_files
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.standings_export import build_standings_data
from scoring.sheets.standings_text import format_standings
from scoring.standings_engine import standings
from seasons.publishing.documents.writing import query_events_to_publish
from seasons.publishing.files import write_folder, write_zip
from seasons.publishing.sending import list_upload_items, upload_documents
from seasons.publishing.site.generator import iter_event_files
from server.command_line import add_subcommand, read_file, report_write_errors, write_file
from server.databases import prepare_database
from tournaments.models import Event, Session

LineWriter = Callable[[str], object]
JSON_FORMAT = "json"  # an alias of EVENT_FORMAT
RESULT_FORMATS = ("csv", "xlsx", "usebio", "bridgewebs")
HTML_FORMAT = "html"  # static pages in a folder or a zip
EVENT_FORMAT = "event"  # the event file, which `event import` reads


class Command(BaseCommand):
    """Import, export, publish, rank and print events."""

    help = "Import, export, publish or print an event, or show its standings."

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the subcommands and their options."""
        subparsers = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        subparser = add_subcommand(
            subparsers, "import", "import an event file (the last line printed is the slug)"
        )
        subparser.add_argument("file", help="event file, or - for standard input")
        subparser = add_subcommand(subparsers, "export", "export an event with its deals")
        subparser.add_argument("slug")
        subparser.add_argument(
            "--format",
            choices=[
                EVENT_FORMAT,
                JSON_FORMAT,
                HTML_FORMAT,
                *map_formats_by_name(),
                *RESULT_FORMATS,
            ],
            default=EVENT_FORMAT,
        )
        subparser.add_argument(
            "--session", type=int, default=1, help="session number, for its boards"
        )
        subparser.add_argument(
            "--sheet",
            choices=TABLE_NAMES,
            default="results",
            help="table for --format csv (a .zip has all)",
        )
        subparser.add_argument("--out", type=Path, metavar="FILE", help="file to write")
        subparser = add_subcommand(
            subparsers, "publish", "send public results to the club's server"
        )
        subparser.add_argument("slugs", nargs="*", metavar="slug")
        subparser.add_argument(
            "--all", action="store_true", help="all finished events, and seasons"
        )
        subparser.add_argument("--club", help="club, if there are several (with --all)")
        subparser.add_argument(
            "--to", required=True, metavar="URL", help="server, e.g. https://riverside.example"
        )
        subparser.add_argument(
            "--token-file",
            required=True,
            type=Path,
            metavar="FILE",
            help="file with the API token",
        )
        subparser.add_argument(
            "--dry-run", action="store_true", help="only list what would be sent"
        )
        subparser = add_subcommand(subparsers, "standings", "print the standings")
        subparser.add_argument("slug")
        subparser.add_argument("--format", choices=["text", "json"], default="text")
        subparser = add_subcommand(
            subparsers, "papers", "write the event's papers as PDF files"
        )
        subparser.add_argument("slug")
        subparser.add_argument("--out", type=Path, required=True, metavar="DIR")
        subparser.add_argument(
            "--only", metavar="KINDS", help=f"papers: {', '.join(get_paper_kinds())}"
        )
        subparser.add_argument("--size", choices=Event.PaperSize.values)

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the subcommand; report errors that the user can correct without a traceback."""
        prepare_database()
        try:
            _HANDLERS_BY_SUBCOMMAND[options["subcommand"]](options, self.stdout.write)
        except WhistError as error:
            raise CommandError(str(error)) from None


def _import_event(options: dict[str, Any], write_line: LineWriter) -> None:
    event = import_event(document=read_file(options["file"]), by=None)
    entry_count = event.entries.count()
    message = ngettext(
        "%(event)s: %(entries)s entry, %(results)s.",
        "%(event)s: %(entries)s entries, %(results)s.",
        entry_count,
    )
    write_line(
        message
        % {"event": event.name, "entries": entry_count, "results": _format_progress(event)}
    )
    write_line(event.slug)


def _export_event(options: dict[str, Any], write_line: LineWriter) -> None:
    if options["format"] in RESULT_FORMATS:
        _export_results(options, write_line)
        return
    if options["format"] == HTML_FORMAT:
        _export_pages(options, write_line)
        return
    if options["format"] not in (EVENT_FORMAT, JSON_FORMAT):
        _export_boards(options)
        return
    event_file_text = encode_event_file(
        export_event(
            _load_event(options["slug"]),
            should_include_deals=True,
            should_include_sealed_boards=True,
        )
    )
    if options["out"]:
        write_file(options["out"], event_file_text.encode())
    else:
        write_line(event_file_text.rstrip("\n"))


def _export_results(options: dict[str, Any], write_line: LineWriter) -> None:
    """Write an event's results with full names, for other programs."""
    results = load_results(_load_event(options["slug"]), has_full_names=True)
    output_format, output_path = options["format"], options["out"]
    if output_format == "csv":
        is_zip = output_path is not None and output_path.suffix == ".zip"
        data_table = build_tables(results).get(options["sheet"])
        if data_table is None:
            raise CommandError(
                f"{results.event.slug} has no table {options['sheet']}. Choose another --sheet."
            )
        file_content = (
            build_zip(build_csv_folder(results)) if is_zip else encode_csv(data_table)
        )
    else:
        file_content = RESULT_WRITERS_BY_FORMAT[output_format](results)
    if output_path is not None:
        write_file(output_path, file_content)
    elif output_format == "xlsx":
        raise CommandError(_("Enter the file to write: --out FILE."))
    else:
        write_line(file_content.decode().replace("\r\n", "\n").rstrip("\n"))


def _export_pages(options: dict[str, Any], write_line: LineWriter) -> None:
    """Write an event's public pages to a folder or a zip."""
    event, output_path = _load_event(options["slug"]), options["out"]
    if output_path is None:
        raise CommandError(_("Enter the folder or zip file to write: --out FILE."))
    if not query_events_to_publish(event.club).filter(pk=event.pk).exists():
        raise CommandError(
            _("%(slug)s isn’t finished or isn’t public. There’s nothing to show yet.")
            % {"slug": event.slug}
        )
    with report_write_errors(output_path):
        is_zip = output_path.suffix == ".zip"
        file_count = (
            write_zip(iter_event_files(event), output_path)
            if is_zip
            else write_folder(iter_event_files(event), output_path)
        )
    write_line(_("%(out)s: %(count)d files") % {"out": output_path, "count": file_count})


RESULT_WRITERS_BY_FORMAT: dict[str, Callable[[EventResults], bytes]] = {
    "xlsx": lambda results: build_workbook(build_tables(results).values()),
    "usebio": build_usebio_file,
    "bridgewebs": build_bridgewebs_file,
}


def _export_boards(options: dict[str, Any]) -> None:
    """Write the boards of a session to a file. The command line may show every card."""
    session = _load_event(options["slug"]).sessions.filter(number=options["session"]).first()
    if session is None or session.board_set is None:
        raise CommandError(_("This session has no boards yet."))
    if not options["out"]:
        raise CommandError(_("Enter the file to write: --out FILE."))
    write_file(
        options["out"],
        map_formats_by_name()[options["format"]].write_file(load_session_snapshot(session)),
    )


def _publish_events(options: dict[str, Any], write_line: LineWriter) -> None:
    """Publish events, with a line for each; raise CommandError if one was refused."""
    events = [_load_event(slug) for slug in options["slugs"]]
    club = events[0].club if events else _find_publishing_club(options["club"])
    if bool(events) == options["all"] or any(event.club != club for event in events):
        raise CommandError(_("Choose events of one club, or use --all."))
    publishable_pks = set(query_events_to_publish(club).values_list("pk", flat=True))
    for event in events:
        if event.pk not in publishable_pks:
            message = _("%(slug)s isn’t finished or isn’t public. There’s nothing to show yet.")
            raise CommandError(message % {"slug": event.slug})
    token = read_file(str(options["token_file"])).decode("utf-8", "replace").strip()
    send_request = build_request_function(build_club_api_url(options["to"], club.slug), token)
    upload_items = list_upload_items(club, events or None)
    rejected_upload_count = 0
    for upload_result in upload_documents(
        club, upload_items, send_request, is_dry_run=options["dry_run"]
    ):
        rejected_upload_count += upload_result.state == "refused"
        version_text = f" {upload_result.version}" if upload_result.version else ""
        reason_text = f" ({upload_result.reason})" if upload_result.reason else ""
        write_line(f"{upload_result.state}{version_text}: {upload_result.name}{reason_text}")
    if rejected_upload_count:
        raise CommandError(_("Not accepted: %(count)s.") % {"count": rejected_upload_count})


def _find_publishing_club(slug: str | None) -> Club:
    clubs = Club.objects.filter(slug=slug) if slug else Club.objects.all()
    first_clubs = list(clubs[:2])
    if len(first_clubs) != 1:
        raise CommandError(_("Choose a club by its short name: --club riverside."))
    return first_clubs[0]


def _print_standings(options: dict[str, Any], write_line: LineWriter) -> None:
    event = _load_event(options["slug"])
    standings.update_standings(event)
    rank_table = load_rank_table(event, should_include_hidden_results=True)
    if options["format"] == "json":
        write_line(json.dumps(build_standings_data(rank_table), ensure_ascii=False, indent=1))
    else:
        write_line("\n".join(format_standings(rank_table)))


def _write_papers(options: dict[str, Any], write_line: LineWriter) -> None:
    event = _load_event(options["slug"])
    paper_kinds = _choose_paper_kinds(options["only"])
    sessions = list(event.sessions.filter(sections__isnull=False).distinct())
    if not sessions:
        raise CommandError(_("This event has no movement yet, so there’s nothing to print."))
    standings.update_standings(event)
    paper_size = options["size"] or event.paper_size
    pdf_by_name = {
        _build_file_name(session, paper_kind, len(sessions)): paper_files.draw_session_paper(
            session, paper_kind, paper_size
        )
        for session in sessions
        for paper_kind in paper_kinds
        if options["only"] or not get_paper_kinds()[paper_kind].describe_required_step(session)
    }
    for name, pdf in pdf_by_name.items():
        write_file(options["out"] / name, pdf)
        write_line(str(options["out"] / name))


_HANDLERS_BY_SUBCOMMAND: dict[str, Callable[[dict[str, Any], LineWriter], None]] = {
    "import": _import_event,
    "export": _export_event,
    "publish": _publish_events,
    "standings": _print_standings,
    "papers": _write_papers,
}


def _load_event(slug: str) -> Event:
    event = Event.objects.select_related("club", "terms").filter(slug=slug).first()
    if event is None:
        raise CommandError(_("Event %(slug)s not found.") % {"slug": slug})
    return event


def _format_progress(event: Event) -> str:
    rank_table = load_rank_table(event, should_include_hidden_results=True)
    if rank_table.complete:
        return _("all results in")
    if rank_table.has_round_to_draw:
        return _("all results in so far, more rounds to play")
    message = ngettext(
        "%(missing)s result missing", "%(missing)s results missing", rank_table.missing
    )
    return message % {"missing": rank_table.missing}


def _choose_paper_kinds(kinds_text: str | None) -> Sequence[str]:
    kinds_by_name = get_paper_kinds()
    if kinds_text is None:
        return [
            name for name, paper_kind in kinds_by_name.items() if not paper_kind.is_on_request
        ]
    kind_names = [
        name.strip().replace("-", "_") for name in kinds_text.split(",") if name.strip()
    ]
    unknown_names = [name for name in kind_names if name not in kinds_by_name]
    if unknown_names or not kind_names:
        raise CommandError(
            _("Unknown paper: %(kind)s. Choose from: %(kinds)s.")
            % {"kind": ", ".join(unknown_names) or "“”", "kinds": ", ".join(kinds_by_name)}
        )
    return list(dict.fromkeys(kind_names))


def _build_file_name(session: Session, paper_kind: str, session_count: int) -> str:
    return f"{paper_kind}-{session.number}.pdf" if session_count > 1 else f"{paper_kind}.pdf"
