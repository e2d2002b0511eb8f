"""Let a record of play say in which of several sections it was played.

Lock: ACCESS EXCLUSIVE on records of play, a moment for a constant default; they hold no results.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0002_what_everybody_sees'),
    ]

    operations = [
        migrations.AddField(
            model_name='playrecord',
            name='section',
            field=models.CharField(blank=True, max_length=2),
        ),
    ]
