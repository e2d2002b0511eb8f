"""Services that copy an evening into a rehearsal, and delete a rehearsal."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from scoring.models import Paper, PlayRecord, Result, Ruling, Terms
from tournaments.errors import ActionUnavailable
from tournaments.models import Event, Session
from tournaments.services.groundwork import copies


@transaction.atomic
def copy_session(*, session: Session, name: str, by: Actor) -> Session:
    """Copy an evening's players, seats and terms into a rehearsal, without boards and
    scores.

    Raises ActionUnavailable if no movement is chosen yet.
    """
    terms = Terms.objects.get(event=session.event_id)
    rehearsal_session = copies.copy_session(session=session, name=name, by=by)
    terms.pk, terms._state.adding, terms.event = None, True, rehearsal_session.event
    terms.save()
    return rehearsal_session


@transaction.atomic
def delete_rehearsal(*, event: Event, rehearsal_names: Sequence[str], by: Actor) -> None:
    """Delete a rehearsal with its results, rulings, papers and boards.

    `rehearsal_names` are the players that the rehearsal created. Players who are also entered
    elsewhere are not deleted. Raises ActionUnavailable for a real event.
    """
    if not event.is_rehearsal:
        raise ActionUnavailable(_("This is a real event, so it can’t be deleted."))
    Ruling.objects.filter(session__event=event).delete()
    Result.objects.filter(sitting__section__session__event=event).delete()
    PlayRecord.objects.filter(session__event=event).delete()
    paper_files = [
        paper.file for paper in Paper.objects.filter(session__event=event) if paper.file
    ]
    copies.delete_rehearsal(event=event, rehearsal_names=rehearsal_names, by=by)
    for paper_file in paper_files:
        transaction.on_commit(
            partial(paper_file.storage.delete, paper_file.name or ""), robust=True
        )
