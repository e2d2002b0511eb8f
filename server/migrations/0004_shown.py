"""Keep one number for each thing that public pages show, raised by whatever alters them.

Lock: none; a new table, which nothing else refers to. Pages of the version before do not raise
the numbers: until the last of them has gone, the new ones may show standings up to ten minutes
old while they hear of numbers, so old and new pages do not listen at the same time (see
`server.listening`, which waits for one version).
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('server', '0003_installed'),
    ]

    operations = [
        migrations.CreateModel(
            name='Shown',
            fields=[
                ('about', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('no', models.BigIntegerField()),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('no__gt', 0)), name='shown_number_is_positive')],
            },
        ),
    ]
