"""Create the tables of rubber nights.

Lock: none; all tables are new.
"""

import django.db.models.deletion
import django.db.models.expressions
import server.migration_operations
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('drives', '0001_initial'),
    ]

    operations = [
        server.migration_operations.CreateModels(
            models=[
                migrations.CreateModel(
                    name='RubberNight',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rubber_nights', to='clubs.club')),
                        ('evening', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='rubber_night', to='clubs.evening')),
                        ('drive', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='rubbers', to='drives.drive')),
                        ('slug', models.SlugField(max_length=80, unique=True)),
                        ('name', models.CharField(max_length=200, verbose_name='name')),
                        ('code', models.CharField(max_length=20, verbose_name='code')),
                        ('terms', models.JSONField(blank=True, default=dict)),
                        ('state', models.CharField(choices=[('planned', 'not started'), ('open', 'in play'), ('closed', 'finished')], default='open', max_length=10)),
                        ('paper_size', models.CharField(choices=[('A4', 'A4'), ('A5', 'A5'), ('Letter', 'Letter')], default='A4', max_length=10, verbose_name='paper')),
                        ('secret', models.BinaryField(blank=True, max_length=512, null=True)),
                        ('commitment', models.CharField(blank=True, max_length=64)),
                        ('closed_at', models.DateTimeField(blank=True, null=True)),
                        ('revision', models.PositiveIntegerField(default=0, editable=False)),
                        ('form_key', models.CharField(blank=True, editable=False, max_length=40, null=True)),
                        ('put_away_at', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('is_rehearsal', models.BooleanField(default=False, editable=False)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        'ordering': ['-evening__date', '-id'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='rubbernight_has_a_name'), models.UniqueConstraint(fields=('club', 'form_key'), name='one_rubbernight_a_form'), models.CheckConstraint(condition=models.Q(('state__in', ['planned', 'open', 'closed'])), name='rubbernight_state_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', False), ('state', 'closed')), models.Q(models.Q(('state', 'closed'), _negated=True), ('closed_at__isnull', True)), _connector='OR'), name='closed_rubbernight_says_when')],
                    },
                ),
                migrations.CreateModel(
                    name='RubberPlayer',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('night', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='rubbers.rubbernight')),
                        ('number', models.PositiveSmallIntegerField()),
                        ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rubber_players', to='clubs.player')),
                        ('name', models.CharField(max_length=200, verbose_name='name')),
                    ],
                    options={
                        'ordering': ['number'],
                        'constraints': [models.UniqueConstraint(fields=('night', 'number'), name='one_rubber_player_a_number'), models.UniqueConstraint(condition=models.Q(('player__isnull', False)), fields=('night', 'player'), name='a_club_player_once_a_rubber_night'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='rubber_players_count_from_one')],
                    },
                ),
                migrations.CreateModel(
                    name='RubberTable',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('night', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='rubbers.rubbernight')),
                        ('round', models.PositiveSmallIntegerField(default=0)),
                        ('number', models.PositiveSmallIntegerField()),
                        ('settled', models.BooleanField(default=False)),
                    ],
                    options={
                        'ordering': ['round', 'number'],
                        'constraints': [models.UniqueConstraint(fields=('night', 'round', 'number'), name='one_rubber_table_a_number'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='rubber_tables_count_from_one')],
                    },
                ),
                migrations.CreateModel(
                    name='Belonging',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='rubbers.rubbertable')),
                        ('holder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='belongings', to='rubbers.rubberplayer')),
                        ('since', models.PositiveSmallIntegerField(default=1)),
                        ('until', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ],
                    options={
                        'ordering': ['id'],
                        'constraints': [models.UniqueConstraint(fields=('table', 'holder'), name='a_player_belongs_to_a_table_once'), models.CheckConstraint(condition=models.Q(('since__gte', 1), models.Q(('until__isnull', True), ('until__gte', django.db.models.expressions.CombinedExpression(models.F('since'), '-', models.Value(1))), _connector='OR')), name='a_belonging_begins_before_it_ends')],
                    },
                ),
                migrations.CreateModel(
                    name='Spell',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='spells', to='rubbers.rubbertable')),
                        ('number', models.PositiveSmallIntegerField()),
                        ('seats', models.JSONField()),
                        ('dealer', models.PositiveSmallIntegerField()),
                        ('cuts', models.JSONField(blank=True, default=dict)),
                        ('substitutes', models.JSONField(blank=True, default=dict)),
                    ],
                    options={
                        'ordering': ['number'],
                        'constraints': [models.UniqueConstraint(fields=('table', 'number'), name='one_spell_a_number'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='spells_count_from_one')],
                    },
                ),
                migrations.CreateModel(
                    name='RubberHand',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hands', to='rubbers.rubbertable')),
                        ('spell', models.PositiveSmallIntegerField()),
                        ('number', models.PositiveSmallIntegerField()),
                        ('told', models.JSONField(blank=True, default=dict)),
                    ],
                    options={
                        'ordering': ['spell', 'number'],
                        'constraints': [models.UniqueConstraint(fields=('table', 'spell', 'number'), name='one_hand_a_spell_and_number'), models.CheckConstraint(condition=models.Q(('number__gte', 1), ('spell__gte', 1)), name='rubber_hands_count_from_one')],
                    },
                ),
                migrations.CreateModel(
                    name='HandVersion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('entered_by', models.CharField(max_length=150)),
                        ('entered_at', models.DateTimeField()),
                        ('way', models.CharField(max_length=20)),
                        ('key', models.CharField(blank=True, max_length=40)),
                        ('hand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='rubbers.rubberhand')),
                        ('told', models.JSONField(blank=True, default=dict)),
                        ('reason', models.CharField(blank=True, max_length=200)),
                    ],
                    options={
                        'ordering': ['id'],
                        'abstract': False,
                    },
                ),
            ],
        ),
    ]
