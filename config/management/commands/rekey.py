"""`manage.py rekey`: replace SECRET_KEY; secret links and second factors stay valid."""

import os
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.sessions.models import Session as Login
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from server import keys, laptop
from server.command_line import format_command
from server.databases import prepare_database
from server.logins import factor_rows

REENCRYPT_FUNCTIONS: tuple[Callable[[], int], ...] = (factor_rows.reencrypt_secrets,)
"""Functions that encrypt stored secrets again with the new key and return their number."""


class Command(BaseCommand):
    help = (
        "Change the root key. Everyone is signed out. Links still work, and can be reprinted "
        "while the previous key is kept."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add `--finish`, the second step on a server that already has the new SECRET_KEY."""
        parser.add_argument(
            "--finish",
            action="store_true",
            help="finish, with SECRET_KEY new and the old key in SECRET_KEY_FALLBACKS",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Replace the key file in the data folder, and finish the change.

        If the environment sets SECRET_KEY, the administrator must change it there. The command
        then prints how to do that or, with `--finish`, finishes the change.
        """
        folder = Path(settings.DATA_DIR)
        if os.environ.get("SECRET_KEY", "").strip():
            self.print_server_steps(should_finish=options["finish"])
            return
        try:
            with laptop.stop_and_lock_data_folder(folder, should_stop_other=False):
                keys.rotate_root_key(folder)
                self.load_new_key_into_settings(folder)
                prepare_database()
                self.end_sessions_and_reencrypt()
        except laptop.StartupError as error:
            raise CommandError(str(error), returncode=error.exit_code) from error

    def load_new_key_into_settings(self, folder: Path) -> None:
        """Read the key files into the settings of this process, which still has the old key."""
        settings.SECRET_KEY = (folder / keys.KEY_FILE_NAME).read_text("ascii").strip()
        settings.SECRET_KEY_FALLBACKS = (
            (folder / keys.OLD_KEYS_FILE_NAME).read_text("ascii").split()
        )

    def print_server_steps(self, *, should_finish: bool) -> None:
        """Print the settings to change; if `should_finish`, finish a change already made."""
        if not should_finish:
            self.stdout.write(_("Replace the SECRET_KEY setting with these two lines:"))
            self.stdout.write(f"SECRET_KEY={keys.generate_root_key()}")
            self.stdout.write(f"SECRET_KEY_FALLBACKS={','.join(keys.list_root_keys())}")
            self.stdout.write(
                _("Then restart everything and run: %s") % format_command("rekey --finish")
            )
            return
        if not settings.SECRET_KEY_FALLBACKS:
            raise CommandError(_("SECRET_KEY_FALLBACKS is empty. Put the old key there."))
        prepare_database()
        self.end_sessions_and_reencrypt()

    def end_sessions_and_reencrypt(self) -> None:
        """Sign out every login, and encrypt the secrets of second factors with the new key."""
        secret_count = sum(reencrypt() for reencrypt in REENCRYPT_FUNCTIONS)
        session_count, _counts_by_model = Login.objects.all().delete()
        message = _(
            "The key was changed. %(ended)d logins were signed out and "
            "%(sealed)d secrets encrypted again. Links still work."
        )
        self.stdout.write(message % {"ended": session_count, "sealed": secret_count})
