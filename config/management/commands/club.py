"""Creation of a club and its director's login, and club archives for another machine."""

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
from clubs.archives.relocation import mark_moved, unmark_moved
from clubs.archives.report import format_report
from clubs.archives.rows import compute_digest
from clubs.models import Club
from config.archives import KNOWN
from seasons.publishing.club_files import iter_club_tables
from seasons.publishing.files import write_folder, write_zip
from seasons.publishing.site.whole import iter_site_files
from server.backups import making
from server.backups.passphrases import read_passphrase
from server.command_line import command, writing
from server.databases import prepare_database
from server.jobs.progress_files import no_progress
from server.logins.passwords import first_password_expiry
from server.models import User

ACTS = ("export", "import", "digest", "moved", "back", "site", "tables")
"""First words with a meaning; a club with such a name can only be created on a page."""


class Command(BaseCommand):
    """Create a club, add a director, or move a club to another machine."""

    help = (
        "Make a club and the login of its director; again, to add another director. "
        "`club export NAME FILE` and `club import FILE` carry one to another machine, "
        "`club digest NAME` says what it holds, `club moved NAME URL` lets it rest here. "
        "`club site NAME --out ZIP` writes pages to read without a server, "
        "`club tables NAME --out ZIP` all tables; with --season those of one season."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the arguments: club, director's login and time zone, or an action."""
        parser.add_argument(
            "words",
            nargs="+",
            metavar="NAME",
            help="the club, for instance “Riverside Whist Club”; or export NAME FILE, "
            "import FILE, digest NAME, moved NAME URL, back NAME, site NAME, tables NAME",
        )
        parser.add_argument("--director", metavar="LOGIN", help="who directs a new club")
        parser.add_argument("--timezone", default="Europe/London", metavar="ZONE")
        _add_carrying(parser)

    def handle(self, *args: str, **options: Any) -> None:
        """Run the action of the first word, or create a club."""
        prepare_database()
        act, *rest = options["words"]
        try:
            self.do(act, rest, options)
        except (WhistError, ValidationError) as problem:
            words = problem.messages if isinstance(problem, ValidationError) else [str(problem)]
            raise CommandError("\n".join(words)) from problem

    def do(self, act: str, rest: list[str], options: dict[str, Any]) -> None:
        """Run one action, or create the club of that name."""
        match act, rest:
            case "export", [name, file]:
                self.export(name, Path(file), options)
            case "import", [file]:
                self.bring_in(Path(file), options)
            case "digest", [name]:
                self.digest(name)
            case "moved" | "back", [name, *to]:
                self.rest(name, to)
            case "site" | "tables", [name]:
                self.write_out(act, name, options)
            case name, [] if name not in ACTS:
                self.make(name, options)
            case _:
                raise CommandError(_("Write it as `%s` says.") % command("club --help"))

    def export(self, name: str, file: Path, options: dict[str, Any]) -> None:
        """Write a club's archive to a file."""
        if file.is_dir():
            raise CommandError(_("%(file)s is a folder; name a file in it.") % {"file": file})
        left = export_club(
            _club(name),
            file.expanduser().resolve(),
            KNOWN,
            passphrase=read_passphrase(options["passphrase_file"]),
            with_logins=options["with_logins"],
        )
        words = _("%(file)s: %(rows)d rows, %(digest)s")
        named = {"file": left.path, "rows": left.digest.rows, "digest": left.digest.sha256}
        self.stdout.write(words % named)

    def bring_in(self, file: Path, options: dict[str, Any]) -> None:
        """Import a club; with --replace, after a backup of all data."""
        owner = None
        if options["owner"]:
            owner = User.objects.filter(username=options["owner"]).first()
            if owner is None:
                words = _("There is no login %(login)s here.")
                raise CommandError(words % {"login": options["owner"]})
        if options["replace"]:
            try:
                making.make_and_store(making.Wish(kind="asked", folder=settings.BACKUP_DIR))
            except making.NoBackup as error:
                raise CommandError(str(error)) from error
        wish = ImportOptions(
            name=options["as"] or "",
            passphrase=read_passphrase(options["passphrase_file"]),
            new_links=options["new_links"],
            replace=options["replace"],
            owner=owner,
        )
        for line in format_report(import_club(file.expanduser(), KNOWN, wish)):
            self.stdout.write(line)

    def rest(self, name: str, to: list[str]) -> None:
        """Make a club read-only because it has moved; without an address undo that."""
        if to:
            mark_moved(club=_club(name), to=to[0], known=KNOWN, by=None)
            self.stdout.write(_("%(club)s rests here.") % {"club": name})
        else:
            unmark_moved(club=_club(name), known=KNOWN, by=None)
            self.stdout.write(_("%(club)s plays here again.") % {"club": name})

    def write_out(self, act: str, name: str, options: dict[str, Any]) -> None:
        """Write a club's site, or its tables, to a zip or a folder."""
        club, out = _club(name), options["out"]
        if out is None:
            raise CommandError(_("Name the zip, or the folder, to write with --out."))
        season = None
        if options["season"]:
            season = club.seasons.filter(slug=options["season"]).first()
            if season is None:
                words = _("%(club)s has no season called %(season)s.")
                raise CommandError(words % {"club": club.name, "season": options["season"]})
        progress = self._bar()
        if act == "site":
            files = iter_site_files(club, season, progress)
        else:
            files = iter_club_tables(club, season, in_full=True, progress=progress)
        with writing(out):
            count = write_zip(files, out) if out.suffix == ".zip" else write_folder(files, out)
        self.stdout.write(_("%(out)s: %(count)d files") % {"out": out, "count": count})

    def _bar(self) -> Callable[[int, int], None]:
        """Return a progress callback, which writes only to a terminal."""
        if not self.stderr.isatty():
            return no_progress

        def told(done: int, of: int) -> None:
            self.stderr.write(f"\r{done} / {of}", ending="\n" if done == of else "")

        return told

    def digest(self, name: str) -> None:
        """Print the digests of a club's data: one for each table, and one for all."""
        found = compute_digest(_club(name), KNOWN)
        for table, each in sorted(found.tables.items()):
            self.stdout.write(f"{each.sha256}  {each.rows:>8}  {table}")
        self.stdout.write(f"{found.sha256}  {found.rows:>8}  *")

    def make(self, name: str, options: dict[str, Any]) -> None:
        """Create a club, and print the password of a new login."""
        name = " ".join(name.split())
        if not options["director"]:
            raise CommandError(_("Say who directs it: --director LOGIN."))
        zone, login = options["timezone"], options["director"].strip()
        Club(name=name, slug="any", timezone=zone).clean_fields()
        User(username=login, password="any").clean_fields()
        password = make_club(name, login, zone)
        words = {"club": name, "login": login, "password": password}
        self.stdout.write(_("%(login)s directs %(club)s.") % words)
        if password:
            self.stdout.write(_("Password of %(login)s: %(password)s") % words)


def _add_carrying(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=Path, metavar="ZIP", help="site, tables: a zip or a folder to write"
    )
    parser.add_argument("--season", metavar="SLUG", help="site, tables: of this season alone")
    parser.add_argument("--as", metavar="NAME", help="import: the club's name here")
    parser.add_argument("--owner", metavar="LOGIN", help="import: who owns it here")
    parser.add_argument(
        "--replace", action="store_true", help="import: in place of the club, after a backup"
    )
    parser.add_argument(
        "--new-links", action="store_true", help="import: new addresses for tables and pairs"
    )
    parser.add_argument(
        "--with-logins", action="store_true", help="export: the hashes of passwords too"
    )
    parser.add_argument(
        "--passphrase-file", metavar="FILE", help="a file whose first line seals the archive"
    )


def _club(name: str) -> Club:
    club = Club.objects.filter(name=name).first() or Club.objects.filter(slug=name).first()
    if club is None:
        raise CommandError(_("There is no club called %(club)s here.") % {"club": name})
    return club


@transaction.atomic
def make_club(name: str, login: str, zone: str) -> str:
    """Create the club and its director; return the password of a new login, else ""."""
    director = User.objects.filter(username=login).first()
    password = ""
    if director is None:
        password = secrets.token_urlsafe(9)
        director = User.objects.create_user(
            login, password=password, first_password_until=first_password_expiry()
        )
    clubs.services.create_club(name=name, timezone=zone, owner=director, by=director)
    return password
