"""Making one ordered paper: sheets, then the drawing, then a file."""

from django.db import transaction
from django.utils import timezone

from printing import ordering
from printing.identity import papers_of
from printing.paper import Size
from scoring.models import Paper
from scoring.papers import hand_cards, kind_named, pack, trump_slips
from scoring.papers.pack import Pack
from scoring.reckoning import standings, versions
from scoring.sheets import papers as sheets
from scoring.sheets import trays
from scoring.sittings import read_sittings
from tournaments.models import Session


def draw(session: Session, kind: str, size: str) -> bytes:
    """Draw a paper of a session as a PDF; raise WhistError if there is nothing to print."""
    paper = kind_named(kind)
    with timezone.override(session.event.club.zone):
        with transaction.atomic():  # a paper must not be older than the results
            standings.recompute(session.event)
            versions.keep(session.event)
        with papers_of(*session.event.club.on_papers):
            return paper.draw(paper.sheet(read_sittings(session)), size=size)


def differing(session: Session, found: Pack, *, size: Size) -> int:
    """Count the sheets of a pack that differ from those of the pack before it."""
    with timezone.override(session.event.club.zone), papers_of(*session.event.club.on_papers):
        return pack.differing(found, size=size)


def tray_slip(session: Session, board: int, *, hands: bool) -> bytes:
    """Draw the missing paper of one tray as a PDF: its four hands, or its trump slip."""
    found = read_sittings(session)
    size: Size = "Letter" if session.event.paper_size == "Letter" else "A4"
    if hands:
        return hand_cards.draw_curtains(
            [card for card in trays.curtain_cards(found) if card.board == board], size=size
        )
    slips = [slip for slip in sheets.trump_slips(found) if slip.board == board]
    return trump_slips.draw(slips, size=size)


def make(paper: Paper) -> None:
    """Draw an ordered paper and store its file; idempotent."""
    ordering.make(
        paper,
        name=f"{paper.session.event.slug}-{paper.kind}.pdf",
        draw=lambda: draw(paper.session, paper.kind, paper.size),
    )
