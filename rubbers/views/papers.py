"""The papers of a rubber night, generated on request."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.activities.views import print_papers, table_codes
from drives.papers.from_file import SIZES
from printing.kinds import PaperGroup
from rubbers import visits
from rubbers.held import read_night
from rubbers.papers import PAPERS
from rubbers.sheets.on_paper import night_on_paper


@require_safe
def rubber_papers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the papers that can be printed."""
    visit = visits.director_night(request, slug)
    has_hands = any(any(table.told) for table in read_night(visit.night).tables.values())
    context = visit.context | {
        "offered": [kind for kind in PAPERS if has_hands or kind.group is PaperGroup.TABLES],
        "sizes": list(SIZES),
    }
    return render(request, "rubbers/papers.html", context)


@require_safe
def rubber_print(request: HttpRequest, slug: str) -> HttpResponse:
    """Return one paper of a night as PDF."""
    visit = visits.director_night(request, slug)
    wanted = request.GET.get("paper", PAPERS[0].name)
    kind = next((each for each in PAPERS if each.name == wanted), None)
    if kind is None:
        raise Http404
    size = SIZES.get(request.GET.get("size", ""), SIZES[visit.night.paper_size])
    codes = table_codes(visit.night.evening)

    def draw() -> bytes:
        return kind.draw_pdf(night_on_paper(read_night(visit.night), codes), size=size)

    return print_papers(request, visit, "rubber", draw)
