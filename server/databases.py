"""The database before a command uses it."""

from django.core.management import call_command
from django.db import connection


def prepare_database() -> None:
    """Set up a database that holds nothing yet, as the first start of the program does."""
    if "django_migrations" not in connection.introspection.table_names():
        call_command("migrate", interactive=False, verbosity=0)
