"""Create the tables of drives.

Lock: none; all tables are new.
"""

import django.db.models.deletion
import django.db.models.expressions
import drives.models.drives
import server.migration_operations
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('clubs', '0002_version_2'),
    ]

    operations = [
        server.migration_operations.LockTables(),
        server.migration_operations.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Drive',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drives', to='clubs.club')),
                        ('evening', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='drive', to='clubs.evening')),
                        ('slug', models.SlugField(max_length=80, unique=True)),
                        ('name', models.CharField(max_length=200, verbose_name='name')),
                        ('form', models.CharField(max_length=20, verbose_name='form')),
                        ('terms', models.JSONField(blank=True, default=dict)),
                        ('score', models.JSONField(blank=True, default=dict)),
                        ('hands', models.PositiveSmallIntegerField(default=1, verbose_name="hands per round")),
                        ('rounds', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='rounds')),
                        ('trumps', models.CharField(default='HCDS', max_length=20, validators=[drives.models.drives.check_trumps], verbose_name='trumps')),
                        ('first_word', models.CharField(blank=True, max_length=30, verbose_name="name for 1st players")),
                        ('second_word', models.CharField(blank=True, max_length=30, verbose_name="name for 2nd players")),
                        ('apart', models.JSONField(blank=True, default=list, validators=[drives.models.drives.check_kept_apart_pairs])),
                        ('one_prize_each', models.BooleanField(default=True, verbose_name='one prize per person')),
                        ('halves', models.BooleanField(default=False, verbose_name='score cards are handed in at half-time too')),
                        ('standings_shown', models.CharField(choices=[('always', 'always, while the scores come in'), ('half', 'until the last half begins'), ('after', 'after the prizes')], default='after', max_length=10, verbose_name="players see the standings")),
                        ('paper_size', models.CharField(choices=[('A4', 'A4'), ('A5', 'A5'), ('Letter', 'Letter')], default='A4', max_length=10, verbose_name='paper')),
                        ('state', models.CharField(choices=[('planned', 'not started'), ('open', 'in play'), ('closed', 'finished')], default='planned', max_length=10)),
                        ('secret', models.BinaryField(blank=True, max_length=512, null=True)),
                        ('commitment', models.CharField(blank=True, max_length=64)),
                        ('at_round', models.PositiveSmallIntegerField(default=0)),
                        ('closed_at', models.DateTimeField(blank=True, null=True)),
                        ('revision', models.PositiveIntegerField(default=0, editable=False)),
                        ('without', models.JSONField(blank=True, default=list, editable=False)),
                        ('form_key', models.CharField(blank=True, editable=False, max_length=40, null=True)),
                        ('put_away_at', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('is_rehearsal', models.BooleanField(default=False, editable=False)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        'ordering': ['-evening__date', '-id'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='drive_has_a_name'), models.UniqueConstraint(fields=('club', 'form_key'), name='one_drive_a_form'), models.CheckConstraint(condition=models.Q(('state__in', ['planned', 'open', 'closed'])), name='drive_state_is_known'), models.CheckConstraint(condition=models.Q(('standings_shown__in', ['always', 'half', 'after'])), name='drive_standings_shown_is_known'), models.CheckConstraint(condition=models.Q(('hands__range', (1, 1000)), models.Q(('rounds__isnull', True), ('rounds__range', (1, 100)), _connector='OR')), name='drive_has_hands_and_rounds'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', False), ('state', 'closed')), models.Q(models.Q(('state', 'closed'), _negated=True), ('closed_at__isnull', True)), _connector='OR'), name='closed_drive_says_when')],
                    },
                ),
                migrations.CreateModel(
                    name='HouseTerms',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='house_terms', to='clubs.club')),
                        ('terms', models.JSONField(blank=True, default=dict)),
                        ('presets', models.JSONField(blank=True, default=dict)),
                        ('contract_words', models.CharField(choices=[('local', 'the players’ own words'), ('title', 'plain words in your language')], default='local', max_length=10)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('contract_words__in', ['local', 'title'])), name='house_contract_words_are_known')],
                    },
                ),
                migrations.CreateModel(
                    name='DrivePlayer',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('drive', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='drives.drive')),
                        ('number', models.IntegerField()),
                        ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='drive_players', to='clubs.player')),
                        ('name', models.CharField(blank=True, max_length=200, verbose_name='name')),
                        ('role', models.CharField(blank=True, choices=[('', 'neither'), ('first', 'first'), ('second', 'second')], default='', max_length=10)),
                        ('of_club', models.CharField(blank=True, max_length=200, verbose_name='club')),
                        ('fort', models.CharField(blank=True, max_length=200, verbose_name='fort')),
                        ('house', models.BooleanField(default=False)),
                        ('present', models.BooleanField(default=True)),
                        ('stays_seated', models.BooleanField(default=False)),
                        ('from_round', models.PositiveSmallIntegerField(default=1)),
                        ('to_round', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('takes_over', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='substitute', to='drives.driveplayer')),
                    ],
                    options={
                        'ordering': ['house', 'number'],
                        'constraints': [models.UniqueConstraint(fields=('drive', 'number'), name='one_card_a_number'), models.UniqueConstraint(condition=models.Q(('player__isnull', False), ('to_round__isnull', True)), fields=('drive', 'player'), name='a_club_player_once_a_drive'), models.CheckConstraint(condition=models.Q(('role__in', ['', 'first', 'second'])), name='drive_role_is_known'), models.CheckConstraint(condition=models.Q(('from_round__gte', 1), models.Q(('to_round__isnull', True), ('to_round__gte', django.db.models.expressions.CombinedExpression(models.F('from_round'), '-', models.Value(1))), _connector='OR')), name='a_card_begins_before_it_ends')],
                    },
                ),
                migrations.CreateModel(
                    name='CardLink',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('salt', models.CharField(max_length=32)),
                        ('token_hash', models.CharField(max_length=64, unique=True)),
                        ('created_at', models.DateTimeField()),
                        ('ends_at', models.DateTimeField(blank=True, null=True)),
                        ('revoked_at', models.DateTimeField(blank=True, null=True)),
                        ('seen_at', models.DateTimeField(blank=True, null=True)),
                        ('holder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='drives.driveplayer')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(condition=models.Q(('revoked_at__isnull', True)), fields=('holder',), name='one_live_link_a_card')],
                    },
                ),
                migrations.CreateModel(
                    name='Prize',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('drive', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='prizes', to='drives.drive')),
                        ('number', models.PositiveSmallIntegerField()),
                        ('words', models.CharField(max_length=200, verbose_name='prize')),
                        ('field', models.CharField(default='all', max_length=210, verbose_name="open to")),
                        ('measure', models.CharField(default='total-high', max_length=20, verbose_name='measured by')),
                        ('count', models.PositiveSmallIntegerField(default=1, verbose_name='how many')),
                        ('ties', models.CharField(choices=[('share', 'shared'), ('cut', 'cards are cut'), ('lot', "drawn at random")], default='share', max_length=10, verbose_name='ties')),
                        ('places', models.JSONField(blank=True, default=list)),
                        ('then', models.JSONField(blank=True, default=list)),
                        ('round', models.PositiveSmallIntegerField(default=0)),
                        ('least', models.PositiveSmallIntegerField(default=0)),
                        ('won', models.JSONField(blank=True, default=list)),
                        ('cut_by', models.JSONField(blank=True, null=True)),
                    ],
                    options={
                        'ordering': ['number'],
                        'constraints': [models.UniqueConstraint(fields=('drive', 'number'), name='one_prize_a_number'), models.CheckConstraint(condition=models.Q(('ties__in', ['share', 'cut', 'lot'])), name='prize_ties_are_known'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='prizes_count_from_one')],
                    },
                ),
                migrations.CreateModel(
                    name='Award',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('prize', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='awards', to='drives.prize')),
                        ('order', models.PositiveSmallIntegerField()),
                        ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='awards', to='drives.driveplayer')),
                        ('why', models.TextField(blank=True)),
                    ],
                    options={
                        'ordering': ['prize__number', 'order'],
                        'constraints': [models.UniqueConstraint(fields=('prize', 'order'), name='one_award_an_order')],
                    },
                ),
                migrations.CreateModel(
                    name='Draw',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('drive', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='draws', to='drives.drive')),
                        ('kind', models.CharField(choices=[('planned', 'all rounds drawn before play'), ('drawn', 'drawn'), ('moved', 'moved by results'), ('given', 'seated by hand')], max_length=10)),
                        ('first', models.PositiveSmallIntegerField()),
                        ('given', models.JSONField(blank=True, default=dict)),
                        ('drawn_at', models.DateTimeField()),
                        ('drawn_by', models.CharField(max_length=150)),
                    ],
                    options={
                        'ordering': ['id'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['planned', 'drawn', 'moved', 'given'])), name='draw_kind_is_known')],
                    },
                ),
                migrations.CreateModel(
                    name='Round',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('drive', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='played', to='drives.drive')),
                        ('number', models.PositiveSmallIntegerField()),
                        ('trumps', models.CharField(blank=True, max_length=20)),
                        ('draw', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='drives.draw')),
                    ],
                    options={
                        'ordering': ['number'],
                        'constraints': [models.UniqueConstraint(fields=('drive', 'number'), name='one_round_a_number'), models.CheckConstraint(condition=models.Q(('number__range', (1, 1000))), name='rounds_count_from_one')],
                    },
                ),
                migrations.CreateModel(
                    name='Seat',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='drives.round')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='drives.driveplayer')),
                        ('table', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('order', models.PositiveSmallIntegerField(default=0)),
                    ],
                    options={
                        'ordering': ['round', 'table', 'seat', 'order'],
                        'constraints': [models.UniqueConstraint(fields=('round', 'player'), name='a_player_once_a_round'), models.UniqueConstraint(fields=('round', 'table', 'seat'), name='a_seat_once_a_round'), models.CheckConstraint(condition=models.Q(models.Q(('seat__range', (1, 4)), ('table__gte', 1)), models.Q(('seat__isnull', True), ('table__isnull', True)), _connector='OR'), name='a_seat_is_at_a_table_or_a_rest')],
                    },
                ),
                migrations.CreateModel(
                    name='DriveChange',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('drive', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='drives.drive')),
                        ('made_at', models.DateTimeField(auto_now_add=True)),
                        ('before', models.JSONField(default=dict)),
                        ('after', models.JSONField(default=dict)),
                    ],
                    options={
                        'ordering': ['id'],
                    },
                ),
                migrations.CreateModel(
                    name='Sheet',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sheets', to='drives.round')),
                        ('table', models.PositiveSmallIntegerField()),
                        ('hand', models.PositiveSmallIntegerField(default=0)),
                        ('score', models.JSONField(blank=True, default=list)),
                        ('extras', models.JSONField(blank=True, default=list)),
                        ('contract', models.JSONField(blank=True, default=dict)),
                        ('agreement', models.CharField(blank=True, choices=[('', 'not asked for'), ('awaited', 'not confirmed yet'), ('given', 'confirmed by the other side')], default='', max_length=10)),
                    ],
                    options={
                        'ordering': ['round', 'table', 'hand'],
                        'constraints': [models.UniqueConstraint(fields=('round', 'table', 'hand'), name='one_sheet_a_round_table_and_hand'), models.CheckConstraint(condition=models.Q(('table__gte', 1)), name='a_sheet_has_a_table'), models.CheckConstraint(condition=models.Q(('agreement__in', ['', 'awaited', 'given'])), name='sheet_agreement_is_known')],
                    },
                ),
                migrations.CreateModel(
                    name='SheetVersion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('entered_by', models.CharField(max_length=150)),
                        ('entered_at', models.DateTimeField()),
                        ('way', models.CharField(max_length=20)),
                        ('key', models.CharField(blank=True, max_length=40)),
                        ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='drives.sheet')),
                        ('score', models.JSONField(blank=True, default=list)),
                        ('extras', models.JSONField(blank=True, default=list)),
                        ('contract', models.JSONField(blank=True, default=dict)),
                    ],
                    options={
                        'ordering': ['id'],
                        'abstract': False,
                        'constraints': [models.UniqueConstraint(condition=models.Q(('key', ''), _negated=True), fields=('sheet', 'key'), name='one_sheet_version_a_key')],
                    },
                ),
                migrations.CreateModel(
                    name='CardTotal',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='totals', to='drives.driveplayer')),
                        ('part', models.PositiveSmallIntegerField(default=1)),
                        ('total', models.IntegerField(blank=True, null=True)),
                        ('rests', models.PositiveSmallIntegerField(default=0)),
                        ('rows', models.JSONField(blank=True, default=list)),
                    ],
                    options={
                        'ordering': ['player', 'part'],
                        'constraints': [models.UniqueConstraint(fields=('player', 'part'), name='one_total_a_card_and_part'), models.CheckConstraint(condition=models.Q(('part__gte', 1)), name='a_part_counts_from_one')],
                    },
                ),
                migrations.CreateModel(
                    name='CardVersion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('entered_by', models.CharField(max_length=150)),
                        ('entered_at', models.DateTimeField()),
                        ('way', models.CharField(max_length=20)),
                        ('key', models.CharField(blank=True, max_length=40)),
                        ('card', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='drives.cardtotal')),
                        ('total', models.IntegerField(blank=True, null=True)),
                        ('rests', models.PositiveSmallIntegerField(default=0)),
                        ('rows', models.JSONField(blank=True, default=list)),
                    ],
                    options={
                        'ordering': ['id'],
                        'abstract': False,
                    },
                ),
            ],
        ),
    ]
