"""Let an event go on in finals and in a knock-out, and have seeds, strata, tags and prizes.

Lock: none on tables that stand; new tables only.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0008_results_in_points'),
        ('tournaments', '0004_filled_by_the_database'),
    ]

    operations = [
        migrations.CreateModel(
            name='EntryProfile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seed', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('ratings', models.JSONField(blank=True, default=list)),
                ('stratum', models.CharField(blank=True, max_length=20)),
                ('tags', models.JSONField(blank=True, default=list)),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='profile', to='tournaments.entry')),
            ],
        ),
        migrations.CreateModel(
            name='Stage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rule', models.JSONField()),
                ('drawn_at', models.DateTimeField(blank=True, null=True)),
                ('drawn', models.JSONField(blank=True, default=list)),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='stage', to='tournaments.event')),
            ],
        ),
        migrations.CreateModel(
            name='Final',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=40)),
                ('brought', models.JSONField(blank=True, default=dict)),
                ('told', models.JSONField(blank=True, default=list)),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='final', to='tournaments.event')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='finals', to='scoring.stage')),
            ],
            options={
                'ordering': ['order'],
            },
        ),
        migrations.CreateModel(
            name='Strata',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rule', models.CharField(choices=[('higher', 'the higher rating of its members'), ('lower', 'the lower rating of its members'), ('mean', 'the mean rating of its members'), ('hand', 'the director, for each by hand')], default='hand', max_length=10)),
                ('lines', models.JSONField()),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='strata', to='tournaments.event')),
            ],
            options={
                'verbose_name_plural': 'strata',
            },
        ),
        migrations.CreateModel(
            name='EventPrize',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=80)),
                ('listed', models.CharField(default='all', max_length=40)),
                ('place', models.PositiveSmallIntegerField(default=1)),
                ('kind', models.CharField(choices=[('money', 'money'), ('honour', 'honour')], default='honour', max_length=10)),
                ('value', models.PositiveIntegerField(default=0)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='prizes', to='tournaments.event')),
            ],
            options={
                'ordering': ['order'],
                'constraints': [models.UniqueConstraint(fields=('event', 'order'), name='one_prize_an_order'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='prize_has_a_name'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'money'), ('value__gte', 1)), models.Q(('kind', 'honour'), ('value', 0)), _connector='OR'), name='prize_of_money_is_worth_some'), models.CheckConstraint(condition=models.Q(('place__gte', 1)), name='prize_is_for_a_place')],
            },
        ),
        migrations.CreateModel(
            name='Knockout',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seeds', models.JSONField()),
                ('segments', models.PositiveSmallIntegerField(default=1)),
                ('seed_wins', models.BooleanField(default=False)),
                ('matches', models.JSONField(blank=True, default=dict)),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='knockout', to='tournaments.event')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('segments__range', (1, 8))), name='match_has_sensible_segments')],
            },
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('drawn', []), ('drawn_at__isnull', True)), ('drawn_at__isnull', False), _connector='OR'), name='a_stage_drawn_says_who_goes_on'),
        ),
        migrations.AddConstraint(
            model_name='final',
            constraint=models.UniqueConstraint(fields=('stage', 'order'), name='one_final_an_order'),
        ),
        migrations.AddConstraint(
            model_name='final',
            constraint=models.UniqueConstraint(fields=('stage', 'name'), name='one_final_a_name'),
        ),
        migrations.AddConstraint(
            model_name='final',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='final_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='strata',
            constraint=models.CheckConstraint(condition=models.Q(('rule__in', ['higher', 'lower', 'mean', 'hand'])), name='strata_have_a_known_rule'),
        ),
    ]
