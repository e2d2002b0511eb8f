"""Let a club have a short name, an accent and a logo.

Lock: ACCESS EXCLUSIVE on clubs, a moment for columns with constant defaults; the logos' table
is new.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Logo',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('image', models.BinaryField()),
            ],
        ),
        migrations.AddField(
            model_name='club',
            name='accent',
            field=models.CharField(choices=[('claret', 'claret'), ('navy', 'navy'), ('forest', 'forest'), ('plum', 'plum'), ('slate', 'slate'), ('rust', 'rust'), ('teal', 'teal'), ('gold', 'gold')], default='claret', max_length=10, verbose_name='accent'),
        ),
        migrations.AddField(
            model_name='club',
            name='logo_mark',
            field=models.CharField(blank=True, default='', editable=False, max_length=12),
        ),
        migrations.AddField(
            model_name='club',
            name='short_name',
            field=models.CharField(blank=True, default='', max_length=14, verbose_name='short name'),
        ),
        migrations.AddConstraint(
            model_name='club',
            constraint=models.CheckConstraint(condition=models.Q(('accent__in', ('claret', 'navy', 'forest', 'plum', 'slate', 'rust', 'teal', 'gold'))), name='club_accent_is_known'),
        ),
        migrations.AddField(
            model_name='logo',
            name='club',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='logo', to='clubs.club'),
        ),
    ]
