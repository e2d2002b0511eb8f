"""Let a club have trophies, and engrave names on them.

Lock: none that anybody waits for; every table is new, and pages of the version before know
nothing of them.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0006_asks_factor'),
        ('seasons', '0002_files_and_publishing'),
    ]

    operations = [
        migrations.CreateModel(
            name='Trophy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('ladder', models.SlugField(blank=True, default='', max_length=60)),
                ('order', models.PositiveSmallIntegerField(default=1)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trophies', to='clubs.club')),
                ('not_with', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='seasons.trophy')),
            ],
            options={
                'verbose_name_plural': 'trophies',
                'ordering': ['order', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Engraving',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.CharField(max_length=20, verbose_name='year')),
                ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='engravings', to='seasons.season')),
                ('trophy', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='engravings', to='seasons.trophy')),
            ],
            options={
                'ordering': ['-year', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='EngravedName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order', models.PositiveSmallIntegerField()),
                ('name', models.CharField(blank=True, default='', max_length=100)),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='engraved', to='clubs.player')),
                ('engraving', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='names', to='seasons.engraving')),
            ],
            options={
                'ordering': ['order'],
                'constraints': [models.UniqueConstraint(fields=('engraving', 'order'), name='one_engraved_name_an_order'), models.CheckConstraint(condition=models.Q(models.Q(('name', ''), ('player__isnull', False)), models.Q(('player__isnull', True), models.Q(('name', ''), _negated=True)), _connector='OR'), name='an_engraved_name_is_somebody_or_text')],
            },
        ),
        migrations.AddConstraint(
            model_name='trophy',
            constraint=models.UniqueConstraint(fields=('club', 'name'), name='one_trophy_a_club_and_name'),
        ),
        migrations.AddConstraint(
            model_name='trophy',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='trophy_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='engraving',
            constraint=models.UniqueConstraint(fields=('trophy', 'year'), name='one_engraving_a_year'),
        ),
        migrations.AddConstraint(
            model_name='engraving',
            constraint=models.CheckConstraint(condition=models.Q(('year', ''), _negated=True), name='engraving_has_a_year'),
        ),
    ]
