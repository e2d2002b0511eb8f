"""The full set: all papers of a drive in one PDF, with a bookmark for each paper."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from drives.sheets.on_paper import DriveOnPaper
from printing import pages, paper
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards

PACK_NAME = "pack"


def build_paper_pack(kinds: Sequence[PaperKind]) -> PaperKind:
    """Return a kind of paper that contains all the given papers."""

    def draw(drive: DriveOnPaper, *, size: pages.Size = "A4") -> bytes:
        return print_papers(drive, kinds, size=size)

    return PaperKind(
        name=PACK_NAME,
        title=gettext_lazy("All papers"),
        blurb=gettext_lazy("Everything you need, in one file."),
        group=PaperGroup.TABLES,
        build_sheet=pages.return_unchanged,
        draw_pdf=draw,
        shown_cards=ShownCards.NONE,
        outdated_by=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    )


def print_papers(drive: DriveOnPaper, kinds: Sequence[PaperKind], *, size: pages.Size) -> bytes:
    """Print papers in one PDF; papers without content are omitted."""
    laid_out_papers = [
        (kind, kind.lay_out(drive, size=size))
        for kind in kinds
        if kind.lay_out is not None and kind.is_offered(drive)
    ]
    laid_out_papers = [
        (kind, paper_layout)
        for kind, paper_layout in laid_out_papers
        if paper_layout.page_count
    ]
    if not laid_out_papers:
        raise paper.NothingToPrint(_("There is nothing to print."))
    title = str(laid_out_papers[0][0].title) if len(laid_out_papers) == 1 else _("Papers")
    canvas = pages.start_canvas(
        drive, title, size, is_landscape=laid_out_papers[0][1].is_landscape
    )
    for kind, paper_layout in laid_out_papers:
        page = pages.get_page_box(size, is_landscape=paper_layout.is_landscape)
        canvas.setPageSize((page.width, page.height))
        canvas.bookmarkPage(kind.name)
        canvas.addOutlineEntry(str(kind.title), kind.name, 0)
        paper_layout.draw(canvas)
    return paper.finish_canvas(canvas)
