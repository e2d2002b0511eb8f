"""The etiquette of whist as a notice for the wall, or to read out."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from laws.single_table import ETIQUETTE, ETIQUETTE_ABOUT
from printing import paper
from printing.kinds import Cards, Follows, Group, PaperKind
from scoring.papers import announcement
from scoring.sheets.hall import Announcement
from scoring.sheets.headings import heading
from scoring.sittings import SeatedSession


def notice(found: SeatedSession) -> list[Announcement]:
    """Return the event's one notice, in a list."""
    paragraphs = (_(ETIQUETTE_ABOUT), *(rule.text for rule in ETIQUETTE.rules))
    return [Announcement(heading(found.session), paragraphs)]


def draw(sheets: Sequence[Announcement], *, size: paper.Size = "A4") -> bytes:
    """Print the notice in large type."""
    return announcement.draw_titled(sheets, ETIQUETTE.title, size=size)


PAPER = PaperKind(
    name="etiquette",
    title=gettext_lazy("Notice: etiquette"),
    blurb=gettext_lazy("The etiquette of whist in large type, for the wall or to read out."),
    group=Group.TABLES,
    sheet=notice,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.NOTHING,
    on_request=True,
)
