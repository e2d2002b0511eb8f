"""Recording a play: thirteen tricks, checked card by card by the rules of play."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

import scoring.services
import scoring.services.play_records as services
from boards.models import Board
from boards.whist import Card, Deal, Play, Seat, Side, Suit, WhistError
from boards.whist.grid import GridRow, read_grid, read_incomplete_grid, read_play_line
from boards.whist.notation import read_deal
from clubs import permissions
from scoring import page_loaders
from scoring.errors import PlayRefused
from scoring.second_plays import find_deal_as_played, is_played_in_other_suits
from scoring.secrecy import can_record_play, can_see_hands
from scoring.services.play_records import PlayContext
from scoring.services.trays import InspectionReason, TrayInspection, TrayPart
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from scoring.sheets.replays import build_hands, can_show_record
from server.errors import PageNotFound, PageNotReady
from server.numbers import parse_number_or_zero
from tournaments.event_access import EventAccess
from tournaments.models import Entry, Event, Session

TRICK_NUMBERS = range(1, 14)
OUTSIDER_FIELD, OUTSIDER_CONFIRMED_FIELD = "outsider", "vouch"
"""The form field of a recorder who does not play these boards, and the button to confirm it."""
RECORDER_INSPECTION = TrayInspection(TrayPart.HANDS, InspectionReason.NOT_PLAYING)


@require_http_methods(["GET", "POST"])
def record_board_play(request: HttpRequest, slug: str, board_number: int) -> HttpResponse:
    """Record the play of a session's board at one table."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    session = page_loaders.load_session(access)
    snapshot = load_session_snapshot(session)
    deal = _convert_to_played_deal(
        request, snapshot, board_number, _load_deal(access, snapshot, board_number)
    )
    if not can_record_play(snapshot, board_number, is_outsider=OUTSIDER_FIELD in request.POST):
        return render(
            request,
            "scoring/play_ask.html",
            access.context | _build_number_placeholder(board_number),
        )
    problems: list[str] = []
    if OUTSIDER_CONFIRMED_FIELD in request.POST:
        scoring.services.record_tray_inspection(
            session=session,
            board_number=board_number,
            inspection=RECORDER_INSPECTION,
            by=request.user,
        )
    elif request.method == "POST":
        try:
            play_record = services.create_play_record(
                context=_build_play_context(request, snapshot, board_number),
                play=_read_play(request, deal),
                should_accept_revokes="revokes_stand" in request.POST,
                by=request.user,
            )
        except WhistError as error:
            problems = [str(error)]
        else:
            messages.success(
                request,
                _("Play of board %(number)s saved.") % _build_number_placeholder(board_number),
            )
            if not can_show_record(play_record):
                return redirect("play_of_board", access.address, board_number)
            return redirect("play", play_record.pk)
    context = (
        _build_page_context(request, deal, problems)
        | access.context
        | {
            "number": board_number,
            "tables": snapshot.tables_by_board.get(board_number, []),
            "second_tables": [
                table
                for table in snapshot.tables_by_board.get(board_number, [])
                if is_played_in_other_suits(snapshot, table, board_number)
            ],
            "kept": session.play_records.exclude_undone()
            .filter(board=board_number)
            .order_by("round", "pk"),
            "suits": list(Suit) if event.has_declared_trumps else [],
            "declared": request.POST.get("declared", ""),
            "outsider": "" if can_see_hands(session) else OUTSIDER_FIELD,
            "chosen": parse_number_or_zero(_get_chosen_sitting_text(request)),
        }
    )
    return render(request, "scoring/play_entry.html", context, status=400 if problems else 200)


@require_POST
def check_play(request: HttpRequest, slug: str, board_number: int) -> JsonResponse:
    """Return who plays next, the legal cards, and the errors so far, as JSON."""
    access = page_loaders.load_director_event(request, slug)
    snapshot = load_session_snapshot(page_loaders.load_session(access))
    deal = _convert_to_played_deal(
        request, snapshot, board_number, _load_deal(access, snapshot, board_number)
    )
    if not can_record_play(snapshot, board_number, is_outsider=OUTSIDER_FIELD in request.POST):
        raise _create_page_not_ready_error(access, snapshot, board_number)
    try:
        play = read_incomplete_grid(_require_trumps(deal), _read_grid_rows(request))
    except WhistError as error:
        return JsonResponse({"code": error.code, "detail": str(error)}, status=400)
    return JsonResponse(_build_play_state(play))


@require_http_methods(["GET", "POST"])
def record_single_play(request: HttpRequest) -> HttpResponse:
    """Record a deal and its play that belong to no session."""
    club = permissions.get_current_club(request)
    problems: list[str] = []
    if request.method == "POST" and club is not None:
        post_data = request.POST
        try:
            dealer = Seat(post_data.get("dealer", "N"))
            deal = read_deal(
                post_data.get("deal", ""), dealer, *_parse_turn_up(post_data.get("turn_up", ""))
            )
            play_record = services.create_play_record(
                context=PlayContext(
                    club=club,
                    title=post_data.get("title", "")[:200],
                    names_by_seat={seat: post_data.get(seat.name.lower(), "") for seat in Seat},
                ),
                play=read_play_line(deal, post_data.get("line", "")),
                should_accept_revokes="revokes_stand" in post_data,
                by=request.user,
            )
        except (WhistError, ValueError) as error:
            problems = [str(error)]
        else:
            return redirect("play", play_record.pk)
    context = {"problems": problems, "posted": request.POST, "seats": list(Seat), "club": club}
    return render(request, "scoring/play_alone.html", context, status=400 if problems else 200)


def _parse_turn_up(turn_up_text: str) -> tuple[Card | None, Suit | None]:
    """Parse a turn-up, or only a suit if trumps were declared."""
    typed_text = turn_up_text.strip().upper()
    return (
        (None, Suit(typed_text)) if typed_text in list(Suit) else (Card.parse(typed_text), None)
    )


def _load_deal(access: EventAccess, snapshot: SessionSnapshot, board_number: int) -> Deal:
    """Return a board's cards if its play may be recorded; else raise an error with a link."""
    session = snapshot.session
    if not can_record_play(snapshot, board_number, is_outsider=True):
        raise _create_page_not_ready_error(access, snapshot, board_number)
    current_boards = (
        session.board_set.boards.current() if session.board_set else Board.objects.none()
    )
    board = current_boards.filter(number=board_number).first()
    if board is None:
        raise PageNotFound(
            _("The cards of board %(number)s aren’t recorded.")
            % _build_number_placeholder(board_number),
            related_link=(
                _("Enter cards"),
                reverse("deal_entry", args=[access.address, board_number]),
            ),
        )
    return board.as_deal()


def _convert_to_played_deal(
    request: HttpRequest, snapshot: SessionSnapshot, board_number: int, deal: Deal
) -> Deal:
    """Return the deal as the chosen table played it, with its declared trumps.

    A table that plays a board a second time gets a copy in other suits.
    """
    declaration_code = request.POST.get("declared", "")
    requested_sitting_text = _get_chosen_sitting_text(request)
    for table in snapshot.tables_by_board.get(board_number, []):
        if not declaration_code and str(table.sitting_id) == requested_sitting_text:
            result = snapshot.find_result(table, board_number)
            declaration_code = result.trump if result else ""
        if str(table.sitting_id) == requested_sitting_text:
            deal = find_deal_as_played(snapshot, table, board_number, deal)
    declared_suit = Suit(declaration_code[:1]) if declaration_code[:1] in list(Suit) else None
    return snapshot.session.event.build_played_deal(deal, declared_suit)


def _get_chosen_sitting_text(request: HttpRequest) -> str:
    return request.POST.get("table", request.GET.get("table", ""))


def _create_page_not_ready_error(
    access: EventAccess, snapshot: SessionSnapshot, board_number: int
) -> PageNotReady:
    """Return the error for a play that may not be recorded now, with a link to continue."""
    if snapshot.session.state == Session.State.PLANNED:
        link_text_and_url = (_("Go to event"), reverse("event_desk", args=[access.address]))
        return PageNotReady(
            _("The session hasn’t started, so there’s no play to record."),
            related_link=link_text_and_url,
        )
    link_text_and_url = (_("Close session"), reverse("closing", args=[access.address]))
    if snapshot.is_board_replayed(board_number):
        message = _(
            "These boards will be overplayed, so their cards are hidden from the director "
            "too. Close the session first."
        )
    else:
        message = _("Others may still play this board. Close all its sessions first.")
    return PageNotReady(message, related_link=link_text_and_url)


def _build_number_placeholder(board_number: int) -> dict[str, int]:
    return {"number": board_number}


def _read_grid_rows(request: HttpRequest) -> list[GridRow]:
    return [
        {seat: str(request.POST.get(f"t{trick_number}{seat}", ""))[:4] for seat in Seat}
        for trick_number in TRICK_NUMBERS
    ]


def _require_trumps(deal: Deal) -> Deal:
    """Return the deal; raise PlayRefused if its trumps are unknown."""
    if deal.trumps is None:
        raise PlayRefused(_("Choose the declared trumps."))
    return deal


def _read_play(request: HttpRequest, deal: Deal) -> Play:
    _require_trumps(deal)
    line_text = request.POST.get("line", "")
    return (
        read_play_line(deal, line_text)
        if line_text.strip()
        else read_grid(deal, _read_grid_rows(request))
    )


def _build_play_state(play: Play) -> dict[str, object]:
    tricks_won_by_side = play.tricks_won
    return {
        "turn": play.turn.value if play.turn else "",
        "turn_word": play.turn.word if play.turn else "",
        "trick": len(play.cards) // 4 + 1,
        "legal": [card.code for card in sorted(play.list_legal_cards())],
        "played": [card.code for card in play.cards],
        "revokes": [str(revoke) for revoke in play.revokes],
        "text": _("N-S %(ns)s, E-W %(ew)s.")
        % {"ns": tricks_won_by_side[Side.NS], "ew": tricks_won_by_side[Side.EW]},
    }


def _build_play_context(
    request: HttpRequest, snapshot: SessionSnapshot, board_number: int
) -> PlayContext:
    requested_sitting_text = request.POST.get("table", "")
    tables = snapshot.tables_by_board.get(board_number, [])
    table = next(
        (
            seated_table
            for seated_table in tables
            if str(seated_table.sitting_id) == requested_sitting_text
        ),
        None,
    )
    event = snapshot.session.event
    return PlayContext(
        club=event.club,
        session=snapshot.session,
        board_number=board_number,
        round_number=table.round if table else None,
        table_number=table.table_number if table else None,
        section_letter=table.section if table and snapshot.has_section_letters else "",
        title=_("%(event)s, board %(board)s") % {"event": event.name, "board": board_number},
        names_by_seat=_find_players(event, table) if table else {},
        is_entered_by_outsider=OUTSIDER_FIELD in request.POST,
    )


def _find_players(event: Event, table: SeatedTable) -> Mapping[Seat, str]:
    """Return the names of a table's players by seat.

    It is not stored how a pair sits, so its first player gets North or East.
    """
    names_by_seat: dict[Seat, str] = {}
    for seats, side in ((("N", "S"), table.ns), (("E", "W"), table.ew)):
        entries = Entry.objects.filter(event=event, number__in=side.entries)
        player_names = [
            membership.player.name
            for entry in entries.prefetch_related("memberships__player")
            for membership in entry.memberships.all()
            if event.contest != Event.Contest.TEAMS
            or membership.player.shown_name in side.name.split(" & ")
        ]
        names_by_seat |= {
            Seat(seat): name for seat, name in zip(seats, player_names, strict=False)
        }
    return names_by_seat


def _build_page_context(
    request: HttpRequest, deal: Deal, problems: list[str]
) -> dict[str, object]:
    grid_rows = _read_grid_rows(request)
    return {
        "deal": deal,
        "hands": build_hands(deal),
        "rows": [
            (trick_number, list(grid_row.items()))
            for trick_number, grid_row in zip(TRICK_NUMBERS, grid_rows, strict=True)
        ],
        "seats": list(Seat),
        "problems": problems,
        "line": request.POST.get("line", ""),
    }
