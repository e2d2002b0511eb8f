"""Hold the trumps noted to be a suit of a board that was played.

Lock: ACCESS EXCLUSIVE on results while every row is read, 0.7 s for 1,000,000, and on records of
play, of which there are few.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0004_trumps_noted'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='playrecord',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(models.Q(('turn_up', ''), _negated=True), ('declared', '')), models.Q(('declared__in', ['S', 'H', 'D', 'C']), ('turn_up', '')), _connector='OR'), name='a_play_has_one_way_of_trumps'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('trump', ''), models.Q(('outcome', 'played'), ('trump__in', ['S', 'H', 'D', 'C'])), _connector='OR'), name='trump_is_a_suit_of_a_board_played'),
        ),
    ]
