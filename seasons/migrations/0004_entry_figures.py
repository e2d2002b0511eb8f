"""Keep what each evening was to its entries, so that a person's page adds up ten years at once.

Lock: none that anybody waits for; the table is new, and a worker fills it when there is time.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('seasons', '0003_trophies'),
        ('tournaments', '0003_stray_boards'),
    ]

    operations = [
        migrations.CreateModel(
            name='EntryFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('parts', models.CharField(max_length=60)),
                ('cells', models.JSONField()),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='figures', to='tournaments.entry')),
            ],
            options={
                'verbose_name_plural': 'entry figures',
                'constraints': [models.CheckConstraint(condition=models.Q(('parts', ''), _negated=True), name='entry_figures_have_parts')],
            },
        ),
    ]
