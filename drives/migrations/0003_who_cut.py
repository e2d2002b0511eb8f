"""Keep who cut cards for a prize, so that a correction which adds an equal is noticed.

Lock: ACCESS EXCLUSIVE on the prizes of drives, a moment for an empty column.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('drives', '0002_rubber_nights'),
    ]

    operations = [
        migrations.AddField(
            model_name='prize',
            name='cut_by',
            field=models.JSONField(blank=True, null=True),
        ),
    ]
