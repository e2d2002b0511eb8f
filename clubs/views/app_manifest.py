"""The web manifest: the name and icons of the site on a phone's home screen."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language_bidi
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.names.club_names import shorten_club_name

THEME_COLOUR = "#0c4a32"  # the background colour of the icon
BACKGROUND_COLOUR = "#ffffff"  # the background colour of pages
CACHE_SECONDS = 60 * 60  # how long browsers may cache the manifest
ICONS = (
    ("img/icon-192.png", "192x192", "any"),
    ("img/icon-512.png", "512x512", "any"),
    ("img/icon-full-512.png", "512x512", "maskable"),
)


@login_not_required
@require_safe
def show_app_manifest(_request: HttpRequest, club: str = "") -> HttpResponse:
    """Return the manifest of a club's pages, or of the whole site."""
    start_url, name, short_name = reverse("home"), "Overplay", "Overplay"
    if club:
        requested_club = get_object_or_404(Club, slug=club)
        start_url = reverse("club_page", args=[requested_club.slug])
        name, short_name = (
            requested_club.name,
            requested_club.short_name or shorten_club_name(requested_club.name),
        )
    manifest = {
        "id": start_url,
        "name": name,
        "short_name": short_name,
        "lang": settings.LANGUAGE_CODE,
        "dir": "rtl" if get_language_bidi() else "ltr",
        "start_url": start_url,
        "scope": "/",
        "display": "standalone",
        "theme_color": THEME_COLOUR,
        "background_color": BACKGROUND_COLOUR,
        "icons": [
            {"src": static(path), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for path, sizes, purpose in ICONS
        ],
    }
    response = JsonResponse(manifest, content_type="application/manifest+json")
    response.headers["Cache-Control"] = f"public, max-age={CACHE_SECONDS}"
    return response
