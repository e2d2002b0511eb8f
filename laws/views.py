"""The law book for anybody: searched, linked to by section, printed for the wall."""

from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from laws import wall_sheet as laws_paper
from laws.book import ADOPTED, GROUPS, Found, cited, find
from laws.book.situation import Situation
from printing.paper import Size


class Origin(Protocol):
    """Where a reader comes from: an event, whose bar stays on top."""

    @property
    def event(self) -> object:
        """The event, as its bar takes it."""


WayBack = Callable[[str], Origin | None]

SIZES: dict[str, Size] = {"A4": "A4", "Letter": "Letter"}


@login_not_required
@require_safe
def laws(request: HttpRequest, way_back: WayBack) -> HttpResponse:
    """Show the laws, the situations and the readings, or what a search leaves of them.

    `way_back` finds the event from whose pages somebody came, so that its tabs stay in sight.
    """
    query = " ".join(request.GET.get("q", "").split())[:100]
    found = find(query)
    visit = way_back(request.GET.get("event", ""))
    context = {
        "page": "laws",
        "query": query,
        "adopted": _(ADOPTED),
        "found": found,
        "groups": grouped(found),
        "sizes": list(SIZES),
        "visit": visit,
        "event": visit.event if visit else None,
    }
    return render(request, "laws/laws.html", context)


@login_not_required
@require_safe
def laws_pdf(request: HttpRequest, size: str) -> HttpResponse:
    """Hand out the sheet for the wall."""
    if size not in SIZES:
        raise Http404(_("Papers are made for A4 or Letter."))
    answer = HttpResponse(_drawn(SIZES[size], get_language()), content_type="application/pdf")
    answer["Content-Disposition"] = 'inline; filename="laws-of-duplicate-whist.pdf"'
    return answer


def grouped(found: Found) -> list[tuple[str, list[tuple[Situation, list[tuple[str, str]]]]]]:
    """Lay the situations found out by the moment of play, with their laws to link to."""
    wanted = {situation.code for situation in found.situations}
    groups = [
        (
            _(moment.value),
            [
                (situation, [(key, cited(key)) for key in situation.laws])
                for situation in situations
                if situation.code in wanted
            ],
        )
        for moment, situations in GROUPS.items()
    ]
    return [(moment, rows) for moment, rows in groups if rows]


@lru_cache(maxsize=16)
def _drawn(size: Size, language: str | None) -> bytes:
    """Draw it once for each size and language: nothing on it changes."""
    return laws_paper.draw(size=size)
