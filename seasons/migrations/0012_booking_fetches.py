"""Store the fetch of a club's bookings that a worker does.

Lock: none that anybody waits for; the table is new.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0010_filled_by_the_database'),
        ('seasons', '0011_event_tables'),
    ]

    operations = [
        migrations.CreateModel(
            name='BookingFetch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(max_length=300)),
                ('sealed_token', models.TextField(blank=True)),
                ('state', models.CharField(choices=[('wanted', 'waiting'), ('done', 'done'), ('failed', 'not done')], default='wanted', max_length=10)),
                ('by', models.CharField(max_length=150)),
                ('asked_at', models.DateTimeField()),
                ('counts', models.JSONField(blank=True, default=dict)),
                ('skipped', models.JSONField(blank=True, default=list)),
                ('problems', models.JSONField(blank=True, default=list)),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='booking_fetch', to='clubs.club')),
            ],
            options={
                'verbose_name_plural': 'booking fetches',
                'constraints': [models.CheckConstraint(condition=models.Q(('state', 'wanted'), ('sealed_token', ''), _connector='OR'), name='booking_fetch_has_a_token_only_while_wanted')],
            },
        ),
    ]
