"""Let an event count points in place of tricks; those that are here count tricks.

Lock: ACCESS EXCLUSIVE on events, a moment for an empty column, and while the check reads one row
an event: none holds results.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0010_filled_by_the_database'),
        ('tournaments', '0004_filled_by_the_database'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='most_points',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='points that a side can win on a board'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('most_points__isnull', True), ('most_points__range', (1, 9999)), _connector='OR'), name='event_limits_its_points'),
        ),
    ]
