"""Discard people's figures, which left out boards with a ruling; a worker computes them again.

Lock: row locks of one table that can be computed again at any time.
"""

from django.db import migrations


def discard_figures(apps, schema_editor):
    """Delete all figures, so that all events that are over lack theirs."""
    rows = apps.get_model("seasons", "EntryFigures").objects
    rows.using(schema_editor.connection.alias).all().delete()


class Migration(migrations.Migration):

    rewrites = {"seasons_entryfigures"}

    dependencies = [
        ("seasons", "0012_booking_fetches"),
    ]

    operations = [
        migrations.RunPython(discard_figures, migrations.RunPython.noop, elidable=True),
    ]
