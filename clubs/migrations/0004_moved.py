"""Let a club say where it has moved to, and keep which archives of clubs were asked for.

Lock: ACCESS EXCLUSIVE on clubs, a moment for a column with a constant default, which the database
itself fills in for pages that do not know it yet; the table is new.
"""

import django.db.models.deletion
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
        migrations.CreateModel(
            name='ClubArchive',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('way', models.CharField(choices=[('out', 'written into a file'), ('in', 'brought in')], max_length=3)),
                ('state', models.CharField(choices=[('wanted', 'waiting'), ('doing', 'being done'), ('done', 'done'), ('failed', 'not done')], default='wanted', max_length=10)),
                ('by', models.CharField(max_length=150)),
                ('asked_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('wish', models.JSONField(blank=True, default=dict)),
                ('told', models.JSONField(blank=True, default=dict)),
                ('error', models.TextField(blank=True)),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='archives', to='clubs.club')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('way__in', ['out', 'in'])), name='archive_way_is_known'), models.CheckConstraint(condition=models.Q(('state', 'failed'), ('error', ''), _connector='OR'), name='archive_error_only_when_failed')],
            },
        ),
    ]
