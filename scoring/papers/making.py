"""Make one ordered paper: sheets, then ink, then a file."""

import logging

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.whist import WhistError
from printing.paper import Size
from scoring.models import Paper
from scoring.papers import PAPERS, hand_cards, trump_slips
from scoring.reckoning import standings, versions
from scoring.sheets import papers as sheets
from scoring.sheets import trays
from scoring.sittings import read_sittings
from tournaments.models import Session

log = logging.getLogger(__name__)


def draw(session: Session, kind: str, size: str) -> bytes:
    """Draw a paper of a session as a PDF; raise WhistError when there is nothing to print."""
    with timezone.override(session.event.club.zone):
        with transaction.atomic():  # a paper must not be behind the results
            standings.recompute(session.event)
            versions.keep(session.event)
        return PAPERS[kind].draw(sheets.for_paper(session, kind), size=size)


def tray_slip(session: Session, board: int, *, hands: bool) -> bytes:
    """Draw what one tray lacks as a PDF: its four hands, or its trump slip."""
    found = read_sittings(session)
    size: Size = "Letter" if session.event.paper_size == "Letter" else "A4"
    if hands:
        return hand_cards.draw_curtains(
            [card for card in trays.curtain_cards(found) if card.board == board], size=size
        )
    slips = [slip for slip in sheets.trump_slips(found) if slip.board == board]
    return trump_slips.draw(slips, size=size)


def make(paper: Paper) -> None:
    """Draw an ordered paper and keep its file; made already, it stays as it is."""
    if paper.state == Paper.State.READY:
        return
    Paper.objects.filter(pk=paper.pk).update(state=Paper.State.MAKING, error="")
    try:
        pdf = draw(paper.session, paper.kind, paper.size)
    except WhistError as problem:
        _fail(paper, str(problem))
        return
    except Exception:
        log.exception("Paper %s could not be drawn", paper.pk)
        _fail(
            paper, _("The paper could not be made. Order it again; if it fails again, tell us.")
        )
        return
    paper.file.save(
        f"{paper.session.event.slug}-{paper.kind}.pdf", ContentFile(pdf), save=False
    )
    paper.state, paper.error, paper.made_at = Paper.State.READY, "", timezone.now()
    paper.save()


def _fail(paper: Paper, error: str) -> None:
    Paper.objects.filter(pk=paper.pk).update(state=Paper.State.FAILED, error=error[:300])
