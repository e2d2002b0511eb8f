"""Let evenings from elsewhere be rubber nights.

Lock: ACCESS EXCLUSIVE on evenings from elsewhere while its rows are read once.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('seasons', '0007_handicaps'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='eveningelsewhere',
            name='evening_elsewhere_contest_is_known',
        ),
        migrations.AddConstraint(
            model_name='eveningelsewhere',
            constraint=models.CheckConstraint(condition=models.Q(('contest__in', ['pairs', 'individual', 'teams', 'memory', 'drive', 'rubbers'])), name='evening_elsewhere_contest_is_known'),
        ),
    ]
