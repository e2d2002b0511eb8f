"""The database before a command uses it."""

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from server import upgrade


def prepare_database() -> None:
    """Set up a database that holds nothing yet, as the first start of the program does.

    Raises CommandError for one that this program must not use, or not before it is migrated.
    """
    stored = upgrade.read(connection)
    if stored.is_empty:
        call_command("migrate", interactive=False, verbosity=0)
        return
    try:
        upgrade.refuse_behind(stored)
    except upgrade.WrongDatabase as error:
        raise CommandError(str(error)) from error
