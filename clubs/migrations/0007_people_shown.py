"""Keep names in plain letters for lists, links of people, and who was forgotten.

Lock: ACCESS EXCLUSIVE on players, a moment for each column, which may be empty or has a constant
default of the database, so pages of the version before go on adding players; then SHARE while
the index is made.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0006_asks_factor'),
    ]

    operations = [
        migrations.CreateModel(
            name='PersonLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('salt', models.CharField(max_length=32)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='player',
            name='forgotten_on',
            field=models.DateField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='plain',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=160),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(fields=['club', 'plain'], name='players_in_order'),
        ),
        migrations.AddField(
            model_name='personlink',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='clubs.player'),
        ),
    ]
