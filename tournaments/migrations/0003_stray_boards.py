"""Let a sitting say which single boards were played in place of its own; none did before.

Lock: ACCESS EXCLUSIVE on sittings, a moment: a constant default rewrites no row.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0002_trumps_declared'),
    ]

    operations = [
        migrations.AddField(
            model_name='sitting',
            name='strays',
            field=models.JSONField(blank=True, default=list),
        ),
    ]
