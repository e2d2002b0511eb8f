"""The law book for anybody: searched, linked to by section, printed for the wall."""

import re
from functools import lru_cache

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.laws import GROUPS, Found, cited, find
from scoring.laws.situation import Situation
from scoring.printing import laws as laws_paper
from scoring.printing.paper import Size
from tournaments.addresses import EventAddress, parted
from tournaments.models import Event

SIZES: dict[str, Size] = {"A4": "A4", "Letter": "Letter"}


@login_not_required
@require_safe
def laws(request: HttpRequest) -> HttpResponse:
    """Show the laws, the situations and the readings, or what a search leaves of them."""
    query = " ".join(request.GET.get("q", "").split())[:100]
    found = find(query)
    context = {
        "page": "laws",
        "query": query,
        "found": found,
        "groups": grouped(found),
        "sizes": list(SIZES),
        "event": _way_back(request),
    }
    return render(request, "scoring/laws.html", context)


def _way_back(request: HttpRequest) -> Event | None:
    """The event from whose pages somebody came, so that its tabs stay in sight."""
    asked = request.GET.get("event", "")
    if not re.fullmatch(EventAddress.regex, asked):
        return None
    slug, number = parted(asked)
    event = Event.objects.with_sessions().filter(slug=slug).first()
    if event is not None and number in {each.number for each in event.sessions.all()}:
        event.at_session = number
    return event


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
