"""Let a club say where it has moved to.

Lock: ACCESS EXCLUSIVE on clubs, a moment for a column with a constant default, which the database
itself fills in for pages that do not know it yet.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0003_room_plan'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='moved_to',
            field=models.URLField(blank=True, db_default='', default='', editable=False),
        ),
    ]
