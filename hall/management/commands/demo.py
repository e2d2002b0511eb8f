"""The command `demo`: create the demo club with past, current and planned events."""

import os
import secrets
from collections.abc import Sequence
from datetime import date as Date
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

import clubs.services
from clubs.models import Club
from clubs.today import get_club_date
from exchange.eventfile.importer import import_event
from exchange.eventfile.reader import read_event_file
from hall.demo_club import DEMO_CLUB_NAME as CLUB
from hall.demo_drives import create_demo_drive, create_demo_rubbers
from hall.demo_evenings import create_evening, create_event, pair_players
from server.databases import prepare_database
from server.models import User

DEMO_USERNAME = "director"
DEMO_EVENING_PATH = Path(__file__).resolve().parents[2] / "demo_data" / "tuesday-compass.json"
ROUNDS_PLAYED = 3
PASSWORD_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without similar letters: i l o 0 1


class Command(BaseCommand):
    """The command that creates the demo club if it does not exist."""

    help = "Create a demo club with a finished, a current and an upcoming event."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option that creates the director without a password."""
        parser.add_argument(
            "--without-password",
            action="store_true",
            help="sign in with the link that `serve` opens",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the demo club, or report that it already exists."""
        prepare_database()
        if Club.objects.filter(Q(is_demo=True) | Q(name=CLUB)).exists():
            self.stdout.write(_("%(club)s already exists.") % {"club": CLUB})
            return
        login_file = settings.DATA_DIR / "demo_login.txt"
        with transaction.atomic():
            password = create_demo_club(should_set_password=not options["without_password"])
            if password:
                write_secret_file(login_file, f"{DEMO_USERNAME}\n{password}\n")
        if options["verbosity"]:
            self.stdout.write(
                _("%(club)s created. The sign-in details are in %(file)s.")
                % {"club": CLUB, "file": login_file}
            )


def create_demo_club(*, should_set_password: bool = True) -> str:
    """Create the demo club with its director and events; return the new password.

    The result is empty without a new password: a user called director already exists, or
    `should_set_password` is False.
    """
    director, password = _get_or_create_director(should_set_password)
    club = clubs.services.create_club(name=CLUB, owner=director, by=director, is_demo=True)
    event_file = read_event_file(DEMO_EVENING_PATH.read_bytes())
    import_event(document=DEMO_EVENING_PATH.read_bytes(), club=club, by=director)
    today = get_club_date(club)
    _create_tonights_event(club, pair_players(event_file.players, distance=14), today, director)
    _create_next_week_event(
        club, pair_players(event_file.players, distance=2)[:12], today, director
    )
    create_demo_drive(club, event_file.players[:18], today, director)
    create_demo_rubbers(club, event_file.players[-5:], today - timedelta(days=5), director)
    return password


def write_secret_file(path: Path, content: str) -> None:
    """Create a file that only its owner can read, and write the text to it."""
    path.unlink(missing_ok=True)
    file_descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file_descriptor, "w", encoding="utf-8") as file:
        file.write(content)


def _get_or_create_director(should_set_password: bool) -> tuple[User, str]:
    existing_user = User.objects.filter(username=DEMO_USERNAME).first()
    if existing_user is not None:
        return existing_user, ""
    if not should_set_password:
        return User.objects.create_user(DEMO_USERNAME), ""
    password = "".join(secrets.choice(PASSWORD_LETTERS) for _ in range(12))
    return User.objects.create_user(DEMO_USERNAME, password=password), password


def _create_tonights_event(
    club: Club, name_pairs: Sequence[tuple[str, str]], today: Date, by: User
) -> None:
    """Create the event in play: seven tables, with the results of three of seven rounds."""
    create_evening(club, _("Club night"), name_pairs, today, round_count=ROUNDS_PLAYED, by=by)


def _create_next_week_event(
    club: Club, name_pairs: Sequence[tuple[str, str]], today: Date, by: User
) -> None:
    """Create the planned event, which has its pairs but no movement yet."""
    create_event(club, _("Monthly pairs"), name_pairs, today + timedelta(days=7), by)
