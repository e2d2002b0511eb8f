"""Create the tables of seasons: ladders, grades, handicaps, trophies, publishing and mail.

Lock: none; all tables are new.
"""

import django.db.models.deletion
import server.migration_operations
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('rubbers', '0001_initial'),
    ]

    operations = [
        server.migration_operations.LockTables(),
        server.migration_operations.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Season',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seasons', to='clubs.club')),
                        ('slug', models.SlugField(max_length=60, unique=True)),
                        ('name', models.CharField(max_length=100, verbose_name='name')),
                        ('first_day', models.DateField(verbose_name='first day')),
                        ('last_day', models.DateField(verbose_name='last day')),
                    ],
                    options={
                        'ordering': ['-last_day', '-pk'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='season_has_a_name'), models.CheckConstraint(condition=models.Q(('last_day__gte', models.F('first_day'))), name='season_ends_after_it_begins')],
                    },
                ),
                migrations.CreateModel(
                    name='Ladder',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ladders', to='seasons.season')),
                        ('slug', models.SlugField(max_length=60)),
                        ('name', models.CharField(max_length=100, verbose_name='name')),
                        ('rule', models.JSONField()),
                        ('order', models.PositiveSmallIntegerField(default=1)),
                    ],
                    options={
                        'ordering': ['order', 'pk'],
                        'constraints': [models.UniqueConstraint(fields=('season', 'slug'), name='one_ladder_a_slug'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='ladder_has_a_name')],
                    },
                ),
                migrations.CreateModel(
                    name='Handicap',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='handicaps', to='seasons.ladder')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='handicaps', to='clubs.player')),
                        ('a_board', models.CharField(max_length=40)),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(fields=('ladder', 'player'), name='one_handicap_a_ladder_and_player'), models.CheckConstraint(condition=models.Q(('a_board', ''), _negated=True), name='handicap_is_written')],
                    },
                ),
                migrations.CreateModel(
                    name='SeasonVersion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='seasons.season')),
                        ('number', models.PositiveIntegerField()),
                        ('rows', models.JSONField()),
                        ('reason', models.CharField(choices=[('closed', 'season closed'), ('corrected', 'a corrected evening')], default='closed', max_length=10)),
                        ('made_by', models.CharField(max_length=150)),
                        ('made_at', models.DateTimeField()),
                    ],
                    options={
                        'ordering': ['number'],
                        'constraints': [models.UniqueConstraint(fields=('season', 'number'), name='one_season_version_a_number'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='season_versions_count_from_one'), models.CheckConstraint(condition=models.Q(('reason__in', ['closed', 'corrected'])), name='season_version_reason_is_known')],
                    },
                ),
                migrations.CreateModel(
                    name='EveningElsewhere',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='elsewhere', to='seasons.season')),
                        ('slug', models.SlugField(max_length=60)),
                        ('date', models.DateField()),
                        ('contest', models.CharField(max_length=10)),
                        ('boards', models.PositiveSmallIntegerField()),
                    ],
                    options={
                        'verbose_name_plural': 'evenings elsewhere',
                        'ordering': ['date', 'slug'],
                        'constraints': [models.UniqueConstraint(fields=('season', 'slug'), name='one_evening_elsewhere_a_slug'), models.CheckConstraint(condition=models.Q(('boards__gte', 1)), name='evening_elsewhere_has_boards'), models.CheckConstraint(condition=models.Q(('contest__in', ['pairs', 'individual', 'teams', 'memory', 'drive', 'rubbers'])), name='evening_elsewhere_contest_is_known')],
                    },
                ),
                migrations.CreateModel(
                    name='EntryElsewhere',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('evening', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='seasons.eveningelsewhere')),
                        ('number', models.PositiveSmallIntegerField()),
                        ('team', models.CharField(blank=True, default='', max_length=100)),
                        ('field', models.CharField(blank=True, default='', max_length=20)),
                        ('score', models.CharField(max_length=60)),
                        ('boards', models.PositiveSmallIntegerField()),
                        ('percent', models.CharField(blank=True, default='', max_length=60)),
                        ('tricks', models.CharField(blank=True, default='', max_length=60)),
                        ('place', models.PositiveIntegerField(blank=True, null=True)),
                        ('handicap', models.CharField(blank=True, db_default='', default='', max_length=40)),
                    ],
                    options={
                        'verbose_name_plural': 'entries elsewhere',
                        'ordering': ['number'],
                        'constraints': [models.UniqueConstraint(fields=('evening', 'number'), name='one_entry_elsewhere_a_number'), models.CheckConstraint(condition=models.Q(('score', ''), _negated=True), name='entry_elsewhere_has_a_score'), models.CheckConstraint(condition=models.Q(('place__isnull', True), ('place__gte', 1), _connector='OR'), name='entry_elsewhere_is_placed_from_one')],
                    },
                ),
                migrations.CreateModel(
                    name='SeatElsewhere',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('evening', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='seasons.eveningelsewhere')),
                        ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='seasons.entryelsewhere')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats_elsewhere', to='clubs.player')),
                        ('order', models.PositiveSmallIntegerField()),
                        ('was_member', models.BooleanField()),
                    ],
                    options={
                        'verbose_name_plural': 'seats elsewhere',
                        'ordering': ['order'],
                        'constraints': [models.UniqueConstraint(fields=('evening', 'player'), name='a_player_once_an_evening_elsewhere'), models.UniqueConstraint(fields=('entry', 'order'), name='one_seat_elsewhere_an_order')],
                    },
                ),
                migrations.CreateModel(
                    name='BookingFetch',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='booking_fetch', to='clubs.club')),
                        ('address', models.CharField(max_length=300)),
                        ('sealed_token', models.TextField(blank=True)),
                        ('state', models.CharField(choices=[('wanted', 'waiting'), ('done', 'done'), ('failed', 'failed')], default='wanted', max_length=10)),
                        ('by', models.CharField(max_length=150)),
                        ('asked_at', models.DateTimeField()),
                        ('counts', models.JSONField(blank=True, default=dict)),
                        ('skipped', models.JSONField(blank=True, default=list)),
                        ('problems', models.JSONField(blank=True, default=list)),
                    ],
                    options={
                        'verbose_name_plural': 'booking fetches',
                        'constraints': [models.CheckConstraint(condition=models.Q(('state', 'wanted'), ('sealed_token', ''), _connector='OR'), name='booking_fetch_has_a_token_only_while_wanted')],
                    },
                ),
                migrations.CreateModel(
                    name='EntryFigures',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('entry', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='figures', to='tournaments.entry')),
                        ('version', models.PositiveIntegerField()),
                        ('parts', models.CharField(max_length=60)),
                        ('cells', models.JSONField()),
                    ],
                    options={
                        'verbose_name_plural': 'entry figures',
                        'constraints': [models.CheckConstraint(condition=models.Q(('parts', ''), _negated=True), name='entry_figures_have_parts')],
                    },
                ),
                migrations.CreateModel(
                    name='EventTables',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kept_tables', to='tournaments.event')),
                        ('stamp', models.CharField(max_length=64)),
                        ('body', models.BinaryField()),
                    ],
                    options={
                        'verbose_name_plural': 'event tables',
                        'constraints': [models.UniqueConstraint(fields=('event', 'stamp'), name='one_kept_tables_of_an_event_and_stamp')],
                    },
                ),
                migrations.CreateModel(
                    name='ClubFile',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='clubs.club')),
                        ('kind', models.CharField(choices=[('site', 'web pages'), ('everything', 'tables')], max_length=10)),
                        ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='files', to='seasons.season')),
                        ('in_full', models.BooleanField(default=False)),
                        ('state', models.CharField(choices=[('wanted', 'waiting'), ('done', 'done'), ('failed', 'failed')], default='wanted', max_length=10)),
                        ('by', models.CharField(max_length=150)),
                        ('asked_at', models.DateTimeField()),
                        ('parts', models.PositiveIntegerField(default=0)),
                        ('error', models.TextField(blank=True)),
                    ],
                    options={
                        'ordering': ['-id'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['site', 'everything'])), name='club_file_kind_is_known'), models.CheckConstraint(condition=models.Q(('state', 'failed'), ('error', ''), _connector='OR'), name='club_file_error_only_when_failed')],
                    },
                ),
                migrations.CreateModel(
                    name='GradeBook',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='grade_book', to='clubs.club')),
                        ('seen', models.CharField(choices=[('self', 'only the player, on their own page'), ('members', 'members, on their own pages'), ('all', "everyone, on the players’ pages")], default='self', max_length=10, verbose_name='who sees grades')),
                        ('is_on', models.BooleanField(default=True)),
                        ('s0', models.FloatField(default=0.25)),
                        ('tau', models.FloatField(default=0.05)),
                        ('q', models.FloatField(default=0.07)),
                        ('stamp', models.CharField(blank=True, default='', editable=False, max_length=64)),
                        ('evenings', models.PositiveIntegerField(default=0, editable=False)),
                        ('noise', models.FloatField(default=1.69, editable=False)),
                        ('made_at', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('why', models.CharField(blank=True, choices=[('played', 'played'), ('corrected', 'a score was corrected'), ('people', 'a player was changed'), ('evenings', 'an earlier event was added or removed'), ('constants', 'the grade settings changed'), ('program', 'Overplay was updated')], db_default='', default='', editable=False, max_length=12)),
                        ('because', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.event')),
                        ('mark', models.CharField(blank=True, db_default='', default='', editable=False, max_length=60)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('seen__in', ['self', 'members', 'all'])), name='grades_are_seen_by_somebody')],
                    },
                ),
                migrations.CreateModel(
                    name='Grade',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('book', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='grades', to='seasons.gradebook')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='grades', to='clubs.player')),
                        ('partner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.player')),
                        ('mean', models.FloatField()),
                        ('sd', models.FloatField()),
                        ('boards', models.PositiveIntegerField()),
                        ('column', models.FloatField()),
                        ('shown', models.FloatField(blank=True, null=True)),
                        ('range', models.FloatField(blank=True, null=True)),
                        ('word', models.CharField(blank=True, default='', max_length=10)),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(fields=('book', 'player'), name='one_grade_a_player'), models.CheckConstraint(condition=models.Q(models.Q(('range__isnull', True), ('shown__isnull', True)), models.Q(('range__isnull', False), ('shown__isnull', False)), _connector='OR'), name='a_grade_shown_has_a_range')],
                    },
                ),
                migrations.CreateModel(
                    name='GradeConstants',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('book', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='constants', to='seasons.gradebook')),
                        ('cause', models.CharField(choices=[('first', 'first twenty evenings'), ('season', 'end of a season'), ('owner', 'requested by an owner'), ('chosen', 'chosen by an owner')], max_length=10)),
                        ('asked_by', models.CharField(blank=True, default='', max_length=200)),
                        ('asked_at', models.DateTimeField(auto_now_add=True)),
                        ('done_at', models.DateTimeField(blank=True, null=True)),
                        ('s0', models.FloatField(default=0.25)),
                        ('tau', models.FloatField(default=0.05)),
                        ('q', models.FloatField(default=0.07)),
                        ('evenings', models.PositiveIntegerField(default=0)),
                        ('gain', models.FloatField(blank=True, null=True)),
                        ('stamp', models.CharField(blank=True, default='', max_length=64)),
                        ('tried', models.JSONField(default=list)),
                    ],
                    options={
                        'verbose_name_plural': 'grade constants',
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(condition=models.Q(('done_at__isnull', True)), fields=('book',), name='one_fit_at_a_time')],
                    },
                ),
                migrations.CreateModel(
                    name='GradeEvening',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='grade_evening', to='tournaments.event')),
                        ('stamp', models.CharField(max_length=200)),
                        ('facts', models.JSONField(null=True)),
                    ],
                    options={
                        'ordering': ['pk'],
                    },
                ),
                migrations.CreateModel(
                    name='GradeCheckpoint',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('book', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='checkpoints', to='seasons.gradebook')),
                        ('evenings', models.PositiveIntegerField()),
                        ('stamp', models.CharField(max_length=64)),
                        ('is_quarter', models.BooleanField()),
                        ('state', models.JSONField()),
                    ],
                    options={
                        'ordering': ['evenings', 'pk'],
                        'constraints': [models.UniqueConstraint(fields=('book', 'evenings'), name='one_checkpoint_after_an_evening')],
                    },
                ),
                migrations.CreateModel(
                    name='GradeStep',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('book', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='seasons.gradebook')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='grade_steps', to='clubs.player')),
                        ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='grade_steps', to='tournaments.event')),
                        ('why', models.CharField(choices=[('played', 'played'), ('corrected', 'a score was corrected'), ('people', 'a player was changed'), ('evenings', 'an earlier event was added or removed'), ('constants', 'the grade settings changed'), ('program', 'Overplay was updated')], default='played', max_length=12)),
                        ('because', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.event')),
                        ('made_at', models.DateTimeField(auto_now_add=True)),
                        ('partner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='clubs.player')),
                        ('boards', models.PositiveIntegerField()),
                        ('expected', models.FloatField()),
                        ('expected_sd', models.FloatField(blank=True, null=True)),
                        ('made', models.FloatField()),
                        ('mean', models.FloatField()),
                        ('sd', models.FloatField()),
                        ('all_boards', models.PositiveIntegerField()),
                        ('column', models.FloatField()),
                        ('shown', models.FloatField(blank=True, null=True)),
                        ('range', models.FloatField(blank=True, null=True)),
                        ('word', models.CharField(blank=True, default='', max_length=10)),
                        ('is_pair', models.BooleanField(default=False)),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('range__isnull', True), ('shown__isnull', True)), models.Q(('range__isnull', False), ('shown__isnull', False)), _connector='OR'), name='a_step_shown_has_a_range')],
                    },
                ),
                migrations.CreateModel(
                    name='HiddenGrade',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='hidden_grade', to='clubs.player')),
                        ('since', models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        'ordering': ['pk'],
                    },
                ),
                migrations.CreateModel(
                    name='SeasonHandicap',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('season', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='handicap', to='seasons.season')),
                        ('terms', models.JSONField()),
                    ],
                ),
                migrations.CreateModel(
                    name='HandicapByHand',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='by_hand', to='seasons.season')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='handicaps_by_hand', to='clubs.player')),
                        ('a_board', models.CharField(max_length=40)),
                        ('reason', models.CharField(max_length=200)),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(fields=('season', 'player'), name='one_handicap_by_hand_a_season_and_player'), models.CheckConstraint(condition=models.Q(models.Q(('a_board', ''), _negated=True), models.Q(('reason', ''), _negated=True)), name='handicap_by_hand_has_a_reason')],
                    },
                ),
                migrations.CreateModel(
                    name='EntryHandicap',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entry_handicaps', to='seasons.season')),
                        ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='handicaps', to='tournaments.entry')),
                        ('a_board', models.CharField(max_length=40)),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(fields=('season', 'entry'), name='one_handicap_a_season_and_entry'), models.CheckConstraint(condition=models.Q(('a_board', ''), _negated=True), name='entry_handicap_is_written')],
                    },
                ),
                migrations.CreateModel(
                    name='ResultsMail',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='result_mails', to='tournaments.event')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='result_mails', to='clubs.player')),
                        ('version', models.PositiveIntegerField()),
                        ('state', models.CharField(choices=[('waits', 'waiting'), ('going', 'sending'), ('sent', 'sent'), ('failed', 'not sent')], default='waits', max_length=10)),
                        ('tries', models.PositiveSmallIntegerField(default=0)),
                        ('error', models.CharField(blank=True, default='', max_length=200)),
                        ('at', models.DateTimeField()),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(fields=('event', 'player', 'version'), name='one_results_mail_a_version'), models.CheckConstraint(condition=models.Q(('state__in', ['waits', 'going', 'sent', 'failed'])), name='results_mail_state_is_known')],
                    },
                ),
                migrations.CreateModel(
                    name='Destination',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='destination', to='clubs.club')),
                        ('address', models.URLField()),
                        ('sealed_token', models.TextField()),
                        ('is_automatic', models.BooleanField(default=False)),
                        ('trouble', models.TextField(blank=True, default='')),
                        ('tries', models.PositiveSmallIntegerField(default=0)),
                        ('next_at', models.DateTimeField(blank=True, null=True)),
                        ('looked_at', models.DateTimeField(blank=True, null=True)),
                    ],
                ),
                migrations.CreateModel(
                    name='Publication',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='clubs.club')),
                        ('uid', models.UUIDField()),
                        ('name', models.CharField(max_length=200)),
                        ('version', models.PositiveIntegerField(default=0)),
                        ('digest', models.CharField(blank=True, default='', max_length=64)),
                        ('state', models.CharField(choices=[('waits', 'waiting'), ('sent', 'sent'), ('refused', 'not accepted'), ('twice', 'conflict: another computer has sent this event'), ('ours', 'waiting to be sent again (you chose this copy)'), ('going', 'being withdrawn'), ('withdrawn', 'withdrawn')], default='waits', max_length=10)),
                        ('error', models.TextField(blank=True, default='')),
                        ('sent_at', models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(fields=('club', 'uid'), name='one_publication_a_uid')],
                    },
                ),
                migrations.CreateModel(
                    name='Received',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='received', to='clubs.club')),
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
                    ],
                    options={
                        'verbose_name_plural': 'received',
                        'ordering': ['-day', '-pk'],
                        'constraints': [models.UniqueConstraint(fields=('club', 'uid'), name='one_received_a_uid'), models.UniqueConstraint(fields=('club', 'kind', 'slug'), name='one_received_an_address'), models.CheckConstraint(condition=models.Q(('kind__in', ['event', 'season', 'drive'])), name='received_kind_is_known'), models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='received_versions_count_from_one')],
                    },
                ),
                migrations.CreateModel(
                    name='ReceivedVersion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('received', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='seasons.received')),
                        ('number', models.PositiveIntegerField()),
                        ('reason', models.CharField(blank=True, default='', max_length=200)),
                        ('at', models.DateTimeField()),
                    ],
                    options={
                        'ordering': ['number'],
                        'constraints': [models.UniqueConstraint(fields=('received', 'number'), name='one_received_version_a_number')],
                    },
                ),
                migrations.CreateModel(
                    name='Trophy',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('slug', models.SlugField(max_length=60, unique=True)),
                        ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trophies', to='clubs.club')),
                        ('name', models.CharField(max_length=100, verbose_name='name')),
                        ('ladder', models.SlugField(blank=True, default='', max_length=60)),
                        ('not_with', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='seasons.trophy')),
                        ('order', models.PositiveSmallIntegerField(default=1)),
                    ],
                    options={
                        'verbose_name_plural': 'trophies',
                        'ordering': ['order', 'pk'],
                        'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='one_trophy_a_club_and_name'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='trophy_has_a_name')],
                    },
                ),
                migrations.CreateModel(
                    name='Engraving',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('trophy', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='engravings', to='seasons.trophy')),
                        ('year', models.CharField(max_length=20, verbose_name='year')),
                        ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='engravings', to='seasons.season')),
                    ],
                    options={
                        'ordering': ['-year', '-pk'],
                        'constraints': [models.UniqueConstraint(fields=('trophy', 'year'), name='one_engraving_a_year'), models.CheckConstraint(condition=models.Q(('year', ''), _negated=True), name='engraving_has_a_year')],
                    },
                ),
                migrations.CreateModel(
                    name='EngravedName',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('engraving', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='names', to='seasons.engraving')),
                        ('order', models.PositiveSmallIntegerField()),
                        ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='engraved', to='clubs.player')),
                        ('name', models.CharField(blank=True, default='', max_length=100)),
                    ],
                    options={
                        'ordering': ['order'],
                        'constraints': [models.UniqueConstraint(fields=('engraving', 'order'), name='one_engraved_name_an_order'), models.CheckConstraint(condition=models.Q(models.Q(('name', ''), ('player__isnull', False)), models.Q(('player__isnull', True), models.Q(('name', ''), _negated=True)), _connector='OR'), name='an_engraved_name_is_somebody_or_text')],
                    },
                ),
            ],
        ),
    ]
