"""Let a result be the points that each side won, where its event counts points.

Lock: ACCESS EXCLUSIVE on results and their versions while the new checks read every row once; the
columns are empty. The version before goes on: what it writes has tricks, and passes.
"""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0007_filled_by_the_database'),
        ('tournaments', '0005_counts_points'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='result',
            name='tricks_only_when_played',
        ),
        migrations.RemoveConstraint(
            model_name='resultversion',
            name='version_tricks_only_when_played',
        ),
        migrations.AddField(
            model_name='result',
            name='ew_points',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='result',
            name='ns_points',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='resultversion',
            name='ew_points',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='resultversion',
            name='ns_points',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ew_points__isnull', True), ('ns_points__isnull', True), ('ns_tricks__isnull', False), ('ns_tricks__range', (0, 13)), ('outcome', 'played')), models.Q(('ew_points__isnull', False), ('ew_points__range', (0, 9999)), ('ns_points__isnull', False), ('ns_points__range', (0, 9999)), ('ns_tricks__isnull', True), ('outcome', 'played')), models.Q(models.Q(('outcome', 'played'), _negated=True), ('ew_points__isnull', True), ('ns_points__isnull', True), ('ns_tricks__isnull', True)), _connector='OR'), name='tricks_or_points_when_played'),
        ),
        migrations.AddConstraint(
            model_name='resultversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ew_points__isnull', True), ('ns_points__isnull', True), ('ns_tricks__isnull', False), ('ns_tricks__range', (0, 13)), ('outcome', 'played')), models.Q(('ew_points__isnull', False), ('ew_points__range', (0, 9999)), ('ns_points__isnull', False), ('ns_points__range', (0, 9999)), ('ns_tricks__isnull', True), ('outcome', 'played')), models.Q(models.Q(('outcome', 'played'), _negated=True), ('ew_points__isnull', True), ('ns_points__isnull', True), ('ns_tricks__isnull', True)), _connector='OR'), name='version_tricks_or_points_when_played'),
        ),
    ]
