"""The page with the three kinds of event: duplicate, whist drive and rubber."""

from collections.abc import Mapping

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs import permissions
from rubbers.errors import RubberRefused
from rubbers.services import compute_table_sizes
from server.numbers import parse_whole_number
from tournaments.movements.advice.description import describe_suggestion
from tournaments.movements.schedule import UnplayableMovement
from tournaments.movements.suggest import list_suggestions_for_limits

MAX_DRIVE_PLAYERS = 2000  # the maximum number of players in a drive
MIN_DUPLICATE_PLAYERS = 8
MIN_DRIVE_PLAYERS = 4
MIN_RUBBER_PLAYERS = 2
PLAYERS_PER_TABLE = 4


@require_safe
def show_event_kinds(request: HttpRequest) -> HttpResponse:
    """Show the three kinds of event, with suggestions if the number of people is given."""
    club = permissions.get_current_club(request, request.GET.get("club", ""))
    if club is None:
        raise PermissionDenied(_("Only a director of a club can create events."))
    people_count_text = request.GET.get("people", "").strip()[:20]
    people_count = (
        parse_whole_number(people_count_text, maximum=MAX_DRIVE_PLAYERS)
        if people_count_text
        else None
    )
    problem = ""
    if people_count_text and not people_count:
        problem = _("Enter 1–%(most)s people, or leave it empty.") % {"most": MAX_DRIVE_PLAYERS}
    context = {
        "club": club,
        "typed": people_count_text,
        "people": people_count,
        "problem": problem,
        "fits": describe_possible_kinds(people_count, club.has_congress_features)
        if people_count
        else {},
    }
    return render(request, "hall/doors.html", context, status=422 if problem else 200)


def describe_possible_kinds(
    people_count: int, can_have_sections: bool = True
) -> Mapping[str, str]:
    """Describe, for each kind of event that is possible, how this many people would play it.

    If `can_have_sections` is false, the pairs are not divided into sections.
    """
    description_by_kind = {}
    if people_count >= MIN_DUPLICATE_PLAYERS:
        description_by_kind["duplicate"] = _describe_duplicate_event(
            people_count, can_have_sections
        )
    if people_count >= MIN_DRIVE_PLAYERS:
        description_by_kind["drive"] = _describe_drive(people_count)
    if people_count >= MIN_RUBBER_PLAYERS:
        description_by_kind["rubber"] = _describe_rubber(people_count)
    return description_by_kind


def _describe_duplicate_event(people_count: int, can_have_sections: bool) -> str:
    options = {"pairs": people_count // 2} | ({} if can_have_sections else {"sections": 1})
    try:
        suggestion_description = describe_suggestion(list_suggestions_for_limits(**options)[0])
    except UnplayableMovement as error:
        return str(error)
    description = f"{suggestion_description.title}. {suggestion_description.hours}."
    partner_note = _("One player needs a partner.")
    return f"{description} {partner_note}" if people_count % 2 else description


def _describe_drive(people_count: int) -> str:
    table_count, remaining_people_count = divmod(people_count, PLAYERS_PER_TABLE)
    description = _format_table_count(table_count)
    if not remaining_people_count:
        return description
    message = ngettext(
        "%(count)s player sits out each round.",
        "%(count)s players sit out each round.",
        remaining_people_count,
    )
    return f"{description} {message % {'count': remaining_people_count}}"


def _describe_rubber(people_count: int) -> str:
    if people_count == MIN_RUBBER_PLAYERS:
        return _("1 table: double dummy.")
    if people_count < PLAYERS_PER_TABLE:
        return _("1 table: dummy.")
    try:
        table_sizes = compute_table_sizes(people_count)
    except RubberRefused as error:
        return str(error)
    message = ngettext(
        "%(count)s table of %(size)s.", "%(count)s tables of %(size)s.", len(table_sizes)
    )
    smallest_size, largest_size = min(table_sizes), max(table_sizes)
    size_text = (
        str(largest_size)
        if smallest_size == largest_size
        else f"{smallest_size}–{largest_size}"
    )
    return message % {"count": len(table_sizes), "size": size_text}


def _format_table_count(table_count: int) -> str:
    message = ngettext("%(count)s table of four.", "%(count)s tables of four.", table_count)
    return message % {"count": table_count}
