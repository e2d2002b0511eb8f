"""Evenings of any size with made-up results, for trials and measurements."""

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
from config.archives import KNOWN
from hall.management.commands.demo import USERNAME
from hall.rehearsal.staged_events import DEFAULT_ROUNDS, create_staged_session, get_copied_name
from server.command_line import command
from server.databases import prepare_database
from server.models import User

NIGHTS = 10
"""Clubs created by the services, each with its own results; the rest are copies of them."""
MOST_CLUBS = 10_000


class Command(BaseCommand):
    """Create evenings with some rounds played."""

    help = "Make an evening of so many tables with plausible results, to try things out."

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the size of the evening, and the number of rounds played."""
        parser.add_argument("--tables", type=int, default=7)
        parser.add_argument("--played", type=int, default=3, help="rounds with results")
        parser.add_argument(
            "--sections", type=int, default=0, help="as few as fit where none is given"
        )
        parser.add_argument("--rounds", type=int, default=DEFAULT_ROUNDS)
        parser.add_argument("--boards", type=int, default=4, help="boards a round")
        parser.add_argument("--club", default="Staged evenings", help="made if it is not there")
        parser.add_argument(
            "--clubs", type=int, default=1, help="so many clubs, each with such an evening"
        )
        parser.add_argument(
            "--owner", help="the login that owns the club; the demo's director, or the only one"
        )
        parser.add_argument("--seed", default="stage", help="the same seed, the same results")
        parser.add_argument(
            "--without-deals", action="store_true", help="shuffled at the table"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the events; print their addresses and the login that may direct them."""
        prepare_database()
        owner = _owner(options["owner"])
        if not 1 <= options["clubs"] <= MOST_CLUBS:
            raise CommandError(f"--clubs: from 1 to {MOST_CLUBS}.")
        try:
            for slug in self._stage_events(options, owner):
                self.stdout.write(f"{_site()}{reverse('event_desk', args=[slug])}")
        except WhistError as refused:
            raise CommandError(str(refused)) from refused
        analyse()
        if not options["verbosity"]:
            return
        if owner is None:
            self.stderr.write(
                "No login may direct it. Name one: --owner NAME "
                f"({command('login')} makes one)."
            )
        else:
            self.stdout.write(f"Sign in as {owner.get_username()} to direct it.")

    def _stage_events(self, options: dict[str, Any], owner: User | None) -> Iterator[str]:
        """Create a few evenings through the services, the rest as copies; yield the slugs."""
        many = options["clubs"]
        nights = 1 if many == 1 else min(many, NIGHTS)
        for night in range(nights):
            place = f" {night + 1}" if many > 1 else ""
            club = clubs.services.create_club(
                name=f"{options['club']}{place}", owner=owner, by=None
            )
            session = create_staged_session(
                club=club,
                tables=options["tables"],
                played=options["played"],
                sections=options["sections"],
                rounds=options["rounds"],
                boards_a_round=options["boards"],
                deals=not options["without_deals"],
                seed=f"{options['seed']}{place}",
                by=None,
            )
            copies = (many - night - 1) // nights
            if copies:
                create_club_copies(club, copies, KNOWN, get_copied_name)
            yield session.event.slug
            yield from (f"{session.event.slug}-{each}" for each in range(1, copies + 1))


def _owner(name: str | None) -> User | None:
    """Return the login that will direct the event; raise CommandError for an unknown one."""
    logins = User.objects.filter(is_active=True)
    if name:
        found = logins.filter(username=name).first()
        if found is None:
            raise CommandError(f"--owner: there is no login called {name}.")
        return found
    return logins.filter(username=USERNAME).first() or (
        logins.get() if logins.count() == 1 else None
    )


def _site() -> str:
    """Return the address of this installation, or of `serve` on this computer."""
    port = os.environ.get("PORT", "").strip() or "8000"
    return settings.SITE_ADDRESS or f"http://127.0.0.1:{port}"


def analyse() -> None:
    """Update the database's statistics, so that it plans queries well."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
