"""The page where an owner removes the demo club."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs import permissions
from clubs.archives.spec import ArchiveSpec
from hall.demo_club import DemoClubIsOnlyClub, remove_demo_club
from server.backups.create import BackupFailed
from server.errors import PageNotFound


@require_http_methods(["GET", "HEAD", "POST"])
def show_demo_removal(request: HttpRequest, archive_spec: ArchiveSpec) -> HttpResponse:
    """Show the data that is deleted with the demo club; a POST deletes it."""
    owned_clubs = permissions.list_owned_clubs(request)
    club = owned_clubs.filter(is_demo=True).first()
    if club is None:
        raise PageNotFound(_("No demo club found."))
    if request.method == "POST":
        try:
            remove_demo_club(club, archive_spec)
        except (DemoClubIsOnlyClub, BackupFailed) as error:
            messages.error(request, str(error))
            return redirect("demo_remove")
        messages.success(request, _("Demo club removed. A backup was made."))
        return redirect("desk")
    context = {"club": club, "has_own_club": owned_clubs.filter(is_demo=False).exists()}
    return render(request, "hall/demo_remove.html", context)
