"""Page that shows a director the cards of one board, to restore its tray."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import scoring.services
from boards.whist import WhistError
from boards.whist.second_suits import build_second_play_deal
from scoring import page_loaders
from scoring.papers.paper_files import draw_tray_slip
from scoring.services.trays import InspectionReason, TrayInspection, TrayPart
from server.downloads import PDF_CONTENT_TYPE, build_file_response
from server.numbers import parse_number_or_zero


@never_cache
@require_http_methods(["GET", "POST"])
def show_tray(request: HttpRequest, slug: str) -> HttpResponse:
    """Require the director's reason, then show one board's cards or print its slip."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    session = page_loaders.load_session(access)
    board_number = parse_number_or_zero(
        request.POST.get("board") or request.GET.get("board", "")
    )
    try:
        scoring.services.check_can_inspect_tray(session, board_number)
    except WhistError as error:
        messages.error(request, str(error))
        return redirect("deals", slug)
    context: dict[str, object] = access.context | {"number": board_number}
    if request.method == "POST":
        inspection = _parse_inspection(request)
        if inspection is None:
            context["problem"] = _("First choose why you may see these cards.")
            return render(request, "scoring/tray.html", context, status=400)
        try:
            deal = scoring.services.record_tray_inspection(
                session=session,
                board_number=board_number,
                inspection=inspection,
                by=request.user,
            )
        except WhistError as error:
            context["problem"] = str(error)
            return render(request, "scoring/tray.html", context, status=400)
        if "slip" in request.POST:
            return _create_slip_response(
                draw_tray_slip(
                    session,
                    board_number,
                    should_show_hands=inspection.tray_part is TrayPart.HANDS,
                ),
                board_number,
            )
        if event.other_suits:
            context["second"] = build_second_play_deal(deal)
        context |= {
            "deal": deal,
            "look": inspection,
            "hands": inspection.tray_part is TrayPart.HANDS,
        }
    return render(request, "scoring/tray.html", context)


def _parse_inspection(request: HttpRequest) -> TrayInspection | None:
    try:
        inspection_reason = InspectionReason(request.POST.get("ground", ""))
        return TrayInspection(TrayPart(request.POST.get("part", "")), inspection_reason)
    except ValueError:
        return None


def _create_slip_response(pdf: bytes, board_number: int) -> HttpResponse:
    return build_file_response(
        pdf, PDF_CONTENT_TYPE, f"board-{board_number}.pdf", is_inline=True
    )
