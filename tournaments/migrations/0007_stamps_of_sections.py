"""Let each section bear a stamp that every write of its scores draws anew.

Lock: ACCESS EXCLUSIVE on sections and sessions, a moment for columns that the database fills.
"""

from django.db import migrations, models

import tournaments.models.seating


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0006_numbers_stand'),
    ]

    operations = [
        migrations.AddField(
            model_name='section',
            name='stamp',
            field=models.BigIntegerField(db_default=0, default=tournaments.models.seating.fresh_stamp, editable=False),
        ),
        migrations.AddField(
            model_name='session',
            name='stamped',
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
    ]
