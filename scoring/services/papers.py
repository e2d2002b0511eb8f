"""Papers are ordered; a worker makes them."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor
from printing import ordering
from scoring.errors import PaperRefused
from scoring.models import Paper
from scoring.papers import kind_named, tasks
from scoring.papers.timing import waits_for
from scoring.secrecy import paper_may_be_made
from server.jobs.wanting import want
from tournaments.models import Event, Session


@transaction.atomic
def order_paper(*, session: Session, kind: str, size: str, by: Actor) -> Paper:
    """Order a paper; one that is waiting already is not ordered twice, one that failed goes."""
    wanted = kind_named(kind)
    if size not in Event.PaperSize.values:
        raise PaperRefused(_("Papers are made for A4 or Letter."))
    if not session.sections.exists():
        raise PaperRefused(_("Choose the movement first: it says what is printed."))
    if not paper_may_be_made(session, wanted):
        raise PaperRefused(
            _("This paper shows the cards, so it is made once the session is closed.")
        )
    if first := waits_for(session, wanted):
        raise PaperRefused(
            _("%(paper)s waits for: %(what)s.") % {"paper": wanted.title, "what": first}
        )
    session = Session.objects.select_for_update().get(pk=session.pk)  # a double click races
    paper, is_new = ordering.order(
        Paper.objects.filter(session=session),
        session=session,
        kind=kind,
        size=size,
        by=audit.name_of(by),
    )
    if not is_new:
        return paper
    where = {"session": session.number, "paper": kind}
    audit.record(by, "paper.ordered", subject=session.event, where=where)
    want(tasks.PAPER, paper.pk)
    return paper
