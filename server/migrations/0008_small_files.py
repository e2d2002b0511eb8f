"""Keep papers in the database of a server, where every machine that shows pages has them.

Lock: none; a new table, which nothing else refers to. Papers that lie in a folder stay there and
are still found.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('server', '0007_club_work'),
    ]

    operations = [
        migrations.CreateModel(
            name='Blob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, unique=True)),
                ('content', models.BinaryField()),
                ('made_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
    ]
