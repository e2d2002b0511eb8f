"""Let events declare trumps or count points, and rank changing sides in one field.

Pairs of a movement that changes sides for one winner were ranked in two fields, N-S and E-W by
where they began. Events with a closed session stay as they were published.

Lock: ACCESS EXCLUSIVE on events, sections, sessions and sittings to the end of the migration,
a moment: the new columns have a constant default of the database, and the checks read one row
an event.
"""

import tournaments.models.seating
import server.migration_operations
from django.db import migrations, models
from django.db.models import F, Q


def rank_in_one_field(apps, schema_editor):
    """Empty the field of places whose section has one winner, in events without a closed session."""
    alias = schema_editor.connection.alias
    Section, Place, Session = (
        apps.get_model("tournaments", name).objects.using(alias)
        for name in ("Section", "Place", "Session")
    )
    closed = Session.filter(state="closed").values("event")
    rows = Section.filter(session__event__contest="pairs")
    sections = {
        pk: session
        for pk, session, options in rows.exclude(session__event__in=closed).values_list(
            "pk", "session", "options"
        )
        if options.get("one_winner") or options.get("switch")
    }
    changed = Place.filter(section__in=sections).filter(~Q(field=""))
    found = set(changed.values_list("section", flat=True))
    changed.update(field="")
    sessions = {sections[pk] for pk in found}
    Session.filter(pk__in=sessions).update(revision=F("revision") + 1)



class Migration(migrations.Migration):

    rewrites = {"tournaments_place.field", "tournaments_session.revision"}

    dependencies = [
        ('tournaments', '0001_initial'),
    ]

    operations = [
        server.migration_operations.LockTables(),
        migrations.AddField(
            model_name='event',
            name='most_points',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='points that a side can win on a board'),
        ),
        migrations.AddField(
            model_name='event',
            name='numbers_stand',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name='event',
            name='other_suits',
            field=models.BooleanField(db_default=False, default=False, verbose_name='second play in other suits'),
        ),
        migrations.AddField(
            model_name='event',
            name='trumps',
            field=models.CharField(choices=[('turned', 'a card is turned up'), ('declared', 'declared at the table for each board'), ('S', 'spades on every board'), ('H', 'hearts on every board'), ('D', 'diamonds on every board'), ('C', 'clubs on every board')], db_default='turned', default='turned', max_length=8, verbose_name='trumps'),
        ),
        migrations.AddField(
            model_name='section',
            name='stamp',
            field=models.BigIntegerField(db_default=0, default=tournaments.models.seating.generate_stamp, editable=False),
        ),
        migrations.AddField(
            model_name='session',
            name='stamped',
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name='sitting',
            name='strays',
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('trumps__in', ['turned', 'declared', 'S', 'H', 'D', 'C'])), name='event_says_what_is_trumps'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('most_points__isnull', True), ('most_points__range', (1, 9999)), _connector='OR'), name='event_limits_its_points'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('other_suits', False), models.Q(('contest', 'memory'), models.Q(('trumps', 'declared'), _negated=True)), _connector='OR'), name='other_suits_in_memory_duplicate'),
        ),
        migrations.RunPython(rank_in_one_field, migrations.RunPython.noop),
    ]
