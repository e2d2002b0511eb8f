"""Papers: ordered, made by the worker, downloaded when ready."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

import scoring.services
from boards.whist import WhistError
from clubs import access
from scoring import visits
from scoring.models import Paper
from scoring.papers import PAPERS
from scoring.papers.freshness import for_the_tables, out_of_date
from scoring.secrecy import paper_may_be_made
from server.door import phone_address
from tournaments.models import Event, Session


@require_safe
def papers(request: HttpRequest, slug: str) -> HttpResponse:
    """What can be printed, and what has been made."""
    event = visits.director_event(request, slug)
    context = {
        "event": event,
        "groups": _groups(event),
        "papers": _made(event),
        "all_of_them": [_title(kind) for kind in for_the_tables(event.session_in_hand)],
        "is_over": event.state_here == Session.State.CLOSED,
        "is_to_come": event.state_here == Session.State.PLANNED,
    }
    return render(request, "scoring/papers.html", context)


@require_safe
def papers_status(request: HttpRequest, slug: str) -> HttpResponse:
    """The list of papers alone: a fragment asked for until all are made."""
    event = visits.director_event(request, slug)
    return render(request, "scoring/_papers.html", {"event": event, "papers": _made(event)})


@require_POST
def paper_order(request: HttpRequest, slug: str) -> HttpResponse:
    """Order one paper, or all that belong to the time before play."""
    event = visits.director_event(request, slug)
    kind = request.POST.get("kind", "")
    if request.POST.get("suits") == "four":
        kind += FOUR
    size = request.POST.get("size") or event.paper_size
    session = visits.session_of(event)
    try:
        for each in for_the_tables(session) if kind == "all" else (kind,):
            scoring.services.order_paper(session=session, kind=each, size=size, by=request.user)
    except WhistError as refused:
        messages.error(request, str(refused))
    return redirect("papers", slug)


@require_safe
def paper(request: HttpRequest, pk: int) -> FileResponse:
    """Hand a paper out to a director of its club."""
    found = get_object_or_404(Paper.objects.select_related("session__event__club"), pk=pk)
    if not access.may_direct(request.user, found.session.event.club):
        raise PermissionDenied(_("This paper belongs to another club."))
    if found.state != Paper.State.READY:
        raise Http404(_("This paper is not ready."))
    if not paper_may_be_made(found.session, found.kind):
        raise Http404(_("This paper shows the hands, so it opens when the session is closed."))
    try:
        content = found.file.open("rb")
    except FileNotFoundError as error:
        raise Http404(_("The file of this paper is gone. Order it again.")) from error
    name = f"{found.session.event.slug}-{found.kind}.pdf"
    return FileResponse(content, filename=name, content_type="application/pdf")


FOUR = "_four"  # ends the kind of a paper that is printed in four colours
MEMORY_ALONE = ("memory_cards", "result_card")
AFTER_PLAY = ("ranking", "recap")
OF_THE_TRAYS = ("trump_slips", "tray_labels", "curtain_cards", "machine_list", "memory_cards")
OF_THE_RESULTS = (*AFTER_PLAY, "explanations", "hand_records", "result_card", "entry_links")
OF_THE_PHONES = ("table_links", "entry_links")


def _groups(event: Event) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """What can be printed, by when it is wanted: once play is over the results come first."""
    kinds = _kinds(event)
    trays = [kind for kind in kinds if kind[0] in OF_THE_TRAYS]
    results = [kind for name in OF_THE_RESULTS for kind in kinds if kind[0] == name]
    tables = [kind for kind in kinds if kind not in (*trays, *results)]
    groups = [
        (_("For the tables"), tables),
        (_("For the trays"), trays),
        (_("The results"), results),
    ]
    return groups[2:] + groups[:2] if event.state_here == Session.State.CLOSED else groups


def _kinds(event: Event) -> list[tuple[str, str, str]]:
    words = {
        "travellers": _("One slip a board, four to a page: it goes round with the board."),
        "guide_cards": _("One card a table: who comes in each round, and with which boards."),
        "pair_guides": _("One card each: where to sit in each round, and with which boards."),
        "door_list": _("Everybody by name, with the number and the first table, for the door."),
        "wall_sheet": _("The whole movement on one sheet, to hang up in the room."),
        "announcement": _("How everybody moves, in large type, to be read out."),
        "score_slips": _("One slip each, to keep their own score."),
        "trump_slips": _(
            "One slip a board for the trump card; it lies in the tray, face down."
        ),
        "tray_labels": _("For the trays: number, dealer, and an arrow to the room's North."),
        "curtain_cards": _("One card a hand, to lie in its pocket or to put cards right."),
        "machine_list": _("For the dealing machine: dealer and turn-up. It tells cards."),
        "memory_cards": _("One card a player and board, to keep until the second play."),
        "result_card": _("A line a hand: tricks over six of both plays, and the gain."),
        "hand_records": _("Every board's cards, six to a page, after the session."),
        "table_links": _("One card a table with a code that opens the table's page."),
        "entry_links": _("One slip each with a code: their own results, and what is wrong."),
        "ranking": _("The standings, to hang up or to read out."),
        "recap": _("Everybody's tricks on every board, on one grid."),
        "explanations": _figures_text(event),
    }
    left_out = () if event.contest == Event.Contest.MEMORY else MEMORY_ALONE
    return [
        (key, str(kind.title), words.get(key, ""))
        for key, kind in PAPERS.items()
        if key not in left_out and not key.endswith(FOUR)
    ]


def _figures_text(event: Event) -> str:
    """Warn of how much paper everybody's figures take."""
    sheets = event.entries.count()
    return ngettext(
        "Everybody's figures with the arithmetic behind them: %(sheets)s sheet at least.",
        "Everybody's figures with the arithmetic behind them: %(sheets)s sheets at least.",
        sheets,
    ) % {"sheets": sheets}


def _made(event: Event) -> list[dict[str, object]]:
    session = event.session_in_hand
    rows = list(Paper.objects.filter(session=session)[:40])
    kinds = {row.kind for row in rows}
    hidden = {kind for kind in kinds if not paper_may_be_made(session, kind)}  # rules D2
    old = out_of_date(session, rows)
    return [
        _shown(row, row.kind in hidden, old.get(row.pk, "")) | {"cure": _cure(event, row)}
        for row in rows
    ]


def _cure(event: Event, row: Paper) -> dict[str, str] | None:
    """The page on which what a failed paper lacked is put right."""
    if row.state != Paper.State.FAILED or row.kind not in OF_THE_PHONES:
        return None
    if not phone_address():
        return {"url": reverse("hall"), "text": _("Let phones in")}
    if row.kind == "table_links":
        return {"url": reverse("tables", args=[event.address]), "text": _("Make the links")}
    return {"url": reverse("challenges", args=[event.address]), "text": _("Make the addresses")}


def _shown(row: Paper, is_hidden: bool, old: str) -> dict[str, object]:
    is_ready = row.state == Paper.State.READY
    return {
        "id": row.pk,
        "kind": row.kind,
        "title": _title(row.kind),
        "size": row.size,
        "state": row.state,
        "state_text": row.get_state_display(),
        "error": row.error,
        "url": reverse("paper", args=[row.pk]) if is_ready and not is_hidden else "",
        "waits": is_ready and is_hidden,
        "made_at": row.made_at,
        "old": old,
    }


def _title(kind: str) -> str:
    return str(PAPERS[kind].title) if kind in PAPERS else kind
