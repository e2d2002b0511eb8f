"""The page on which a director enters the cards of one board after play.

Three hands are enough, because the fourth is computed.
"""

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

import tournaments.services
from boards.models import BoardSet
from boards.whist import Card, Deal, InvalidDeal, Seat, WhistError
from boards.whist.notation import read_deal
from scoring import page_loaders
from server.errors import PageNotFound
from tournaments.board_counts import count_boards
from tournaments.event_access import EventAccess
from tournaments.models import Session


@require_http_methods(["GET", "POST"])
def enter_deal(request: HttpRequest, slug: str, board_number: int) -> HttpResponse:
    """Show the form for the hands of one board, and save it.

    Replaced hands stay in the database; this page doesn't show them.
    """
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    session = page_loaders.load_session(access)
    if not session.sections.exists() or board_number not in range(1, count_boards(session) + 1):
        raise PageNotFound(
            _("Board %(number)s not found in this session.") % {"number": board_number}
        )
    dealer = session.load_dealers([board_number])[board_number]
    problems: list[str] = []
    if request.method == "POST":
        try:
            deal = _parse_deal(request.POST, dealer, has_turn_up=event.has_turn_up)
            tournaments.services.import_deals(
                session=session,
                deals_by_board={board_number: deal},
                source=BoardSet.Source.TYPED,
                by=request.user,
            )
        except WhistError as error:
            problems = [str(error)]
        else:
            messages.success(request, _("Board %(number)s saved.") % {"number": board_number})
            return redirect(_get_next_url(access, session, board_number))
    context = access.context | {
        "number": board_number,
        "dealer": dealer,
        "seats": [(seat, request.POST.get(f"hand{seat}", "")) for seat in Seat],
        "turn_up": request.POST.get("turn_up", ""),
        "problems": problems,
        "known": board_number in _load_boards_with_cards(session),
    }
    return render(request, "scoring/deal_entry.html", context, status=400 if problems else 200)


def _parse_deal(post_data: Mapping[str, str], dealer: Seat, *, has_turn_up: bool) -> Deal:
    """Parse four hands, of which one may be empty, and the turn-up if the event has one."""
    hand_texts = [str(post_data.get(f"hand{seat}", "")).strip()[:60] for seat in Seat]
    if sum(not hand_text for hand_text in hand_texts) > 1:
        raise InvalidDeal(_("Enter at least three hands. The fourth fills in automatically."))
    hands_text = " ".join(hand_text.replace(" ", "") or "-" for hand_text in hand_texts)
    if not has_turn_up:
        return read_deal(f"N:{hands_text}", dealer, None)
    turn_up_text = str(post_data.get("turn_up", "")).strip()
    if not turn_up_text:
        raise InvalidDeal(
            _("The turn-up is missing. Enter the card that %(dealer)s turned up, e.g. H6.")
            % {"dealer": dealer.word}
        )
    return read_deal(f"N:{hands_text}", dealer, Card.parse(turn_up_text))


def _load_boards_with_cards(session: Session) -> set[int]:
    board_set = session.board_set
    return set(board_set.boards.values_list("number", flat=True)) if board_set else set()


def _get_next_url(access: EventAccess, session: Session, board_number: int) -> str:
    """Return the URL of the next board without cards, or of the deals' page."""
    session.refresh_from_db()
    missing_board_numbers = set(range(1, count_boards(session) + 1)) - _load_boards_with_cards(
        session
    )
    next_board_numbers = [
        missing_board_number
        for missing_board_number in missing_board_numbers
        if missing_board_number > board_number
    ] or list(missing_board_numbers)
    if not next_board_numbers:
        return reverse("deals", args=[access.address])
    return reverse("deal_entry", args=[access.address, min(next_board_numbers)])
