"""The page with the three kinds of event: duplicate, whist drive and rubber."""

from collections.abc import Mapping

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs import access
from rubbers.errors import RubberRefused
from rubbers.services import split_over_tables
from server.numbers import parse_whole_number
from tournaments.movements.advice.description import describe_suggestion
from tournaments.movements.schedule import UnplayableMovement
from tournaments.movements.suggest import list_suggestions_for

MAX_PEOPLE = 2000  # the most players of a drive
MIN_DUPLICATE = 8
MIN_DRIVE = 4
MIN_RUBBER = 2
TABLE_SIZE = 4


@require_safe
def new_event_page(request: HttpRequest) -> HttpResponse:
    """Show the three kinds of event, with suggestions if the number of people is given."""
    club = access.get_current_club(request, request.GET.get("club", ""))
    if club is None:
        raise PermissionDenied(_("Only a director of a club can create events."))
    typed_people = request.GET.get("people", "").strip()[:20]
    people = parse_whole_number(typed_people, maximum=MAX_PEOPLE) if typed_people else None
    problem = ""
    if typed_people and not people:
        problem = _("Enter 1–%(most)s people, or leave it empty.") % {"most": MAX_PEOPLE}
    context = {
        "club": club,
        "typed": typed_people,
        "people": people,
        "problem": problem,
        "fits": describe_fits(people, club.has_congress_features) if people else {},
    }
    return render(request, "hall/doors.html", context, status=422 if problem else 200)


def describe_fits(people: int, congress: bool = True) -> Mapping[str, str]:
    """Describe, for each kind of event that is possible, how this many people would play it.

    Without `congress` a field is not divided into sections.
    """
    descriptions = {}
    if people >= MIN_DUPLICATE:
        descriptions["duplicate"] = _describe_duplicate(people, congress)
    if people >= MIN_DRIVE:
        descriptions["drive"] = _describe_drive(people)
    if people >= MIN_RUBBER:
        descriptions["rubber"] = _describe_rubber(people)
    return descriptions


def _describe_duplicate(people: int, congress: bool) -> str:
    options = {"pairs": people // 2} | ({} if congress else {"sections": 1})
    try:
        best = describe_suggestion(list_suggestions_for(**options)[0])
    except UnplayableMovement as reason:
        return str(reason)
    description = f"{best.title}. {best.hours}."
    partner_note = _("One player needs a partner.")
    return f"{description} {partner_note}" if people % 2 else description


def _describe_drive(people: int) -> str:
    tables, remaining_people = divmod(people, TABLE_SIZE)
    description = _count_tables(tables)
    if not remaining_people:
        return description
    message = ngettext(
        "%(count)s player sits out each round.",
        "%(count)s players sit out each round.",
        remaining_people,
    )
    return f"{description} {message % {'count': remaining_people}}"


def _describe_rubber(people: int) -> str:
    if people == MIN_RUBBER:
        return _("1 table: double dummy.")
    if people < TABLE_SIZE:
        return _("1 table: dummy.")
    try:
        sizes = split_over_tables(people)
    except RubberRefused as reason:
        return str(reason)
    tables = ngettext(
        "%(count)s table of %(size)s.", "%(count)s tables of %(size)s.", len(sizes)
    )
    smallest_size, largest_size = min(sizes), max(sizes)
    size = (
        str(largest_size)
        if smallest_size == largest_size
        else f"{smallest_size}–{largest_size}"
    )
    return tables % {"count": len(sizes), "size": size}


def _count_tables(tables: int) -> str:
    message = ngettext("%(count)s table of four.", "%(count)s tables of four.", tables)
    return message % {"count": tables}
