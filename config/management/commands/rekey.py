"""`manage.py rekey`: another root key, without a link that dies or a factor that is lost."""

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
from server.command_line import command
from server.databases import prepare_database
from server.logins import factor_rows

SEALED: tuple[Callable[[], int], ...] = (factor_rows.seal_anew,)
"""What rows keep encrypted: each encrypts it anew with the first key, and counts."""


class Command(BaseCommand):
    help = (
        "Change the root key: logins end, links of tables and pairs keep opening and can be "
        "printed again as long as the key before is kept."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take whether the new key is there already."""
        parser.add_argument(
            "--finish",
            action="store_true",
            help="the new key stands in the environment, the old one in SECRET_KEY_FALLBACKS",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make a new key where this program keeps it; else say what to do, or finish it."""
        folder = Path(settings.DATA_DIR)
        if os.environ.get("SECRET_KEY", "").strip():
            self.on_a_server(finish=options["finish"])
            return
        try:
            with laptop.only_one_stopped(folder, stop=False):
                keys.change(folder)
                self.take_new(folder)
                prepare_database()
                self.finish()
        except laptop.CannotServe as error:
            raise CommandError(str(error), returncode=error.code) from error

    def take_new(self, folder: Path) -> None:
        """Go on with the new key in this program."""
        settings.SECRET_KEY = (folder / keys.KEPT).read_text("ascii").strip()
        settings.SECRET_KEY_FALLBACKS = (folder / keys.BEFORE).read_text("ascii").split()

    def on_a_server(self, *, finish: bool) -> None:
        """Say what stands where, or end what was signed with the old key."""
        if not finish:
            self.stdout.write(_("Write these two lines where SECRET_KEY stands now:"))
            self.stdout.write(f"SECRET_KEY={keys.new_root()}")
            self.stdout.write(f"SECRET_KEY_FALLBACKS={','.join(keys.roots())}")
            self.stdout.write(
                _("Then start everything again, and run: %s") % command("rekey --finish")
            )
            return
        if not settings.SECRET_KEY_FALLBACKS:
            raise CommandError(_("SECRET_KEY_FALLBACKS is empty: the old key belongs there."))
        prepare_database()
        self.finish()

    def finish(self) -> None:
        """End all logins, and encrypt anew what is encrypted."""
        sealed = sum(anew() for anew in SEALED)
        ended, _kinds = Login.objects.all().delete()
        words = _(
            "The key is another one. %(ended)d logins have ended, %(sealed)d secrets were "
            "encrypted again. Links open as before."
        )
        self.stdout.write(words % {"ended": ended, "sealed": sealed})
