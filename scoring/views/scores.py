"""The score grid, by board or by round; every value is stored as soon as it is entered."""

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

import scoring.services
from boards.whist import Declaration, WhistError
from clubs import access
from clubs.errors import EnteredMeanwhile
from scoring import page_loaders
from scoring.doubts.open_doubts import DoubtfulResult, load_best_play
from scoring.models import Outcome, Result, ResultVersion
from scoring.secrecy import list_replayed_boards
from scoring.services import NewScore
from scoring.session_queries import count_missing_results
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets.current_round import find_current_round
from scoring.sheets.doubts import (
    SessionQueries,
    build_queried_result,
    build_round_correction,
    list_session_queries,
)
from scoring.sheets.score_grid import build_score_grid
from scoring.sheets.score_slips import format_score_page_query
from server.numbers import parse_whole_number
from tournaments.models import Event, Session, Sitting

_LAYOUT_KEY = "scores_by"


@require_http_methods(["GET", "POST"])
def edit_scores(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the grid; without JavaScript a block is submitted as a plain form."""
    visit = page_loaders.scorer_event(request, slug)
    event = visit.event
    layout = _choose_layout(request)
    problems: list[str] = []
    requested_place = request.GET.get("at", "")
    if request.method == "POST":
        problems = _save_block(request, event)
        if not problems:
            place = (
                format_score_page_query(layout, requested_place)
                if requested_place
                else f"?by={layout}"
            )
            return redirect(f"{reverse('scores', args=[slug])}{place}")
    session = page_loaders.load_session(visit)
    newest = _find_newest_version(session)  # first: later entries are fetched as updates
    snapshot = load_session_snapshot(session)
    queries = _list_queries(request, snapshot)
    context = visit.context | {
        "session": session,
        "grid": build_score_grid(
            snapshot, layout, at=requested_place, queries_by_cell=queries.rows
        ),
        "newest": newest,
        "notes_trumps": event.notes_trumps,
        "declarations": [
            (declaration.code, declaration.symbol) for declaration in event.declarations
        ],
        "doubts": queries,
        "problems": problems,
        "played_again": list_replayed_boards(snapshot) if visit.is_directed else [],
        "may_close": visit.is_directed and session.state == Session.State.OPEN,
        "locked_text": _explain_entry_lock(request, session),
        "correcting_text": _format_correction_note(session),
    }
    return render(request, "scoring/scores.html", context, status=400 if problems else 200)


def _choose_layout(request: HttpRequest) -> str:
    """Return the layout of the grid, by board or by round: as requested, else as last used.

    A director who comes from the room and has chosen none has a table's slip, so by round.
    """
    first = "round" if request.GET.get("from") == "room" else "board"
    last = request.session.get(_LAYOUT_KEY, first)
    requested_layout = request.GET.get("by", last)
    layout = "round" if requested_layout == "round" else "board"
    if layout != last:
        request.session[_LAYOUT_KEY] = layout
    return layout


def _find_newest_version(session: Session) -> int:
    """Return the primary key of the newest score version; polling starts after it."""
    versions = ResultVersion.objects.filter(result__sitting__section__session=session)
    return versions.order_by("-pk").values_list("pk", flat=True).first() or 0


@require_POST
def save_result(request: HttpRequest, slug: str) -> HttpResponse:
    """Save one result from the grid's script; return JSON."""
    visit = page_loaders.scorer_event(request, slug)
    event = visit.event
    sitting = find_sitting(event, request.POST.get("sitting", ""))
    board = parse_whole_number(request.POST.get("board"))
    if sitting is None or board is None:
        detail = _("That table or board isn't in this session. Reload the page.")
        return JsonResponse({"code": "no_such_play", "detail": detail}, status=400)
    try:
        entered_result = scoring.services.record_result(
            sitting=sitting,
            board=board,
            mark=request.POST.get("value", ""),
            seen=request.POST.get("seen"),
            trump=request.POST.get("trump"),
            by=request.user,
        )
    except EnteredMeanwhile as stale:
        conflict_data = {
            "code": stale.code,
            "detail": str(stale),
            "seen": stale.seen,
            "by": stale.by,
        }
        return JsonResponse(conflict_data, status=409)
    except WhistError as error:
        return JsonResponse({"code": error.code, "detail": str(error)}, status=400)
    saved_data = _build_result_data(entered_result.result, sitting) | _build_query_data(
        entered_result.query
    )
    if "early" in request.POST:  # the page had marked the cell
        saved_data["early"] = _is_early(sitting)
    return JsonResponse(saved_data)


def _is_early(sitting: Sitting) -> bool:
    """Return whether the round of a result has not begun."""
    current_round = find_current_round(load_session_snapshot(sitting.section.session))
    return sitting.round > current_round.round + current_round.is_over


def _explain_entry_lock(request: HttpRequest, session: Session) -> str:
    """Return why nothing can be entered now; "" if it can."""
    if session.state == Session.State.CLOSED and not (
        _format_correction_note(session) and access.can_direct(request.user, session.event.club)
    ):
        return _("The session is closed. Reopen it to correct a score.")
    if session.state == Session.State.PLANNED:
        return _("The session hasn't started. Start it to enter scores.")
    return ""


def _format_correction_note(session: Session) -> str:
    """Return a note for a director who corrects scores after the close."""
    until = session.corrections_until
    if until is None or until <= timezone.now():
        return ""
    return _(
        "The session is closed. You can still correct scores until "
        "%(until)s. Corrections are listed on the event page."
    ) % {"until": date_format(timezone.localtime(until), "j M, H:i")}


def _build_query_data(doubt: DoubtfulResult | None) -> dict[str, object]:
    """Return the query to show beside the cell of an implausible result."""
    if doubt is None:
        return {}
    queried_result = build_queried_result(doubt)
    query: dict[str, object] = {"text": queried_result.text, "swap": queried_result.swap}
    if doubt.table_correction:
        round_correction = build_round_correction(doubt.table_correction)
        query["round"] = {"text": round_correction.text, "marks": dict(round_correction.marks)}
    return {"query": query}


def _list_queries(request: HttpRequest, snapshot: SessionSnapshot) -> SessionQueries:
    """Return the open queries; only a director's use the cards (rules D2)."""
    session = snapshot.session
    is_director = access.can_direct(request.user, session.event.club)
    return list_session_queries(snapshot, load_best_play(session) if is_director else None)


def _build_result_data(result: Result, sitting: Sitting) -> dict[str, object]:
    ns, ew = result.written_score.value_by_side
    place_text = _("Board %(board)s, table %(table)s") % {
        "board": result.board,
        "table": sitting.label,
    }
    if ns is not None:
        text = _("%(where)s: N-S %(ns)s, E-W %(ew)s.") % {
            "where": place_text,
            "ns": ns,
            "ew": ew,
        }
        if result.trump:
            text += " " + _("Declared: %(suit)s.") % {
                "suit": Declaration.parse(result.trump).word
            }
    elif result.outcome == Outcome.NOT_PLAYED:
        text = _("%(where)s: not played.") % {"where": place_text}
    else:
        text = _("%(where)s: cleared.") % {"where": place_text}
    return {
        "seen": result.mark,
        "trump": result.trump,
        "ns_tricks": result.ns_tricks,
        "ew_tricks": result.ew_tricks,
        "text": text,
        "missing": count_missing_results(sitting.section.session),
    }


def _save_block(request: HttpRequest, event: Event) -> list[str]:
    """Save every changed cell of a submitted block; return the errors."""
    recorded = scoring.services.record_results(
        scores=_iter_changed_cells(request, event), by=request.user
    )
    if recorded.changed_count:
        text = ngettext(
            "%(count)s score entered.",
            "%(count)s scores entered.",
            recorded.changed_count,
        )
        messages.success(request, text % {"count": recorded.changed_count})
    return [str(error) for error in recorded.errors]


def _iter_changed_cells(request: HttpRequest, event: Event) -> Iterator[NewScore]:
    """Yield the submitted cells that differ from those shown on the page."""
    for name, value in request.POST.items():
        kind, _dash, identifier = name.partition("-")
        pk, _dash, typed_mark = identifier.partition("-")
        board = parse_whole_number(typed_mark)
        if kind != "r" or board is None:
            continue
        seen_mark = request.POST.get(f"seen-{identifier}", "")
        trump = request.POST.get(f"t-{identifier}")
        is_trump_new = trump is not None and trump != request.POST.get(
            f"tseen-{identifier}", ""
        )
        if str(value).strip() == seen_mark.strip() and not is_trump_new:
            continue
        sitting = find_sitting(event, pk)
        if sitting is not None:
            yield NewScore(
                sitting, board, str(value), seen_mark, trump if is_trump_new else None
            )


def find_sitting(event: Event, pk: str) -> Sitting | None:
    """Return a sitting of an event by the primary key in a form."""
    key = parse_whole_number(pk)
    if key is None:
        return None
    sittings = Sitting.objects.select_related("section__session__event")
    return sittings.filter(pk=key, section__session__event=event).first()
