"""Let a board have no turn-up, for events in which trumps are declared.

Lock: none; only the validation of forms changes.
"""

import server.migration_operations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('boards', '0001_initial'),
    ]

    operations = [
        server.migration_operations.LockTables(),
        migrations.AlterField(
            model_name='board',
            name='turn_up',
            field=models.CharField(blank=True, max_length=2),
        ),
    ]
