"""`manage.py calendar`: export a club's calendar, or import bookings from its server."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from boards.whist import WhistError
from clubs.club_server import build_club_api_url
from clubs.models import Club
from seasons.calendar.booking_fetch import download_bookings
from seasons.calendar.booking_file import import_booking_file
from seasons.calendar.sheets.calendar import build_calendar_data, build_calendar_file
from server.databases import prepare_database


class Command(BaseCommand):
    """Export a club’s calendar, or import its bookings."""

    help = "Export a club’s calendar (iCalendar or JSON), or fetch its bookings."

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the options."""
        parser.add_argument("club", help="short name of the club, as in its web address")
        parser.add_argument("--format", choices=["ics", "json"], default="ics")
        parser.add_argument("--out", type=Path, metavar="FILE", help="file to write")
        parser.add_argument("--base", default="", help="web address of the club, for links")
        parser.add_argument("--fetch", metavar="FILE", help="import bookings from a file")
        parser.add_argument(
            "--from", dest="server", metavar="URL", help="fetch bookings from a server"
        )
        parser.add_argument(
            "--token-file", type=Path, metavar="FILE", help="file with the API token"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Export or import; report an error that the user can correct in one line."""
        prepare_database()
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            message = _("Club %(slug)s not found.")
            raise CommandError(message % {"slug": options["club"]})
        try:
            self._sync_calendar(club, options)
        except WhistError as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            message = _("Can’t read or write %(file)s: %(why)s.")
            placeholders = {"file": error.filename, "why": error.strerror}
            raise CommandError(message % placeholders) from None

    def _sync_calendar(self, club: Club, options: dict[str, Any]) -> None:
        if options["fetch"] or options["server"]:
            booking_result = import_booking_file(
                document=_load_booking_document(club, options), club=club, by=None
            )
            message = _("%(new)s new, %(changed)s changed, %(gone)s cancelled.")
            placeholders = {
                "new": booking_result.new_count,
                "changed": booking_result.changed_count,
                "gone": booking_result.cancelled_booking_count,
            }
            self.stdout.write(message % placeholders)
            for person_names in booking_result.skipped_names:
                self.stdout.write(
                    _("%(names)s: already booked here.") % {"names": person_names}
                )
            return
        if options["format"] == "json":
            calendar_text = json.dumps(build_calendar_data(club), ensure_ascii=False, indent=1)
        else:
            base_url = options["base"].rstrip("/")
            calendar_text = build_calendar_file(club, base_url).decode()
        if options["out"]:
            options["out"].write_bytes(calendar_text.encode())
        else:
            self.stdout.write(
                calendar_text, ending="" if calendar_text.endswith("\n") else "\n"
            )


def _load_booking_document(club: Club, options: dict[str, Any]) -> bytes:
    if options["fetch"]:
        return Path(options["fetch"]).read_bytes()
    if options["token_file"] is None:
        raise CommandError(_("Enter the token file: --token-file FILE."))
    token = options["token_file"].read_text(encoding="utf-8").strip()
    return download_bookings(build_club_api_url(options["server"], club.slug), token)
