"""The etiquette of whist as a notice for the wall or for reading out."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from laws.single_table import ETIQUETTE, ETIQUETTE_INTRODUCTION
from printing import paper
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards
from scoring.papers import announcement
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.hall_values import Announcement
from scoring.sheets.headings import build_heading


def build_etiquette_notices(snapshot: SessionSnapshot) -> list[Announcement]:
    """Return the notice with the etiquette, as a list of one announcement."""
    paragraphs = (_(ETIQUETTE_INTRODUCTION), *(rule.text for rule in ETIQUETTE.rules))
    return [Announcement(build_heading(snapshot.session), paragraphs)]


def draw_pdf(announcements: Sequence[Announcement], *, paper_size: paper.Size = "A4") -> bytes:
    """Print the notice in large type."""
    return announcement.draw_titled_pdf(announcements, ETIQUETTE.title, paper_size=paper_size)


PAPER_KIND = PaperKind(
    name="etiquette",
    title=gettext_lazy("Notice: etiquette"),
    blurb=gettext_lazy("Whist etiquette in large type, for the wall or to read out."),
    group=PaperGroup.TABLES,
    build_sheet=build_etiquette_notices,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.NOTHING,
    is_on_request=True,
)
