"""Keep who is signed in, wrong tries, programs' tokens as hashes, and the login log.

Lock: ACCESS EXCLUSIVE on logins, a moment: what is added may be empty or has a constant default
that stays in the database, so pages of the version before go on making logins. The other tables
are new, and nothing refers to them.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('server', '0004_shown'),
    ]

    operations = [
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
        migrations.CreateModel(
            name='SignIn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_key', models.CharField(max_length=40, unique=True)),
                ('at', models.DateTimeField()),
                ('seen_at', models.DateTimeField(help_text='to some minutes')),
                ('device', models.CharField(max_length=60)),
                ('address', models.CharField(max_length=45)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_ins', to=settings.AUTH_USER_MODEL)),
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
                ('name', models.CharField(max_length=60)),
                ('hash', models.CharField(max_length=64, unique=True)),
                ('tail', models.CharField(help_text='its last letters, to tell it apart', max_length=4)),
                ('club', models.BigIntegerField(blank=True, help_text='the only club it reaches; empty for all', null=True)),
                ('scopes', models.CharField(max_length=30)),
                ('made_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, help_text='to the hour', null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
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
                ('name', models.CharField(max_length=150)),
                ('what', models.CharField(choices=[('signed_in', 'signed in'), ('wrong_password', 'wrong password'), ('wrong_factor', 'wrong code or passkey'), ('wait', 'had to wait: too many wrong tries'), ('new_device', 'signed in with a device not seen before'), ('signed_out', 'signed out'), ('ended', 'other devices were signed out'), ('password', 'set a new password'), ('first_password', 'was given a first password'), ('reset_asked', 'asked for a new password by mail'), ('reset', 'set a new password by mail'), ('reset_here', 'was reset at the server itself'), ('factor_added', 'added a second factor'), ('factor_removed', 'removed a second factor'), ('codes', 'made new recovery codes'), ('token_made', 'made a token for a program'), ('token_used', 'a token was used for the first time'), ('token_ended', 'took a token back'), ('role', 'was given another role')], max_length=20)),
                ('device', models.CharField(blank=True, max_length=60)),
                ('address', models.CharField(blank=True, help_text='shortened', max_length=45)),
                ('detail', models.CharField(blank=True, max_length=100)),
                ('user', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'at'], name='login_log_of_a_login'), models.Index(fields=['at'], name='login_log_by_time')],
            },
        ),
    ]
