"""A table's own page: no login, no cookie; whoever has its address sits at the table."""

from contextlib import suppress
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

import drives.views.rubbers.table
import drives.views.table
from boards.whist import Suit, WhistError
from clubs.evenings.services import call_director
from clubs.models import TableLink
from drives.services.rubbers.links import marker_link_of
from drives.services.tables import table_link_of
from hall.phones import services
from hall.phones.others import others
from hall.phones.own_table import OwnTable, read_own_table
from hall.phones.services import is_open
from hall.phones.table_page import (
    TableBoard,
    TablePage,
    TableRound,
    check_seats,
    has_left,
    page_of,
    table_page,
    ticket_of,
)
from scoring.errors import EnteredMeanwhile, NoSuchPlay
from scoring.models import ResultVersion
from scoring.services import NewScore, confirm_in_room, record_in_room
from scoring.sittings import SeatedTable
from server.numbers import whole_number
from server.refusals import Missing
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
    wants_data = "application/json" in request.headers.get("Accept", "")
    sent = _receive(request, token) if request.method == "POST" else None
    link = sent.link if sent else services.link_of(token)
    if link is None:
        return _of_a_drive(request, token)
    timezone.activate(link.evening.session.event.club.zone)
    if not (sent.is_open if sent else is_open(link)):
        return _gone(request, link, wants_data)
    if sent:
        if wants_data:
            return _answer_data(request, link, sent)
        return _answer_form(request, link, sent, token)
    if wants_data:
        return _told({"page": table_page(link)})
    return _show(request, link)


def _of_a_drive(request: HttpRequest, token: str) -> HttpResponse:
    """Leave a link that is not of a session's table to the drives."""
    of_rubbers = marker_link_of(token)
    if of_rubbers is not None:
        return drives.views.rubbers.table.marker_by_link(request, of_rubbers, token)
    of_drive = table_link_of(token)
    if of_drive is not None:
        return drives.views.table.table(request, of_drive, token)
    raise Missing(_("There is no such table. Scan the code on the table again."))


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


@dataclass(slots=True)
class Sent:
    """The outcome of what a table sent: its own table as it now is, or why it was refused."""

    link: TableLink | None = None
    is_open: bool = False
    own: OwnTable | None = None  # None if the page must be read again
    has_agreed: bool = False
    problem: WhistError | None = None


def _receive(request: HttpRequest, token: str) -> Sent:
    """Do what a table sends, in one transaction that locks its session first."""
    sent = Sent()
    try:
        with transaction.atomic():
            sent.link = services.lock_link(token)
            sent.is_open = sent.link is not None and is_open(sent.link)
            if sent.link is not None and sent.is_open:
                _act(request, token, sent.link, sent)
    except WhistError as problem:
        sent.own, sent.problem = None, problem
    return sent


def _answer_form(request: HttpRequest, link: TableLink, sent: Sent, token: str) -> HttpResponse:
    """Answer a page without a script: show the next thing to do, or what is wrong."""
    if sent.problem is None:
        return redirect("table", token)
    problem = sent.problem
    if isinstance(problem, EnteredMeanwhile) and not _is_on(table_page(link), request):
        problem = RoundLeft()
    return _show(request, link, str(problem))


def _answer_data(request: HttpRequest, link: TableLink, sent: Sent) -> HttpResponse:
    """Answer the page's script with the page as it now is."""
    if isinstance(sent.problem, EnteredMeanwhile):
        return _stale(request, link, sent.problem)
    if sent.problem:
        return _refused(link, sent.problem, 409 if isinstance(sent.problem, RoundLeft) else 400)
    own = sent.own or read_own_table(link)
    page = page_of(own)
    told = _others(request, own, page) if sent.has_agreed else {}
    return _told({"code": "ok", "page": page} | told)


def _refused(link: TableLink, refused: WhistError, status: int) -> HttpResponse:
    answer = {"code": refused.code, "detail": str(refused), "page": table_page(link)}
    return _told(answer, status)


def _others(request: HttpRequest, own: OwnTable, page: TablePage) -> dict[str, object]:
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
    found = others(own, sitting, only=board if page.tells_each else None)
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


def _act(request: HttpRequest, token: str, link: TableLink, sent: Sent) -> None:
    """Do what was asked: enter, confirm or call; `sent` shows the outcome. Raises WhistError.

    Of a round that the table has left an answer never depends on what stands there, for others
    sit here now who may have its boards still to play (rules D2): RoundLeft.
    """
    act = request.POST.get("act", "")
    if act == "call":
        call_director(link=link)
        sent.link = services.lock_link(token)  # with the call
        return
    key = whole_number(request.POST.get("sitting", ""))
    board = whole_number(request.POST.get("board"))
    if key is None or board is None:
        raise _no_such_board()
    own = read_own_table(link, group=link.evening.session.group_of(board))
    table = own.round_of(key)
    if table is None:
        raise _no_such_board()
    check_seats(table, request.POST.get("seats", ""))
    if act == "confirm":
        _confirm(request, own, table, board, sent)
    else:
        _enter(request, own, table, board)
    sent.own = own


def _no_such_board() -> NoSuchPlay:
    return NoSuchPlay(_("This table has no such board. Load the page again."))


def _confirm(
    request: HttpRequest, own: OwnTable, table: SeatedTable, board: int, sent: Sent
) -> None:
    """Note a yes; to a round that the table has left, without a word of whether it fits."""
    row = own.room.rows[table.sitting]
    shown = NewScore(row, board, request.POST.get("seen", ""), trump=request.POST.get("trump"))
    ticket = request.POST.get("ticket", "")
    has_ticket = ticket and ticket == ticket_of(own.room.current(row, board))
    if has_ticket or not has_left(own, table):
        sent.has_agreed = _agree(own, shown)
        return
    with suppress(EnteredMeanwhile):
        _agree(own, shown)
    sent.problem = RoundLeft()  # not raised: the yes is kept


def _agree(own: OwnTable, shown: NewScore) -> bool:
    return confirm_in_room(own.room, shown, by=own.guest()).changed


def _declared(request: HttpRequest) -> str | None:
    """Return the code of what was declared; a page without a script sends it in two fields."""
    trump = request.POST.get("trump")
    return trump + request.POST.get("doubled", "") if trump else trump


def _enter(request: HttpRequest, own: OwnTable, table: SeatedTable, board: int) -> None:
    """Take a result; of a round that the table has left only one that nobody has entered."""
    seen, key = request.POST.get("seen", ""), request.POST.get("key", "")[:40]
    if seen and has_left(own, table):
        raise RoundLeft
    score = NewScore(
        own.room.rows[table.sitting], board, _mark(request), seen, _declared(request)
    )
    entered = record_in_room(  # the director sees a doubt; no table does
        own.room,
        score,
        versions=own.versions,
        by=own.guest(request.POST.get("side", "")),
        via=ResultVersion.Via.PHONE,
        key=key,
    )
    if entered.changed or not has_left(own, table):
        return
    if not (key and any(each.key == key for each in own.versions_of(entered.result))):
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
