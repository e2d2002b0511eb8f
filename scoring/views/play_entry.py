"""Writing a play down: a table of thirteen lines, checked card by card by the rules of play."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

import scoring.services.play_records as services
from boards.whist import Card, Deal, Play, Seat, Side, WhistError
from boards.whist.grid import Row, read_grid, read_line, read_so_far
from boards.whist.notation import read_deal
from clubs import access
from scoring import visits
from scoring.secrecy import hands_may_be_seen
from scoring.services.play_records import Occasion
from scoring.sheets.replays import of_deal
from scoring.sittings import SeatedSession, SeatedTable, read_sittings
from server.numbers import number_or_zero
from tournaments.models import Entry, Event, Session

TRICKS = range(1, 14)


@require_http_methods(["GET", "POST"])
def play_of_board(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Write down how a session's board was played at one table."""
    visit = visits.director_event(request, slug)
    event = visit.event
    session = visits.session_of(visit)
    deal = _deal(session, number)
    problems: list[str] = []
    if request.method == "POST":
        try:
            record = services.keep_play(
                occasion=_occasion(request, read_sittings(session), number),
                play=_read(request, deal),
                revokes_stand="revokes_stand" in request.POST,
                by=request.user,
            )
        except WhistError as refused:
            problems = [str(refused)]
        else:
            messages.success(
                request, _("The play of board %(number)s is kept.") % _number(number)
            )
            return redirect("play", record.pk)
    context = _page(request, deal, problems) | {
        "visit": visit,
        "event": event,
        "number": number,
        "tables": read_sittings(session).by_board.get(number, []),
        "chosen": number_or_zero(request.POST.get("table", "")),
    }
    return render(request, "scoring/play_entry.html", context, status=400 if problems else 200)


@require_POST
def play_check(request: HttpRequest, slug: str, number: int) -> JsonResponse:
    """Say who plays next, which cards are legal, and what is wrong so far."""
    visit = visits.director_event(request, slug)
    deal = _deal(visits.session_of(visit), number)
    try:
        play = read_so_far(deal, _rows(request))
    except WhistError as refused:
        return JsonResponse({"code": refused.code, "detail": str(refused)}, status=400)
    return JsonResponse(_state(play))


@require_http_methods(["GET", "POST"])
def play_alone(request: HttpRequest) -> HttpResponse:
    """Write down a deal and its play that belong to no session."""
    club = access.clubs_of(request).first()
    problems: list[str] = []
    if request.method == "POST" and club is not None:
        posted = request.POST
        try:
            seat = Seat(posted.get("dealer", "N"))
            deal = read_deal(
                posted.get("deal", ""), seat, Card.parse(posted.get("turn_up", ""))
            )
            record = services.keep_play(
                occasion=Occasion(
                    club=club,
                    title=posted.get("title", "")[:200],
                    players={each: posted.get(each.name.lower(), "") for each in Seat},
                ),
                play=read_line(deal, posted.get("line", "")),
                revokes_stand="revokes_stand" in posted,
                by=request.user,
            )
        except (WhistError, ValueError) as refused:
            problems = [str(refused)]
        else:
            return redirect("play", record.pk)
    context = {"problems": problems, "posted": request.POST, "seats": list(Seat), "club": club}
    return render(request, "scoring/play_alone.html", context, status=400 if problems else 200)


def _deal(session: Session, number: int) -> Deal:
    """The cards of a board, when nobody may play it any more."""
    if session.board_set is None or not hands_may_be_seen(session):
        raise Http404(_("A play is written down once the session is closed."))
    board = session.board_set.boards.current().filter(number=number).first()
    if board is None:
        raise Http404(_("The cards of board %(number)s are not known.") % _number(number))
    return board.as_deal()


def _number(number: int) -> dict[str, int]:
    return {"number": number}


def _rows(request: HttpRequest) -> list[Row]:
    return [
        {seat: str(request.POST.get(f"t{trick}{seat}", ""))[:4] for seat in Seat}
        for trick in TRICKS
    ]


def _read(request: HttpRequest, deal: Deal) -> Play:
    line = request.POST.get("line", "")
    return read_line(deal, line) if line.strip() else read_grid(deal, _rows(request))


def _state(play: Play) -> dict[str, object]:
    won = play.won
    return {
        "turn": play.turn.value if play.turn else "",
        "turn_word": play.turn.word if play.turn else "",
        "trick": len(play.cards) // 4 + 1,
        "legal": [card.code for card in sorted(play.legal())],
        "played": [card.code for card in play.cards],
        "revokes": [str(revoke) for revoke in play.revokes],
        "text": _("N-S %(ns)s, E-W %(ew)s.") % {"ns": won[Side.NS], "ew": won[Side.EW]},
    }


def _occasion(request: HttpRequest, seated: SeatedSession, number: int) -> Occasion:
    wanted = request.POST.get("table", "")
    tables = seated.by_board.get(number, [])
    table = next((each for each in tables if str(each.sitting) == wanted), None)
    event = seated.session.event
    return Occasion(
        club=event.club,
        session=seated.session,
        board=number,
        round=table.round if table else None,
        table=table.table if table else None,
        title=_("%(event)s, board %(board)s") % {"event": event.name, "board": number},
        players=_players(event, table) if table else {},
    )


def _players(event: Event, table: SeatedTable) -> Mapping[Seat, str]:
    """Who sat where: of a pair the first named sits North or East."""
    found: dict[Seat, str] = {}
    for seats, chair in ((("N", "S"), table.ns), (("E", "W"), table.ew)):
        entries = Entry.objects.filter(event=event, number__in=chair.entries)
        names = [
            membership.player.name
            for entry in entries.prefetch_related("memberships__player")
            for membership in entry.memberships.all()
        ]
        found |= {Seat(seat): name for seat, name in zip(seats, names, strict=False)}
    return found


def _page(request: HttpRequest, deal: Deal, problems: list[str]) -> dict[str, object]:
    rows = _rows(request)
    return {
        "deal": deal,
        "hands": of_deal(deal),
        "rows": [(trick, list(row.items())) for trick, row in zip(TRICKS, rows, strict=True)],
        "seats": list(Seat),
        "problems": problems,
        "line": request.POST.get("line", ""),
    }
