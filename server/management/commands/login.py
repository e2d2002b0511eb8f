"""`manage.py login reset NAME`: set a new first password, as the operator's last resort."""

import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from server.databases import prepare_database
from server.logins import factor_rows, login_sessions
from server.logins.event_log import LoginEventKind, log_login_event
from server.logins.passwords import compute_first_password_expiry
from server.models import User

# without characters that are easily confused: i l o 0 1
PASSWORD_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
PASSWORD_GROUP_COUNT, PASSWORD_GROUP_LENGTH = 3, 5


class Command(BaseCommand):
    help = "Reset a login: new first password, two-step sign-in off, signed out everywhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("what", choices=["reset"])
        parser.add_argument("name", help="sign-in name")

    def handle(self, *args: Any, **options: Any) -> None:
        """Reset a login, and print its first password once."""
        prepare_database()
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(_("Login “%(name)s” not found.") % {"name": options["name"]})
        password = reset_login(user)
        self.stdout.write(_("Initial password for %(name)s:") % {"name": user.get_username()})
        self.stdout.write(password)


@transaction.atomic
def reset_login(user: User) -> str:
    """Set a first password for a login, and delete its second factors, sessions and tokens."""
    letter_groups = (
        "".join(secrets.choice(PASSWORD_LETTERS) for _index in range(PASSWORD_GROUP_LENGTH))
        for _group in range(PASSWORD_GROUP_COUNT)
    )
    password = "-".join(letter_groups)
    user.set_password(password)
    user.is_active = True
    user.first_password_until = compute_first_password_expiry()
    user.save()
    factor_rows.delete_factors(user)
    login_sessions.end_other_sessions(user)
    log_login_event(LoginEventKind.PASSWORD_RESET_ON_SERVER, user=user)
    return password
