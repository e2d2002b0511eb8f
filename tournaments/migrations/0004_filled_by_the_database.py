"""Let the database fill what a page of the version before leaves out when it adds events and sittings.

Two machines that show pages are brought up to date one after the other; until the second is,
it adds rows without the columns that are new.

Lock: ACCESS EXCLUSIVE, a moment for each column: only its default changes, no row is rewritten.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0003_stray_boards'),
    ]

    operations = [
        migrations.AlterField(
            model_name='event',
            name='trumps',
            field=models.CharField(choices=[('turned', 'a card is turned up'), ('declared', 'declared at the table for each board'), ('S', 'spades on every board'), ('H', 'hearts on every board'), ('D', 'diamonds on every board'), ('C', 'clubs on every board')], db_default='turned', default='turned', max_length=8, verbose_name='trumps'),
        ),
        migrations.AlterField(
            model_name='sitting',
            name='strays',
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]
