"""Write down what each evening was to grades, and what is known after each quarter.

Lock: one club's row in `seasons_gradebook` each, a table of as many rows as clubs keep grades; its
three new columns are filled by the database, and pages of the version before know nothing of them.
All other tables are new.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0010_filled_by_the_database'),
        ('seasons', '0008_rubber_nights'),
        ('tournaments', '0004_filled_by_the_database'),
    ]

    operations = [
        migrations.CreateModel(
            name='GradeCheckpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('evenings', models.PositiveIntegerField()),
                ('stamp', models.CharField(max_length=64)),
                ('is_quarter', models.BooleanField()),
                ('state', models.JSONField()),
            ],
            options={
                'ordering': ['evenings', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='GradeConstants',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cause', models.CharField(choices=[('first', 'twenty evenings are there'), ('season', 'a season is over'), ('owner', 'an owner asked for it'), ('chosen', 'an owner took them by hand')], max_length=10)),
                ('asked_by', models.CharField(blank=True, default='', max_length=200)),
                ('asked_at', models.DateTimeField(auto_now_add=True)),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('s0', models.FloatField(default=0.25)),
                ('tau', models.FloatField(default=0.05)),
                ('q', models.FloatField(default=0.07)),
                ('evenings', models.PositiveIntegerField(default=0)),
                ('gain', models.FloatField(blank=True, null=True)),
                ('stamp', models.CharField(blank=True, default='', max_length=64)),
                ('tried', models.JSONField(default=list)),
            ],
            options={
                'verbose_name_plural': 'grade constants',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='GradeEvening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stamp', models.CharField(max_length=200)),
                ('facts', models.JSONField(null=True)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='GradeStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('why', models.CharField(choices=[('played', 'played'), ('corrected', 'a result was corrected'), ('people', 'it was changed who sat there'), ('evenings', 'an earlier evening came or went'), ('constants', 'the constants were fitted again'), ('program', 'the program was renewed')], default='played', max_length=12)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('boards', models.PositiveIntegerField()),
                ('expected', models.FloatField()),
                ('expected_sd', models.FloatField(blank=True, null=True)),
                ('made', models.FloatField()),
                ('mean', models.FloatField()),
                ('sd', models.FloatField()),
                ('all_boards', models.PositiveIntegerField()),
                ('column', models.FloatField()),
                ('shown', models.FloatField(blank=True, null=True)),
                ('range', models.FloatField(blank=True, null=True)),
                ('word', models.CharField(blank=True, default='', max_length=10)),
                ('is_pair', models.BooleanField(default=False)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='HiddenGrade',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='gradebook',
            name='grades_are_seen_by_somebody_known',
        ),
        migrations.AddField(
            model_name='gradebook',
            name='because',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.event'),
        ),
        migrations.AddField(
            model_name='gradebook',
            name='mark',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=60),
        ),
        migrations.AddField(
            model_name='gradebook',
            name='why',
            field=models.CharField(blank=True, choices=[('played', 'played'), ('corrected', 'a result was corrected'), ('people', 'it was changed who sat there'), ('evenings', 'an earlier evening came or went'), ('constants', 'the constants were fitted again'), ('program', 'the program was renewed')], db_default='', default='', editable=False, max_length=12),
        ),
        migrations.AlterField(
            model_name='gradebook',
            name='seen',
            field=models.CharField(choices=[('self', 'each person alone, on their own page'), ('members', 'members, on their own pages'), ('all', "everybody, on the players' pages")], default='self', max_length=10, verbose_name='who sees them'),
        ),
        migrations.AddConstraint(
            model_name='gradebook',
            constraint=models.CheckConstraint(condition=models.Q(('seen__in', ['self', 'members', 'all'])), name='grades_are_seen_by_somebody'),
        ),
        migrations.AddField(
            model_name='gradecheckpoint',
            name='book',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='checkpoints', to='seasons.gradebook'),
        ),
        migrations.AddField(
            model_name='gradeconstants',
            name='book',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='constants', to='seasons.gradebook'),
        ),
        migrations.AddField(
            model_name='gradeevening',
            name='event',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='grade_evening', to='tournaments.event'),
        ),
        migrations.AddField(
            model_name='gradestep',
            name='because',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.event'),
        ),
        migrations.AddField(
            model_name='gradestep',
            name='book',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='seasons.gradebook'),
        ),
        migrations.AddField(
            model_name='gradestep',
            name='event',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='grade_steps', to='tournaments.event'),
        ),
        migrations.AddField(
            model_name='gradestep',
            name='partner',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='clubs.player'),
        ),
        migrations.AddField(
            model_name='gradestep',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='grade_steps', to='clubs.player'),
        ),
        migrations.AddField(
            model_name='hiddengrade',
            name='player',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='hidden_grade', to='clubs.player'),
        ),
        migrations.AddConstraint(
            model_name='gradecheckpoint',
            constraint=models.UniqueConstraint(fields=('book', 'evenings'), name='one_checkpoint_after_an_evening'),
        ),
        migrations.AddConstraint(
            model_name='gradeconstants',
            constraint=models.UniqueConstraint(condition=models.Q(('done_at__isnull', True)), fields=('book',), name='one_fit_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='gradestep',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('range__isnull', True), ('shown__isnull', True)), models.Q(('range__isnull', False), ('shown__isnull', False)), _connector='OR'), name='a_step_shown_has_a_range'),
        ),
    ]
