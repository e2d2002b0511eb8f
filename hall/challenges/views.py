"""The views of an entry's own page, and of the director's list of challenges."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from boards.whist import WhistError
from clubs.views.error_messages import show_errors_as_messages
from hall.challenges import services as service
from hall.challenges.own_page import build_entry_page
from hall.challenges.sheets import (
    EntryResult,
    add_table_labels,
    build_link_rows,
    group_by_round,
    list_open_challenges,
    load_entry_results,
)
from hall.models import Challenge
from printing.qr import create_qr_code
from scoring import page_loaders
from scoring.errors import PlayNotFound
from scoring.models import Result
from server.errors import PageNotFound
from server.hall_network import find_base_url, find_phone_url, is_in_local_network
from server.numbers import parse_number_or_zero, parse_whole_number
from tournaments.errors import ActionUnavailable
from tournaments.event_access import EventAccess
from tournaments.models import EntryLink, Session


# CSRF protection is not needed: the secret token in the URL is the only credential, so the
# browser sends no cookie that another site could misuse
@csrf_exempt
@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def show_entry_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show an entry its own page; a POST creates a challenge or replies to one."""
    link = service.find_entry_link(token)
    if link is None:
        raise PageNotFound(_("This link isn’t in use. Ask the director for yours."))
    event = link.entry.event
    timezone.activate(event.club.zone)
    problem = ""
    if request.method == "POST":
        try:
            action_code = _process_request(request, link)
            return redirect(f"{reverse('entry_page', args=[token])}?done={action_code}")
        except WhistError as error:
            problem = str(error)
    results = load_entry_results(link.entry)
    context = {
        "access": EventAccess(event),
        "event": event,
        "club": event.club.name,
        "entry": link.entry,
        "rounds": group_by_round(results),
        "several": len({result.session_number for result in results}) > 1,
        "questions": [result for result in results if _is_awaiting_reply(result)],
        "late": _get_challenge_error(link),
        "own": build_entry_page(link.entry),
        "is_begun": event.sessions.exclude(state=Session.State.PLANNED).exists(),
        "problem": problem,
        "done": "" if problem else _format_confirmation(request.GET.get("done", "")),
        "tricks": range(14),
    }
    return render(request, "hall/entry_page.html", context, status=400 if problem else 200)


INVALID_TRICKS = 99
"""A replacement for unreadable input, which the service rejects with an error message."""


@require_safe
def show_challenges(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the event's open challenges and the private links of its entries."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    link_rows = build_link_rows(event, access.session)
    context = access.context | {
        "questions": add_table_labels(event, list_open_challenges(event)),
        "rows": link_rows,
        "home": find_phone_url(),
        "base": find_base_url(request),
        "only_here": is_in_local_network(find_base_url(request)),
        "made": any(row.path for row in link_rows),
        "wanting": any(not row.path for row in link_rows),
    }
    return render(request, "hall/challenges.html", context)


@require_safe
def show_entry_qr_code(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the QR code of one entry's link, large enough to scan from the screen."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    chosen_row = next(
        (
            link_row
            for link_row in build_link_rows(event, access.session)
            if link_row.link_pk == pk and link_row.path
        ),
        None,
    )
    if chosen_row is None:
        messages.error(request, _("This pair has no link."))
        return redirect("challenges", slug)
    link_url = find_base_url(request) + chosen_row.path
    context = access.context | {
        "row": chosen_row,
        "address": link_url,
        "code": create_qr_code(link_url),
        "home": find_phone_url(),
    }
    return render(request, "hall/entry_code.html", context)


@require_POST
def create_links(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a private link for each entry that has none."""
    event = page_loaders.load_director_event(request, slug).event
    new_link_count = service.create_entry_links(event=event, by=request.user)
    message = ngettext("%(count)s link created.", "%(count)s links created.", new_link_count)
    messages.success(request, message % {"count": new_link_count})
    return redirect("challenges", slug)


@require_POST
def revoke_link(request: HttpRequest, slug: str) -> HttpResponse:
    """Revoke the link of one entry."""
    event = page_loaders.load_director_event(request, slug).event
    link = get_object_or_404(
        EntryLink.objects.select_related("entry__event__club"),
        entry__event=event,
        pk=parse_number_or_zero(request.POST.get("link")),
    )
    service.revoke_entry_link(link=link, by=request.user)
    messages.success(request, _("Link for %(who)s cancelled.") % {"who": link.entry.name})
    return redirect("challenges", slug)


@require_POST
def decide_challenge(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept a challenge and correct the result, or reject it."""
    event = page_loaders.load_director_event(request, slug).event
    challenge = get_object_or_404(
        Challenge, entry__event=event, pk=parse_number_or_zero(request.POST.get("challenge"))
    )
    is_approved = request.POST.get("act") == "approve"
    with show_errors_as_messages(request):
        service.decide_challenge(challenge=challenge, is_approved=is_approved, by=request.user)
        messages.success(request, _format_decision(challenge, is_approved))
    return redirect("challenges", slug)


def _format_decision(challenge: Challenge, is_approved: bool) -> str:
    """Return the message that confirms the director's decision about a challenge."""
    placeholders = {
        "board": challenge.result.board,
        "was": challenge.was,
        "now": challenge.ns_tricks,
    }
    if is_approved:
        return _("Board %(board)s corrected: North-South %(now)s, not %(was)s.") % placeholders
    return _("Board %(board)s kept: North-South %(was)s.") % placeholders


def _process_request(request: HttpRequest, link: EntryLink) -> str:
    """Create a challenge or reply to one, and return a code for the confirmation message.

    Raises WhistError if the request is not valid.
    """
    entry_results_by_pk_text = {
        str(entry_result.result_pk): entry_result
        for entry_result in load_entry_results(link.entry)
    }
    result = entry_results_by_pk_text.get(request.POST.get("result", ""))
    if result is None:
        raise PlayNotFound(_("You didn’t play that board."))
    if request.POST.get("act") == "ask":
        typed_tricks = parse_whole_number(request.POST.get("tricks"))
        ns_tricks = INVALID_TRICKS if typed_tricks is None else typed_tricks
        stored_result = get_object_or_404(Result, pk=result.result_pk)
        service.challenge_result(
            entry=link.entry,
            result=stored_result,
            ns_tricks=ns_tricks if result.is_ns else 13 - ns_tricks,
        )
        return "asked"
    if result.challenge is not None:
        has_agreed = request.POST.get("act") == "yes"
        service.answer_challenge(
            entry=link.entry, challenge=result.challenge, has_agreed=has_agreed
        )
        return "agreed" if has_agreed else "denied"
    return ""


def _format_confirmation(action_code: str) -> str:
    """Return the message that confirms a challenge or a reply, by the code of the action."""
    texts_by_action = {
        "asked": _("Query sent to your opponents. The director decides after their answer."),
        "agreed": _("You agreed. The director will correct it."),
        "denied": _("You said the score is correct. The director will decide."),
    }
    return texts_by_action.get(action_code, "")


def _is_awaiting_reply(entry_result: EntryResult) -> bool:
    """Return whether this entry has to reply to a challenge of its opponents."""
    return (
        entry_result.challenge is not None
        and not entry_result.is_challenged_by_own_side
        and entry_result.challenge.agreed is None
    )


def _get_challenge_error(link: EntryLink) -> str:
    """Return the reason why the entry cannot challenge a result now; empty if it can."""
    sessions = list(link.entry.event.sessions.filter(state=Session.State.CLOSED))
    for session in sessions:
        try:
            service.check_correction_period(session)
        except ActionUnavailable as error:
            return str(error)
    if sessions:
        return ""
    if link.entry.event.sessions.filter(state=Session.State.OPEN).exists():
        return _("The session is in play. Your results appear here afterwards.")
    return _("The session hasn’t started. Your results appear here afterwards.")
