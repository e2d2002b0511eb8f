"""Seeds of an event by what the club's grades know of its people."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

import scoring.services
from scoring import visits
from seasons.grades.models import Grade
from tournaments.models import Event


@require_POST
def seeds_by_grades(request: HttpRequest, slug: str) -> HttpResponse:
    """Seed those of whom the grades know all members; no figure of a person is shown."""
    visit = visits.director_event(request, slug)
    order = _order(visit.event)
    if not order:
        words = _("The club keeps no grades, or they know too little of those who are entered.")
        messages.warning(request, words)
        return redirect("seeds", slug)
    numbers = visit.event.entries.values_list("number", flat=True)
    profiles: dict[int, dict[str, int | None]] = {number: {"seed": None} for number in numbers}
    profiles |= {number: {"seed": seed} for seed, number in enumerate(order, start=1)}
    scoring.services.profile_entries(event=visit.event, profiles=profiles, by=request.user)
    told = ngettext(
        "%(count)s entry is seeded by the grades.",
        "%(count)s entries are seeded by the grades.",
        len(order),
    )
    messages.success(request, told % {"count": len(order)})
    return redirect("seeds", slug)


def _order(event: Event) -> list[int]:
    """The numbers of the entries whose members all have a grade, the strongest first."""
    rows = Grade.objects.filter(
        book__club=event.club, book__is_on=True, shown__isnull=False
    ).values_list("player", "mean")
    known = dict(rows)
    found = []
    for entry in event.entries.prefetch_related("memberships"):
        people = [each.player_id for each in entry.memberships.all()]
        if people and all(person in known for person in people):
            mean = sum(known[person] for person in people) / len(people)
            found.append((-mean, entry.number))
    return [number for _mean, number in sorted(found)]
