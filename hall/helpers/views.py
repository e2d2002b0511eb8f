"""The pages where helpers type hands, and the director's page about their progress."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import hall.helpers.services
from boards.whist import Seat, WhistError
from clubs.views.error_messages import show_errors_as_messages
from hall.helpers.sheets import TypedBoard, build_typed_boards, load_typed_boards
from hall.models import HandLink
from printing.qr import create_qr_code
from scoring import page_loaders
from scoring.session_snapshot import load_session_snapshot
from server.errors import PageNotFound
from server.fragments import redirect_unless_htmx
from server.hall_network import find_base_url, find_phone_url
from tournaments.event_access import EventAccess
from tournaments.models import Session


@login_not_required
@never_cache
@require_safe
def show_hand_typing_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page where a helper chooses the seat whose hands are typed on this phone."""
    link = _get_link(token)
    if not link.is_live(timezone.now()):
        return _show_expired_page(request, link)
    boards = load_typed_boards(link)
    context = _build_link_context(link, token) | {
        "boards": boards,
        "seats": [(seat, _find_next_board(boards, seat, 0)) for seat in Seat],
        "waiting": not any(board.can_be_typed for board in boards),
    }
    return render(request, "hall/typing.html", context)


# CSRF protection is not needed: the secret token in the URL is the only credential, so the
# browser sends no cookie that another site could misuse
@csrf_exempt
@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def edit_typed_hand(request: HttpRequest, token: str, board: int, seat: str) -> HttpResponse:
    """Show the form for one hand of a board; a POST stores it and opens the next board."""
    link, typed_seat = _get_link(token), _parse_seat(seat)
    if not link.is_live(timezone.now()):
        return _show_expired_page(request, link)
    problem = ""
    if request.method == "POST":
        try:
            hall.helpers.services.record_hand(
                link=link,
                board_number=board,
                seat=typed_seat,
                cards_text=request.POST.get("cards", "")[:60],
                turn_up=request.POST.get("turn_up", "")[:4],
                can_replace="again" in request.POST,
            )
        except WhistError as error:
            problem = str(error)
        else:
            return _redirect_to_next_board(link, token, board, typed_seat)
    boards = load_typed_boards(link)
    shown_board = next(
        (typed_board for typed_board in boards if typed_board.board_number == board), None
    )
    if shown_board is None:
        raise PageNotFound(_("Board %(number)s not found.") % {"number": board})
    context = _build_link_context(link, token) | {
        "board": shown_board,
        "seat": typed_seat,
        "is_in": dict(shown_board.hands)[typed_seat] == "in",
        "again": "again" in request.POST or "again" in request.GET,
        "next": _find_next_board(boards, typed_seat, board),
        "typed": request.POST.get("cards", ""),
        "turn_up": request.POST.get("turn_up", ""),
        "problem": problem,
    }
    return render(request, "hall/typing_hand.html", context, status=400 if problem else 200)


@login_not_required
@never_cache
@require_safe
@redirect_unless_htmx("typing")
def show_hand_typing_state(request: HttpRequest, token: str) -> HttpResponse:
    """Return the progress of one board or all boards as an HTML fragment that phones poll."""
    link = _get_link(token)
    if not link.is_live(timezone.now()):
        return _show_expired_page(request, link)
    boards = load_typed_boards(link)
    shown_boards = [
        board for board in boards if str(board.board_number) == request.GET.get("board")
    ]
    template = "hall/_typing_board.html" if shown_boards else "hall/_typing_boards.html"
    context = {
        "token": token,
        "board": shown_boards[0] if shown_boards else None,
        "boards": boards,
    }
    return render(request, template, context)


@require_safe
def show_helpers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the director the helpers' link and their progress."""
    access = page_loaders.load_director_event(request, slug)
    session = page_loaders.load_session(access)
    error_message = ""
    try:
        hall.helpers.services.check_can_type_hands(session)
    except WhistError as error:
        error_message = str(error)
    link = _find_valid_link(session)
    path = link.path if link else ""
    base_url = find_phone_url()
    link_url = find_base_url(request) + path if path else ""
    context = access.context | {
        "session": session,
        "refused": error_message,
        "link": link,
        "address": link_url,
        "code": create_qr_code(link_url) if link_url else None,
        "home": base_url,
        "boards": [] if error_message else _load_progress(session, link),
    }
    return render(request, "hall/helpers.html", context)


@require_safe
@redirect_unless_htmx("helpers")
def show_helpers_state(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the helpers' progress as an HTML fragment that the director's page polls."""
    access = page_loaders.load_director_event(request, slug)
    session = page_loaders.load_session(access)
    context = access.context | {
        "boards": _load_progress(session, _find_valid_link(session)),
    }
    return render(request, "hall/_typing_boards.html", context)


@require_POST
def create_helper_link(request: HttpRequest, slug: str) -> HttpResponse:
    """Create the helpers' link."""
    access = page_loaders.load_director_event(request, slug)
    with show_errors_as_messages(request):
        hall.helpers.services.create_hand_link(
            session=page_loaders.load_session(access),
            are_outsiders="outsiders" in request.POST,
            by=request.user,
        )
    return redirect("helpers", slug)


@require_POST
def revoke_helper_link(request: HttpRequest, slug: str) -> HttpResponse:
    """Revoke the helpers' link."""
    access = page_loaders.load_director_event(request, slug)
    hall.helpers.services.revoke_hand_link(
        session=page_loaders.load_session(access), by=request.user
    )
    messages.success(request, _("Link cancelled. Hands already entered are kept."))
    return redirect("helpers", slug)


def _get_link(token: str) -> HandLink:
    link = hall.helpers.services.find_hand_link(token)
    if link is None:
        raise PageNotFound(_("Page not found. Scan the director’s QR code again."))
    timezone.activate(link.session.event.club.zone)
    return link


def _show_expired_page(request: HttpRequest, link: HandLink) -> HttpResponse:
    detail = _("This link no longer works. Ask the director for a new one.")
    access = EventAccess.for_session(link.session)
    context = access.context | {"detail": detail}
    return render(request, "hall/table_gone.html", context, status=410)


def _parse_seat(seat_letter: str) -> Seat:
    try:
        return Seat(seat_letter)
    except ValueError:
        raise PageNotFound(_("Seat not found.")) from None


def _build_link_context(link: HandLink, token: str) -> dict[str, object]:
    access = EventAccess.for_session(link.session)
    return access.context | {"token": token, "link": link}


def _find_next_board(
    boards: list[TypedBoard], seat: Seat, previous_board_number: int
) -> int | None:
    """Return the next board that needs this seat's hand, starting again after the last."""
    open_board_numbers = [board.board_number for board in boards if board.is_hand_needed(seat)]
    return next(
        (
            board_number
            for board_number in open_board_numbers
            if board_number > previous_board_number
        ),
        next(iter(open_board_numbers), None),
    )


def _redirect_to_next_board(
    link: HandLink, token: str, board_number: int, seat: Seat
) -> HttpResponse:
    """Redirect to the next board, or to the same one if it has an error or no turn-up."""
    boards = load_typed_boards(link)
    current_board = next(
        typed_board for typed_board in boards if typed_board.board_number == board_number
    )
    if current_board.contradictions or current_board.needs_turn_up:
        return redirect("typing_hand", token, board_number, seat.value)
    next_board_number = _find_next_board(boards, seat, board_number)
    if next_board_number is None:
        return redirect(f"{reverse('typing', args=[token])}?done={seat}")
    return redirect("typing_hand", token, next_board_number, seat.value)


def _find_valid_link(session: Session) -> HandLink | None:
    link = session.hand_links.filter(revoked_at=None).first()
    return link if link and link.is_live(timezone.now()) else None


def _load_progress(session: Session, link: HandLink | None) -> list[TypedBoard]:
    return build_typed_boards(
        load_session_snapshot(session), are_outsiders=bool(link and link.are_outsiders)
    )
