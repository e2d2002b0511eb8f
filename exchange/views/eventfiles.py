"""The views for import and export of event files."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from boards.whist import WhistError
from clubs import permissions
from exchange.eventfile.exporter import export_event
from exchange.eventfile.importer import import_event
from scoring import page_loaders
from scoring.secrecy import can_see_hands
from server.downloads import build_json_response
from tournaments.forms import FileForm
from tournaments.models import Event


@require_http_methods(["GET", "POST"])
def import_event_file(request: HttpRequest) -> HttpResponse:
    """Import an event file into the director's club, or show all problems of the file."""
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    problems: list[str] = []
    if request.method == "POST" and form.is_valid():
        club = permissions.get_current_club(request, request.POST.get("club", ""))
        if club is None:
            problems = [_("You don’t direct a club, so you can’t import an event.")]
        else:
            try:
                event = import_event(club=club, document=form.read_content(), by=request.user)
                _report_import(request, event)
                return redirect("event_desk", event.slug)
            except WhistError as error:
                problems = list(getattr(error, "problems", None) or [str(error)])
    context = {"form": form, "problems": problems}
    status = 400 if problems else 200
    return render(request, "exchange/event_import.html", context, status=status)


def _report_import(request: HttpRequest, event: Event) -> None:
    """Add a message about the import, with a warning if the club had a similar event.

    `event.club` was loaded before the import, so it shows whether the import has switched on
    the congress features.
    """
    messages.success(request, _("%(name)s imported.") % {"name": event.name})
    if not event.club.has_congress_features and event.uses_congress_features:
        messages.info(request, _("Congress features are now on. This event uses them."))
    if event.club.events.filter(name=event.name, date=event.date).exclude(pk=event.pk).exists():
        messages.warning(
            request,
            _("The club already has an event with this name and date. This is a second copy."),
        )


@require_safe
def export_event_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the event file; it includes the hands only if every session is closed."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    can_show_hands = all(can_see_hands(session) for session in event.sessions.all())
    return build_json_response(
        export_event(event, should_include_deals=can_show_hands), f"{event.slug}.json"
    )
