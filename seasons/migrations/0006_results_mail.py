"""Let results be sent by mail, once a person and version.

Lock: none that anybody waits for; the table is new, and pages of the version before know
nothing of it.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0008_plain_letters'),
        ('seasons', '0005_grades'),
        ('tournaments', '0003_stray_boards'),
    ]

    operations = [
        migrations.CreateModel(
            name='ResultsMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('waits', 'waits'), ('going', 'is being sent'), ('sent', 'sent'), ('failed', 'not sent')], default='waits', max_length=10)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('error', models.CharField(blank=True, default='', max_length=200)),
                ('at', models.DateTimeField()),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='result_mails', to='tournaments.event')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='result_mails', to='clubs.player')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('event', 'player', 'version'), name='one_results_mail_a_version'), models.CheckConstraint(condition=models.Q(('state__in', ['waits', 'going', 'sent', 'failed'])), name='results_mail_state_is_known')],
            },
        ),
    ]
