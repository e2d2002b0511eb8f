"""`manage.py serve`: run the web server and the job worker in one process on a laptop."""

import os
import signal
from argparse import ArgumentParser, BooleanOptionalAction
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from clubs.models import Club
from config import environment
from config.jobs import KINDS
from config.templates import preload_views_and_templates
from printing.qr import create_qr_code
from server import hall_network as hall
from server import laptop
from server.hall_network import find_phone_url
from server.logins.passwords import find_passwordless_owner
from server.logins.start_link import open_browser, start_link

START_PATH = "/start/"


class Command(BaseCommand):
    help = "Run Overplay on this computer."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add options for the address to listen on, and for a start with an empty database."""
        parser.add_argument(
            "--host",
            default=os.environ.get("HOST", "").strip() or "127.0.0.1",
            help="address to listen on, 0.0.0.0 for phones (default HOST or 127.0.0.1)",
        )
        parser.add_argument("--port", help="port (default PORT or 8000)")
        parser.add_argument(
            "--without-demo", action="store_true", help="start without the demo club"
        )
        parser.add_argument(
            "--browser",
            action=BooleanOptionalAction,
            default=None,
            help="open the browser (default: only from a terminal)",
        )
        parser.add_argument(
            "--start-empty",
            action="store_true",
            help="start with an empty database even if a backup exists",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare the data, serve until interrupted, and stop cleanly."""
        # Restore the handlers, because a process that a shell script starts in the background
        # ignores SIGINT. SIGBREAK is the interrupt on Windows.
        for signal_name in ("SIGINT", "SIGTERM", "SIGBREAK"):
            if hasattr(signal, signal_name):
                signal.signal(getattr(signal, signal_name), signal.default_int_handler)
        host, port = options["host"], _read_port(options["port"])
        should_open_browser = options["browser"]
        if should_open_browser is None:
            should_open_browser = self.stdout.isatty()
        try:
            with (
                laptop.lock_data_folder(settings.DATA_DIR),
                laptop.open_listening_socket(host, port) as listening_socket,
            ):
                laptop.prepare_data(
                    should_create_demo=not options["without_demo"],
                    has_club=Club.objects.exists,
                    report_message=self.stdout.write,
                    should_allow_empty=options["start_empty"],
                )
                preload_views_and_templates()
                laptop.serve(
                    listening_socket,
                    host=host,
                    job_kinds=KINDS,
                    announce=lambda: self.print_urls(
                        host, port, should_open_browser=should_open_browser
                    ),
                )
        except laptop.StartupError as error:
            if should_open_browser and error.exit_code == laptop.ALREADY_RUNNING_EXIT_CODE:
                open_browser_at_running_program()
            raise CommandError(str(error), returncode=error.exit_code) from error
        except KeyboardInterrupt:
            pass
        self.stdout.write(_("Overplay has stopped. Everything you entered is saved."))

    def print_urls(self, host: str, port: int, *, should_open_browser: bool) -> None:
        """Print the URLs of the pages, and how to stop the program.

        If requested, open the browser with a link that signs the owner in.
        """
        host_names = (
            hall.list_server_addresses(host)
            if host not in hall.LOOPBACK_HOSTS
            else ["127.0.0.1"]
        )
        messages = [
            _("Overplay is open at %(url)s") % {"url": hall.build_url(host_name, port)}
            for host_name in host_names
        ]
        messages += self.describe_phone_access()
        start_url = hall.build_url("127.0.0.1", port)
        is_local = host in (*hall.LOOPBACK_HOSTS, "0.0.0.0", "::")
        if is_local:
            _get_url_file().write_text(start_url, "ascii")
            start_url = add_sign_in_path(start_url)
        if START_PATH in start_url:
            messages.append(_("This link signs you in once: %(url)s") % {"url": start_url})
        messages.append(_("Data folder: %(folder)s") % {"folder": settings.DATA_DIR})
        messages.append(_("To stop, press Ctrl-C in this window."))
        self.stdout.write("\n".join(messages))
        self.stdout.flush()
        if should_open_browser and is_local:
            open_browser(start_url, settings.DATA_DIR)

    def describe_phone_access(self) -> list[str]:
        """Return lines with the URL for phones; on a terminal also its QR code."""
        phone_url = find_phone_url()
        if not phone_url:
            return [_("Phones can’t connect yet. Open the “Wi-Fi access” page.")]
        message = _("Phones on the same network open %(url)s") % {"url": f"{phone_url}/"}
        try:
            "█▀▄".encode(self.stdout.encoding or "ascii")
        except UnicodeEncodeError:
            return [message]
        if not self.stdout.isatty():
            return [message]
        return [
            message,
            *(
                f"\033[97;40m{qr_line}\033[0m"
                for qr_line in create_qr_code(f"{phone_url}/").lines
            ),
        ]


def add_sign_in_path(url: str) -> str:
    """Return a URL that signs the owner in; return `url` itself if the owner has a password."""
    if find_passwordless_owner() is None:
        return url
    return url.rstrip("/") + start_link.create_link_path()


def open_browser_at_running_program() -> None:
    """Open the browser, signed in as owner, at the `serve` process that uses this data."""
    with suppress(OSError):
        open_browser(add_sign_in_path(_get_url_file().read_text("ascii")), settings.DATA_DIR)


def _get_url_file() -> Path:
    """Return the path of the file that holds the URL of the running program."""
    return Path(settings.DATA_DIR, "serving.url")


def _read_port(port_text: str | None) -> int:
    """Read the port from the option or the environment."""
    try:
        port = environment.read_number(
            {"PORT": port_text} if port_text else os.environ, "PORT", 8000
        )
    except ImproperlyConfigured as error:
        raise CommandError(str(error), returncode=laptop.WRONG_SETTING_EXIT_CODE) from error
    if not 0 < port < 65536:
        raise CommandError(
            _("%(port)s isn’t a port. Choose 1 to 65535, e.g. PORT=8001.") % {"port": port},
            returncode=laptop.WRONG_SETTING_EXIT_CODE,
        )
    return port
