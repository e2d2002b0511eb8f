"""Let whist drives and rubber nights be received as well as events and seasons.

Lock: the table of documents received is read once while its new rule is checked; it has a row
a document.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0010_filled_by_the_database'),
        ('seasons', '0009_grade_history'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='received',
            name='received_kind_is_known',
        ),
        migrations.AddConstraint(
            model_name='received',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['event', 'season', 'drive'])), name='received_kind_is_known'),
        ),
    ]
