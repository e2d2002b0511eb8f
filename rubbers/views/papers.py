"""The pages with which the director prints the papers of a rubber night."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.activities.views import build_table_qr_codes, show_papers
from drives.papers.from_file import PAPER_SIZES
from printing.kinds import PaperGroup
from rubbers import rubber_access
from rubbers.papers import PAPER_KINDS
from rubbers.sheets.on_paper import build_printed_night
from rubbers.snapshot import load_night


@require_safe
def list_papers(request: HttpRequest, slug: str) -> HttpResponse:
    """List the papers that can be printed now."""
    access = rubber_access.load_director_night_access(request, slug)
    has_hands = any(
        any(table.stored_hands) for table in load_night(access.night).tables.values()
    )
    context = access.context | {
        "offered": [
            kind for kind in PAPER_KINDS if has_hands or kind.group is PaperGroup.TABLES
        ],
        "sizes": list(PAPER_SIZES),
    }
    return render(request, "rubbers/papers.html", context)


@require_safe
def print_paper(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a paper of a night as a PDF."""
    access = rubber_access.load_director_night_access(request, slug)
    paper_name = request.GET.get("paper", PAPER_KINDS[0].name)
    chosen_kind = next(
        (paper_kind for paper_kind in PAPER_KINDS if paper_kind.name == paper_name), None
    )
    if chosen_kind is None:
        raise Http404
    paper_size = PAPER_SIZES.get(
        request.GET.get("size", ""), PAPER_SIZES[access.night.paper_size]
    )
    qr_code_by_table = build_table_qr_codes(access.night.evening)

    def draw() -> bytes:
        return chosen_kind.draw_pdf(
            build_printed_night(load_night(access.night), qr_code_by_table),
            paper_size=paper_size,
        )

    return show_papers(request, access, "rubber", draw)
