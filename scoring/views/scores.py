"""Page of the score grid. Each score is stored as soon as it is entered."""

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

import scoring.services
from boards.whist import Declaration, WhistError
from clubs import permissions
from clubs.errors import EntryConflict
from scoring import page_loaders
from scoring.doubts.open_doubts import DoubtfulResult, load_best_play
from scoring.models import Outcome, Result, ResultVersion
from scoring.secrecy import list_replayed_boards
from scoring.services import NewScore
from scoring.session_queries import count_missing_results
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets.current_round import find_current_round
from scoring.sheets.doubts import (
    SessionDoubts,
    build_queried_result,
    build_round_correction,
    list_session_doubts,
)
from scoring.sheets.score_grid import build_score_grid
from scoring.sheets.score_slips import format_score_page_query
from server.dates import format_date
from server.numbers import parse_whole_number
from tournaments.models import Event, Session, Sitting

_LAYOUT_HTTP_SESSION_KEY = "scores_by"


@require_http_methods(["GET", "POST"])
def edit_scores(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the score grid; without JavaScript, save the scores of one submitted slip."""
    access = page_loaders.load_scorer_event(request, slug)
    event = access.event
    layout = _choose_layout(request)
    problems: list[str] = []
    requested_key = request.GET.get("at", "")
    if request.method == "POST":
        problems = _save_slip_scores(request, event)
        if not problems:
            page_query = (
                format_score_page_query(layout, requested_key)
                if requested_key
                else f"?by={layout}"
            )
            return redirect(f"{reverse('scores', args=[slug])}{page_query}")
    session = page_loaders.load_session(access)
    # This is read before the results, so that polling also fetches scores entered in between.
    newest_version = _find_newest_version(session)
    snapshot = load_session_snapshot(session)
    session_doubts = _list_session_doubts(request, snapshot)
    context = access.context | {
        "session": session,
        "grid": build_score_grid(
            snapshot,
            layout,
            requested_key=requested_key,
            doubts_by_cell=session_doubts.rows,
        ),
        "newest": newest_version,
        "has_declared_trumps": event.has_declared_trumps,
        "declarations": [
            (declaration.code, declaration.symbol) for declaration in event.declarations
        ],
        "doubts": session_doubts,
        "problems": problems,
        "played_again": list_replayed_boards(snapshot) if access.can_direct else [],
        "may_close": access.can_direct and session.state == Session.State.OPEN,
        "locked_text": _explain_score_entry_lock(request, session),
        "correcting_text": _format_correction_note(session),
    }
    return render(request, "scoring/scores.html", context, status=400 if problems else 200)


def _choose_layout(request: HttpRequest) -> str:
    """Return the layout of the grid ("board" or "round"): as requested, else as last used.

    If a director comes from the room page and has chosen no layout, it is by round, as on a
    table's score slip.
    """
    default_layout = "round" if request.GET.get("from") == "room" else "board"
    stored_layout = request.session.get(_LAYOUT_HTTP_SESSION_KEY, default_layout)
    requested_layout = request.GET.get("by", stored_layout)
    layout = "round" if requested_layout == "round" else "board"
    if layout != stored_layout:
        request.session[_LAYOUT_HTTP_SESSION_KEY] = layout
    return layout


def _find_newest_version(session: Session) -> int:
    """Return the primary key of the newest score version; polling starts after it."""
    versions = ResultVersion.objects.filter(result__sitting__section__session=session)
    return versions.order_by("-pk").values_list("pk", flat=True).first() or 0


@require_POST
def save_result(request: HttpRequest, slug: str) -> HttpResponse:
    """Save one result from the grid's script; return JSON."""
    access = page_loaders.load_scorer_event(request, slug)
    event = access.event
    sitting = find_sitting(event, request.POST.get("sitting", ""))
    board_number = parse_whole_number(request.POST.get("board"))
    if sitting is None or board_number is None:
        detail = _("That table or board isn’t in this session. Reload the page.")
        return JsonResponse({"code": "no_such_play", "detail": detail}, status=400)
    try:
        entered_result = scoring.services.record_result(
            sitting=sitting,
            board_number=board_number,
            mark=request.POST.get("value", ""),
            seen_score=request.POST.get("seen"),
            trump=request.POST.get("trump"),
            by=request.user,
        )
    except EntryConflict as conflict:
        conflict_data = {
            "code": conflict.code,
            "detail": str(conflict),
            "seen": conflict.current_value,
            "by": conflict.by,
        }
        return JsonResponse(conflict_data, status=409)
    except WhistError as error:
        return JsonResponse({"code": error.code, "detail": str(error)}, status=400)
    saved_data = _build_result_data(entered_result.result, sitting) | _build_doubt_data(
        entered_result.doubtful_result
    )
    if "early" in request.POST:  # the page has marked the score as entered too early
        saved_data["early"] = _is_before_round_start(sitting)
    return JsonResponse(saved_data)


def _is_before_round_start(sitting: Sitting) -> bool:
    """Return whether the round of a sitting has not begun."""
    current_round = find_current_round(load_session_snapshot(sitting.section.session))
    return sitting.round > current_round.round_number + current_round.is_over


def _explain_score_entry_lock(request: HttpRequest, session: Session) -> str:
    """Return why nothing can be entered now; "" if it can."""
    if session.state == Session.State.CLOSED and not (
        _format_correction_note(session)
        and permissions.can_direct(request.user, session.event.club)
    ):
        return _("The session is closed. Reopen it to correct a score.")
    if session.state == Session.State.PLANNED:
        return _("The session hasn’t started. Start it to enter scores.")
    return ""


def _format_correction_note(session: Session) -> str:
    """Return a note for a director who corrects scores after the close."""
    corrections_end = session.corrections_end
    if corrections_end is None or corrections_end <= timezone.now():
        return ""
    return _(
        "The session is closed. You can still correct scores until "
        "%(until)s. Corrections are listed on the event page."
    ) % {"until": format_date(corrections_end, "SHORT_DAY_MONTH_TIME")}


def _build_doubt_data(doubtful_result: DoubtfulResult | None) -> dict[str, object]:
    """Return the JSON data of a query: a question about an implausible result.

    The grid shows it next to the result. Return {} if there is no query.
    """
    if doubtful_result is None:
        return {}
    queried_result = build_queried_result(doubtful_result)
    query_data: dict[str, object] = {
        "text": queried_result.text,
        "swap": queried_result.swapped_tricks,
    }
    if doubtful_result.table_correction:
        round_correction = build_round_correction(doubtful_result.table_correction)
        query_data["round"] = {
            "text": round_correction.text,
            "marks": dict(round_correction.corrected_marks),
        }
    return {"query": query_data}


def _list_session_doubts(request: HttpRequest, snapshot: SessionSnapshot) -> SessionDoubts:
    """Return the open queries about implausible results.

    Only for directors are results compared with best play, which reveals cards (rules D2).
    """
    session = snapshot.session
    is_director = permissions.can_direct(request.user, session.event.club)
    return list_session_doubts(snapshot, load_best_play(session) if is_director else None)


def _build_result_data(result: Result, sitting: Sitting) -> dict[str, object]:
    ns_value, ew_value = result.written_score.side_values
    location = _("Board %(board)s, table %(table)s") % {
        "board": result.board,
        "table": sitting.label,
    }
    if ns_value is not None:
        message = _("%(where)s: N-S %(ns)s, E-W %(ew)s.") % {
            "where": location,
            "ns": ns_value,
            "ew": ew_value,
        }
        if result.trump:
            message += " " + _("Declared: %(suit)s.") % {
                "suit": Declaration.parse(result.trump).word
            }
    elif result.outcome == Outcome.NOT_PLAYED:
        message = _("%(where)s: not played.") % {"where": location}
    else:
        message = _("%(where)s: cleared.") % {"where": location}
    return {
        "seen": result.mark,
        "trump": result.trump,
        "ns_tricks": result.ns_tricks,
        "ew_tricks": result.ew_tricks,
        "text": message,
        "missing": count_missing_results(sitting.section.session),
    }


def _save_slip_scores(request: HttpRequest, event: Event) -> list[str]:
    """Save every changed score of a submitted slip; return the errors."""
    recorded_scores = scoring.services.record_results(
        scores=_iter_changed_cells(request, event), by=request.user
    )
    if recorded_scores.changed_count:
        message = ngettext(
            "%(count)s score entered.",
            "%(count)s scores entered.",
            recorded_scores.changed_count,
        )
        messages.success(request, message % {"count": recorded_scores.changed_count})
    return [str(error) for error in recorded_scores.errors]


def _iter_changed_cells(request: HttpRequest, event: Event) -> Iterator[NewScore]:
    """Yield the submitted cells that differ from those shown on the page."""
    for field_name, field_value in request.POST.items():
        field_kind, _dash, cell_name = field_name.partition("-")
        sitting_text, _dash, board_text = cell_name.partition("-")
        board_number = parse_whole_number(board_text)
        if field_kind != "r" or board_number is None:
            continue
        seen_mark = request.POST.get(f"seen-{cell_name}", "")
        trump = request.POST.get(f"t-{cell_name}")
        has_new_trump = trump is not None and trump != request.POST.get(
            f"tseen-{cell_name}", ""
        )
        if str(field_value).strip() == seen_mark.strip() and not has_new_trump:
            continue
        sitting = find_sitting(event, sitting_text)
        if sitting is not None:
            yield NewScore(
                sitting,
                board_number,
                str(field_value),
                seen_mark,
                trump if has_new_trump else None,
            )


def find_sitting(event: Event, id_text: str) -> Sitting | None:
    """Return a sitting of an event by the primary key in a form."""
    sitting_id = parse_whole_number(id_text)
    if sitting_id is None:
        return None
    sittings = Sitting.objects.select_related("section__session__event")
    return sittings.filter(pk=sitting_id, section__session__event=event).first()
