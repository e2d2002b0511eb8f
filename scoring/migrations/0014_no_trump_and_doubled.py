"""Let a table declare no trump in points, and record that a declaration was doubled.

Lock: short. The columns grow from one to three characters, which rewrites no row; the new
constraint reads the results once.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0013_three_way_brackets'),
        ('tournaments', '0007_stamps_of_sections'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='result',
            name='trump_is_a_suit_of_a_board_played',
        ),
        migrations.AlterField(
            model_name='result',
            name='trump',
            field=models.CharField(blank=True, db_default='', default='', max_length=3),
        ),
        migrations.AlterField(
            model_name='resultversion',
            name='trump',
            field=models.CharField(blank=True, db_default='', default='', max_length=3),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('trump', ''), models.Q(('outcome', 'played'), ('trump__in', ['S', 'H', 'D', 'C', 'N', 'SX', 'HX', 'DX', 'CX', 'NX', 'SXX', 'HXX', 'DXX', 'CXX', 'NXX'])), _connector='OR'), name='trump_is_declared_on_a_board_played'),
        ),
    ]
