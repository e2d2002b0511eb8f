"""Let a club keep where its tables stand in the hall.

Lock: ACCESS EXCLUSIVE on clubs, a moment for a column with a constant default.
"""

import clubs.models.clubs
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0002_look'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='room_plan',
            field=models.JSONField(blank=True, default=dict, validators=[clubs.models.clubs.check_room_plan]),
        ),
    ]
