"""The history pages of an event and a club, with an undo button for each change."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import hall.history.undo
import scoring.services
from clubs import audit, permissions
from clubs.errors import ActionUnavailable
from clubs.undo import describe_undo_refusal, does_undo_revoke_links
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import render_undo_question
from hall.history.act_words import format_act
from hall.history.inverses import CLUB_INVERSES, INVERSES
from hall.history.sheets import list_change_keys, list_changes, list_club_changes
from scoring import page_loaders
from scoring.models import ResultVersion
from server.numbers import parse_number_or_zero, parse_whole_number
from server.safe_redirects import clean_redirect

CHANGES_PER_PAGE = 20
"""The number of changes on one page."""


@require_safe
def show_history(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all changes of an event, newest first."""
    access = page_loaders.load_scorer_event(request, slug)
    event = access.event
    page = Paginator(list_change_keys(event), CHANGES_PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = access.context | {
        "changes": list_changes(access, list(page.object_list)),
        "page": page,
    }
    return render(request, "hall/history.html", context)


@require_safe
def show_club_history(request: HttpRequest) -> HttpResponse:
    """Show the changes outside events in all clubs that the user directs."""
    clubs = [
        (club, list_club_changes(club)) for club in permissions.list_directed_clubs(request)
    ]
    if not clubs:
        raise PermissionDenied(_("Only the club’s directors can see its history."))
    return render(request, "hall/club_history.html", {"clubs": clubs})


@require_http_methods(["GET", "HEAD", "POST"])
def undo_act(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Undo one act of an event, after a confirmation if this cancels links.

    A GET request only redirects, because the confirmation page has this URL and its language
    form returns here.

    If the query string has `since`, the key of the first act of a request, all acts of this
    request are undone.
    """
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    act = get_object_or_404(audit.list_acts(event), pk=pk)
    back_url = clean_redirect(request.GET.get("back", "")) or reverse("history", args=[slug])
    if request.method != "POST":
        return redirect(back_url)
    if does_undo_revoke_links(act, INVERSES) and "anyway" not in request.POST:
        if refusal := describe_undo_refusal(audit.list_acts(event), act):
            messages.error(request, refusal)
            return redirect(back_url)
        act_description = format_act(event, act)
        return render_undo_question(request, act, act_description, back_url, access.context)
    first_act_pk = parse_number_or_zero(request.GET.get("since", "")) or act.pk
    with show_errors_as_messages(request):
        undone_act_count = hall.history.undo.undo_request_acts(
            event=event, act=act, first_act_pk=first_act_pk, by=request.user
        )
        if not undone_act_count:
            raise ActionUnavailable(_("Already undone."))
        placeholders = {"what": format_act(event, act), "more": undone_act_count - 1}
        messages.success(request, _format_undo_message(placeholders, undone_act_count - 1))
    return redirect(back_url)


def _format_undo_message(placeholders: dict[str, object], linked_change_count: int) -> str:
    if linked_change_count < 1:
        return _("Undone: %(what)s") % placeholders
    return (
        ngettext(
            "Undone: %(what)s and %(more)s linked change",
            "Undone: %(what)s and %(more)s linked changes",
            linked_change_count,
        )
        % placeholders
    )


@require_http_methods(["GET", "HEAD", "POST"])
def undo_club_act(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Undo one act of a club, after a confirmation if this cancels links.

    A GET request only redirects, as in `undo_act`.
    """
    club = get_object_or_404(permissions.list_directed_clubs(request), slug=slug)
    act = get_object_or_404(audit.list_acts(club), pk=pk)
    name = format_act(None, act)
    back_url = clean_redirect(request.GET.get("back", "")) or reverse("club_history")
    if request.method != "POST":
        return redirect(back_url)
    if does_undo_revoke_links(act, CLUB_INVERSES) and "anyway" not in request.POST:
        if refusal := describe_undo_refusal(audit.list_acts(club), act):
            messages.error(request, refusal)
            return redirect(back_url)
        return render_undo_question(request, act, name, back_url, {})
    with show_errors_as_messages(request):
        if not hall.history.undo.undo_club_act(club=club, act=act, by=request.user):
            raise ActionUnavailable(_("Already undone."))
        messages.success(request, _("Undone: %(what)s") % {"what": name})
    return redirect(back_url)


@require_POST
def undo_result(request: HttpRequest, slug: str) -> HttpResponse:
    """Undo one version of a result."""
    event = page_loaders.load_scorer_event(request, slug).event
    version = get_object_or_404(
        ResultVersion.objects.select_related("result__sitting"),
        result__sitting__section__session__event=event,
        pk=parse_number_or_zero(request.POST.get("version", "")),
    )
    with show_errors_as_messages(request):
        last_seen_version_id = parse_whole_number(request.POST.get("last", ""))
        scoring.services.undo_result(
            version=version, last_seen_version_id=last_seen_version_id, by=request.user
        )
        messages.success(
            request,
            _("Board %(board)s, table %(table)s: undone.")
            % {"board": version.result.board, "table": version.result.sitting.label},
        )
    return redirect("history", slug)
