import django.db.models.deletion
import printing.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('clubs', '0001_initial'),
        ('server', '__first__'),
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Ranking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=0)),
                ('revision', models.PositiveIntegerField(default=0)),
                ('complete', models.BooleanField(default=False)),
                ('missing', models.PositiveIntegerField(default=0)),
                ('provisional', models.PositiveIntegerField(default=0)),
                ('computed_at', models.DateTimeField(blank=True, null=True)),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='ranking', to='tournaments.event')),
            ],
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board', models.PositiveSmallIntegerField()),
                ('deal', models.PositiveSmallIntegerField(default=1)),
                ('outcome', models.CharField(choices=[('played', 'played'), ('not_played', 'not played'), ('cleared', 'cleared')], default='played', max_length=10)),
                ('ns_tricks', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('doubt', models.CharField(blank=True, choices=[('', 'none'), ('queried', 'queried'), ('kept', 'queried and kept')], default='', max_length=10)),
                ('agreement', models.CharField(blank=True, choices=[('', 'not asked for'), ('awaited', 'not confirmed yet'), ('given', 'confirmed by the other side')], default='', max_length=10)),
                ('sitting', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='tournaments.sitting')),
            ],
        ),
        migrations.CreateModel(
            name='ResultVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('outcome', models.CharField(choices=[('played', 'played'), ('not_played', 'not played'), ('cleared', 'cleared')], max_length=10)),
                ('ns_tricks', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('by', models.CharField(max_length=150)),
                ('at', models.DateTimeField()),
                ('via', models.CharField(choices=[('grid', 'score grid'), ('api', 'API'), ('file', 'event file'), ('demo', 'demo'), ('phone', 'phone at the table'), ('undo', 'undo'), ('rehearsal', 'rehearsal')], max_length=10)),
                ('key', models.CharField(blank=True, max_length=40)),
                ('result', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='scoring.result')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Ruling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('revoke', 'revoke'), ('average', 'average'), ('new_deal', 'new deal'), ('fouled', 'fouled from here on'), ('adjusted', 'adjusted score'), ('penalty', 'penalty'), ('noted', 'put right at the table')], max_length=10)),
                ('side', models.CharField(blank=True, choices=[('NS', 'N-S'), ('EW', 'E-W')], max_length=2)),
                ('revokes', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('won_before', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('full', models.BooleanField(default=False)),
                ('ns_tricks', models.CharField(blank=True, max_length=20)),
                ('ew_tricks', models.CharField(blank=True, max_length=20)),
                ('amount', models.CharField(blank=True, max_length=20)),
                ('trump_recorded', models.CharField(blank=True, max_length=2)),
                ('trump_turned', models.CharField(blank=True, max_length=2)),
                ('law', models.CharField(blank=True, max_length=20)),
                ('situation', models.CharField(blank=True, max_length=6)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('made_by', models.CharField(max_length=150)),
                ('made_at', models.DateTimeField()),
                ('withdrawn_by', models.CharField(blank=True, max_length=150)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='tournaments.entry')),
                ('result', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='scoring.result')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='tournaments.session')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('section', models.CharField(max_length=2)),
                ('field', models.CharField(blank=True, max_length=2)),
                ('average', models.CharField(blank=True, max_length=40)),
                ('label', models.CharField(max_length=8)),
                ('rank', models.PositiveIntegerField()),
                ('tied', models.BooleanField(default=False)),
                ('score', models.CharField(max_length=40)),
                ('percent', models.CharField(blank=True, max_length=40)),
                ('tricks', models.CharField(max_length=40)),
                ('boards', models.PositiveIntegerField()),
                ('penalty', models.CharField(blank=True, max_length=40)),
                ('carried', models.CharField(blank=True, max_length=40)),
                ('broken_by', models.CharField(blank=True, max_length=20)),
                ('wins_overall', models.BooleanField(default=False)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='tournaments.entry')),
                ('ranking', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='scoring.ranking')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='StandingsVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('rows', models.JSONField(default=list)),
                ('reason', models.CharField(choices=[('closed', 'session closed'), ('board', 'board corrected'), ('penalty', 'penalty changed')], default='closed', max_length=10)),
                ('board', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('made_by', models.CharField(max_length=150)),
                ('made_at', models.DateTimeField()),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings_versions', to='tournaments.event')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Terms',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('method', models.CharField(max_length=20, verbose_name='scoring')),
                ('tie_breaks', models.JSONField(blank=True, default=list, verbose_name='tie-breaks')),
                ('carry_over', models.CharField(default='1', max_length=20, verbose_name='carried over from earlier sessions')),
                ('revokes_read', models.CharField(choices=[('keep_tricks_above_average', 'are kept even above the average'), ('never_above_average', 'are kept up to the average')], default='keep_tricks_above_average', max_length=30, verbose_name='tricks won before a revoke')),
                ('whole_averages', models.BooleanField(default=False, verbose_name='averages to the nearest whole trick')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='terms', to='tournaments.event')),
            ],
            options={
                'verbose_name_plural': 'terms',
            },
        ),
        migrations.CreateModel(
            name='Paper',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('size', models.CharField(choices=[('A4', 'A4'), ('Letter', 'Letter')], max_length=10)),
                ('state', models.CharField(choices=[('wanted', 'waiting'), ('making', 'being made'), ('ready', 'ready'), ('failed', 'failed')], default='wanted', max_length=10)),
                ('error', models.CharField(blank=True, max_length=300)),
                ('file', models.FileField(blank=True, storage=printing.models.private_storage, upload_to='papers/')),
                ('ordered_by', models.CharField(max_length=150)),
                ('ordered_at', models.DateTimeField()),
                ('made_at', models.DateTimeField(blank=True, null=True)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='papers', to='tournaments.session')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('state', 'ready'), _negated=True), models.Q(models.Q(('file', ''), _negated=True), ('made_at__isnull', False)), _connector='OR'), name='paper_ready_has_a_file')],
            },
        ),
        migrations.CreateModel(
            name='PlayRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('round', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('table', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('title', models.CharField(blank=True, max_length=200)),
                ('north', models.CharField(blank=True, max_length=100)),
                ('east', models.CharField(blank=True, max_length=100)),
                ('south', models.CharField(blank=True, max_length=100)),
                ('west', models.CharField(blank=True, max_length=100)),
                ('dealer', models.CharField(max_length=1)),
                ('deal', models.CharField(max_length=80)),
                ('turn_up', models.CharField(max_length=2)),
                ('cards', models.CharField(max_length=160)),
                ('best', models.JSONField(blank=True, default=list)),
                ('entered_by', models.CharField(max_length=150)),
                ('entered_at', models.DateTimeField()),
                ('is_taken_back', models.BooleanField(default=False)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='play_records', to='clubs.club')),
                ('session', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='play_records', to='tournaments.session')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('board__isnull', True), ('session__isnull', True)), models.Q(('board__gte', 1), ('session__isnull', False)), _connector='OR'), name='a_play_of_a_session_names_its_board'), models.CheckConstraint(condition=models.Q(('cards', ''), _negated=True), name='a_play_has_cards')],
            },
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('agreement__in', ['', 'awaited', 'given'])), name='agreement_is_known'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('doubt__in', ['', 'queried', 'kept'])), name='doubt_is_known'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.UniqueConstraint(fields=('sitting', 'board', 'deal'), name='one_result_a_sitting_board_and_deal'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('deal__gte', 1)), name='deals_count_from_one'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ns_tricks__range', (0, 13)), ('outcome', 'played')), models.Q(models.Q(('outcome', 'played'), _negated=True), ('ns_tricks__isnull', True)), _connector='OR'), name='tricks_only_when_played'),
        ),
        migrations.AddConstraint(
            model_name='resultversion',
            constraint=models.UniqueConstraint(fields=('result', 'number'), name='one_version_a_number'),
        ),
        migrations.AddConstraint(
            model_name='resultversion',
            constraint=models.UniqueConstraint(condition=models.Q(('key', ''), _negated=True), fields=('result', 'key'), name='one_version_a_key'),
        ),
        migrations.AddConstraint(
            model_name='resultversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ns_tricks__range', (0, 13)), ('outcome', 'played')), models.Q(models.Q(('outcome', 'played'), _negated=True), ('ns_tricks__isnull', True)), _connector='OR'), name='version_tricks_only_when_played'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['revoke', 'average', 'new_deal', 'fouled', 'adjusted', 'penalty', 'noted'])), name='ruling_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('entry__isnull', False), ('kind', 'penalty'), ('result__isnull', True)), models.Q(models.Q(('kind', 'penalty'), _negated=True), ('entry__isnull', True), ('result__isnull', False)), _connector='OR'), name='penalty_has_an_entry_and_others_a_result'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'revoke'), ('revokes__isnull', False), ('revokes__range', (1, 13)), ('side__in', ['NS', 'EW']), ('won_before__isnull', False), ('won_before__range', (0, 13))), models.Q(models.Q(('kind', 'revoke'), _negated=True), ('full', False), ('revokes__isnull', True), ('side', ''), ('won_before__isnull', True)), _connector='OR'), name='revoke_says_whose_and_how_many'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'adjusted'), models.Q(('ns_tricks', ''), _negated=True), models.Q(('ew_tricks', ''), _negated=True)), models.Q(models.Q(('kind', 'adjusted'), _negated=True), ('ew_tricks', ''), ('ns_tricks', '')), _connector='OR'), name='adjusted_says_both_sides_tricks'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'penalty'), models.Q(('amount', ''), _negated=True)), models.Q(models.Q(('kind', 'penalty'), _negated=True), ('amount', '')), _connector='OR'), name='penalty_says_how_much'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(('full', False), models.Q(('reason', ''), _negated=True), _connector='OR'), name='full_penalty_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('withdrawn_at__isnull', True), ('withdrawn_by', '')), models.Q(('withdrawn_at__gte', models.F('made_at')), ('withdrawn_at__isnull', False), models.Q(('withdrawn_by', ''), _negated=True)), _connector='OR'), name='withdrawn_says_who_and_when'),
        ),
        migrations.AddConstraint(
            model_name='standing',
            constraint=models.UniqueConstraint(fields=('ranking', 'entry'), name='one_standing_an_entry'),
        ),
        migrations.AddConstraint(
            model_name='standingsversion',
            constraint=models.UniqueConstraint(fields=('event', 'number'), name='one_standings_version_a_number'),
        ),
        migrations.AddConstraint(
            model_name='standingsversion',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='standings_versions_count_from_one'),
        ),
        migrations.AddConstraint(
            model_name='standingsversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('board__isnull', False), ('reason', 'board')), models.Q(('board__isnull', True), ('reason__in', ['closed', 'penalty'])), _connector='OR'), name='a_board_corrected_says_which'),
        ),
        migrations.AddConstraint(
            model_name='terms',
            constraint=models.CheckConstraint(condition=models.Q(('method', ''), _negated=True), name='terms_name_a_method'),
        ),
        migrations.AddConstraint(
            model_name='terms',
            constraint=models.CheckConstraint(condition=models.Q(('carry_over', ''), _negated=True), name='terms_say_what_is_carried'),
        ),
        migrations.AddConstraint(
            model_name='terms',
            constraint=models.CheckConstraint(condition=models.Q(('revokes_read__in', ['keep_tricks_above_average', 'never_above_average'])), name='terms_read_the_law_on_revokes_in_a_known_way'),
        ),
    ]
