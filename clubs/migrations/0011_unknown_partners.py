"""Allow a player to be shown as a partner who is not known yet.

Lock: the players' table is read once to check the new constraint; milliseconds for a club.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0010_filled_by_the_database'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='player',
            name='player_shown_is_known',
        ),
        migrations.AlterField(
            model_name='player',
            name='shown',
            field=models.CharField(choices=[('name', 'the name'), ('initials', 'initials only'), ('nobody', '“a player” and no name'), ('unknown', 'a partner who is not known yet')], default='name', max_length=10, verbose_name='everybody sees'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('shown__in', ['name', 'initials', 'nobody', 'unknown'])), name='player_shown_is_known'),
        ),
    ]
