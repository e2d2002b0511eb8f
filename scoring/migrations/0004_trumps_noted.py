"""Let results and records of play hold the trumps that a table declared.

Lock: ACCESS EXCLUSIVE on results, their versions and records of play, 20 ms each for 1,000,000
results: constant defaults.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0003_section_of_a_play'),
    ]

    operations = [
        migrations.AddField(
            model_name='playrecord',
            name='declared',
            field=models.CharField(blank=True, max_length=1),
        ),
        migrations.AddField(
            model_name='result',
            name='trump',
            field=models.CharField(blank=True, max_length=1),
        ),
        migrations.AddField(
            model_name='resultversion',
            name='trump',
            field=models.CharField(blank=True, max_length=1),
        ),
        migrations.AlterField(
            model_name='playrecord',
            name='turn_up',
            field=models.CharField(blank=True, max_length=2),
        ),
    ]
