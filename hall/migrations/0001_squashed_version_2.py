"""Create the tables of an empty database at once.

Lock: none; all tables are new.
"""

from django.db import migrations

from server.migration_operations import squash_migrations


class Migration(migrations.Migration):

    initial = True

    replaces = [("hall", "0001_initial")]

    dependencies = [
        ("scoring", "0001_initial"),
        ("tournaments", "0001_initial"),
    ]

    operations = [squash_migrations("hall", "0001_initial")]
