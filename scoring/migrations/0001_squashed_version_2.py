"""Create the tables of an empty database at once.

Lock: none; all tables are new.
"""

from django.db import migrations

from server.migration_operations import squash_migrations


class Migration(migrations.Migration):

    initial = True

    replaces = [("scoring", "0001_initial"), ("scoring", "0002_version_2")]

    dependencies = [
        ("clubs", "0001_initial"),
        ("server", "0001_initial"),
        ("tournaments", "0001_initial"),
    ]

    operations = [squash_migrations("scoring", "0001_initial", "0002_version_2")]
