"""Results sent to the club's server: where to, what waits, withdrawn and sent again."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from boards.whist import WhistError
from clubs import access
from clubs.models import Club
from seasons.publishing.services.sending import (
    forget_destination,
    send_again,
    send_results,
    set_destination,
    withdraw_results,
)
from seasons.publishing.sheets.sending import sending_state
from server.fragments import part_of
from server.refusals import Missing


@require_safe
@part_of("results_out")
def sending(request: HttpRequest) -> HttpResponse:
    """How far the sending is, asked for again while something goes."""
    club = _club(request)
    return render(request, "seasons/_sending.html", {"club": club, **sending_state(club)})


@require_POST
def sending_to(request: HttpRequest) -> HttpResponse:
    """Keep where results go, or forget it; an owner's alone."""
    club = _club(request)
    if not access.owned_clubs_of(request).filter(pk=club.pk).exists():
        raise PermissionDenied(_("Only an owner of the club says where its results go."))
    if request.POST.get("forget"):
        forget_destination(club=club, by=request.user)
        return redirect("results_out")
    token = request.POST.get("token", "").strip()
    if not token and not hasattr(club, "destination"):
        messages.error(request, _("Enter the token that the server has shown."))
        return redirect("results_out")
    try:
        set_destination(
            club=club,
            address=request.POST.get("address", "")[:200],
            token=token,
            is_automatic=bool(request.POST.get("automatic")),
            by=request.user,
        )
    except (WhistError, ValueError) as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Saved. Nothing has been sent yet."))
    return redirect("results_out")


@require_POST
def sending_now(request: HttpRequest) -> HttpResponse:
    """Send what waits."""
    send_results(club=_club(request), by=request.user)
    return redirect("results_out")


@require_POST
def sending_withdraw(request: HttpRequest) -> HttpResponse:
    """Withdraw a document from the server."""
    withdraw_results(club=_club(request), uid=_uid(request), by=request.user)
    messages.success(request, _("It is being withdrawn."))
    return redirect("results_out")


@require_POST
def sending_again(request: HttpRequest) -> HttpResponse:
    """Send a document again that was withdrawn or refused."""
    send_again(club=_club(request), uid=_uid(request), by=request.user)
    return redirect("results_out")


def _uid(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("uid", ""))
    except ValueError:
        raise Missing(_("There is no such document.")) from None


def _club(request: HttpRequest) -> Club:
    club = access.club_at_hand(request, request.POST.get("club", ""))
    if club is None:
        raise PermissionDenied(_("Your login directs no club."))
    return club
