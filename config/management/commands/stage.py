"""`manage.py stage`: create events of any size with invented results, for measurements."""

import os
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.urls import reverse

import clubs.services
from boards.whist import WhistError
from clubs.archives.bulk_copy import create_club_copies
from config.archives import ARCHIVE_SPEC
from hall.management.commands.demo import DEMO_USERNAME
from hall.rehearsal.staged_events import (
    DEFAULT_ROUND_COUNT,
    create_staged_session,
    get_copied_name,
)
from server.databases import prepare_database
from server.models import User

ORIGINAL_CLUB_COUNT = 10
"""The number of clubs that the services create; all further clubs are copies of these."""
MAX_CLUBS = 10_000


class Command(BaseCommand):
    """Create events with some rounds played."""

    help = "Create a trial evening with made-up results."

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the size of the events, and the number of rounds played."""
        parser.add_argument("--tables", type=int, default=7)
        parser.add_argument("--played", type=int, default=3, help="rounds with results")
        parser.add_argument(
            "--sections",
            type=int,
            default=0,
            help="number of sections (default: as few as possible)",
        )
        parser.add_argument("--rounds", type=int, default=DEFAULT_ROUND_COUNT)
        parser.add_argument("--boards", type=int, default=4, help="boards per round")
        parser.add_argument(
            "--club", default="Staged evenings", help="club, created if missing"
        )
        parser.add_argument(
            "--clubs", type=int, default=1, help="number of clubs, each with an evening"
        )
        parser.add_argument(
            "--owner", help="owner’s login (default: the demo’s director or the only login)"
        )
        parser.add_argument("--seed", default="stage", help="same seed, same results")
        parser.add_argument(
            "--without-deals", action="store_true", help="boards shuffled at the table"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the events; print their URLs and the login that may direct them."""
        prepare_database()
        owner = _find_owner(options["owner"])
        if not 1 <= options["clubs"] <= MAX_CLUBS:
            raise CommandError(f"--clubs must be 1 to {MAX_CLUBS}.")
        try:
            for slug in self._stage_events(options, owner):
                self.stdout.write(f"{_find_site_url()}{reverse('event_desk', args=[slug])}")
        except WhistError as error:
            raise CommandError(str(error)) from error
        update_database_statistics()
        if not options["verbosity"]:
            return
        if owner is None:
            self.stderr.write("The club has no owner. Choose one with --owner LOGIN.")
        else:
            self.stdout.write(f"Sign in as {owner.get_username()} to direct it.")

    def _stage_events(self, options: dict[str, Any], owner: User | None) -> Iterator[str]:
        """Create one club and one event at a time; yield the slugs of all events.

        The first `ORIGINAL_CLUB_COUNT` clubs are created with the services, others are copies.
        """
        club_count = options["clubs"]
        original_club_count = 1 if club_count == 1 else min(club_count, ORIGINAL_CLUB_COUNT)
        for original_index in range(original_club_count):
            club_suffix = f" {original_index + 1}" if club_count > 1 else ""
            club = clubs.services.create_club(
                name=f"{options['club']}{club_suffix}", owner=owner, by=None
            )
            session = create_staged_session(
                club=club,
                table_count=options["tables"],
                played_round_count=options["played"],
                section_count=options["sections"],
                round_count=options["rounds"],
                boards_a_round=options["boards"],
                should_deal=not options["without_deals"],
                random_seed=f"{options['seed']}{club_suffix}",
                by=None,
            )
            copy_count = (club_count - original_index - 1) // original_club_count
            if copy_count:
                create_club_copies(club, copy_count, ARCHIVE_SPEC, get_copied_name)
            yield session.event.slug
            yield from (
                f"{session.event.slug}-{copy_number}"
                for copy_number in range(1, copy_count + 1)
            )


def _find_owner(username: str | None) -> User | None:
    """Return the login that directs the events; raise CommandError for an unknown name.

    Without a name, return the default login, else the only active one, else None.
    """
    active_users = User.objects.filter(is_active=True)
    if username:
        owner = active_users.filter(username=username).first()
        if owner is None:
            raise CommandError(f"--owner: login {username} not found.")
        return owner
    return active_users.filter(username=DEMO_USERNAME).first() or (
        active_users.get() if active_users.count() == 1 else None
    )


def _find_site_url() -> str:
    """Return SITE_URL or, if it is not set, the local URL at which `manage.py serve` runs."""
    port = os.environ.get("PORT", "").strip() or "8000"
    return settings.SITE_URL or f"http://127.0.0.1:{port}"


def update_database_statistics() -> None:
    """Update the database's statistics for its query planner."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
