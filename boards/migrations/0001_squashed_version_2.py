"""Create the tables of an empty database at once.

Lock: none; all tables are new.
"""

from django.db import migrations

from server.migration_operations import squash_migrations


class Migration(migrations.Migration):

    initial = True

    replaces = [("boards", "0001_initial"), ("boards", "0002_version_2")]

    dependencies = []

    operations = [squash_migrations("boards", "0001_initial", "0002_version_2")]
