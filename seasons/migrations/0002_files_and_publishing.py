"""Let a club's results leave: files to fetch, documents sent to a server, documents received.

Lock: none that anybody waits for; every table is new, and pages of the version before know
nothing of them.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0006_asks_factor'),
        ('seasons', '0001_seasons'),
    ]

    operations = [
        migrations.CreateModel(
            name='Destination',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.URLField()),
                ('sealed_token', models.TextField()),
                ('is_automatic', models.BooleanField(default=False)),
                ('trouble', models.TextField(blank=True, default='')),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('next_at', models.DateTimeField(blank=True, null=True)),
                ('looked_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='destination', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='Received',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField()),
                ('kind', models.CharField(max_length=10)),
                ('slug', models.SlugField(max_length=80)),
                ('name', models.CharField(max_length=200)),
                ('day', models.DateField()),
                ('version', models.PositiveIntegerField()),
                ('digest', models.CharField(max_length=64)),
                ('document', models.JSONField()),
                ('received_at', models.DateTimeField()),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='received', to='clubs.club')),
            ],
            options={
                'verbose_name_plural': 'received',
                'ordering': ['-day', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='ReceivedVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('reason', models.CharField(blank=True, default='', max_length=200)),
                ('at', models.DateTimeField()),
                ('received', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='seasons.received')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='ClubFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('site', 'pages for a folder'), ('everything', 'all tables')], max_length=10)),
                ('in_full', models.BooleanField(default=False)),
                ('state', models.CharField(choices=[('wanted', 'waiting'), ('done', 'done'), ('failed', 'not done')], default='wanted', max_length=10)),
                ('by', models.CharField(max_length=150)),
                ('asked_at', models.DateTimeField()),
                ('parts', models.PositiveIntegerField(default=0)),
                ('error', models.TextField(blank=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='clubs.club')),
                ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='files', to='seasons.season')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['site', 'everything'])), name='club_file_kind_is_known'), models.CheckConstraint(condition=models.Q(('state', 'failed'), ('error', ''), _connector='OR'), name='club_file_error_only_when_failed')],
            },
        ),
        migrations.CreateModel(
            name='Publication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField()),
                ('name', models.CharField(max_length=200)),
                ('version', models.PositiveIntegerField(default=0)),
                ('digest', models.CharField(blank=True, default='', max_length=64)),
                ('state', models.CharField(choices=[('waits', 'waits'), ('sent', 'sent'), ('refused', 'refused'), ('twice', 'two computers hold it'), ('ours', 'waits, as the right one of two'), ('going', 'is being withdrawn'), ('withdrawn', 'withdrawn')], default='waits', max_length=10)),
                ('error', models.TextField(blank=True, default='')),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='clubs.club')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('club', 'uid'), name='one_publication_a_uid')],
            },
        ),
        migrations.AddConstraint(
            model_name='received',
            constraint=models.UniqueConstraint(fields=('club', 'uid'), name='one_received_a_uid'),
        ),
        migrations.AddConstraint(
            model_name='received',
            constraint=models.UniqueConstraint(fields=('club', 'kind', 'slug'), name='one_received_an_address'),
        ),
        migrations.AddConstraint(
            model_name='received',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['event', 'season'])), name='received_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='received',
            constraint=models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='received_versions_count_from_one'),
        ),
        migrations.AddConstraint(
            model_name='receivedversion',
            constraint=models.UniqueConstraint(fields=('received', 'number'), name='one_received_version_a_number'),
        ),
    ]
