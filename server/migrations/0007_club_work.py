"""Keep how many seconds each club's papers and analyses took lately, so that all get their turn.

Lock: none; a new table, which nothing else refers to. Old workers do not write to it: until the
last has gone, what they do counts as nothing.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('server', '0006_hashed_tokens'),
    ]

    operations = [
        migrations.CreateModel(
            name='ClubWork',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('club', models.BigIntegerField()),
                ('minute', models.DateTimeField()),
                ('seconds', models.FloatField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'minute'), name='one_sum_a_club_and_minute')],
            },
        ),
    ]
