"""Keep which versions have brought the database up to date, and the shape that each left.

Lock: none; a new table, which nothing else refers to.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('server', '0002_jobs'),
    ]

    operations = [
        migrations.CreateModel(
            name='Installed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.CharField(max_length=20)),
                ('shape', models.CharField(max_length=64)),
                ('at', models.DateTimeField()),
                ('by', models.CharField(max_length=100)),
            ],
        ),
    ]
