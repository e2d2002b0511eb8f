"""Let a club keep grades of its people, which are off until it wants them.

Lock: none that anybody waits for; both tables are new.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0008_plain_letters'),
        ('seasons', '0004_entry_figures'),
    ]

    operations = [
        migrations.CreateModel(
            name='GradeBook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seen', models.CharField(choices=[('self', 'each person alone, on the own page'), ('members', 'members, on their own pages')], default='self', max_length=10, verbose_name='who sees them')),
                ('is_on', models.BooleanField(default=True)),
                ('s0', models.FloatField(default=0.25)),
                ('tau', models.FloatField(default=0.05)),
                ('q', models.FloatField(default=0.07)),
                ('stamp', models.CharField(blank=True, default='', editable=False, max_length=64)),
                ('evenings', models.PositiveIntegerField(default=0, editable=False)),
                ('noise', models.FloatField(default=1.69, editable=False)),
                ('made_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='grade_book', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='Grade',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mean', models.FloatField()),
                ('sd', models.FloatField()),
                ('boards', models.PositiveIntegerField()),
                ('column', models.FloatField()),
                ('shown', models.FloatField(blank=True, null=True)),
                ('range', models.FloatField(blank=True, null=True)),
                ('word', models.CharField(blank=True, default='', max_length=10)),
                ('partner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.player')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='grades', to='clubs.player')),
                ('book', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='grades', to='seasons.gradebook')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='gradebook',
            constraint=models.CheckConstraint(condition=models.Q(('seen__in', ['self', 'members'])), name='grades_are_seen_by_somebody_known'),
        ),
        migrations.AddConstraint(
            model_name='grade',
            constraint=models.UniqueConstraint(fields=('book', 'player'), name='one_grade_a_player'),
        ),
        migrations.AddConstraint(
            model_name='grade',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('range__isnull', True), ('shown__isnull', True)), models.Q(('range__isnull', False), ('shown__isnull', False)), _connector='OR'), name='a_grade_shown_has_a_range'),
        ),
    ]
