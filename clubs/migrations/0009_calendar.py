"""Let a club keep a calendar: series, evenings as they are announced, bookings, table money.

Lock: ACCESS EXCLUSIVE on clubs, a moment for one column with a constant default of the
database; everything else is a new table.
"""

import clubs.models.calendar
import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0008_plain_letters'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='currency',
            field=models.CharField(db_default='GBP', default='GBP', max_length=3, verbose_name='currency'),
        ),
        migrations.CreateModel(
            name='Fixture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('minutes', models.PositiveSmallIntegerField(default=180, verbose_name='length in minutes')),
                ('contest', models.CharField(default='pairs', max_length=20, verbose_name='contest')),
                ('method', models.CharField(blank=True, default='', max_length=40, verbose_name='scoring')),
                ('books', models.BooleanField(default=False, verbose_name='players book')),
                ('guests', models.BooleanField(default=False, verbose_name='guests may book')),
                ('unit', models.CharField(choices=[('pairs', 'pairs'), ('players', 'players'), ('tables', 'tables')], default='pairs', max_length=10, verbose_name='places are')),
                ('places', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='places')),
                ('opens_days', models.PositiveSmallIntegerField(default=28, verbose_name='opens days before')),
                ('closes_hours', models.PositiveSmallIntegerField(default=3, verbose_name='closes hours before')),
                ('fee_member', models.PositiveIntegerField(default=0, verbose_name='members pay')),
                ('fee_visitor', models.PositiveIntegerField(default=0, verbose_name='visitors pay')),
                ('fee_junior', models.PositiveIntegerField(default=0, verbose_name='juniors pay')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('series_day', models.DateField(blank=True, null=True)),
                ('is_own', models.BooleanField(default=False)),
                ('sequence', models.PositiveIntegerField(default=0)),
                ('changed_at', models.DateTimeField()),
                ('cancelled_at', models.DateTimeField(blank=True, null=True)),
                ('entered', models.JSONField(blank=True, default=list)),
                ('evening', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='fixture', to='clubs.evening')),
            ],
            options={
                'ordering': ['evening__date', 'evening__start', 'pk'],
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
                ('name', models.CharField(blank=True, max_length=80)),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='booking_links', to='clubs.player')),
                ('fixture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='clubs.fixture')),
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
                ('order', models.PositiveIntegerField()),
                ('has_place', models.BooleanField(default=False)),
                ('is_host', models.BooleanField(default=False)),
                ('made_at', models.DateTimeField()),
                ('is_fetched', models.BooleanField(default=False)),
                ('team', models.CharField(blank=True, max_length=60, verbose_name='team')),
                ('sits_north', models.BooleanField(default=False, verbose_name='needs to stay seated')),
                ('needs_host', models.BooleanField(default=False, verbose_name='needs a host')),
                ('seeks', models.BooleanField(default=False, verbose_name='looks for a partner')),
                ('asks', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='asked_by', to='clubs.booking')),
                ('fixture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bookings', to='clubs.fixture')),
            ],
            options={
                'ordering': ['order', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='BookedPerson',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order', models.PositiveSmallIntegerField(default=1)),
                ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                ('accepted', models.BooleanField(default=True)),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='booked', to='clubs.player')),
                ('booking', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='people', to='clubs.booking')),
                ('fixture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='booked', to='clubs.fixture')),
            ],
            options={
                'verbose_name_plural': 'booked people',
                'ordering': ['order', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Attendance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('member', 'member'), ('visitor', 'visitor'), ('junior', 'junior')], default='member', max_length=10)),
                ('fee', models.PositiveIntegerField(default=0)),
                ('settled', models.CharField(choices=[('owing', 'owing'), ('cash', 'cash'), ('other', 'paid otherwise'), ('free', 'free')], default='owing', max_length=10)),
                ('settled_at', models.DateTimeField(blank=True, null=True)),
                ('settled_by', models.CharField(blank=True, max_length=150)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attendances', to='clubs.player')),
                ('fixture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attendances', to='clubs.fixture')),
                ('settled_on', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='takings', to='clubs.fixture')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Series',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('minutes', models.PositiveSmallIntegerField(default=180, verbose_name='length in minutes')),
                ('contest', models.CharField(default='pairs', max_length=20, verbose_name='contest')),
                ('method', models.CharField(blank=True, default='', max_length=40, verbose_name='scoring')),
                ('books', models.BooleanField(default=False, verbose_name='players book')),
                ('guests', models.BooleanField(default=False, verbose_name='guests may book')),
                ('unit', models.CharField(choices=[('pairs', 'pairs'), ('players', 'players'), ('tables', 'tables')], default='pairs', max_length=10, verbose_name='places are')),
                ('places', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='places')),
                ('opens_days', models.PositiveSmallIntegerField(default=28, verbose_name='opens days before')),
                ('closes_hours', models.PositiveSmallIntegerField(default=3, verbose_name='closes hours before')),
                ('fee_member', models.PositiveIntegerField(default=0, verbose_name='members pay')),
                ('fee_visitor', models.PositiveIntegerField(default=0, verbose_name='visitors pay')),
                ('fee_junior', models.PositiveIntegerField(default=0, verbose_name='juniors pay')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('slug', models.SlugField(max_length=60)),
                ('title', models.CharField(max_length=100, verbose_name='name')),
                ('rule', models.JSONField(validators=[clubs.models.calendar.check_rule])),
                ('holidays', models.JSONField(blank=True, default=dict)),
                ('start', models.TimeField(blank=True, null=True, verbose_name='start')),
                ('place', models.CharField(blank=True, max_length=200, verbose_name='place')),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='series', to='clubs.club')),
            ],
            options={
                'verbose_name_plural': 'series',
                'ordering': ['title', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='fixture',
            name='series',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='fixtures', to='clubs.series'),
        ),
        migrations.AddConstraint(
            model_name='booking',
            constraint=models.UniqueConstraint(fields=('fixture', 'order'), name='bookings_come_one_after_another'),
        ),
        migrations.AddConstraint(
            model_name='bookedperson',
            constraint=models.UniqueConstraint(fields=('fixture', 'player'), name='one_booking_a_person_and_evening'),
        ),
        migrations.AddConstraint(
            model_name='bookedperson',
            constraint=models.UniqueConstraint(condition=models.Q(('name', ''), _negated=True), fields=('fixture', 'name'), name='one_booking_a_guest_and_evening'),
        ),
        migrations.AddConstraint(
            model_name='bookedperson',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('name', ''), ('player__isnull', False)), models.Q(('player__isnull', True), models.Q(('name', ''), _negated=True)), _connector='OR'), name='booked_is_a_player_or_a_guest'),
        ),
        migrations.AddConstraint(
            model_name='attendance',
            constraint=models.UniqueConstraint(fields=('fixture', 'player'), name='one_attendance_a_person_and_evening'),
        ),
        migrations.AddConstraint(
            model_name='attendance',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['member', 'visitor', 'junior'])), name='attendance_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='attendance',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('settled', 'owing'), ('settled_at__isnull', True)), models.Q(('settled__in', ['cash', 'other', 'free']), ('settled_at__isnull', False)), _connector='OR'), name='attendance_is_settled_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='series',
            constraint=models.UniqueConstraint(fields=('club', 'slug'), name='one_series_a_slug'),
        ),
        migrations.AddConstraint(
            model_name='series',
            constraint=models.CheckConstraint(condition=models.Q(('title', ''), _negated=True), name='series_has_a_title'),
        ),
        migrations.AddConstraint(
            model_name='series',
            constraint=models.CheckConstraint(condition=models.Q(('unit__in', ['pairs', 'players', 'tables'])), name='series_unit_is_known'),
        ),
        migrations.AddConstraint(
            model_name='fixture',
            constraint=models.UniqueConstraint(fields=('series', 'series_day'), name='one_fixture_a_day_of_a_series'),
        ),
        migrations.AddConstraint(
            model_name='fixture',
            constraint=models.CheckConstraint(condition=models.Q(('unit__in', ['pairs', 'players', 'tables'])), name='fixture_unit_is_known'),
        ),
    ]
