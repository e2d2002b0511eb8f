"""The full set: all papers of a drive in one PDF, with a bookmark for each paper."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from drives.sheets.on_paper import PrintedDrive
from printing import pages, paper
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards

PACK_NAME = "pack"


def build_paper_pack(paper_kinds: Sequence[PaperKind]) -> PaperKind:
    """Return a kind of paper that contains all the given papers."""

    def draw_papers(drive: PrintedDrive, *, paper_size: pages.Size = "A4") -> bytes:
        return print_papers(drive, paper_kinds, paper_size=paper_size)

    return PaperKind(
        name=PACK_NAME,
        title=gettext_lazy("All papers"),
        blurb=gettext_lazy("Everything you need, in one file."),
        group=PaperGroup.TABLES,
        build_sheet=pages.return_unchanged,
        draw_pdf=draw_papers,
        shown_cards=ShownCards.NONE,
        outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    )


def print_papers(
    drive: PrintedDrive, paper_kinds: Sequence[PaperKind], *, paper_size: pages.Size
) -> bytes:
    """Print papers in one PDF; papers without content are omitted."""
    laid_out_papers = [
        (paper_kind, paper_kind.lay_out(drive, paper_size=paper_size))
        for paper_kind in paper_kinds
        if paper_kind.lay_out is not None and paper_kind.is_offered(drive)
    ]
    laid_out_papers = [
        (paper_kind, paper_layout)
        for paper_kind, paper_layout in laid_out_papers
        if paper_layout.page_count
    ]
    if not laid_out_papers:
        raise paper.NothingToPrint(_("There is nothing to print."))
    title = str(laid_out_papers[0][0].title) if len(laid_out_papers) == 1 else _("Papers")
    canvas = pages.start_canvas(
        drive, title, paper_size, is_landscape=laid_out_papers[0][1].is_landscape
    )
    for paper_kind, paper_layout in laid_out_papers:
        page = pages.get_page_box(paper_size, is_landscape=paper_layout.is_landscape)
        canvas.setPageSize((page.width, page.height))
        canvas.bookmarkPage(paper_kind.name)
        canvas.addOutlineEntry(str(paper_kind.title), paper_kind.name, 0)
        paper_layout.draw(canvas)
    return paper.finish_canvas(canvas)
