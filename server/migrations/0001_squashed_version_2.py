"""Create the tables of an empty database at once.

Lock: none; all tables are new.
"""

from django.db import migrations

from server.migration_operations import squash_migrations


class Migration(migrations.Migration):

    initial = True

    replaces = [("server", "0001_initial"), ("server", "0002_version_2")]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [squash_migrations("server", "0001_initial", "0002_version_2")]
