"""The page that stops the program on a laptop."""

import threading
from _thread import interrupt_main
from collections.abc import Callable

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from server.hall_network import find_hall_network, is_from_this_computer, is_network_open

SHUTDOWN_DELAY_SECONDS = 1.0  # the time that the last response has to reach the browser


def can_stop_program(request: HttpRequest) -> bool:
    """Return whether the program runs on a laptop and the request comes from that laptop."""
    return find_hall_network() is not None and is_from_this_computer(request)


@require_http_methods(["GET", "POST"])
def show_shutdown_page(
    request: HttpRequest, can_access_all_data: Callable[[HttpRequest], bool]
) -> HttpResponse:
    """Show a page that confirms the stop; a POST stops the program.

    Raises PermissionDenied for requests from other computers and for logins refused by
    `can_access_all_data`.
    """
    if not (can_stop_program(request) and can_access_all_data(request)):
        raise PermissionDenied(_("Overplay can only be stopped by its owner, at its computer."))
    if request.method == "POST":
        # This interrupts the server in the main thread, like Ctrl-C.
        threading.Timer(SHUTDOWN_DELAY_SECONDS, interrupt_main).start()
    context = {"stopped": request.method == "POST", "phones": is_network_open()}
    return render(request, "server/stop.html", context)
