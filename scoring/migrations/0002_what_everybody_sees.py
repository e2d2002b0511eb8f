"""Let totals grow by whole rounds, and let terms say what unequal boards are placed by.

Events that are here already keep their whole scores, for a rank that was told stays as it was.
Lock: ACCESS EXCLUSIVE on rankings, standings and terms, a moment each for constant defaults and
nullable columns; the two checks read the terms, one row an event: none holds results.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='ranking',
            name='public',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='ranking',
            name='public_version',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='standing',
            name='a_board',
            field=models.CharField(blank=True, default='', max_length=40),
        ),
        migrations.AddField(
            model_name='terms',
            name='totals_grow',
            field=models.CharField(choices=[('rounds', 'with each round that a table has finished'), ('results', 'with every result, which can then be told from them')], default='rounds', max_length=20, verbose_name='standings during play grow'),
        ),
        migrations.AddField(
            model_name='terms',
            name='unequal_boards',
            field=models.CharField(choices=[('per_board', 'by their score a board'), ('sums', 'by their whole score')], default='sums', max_length=20, verbose_name='who played unequal numbers of boards'),
        ),
        migrations.AlterField(
            model_name='terms',
            name='unequal_boards',
            field=models.CharField(choices=[('per_board', 'by their score a board'), ('sums', 'by their whole score')], default='per_board', max_length=20, verbose_name='who played unequal numbers of boards'),
        ),
        migrations.AddConstraint(
            model_name='terms',
            constraint=models.CheckConstraint(condition=models.Q(('unequal_boards__in', ['per_board', 'sums'])), name='terms_place_unequal_boards_in_a_known_way'),
        ),
        migrations.AddConstraint(
            model_name='terms',
            constraint=models.CheckConstraint(condition=models.Q(('totals_grow__in', ['rounds', 'results'])), name='terms_let_totals_grow_in_a_known_way'),
        ),
    ]
