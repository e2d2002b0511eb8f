"""Let the database fill what a page of the version before leaves out when it adds results, records of play, rankings and terms.

Two machines that show pages are brought up to date one after the other; until the second is,
it adds rows without the columns that are new.

Lock: ACCESS EXCLUSIVE, a moment for each column: only its default changes, no row is rewritten.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0006_corrected_totals'),
    ]

    operations = [
        migrations.AlterField(
            model_name='playrecord',
            name='declared',
            field=models.CharField(blank=True, db_default='', default='', max_length=1),
        ),
        migrations.AlterField(
            model_name='playrecord',
            name='section',
            field=models.CharField(blank=True, db_default='', default='', max_length=2),
        ),
        migrations.AlterField(
            model_name='ranking',
            name='public_version',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(
            model_name='result',
            name='trump',
            field=models.CharField(blank=True, db_default='', default='', max_length=1),
        ),
        migrations.AlterField(
            model_name='resultversion',
            name='trump',
            field=models.CharField(blank=True, db_default='', default='', max_length=1),
        ),
        migrations.AlterField(
            model_name='standing',
            name='a_board',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.AlterField(
            model_name='terms',
            name='totals_grow',
            field=models.CharField(choices=[('rounds', 'with each round that a table has finished'), ('results', 'with every result, which can then be told from them')], db_default='rounds', default='rounds', max_length=20, verbose_name='standings during play grow'),
        ),
        migrations.AlterField(
            model_name='terms',
            name='unequal_boards',
            field=models.CharField(choices=[('per_board', 'by their score a board'), ('sums', 'by their whole score')], db_default='per_board', default='per_board', max_length=20, verbose_name='who played unequal numbers of boards'),
        ),
    ]
