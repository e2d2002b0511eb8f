"""Let the database fill what a page of the version before leaves out when it adds a club.

Two machines that show pages are brought up to date one after the other; until the second is,
it adds rows without the columns that are new.

Lock: ACCESS EXCLUSIVE, a moment for each column: only its default changes, no row is rewritten.
"""

import clubs.models.clubs
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0009_calendar'),
    ]

    operations = [
        migrations.AlterField(
            model_name='club',
            name='accent',
            field=models.CharField(choices=[('claret', 'claret'), ('navy', 'navy'), ('forest', 'forest'), ('plum', 'plum'), ('slate', 'slate'), ('rust', 'rust'), ('teal', 'teal'), ('gold', 'gold')], db_default='claret', default='claret', max_length=10, verbose_name='accent'),
        ),
        migrations.AlterField(
            model_name='club',
            name='logo_mark',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=12),
        ),
        migrations.AlterField(
            model_name='club',
            name='room_plan',
            field=models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, validators=[clubs.models.clubs.check_room_plan]),
        ),
        migrations.AlterField(
            model_name='club',
            name='short_name',
            field=models.CharField(blank=True, db_default='', default='', max_length=14, verbose_name='short name'),
        ),
    ]
