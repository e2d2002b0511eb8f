"""Let a club have seasons, ladders, and evenings that were scored elsewhere.

Lock: none that anybody waits for; every table is new, and pages of the version before know
nothing of them.
"""

import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('clubs', '0005_people'),
    ]

    operations = [
        migrations.CreateModel(
            name='EveningElsewhere',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60)),
                ('date', models.DateField()),
                ('contest', models.CharField(max_length=10)),
                ('boards', models.PositiveSmallIntegerField()),
            ],
            options={
                'verbose_name_plural': 'evenings elsewhere',
                'ordering': ['date', 'slug'],
            },
        ),
        migrations.CreateModel(
            name='Ladder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60)),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('rule', models.JSONField()),
                ('order', models.PositiveSmallIntegerField(default=1)),
            ],
            options={
                'ordering': ['order', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='EntryElsewhere',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('team', models.CharField(blank=True, default='', max_length=100)),
                ('field', models.CharField(blank=True, default='', max_length=20)),
                ('score', models.CharField(max_length=60)),
                ('boards', models.PositiveSmallIntegerField()),
                ('percent', models.CharField(blank=True, default='', max_length=60)),
                ('tricks', models.CharField(blank=True, default='', max_length=60)),
                ('place', models.PositiveIntegerField(blank=True, null=True)),
                ('evening', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='seasons.eveningelsewhere')),
            ],
            options={
                'verbose_name_plural': 'entries elsewhere',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Handicap',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('a_board', models.CharField(max_length=40)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='handicaps', to='clubs.player')),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='handicaps', to='seasons.ladder')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('first_day', models.DateField(verbose_name='first day')),
                ('last_day', models.DateField(verbose_name='last day')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seasons', to='clubs.club')),
            ],
            options={
                'ordering': ['-last_day', '-pk'],
            },
        ),
        migrations.AddField(
            model_name='ladder',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ladders', to='seasons.season'),
        ),
        migrations.AddField(
            model_name='eveningelsewhere',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='elsewhere', to='seasons.season'),
        ),
        migrations.CreateModel(
            name='SeasonVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('rows', models.JSONField()),
                ('reason', models.CharField(choices=[('closed', 'season closed'), ('corrected', 'an evening corrected')], default='closed', max_length=10)),
                ('made_by', models.CharField(max_length=150)),
                ('made_at', models.DateTimeField()),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='seasons.season')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='SeatElsewhere',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order', models.PositiveSmallIntegerField()),
                ('was_member', models.BooleanField()),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='seasons.entryelsewhere')),
                ('evening', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='seasons.eveningelsewhere')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats_elsewhere', to='clubs.player')),
            ],
            options={
                'verbose_name_plural': 'seats elsewhere',
                'ordering': ['order'],
            },
        ),
        migrations.AddConstraint(
            model_name='entryelsewhere',
            constraint=models.UniqueConstraint(fields=('evening', 'number'), name='one_entry_elsewhere_a_number'),
        ),
        migrations.AddConstraint(
            model_name='entryelsewhere',
            constraint=models.CheckConstraint(condition=models.Q(('score', ''), _negated=True), name='entry_elsewhere_has_a_score'),
        ),
        migrations.AddConstraint(
            model_name='entryelsewhere',
            constraint=models.CheckConstraint(condition=models.Q(('place__isnull', True), ('place__gte', 1), _connector='OR'), name='entry_elsewhere_is_placed_from_one'),
        ),
        migrations.AddConstraint(
            model_name='handicap',
            constraint=models.UniqueConstraint(fields=('ladder', 'player'), name='one_handicap_a_ladder_and_player'),
        ),
        migrations.AddConstraint(
            model_name='handicap',
            constraint=models.CheckConstraint(condition=models.Q(('a_board', ''), _negated=True), name='handicap_is_written'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='season_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('last_day__gte', models.F('first_day'))), name='season_ends_after_it_begins'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.UniqueConstraint(fields=('season', 'slug'), name='one_ladder_a_slug'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='ladder_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='eveningelsewhere',
            constraint=models.UniqueConstraint(fields=('season', 'slug'), name='one_evening_elsewhere_a_slug'),
        ),
        migrations.AddConstraint(
            model_name='eveningelsewhere',
            constraint=models.CheckConstraint(condition=models.Q(('boards__gte', 1)), name='evening_elsewhere_has_boards'),
        ),
        migrations.AddConstraint(
            model_name='eveningelsewhere',
            constraint=models.CheckConstraint(condition=models.Q(('contest__in', ['pairs', 'individual', 'teams', 'memory', 'drive'])), name='evening_elsewhere_contest_is_known'),
        ),
        migrations.AddConstraint(
            model_name='seasonversion',
            constraint=models.UniqueConstraint(fields=('season', 'number'), name='one_season_version_a_number'),
        ),
        migrations.AddConstraint(
            model_name='seasonversion',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='season_versions_count_from_one'),
        ),
        migrations.AddConstraint(
            model_name='seasonversion',
            constraint=models.CheckConstraint(condition=models.Q(('reason__in', ['closed', 'corrected'])), name='season_version_reason_is_known'),
        ),
        migrations.AddConstraint(
            model_name='seatelsewhere',
            constraint=models.UniqueConstraint(fields=('evening', 'player'), name='a_player_once_an_evening_elsewhere'),
        ),
        migrations.AddConstraint(
            model_name='seatelsewhere',
            constraint=models.UniqueConstraint(fields=('entry', 'order'), name='one_seat_elsewhere_an_order'),
        ),
    ]
