"""Add trumps and points to results, further terms, and stages with finals, brackets and prizes.

Terms of events that exist keep placing unequal numbers of boards by whole scores, because a
published rank stays as it was.

Lock: ACCESS EXCLUSIVE on results, their versions, records of play, standings, rankings, terms
and papers to the end of the migration. The new columns may be empty or have a constant default
of the database; the checks read each result twice, 0.7 s each for 1,000,000.
"""

import django.db.models.deletion
import server.migration_operations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0001_initial'),
    ]

    operations = [
        server.migration_operations.LockTables(),
        migrations.RemoveConstraint(
            model_name='result',
            name='tricks_only_when_played',
        ),
        migrations.RemoveConstraint(
            model_name='resultversion',
            name='version_tricks_only_when_played',
        ),
        migrations.AddField(
            model_name='paper',
            name='bytes',
            field=models.BigIntegerField(db_default=0, default=0, help_text='size of the file in bytes (0 if unknown)'),
        ),
        migrations.AddField(
            model_name='playrecord',
            name='declared',
            field=models.CharField(blank=True, db_default='', default='', max_length=1),
        ),
        migrations.AddField(
            model_name='playrecord',
            name='section',
            field=models.CharField(blank=True, db_default='', default='', max_length=2),
        ),
        migrations.AddField(
            model_name='ranking',
            name='public',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='ranking',
            name='public_version',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='result',
            name='ew_points',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='result',
            name='ns_points',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='result',
            name='trump',
            field=models.CharField(blank=True, db_default='', default='', max_length=3),
        ),
        migrations.AddField(
            model_name='resultversion',
            name='ew_points',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='resultversion',
            name='ns_points',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='resultversion',
            name='trump',
            field=models.CharField(blank=True, db_default='', default='', max_length=3),
        ),
        migrations.AddField(
            model_name='standing',
            name='a_board',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.AddField(
            model_name='standing',
            name='corrected',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.AddField(
            model_name='terms',
            name='by_corrected',
            field=models.BooleanField(db_default=False, default=False, verbose_name='the corrected total decides'),
        ),
        migrations.AddField(
            model_name='terms',
            name='totals_grow',
            field=models.CharField(choices=[('rounds', "after each table’s round"), ('results', 'after every score (reveals single scores)')], db_default='rounds', default='rounds', max_length=20, verbose_name='standings during play update'),
        ),
        migrations.AddField(
            model_name='terms',
            name='unequal_boards',
            field=models.CharField(choices=[('per_board', 'score per board'), ('sums', 'total score')], default='sums', max_length=20, verbose_name='unequal boards'),
        ),
        migrations.AlterField(
            model_name='terms',
            name='unequal_boards',
            field=models.CharField(choices=[('per_board', 'score per board'), ('sums', 'total score')], db_default='per_board', default='per_board', max_length=20, verbose_name='unequal boards'),
        ),
        migrations.AlterField(
            model_name='playrecord',
            name='turn_up',
            field=models.CharField(blank=True, max_length=2),
        ),
        migrations.AddConstraint(
            model_name='playrecord',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(models.Q(('turn_up', ''), _negated=True), ('declared', '')), models.Q(('declared__in', ['S', 'H', 'D', 'C']), ('turn_up', '')), _connector='OR'), name='a_play_has_one_way_of_trumps'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ew_points__isnull', True), ('ns_points__isnull', True), ('ns_tricks__isnull', False), ('ns_tricks__range', (0, 13)), ('outcome', 'played')), models.Q(('ew_points__isnull', False), ('ew_points__range', (0, 9999)), ('ns_points__isnull', False), ('ns_points__range', (0, 9999)), ('ns_tricks__isnull', True), ('outcome', 'played')), models.Q(models.Q(('outcome', 'played'), _negated=True), ('ew_points__isnull', True), ('ns_points__isnull', True), ('ns_tricks__isnull', True)), _connector='OR'), name='tricks_or_points_when_played'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('trump', ''), models.Q(('outcome', 'played'), ('trump__in', ['S', 'H', 'D', 'C', 'N', 'SX', 'HX', 'DX', 'CX', 'NX', 'SXX', 'HXX', 'DXX', 'CXX', 'NXX'])), _connector='OR'), name='trump_is_declared_on_a_board_played'),
        ),
        migrations.AddConstraint(
            model_name='resultversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ew_points__isnull', True), ('ns_points__isnull', True), ('ns_tricks__isnull', False), ('ns_tricks__range', (0, 13)), ('outcome', 'played')), models.Q(('ew_points__isnull', False), ('ew_points__range', (0, 9999)), ('ns_points__isnull', False), ('ns_points__range', (0, 9999)), ('ns_tricks__isnull', True), ('outcome', 'played')), models.Q(models.Q(('outcome', 'played'), _negated=True), ('ew_points__isnull', True), ('ns_points__isnull', True), ('ns_tricks__isnull', True)), _connector='OR'), name='version_tricks_or_points_when_played'),
        ),
        migrations.AddConstraint(
            model_name='terms',
            constraint=models.CheckConstraint(condition=models.Q(('unequal_boards__in', ['per_board', 'sums'])), name='terms_place_unequal_boards_in_a_known_way'),
        ),
        migrations.AddConstraint(
            model_name='terms',
            constraint=models.CheckConstraint(condition=models.Q(('totals_grow__in', ['rounds', 'results'])), name='terms_let_totals_grow_in_a_known_way'),
        ),
        server.migration_operations.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Stage',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='stage', to='tournaments.event')),
                        ('rule', models.JSONField()),
                        ('drawn_at', models.DateTimeField(blank=True, null=True)),
                        ('drawn', models.JSONField(blank=True, default=list)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('drawn', []), ('drawn_at__isnull', True)), ('drawn_at__isnull', False), _connector='OR'), name='a_stage_drawn_says_who_goes_on')],
                    },
                ),
                migrations.CreateModel(
                    name='Final',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='finals', to='scoring.stage')),
                        ('order', models.PositiveSmallIntegerField()),
                        ('name', models.CharField(max_length=40)),
                        ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='final', to='tournaments.event')),
                        ('brought', models.JSONField(blank=True, default=dict)),
                        ('told', models.JSONField(blank=True, default=list)),
                    ],
                    options={
                        'ordering': ['order'],
                        'constraints': [models.UniqueConstraint(fields=('stage', 'order'), name='one_final_an_order'), models.UniqueConstraint(fields=('stage', 'name'), name='one_final_a_name'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='final_has_a_name')],
                    },
                ),
                migrations.CreateModel(
                    name='Knockout',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='knockout', to='tournaments.event')),
                        ('seeds', models.JSONField()),
                        ('segments', models.PositiveSmallIntegerField(default=1)),
                        ('seed_wins', models.BooleanField(default=False)),
                        ('three_way', models.BooleanField(default=False)),
                        ('matches', models.JSONField(blank=True, default=dict)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('segments__range', (1, 8))), name='match_has_sensible_segments')],
                    },
                ),
                migrations.CreateModel(
                    name='Strata',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='strata', to='tournaments.event')),
                        ('rule', models.CharField(choices=[('higher', 'the higher rating of its members'), ('lower', 'the lower rating of its members'), ('mean', 'the mean rating of its members'), ('hand', 'set by the director')], default='hand', max_length=10)),
                        ('lines', models.JSONField()),
                    ],
                    options={
                        'verbose_name_plural': 'strata',
                        'constraints': [models.CheckConstraint(condition=models.Q(('rule__in', ['higher', 'lower', 'mean', 'hand'])), name='strata_have_a_known_rule')],
                    },
                ),
                migrations.CreateModel(
                    name='EntryProfile',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('entry', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='profile', to='tournaments.entry')),
                        ('seed', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('ratings', models.JSONField(blank=True, default=list)),
                        ('stratum', models.CharField(blank=True, max_length=20)),
                        ('tags', models.JSONField(blank=True, default=list)),
                    ],
                ),
                migrations.CreateModel(
                    name='EventPrize',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='prizes', to='tournaments.event')),
                        ('order', models.PositiveSmallIntegerField()),
                        ('name', models.CharField(max_length=80)),
                        ('listed', models.CharField(default='all', max_length=40)),
                        ('place', models.PositiveSmallIntegerField(default=1)),
                        ('kind', models.CharField(choices=[('money', 'money'), ('honour', 'trophy')], default='honour', max_length=10)),
                        ('value', models.PositiveIntegerField(default=0)),
                    ],
                    options={
                        'ordering': ['order'],
                        'constraints': [models.UniqueConstraint(fields=('event', 'order'), name='one_prize_an_order'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='prize_has_a_name'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'money'), ('value__gte', 1)), models.Q(('kind', 'honour'), ('value', 0)), _connector='OR'), name='prize_of_money_is_worth_some'), models.CheckConstraint(condition=models.Q(('place__gte', 1)), name='prize_is_for_a_place')],
                    },
                ),
            ],
        ),
        migrations.AlterField(
            model_name='ruling',
            name='kind',
            field=models.CharField(choices=[('revoke', 'revoke'), ('average', 'average'), ('new_deal', 'new deal'), ('fouled', 'fouled from here on'), ('adjusted', 'adjusted score'), ('penalty', 'penalty'), ('noted', 'corrected at the table')], max_length=10),
        ),
        migrations.AlterField(
            model_name='terms',
            name='revokes_read',
            field=models.CharField(choices=[('keep_tricks_above_average', 'kept, even above the average'), ('never_above_average', 'kept up to the average')], default='keep_tricks_above_average', max_length=30, verbose_name='tricks won before a revoke'),
        ),
    ]
