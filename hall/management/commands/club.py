"""A club of one's own, and the login of who directs it."""

import secrets
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils.translation import gettext as _

import clubs.services
from clubs.models import Club
from server.databases import prepare_database
from server.models import User


class Command(BaseCommand):
    """Make a club, or give a club another director."""

    help = "Make a club and the login of its director; again, to add another director."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the club's name, the director's login and the time zone."""
        parser.add_argument("name", help="the club, for instance “Riverside Whist Club”")
        parser.add_argument("--director", required=True, metavar="LOGIN")
        parser.add_argument("--timezone", default="Europe/London", metavar="ZONE")

    def handle(self, *args: str, **options: Any) -> None:
        """Make both, and print the password of a login that is new."""
        prepare_database()
        name = " ".join(options["name"].split())
        zone, login = options["timezone"], options["director"].strip()
        try:
            Club(name=name, slug="any", timezone=zone).clean_fields()
            User(username=login, password="any").clean_fields()
        except ValidationError as problem:
            raise CommandError("\n".join(problem.messages)) from problem
        password = make_club(name, login, zone)
        words = {"club": name, "login": login, "password": password}
        self.stdout.write(_("%(login)s directs %(club)s.") % words)
        if password:
            self.stdout.write(_("Password of %(login)s: %(password)s") % words)


@transaction.atomic
def make_club(name: str, login: str, zone: str) -> str:
    """Make the club and its director, and return the password of a login that is new."""
    director = User.objects.filter(username=login).first()
    password = ""
    if director is None:
        password = secrets.token_urlsafe(9)
        director = User.objects.create_user(login, password=password)
    clubs.services.create_club(name=name, timezone=zone, owner=director, by=director)
    return password
