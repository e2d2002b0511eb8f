"""The page of a club's look (short name, accent, logo) and of its congress features."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import clubs.services
from clubs import audit, permissions
from clubs.logos import MAX_LOGO_BYTES
from clubs.models import Club, Logo
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import offer_undo
from server.languages import list_language_choices

CACHE_SECONDS = 60 * 60 * 24 * 365  # how long browsers may cache a logo


@require_safe
def show_club_appearance(request: HttpRequest) -> HttpResponse:
    """Show the form with the name, accent and logo of each club that the user owns."""
    context = {
        "clubs": permissions.list_owned_clubs(request),
        "accents": Club.AccentColour.choices,
        "languages": list_language_choices(),
    }
    return render(request, "clubs/look.html", context)


@require_POST
def update_club_appearance(request: HttpRequest) -> HttpResponse:
    """Save the look of a club; the logo changes only if one is uploaded or deleted."""
    club = permissions.get_owned_club(request, request.POST.get("club", ""))
    upload = request.FILES.get("logo")
    with show_errors_as_messages(request):
        clubs.services.set_club_appearance(
            club=club,
            short_name=request.POST.get("short_name", ""),
            accent=request.POST.get("accent", ""),
            by=request.user,
        )
        if upload is not None:
            clubs.services.set_logo(
                club=club, content=upload.read(MAX_LOGO_BYTES + 1), by=request.user
            )
        elif request.POST.get("no_logo"):
            clubs.services.set_logo(club=club, content=b"", by=request.user)
        messages.success(request, _("Appearance saved for %(club)s.") % {"club": club.name})
    return redirect("club_look")


@require_POST
def choose_club_language(request: HttpRequest) -> HttpResponse:
    """Save the language of one of the user's own clubs."""
    club = permissions.get_owned_club(request, request.POST.get("club", ""))
    language = request.POST.get("language", "")
    with show_errors_as_messages(request):
        clubs.services.set_language(club=club, language=language, by=request.user)
        acts = audit.list_acts(club).filter(action="club.language")
        offer_undo(request, _("Language saved."), acts, reverse("club_look"))
    return redirect("club_look")


@require_POST
def update_congress_features(request: HttpRequest) -> HttpResponse:
    """Switch the congress features of one of the user's own clubs on or off."""
    club = permissions.get_owned_club(request, request.POST.get("club", ""))
    is_switched_on = request.POST.get("congress") == "on"
    with show_errors_as_messages(request):
        clubs.services.set_congress_features(
            club=club, congress=is_switched_on, by=request.user
        )
        message = (
            _("Congress features are on.")
            if is_switched_on
            else _("Congress features are off.")
        )
        acts = audit.list_acts(club).filter(action="club.congress")
        offer_undo(request, message, acts, reverse("club_look"))
    return redirect("club_look")


@login_not_required
@require_safe
def show_logo(_request: HttpRequest, mark: str) -> HttpResponse:
    """Return a club's logo with a long cache time, because its URL contains its hash."""
    logo = Logo.objects.filter(club__logo_mark=mark).first()
    if logo is None:
        raise Http404
    response = HttpResponse(bytes(logo.image), content_type="image/png")
    response.headers["Cache-Control"] = f"public, max-age={CACHE_SECONDS}, immutable"
    return response
