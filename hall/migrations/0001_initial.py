import datetime
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('scoring', '0001_initial'),
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ns_tricks', models.PositiveSmallIntegerField()),
                ('was', models.CharField(max_length=2)),
                ('asked_at', models.DateTimeField()),
                ('agreed', models.BooleanField(blank=True, null=True)),
                ('approved', models.BooleanField(blank=True, null=True)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('decided_by', models.CharField(blank=True, max_length=150)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='challenges', to='tournaments.entry')),
                ('result', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='challenges', to='scoring.result')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('decided_at__isnull', True)), fields=('result',), name='one_open_challenge_a_result'), models.CheckConstraint(condition=models.Q(('ns_tricks__range', (0, 13))), name='challenge_says_tricks'), models.CheckConstraint(condition=models.Q(models.Q(('approved__isnull', True), ('decided_at__isnull', True)), models.Q(('approved__isnull', False), ('decided_at__isnull', False)), _connector='OR'), name='challenge_decided_says_how')],
            },
        ),
        migrations.CreateModel(
            name='HandLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('salt', models.CharField(max_length=32)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
                ('are_outsiders', models.BooleanField(default=False)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hand_links', to='tournaments.session')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('revoked_at__isnull', True)), fields=('session',), name='one_live_hand_link_a_session'), models.CheckConstraint(condition=models.Q(('ends_at__isnull', False)), name='a_hand_link_ends')],
            },
        ),
        migrations.CreateModel(
            name='Rehearsal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seed', models.CharField(max_length=32)),
                ('speed', models.PositiveSmallIntegerField(choices=[(1, 'as on the night'), (10, 'ten times as fast'), (60, 'an hour in a minute')], default=1)),
                ('reached', models.DurationField(default=datetime.timedelta)),
                ('script', models.JSONField(blank=True, default=list)),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='rehearsal', to='tournaments.event')),
                ('of', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rehearsal', to='tournaments.session')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('speed__in', [1, 10, 60])), name='rehearsal_speed_is_known')],
            },
        ),
        migrations.CreateModel(
            name='TypedHand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board', models.PositiveSmallIntegerField()),
                ('seat', models.CharField(choices=[('N', 'North'), ('E', 'East'), ('S', 'South'), ('W', 'West')], max_length=1)),
                ('cards', models.CharField(max_length=20)),
                ('turn_up', models.CharField(blank=True, max_length=2)),
                ('at', models.DateTimeField()),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='typed_hands', to='tournaments.session')),
            ],
            options={
                'ordering': ['session', 'board', 'id'],
                'constraints': [models.UniqueConstraint(fields=('session', 'board', 'seat'), name='one_typed_hand_a_board_and_seat'), models.CheckConstraint(condition=models.Q(('board__gte', 1), ('seat__in', ['N', 'E', 'S', 'W'])), name='typed_hands_sit_at_a_seat')],
            },
        ),
    ]
