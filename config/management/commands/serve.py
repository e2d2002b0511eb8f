"""`manage.py serve`: the whole program on one laptop, pages and worker in one process."""

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
from config.templates import load_pages
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
        """Define the address to listen on, and options for an empty database."""
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
        # A shell script starts background processes with interrupts ignored. SIGBREAK is the
        # interrupt on Windows.
        for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.default_int_handler)
        host, port = options["host"], _read_port(options["port"])
        browser = options["browser"]
        if browser is None:
            browser = self.stdout.isatty()
        try:
            with (
                laptop.lock_data_folder(settings.DATA_DIR),
                laptop.open_listening_socket(host, port) as listening_socket,
            ):
                laptop.prepare_data(
                    with_demo=not options["without_demo"],
                    has_club=Club.objects.exists,
                    report=self.stdout.write,
                    start_empty=options["start_empty"],
                )
                load_pages()
                laptop.serve(
                    listening_socket,
                    host=host,
                    kinds=KINDS,
                    announce=lambda: self.announce(host, port, browser=browser),
                )
        except laptop.CannotServe as error:
            if browser and error.code == laptop.ALREADY_RUNNING_EXIT_CODE:
                open_running_program()
            raise CommandError(str(error), returncode=error.code) from error
        except KeyboardInterrupt:
            pass
        self.stdout.write(_("Overplay has stopped. Everything you entered is saved."))

    def announce(self, host: str, port: int, *, browser: bool) -> None:
        """Print the URLs of the pages and how to stop the program.

        Open the browser, signed in.
        """
        names = hall.list_addresses(host) if host not in hall.LOOPBACK_HOSTS else ["127.0.0.1"]
        lines = [
            _("Overplay is open at %(url)s") % {"url": hall.build_url(name, port)}
            for name in names
        ]
        lines += self.describe_phone_access()
        start = hall.build_url("127.0.0.1", port)
        is_local = host in (*hall.LOOPBACK_HOSTS, "0.0.0.0", "::")
        if is_local:
            _get_url_file().write_text(start, "ascii")
            start = add_sign_in(start)
        if START_PATH in start:
            lines.append(_("This link signs you in once: %(url)s") % {"url": start})
        lines.append(_("Data folder: %(folder)s") % {"folder": settings.DATA_DIR})
        lines.append(_("To stop, press Ctrl-C in this window."))
        self.stdout.write("\n".join(lines))
        self.stdout.flush()
        if browser and is_local:
            open_browser(start, settings.DATA_DIR)

    def describe_phone_access(self) -> list[str]:
        """Return lines with the URL for phones; on a terminal also its QR code."""
        address = find_phone_url()
        if not address:
            return [_("Phones can't connect yet. Open the “Wi-Fi access” page.")]
        message = _("Phones on the same network open %(url)s") % {"url": f"{address}/"}
        try:
            "█▀▄".encode(self.stdout.encoding or "ascii")
        except UnicodeEncodeError:
            return [message]
        if not self.stdout.isatty():
            return [message]
        return [
            message,
            *(f"\033[97;40m{line}\033[0m" for line in create_qr_code(f"{address}/").lines),
        ]


def add_sign_in(url: str) -> str:
    """Return the URL of a page that signs the owner in, if the owner has no password."""
    if find_passwordless_owner() is None:
        return url
    return url.rstrip("/") + start_link.create()


def open_running_program() -> None:
    """Open the browser at the program that runs with the same data, signed in."""
    with suppress(OSError):
        open_browser(add_sign_in(_get_url_file().read_text("ascii")), settings.DATA_DIR)


def _get_url_file() -> Path:
    """Return the file with the URL of the running program."""
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
            _("%(port)s isn't a port. Choose 1 to 65535, e.g. PORT=8001.") % {"port": port},
            returncode=laptop.WRONG_SETTING_EXIT_CODE,
        )
    return port
