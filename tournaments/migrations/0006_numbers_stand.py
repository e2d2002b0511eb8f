"""Let an event say that its entries' numbers stand, because something names entries by them.

Lock: ACCESS EXCLUSIVE on events, a moment for a column that the database fills.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0005_counts_points'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='numbers_stand',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
