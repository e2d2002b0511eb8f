"""All uses of private names of third-party libraries, each with the reason.

A library may change these names in any release. Each function therefore has a test that detects
a change.
"""

import socket
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse


def delete_rows(queryset: QuerySet[Any]) -> int:
    """Delete rows in one statement, without signals and without cascading.

    `QuerySet.delete` first loads every row that refers to one of the deleted rows. Club
    archives don't need this, because they delete the rows of all tables in the order of
    references. The login log refuses `delete`.
    """
    return queryset._raw_delete(queryset.db)


def find_loaded_user(request: HttpRequest) -> Any:
    """Return the request's user if something has already loaded it, else None.

    Reading `request.user` opens the session, and then the response varies by cookie. Responses
    that are the same for everyone must not vary.
    """
    return getattr(request, "_cached_user", None)


def mark_as_logged(response: HttpResponse) -> None:
    """Prevent Django from logging an error response that is already in the log."""
    response._has_been_logged = True  # type: ignore[attr-defined]  # private


def to_django_request(request: Any) -> HttpRequest:
    """Return the Django request inside a REST framework request.

    Functions for both pages and the API need a Django request; REST framework's class is not
    one.
    """
    django_request: HttpRequest = request._request
    return django_request


def add_listening_socket(server: Any, listening_socket: socket.socket) -> Any:
    """Make a running waitress server listen at one more socket, with its existing threads.

    waitress takes sockets only at its start, but the hall's network is opened later.
    """
    from waitress.server import create_server

    return create_server(
        server.application,
        map=server._map,
        _dispatcher=server.task_dispatcher,
        sockets=[listening_socket],
        ident="Overplay",
    )


def find_pdf_document(canvas: Any) -> Any:
    """Return the document of a ReportLab canvas, to which the tags of a PDF are added."""
    return canvas._doc


def has_pdf_content(canvas: Any) -> bool:
    """Return whether something was drawn on the current page of a ReportLab canvas.

    Its public `pageHasData` returns the opposite of what its name says.
    """
    return bool(canvas._code)


def restart_pdf_page(canvas: Any) -> None:
    """Remove everything drawn on the current page of a ReportLab canvas.

    The public `showPage` would also add the old page to the document.
    """
    canvas._restartAccumulators()
