"""The director's pages about the phones of the hall: access, the tables' links, and calls."""

from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs import permissions
from clubs.evenings.services import answer_call
from clubs.models import DirectorCall, TableLink
from clubs.views.error_messages import show_errors_as_messages
from hall.phones import services
from hall.phones.calls import format_calls_version, list_waiting_calls
from hall.phones.table_players import map_players_by_table
from printing.qr import create_qr_code
from scoring import page_loaders
from scoring.sheets.table_links import list_table_rows
from server.fragments import HTMX_HEADER
from server.hall_network import (
    LOOPBACK_HOSTS,
    HallNetwork,
    find_base_url,
    find_hall_network,
    find_phone_url,
    is_from_this_computer,
)
from server.logins.passwords import has_no_password_yet
from server.numbers import parse_number_or_zero
from server.safe_redirects import clean_redirect
from tournaments.event_access import EventAccess, find_event_access_by_address


@require_safe
def show_network_addresses(request: HttpRequest) -> HttpResponse:
    """Show the network addresses at which the phones in the hall reach this program."""
    base_url = find_phone_url()
    host_names = [
        host_name
        for host_name in settings.ALLOWED_HOSTS
        if host_name.strip("[]") not in LOOPBACK_HOSTS
    ]
    hall_network = find_hall_network()
    context = {
        "access": _find_origin_event_access(request),
        "door": hall_network,
        "may_shut": is_from_this_computer(request),
        "directs": permissions.list_directed_clubs(request).exists(),
        "home": f"{base_url}/" if base_url else "",
        "code": create_qr_code(f"{base_url}/") if base_url else None,
        "next": clean_redirect(request.GET.get("next", "")),
        "others": [
            f"{phone_url.rstrip('/')}/" for phone_url in list(settings.PHONE_ADDRESSES)[1:]
        ],
        "names": host_names,
    }
    return render(request, "hall/hall.html", context)


@require_safe
def show_network_help(request: HttpRequest) -> HttpResponse:
    """Show three ways to set up a network in a hall that has none."""
    return render(request, "hall/no_wifi.html", {"access": _find_origin_event_access(request)})


def _find_origin_event_access(request: HttpRequest) -> EventAccess | None:
    """Return the event from which the director opened this page, or None."""
    access = find_event_access_by_address(request.GET.get("event", ""))
    if access is None or not permissions.can_direct(request.user, access.event.club):
        return None
    return page_loaders.load_director_event(request, access.address)


@require_POST
def toggle_hall_access(request: HttpRequest) -> HttpResponse:
    """Switch access for the phones in the hall on or off, or detect the network again.

    Once phones can connect, the director is redirected to the page that needs phones.
    """
    hall_network = find_hall_network()
    next_url = clean_redirect(request.POST.get("next", ""))
    if not permissions.list_directed_clubs(request).exists():
        raise PermissionDenied(_("Only a director can connect the phones."))
    if hall_network is None:
        messages.error(request, _("Phones use this server’s own address."))
    elif request.POST.get("act") == "shut":
        if is_from_this_computer(request):
            hall_network.close()
            messages.success(request, _("Phones disconnected."))
        else:
            messages.error(
                request, _("To disconnect phones, use the computer that runs the program.")
            )
    else:
        return _open_hall_access(request, hall_network, next_url)
    return _redirect_to_hall(request, next_url)


def _open_hall_access(
    request: HttpRequest, hall_network: HallNetwork, next_url: str
) -> HttpResponse:
    """Let phones connect, and redirect to the page that needs phones.

    A user without a password must set one first.
    """
    if has_no_password_yet(permissions.get_logged_in_user(request)):
        messages.info(request, _("Set a password before you connect phones."))
        return redirect(_build_url("password_change", next=_build_url("hall", next=next_url)))
    if not hall_network.open():
        messages.error(request, _("No network. Join the room’s Wi-Fi, then try again."))
    elif next_url:
        messages.success(request, _("Phones can connect."))
        return redirect(next_url)
    else:
        messages.success(request, _("Phones can connect with the link below."))
    return _redirect_to_hall(request, next_url)


def _redirect_to_hall(request: HttpRequest, next_url: str) -> HttpResponse:
    access = find_event_access_by_address(request.POST.get("event", ""))
    return redirect(_build_url("hall", event=access.address if access else "", next=next_url))


def _build_url(url_name: str, **parameters: str) -> str:
    """Return the URL of a page, with the non-empty parameters in its query string."""
    query_string = urlencode({name: value for name, value in parameters.items() if value})
    return f"{reverse(url_name)}?{query_string}" if query_string else reverse(url_name)


@require_safe
def show_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables of a session, each with its link."""
    access = page_loaders.load_director_event(request, slug)
    session = page_loaders.load_session(access)
    table_rows = list_table_rows(session)
    sides_by_table = map_players_by_table(session)
    base_url = find_phone_url()
    context = access.context | {
        "session": session,
        "rows": table_rows,
        "tables": [
            (
                table_row,
                sides_by_table.get((table_row.section_letter, table_row.table_number), ()),
            )
            for table_row in table_rows
        ],
        "home": base_url,
        "made": any(table_row.link_id for table_row in table_rows),
        "wanting": any(not table_row.path for table_row in table_rows),
    }
    return render(request, "hall/tables.html", context)


@require_safe
def show_table_qr_code(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show one table's QR code, large enough to scan from the screen."""
    access = page_loaders.load_director_event(request, slug)
    session = page_loaders.load_session(access)
    chosen_row = next(
        (table_row for table_row in list_table_rows(session) if table_row.link_id == pk), None
    )
    if chosen_row is None or not chosen_row.path:
        messages.error(request, _("This table has no QR code."))
        return redirect("tables", slug)
    link_url = find_base_url(request) + chosen_row.path
    context = access.context | {
        "row": chosen_row,
        "sides": map_players_by_table(session).get(
            (chosen_row.section_letter, chosen_row.table_number), ()
        ),
        "address": link_url,
        "code": create_qr_code(link_url),
        "home": find_phone_url(),
    }
    return render(request, "hall/table_code.html", context)


@require_POST
def create_table_links(request: HttpRequest, slug: str) -> HttpResponse:
    """Create the missing links of all tables, or of the requested table."""
    access = page_loaders.load_director_event(request, slug)
    section_text, table_text = request.POST.get("section", ""), request.POST.get("table", "")
    table_key = (
        (parse_number_or_zero(section_text), parse_number_or_zero(table_text))
        if section_text and table_text
        else None
    )
    with show_errors_as_messages(request):
        services.create_table_links(
            session=page_loaders.load_session(access), by=request.user, table_key=table_key
        )
        messages.success(request, _("QR codes created. Print them for the tables."))
    return redirect("tables", slug)


@require_POST
def revoke_table_link(request: HttpRequest, slug: str) -> HttpResponse:
    """Revoke the link of one table."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    link = get_object_or_404(
        TableLink.objects.select_related("evening__session__event__club"),
        evening__session__event=event,
        pk=parse_number_or_zero(request.POST.get("link", "")),
    )
    services.revoke_table_link(link=link, by=request.user)
    messages.success(
        request,
        _("QR code for table %(table)s cancelled.")
        % {"table": services.format_table_label(link)},
    )
    return redirect("tables", slug)


@require_safe
def show_director_calls(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the open calls with their times; open pages poll this list."""
    access = page_loaders.load_scorer_event(request, slug)
    event = access.event
    calls = list_waiting_calls(DirectorCall.objects.filter(evening__session__event=event))
    if HTMX_HEADER in request.headers and request.GET.get("seen") == format_calls_version(
        calls
    ):
        return HttpResponse(status=204)  # no swap, so screen readers do not repeat the list
    context = access.context | {"calls": calls}
    is_partial = HTMX_HEADER in request.headers
    response = render(request, "hall/_calls.html" if is_partial else "hall/calls.html", context)
    patch_vary_headers(response, [HTMX_HEADER])
    return response


@require_POST
def accept_call(request: HttpRequest, slug: str) -> HttpResponse:
    """Record that a director is on the way to a table that called."""
    access = page_loaders.load_scorer_event(request, slug)
    event = access.event
    call = get_object_or_404(
        DirectorCall,
        evening__session__event=event,
        pk=parse_number_or_zero(request.POST.get("call", "")),
    )
    answer_call(call=call, by=request.user)
    if "HX-Request" in request.headers:
        return redirect("calls", slug)
    return redirect("room", slug)
