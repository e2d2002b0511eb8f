"""Papers: ordered, made by the worker, downloaded when ready."""

from collections.abc import Collection, Mapping

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import scoring.services
from boards.whist import WhistError
from clubs import access
from printing.kinds import Group, PaperKind, listed
from printing.paper import Size
from scoring import visits
from scoring.models import Paper
from scoring.papers import kinds, pack, title_of
from scoring.papers.freshness import for_the_tables, out_of_date
from scoring.papers.timing import waits_for, waits_for_each
from scoring.secrecy import paper_may_be_made
from scoring.sittings import read_sittings
from server.door import phone_address
from server.parts import part_of
from server.refusals import Missing, NotYet
from tournaments.models import Session
from tournaments.visits import Visit


@require_safe
def papers(request: HttpRequest, slug: str) -> HttpResponse:
    """What can be printed, and what has been made."""
    visit = visits.director_event(request, slug)
    event, needed = visit.event, for_the_tables(visit.session)
    context = {
        "visit": visit,
        "event": event,
        "groups": _groups(visit, waits_for_each(visit.session, kinds().values())),
        "papers": _made(visit),
        "pack": _pack(visit, needed),
        "all_of_them": [title_of(kind) for kind in needed],
        "is_over": visit.state == Session.State.CLOSED,
        "is_to_come": visit.state == Session.State.PLANNED,
    }
    return render(request, "scoring/papers.html", context)


@require_safe
@part_of("papers")
def papers_status(request: HttpRequest, slug: str) -> HttpResponse:
    """The list of papers alone: a fragment asked for until all are made."""
    visit = visits.director_event(request, slug)
    event = visit.event
    return render(
        request,
        "scoring/_papers.html",
        {"visit": visit, "event": event, "papers": _made(visit)},
    )


@require_POST
def paper_order(request: HttpRequest, slug: str) -> HttpResponse:
    """Order one paper, or all that belong to the time before play."""
    visit = visits.director_event(request, slug)
    event = visit.event
    kind = _ordered(request)
    size = request.POST.get("size") or event.paper_size
    session = visits.session_of(visit)
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
    return handed_out(found)


def handed_out(found: Paper) -> FileResponse:
    """Answer with a paper's file; not before it is ready, nor while it tells too much."""
    if found.state != Paper.State.READY:
        raise NotYet(_("This paper is not ready."))
    if not _may_be_seen(found.session, found.kind):
        raise NotYet(_("This paper shows the hands, so it opens when the session is closed."))
    try:
        content = found.file.open("rb")
    except FileNotFoundError as error:
        raise Missing(_("The file of this paper is gone. Order it again.")) from error
    name = f"{found.session.event.slug}-{found.kind}.pdf"
    return FileResponse(content, filename=name, content_type="application/pdf")


def _ordered(request: HttpRequest) -> str:
    """The name of the kind that a form asks for, after the answer that its choice was given."""
    name = request.POST.get("kind", "")
    kind = kinds().get(name)
    if kind is None or kind.choice is None:
        return name
    return kind.choice.kind(request.POST.get(kind.choice.field, ""), name)


def _groups(
    visit: Visit, waits: Mapping[str, str]
) -> list[tuple[str, list[dict[str, object]]]]:
    """What can be printed, by what it is for: once play is over the results come first."""
    event = visit.event
    fitting = [kind for kind in listed(tuple(kinds().values())) if kind.fits(event)]
    is_over = visit.state == Session.State.CLOSED
    return [
        (
            str(group.label),
            [
                _offered(visit, kind, waits[kind.name])
                for kind in fitting
                if kind.group is group
            ],
        )
        for group in sorted(Group, key=lambda group: is_over and group is not Group.RESULTS)
    ]


def _offered(visit: Visit, kind: PaperKind, waits: str) -> dict[str, object]:
    """A kind of paper in the list: what it is for, or what it waits for and where that is."""
    return {
        "kind": kind,
        "text": kind.told(visit.event),
        "waits": waits,
        "cure": _page_of(visit, kind) if waits else None,
    }


def _pack(visit: Visit, needed: Collection[str]) -> dict[str, object] | None:
    """How many sheets the pack takes, and which papers are not in it yet."""
    session = visit.session
    if visit.state == Session.State.CLOSED:
        return None
    room = read_sittings(session)
    if not room.sections:
        return None
    wanted = pack.laid_out(visit.event, kinds().values(), needed)
    found = pack.packed(room, wanted)
    size: Size = "Letter" if visit.event.paper_size == "Letter" else "A4"
    sheets = pack.counted(found, size=size)
    packed = [kind for kind, _sheet in found.papers]
    return {
        "sheets": sum(count for _spot, count in sheets),
        "spots": [(spot.label, count) for spot, count in sheets],
        "papers": [str(kind.title) for kind in packed],
        "waiting": [
            (kind.title, waits_for(session, kind)) for kind in wanted if kind not in packed
        ],
    }


def _made(visit: Visit) -> list[dict[str, object]]:
    session = visit.session
    rows = list(Paper.objects.filter(session=session)[:40])
    ordered = {row.kind for row in rows}
    hidden = {name for name in ordered if not _may_be_seen(session, name)}  # rules D2
    old = out_of_date(session, rows)
    return [
        _shown(row, row.kind in hidden, old.get(row.pk, "")) | {"cure": _cure(visit, row)}
        for row in rows
    ]


def _cure(visit: Visit, row: Paper) -> dict[str, str] | None:
    """The page on which what a failed paper lacked is put right."""
    kind = kinds().get(row.kind)
    if row.state != Paper.State.FAILED or kind is None:
        return None
    return _page_of(visit, kind)


def _page_of(visit: Visit, kind: PaperKind) -> dict[str, str] | None:
    """The page on which the addresses are made that a paper prints."""
    if kind.addresses is None:
        return None
    if not phone_address():
        return {"url": reverse("hall"), "text": _("Let phones in")}
    page = kind.addresses
    return {"url": reverse(page.view, args=[visit.address]), "text": str(page.text)}


def _shown(row: Paper, is_hidden: bool, old: str) -> dict[str, object]:
    is_ready = row.state == Paper.State.READY
    return {
        "id": row.pk,
        "kind": row.kind,
        "title": title_of(row.kind),
        "size": row.size,
        "state": row.state,
        "state_text": row.get_state_display(),
        "error": row.error,
        "url": reverse("paper", args=[row.pk]) if is_ready and not is_hidden else "",
        "waits": is_ready and is_hidden,
        "made_at": row.made_at,
        "old": old,
    }


def _may_be_seen(session: Session, name: str) -> bool:
    """Whether a paper may be handed out now; one that nobody knows any more may not."""
    kind = kinds().get(name)
    return kind is not None and paper_may_be_made(session, kind)
