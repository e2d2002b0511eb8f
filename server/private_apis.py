"""The private names of third-party libraries that the program uses, each with its reason.

A release of a library may change any of them without notice. Nothing else in the program uses
one (`tests/house/test_private_names.py`), and each function has a test that an update of the
library would fail.
"""

import socket
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse


def delete_rows(rows: QuerySet[Any]) -> int:
    """Delete rows in one statement, without signals and without cascading.

    `QuerySet.delete` first collects every row that refers to one of them. A club's archive
    deletes the rows of all tables itself, in the order of their references, and the login log
    refuses `delete`.
    """
    return rows._raw_delete(rows.db)


def user_if_read(request: HttpRequest) -> Any:
    """Return the user of a request if something has read it already, else None.

    Reading `request.user` opens the session, and the response then varies by cookie. A page
    that is the same for everyone must not vary.
    """
    return getattr(request, "_cached_user", None)


def mark_as_logged(response: HttpResponse) -> None:
    """Prevent Django from logging an error response that is already in the log."""
    response._has_been_logged = True  # type: ignore[attr-defined]  # private


def django_request(request: Any) -> HttpRequest:
    """Return Django's request inside one of Django REST framework.

    Functions that serve both pages and the API take Django's; a REST framework request is not
    one.
    """
    found: HttpRequest = request._request
    return found


def listen_also(server: Any, door: socket.socket) -> Any:
    """Make a running waitress server listen at one more socket, with the same threads.

    waitress takes its sockets only at the start; the hall's network is opened later.
    """
    from waitress.server import create_server

    return create_server(
        server.application,
        map=server._map,
        _dispatcher=server.task_dispatcher,
        sockets=[door],
        ident="Overplay",
    )


def pdf_document(canvas: Any) -> Any:
    """Return the document of a ReportLab canvas, into which the tags of a PDF are written."""
    return canvas._doc


def has_pdf_content(canvas: Any) -> bool:
    """Return whether something is drawn on the page of a ReportLab canvas.

    Its public `pageHasData` returns the opposite of its name; a release may correct that.
    """
    return bool(canvas._code)


def restart_pdf_page(canvas: Any) -> None:
    """Remove everything drawn on the page of a ReportLab canvas.

    `showPage`, the public method for a new page, would emit the old page as well.
    """
    canvas._restartAccumulators()
