"""Create the tables of an empty database at once.

Lock: none; all tables are new.
"""

from django.db import migrations

from server.migration_operations import squash_migrations


class Migration(migrations.Migration):

    initial = True

    replaces = [("tournaments", "0001_initial"), ("tournaments", "0002_version_2")]

    dependencies = [
        ("boards", "0001_initial"),
        ("clubs", "0001_initial"),
    ]

    operations = [squash_migrations("tournaments", "0001_initial", "0002_version_2")]
