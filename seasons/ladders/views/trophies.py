"""The director's pages of trophies: create, engrave, award and undo."""

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import clubs.undo
from boards.whist import WhistError
from clubs import audit, permissions
from clubs.models import Club
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import undo_act_with_message
from seasons.ladders.inverses import TROPHY_INVERSES
from seasons.ladders.models import Ladder, Trophy
from seasons.ladders.services.trophies import (
    award_trophies,
    create_trophy,
    delete_trophy,
    engrave_trophy,
    list_unawardable_trophies,
)
from seasons.ladders.sheets.honours import load_honours
from server.errors import PageNotFound


@require_safe
def show_trophies(request: HttpRequest) -> HttpResponse:
    """Show the club's trophies and the actions on them."""
    club = _get_directed_club(request)
    ladders = Ladder.objects.filter(season__club=club).order_by("name")
    ladder_name_by_slug = {ladder.slug: ladder.name for ladder in ladders}
    honours = load_honours(club)
    context = {
        "club": club,
        "lines": [
            (trophy_line, _find_last_action(trophy_line.trophy))
            for trophy_line in honours.trophies
        ],
        "ladders": sorted(ladder_name_by_slug.items(), key=lambda item: item[1]),
        "seasons": club.seasons.all(),
    }
    return render(request, "seasons/trophies.html", context)


@require_POST
def add_trophy(request: HttpRequest) -> HttpResponse:
    """Create a trophy from the submitted form."""
    club = _get_directed_club(request)
    excluded_trophy = Trophy.objects.filter(
        club=club, slug=request.POST.get("not_with", "")
    ).first()
    ladder_slug = request.POST.get("ladder", "")
    is_known_ladder = Ladder.objects.filter(season__club=club, slug=ladder_slug).exists()
    return _apply_change_with_message(
        request,
        lambda: create_trophy(
            club=club,
            name=request.POST.get("name", ""),
            ladder_slug=ladder_slug if is_known_ladder else "",
            not_with=excluded_trophy,
            by=request.user,
        ),
        _("%(trophy)s added.") % {"trophy": request.POST.get("name", "").strip()},
    )


@require_POST
def engrave_trophy_view(request: HttpRequest, trophy: str) -> HttpResponse:
    """Engrave a trophy for a year with the submitted names, one name per line."""
    trophy_row = _get_directed_trophy(request, trophy)
    winner_names = request.POST.get("names", "")[:2000].splitlines()
    year = request.POST.get("year", "")
    return _apply_change_with_message(
        request,
        lambda: engrave_trophy(
            trophy=trophy_row, year=year, winner_names=winner_names, by=request.user
        ),
        _("Winner added to %(trophy)s.") % {"trophy": trophy_row.name},
    )


@require_POST
def remove_trophy(request: HttpRequest, trophy: str) -> HttpResponse:
    """Delete a trophy that has no engravings."""
    trophy_row = _get_directed_trophy(request, trophy)
    return _apply_change_with_message(
        request,
        lambda: delete_trophy(trophy=trophy_row, by=request.user),
        _("%(trophy)s removed.") % {"trophy": trophy_row.name},
    )


@require_POST
def award_trophies_view(request: HttpRequest) -> HttpResponse:
    """Engrave every trophy with the leaders of its ladder in the chosen season."""
    club = _get_directed_club(request)
    season = club.seasons.filter(slug=request.POST.get("season", "")).first()
    if season is None:
        raise PageNotFound(_("Season not found."))
    try:
        awarded_engravings = award_trophies(season=season, by=request.user)
    except WhistError as error:
        messages.error(request, str(error))
        return redirect("trophies")
    unawardable_trophies = list_unawardable_trophies(season)
    for trophy in unawardable_trophies:
        message = _("%(trophy)s: too many tied for first. Add the winner by hand.")
        messages.warning(request, message % {"trophy": trophy.name})
    if awarded_engravings:
        winners_text = "; ".join(
            f"{engraving.trophy.name}: {engraving.shown_names}"
            for engraving in awarded_engravings
        )
        messages.success(request, winners_text)
    elif not unawardable_trophies:
        message = _(
            "Nothing to award. These trophies already have a winner or belong to another "
            "ladder."
        )
        messages.info(request, message)
    return redirect("trophies")


@require_POST
def undo_trophy_action(request: HttpRequest, trophy: str, pk: int) -> HttpResponse:
    """Undo one action on a trophy."""
    trophy_row = _get_directed_trophy(request, trophy)
    message = _("%(trophy)s: last change undone.") % {"trophy": trophy_row.name}
    undo_act_with_message(request, pk, TROPHY_INVERSES, message, trophy=trophy_row)
    return redirect("trophies")


def _find_last_action(trophy: Trophy) -> int | None:
    """Return the primary key of the trophy's last action that can be undone, or None."""
    acts = audit.list_acts(trophy).order_by("-pk")[:20]
    return max(clubs.undo.list_undoable_act_pks(acts), default=None)


def _apply_change_with_message(
    request: HttpRequest, apply_change: Callable[[], object], message: str
) -> HttpResponse:
    with show_errors_as_messages(request):
        apply_change()
        messages.success(request, message)
    return redirect("trophies")


def _get_directed_trophy(request: HttpRequest, trophy_slug: str) -> Trophy:
    trophies = Trophy.objects.filter(
        club__in=permissions.list_directed_clubs(request)
    ).select_related("club")
    trophy = trophies.filter(slug=trophy_slug).first()
    if trophy is None:
        raise PageNotFound(_("Trophy not found."))
    return trophy


def _get_directed_club(request: HttpRequest) -> Club:
    club = permissions.get_current_club(request, request.POST.get("club", ""))
    if club is None:
        raise PermissionDenied(_("You aren’t a director of any club."))
    return club
