"""Let three meet in a match of a bracket's first round; brackets that are laid have byes.

Lock: none that anybody waits for; it adds a column with a default to a small table.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0012_paper_bytes'),
    ]

    operations = [
        migrations.AddField(
            model_name='knockout',
            name='three_way',
            field=models.BooleanField(default=False),
        ),
    ]
