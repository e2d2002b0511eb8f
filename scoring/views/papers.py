"""Pages on which a director orders papers, and downloads them when they are printed."""

from collections.abc import Mapping, Sequence

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import scoring.services
from clubs import audit, permissions
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import offer_undo
from printing.kinds import PaperGroup, PaperKind, list_main_kinds
from printing.paper import Size
from scoring import page_loaders
from scoring.models import Paper
from scoring.papers import get_paper_kind_title, get_paper_kinds, pack, paper_files
from scoring.papers.outdated_papers import describe_outdated_papers, list_needed_papers
from scoring.papers.pack import PaperSet
from scoring.papers.waits import describe_required_step, describe_required_steps
from scoring.secrecy import can_print_paper
from scoring.services.events import build_edit_arguments
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from server.errors import PageNotFound, PageNotReady
from server.fragments import redirect_unless_htmx
from server.hall_network import find_phone_url
from server.numbers import parse_number_or_zero
from tournaments.event_access import EventAccess
from tournaments.models import Event, Session


@require_safe
def show_papers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the papers that can be ordered, and those that were made."""
    access = page_loaders.load_director_event(request, slug)
    single_paper_kinds = [
        paper_kind
        for paper_kind in get_paper_kinds().values()
        if paper_kind.name not in PAPER_SET_KINDS
    ]
    groups_and_choices = _list_offered_papers(
        access, single_paper_kinds, describe_required_steps(access.session, single_paper_kinds)
    )
    context = _build_finished_papers_context(request, access) | {
        "groups": groups_and_choices,
        "locked": [
            paper_choice_data
            for _label, group_choices in groups_and_choices
            for paper_choice_data in group_choices
            if paper_choice_data["waits"]
        ],
        "sizes": Event.PaperSize.values,
        "is_to_come": access.state == Session.State.PLANNED,
        "lacks_movement": not access.session.sections.exists(),
    }
    return render(request, "scoring/papers.html", context)


@require_safe
@redirect_unless_htmx("papers")
def show_papers_status(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the pack and the list of papers; a fragment that is polled until all are made."""
    access = page_loaders.load_director_event(request, slug)
    return render(
        request, "scoring/_papers.html", _build_finished_papers_context(request, access)
    )


def _build_finished_papers_context(
    request: HttpRequest, access: EventAccess
) -> dict[str, object]:
    """Return the template context of the papers that were made.

    The query parameter `wanted` is the primary key of the paper for which the page waits.
    """
    papers_data = _list_finished_papers(access)
    latest_paper_sets = [
        paper_data for paper_data in papers_data if paper_data["kind"] in PAPER_SET_KINDS
    ][:1]
    awaited_paper_id = parse_number_or_zero(request.GET.get("wanted", ""))
    return access.context | {
        "papers": [
            paper_data
            for paper_data in papers_data
            if paper_data["kind"] not in PAPER_SET_KINDS
        ],
        "packs": latest_paper_sets,
        "pack": _build_paper_set_context(
            access,
            is_outdated=any(paper_set_data["old"] for paper_set_data in latest_paper_sets),
        ),
        "wanted": next(
            (paper_data for paper_data in papers_data if paper_data["id"] == awaited_paper_id),
            None,
        ),
    }


@require_POST
def order_one_paper(request: HttpRequest, slug: str) -> HttpResponse:
    """Order one paper; the page downloads it as soon as it is made."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    kind_name = _parse_ordered_kind(request)
    paper_size = request.POST.get("size") or event.paper_size
    session = page_loaders.load_session(access)
    with show_errors_as_messages(request):
        paper = scoring.services.order_paper(
            session=session, kind=kind_name, size=paper_size, by=request.user
        )
        return redirect(f"{reverse('papers', args=[slug])}?wanted={paper.pk}")
    return redirect("papers", slug)


@require_POST
def set_paper_size(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the paper size of an event."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    paper_size = request.POST.get("size", "")
    if paper_size not in Event.PaperSize.values:
        messages.error(request, _("Paper size must be A4 or Letter."))
        return redirect("papers", slug)
    edit_arguments = build_edit_arguments(event) | {"paper_size": paper_size}
    scoring.services.edit_event(event=event, by=request.user, **edit_arguments)
    message = _("Paper size is now %(size)s.") % {"size": paper_size}
    acts = audit.list_acts(event).filter(action="event.changed")
    offer_undo(request, message, acts, reverse("papers", args=[access.address]))
    return redirect("papers", slug)


@require_safe
def download_paper(request: HttpRequest, pk: int) -> FileResponse:
    """Return a paper's file to a director of its club."""
    paper = get_object_or_404(Paper.objects.select_related("session__event__club"), pk=pk)
    if not permissions.can_direct(request.user, paper.session.event.club):
        raise PermissionDenied(_("This paper belongs to another club."))
    return create_paper_response(paper)


PAPER_SET_KINDS = (pack.PAPER_PACK_KIND_NAME, pack.CHANGED_SHEETS_KIND_NAME)
MAX_TABLES_TO_COUNT_SHEETS = 16
"""In a larger hall, a request does not draw the pack to count the changed sheets."""


def create_paper_response(paper: Paper) -> FileResponse:
    """Return a paper's file; raise unless it is ready and its contents may be seen."""
    if paper.state != Paper.State.READY:
        raise PageNotReady(_("This paper is not ready."))
    if not _can_download(paper.session, paper.kind):
        raise PageNotReady(
            _("This paper shows the hands. You can open it after the session is closed.")
        )
    try:
        pdf_file = paper.file.open("rb")
    except FileNotFoundError as error:
        raise PageNotFound(_("This paper’s file is gone. Print it again.")) from error
    file_name = f"{paper.session.event.slug}-{paper.kind}.pdf"
    return FileResponse(pdf_file, filename=file_name, content_type="application/pdf")


def _parse_ordered_kind(request: HttpRequest) -> str:
    """Return the name of the ordered kind of paper, or of the variant chosen in its form."""
    kind_name = request.POST.get("kind", "")
    paper_kind = get_paper_kinds().get(kind_name)
    if paper_kind is None or paper_kind.choice is None:
        return kind_name
    return paper_kind.choice.find_kind_name(
        request.POST.get(paper_kind.choice.field_name, ""), kind_name
    )


def _list_offered_papers(
    access: EventAccess,
    single_paper_kinds: Sequence[PaperKind],
    required_step_by_kind: Mapping[str, str],
) -> list[tuple[str, list[dict[str, object]]]]:
    """Return (title of the group, papers) for the papers that can be ordered one by one.

    After play, the group of results comes first.
    """
    event = access.event
    offered_kinds = [
        paper_kind
        for paper_kind in list_main_kinds(tuple(single_paper_kinds))
        if paper_kind.is_offered(event)
    ]
    is_over = access.state == Session.State.CLOSED
    return [
        (
            str(paper_group.label),
            [
                _build_paper_choice(access, paper_kind, required_step_by_kind[paper_kind.name])
                for paper_kind in offered_kinds
                if paper_kind.group is paper_group
            ],
        )
        for paper_group in sorted(
            PaperGroup,
            key=lambda paper_group: is_over and paper_group is not PaperGroup.RESULTS,
        )
    ]


def _build_paper_choice(
    access: EventAccess, paper_kind: PaperKind, required_step: str
) -> dict[str, object]:
    """Return the template data of a kind of paper.

    `required_step` is the reason why the paper cannot be made yet, or ""; "cure" is then a link
    to the page that helps.
    """
    return {
        "kind": paper_kind,
        "text": paper_kind.describe_purpose(access.event),
        "waits": required_step,
        "cure": _find_links_page(access, paper_kind) if required_step else None,
    }


def _build_paper_set_context(
    access: EventAccess, *, is_outdated: bool
) -> dict[str, object] | None:
    """Return the template context of the pack: the papers of a session in one file.

    It has the number of sheets for each spot of the hall, and the papers that are not in the
    pack yet. If the last pack `is_outdated`, it also has the number of sheets to print again.
    """
    session = access.session
    if access.state == Session.State.CLOSED:
        return None
    snapshot = load_session_snapshot(session)
    if not snapshot.sections:
        return None
    paper_set_kinds = pack.select_paper_set_kinds(
        access.event, get_paper_kinds().values(), list_needed_papers(snapshot)
    )
    paper_set = pack.build_paper_set(snapshot, paper_set_kinds)
    paper_size: Size = "Letter" if access.event.paper_size == "Letter" else "A4"
    sheet_counts = pack.count_sheets_by_place(paper_set, paper_size=paper_size)
    included_kinds = [paper_kind for paper_kind, _sheet in paper_set.kinds_and_sheets]
    return {
        "kind": pack.PAPER_PACK_KIND_NAME,
        "changed": pack.CHANGED_SHEETS_KIND_NAME,
        "sheets": sum(sheet_count for _place_of_use, sheet_count in sheet_counts),
        "spots": [
            (
                place_of_use.label,
                sheet_count,
                [
                    str(paper_kind.title)
                    for paper_kind in included_kinds
                    if paper_kind.place_of_use is place_of_use
                ],
            )
            for place_of_use, sheet_count in sheet_counts
        ],
        "differ": _count_sheets_to_print(snapshot, paper_set, paper_size)
        if is_outdated
        else None,
        "waiting": [
            (paper_kind.title, describe_required_step(session, paper_kind))
            for paper_kind in paper_set_kinds
            if paper_kind not in included_kinds
        ],
    }


def _count_sheets_to_print(
    snapshot: SessionSnapshot, new_paper_set: PaperSet, paper_size: Size
) -> int | None:
    """Count the sheets to print again; None without a pack, or in a large hall.

    The sheets must be drawn to be compared. This is too slow with many tables.
    """
    last_paper_set = pack.find_last_paper_set(snapshot.session)
    if last_paper_set is None or len(snapshot.rounds_by_table) > MAX_TABLES_TO_COUNT_SHEETS:
        return None
    return paper_files.count_changed_sheets(
        snapshot.session,
        pack.omit_printed_sheets(new_paper_set, last_paper_set),
        paper_size=paper_size,
    )


def _list_finished_papers(access: EventAccess) -> list[dict[str, object]]:
    session = access.session
    papers = list(Paper.objects.filter(session=session)[:40])
    ordered_kinds = {paper.kind for paper in papers}
    # Papers with hands stay hidden until the session is closed (rules D2).
    hidden_kinds = {
        kind_name for kind_name in ordered_kinds if not _can_download(session, kind_name)
    }
    outdated_texts = describe_outdated_papers(session, papers)
    return [
        _build_paper_row(paper, paper.kind in hidden_kinds, outdated_texts.get(paper.pk, ""))
        | {"cure": _find_missing_data_page(access, paper)}
        for paper in papers
    ]


def _find_missing_data_page(access: EventAccess, paper: Paper) -> dict[str, str] | None:
    """Return the link to the page where the missing data of a failed paper can be entered."""
    paper_kind = get_paper_kinds().get(paper.kind)
    if paper.state != Paper.State.FAILED or paper_kind is None:
        return None
    return _find_links_page(access, paper_kind)


def _find_links_page(access: EventAccess, paper_kind: PaperKind) -> dict[str, str] | None:
    """Return the link to the page where the links printed on a paper are created."""
    if paper_kind.links_page is None:
        return None
    if not find_phone_url():
        return {"url": reverse("hall"), "text": _("Connect phones")}
    page = paper_kind.links_page
    return {"url": reverse(page.url_name, args=[access.address]), "text": str(page.text)}


def _build_paper_row(paper: Paper, is_hidden: bool, outdated_reason: str) -> dict[str, object]:
    is_ready = paper.state == Paper.State.READY
    return {
        "id": paper.pk,
        "kind": paper.kind,
        "title": get_paper_kind_title(paper.kind),
        "size": paper.size,
        "state": paper.state,
        "state_text": paper.get_state_display(),
        "error": paper.error,
        "is_under_way": paper.state in (Paper.State.WAITING, Paper.State.RENDERING),
        "url": reverse("paper", args=[paper.pk]) if is_ready and not is_hidden else "",
        "waits": is_ready and is_hidden,
        "made_at": paper.made_at,
        "old": outdated_reason,
    }


def _can_download(session: Session, kind_name: str) -> bool:
    """Return whether a paper may be downloaded now; never if its kind no longer exists."""
    paper_kind = get_paper_kinds().get(kind_name)
    return paper_kind is not None and can_print_paper(session, paper_kind)
