"""Let an event be ranked by totals corrected for the opponents that were met.

Lock: ACCESS EXCLUSIVE on the terms of events, a moment; the columns have constant defaults of the
database, so pages of the version before go on.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0005_trumps_are_suits'),
    ]

    operations = [
        migrations.AddField(
            model_name='standing',
            name='corrected',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.AddField(
            model_name='terms',
            name='by_corrected',
            field=models.BooleanField(db_default=False, default=False, verbose_name='the corrected total decides'),
        ),
    ]
