"""Let a club ask all its logins for a second factor.

Lock: ACCESS EXCLUSIVE on clubs, a moment; the constant default stays in the database, so pages
of the version before go on making clubs.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0005_people'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='asks_factor',
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
