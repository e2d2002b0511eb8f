"""Let the numbers of entries stand where a bracket or a final's carry-over names them already.

Lock: none that anybody waits for; it touches a row for each event with a bracket, and each final.
"""

from django.db import migrations


def stand(apps, schema_editor):
    Event = apps.get_model("tournaments", "Event")
    for name in ("Knockout", "Final"):
        events = apps.get_model("scoring", name).objects.values("event")
        Event.objects.filter(pk__in=events).update(numbers_stand=True)


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0010_one_winner'),
        ('tournaments', '0006_numbers_stand'),
    ]

    operations = [
        migrations.RunPython(stand, migrations.RunPython.noop),
    ]
