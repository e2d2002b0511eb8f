"""`manage.py event`: import, export, publish, rank and print events."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist import WhistError
from clubs.club_server import complete_club_address, make_requester
from clubs.models import Club
from exchange.data_tables import encode_csv
from exchange.eventfile.exporter import encode_event_file, export_event
from exchange.eventfile.importer import import_event
from exchange.formats import formats_by_name
from exchange.results.bridgewebs import build_bridgewebs_file
from exchange.results.event_results import EventResults, load_results
from exchange.results.tables import TABLE_NAMES, build_csv_folder, build_tables
from exchange.results.usebio import build_usebio_file
from exchange.workbooks import build_workbook, build_zip
from scoring.papers import get_kinds, paper_files
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.standings_export import build_standings_data
from scoring.sheets.standings_text import format_standings
from scoring.standings_engine import standings
from seasons.publishing.documents.writing import query_events_to_publish
from seasons.publishing.files import write_folder, write_zip
from seasons.publishing.sending import list_items, upload_documents
from seasons.publishing.site.generator import iter_evening_files
from server.command_line import add_subcommand, read_file, report_write_errors, write_file
from server.databases import prepare_database
from tournaments.models import Event, Session

Write = Callable[[str], object]
JSON_FORMAT = "json"  # an alias of EVENT
RESULT_FORMATS = ("csv", "xlsx", "usebio", "bridgewebs")
HTML_FORMAT = "html"  # static pages, in a folder or a zip
EVENT_FORMAT = "event"  # the event file, which can be imported


class Command(BaseCommand):
    """Import, export, publish, rank and print events."""

    help = "Import, export, publish or print an event, or show its standings."

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the subcommands and their options."""
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
        verb = add_subcommand(
            verbs, "import", "import an event file (the last line printed is the slug)"
        )
        verb.add_argument("file", help="event file, or - for standard input")
        verb = add_subcommand(verbs, "export", "export an event with its deals")
        verb.add_argument("slug")
        verb.add_argument(
            "--format",
            choices=[
                EVENT_FORMAT,
                JSON_FORMAT,
                HTML_FORMAT,
                *formats_by_name(),
                *RESULT_FORMATS,
            ],
            default=EVENT_FORMAT,
        )
        verb.add_argument(
            "--session", type=int, default=1, help="session number, for its boards"
        )
        verb.add_argument(
            "--sheet",
            choices=TABLE_NAMES,
            default="results",
            help="table for --format csv (a .zip has all)",
        )
        verb.add_argument("--out", type=Path, metavar="FILE", help="file to write")
        verb = add_subcommand(verbs, "publish", "send public results to the club's server")
        verb.add_argument("slugs", nargs="*", metavar="slug")
        verb.add_argument("--all", action="store_true", help="all finished events, and seasons")
        verb.add_argument("--club", help="club, if there are several (with --all)")
        verb.add_argument(
            "--to", required=True, metavar="URL", help="server, e.g. https://riverside.example"
        )
        verb.add_argument(
            "--token-file",
            required=True,
            type=Path,
            metavar="FILE",
            help="file with the API token",
        )
        verb.add_argument("--dry-run", action="store_true", help="only list what would be sent")
        verb = add_subcommand(verbs, "standings", "print the standings")
        verb.add_argument("slug")
        verb.add_argument("--format", choices=["text", "json"], default="text")
        verb = add_subcommand(verbs, "papers", "write the event's papers as PDF files")
        verb.add_argument("slug")
        verb.add_argument("--out", type=Path, required=True, metavar="DIR")
        verb.add_argument("--only", metavar="KINDS", help=f"papers: {', '.join(get_kinds())}")
        verb.add_argument("--size", choices=Event.PaperSize.values)

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the subcommand; report errors that the user can correct without a traceback."""
        prepare_database()
        try:
            _SUBCOMMANDS[options["verb"]](options, self.stdout.write)
        except WhistError as problem:
            raise CommandError(str(problem)) from None


def _import_event(options: dict[str, Any], write: Write) -> None:
    event = import_event(document=read_file(options["file"]), by=None)
    count = event.entries.count()
    message = ngettext(
        "%(event)s: %(entries)s entry, %(results)s.",
        "%(event)s: %(entries)s entries, %(results)s.",
        count,
    )
    write(message % {"event": event.name, "entries": count, "results": _format_progress(event)})
    write(event.slug)


def _export_event(options: dict[str, Any], write: Write) -> None:
    if options["format"] in RESULT_FORMATS:
        _export_results(options, write)
        return
    if options["format"] == HTML_FORMAT:
        _export_pages(options, write)
        return
    if options["format"] not in (EVENT_FORMAT, JSON_FORMAT):
        _export_boards(options)
        return
    text = encode_event_file(
        export_event(_load_event(options["slug"]), with_deals=True, with_sealed_boards=True)
    )
    if options["out"]:
        write_file(options["out"], text.encode())
    else:
        write(text.rstrip("\n"))


def _export_results(options: dict[str, Any], write: Write) -> None:
    """Write an event's results with full names, for other programs."""
    results = load_results(_load_event(options["slug"]), in_full=True)
    kind, target = options["format"], options["out"]
    if kind == "csv":
        is_whole = target is not None and target.suffix == ".zip"
        sheet = build_tables(results).get(options["sheet"])
        if sheet is None:
            raise CommandError(
                f"{results.event.slug} has no table {options['sheet']}. Choose another --sheet."
            )
        content = build_zip(build_csv_folder(results)) if is_whole else encode_csv(sheet)
    else:
        content = RESULT_WRITERS[kind](results)
    if target is not None:
        write_file(target, content)
    elif kind == "xlsx":
        raise CommandError(_("Give the file to write with --out."))
    else:
        write(content.decode().replace("\r\n", "\n").rstrip("\n"))


def _export_pages(options: dict[str, Any], write: Write) -> None:
    """Write an event's public pages to a folder or a zip."""
    event, target = _load_event(options["slug"]), options["out"]
    if target is None:
        raise CommandError(_("Give the folder or zip to write with --out."))
    if not query_events_to_publish(event.club).filter(pk=event.pk).exists():
        raise CommandError(
            _("%(slug)s isn't finished or isn't public. There's nothing to show yet.")
            % {"slug": event.slug}
        )
    with report_write_errors(target):
        is_zip = target.suffix == ".zip"
        count = (
            write_zip(iter_evening_files(event), target)
            if is_zip
            else write_folder(iter_evening_files(event), target)
        )
    write(_("%(out)s: %(count)d files") % {"out": target, "count": count})


RESULT_WRITERS: dict[str, Callable[[EventResults], bytes]] = {
    "xlsx": lambda results: build_workbook(build_tables(results).values()),
    "usebio": build_usebio_file,
    "bridgewebs": build_bridgewebs_file,
}


def _export_boards(options: dict[str, Any]) -> None:
    """Write the boards of one session; users of the command line may see every card."""
    session = _load_event(options["slug"]).sessions.filter(number=options["session"]).first()
    if session is None or session.board_set is None:
        raise CommandError(_("This session has no boards yet."))
    if not options["out"]:
        raise CommandError(_("Give the file to write with --out."))
    write_file(
        options["out"],
        formats_by_name()[options["format"]].write(load_session_snapshot(session)),
    )


def _publish_events(options: dict[str, Any], write: Write) -> None:
    """Publish events, printing a line for each; raise CommandError if one was refused."""
    events = [_load_event(slug) for slug in options["slugs"]]
    club = events[0].club if events else _find_publishing_club(options["club"])
    if bool(events) == options["all"] or any(event.club != club for event in events):
        raise CommandError(_("Give events of one club, or --all."))
    publishable = set(query_events_to_publish(club).values_list("pk", flat=True))
    for event in events:
        if event.pk not in publishable:
            message = _("%(slug)s isn't finished or isn't public. There's nothing to show yet.")
            raise CommandError(message % {"slug": event.slug})
    token = read_file(str(options["token_file"])).decode("utf-8", "replace").strip()
    ask = make_requester(complete_club_address(options["to"], club.slug), token)
    items = list_items(club, events or None)
    error = 0
    for outcome in upload_documents(club, items, ask, try_only=options["dry_run"]):
        error += outcome.state == "refused"
        version = f" {outcome.version}" if outcome.version else ""
        reason_text = f" ({outcome.reason})" if outcome.reason else ""
        write(f"{outcome.state}{version}: {outcome.name}{reason_text}")
    if error:
        raise CommandError(_("Not accepted: %(count)s.") % {"count": error})


def _find_publishing_club(slug: str | None) -> Club:
    clubs = Club.objects.filter(slug=slug) if slug else Club.objects.all()
    first_clubs = list(clubs[:2])
    if len(first_clubs) != 1:
        raise CommandError(_("Choose a club by its short name: --club riverside."))
    return first_clubs[0]


def _print_standings(options: dict[str, Any], write: Write) -> None:
    event = _load_event(options["slug"])
    standings.update_standings(event)
    table = load_rank_table(event, all_results=True)
    if options["format"] == "json":
        write(json.dumps(build_standings_data(table), ensure_ascii=False, indent=1))
    else:
        write("\n".join(format_standings(table)))


def _write_papers(options: dict[str, Any], write: Write) -> None:
    event = _load_event(options["slug"])
    names = _choose_paper_kinds(options["only"])
    sessions = list(event.sessions.filter(sections__isnull=False).distinct())
    if not sessions:
        raise CommandError(_("This event has no movement yet, so there's nothing to print."))
    standings.update_standings(event)
    size = options["size"] or event.paper_size
    drawn_papers = {
        _build_file_name(session, kind, len(sessions)): paper_files.draw_session_paper(
            session, kind, size
        )
        for session in sessions
        for kind in names
        if options["only"] or not get_kinds()[kind].describe_wait(session)
    }
    for name, pdf in drawn_papers.items():
        write_file(options["out"] / name, pdf)
        write(str(options["out"] / name))


_SUBCOMMANDS: dict[str, Callable[[dict[str, Any], Write], None]] = {
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
    table = load_rank_table(event, all_results=True)
    if table.complete:
        return _("all results in")
    if table.awaits_draw:
        return _("all results in so far, more rounds upcoming")
    message = ngettext(
        "%(missing)s result missing", "%(missing)s results missing", table.missing
    )
    return message % {"missing": table.missing}


def _choose_paper_kinds(only: str | None) -> Sequence[str]:
    kinds_by_name = get_kinds()
    if only is None:
        return [name for name, kind in kinds_by_name.items() if not kind.on_request]
    names = [name.strip().replace("-", "_") for name in only.split(",") if name.strip()]
    unknown = [name for name in names if name not in kinds_by_name]
    if unknown or not names:
        raise CommandError(
            _("Unknown paper: %(kind)s. Choose from: %(kinds)s.")
            % {"kind": ", ".join(unknown) or "“”", "kinds": ", ".join(kinds_by_name)}
        )
    return list(dict.fromkeys(names))


def _build_file_name(session: Session, kind: str, sessions: int) -> str:
    return f"{kind}-{session.number}.pdf" if sessions > 1 else f"{kind}.pdf"
