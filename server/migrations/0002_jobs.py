"""Keep each job as a row, and each worker's last heartbeat.

Lock: none; two new tables, which nothing else refers to.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('server', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Worker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, unique=True)),
                ('seen_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('about', models.BigIntegerField(help_text='the key of what it is about')),
                ('club', models.BigIntegerField(blank=True, help_text='the club it is for', null=True)),
                ('lane', models.SmallIntegerField(choices=[(0, 'at once'), (1, 'when there is time')])),
                ('wanted_no', models.BigIntegerField(default=1)),
                ('done_no', models.BigIntegerField(default=0)),
                ('state', models.CharField(choices=[('wanted', 'waiting'), ('doing', 'being done'), ('done', 'done'), ('failed', 'failed')], default='wanted', max_length=10)),
                ('wanted_at', models.DateTimeField()),
                ('not_before', models.DateTimeField(help_text='its turn; pauses between tries move it')),
                ('began_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('worker', models.CharField(blank=True, max_length=100)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('deaths', models.PositiveIntegerField(default=0)),
                ('trouble', models.CharField(blank=True, choices=[('database', 'the database did not answer'), ('network', 'another service did not answer'), ('disk', 'the disk is full or cannot be written to'), ('broken', 'Overplay made a mistake; the log tells what it was'), ('too_long', 'it took too long'), ('died', 'the program died while it was at it')], max_length=10)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('wanted_no__gt', models.F('done_no'))), fields=['lane', 'not_before'], name='due_jobs'), models.Index(condition=models.Q(('state__in', ['failed'])), fields=['club'], name='failed_jobs')],
                'constraints': [models.UniqueConstraint(fields=('kind', 'about'), name='one_job_for_each_thing')],
            },
        ),
    ]
