"""Let an event say what is trumps; those that are here turn a card up.

Lock: ACCESS EXCLUSIVE on events, a moment for a constant default, and while the check reads one
row an event: none holds results.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='trumps',
            field=models.CharField(choices=[('turned', 'a card is turned up'), ('declared', 'declared at the table for each board'), ('S', 'spades on every board'), ('H', 'hearts on every board'), ('D', 'diamonds on every board'), ('C', 'clubs on every board')], default='turned', max_length=8, verbose_name='trumps'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('trumps__in', ['turned', 'declared', 'S', 'H', 'D', 'C'])), name='event_says_what_is_trumps'),
        ),
    ]
