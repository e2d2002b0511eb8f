"""A copy of an evening to practise with, scored as the real one, and how it is thrown away."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from scoring.models import Paper, PlayRecord, Result, Ruling, Terms
from tournaments.errors import NotNow
from tournaments.models import Event, Session
from tournaments.services.groundwork import copying


@transaction.atomic
def copy_session(*, session: Session, name: str, by: Actor) -> Session:
    """Copy an evening with its people, seats and terms into a rehearsal; no boards or scores.

    Raises NotNow before a movement says who sits where.
    """
    terms = Terms.objects.get(event=session.event_id)
    made = copying.copy_session(session=session, name=name, by=by)
    terms.pk, terms._state.adding, terms.event = None, True, made.event
    terms.save()
    return made


@transaction.atomic
def throw_away(*, event: Event, strangers: Sequence[str], by: Actor) -> None:
    """Delete a rehearsal with its results, rulings, papers and boards.

    `strangers` are players whom it has made up; one who is entered anywhere else stays.
    Raises NotNow for a real event.
    """
    if not event.is_rehearsal:
        raise NotNow(_("This is a real event. It is never deleted."))
    Ruling.objects.filter(session__event=event).delete()
    Result.objects.filter(sitting__section__session__event=event).delete()
    PlayRecord.objects.filter(session__event=event).delete()
    files = [each.file for each in Paper.objects.filter(session__event=event) if each.file]
    copying.throw_away(event=event, strangers=strangers, by=by)
    for file in files:
        transaction.on_commit(partial(file.storage.delete, file.name or ""), robust=True)
