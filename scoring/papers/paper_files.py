"""Functions that build the sheets of a paper, draw them as a PDF, and store the file."""

from django.db import transaction
from django.utils import timezone

from printing import orders
from printing.identity import use_club_identity
from printing.paper import Size
from scoring.models import Paper
from scoring.papers import get_paper_kind, hand_cards, pack, trump_slips
from scoring.papers.pack import PaperSet
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets import papers as sheets
from scoring.sheets import trays
from scoring.standings_engine import standings, versions
from tournaments.models import Session


def draw_session_paper(session: Session, kind_name: str, paper_size: str) -> bytes:
    """Draw a paper of a session as a PDF; raise WhistError if there is nothing to print."""
    paper_kind = get_paper_kind(kind_name)
    with timezone.override(session.event.club.zone):
        with transaction.atomic():  # a paper must not be older than the results
            standings.update_standings(session.event)
            versions.store_version(session.event)
        with use_club_identity(*session.event.club.paper_branding):
            return paper_kind.draw_pdf(
                paper_kind.build_sheet(load_session_snapshot(session)), paper_size=paper_size
            )


def count_changed_sheets(session: Session, new_paper_set: PaperSet, *, paper_size: Size) -> int:
    """Count the sheets of a set that differ from those of the previous set."""
    with (
        timezone.override(session.event.club.zone),
        use_club_identity(*session.event.club.paper_branding),
    ):
        return pack.count_changed_sheets(new_paper_set, paper_size=paper_size)


def draw_tray_slip(session: Session, board_number: int, *, should_show_hands: bool) -> bytes:
    """Draw a PDF that replaces the missing paper of one tray.

    With `should_show_hands`, it has the four hands; otherwise, it is the trump slip.
    """
    snapshot = load_session_snapshot(session)
    paper_size: Size = "Letter" if session.event.paper_size == "Letter" else "A4"
    if should_show_hands:
        return hand_cards.draw_curtain_cards_pdf(
            [
                card
                for card in trays.build_curtain_cards(snapshot)
                if card.board_number == board_number
            ],
            paper_size=paper_size,
        )
    slips = [
        slip for slip in sheets.build_trump_slips(snapshot) if slip.board_number == board_number
    ]
    return trump_slips.draw_pdf(slips, paper_size=paper_size)


def make_ordered_paper(paper: Paper) -> None:
    """Draw an ordered paper and store its file; idempotent."""
    orders.render_paper(
        paper,
        file_name=f"{paper.session.event.slug}-{paper.kind}.pdf",
        draw=lambda: draw_session_paper(paper.session, paper.kind, paper.size),
    )
