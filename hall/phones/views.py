"""A table's own page: no login, no cookie; whoever has its address sits at the table."""

from contextlib import suppress
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

import drives.views.rubbers.table
import drives.views.table
import scoring.services
from boards.whist import Suit, WhistError
from clubs.evenings.services import call_director
from clubs.models import TableLink
from drives.services.rubbers.links import marker_link_of
from drives.services.tables import table_link_of
from hall.phones import services
from hall.phones.others import others
from hall.phones.services import guest_of, is_open
from hall.phones.table_page import (
    TableBoard,
    TablePage,
    TableRound,
    check_seats,
    has_left,
    table_page,
    ticket_of,
)
from scoring.errors import EnteredMeanwhile, NoSuchPlay
from scoring.models import Result, ResultVersion
from server.numbers import whole_number
from server.refusals import Missing
from tournaments.models import Sitting
from tournaments.visits import Visit


class RoundLeft(WhistError):
    """Something about a round that the table has left, whatever stands there."""

    code = "round_left"

    def __init__(self) -> None:
        super().__init__(
            _("That round is over here. Tell the director if its result is another.")
        )


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a table's page shows: a round, one of its boards, and what is asked about it."""

    round: TableRound
    board: TableBoard | None
    mode: str  # "enter", "confirm", "done", "turn" (on to the next round), "idle", "over"

    @property
    def side(self) -> str:
        """The side that types now: N-S, and who says no to what they entered."""
        if self.board is None or not self.board.mark:
            return "NS"
        return self.board.asks if self.board.awaits else ""

    @property
    def next_board(self) -> int:
        """The board that is played after this one; 0 where the round has no more."""
        return next((each.board for each in self.round.boards if not each.is_done), 0)

    @property
    def has_moves(self) -> bool:
        """Whether it is time to say where everybody goes."""
        return self.mode in ("done", "turn", "idle") and bool(self.round.moves)


# A request forged by another site would need the secret in the address: the page knows no
# cookie and no login by which a browser could be made to speak for somebody. So the token of
# Django's own protection, which needs a cookie, would add nothing here.
@csrf_exempt
@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def table(request: HttpRequest, token: str) -> HttpResponse:
    """Show a table its round and boards, or its drive's round, and take what it enters."""
    link = services.link_of(token)
    if link is None:
        of_rubbers = marker_link_of(token)
        if of_rubbers is not None:
            return drives.views.rubbers.table.marker_by_link(request, of_rubbers, token)
        of_drive = table_link_of(token)
        if of_drive is not None:
            return drives.views.table.table(request, of_drive, token)
        raise Missing(_("There is no such table. Scan the code on the table again."))
    session = link.evening.session
    wants_data = "application/json" in request.headers.get("Accept", "")
    timezone.activate(session.event.club.zone)
    if not is_open(link):
        return _gone(request, link, wants_data)
    if request.method == "POST":
        return _take_data(request, link) if wants_data else _take_form(request, link, token)
    if wants_data:
        return _told({"page": table_page(link)})
    return _show(request, link)


def _gone(request: HttpRequest, link: TableLink, wants_data: bool) -> HttpResponse:
    detail = (
        _("The director has taken this address back. Ask for a new one.")
        if link.revoked_at
        else _("The session is closed. Thank you for your scores.")
    )
    if wants_data:
        return JsonResponse({"code": "gone", "detail": detail}, status=410)
    visit = Visit.to(link.evening.session)
    context = {"visit": visit, "event": visit.event, "detail": detail}
    return render(request, "hall/table_gone.html", context, status=410)


def _show(request: HttpRequest, link: TableLink, problem: str = "") -> HttpResponse:
    page, visit = table_page(link), Visit.to(link.evening.session)
    context = {
        "visit": visit,
        "event": visit.event,
        "club": visit.event.club.name,
        "page": page,
        "data": asdict(page),
        "chosen": _chosen(request, page),
        "tricks": range(14),
        "suits": tuple(Suit) if visit.event.notes_trumps else (),
        "problem": problem,
    }
    return render(request, "hall/table.html", context, status=400 if problem else 200)


def _take_form(request: HttpRequest, link: TableLink, token: str) -> HttpResponse:
    """Take what a page without a script sends, and show the next thing to do."""
    try:
        _act(request, link)
    except EnteredMeanwhile as stale:
        is_on = _is_on(table_page(link), request)
        return _show(request, link, str(stale if is_on else RoundLeft()))
    except WhistError as refused:
        return _show(request, link, str(refused))
    return redirect("table", token)


def _take_data(request: HttpRequest, link: TableLink) -> HttpResponse:
    """Take what the page's script sends, and answer with the page as it now is."""
    try:
        has_agreed = _act(request, link)
    except EnteredMeanwhile as stale:
        return _stale(request, link, stale)
    except RoundLeft as left:
        return _refused(link, left, 409)
    except WhistError as refused:
        return _refused(link, refused, 400)
    page = table_page(link)
    told = _others(request, link, page) if has_agreed else {}
    return _told({"code": "ok", "page": page} | told)


def _refused(link: TableLink, refused: WhistError, status: int) -> HttpResponse:
    answer = {"code": refused.code, "detail": str(refused), "page": table_page(link)}
    return _told(answer, status)


def _others(request: HttpRequest, link: TableLink, page: TablePage) -> dict[str, object]:
    """What other tables made, for those who sit at this one and have just agreed.

    One that agrees again is told nothing: it may be the next who sit there.
    """
    sitting = whole_number(request.POST.get("sitting", ""))
    board = whole_number(request.POST.get("board", ""))
    if sitting is None or board is None:
        return {}
    is_over = page.is_over and page.rounds[0].sitting == sitting
    is_left = page.past is not None and page.past.sitting == sitting
    if not (page.tells_each or is_over or is_left):
        return {}
    found = others(link, sitting, only=board if page.tells_each else None)
    return {"others": found} if found else {}


def _stale(request: HttpRequest, link: TableLink, stale: EnteredMeanwhile) -> HttpResponse:
    """Say what stands instead; of a round that is over here, only that something does."""
    page = table_page(link)
    if not _is_on(page, request):
        return _refused(link, RoundLeft(), 409)
    answer = {"code": stale.code, "detail": str(stale), "seen": stale.seen, "page": page}
    return _told(answer, 409)


def _is_on(page: TablePage, request: HttpRequest) -> bool:
    """Whether what was sent is about the round that is on, or one to come."""
    return any(str(each.sitting) == request.POST.get("sitting") for each in page.rounds)


def _act(request: HttpRequest, link: TableLink) -> bool:
    """Do what was asked: enter, confirm or call; say whether the table has agreed by it.

    Of a round that the table has left an answer never depends on what stands there, for others
    sit here now who may have its boards still to play (rules D2): RoundLeft. Raises WhistError.
    """
    act = request.POST.get("act", "")
    if act == "call":
        call_director(link=link)
        return False
    key = whole_number(request.POST.get("sitting", ""))
    sitting = services.sitting_of(link, key) if key is not None else None
    board = whole_number(request.POST.get("board"))
    if sitting is None or board is None:
        raise NoSuchPlay(_("This table has no such board. Load the page again."))
    check_seats(sitting, request.POST.get("seats", ""))
    if act == "confirm":
        return _confirm(request, link, sitting, board)
    _enter(request, link, sitting, board)
    return False


def _confirm(request: HttpRequest, link: TableLink, sitting: Sitting, board: int) -> bool:
    """Note a yes; to a round that the table has left, without a word of whether it fits."""

    def confirm() -> bool:
        return scoring.services.confirm_result(
            sitting=sitting,
            board=board,
            seen=request.POST.get("seen", ""),
            trump=request.POST.get("trump"),
            by=guest_of(link),
        ).changed

    ticket = request.POST.get("ticket", "")
    has_ticket = ticket and ticket == ticket_of(Result.current(sitting, board))
    if has_ticket or not has_left(link, sitting):
        return confirm()
    with suppress(EnteredMeanwhile):
        confirm()
    raise RoundLeft


def _declared(request: HttpRequest) -> str | None:
    """Return the code of what was declared; a page without a script sends it in two fields."""
    trump = request.POST.get("trump")
    return trump + request.POST.get("doubled", "") if trump else trump


def _enter(request: HttpRequest, link: TableLink, sitting: Sitting, board: int) -> None:
    """Take a result; of a round that the table has left only one that nobody has entered."""
    seen, key = request.POST.get("seen", ""), request.POST.get("key", "")[:40]
    if seen and has_left(link, sitting):
        raise RoundLeft
    entered = scoring.services.record_result(  # the director sees a doubt; no table does
        sitting=sitting,
        board=board,
        mark=_mark(request),
        seen=seen,
        trump=_declared(request),
        by=guest_of(link, request.POST.get("side", "")),
        via=ResultVersion.Via.PHONE,
        key=key,
    )
    if entered.changed or not has_left(link, sitting):
        return
    if not (key and entered.result.versions.filter(key=key).exists()):
        raise RoundLeft


def _mark(request: HttpRequest) -> str:
    """What was entered; a table never clears a result.

    Where points are counted a page without a script sends them in two fields.
    """
    value = request.POST.get("value", "").strip()
    if value == "points":
        value = "-".join(request.POST.get(side, "").strip() or "?" for side in ("ns", "ew"))
    return value or "?"


def _chosen(request: HttpRequest, page: TablePage) -> Chosen:
    """Pick what is shown: what the address asks for, else the next thing to do."""
    asked = request.GET.get("round", "")
    shown = next((each for each in page.rounds if str(each.round) == asked), page.rounds[0])
    if not shown.is_played:
        return Chosen(shown, None, "idle")
    number = request.GET.get("board", "")
    board = next((each for each in shown.boards if str(each.board) == number), None)
    if board is None:
        board = next((each for each in shown.boards if not each.is_done), None)
    if board is None:
        return Chosen(shown, None, "over" if page.is_over else "turn")
    return Chosen(shown, board, _mode(board, bool(request.GET.get("again"))))


def _mode(board: TableBoard, again: bool) -> str:
    if again or not (board.mark or board.ruled):
        return "enter"
    return "confirm" if board.awaits else "done"


class _Rows(DjangoJSONEncoder):
    """Writes a page's parts as they are: `asdict` copies each word of them first."""

    def default(self, part: Any) -> Any:
        """Name what a part has."""
        if is_dataclass(part):
            return {each.name: getattr(part, each.name) for each in fields(part)}
        return super().default(part)


def _told(answer: dict[str, object], status: int = 200) -> JsonResponse:
    return JsonResponse(answer, encoder=_Rows, status=status)
