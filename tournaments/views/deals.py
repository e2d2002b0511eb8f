"""Pages for the source of a session's boards: dealt, entered, or shuffled at the tables."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from boards import files, solver
from boards.models import BoardSet
from boards.whist import Deal, WhistError
from boards.whist.board_file import NO_TURN_UPS, TurnUpsByBoard, parse_turn_ups
from clubs.views.error_messages import show_errors_as_messages
from server import quotas
from server.fragments import redirect_unless_htmx
from server.numbers import parse_whole_number
from tournaments import event_access, services
from tournaments.board_counts import count_boards, count_missing_boards
from tournaments.event_access import EventAccess
from tournaments.forms import BoardsFileForm, PasteForm
from tournaments.models import Event, Session


@require_http_methods(["GET", "POST"])
def show_deals(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the source of the session's boards (GET), or store pasted or uploaded deals."""
    access = event_access.load_director_event(request, slug)
    input_method = request.POST.get("how", "")
    paste_form = PasteForm(request.POST if input_method == "pasted" else None)
    file_form = (
        BoardsFileForm(request.POST, request.FILES)
        if input_method == "file"
        else BoardsFileForm()
    )
    if not access.event.has_turn_up:
        del file_form.fields["turn_ups"]
    problems: list[str] = []
    if request.method == "POST":
        try:
            deals_by_board, warnings = _read_deals(
                paste_form, file_form, has_turn_up=access.event.has_turn_up
            )
            if deals_by_board:
                _save_deals(request, access, deals_by_board, input_method)
                for warning in warnings:
                    messages.warning(request, warning)
                return redirect("deals", slug)
            problems = warnings
        except WhistError as error:
            problems = str(error).splitlines()
    return _render_page(request, access, paste_form, file_form, problems)


@require_POST
def deal_boards(request: HttpRequest, slug: str) -> HttpResponse:
    """Request the dealing of the boards: the first set, a new set, or again after a failure."""
    access = event_access.load_director_event(request, slug)
    session, by = event_access.load_session(access), request.user
    should_seal_boards = "sealed" in request.POST
    seen_board_set_ordinal = parse_whole_number(request.POST.get("anew"))
    with show_errors_as_messages(request):
        if seen_board_set_ordinal is not None:
            services.redeal_boards(
                session=session,
                seen_board_set_ordinal=seen_board_set_ordinal,
                should_use_public_value=should_seal_boards,
                by=by,
            )
        else:
            services.request_dealing(
                session=session, should_use_public_value=should_seal_boards, by=by
            )
    return redirect("deals", slug)


@require_POST
def save_public_value(request: HttpRequest, slug: str) -> HttpResponse:
    """Store the public value that became known after the sealing, and deal the boards."""
    access = event_access.load_director_event(request, slug)
    with show_errors_as_messages(request):
        services.record_public_value(
            session=event_access.load_session(access),
            public_value=request.POST.get("value", "")[:200],
            by=request.user,
        )
    return redirect("deals", slug)


@require_POST
def choose_table_shuffling(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the players shuffle and deal at the tables; no hands are recorded."""
    access = event_access.load_director_event(request, slug)
    with show_errors_as_messages(request):
        services.set_table_shuffling(session=event_access.load_session(access), by=request.user)
    return redirect("deals", slug)


@require_POST
def save_trumps(request: HttpRequest, slug: str) -> HttpResponse:
    """Set how trumps are determined: turned up, or declared if every player agrees."""
    access = event_access.load_director_event(request, slug)
    with show_errors_as_messages(request):
        services.set_trumps(
            event=access.event,
            trumps=request.POST.get("trumps", ""),
            is_agreed="agreed" in request.POST,
            by=request.user,
        )
        messages.success(request, _("Trumps saved."))
    return redirect("deals", slug)


@require_POST
def save_second_play(request: HttpRequest, slug: str) -> HttpResponse:
    """Set whether the second play of a memory duplicate has other trump suits."""
    access = event_access.load_director_event(request, slug)
    with show_errors_as_messages(request):
        event = services.set_second_play(
            event=access.event,
            other_suits="other_suits" in request.POST,
            by=request.user,
        )
        message = (
            _("The second play now uses other suits.")
            if event.other_suits
            else _("The second play now uses the same suits.")
        )
        messages.success(request, message)
    return redirect("deals", slug)


@require_safe
@redirect_unless_htmx("deals")
def show_dealing_status(request: HttpRequest, slug: str) -> HttpResponse:
    """Render the progress of the dealing, which the page polls until it is done."""
    access = event_access.load_director_event(request, slug)
    session = event_access.load_session(access)
    context = access.context | {
        "board_set": session.board_set,
        "session": session,
    }
    response = render(request, "tournaments/_board_set.html", context)
    if not _is_being_dealt(session.board_set):
        response["HX-Refresh"] = "true"  # reload: the rest of the page shows the next steps
    return response


def _is_being_dealt(board_set: BoardSet | None) -> bool:
    """Return whether a worker is dealing the set, which blocks all other actions."""
    if board_set is None or board_set.is_waiting_for_public_value:
        return False
    return board_set.state in (BoardSet.State.WAITING, BoardSet.State.DEALING)


def _read_deals(
    paste_form: PasteForm, file_form: BoardsFileForm, *, has_turn_up: bool
) -> tuple[Mapping[int, Deal], list[str]]:
    turn_ups: TurnUpsByBoard
    if paste_form.is_bound and paste_form.is_valid():
        turn_ups = NO_TURN_UPS if has_turn_up else None
        board_file = files.read_boards(
            paste_form.cleaned_data["text"].encode(), missing_turn_ups=turn_ups
        )
    elif file_form.is_bound and file_form.is_valid():
        typed_turn_ups = file_form.cleaned_data.get("turn_ups", "")
        turn_ups = parse_turn_ups(typed_turn_ups) if has_turn_up else None
        board_file = files.read_boards(file_form.read_content(), missing_turn_ups=turn_ups)
    else:
        return {}, []
    return board_file.deals_by_board, list(board_file.warnings)


def _save_deals(
    request: HttpRequest,
    access: EventAccess,
    deals_by_board: Mapping[int, Deal],
    input_method: str,
) -> None:
    source = BoardSet.Source.TYPED if input_method == "pasted" else BoardSet.Source.IMPORTED
    services.import_deals(
        session=event_access.load_session(access),
        deals_by_board=deals_by_board,
        source=source,
        by=request.user,
    )
    message = ngettext("%(count)s deal saved.", "%(count)s deals saved.", len(deals_by_board))
    messages.success(request, message % {"count": len(deals_by_board)})


def _count_analysed_boards(board_set: BoardSet | None) -> int:
    if board_set is None or not board_set.wants_tables:
        return 0
    return board_set.boards.current().exclude(table="").count()


def _explain_analysis_delay(session: Session, analysed_count: int) -> str:
    """Return the reason why best play is not computed for every suit today, or ""."""
    board_set = session.board_set
    if board_set is None or not board_set.wants_tables or analysed_count >= board_set.made:
        return ""
    is_quota_reached = quotas.is_quota_reached(quotas.ANALYSIS_QUOTA, session.event.club_id)
    return quotas.explain_analysis_limit() if is_quota_reached else ""


def _format_missing_boards_message(session: Session) -> str:
    """Return a warning if the movement now needs more boards than were dealt, else ""."""
    missing_board_count = count_missing_boards(session)
    if not missing_board_count or session.board_set is None:
        return ""
    if session.board_set.is_sealed:
        message = ngettext(
            "The last board is shuffled at the tables.",
            "The last %(short)s boards are shuffled at the tables.",
            missing_board_count,
        )
    else:
        message = ngettext(
            "%(short)s more board needed. Deal again.",
            "%(short)s more boards needed. Deal again.",
            missing_board_count,
        )
    return message % {"short": missing_board_count}


def _render_page(
    request: HttpRequest,
    access: EventAccess,
    paste_form: PasteForm,
    file_form: BoardsFileForm,
    problems: list[str],
) -> HttpResponse:
    session = event_access.load_session(access)
    has_seating = session.sections.exists()
    analysed_count = _count_analysed_boards(session.board_set)
    context = access.context | {
        "session": session,
        "board_set": session.board_set,
        "dealing": _is_being_dealt(session.board_set),
        "boards_needed": count_boards(session) if has_seating else 0,
        "tables_found": analysed_count,
        "rests": _explain_analysis_delay(session, analysed_count),
        "solver_missing": solver.get_missing_solver_message(),
        "paste_form": paste_form,
        "file_form": file_form,
        "problems": problems,
        "trumps": Event.Trumps.choices,
        "locked_text": _format_missing_boards_message(session),
    }
    return render(request, "tournaments/deals.html", context, status=400 if problems else 200)
