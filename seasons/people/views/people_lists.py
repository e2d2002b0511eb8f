"""A list of people from another program: its columns, a trial, then all of it or nothing."""

import csv
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from io import StringIO
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from boards.whist import WhistError
from clubs import access, audit
from clubs.models import Club
from clubs.people.columns import KEYS, columns_of, guessed, head_of
from clubs.people.dates import ORDERS
from clubs.people.limits import MAX_BYTES, NO_VALUE, Row
from clubs.people.tables import read_list
from clubs.people.trial import Trial
from clubs.views.undoing import offer_undo
from tournaments.services.people import import_people, try_people

SEEN = 5
WORDS: dict[str, Promise] = {
    "name": gettext_lazy("name"),
    "first": gettext_lazy("first name"),
    "surname": gettext_lazy("surname"),
    "number": gettext_lazy("number"),
    "kind": gettext_lazy("member, visitor or past"),
    "joined": gettext_lazy("joined"),
    "left": gettext_lazy("left"),
    "email": gettext_lazy("e-mail"),
    "phone": gettext_lazy("telephone"),
}


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column of the list: what it is taken for, and its first cells."""

    number: int
    key: str
    cells: tuple[str, ...]


@require_http_methods(["GET", "POST"])
def people_list(request: HttpRequest) -> HttpResponse:
    """Read a list, show what it would do, and take it at a press."""
    club = access.directed_club(request)
    context: dict[str, Any] = {"club": club, "words": WORDS}
    if request.method == "POST":
        try:
            content = _content(request)
            rows = read_list(content)
            said, order = _said(request, rows), request.POST.get("order", "")
            order = order if order in ORDERS else ""
            context |= {
                "content": b64encode(content).decode(),
                "columns": _columns(rows, said),
                "order": order,
            }
            if "take" in request.POST:
                trial = _take(request, club, content, said, order)
                if not trial.waiting:
                    return redirect("players")
                paste = _remaining(rows, trial)
                waiting = try_people(  # again, so that rows are counted as in the box
                    club=club, content=paste.encode(), said=said, guessing=False, order=order
                )
                context = {"club": club, "waiting": waiting, "paste": paste}
                return render(request, "seasons/people_list.html", context)
            context["trial"] = try_people(
                club=club, content=content, said=said, guessing=False, order=order
            )
        except WhistError as problem:
            context["problems"] = getattr(problem, "problems", None) or [str(problem)]
    status = 400 if context.get("problems") else 200
    return render(request, "seasons/people_list.html", context, status=status)


def _take(
    request: HttpRequest, club: Club, content: bytes, said: dict[str, int], order: str
) -> Trial:
    """Import the list, or its good rows, and offer to undo that."""
    trial: Trial = import_people(
        club=club,
        content=content,
        said=said,
        guessing=False,
        order=order,
        leave_faulty=request.POST["take"] == "good",
        by=request.user,
    )
    if not trial.has_good_rows:
        text = _("Nothing changed. Everyone is in the list.")
        acts = audit.history(club).none()
    else:
        counts = {"new": len(trial.new), "changed": len(trial.changed)}
        text = _("The list is read in: %(new)s new, %(changed)s changed.") % counts
        acts = audit.history(club).filter(action="people.imported")
    offer_undo(request, text, acts, reverse("players"))
    return trial


def _remaining(rows: list[Row], trial: Trial) -> str:
    """The rows that were left out, under their heading, as a paste to correct."""
    head = head_of(rows)
    kept = [*([] if head is None else [rows[head]]), *trial.waiting]
    text = StringIO(newline="")
    csv.writer(text, delimiter="\t").writerows(
        [cell.replace(NO_VALUE, "") for cell in row.cells] for row in kept
    )
    return text.getvalue()


def _content(request: HttpRequest) -> bytes:
    """The list as it was sent: a file, a paste, or what the trial has kept."""
    sent = request.FILES.get("file")
    if sent is not None:
        content = bytes(sent.read(MAX_BYTES + 1))
    elif request.POST.get("content"):
        try:
            content = b64decode(request.POST["content"], validate=True)
        except NotBase64:
            content = b""
    else:
        content = request.POST.get("paste", "").encode()
    return content


def _said(request: HttpRequest, rows: list[Row]) -> dict[str, int]:
    """What the page says of the columns; of one that was not shown yet, nothing."""
    widest = max(len(row.cells) for row in rows)
    chosen = {at: request.POST.get(f"column-{at}", "") for at in range(widest)}
    found = {key: at for at, key in chosen.items() if key in KEYS}
    return found or guessed(rows[head_of(rows) or 0])


def _columns(rows: list[Row], said: dict[str, int]) -> list[ListColumn]:
    try:
        at, _people = columns_of(rows, said, guessing=False)
    except WhistError:
        at = dict(said)
    keys = {column: key for key, column in at.items()}
    widest, first = max(len(row.cells) for row in rows), head_of(rows) or 0
    seen = rows[first : first + SEEN]
    return [
        ListColumn(
            number,
            keys.get(number, ""),
            tuple(row.cells[number] if number < len(row.cells) else "" for row in seen),
        )
        for number in range(widest)
    ]
