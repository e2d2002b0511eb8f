"""Add jobs, the login log, API tokens, quotas and stored files; take over tokens as hashes.

Lock: ACCESS EXCLUSIVE on logins to the end of the migration: the new columns may be empty or
have a constant default of the database. The other tables are new. Tokens are at most one a
login; they are valid for 30 days more, and pages of the version before refuse them.
"""

from datetime import timedelta
from hashlib import sha256

import django.db.models.deletion
import server.migration_operations
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone


OLD_TOKENS = "authtoken_token"
REMAINING = timedelta(days=30)


def hash_tokens(apps, schema_editor):
    """Store each token of the version before as a hash, and delete it in the clear."""
    connection = schema_editor.connection
    if OLD_TOKENS not in connection.introspection.table_names():
        return  # a new database
    tokens = apps.get_model("server", "ApiToken").objects.using(connection.alias)
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT key, user_id FROM {OLD_TOKENS}")
        for key, user in cursor.fetchall():
            tokens.get_or_create(
                hash=sha256(key.encode()).hexdigest(),
                defaults={
                    "user_id": user,
                    "name": "of version 1.1 or older",
                    "tail": key[-4:],
                    "scopes": "read score direct own",
                    "made_at": now,
                    "ends_at": now + REMAINING,
                },
            )
        cursor.execute(f"DELETE FROM {OLD_TOKENS}")



class Migration(migrations.Migration):

    rewrites = {OLD_TOKENS, "server_apitoken"}

    dependencies = [
        ('server', '0001_initial'),
    ]

    operations = [
        server.migration_operations.LockTables(),
        migrations.AddField(
            model_name='user',
            name='factor_due_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='user',
            name='first_password_until',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='user',
            name='lock_number',
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        server.migration_operations.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Blob',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=200, unique=True)),
                        ('content', models.BinaryField()),
                        ('made_at', models.DateTimeField(auto_now_add=True)),
                    ],
                ),
                migrations.CreateModel(
                    name='Installed',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('version', models.CharField(max_length=20)),
                        ('shape', models.CharField(max_length=64)),
                        ('at', models.DateTimeField()),
                        ('by', models.CharField(max_length=100)),
                    ],
                ),
                migrations.CreateModel(
                    name='Job',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(max_length=20)),
                        ('about', models.BigIntegerField(help_text='the key of its subject')),
                        ('club', models.BigIntegerField(blank=True, help_text='the club it is for', null=True)),
                        ('lane', models.SmallIntegerField(choices=[(0, 'at once'), (1, 'low priority')])),
                        ('wanted_no', models.BigIntegerField(default=1)),
                        ('done_no', models.BigIntegerField(default=0)),
                        ('state', models.CharField(choices=[('wanted', 'waiting'), ('doing', 'running'), ('done', 'done'), ('failed', 'failed')], default='wanted', max_length=10)),
                        ('wanted_at', models.DateTimeField()),
                        ('not_before', models.DateTimeField(help_text='the start of its turn, moved by pauses between tries')),
                        ('rests_until', models.DateTimeField(blank=True, help_text="the end of the club’s daily limit", null=True)),
                        ('began_at', models.DateTimeField(blank=True, null=True)),
                        ('ended_at', models.DateTimeField(blank=True, null=True)),
                        ('lease_until', models.DateTimeField(blank=True, null=True)),
                        ('worker', models.CharField(blank=True, max_length=100)),
                        ('tries', models.PositiveIntegerField(default=0)),
                        ('deaths', models.PositiveIntegerField(default=0)),
                        ('trouble', models.CharField(blank=True, choices=[('database', "the database didn’t respond"), ('network', "another service didn’t respond"), ('disk', 'the disk is full or not writable'), ('broken', 'an error in Overplay, see the log'), ('too_long', 'it took too long'), ('died', 'the program stopped during the job')], max_length=10)),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('wanted_no__gt', models.F('done_no'))), fields=['lane', 'not_before'], name='due_jobs'), models.Index(condition=models.Q(('state__in', ['failed'])), fields=['club'], name='failed_jobs')],
                        'constraints': [models.UniqueConstraint(fields=('kind', 'about'), name='one_job_for_each_thing')],
                    },
                ),
                migrations.CreateModel(
                    name='ClubWork',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('club', models.BigIntegerField()),
                        ('minute', models.DateTimeField()),
                        ('seconds', models.FloatField()),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('club', 'minute'), name='one_sum_a_club_and_minute')],
                    },
                ),
                migrations.CreateModel(
                    name='ClubDay',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('club', models.BigIntegerField()),
                        ('day', models.DateField()),
                        ('quota', models.CharField(max_length=10)),
                        ('amount', models.FloatField()),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('club', 'day', 'quota'), name='one_sum_a_club_day_and_quota')],
                    },
                ),
                migrations.CreateModel(
                    name='Worker',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=100, unique=True)),
                        ('seen_at', models.DateTimeField()),
                    ],
                ),
                migrations.CreateModel(
                    name='SignIn',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_ins', to=settings.AUTH_USER_MODEL)),
                        ('session_key', models.CharField(max_length=40, unique=True)),
                        ('at', models.DateTimeField()),
                        ('seen_at', models.DateTimeField(help_text="to within a few minutes")),
                        ('device', models.CharField(max_length=60)),
                        ('address', models.CharField(max_length=45)),
                    ],
                ),
                migrations.CreateModel(
                    name='WrongTry',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField()),
                        ('name', models.CharField(max_length=64)),
                        ('address', models.CharField(max_length=64)),
                        ('device', models.CharField(blank=True, max_length=64)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['name', 'at'], name='wrong_tries_of_a_name'), models.Index(fields=['address', 'at'], name='wrong_tries_of_an_address')],
                    },
                ),
                migrations.CreateModel(
                    name='ApiToken',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
                        ('name', models.CharField(max_length=60)),
                        ('hash', models.CharField(max_length=64, unique=True)),
                        ('tail', models.CharField(help_text='its last characters, to recognise it', max_length=4)),
                        ('club', models.BigIntegerField(blank=True, help_text='the only club it reaches, or empty for all', null=True)),
                        ('scopes', models.CharField(max_length=30)),
                        ('made_at', models.DateTimeField()),
                        ('ends_at', models.DateTimeField()),
                        ('used_at', models.DateTimeField(blank=True, help_text="to the nearest hour", null=True)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('scopes', ''), _negated=True), name='a_token_may_something'), models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('made_at'))), name='a_token_ends_after_it_began')],
                    },
                ),
                migrations.CreateModel(
                    name='LoginNote',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField()),
                        ('user', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, to=settings.AUTH_USER_MODEL)),
                        ('name', models.CharField(max_length=150)),
                        ('what', models.CharField(choices=[('signed_in', 'signed in'), ('wrong_password', 'wrong password'), ('wrong_factor', 'wrong code or passkey'), ('wait', 'had to wait after too many wrong tries'), ('new_device', 'signed in from a new device'), ('signed_out', 'signed out'), ('ended', 'other devices were signed out'), ('password', 'set a new password'), ('first_password', 'was given a first password'), ('reset_asked', 'asked for a new password by e-mail'), ('reset', 'reset the password by e-mail'), ('reset_here', 'was reset on the server'), ('factor_added', 'set up two-step sign-in'), ('factor_removed', 'removed a sign-in step'), ('codes', 'created new recovery codes'), ('token_made', 'created a token'), ('token_used', 'a token was first used'), ('token_ended', 'cancelled a token'), ('role', 'role changed')], max_length=20)),
                        ('device', models.CharField(blank=True, max_length=60)),
                        ('address', models.CharField(blank=True, help_text='shortened', max_length=45)),
                        ('detail', models.CharField(blank=True, max_length=100)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['user', 'at'], name='login_log_of_a_login'), models.Index(fields=['at'], name='login_log_by_time')],
                    },
                ),
                migrations.CreateModel(
                    name='PublicVersion',
                    fields=[
                        ('about', models.CharField(max_length=100, primary_key=True, serialize=False)),
                        ('number', models.BigIntegerField()),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('number__gt', 0)), name='public_version_is_positive')],
                    },
                ),
            ],
        ),
        migrations.RunPython(hash_tokens, migrations.RunPython.noop),
    ]
