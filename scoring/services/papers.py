"""Papers are ordered; a worker makes them."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor
from scoring import tasks
from scoring.errors import PaperRefused
from scoring.models import Paper
from scoring.papers import PAPERS
from scoring.secrecy import paper_may_be_made
from tournaments.models import Event, Session


@transaction.atomic
def order_paper(*, session: Session, kind: str, size: str, by: Actor) -> Paper:
    """Order a paper; one that is waiting already is not ordered twice, one that failed goes."""
    if kind not in PAPERS:
        raise PaperRefused(
            _("There is no paper called %(kind)s. There are: %(kinds)s.")
            % {"kind": kind, "kinds": ", ".join(PAPERS)}
        )
    if size not in Event.PaperSize.values:
        raise PaperRefused(_("Papers are made for A4 or Letter."))
    if not session.sections.exists():
        raise PaperRefused(_("Choose the movement first: it says what is printed."))
    if not paper_may_be_made(session, kind):
        raise PaperRefused(
            _("This paper tells the cards, so it is made once the session is closed.")
        )
    session = Session.objects.select_for_update().get(pk=session.pk)  # a double click races
    waiting = session.papers.filter(
        kind=kind, size=size, state__in=[Paper.State.WANTED, Paper.State.MAKING]
    ).first()
    if waiting is not None:
        return waiting
    session.papers.filter(kind=kind, size=size, state=Paper.State.FAILED).delete()
    paper = Paper.objects.create(
        session=session,
        kind=kind,
        size=size,
        ordered_by=audit.name_of(by),
        ordered_at=timezone.now(),
    )
    where = {"session": session.number, "paper": kind}
    audit.record(by, "paper.ordered", subject=session.event, where=where)
    paper_id = paper.pk
    transaction.on_commit(lambda: tasks.print_paper.delay(paper_id), robust=True)
    return paper
