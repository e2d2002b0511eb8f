"""Add the suits of the second play in memory duplicate; existing events keep the same suits.

Lock: ACCESS EXCLUSIVE on events, a moment for a column that the database fills, and while the
check reads one row an event.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0010_filled_by_the_database'),
        ('tournaments', '0007_stamps_of_sections'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='other_suits',
            field=models.BooleanField(db_default=False, default=False, verbose_name='second play in other suits'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('other_suits', False), models.Q(('contest', 'memory'), models.Q(('trumps', 'declared'), _negated=True)), _connector='OR'), name='other_suits_in_memory_duplicate'),
        ),
    ]
