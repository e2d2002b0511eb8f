"""Keep the tables of evenings as files, so that ten years of them are handed out in seconds.

Lock: none that anybody waits for; the table is new, and a worker fills it when there is time.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('seasons', '0010_drives_received'),
        ('tournaments', '0005_counts_points'),
    ]

    operations = [
        migrations.CreateModel(
            name='EventTables',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stamp', models.CharField(max_length=64)),
                ('body', models.BinaryField()),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kept_tables', to='tournaments.event')),
            ],
            options={
                'verbose_name_plural': 'event tables',
                'constraints': [models.UniqueConstraint(fields=('event', 'stamp'), name='one_kept_tables_of_an_event_and_stamp')],
            },
        ),
    ]
