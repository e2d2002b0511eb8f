"""Add a club's look, its people's details and its calendar.

Lock: ACCESS EXCLUSIVE on clubs and players to the end of the migration. The new columns may be
empty or have a constant default of the database. The checks and two indexes read each player
once, and each player is written once, some thousand a second.
"""

import clubs.models.calendar
import clubs.models.clubs
import django.db.models.deletion
import server.migration_operations
import uuid
from django.db import migrations, models

from clubs.name_folding import fold_name


BATCH_SIZE = 2000


def write_plain_letters(apps, schema_editor):
    """Write every player's name in plain letters, by which lists sort and searches find."""
    alias = schema_editor.connection.alias
    players = apps.get_model("clubs", "Player").objects.using(alias)
    last = 0
    while batch := list(players.filter(pk__gt=last).order_by("pk").only("name")[:BATCH_SIZE]):
        for player in batch:
            player.plain = fold_name(player.name)[:160]
        players.bulk_update(batch, ["plain"], batch_size=300)
        last = batch[-1].pk



class Migration(migrations.Migration):

    rewrites = {"clubs_player.plain"}

    dependencies = [
        ('clubs', '0001_initial'),
    ]

    operations = [
        server.migration_operations.LockTables(),
        migrations.RemoveConstraint(
            model_name='player',
            name='player_shown_is_known',
        ),
        migrations.AddField(
            model_name='club',
            name='accent',
            field=models.CharField(choices=[('claret', 'claret'), ('navy', 'navy'), ('forest', 'forest'), ('plum', 'plum'), ('slate', 'slate'), ('rust', 'rust'), ('teal', 'teal'), ('gold', 'gold')], db_default='claret', default='claret', max_length=10, verbose_name='accent'),
        ),
        migrations.AddField(
            model_name='club',
            name='asks_factor',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='club',
            name='currency',
            field=models.CharField(db_default='GBP', default='GBP', max_length=3, verbose_name='currency'),
        ),
        migrations.AddField(
            model_name='club',
            name='is_demo',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        # Clubs that exist keep everything they had; new clubs begin without congress features.
        migrations.AddField(
            model_name='club',
            name='has_congress_features',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AlterField(
            model_name='club',
            name='has_congress_features',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='club',
            name='language',
            field=models.CharField(blank=True, db_default='', default='', max_length=10, verbose_name='language'),
        ),
        migrations.AddField(
            model_name='club',
            name='logo_mark',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=12),
        ),
        migrations.AddField(
            model_name='club',
            name='moved_to',
            field=models.URLField(blank=True, db_default='', default='', editable=False),
        ),
        migrations.AddField(
            model_name='club',
            name='room_plan',
            field=models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, validators=[clubs.models.clubs.validate_room_plan]),
        ),
        migrations.AddField(
            model_name='club',
            name='short_name',
            field=models.CharField(blank=True, db_default='', default='', max_length=14, verbose_name='short name'),
        ),
        migrations.AddField(
            model_name='evening',
            name='check_in_state',
            field=models.CharField(blank=True, choices=[('', 'not used'), ('open', 'open'), ('started', 'play has started')], db_default='', default='', editable=False, max_length=10),
        ),
        migrations.AddField(
            model_name='player',
            name='email',
            field=models.EmailField(blank=True, db_default='', default='', max_length=254, verbose_name='e-mail'),
        ),
        migrations.AddField(
            model_name='player',
            name='forgotten_on',
            field=models.DateField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='joined',
            field=models.DateField(blank=True, null=True, verbose_name='joined'),
        ),
        migrations.AddField(
            model_name='player',
            name='kind',
            field=models.CharField(choices=[('member', 'member'), ('visitor', 'visitor'), ('past', 'past member')], db_default='member', default='member', max_length=10, verbose_name='kind'),
        ),
        migrations.AddField(
            model_name='player',
            name='left',
            field=models.DateField(blank=True, null=True, verbose_name='left'),
        ),
        migrations.AddField(
            model_name='player',
            name='number',
            field=models.CharField(blank=True, db_default='', default='', max_length=20, verbose_name='number'),
        ),
        migrations.AddField(
            model_name='player',
            name='phone',
            field=models.CharField(blank=True, db_default='', default='', max_length=40, verbose_name='telephone'),
        ),
        migrations.AddField(
            model_name='player',
            name='plain',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=160),
        ),
        migrations.AlterField(
            model_name='player',
            name='shown',
            field=models.CharField(choices=[('name', 'name'), ('initials', 'initials only'), ('nobody', '“a player” (no name)'), ('unknown', 'an unknown partner')], default='name', max_length=10, verbose_name='public name'),
        ),
        migrations.AlterField(
            model_name='roundclock',
            name='minutes',
            field=models.PositiveSmallIntegerField(default=25, verbose_name='minutes per round'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(fields=['club', 'plain'], name='players_in_order'),
        ),
        migrations.AddConstraint(
            model_name='club',
            constraint=models.CheckConstraint(condition=models.Q(('accent__in', ('claret', 'navy', 'forest', 'plum', 'slate', 'rust', 'teal', 'gold'))), name='club_accent_is_known'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('shown__in', ['name', 'initials', 'nobody', 'unknown'])), name='player_shown_is_known'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.UniqueConstraint(condition=models.Q(('number', ''), _negated=True), fields=('club', 'number'), name='one_player_a_club_and_number'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['member', 'visitor', 'past'])), name='player_kind_is_known'),
        ),
        server.migration_operations.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Logo',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='logo', to='clubs.club')),
                        ('image', models.BinaryField()),
                    ],
                ),
                migrations.CreateModel(
                    name='ClubArchive',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('way', models.CharField(choices=[('out', 'exported'), ('in', 'imported')], max_length=3)),
                        ('state', models.CharField(choices=[('wanted', 'waiting'), ('doing', 'in progress'), ('done', 'done'), ('failed', 'failed')], default='wanted', max_length=10)),
                        ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='archives', to='clubs.club')),
                        ('by', models.CharField(max_length=150)),
                        ('asked_at', models.DateTimeField()),
                        ('ended_at', models.DateTimeField(blank=True, null=True)),
                        ('wish', models.JSONField(blank=True, default=dict)),
                        ('told', models.JSONField(blank=True, default=dict)),
                        ('error', models.TextField(blank=True)),
                    ],
                    options={
                        'ordering': ['-id'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('way__in', ['out', 'in'])), name='archive_way_is_known'), models.CheckConstraint(condition=models.Q(('state', 'failed'), ('error', ''), _connector='OR'), name='archive_error_only_when_failed')],
                    },
                ),
                migrations.CreateModel(
                    name='Series',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('minutes', models.PositiveSmallIntegerField(default=180, verbose_name='length in minutes')),
                        ('contest', models.CharField(default='pairs', max_length=20, verbose_name='contest')),
                        ('method', models.CharField(blank=True, default='', max_length=40, verbose_name='scoring')),
                        ('books', models.BooleanField(default=False, verbose_name="players can book")),
                        ('guests', models.BooleanField(default=False, verbose_name="guests can book")),
                        ('unit', models.CharField(choices=[('pairs', 'pairs'), ('players', 'players'), ('tables', 'tables')], default='pairs', max_length=10, verbose_name="places counted by")),
                        ('places', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='places')),
                        ('opens_days', models.PositiveSmallIntegerField(default=28, verbose_name="booking opens (days before)")),
                        ('closes_hours', models.PositiveSmallIntegerField(default=3, verbose_name="booking closes (hours before)")),
                        ('fee_member', models.PositiveIntegerField(default=0, verbose_name="members’ fee")),
                        ('fee_visitor', models.PositiveIntegerField(default=0, verbose_name="visitors’ fee")),
                        ('fee_junior', models.PositiveIntegerField(default=0, verbose_name="juniors’ fee")),
                        ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='series', to='clubs.club')),
                        ('slug', models.SlugField(max_length=60)),
                        ('title', models.CharField(max_length=100, verbose_name='name')),
                        ('rule', models.JSONField(validators=[clubs.models.calendar.validate_rule])),
                        ('holidays', models.JSONField(blank=True, default=dict)),
                        ('start', models.TimeField(blank=True, null=True, verbose_name='start')),
                        ('place', models.CharField(blank=True, max_length=200, verbose_name='place')),
                        ('ended_at', models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        'verbose_name_plural': 'series',
                        'ordering': ['title', 'pk'],
                        'constraints': [models.UniqueConstraint(fields=('club', 'slug'), name='one_series_a_slug'), models.CheckConstraint(condition=models.Q(('title', ''), _negated=True), name='series_has_a_title'), models.CheckConstraint(condition=models.Q(('unit__in', ['pairs', 'players', 'tables'])), name='series_unit_is_known')],
                    },
                ),
                migrations.CreateModel(
                    name='Fixture',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('minutes', models.PositiveSmallIntegerField(default=180, verbose_name='length in minutes')),
                        ('contest', models.CharField(default='pairs', max_length=20, verbose_name='contest')),
                        ('method', models.CharField(blank=True, default='', max_length=40, verbose_name='scoring')),
                        ('books', models.BooleanField(default=False, verbose_name="players can book")),
                        ('guests', models.BooleanField(default=False, verbose_name="guests can book")),
                        ('unit', models.CharField(choices=[('pairs', 'pairs'), ('players', 'players'), ('tables', 'tables')], default='pairs', max_length=10, verbose_name="places counted by")),
                        ('places', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='places')),
                        ('opens_days', models.PositiveSmallIntegerField(default=28, verbose_name="booking opens (days before)")),
                        ('closes_hours', models.PositiveSmallIntegerField(default=3, verbose_name="booking closes (hours before)")),
                        ('fee_member', models.PositiveIntegerField(default=0, verbose_name="members’ fee")),
                        ('fee_visitor', models.PositiveIntegerField(default=0, verbose_name="visitors’ fee")),
                        ('fee_junior', models.PositiveIntegerField(default=0, verbose_name="juniors’ fee")),
                        ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('evening', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='fixture', to='clubs.evening')),
                        ('series', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='fixtures', to='clubs.series')),
                        ('series_day', models.DateField(blank=True, null=True)),
                        ('is_own', models.BooleanField(default=False)),
                        ('sequence', models.PositiveIntegerField(default=0)),
                        ('changed_at', models.DateTimeField()),
                        ('cancelled_at', models.DateTimeField(blank=True, null=True)),
                        ('entered', models.JSONField(blank=True, default=list)),
                    ],
                    options={
                        'ordering': ['evening__date', 'evening__start', 'pk'],
                        'constraints': [models.UniqueConstraint(fields=('series', 'series_day'), name='one_fixture_a_day_of_a_series'), models.CheckConstraint(condition=models.Q(('unit__in', ['pairs', 'players', 'tables'])), name='fixture_unit_is_known')],
                    },
                ),
                migrations.CreateModel(
                    name='Consent',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='consents', to='clubs.player')),
                        ('what', models.CharField(choices=[('mail', 'results by e-mail'), ('contact', 'contact shown to members')], max_length=10)),
                        ('given', models.BooleanField()),
                        ('at', models.DateTimeField()),
                        ('by', models.CharField(max_length=150)),
                    ],
                    options={
                        'ordering': ['what'],
                        'constraints': [models.UniqueConstraint(fields=('player', 'what'), name='one_consent_a_matter'), models.CheckConstraint(condition=models.Q(('what__in', ['mail', 'contact'])), name='consent_is_to_a_known_matter')],
                    },
                ),
                migrations.CreateModel(
                    name='TwoPeople',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('one', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.player')),
                        ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.player')),
                    ],
                    options={
                        'verbose_name_plural': 'two people',
                        'constraints': [models.UniqueConstraint(fields=('one', 'other'), name='two_people_said_once'), models.CheckConstraint(condition=models.Q(('one__lt', models.F('other'))), name='two_people_in_the_order_of_keys')],
                    },
                ),
                migrations.CreateModel(
                    name='PersonLink',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('salt', models.CharField(max_length=32)),
                        ('token_hash', models.CharField(max_length=64, unique=True)),
                        ('created_at', models.DateTimeField()),
                        ('ends_at', models.DateTimeField(blank=True, null=True)),
                        ('revoked_at', models.DateTimeField(blank=True, null=True)),
                        ('seen_at', models.DateTimeField(blank=True, null=True)),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='clubs.player')),
                    ],
                    options={
                        'ordering': ['pk'],
                    },
                ),
                migrations.CreateModel(
                    name='Booking',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uid', models.UUIDField(editable=False, unique=True)),
                        ('fixture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bookings', to='clubs.fixture')),
                        ('order', models.PositiveIntegerField()),
                        ('has_place', models.BooleanField(default=False)),
                        ('is_host', models.BooleanField(default=False)),
                        ('made_at', models.DateTimeField()),
                        ('is_fetched', models.BooleanField(default=False)),
                        ('team', models.CharField(blank=True, max_length=60, verbose_name='team')),
                        ('sits_north', models.BooleanField(default=False, verbose_name='needs a fixed seat')),
                        ('needs_host', models.BooleanField(default=False, verbose_name='needs a host')),
                        ('seeks', models.BooleanField(default=False, verbose_name="needs a partner")),
                        ('asks', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='asked_by', to='clubs.booking')),
                    ],
                    options={
                        'ordering': ['order', 'pk'],
                        'constraints': [models.UniqueConstraint(fields=('fixture', 'order'), name='bookings_come_one_after_another')],
                    },
                ),
                migrations.CreateModel(
                    name='BookedPerson',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('fixture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='booked', to='clubs.fixture')),
                        ('booking', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='people', to='clubs.booking')),
                        ('order', models.PositiveSmallIntegerField(default=1)),
                        ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='booked', to='clubs.player')),
                        ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                        ('accepted', models.BooleanField(default=True)),
                    ],
                    options={
                        'verbose_name_plural': 'booked people',
                        'ordering': ['order', 'pk'],
                        'constraints': [models.UniqueConstraint(fields=('fixture', 'player'), name='one_booking_a_person_and_evening'), models.UniqueConstraint(condition=models.Q(('name', ''), _negated=True), fields=('fixture', 'name'), name='one_booking_a_guest_and_evening'), models.CheckConstraint(condition=models.Q(models.Q(('name', ''), ('player__isnull', False)), models.Q(('player__isnull', True), models.Q(('name', ''), _negated=True)), _connector='OR'), name='booked_is_a_player_or_a_guest')],
                    },
                ),
                migrations.CreateModel(
                    name='BookingLink',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('salt', models.CharField(max_length=32)),
                        ('token_hash', models.CharField(max_length=64, unique=True)),
                        ('created_at', models.DateTimeField()),
                        ('ends_at', models.DateTimeField(blank=True, null=True)),
                        ('revoked_at', models.DateTimeField(blank=True, null=True)),
                        ('seen_at', models.DateTimeField(blank=True, null=True)),
                        ('fixture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='clubs.fixture')),
                        ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='booking_links', to='clubs.player')),
                        ('name', models.CharField(blank=True, max_length=80)),
                    ],
                    options={
                        'ordering': ['pk'],
                    },
                ),
                migrations.CreateModel(
                    name='Attendance',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('fixture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attendances', to='clubs.fixture')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attendances', to='clubs.player')),
                        ('kind', models.CharField(choices=[('member', 'member'), ('visitor', 'visitor'), ('junior', 'junior')], default='member', max_length=10)),
                        ('fee', models.PositiveIntegerField(default=0)),
                        ('settled', models.CharField(choices=[('owing', 'owing'), ('cash', 'cash'), ('other', 'paid another way'), ('free', 'free')], default='owing', max_length=10)),
                        ('settled_at', models.DateTimeField(blank=True, null=True)),
                        ('settled_by', models.CharField(blank=True, max_length=150)),
                        ('settled_on', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='takings', to='clubs.fixture')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(fields=('fixture', 'player'), name='one_attendance_a_person_and_evening'), models.CheckConstraint(condition=models.Q(('kind__in', ['member', 'visitor', 'junior'])), name='attendance_kind_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('settled', 'owing'), ('settled_at__isnull', True)), models.Q(('settled__in', ['cash', 'other', 'free']), ('settled_at__isnull', False)), _connector='OR'), name='attendance_is_settled_at_a_time')],
                    },
                ),
                migrations.CreateModel(
                    name='CheckIn',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('evening', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='check_ins', to='clubs.evening')),
                        ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='check_ins', to='clubs.player')),
                        ('name', models.CharField(max_length=80, verbose_name='name')),
                        ('table', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('number', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('at', models.DateTimeField()),
                    ],
                    options={
                        'ordering': ['table', 'seat', 'pk'],
                        'constraints': [models.UniqueConstraint(fields=('evening', 'table', 'seat'), name='one_check_in_a_chair'), models.UniqueConstraint(fields=('evening', 'player'), name='one_check_in_a_player_and_evening'), models.UniqueConstraint(fields=('evening', 'name'), name='one_check_in_a_name_and_evening'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='check_in_has_a_name'), models.CheckConstraint(condition=models.Q(models.Q(('seat__range', (1, 4)), ('table__range', (1, 500))), models.Q(('seat__isnull', True), ('table__isnull', True)), _connector='OR'), name='check_in_is_at_a_chair_or_at_none')],
                    },
                ),
            ],
        ),
        migrations.RunPython(write_plain_letters, migrations.RunPython.noop),
    ]
