import clubs.evenings.models
import clubs.models.clubs
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('server', '__first__'),
    ]

    operations = [
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=100, unique=True, verbose_name='name')),
                ('slug', models.SlugField(unique=True)),
                ('timezone', models.CharField(default='Europe/London', max_length=60, validators=[clubs.models.clubs.check_timezone], verbose_name='time zone')),
                ('correction_hours', models.PositiveSmallIntegerField(default=24, verbose_name='hours for corrections')),
            ],
        ),
        migrations.CreateModel(
            name='Act',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
                ('way', models.CharField(max_length=20)),
                ('action', models.CharField(max_length=40)),
                ('club', models.CharField(max_length=60)),
                ('about', models.CharField(db_index=True, max_length=100)),
                ('where', models.JSONField(blank=True, default=dict)),
                ('before', models.JSONField(blank=True, default=dict)),
                ('after', models.JSONField(blank=True, default=dict)),
                ('back', models.JSONField(blank=True, default=dict)),
                ('undoes', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='undone_by', to='clubs.act')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Evening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('date', models.DateField(verbose_name='date')),
                ('start', models.TimeField(blank=True, null=True, verbose_name='start')),
                ('place', models.CharField(blank=True, max_length=200, verbose_name='place')),
                ('title', models.CharField(blank=True, max_length=100, verbose_name='title')),
                ('booking_open_until', models.DateTimeField(blank=True, null=True, verbose_name='booking open until')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='evenings', to='clubs.club')),
            ],
            options={
                'ordering': ['date', 'id'],
            },
        ),
        migrations.CreateModel(
            name='DirectorCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('section', models.CharField(default='A', max_length=2)),
                ('table', models.PositiveSmallIntegerField()),
                ('at', models.DateTimeField()),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('answered_by', models.CharField(blank=True, max_length=150)),
                ('evening', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='clubs.evening')),
            ],
            options={
                'ordering': ['at'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('answered_at__isnull', True)), fields=('evening', 'section', 'table'), name='one_open_call_a_table')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'owner'), ('director', 'director'), ('scorer', 'scorer')], default='director', max_length=10)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='clubs.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'user'), name='one_membership_a_club_and_user'), models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'director', 'scorer'])), name='membership_role_is_known')],
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('shown', models.CharField(choices=[('name', 'the name'), ('initials', 'initials only'), ('nobody', '“a player” and no name')], default='name', max_length=10, verbose_name='everybody sees')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='clubs.club')),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='one_player_a_club_and_name'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='player_has_a_name'), models.CheckConstraint(condition=models.Q(('shown__in', ['name', 'initials', 'nobody'])), name='player_shown_is_known')],
            },
        ),
        migrations.CreateModel(
            name='RoundClock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('minutes', models.PositiveSmallIntegerField(default=25, verbose_name='minutes a round')),
                ('moving', models.PositiveSmallIntegerField(default=2, verbose_name='minutes to move')),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
                ('added', models.JSONField(blank=True, default=dict, validators=[clubs.evenings.models.check_seconds])),
                ('added_moving', models.JSONField(blank=True, default=dict, validators=[clubs.evenings.models.check_seconds])),
                ('evening', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='clock', to='clubs.evening')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('minutes__range', (1, 240)), ('moving__range', (0, 60))), name='rounds_take_some_minutes')],
            },
        ),
        migrations.CreateModel(
            name='TableLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('salt', models.CharField(max_length=32)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
                ('section', models.CharField(default='A', max_length=2)),
                ('table', models.PositiveSmallIntegerField()),
                ('evening', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='table_links', to='clubs.evening')),
            ],
            options={
                'ordering': ['section', 'table', 'id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('revoked_at__isnull', True)), fields=('evening', 'section', 'table'), name='one_live_link_a_table')],
            },
        ),
    ]
