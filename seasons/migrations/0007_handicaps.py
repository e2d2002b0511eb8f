"""Let a season rank with handicaps beside its scratch results.

Lock: one table gets a column with a default, which PostgreSQL adds without writing it anew;
the other three tables are new.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0010_filled_by_the_database'),
        ('seasons', '0006_results_mail'),
        ('tournaments', '0004_filled_by_the_database'),
    ]

    operations = [
        migrations.AddField(
            model_name='entryelsewhere',
            name='handicap',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.CreateModel(
            name='SeasonHandicap',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('terms', models.JSONField()),
                ('season', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='handicap', to='seasons.season')),
            ],
        ),
        migrations.CreateModel(
            name='EntryHandicap',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('a_board', models.CharField(max_length=40)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='handicaps', to='tournaments.entry')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entry_handicaps', to='seasons.season')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('season', 'entry'), name='one_handicap_a_season_and_entry'), models.CheckConstraint(condition=models.Q(('a_board', ''), _negated=True), name='entry_handicap_is_written')],
            },
        ),
        migrations.CreateModel(
            name='HandicapByHand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('a_board', models.CharField(max_length=40)),
                ('reason', models.CharField(max_length=200)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='handicaps_by_hand', to='clubs.player')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='by_hand', to='seasons.season')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('season', 'player'), name='one_handicap_by_hand_a_season_and_player'), models.CheckConstraint(condition=models.Q(models.Q(('a_board', ''), _negated=True), models.Q(('reason', ''), _negated=True)), name='handicap_by_hand_has_a_reason')],
            },
        ),
    ]
