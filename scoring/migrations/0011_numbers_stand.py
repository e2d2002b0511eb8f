"""Let the numbers of entries stand where a bracket or a final's carry-over names them already.

Lock: none that anybody waits for; it touches a row for each event with a bracket, and each final.
"""

from django.db import migrations


def stand(apps, schema_editor):
    there = schema_editor.connection.alias  # an upgrade is tried with a copy first
    events = apps.get_model("tournaments", "Event").objects.using(there)
    for name in ("Knockout", "Final"):
        named = apps.get_model("scoring", name).objects.using(there).values("event")
        events.filter(pk__in=named).update(numbers_stand=True)


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0010_one_winner'),
        ('tournaments', '0006_numbers_stand'),
    ]

    operations = [
        migrations.RunPython(stand, migrations.RunPython.noop),
    ]
