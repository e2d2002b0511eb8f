"""Pages that create another club, and that archive all events of a club."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

import clubs.services
from boards.whist import WhistError
from clubs import permissions
from clubs.models import Club
from clubs.time_zones import find_time_zone, list_time_zones
from tournaments import services


class ClubForm(forms.ModelForm[Club]):
    """The form with the name and the time zone of a new club."""

    class Meta:
        model = Club
        fields = ["name", "timezone"]
        widgets = {
            "name": forms.TextInput(attrs={"autofocus": True, "autocomplete": "off"}),
            "timezone": forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
        }
        help_texts = {"timezone": gettext_lazy("A city, e.g. London or Europe/London.")}

    def clean_timezone(self) -> str:
        """Accept a city instead of the zone's name; the model refuses unknown zones."""
        return find_time_zone(self.cleaned_data["timezone"])

    def clean_name(self) -> str:
        """Normalise spaces in the name; the database checks that it is unique."""
        return " ".join(self.cleaned_data["name"].split())


@require_http_methods(["GET", "POST"])
def create_club(request: HttpRequest) -> HttpResponse:
    """Create another club for a user who already owns one."""
    owned_club = permissions.list_owned_clubs(request).first()
    if owned_club is None:
        raise PermissionDenied(_("Only club owners can add a club."))
    initial = {"timezone": owned_club.timezone}
    form = ClubForm(request.POST or None, initial=initial, label_suffix="")
    if not form.is_bound:
        form.fields["timezone"].widget.attrs["data-first-zone"] = owned_club.timezone
    if request.method == "POST" and form.is_valid():
        club = clubs.services.create_club(
            name=form.cleaned_data["name"],
            timezone=form.cleaned_data["timezone"],
            owner=permissions.get_logged_in_user(request),
            by=request.user,
        )
        message = _("%(club)s created. New events go there.")
        messages.success(request, message % {"club": club.name})
        return redirect("desk")
    context: dict[str, Any] = {"form": form, "zones": list_time_zones()}
    return render(request, "tournaments/club_form.html", context, status=_get_form_status(form))


@require_POST
def archive_club_events(request: HttpRequest) -> HttpResponse:
    """Archive all events of a club, except those in play; e.g. to clear the demo club."""
    club = permissions.get_owned_club(request, request.POST.get("club", ""))
    archived_count, problems = 0, []
    for event in club.events.filter(put_away_at=None, is_rehearsal=False):
        try:
            services.archive_event(event=event, by=request.user)
            archived_count += 1
        except WhistError as error:
            problems.append(str(error))
    message = ngettext(
        "%(count)s event archived.", "%(count)s events archived.", archived_count
    )
    messages.success(request, message % {"count": archived_count})
    for problem in problems:
        messages.warning(request, problem)
    return redirect("desk")


def _get_form_status(form: ClubForm) -> int:
    return 400 if form.is_bound else 200
