"""`manage.py club`: create a club and its director's login, or move a club."""

import secrets
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils.translation import gettext as _

import clubs.services
from boards.whist import WhistError
from clubs.archives.exporter import export_club
from clubs.archives.importer import ImportOptions, import_club
from clubs.archives.relocation import mark_club_as_moved, unmark_club_as_moved
from clubs.archives.report import format_report
from clubs.archives.rows import compute_digest
from clubs.models import Club
from clubs.time_zones import find_time_zone
from config.archives import ARCHIVE_SPEC
from seasons.publishing.club_files import iter_club_table_files
from seasons.publishing.files import write_folder, write_zip
from seasons.publishing.site.generator import iter_site_files
from server.backups import create
from server.backups.passphrases import read_passphrase
from server.command_line import format_command, report_write_errors
from server.databases import prepare_database
from server.jobs.progress_files import ignore_progress
from server.logins.passwords import compute_first_password_expiry
from server.models import User

SUBCOMMANDS = ("export", "import", "digest", "moved", "back", "site", "tables")
"""The subcommands. A club with one of these names can be created on a page, but not here."""


class Command(BaseCommand):
    """Create a club, add a director, or move a club to another machine."""

    help = (
        "Create a club with a director, or add a director. "
        "Move it: `club export NAME FILE`, `club import FILE`, `club moved NAME URL`, "
        "`club back NAME`. Compare copies: `club digest NAME`. "
        "Export pages to read offline: `club site NAME --out ZIP`. "
        "Export all tables: `club tables NAME --out ZIP`."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the arguments of a new club and of the subcommands."""
        parser.add_argument(
            "words",
            nargs="+",
            metavar="NAME",
            help="name of the club, e.g. “Riverside Whist Club”, or a subcommand (see above)",
        )
        parser.add_argument("--director", metavar="LOGIN", help="login of the director")
        parser.add_argument(
            "--timezone", default="Europe/London", metavar="ZONE", help="time zone"
        )
        _add_archive_options(parser)

    def handle(self, *args: str, **options: Any) -> None:
        """Run the subcommand of the first argument, or create a club."""
        prepare_database()
        subcommand, *arguments = options["words"]
        try:
            self.run_subcommand(subcommand, arguments, options)
        except (WhistError, ValidationError) as error:
            error_texts = error.messages if isinstance(error, ValidationError) else [str(error)]
            raise CommandError("\n".join(error_texts)) from error

    def run_subcommand(
        self, subcommand: str, arguments: list[str], options: dict[str, Any]
    ) -> None:
        """Run the subcommand, or create a club if `subcommand` is the name of a new club."""
        match subcommand, arguments:
            case "export", [name, archive_path]:
                self.export_archive(name, Path(archive_path), options)
            case "import", [archive_path]:
                self.import_archive(Path(archive_path), options)
            case "digest", [name]:
                self.print_digests(name)
            case "moved" | "back", [name, *new_urls]:
                self.mark_as_moved(name, new_urls)
            case "site" | "tables", [name]:
                self.export_site_or_tables(subcommand, name, options)
            case name, [] if name not in SUBCOMMANDS:
                self.create(name, options)
            case _:
                raise CommandError(
                    _("Run `%s` to see the options.") % format_command("club --help")
                )

    def export_archive(
        self, club_name: str, archive_path: Path, options: dict[str, Any]
    ) -> None:
        """Write a club's archive to a file."""
        if archive_path.is_dir():
            raise CommandError(
                _("%(file)s is a folder. Enter a file name in it.") % {"file": archive_path}
            )
        export_result = export_club(
            _load_club(club_name),
            archive_path.expanduser().resolve(),
            ARCHIVE_SPEC,
            passphrase=read_passphrase(options["passphrase_file"]),
            should_include_logins=options["with_logins"],
        )
        message = _("%(file)s: %(rows)d rows, %(digest)s")
        placeholders = {
            "file": export_result.path,
            "rows": export_result.rows_digest.row_count,
            "digest": export_result.rows_digest.sha256,
        }
        self.stdout.write(message % placeholders)

    def import_archive(self, archive_path: Path, options: dict[str, Any]) -> None:
        """Import a club's archive; with --replace, after a backup of all data."""
        owner = None
        if options["owner"]:
            owner = User.objects.filter(username=options["owner"]).first()
            if owner is None:
                message = _("Login %(login)s not found.")
                raise CommandError(message % {"login": options["owner"]})
        if options["replace"]:
            try:
                create.create_backup_and_clean_up(
                    create.BackupRequest(kind="asked", folder=settings.BACKUP_DIR)
                )
            except create.BackupFailed as error:
                raise CommandError(str(error)) from error
        import_options = ImportOptions(
            name=options["as"] or "",
            passphrase=read_passphrase(options["passphrase_file"]),
            should_renew_links=options["new_links"],
            should_replace=options["replace"],
            owner=owner,
        )
        for report_line in format_report(
            import_club(archive_path.expanduser(), ARCHIVE_SPEC, import_options)
        ):
            self.stdout.write(report_line)

    def mark_as_moved(self, name: str, new_urls: list[str]) -> None:
        """Make a club read-only because it has moved to a URL; without a URL, undo this."""
        if new_urls:
            mark_club_as_moved(
                club=_load_club(name), new_url=new_urls[0], spec=ARCHIVE_SPEC, by=None
            )
            self.stdout.write(_("%(club)s is read-only here.") % {"club": name})
        else:
            unmark_club_as_moved(club=_load_club(name), spec=ARCHIVE_SPEC, by=None)
            self.stdout.write(_("%(club)s is active here again.") % {"club": name})

    def export_site_or_tables(
        self, subcommand: str, name: str, options: dict[str, Any]
    ) -> None:
        """Write a club's static site, or its tables, to a zip or a folder."""
        club, output_path = _load_club(name), options["out"]
        if output_path is None:
            raise CommandError(_("Enter the zip file or folder to write: --out FILE."))
        season = None
        if options["season"]:
            season = club.seasons.filter(slug=options["season"]).first()
            if season is None:
                message = _("%(club)s has no season %(season)s.")
                raise CommandError(message % {"club": club.name, "season": options["season"]})
        progress = self._choose_progress_callback()
        if subcommand == "site":
            files = iter_site_files(club, season, progress)
        else:
            files = iter_club_table_files(
                club, season, has_full_names=True, report_progress=progress
            )
        with report_write_errors(output_path):
            file_count = (
                write_zip(files, output_path)
                if output_path.suffix == ".zip"
                else write_folder(files, output_path)
            )
        self.stdout.write(
            _("%(out)s: %(count)d files") % {"out": output_path, "count": file_count}
        )

    def _choose_progress_callback(self) -> Callable[[int, int], None]:
        """Return a function that prints the progress if the output is a terminal."""
        if not self.stderr.isatty():
            return ignore_progress

        def show_progress(done_count: int, total_count: int) -> None:
            self.stderr.write(
                f"\r{done_count} / {total_count}",
                ending="\n" if done_count == total_count else "",
            )

        return show_progress

    def print_digests(self, name: str) -> None:
        """Print a digest of each table of a club's data, and a digest of all tables."""
        club_digest = compute_digest(_load_club(name), ARCHIVE_SPEC)
        for table_name, table_digest in sorted(club_digest.digests_by_table.items()):
            self.stdout.write(
                f"{table_digest.sha256}  {table_digest.row_count:>8}  {table_name}"
            )
        self.stdout.write(f"{club_digest.sha256}  {club_digest.row_count:>8}  *")

    def create(self, name: str, options: dict[str, Any]) -> None:
        """Create a club, and print the password of a new login."""
        name = " ".join(name.split())
        if not options["director"]:
            raise CommandError(_("Enter the director’s login: --director LOGIN."))
        timezone, login = find_time_zone(options["timezone"]), options["director"].strip()
        Club(name=name, slug="any", timezone=timezone).clean_fields()
        User(username=login, password="any").clean_fields()
        password = create_club(name, login, timezone)
        placeholders = {"club": name, "login": login, "password": password}
        self.stdout.write(_("%(login)s is a director of %(club)s.") % placeholders)
        if password:
            self.stdout.write(_("Password for %(login)s: %(password)s") % placeholders)


def _add_archive_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=Path, metavar="ZIP", help="site, tables: zip or folder to write"
    )
    parser.add_argument("--season", metavar="SLUG", help="site, tables: only this season")
    parser.add_argument("--as", metavar="NAME", help="import: new name of the club")
    parser.add_argument("--owner", metavar="LOGIN", help="import: login of the owner")
    parser.add_argument(
        "--replace", action="store_true", help="import: replace the club (after a backup)"
    )
    parser.add_argument(
        "--new-links", action="store_true", help="import: create new links for tables and pairs"
    )
    parser.add_argument(
        "--with-logins", action="store_true", help="export: include password hashes"
    )
    parser.add_argument(
        "--passphrase-file", metavar="FILE", help="file with the passphrase in its first line"
    )


def _load_club(name: str) -> Club:
    club = Club.objects.filter(name=name).first() or Club.objects.filter(slug=name).first()
    if club is None:
        raise CommandError(_("Club %(club)s not found.") % {"club": name})
    return club


@transaction.atomic
def create_club(name: str, login: str, timezone: str) -> str:
    """Create a club and its director; return the password of a new login, else ""."""
    director = User.objects.filter(username=login).first()
    password = ""
    if director is None:
        password = secrets.token_urlsafe(9)
        director = User.objects.create_user(
            login, password=password, first_password_until=compute_first_password_expiry()
        )
    clubs.services.create_club(name=name, timezone=timezone, owner=director, by=director)
    return password
