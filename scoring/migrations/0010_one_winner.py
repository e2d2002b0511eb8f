"""Rank the pairs of a movement that changes sides for one winner in one field.

They were ranked as two fields, N-S and E-W by where they began. Evenings that are closed stay
as they were published.

Lock: none that anybody waits for; it touches the seats of evenings that are not over.
"""

from django.db import migrations
from django.db.models import F, Q


def one_field(apps, schema_editor):
    there = schema_editor.connection.alias  # an upgrade is tried with a copy first
    Section, Place, Session = (
        apps.get_model("tournaments", name).objects.using(there)
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

    dependencies = [
        ('scoring', '0009_stages'),
        ('tournaments', '0005_counts_points'),
    ]

    operations = [
        migrations.RunPython(one_field, migrations.RunPython.noop),
    ]
