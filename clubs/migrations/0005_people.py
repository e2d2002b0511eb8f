"""Let a club keep of its people a number, what they are to it, how to reach them, and consents.

Lock: ACCESS EXCLUSIVE on players, a moment for columns that may be empty or have a constant
default of the database, so pages of the version before go on adding players; then for the
check of the kinds and the index of the numbers, which all are the default and empty.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0004_moved'),
    ]

    operations = [
        migrations.CreateModel(
            name='Consent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(choices=[('mail', 'results by e-mail'), ('contact', 'contact shown to members')], max_length=10)),
                ('given', models.BooleanField()),
                ('at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
            ],
            options={
                'ordering': ['what'],
            },
        ),
        migrations.CreateModel(
            name='TwoPeople',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ],
            options={
                'verbose_name_plural': 'two people',
            },
        ),
        migrations.AddField(
            model_name='player',
            name='email',
            field=models.EmailField(blank=True, db_default='', default='', max_length=254, verbose_name='e-mail'),
        ),
        migrations.AddField(
            model_name='player',
            name='joined',
            field=models.DateField(blank=True, null=True, verbose_name='joined'),
        ),
        migrations.AddField(
            model_name='player',
            name='kind',
            field=models.CharField(choices=[('member', 'member'), ('visitor', 'visitor'), ('past', 'past member')], db_default='member', default='member', max_length=10, verbose_name='kind'),
        ),
        migrations.AddField(
            model_name='player',
            name='left',
            field=models.DateField(blank=True, null=True, verbose_name='left'),
        ),
        migrations.AddField(
            model_name='player',
            name='number',
            field=models.CharField(blank=True, db_default='', default='', max_length=20, verbose_name='number'),
        ),
        migrations.AddField(
            model_name='player',
            name='phone',
            field=models.CharField(blank=True, db_default='', default='', max_length=40, verbose_name='telephone'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.UniqueConstraint(condition=models.Q(('number', ''), _negated=True), fields=('club', 'number'), name='one_player_a_club_and_number'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['member', 'visitor', 'past'])), name='player_kind_is_known'),
        ),
        migrations.AddField(
            model_name='consent',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='consents', to='clubs.player'),
        ),
        migrations.AddField(
            model_name='twopeople',
            name='one',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.player'),
        ),
        migrations.AddField(
            model_name='twopeople',
            name='other',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.player'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.UniqueConstraint(fields=('player', 'what'), name='one_consent_a_matter'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.CheckConstraint(condition=models.Q(('what__in', ['mail', 'contact'])), name='consent_is_to_a_known_matter'),
        ),
        migrations.AddConstraint(
            model_name='twopeople',
            constraint=models.UniqueConstraint(fields=('one', 'other'), name='two_people_said_once'),
        ),
        migrations.AddConstraint(
            model_name='twopeople',
            constraint=models.CheckConstraint(condition=models.Q(('one__lt', models.F('other'))), name='two_people_in_the_order_of_keys'),
        ),
    ]
