"""A table's own page in a drive: no login, no cookie; whoever has its address sits there."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

import drives.services
from boards.whist import WhistError
from clubs.errors import NotNow
from clubs.evenings.services import call_director
from clubs.models import TableLink
from drives.errors import ScoreMeanwhile, ScoreRefused
from drives.scores.rules import keyboard_for
from drives.services.tables import drive_of, is_open
from drives.sheets.table_phone import HandOnPhone, TablePhone, table_phone_of
from drives.views.entry import signed
from server.numbers import whole_number


@dataclass(frozen=True, slots=True)
class Shown:
    """What stands on the page: what is entered or asked for, and in which mode.

    "planned" and "idle" wait; "enter", "confirm" and "done" are about a hand; "turn" is a
    round that is complete, "over" the last one.
    """

    hand: HandOnPhone | None
    mode: str

    @property
    def side(self) -> str:
        """The side that types now: A, and who says no to what the others entered."""
        if self.hand is None or not self.hand.score:
            return "A"
        return self.hand.asks if self.hand.awaits else ""


def table(request: HttpRequest, link: TableLink, token: str) -> HttpResponse:
    """Show a table its round, and take what it enters."""
    timezone.activate(drive_of(link).club.zone)
    wants_data = "application/json" in request.headers.get("Accept", "")
    if not is_open(link):
        return _gone(request, link, wants_data)
    if request.method == "POST":
        return _take_data(request, link) if wants_data else _take_form(request, link, token)
    if wants_data:
        return JsonResponse({"page": asdict(table_phone_of(link))})
    return _show(request, link)


def _gone(request: HttpRequest, link: TableLink, wants_data: bool) -> HttpResponse:
    detail = (
        _("The organiser has taken this address back. Ask for a new one.")
        if link.revoked_at
        else _("The drive is closed. Thank you for your scores.")
    )
    if wants_data:
        return JsonResponse({"code": "gone", "detail": detail}, status=410)
    drive = drive_of(link)
    context = {"drive": drive, "club": drive.club, "detail": detail}
    return render(request, "drives/table_gone.html", context, status=410)


def _show(request: HttpRequest, link: TableLink, problem: str = "") -> HttpResponse:
    drive, page = drive_of(link), table_phone_of(link)
    context = {
        "drive": drive,
        "club": drive.club,
        "page": page,
        "data": asdict(page),
        "shown": _shown(request, page),
        "fields": page.people if page.figures > 2 else page.sides,
        "keyboard": keyboard_for(page.hands[0].low if page.hands else 0),
        "problem": problem,
    }
    return render(request, "drives/table.html", context, status=400 if problem else 200)


def _shown(request: HttpRequest, page: TablePhone) -> Shown:
    """Pick what is shown: what the address asks for, else the next thing to do."""
    if not page.seats:
        return Shown(None, "planned" if not page.round else "idle")
    is_whole = page.whole is not None and (page.is_whole or bool(request.GET.get("whole")))
    if request.GET.get("hands") and not (page.whole and page.whole.score):
        is_whole = False
    items = [page.whole] if is_whole and page.whole else list(page.hands)
    asked = request.GET.get("hand", "")
    hand = next((each for each in items if str(each.hand) == asked), None)
    hand = hand or next((each for each in items if not each.is_done), None)
    if hand is None:
        return Shown(None, "over" if page.is_over else "turn")
    if request.GET.get("again") or not hand.score:
        return Shown(hand, "enter")
    return Shown(hand, "confirm" if hand.awaits else "done")


def _take_form(request: HttpRequest, link: TableLink, token: str) -> HttpResponse:
    """Take what a page without a script sends, and show the next thing to do."""
    try:
        _act(request, link)
    except WhistError as refused:
        return _show(request, link, str(refused))
    return redirect("table", token)


def _take_data(request: HttpRequest, link: TableLink) -> HttpResponse:
    """Take what the page's script sends, and answer with the page as it now is."""
    try:
        _act(request, link)
    except ScoreMeanwhile as stale:
        page = table_phone_of(link)
        answer: dict[str, object] = {"code": stale.code, "page": asdict(page)}
        if str(page.round) != request.POST.get("round", ""):
            answer["detail"] = _("That round is over. Tell the organiser what it should be.")
            return JsonResponse(answer, status=409)
        hand = request.POST.get("hand", "")
        stands = [e for e in (*page.hands, page.whole) if e and str(e.hand) == hand]
        seen = stands[0].seen if stands else ()
        answer |= {"detail": str(stale), "seen": ",".join(map(str, seen))}
        return JsonResponse(answer, status=409)
    except WhistError as refused:
        answer = {
            "code": refused.code,
            "detail": str(refused),
            "page": asdict(table_phone_of(link)),
        }
        return JsonResponse(answer, status=400)
    return JsonResponse({"code": "ok", "page": asdict(table_phone_of(link))})


def _act(request: HttpRequest, link: TableLink) -> None:
    """Do what was asked: enter, confirm or call. Raises WhistError."""
    asked, act = request.POST, request.POST.get("act", "")
    if act == "call":
        call_director(link=link)
        return
    number = whole_number(asked.get("round", ""), most=1000)
    hand = whole_number(asked.get("hand", ""), most=1000)
    if number is None or hand is None:
        raise NotNow(_("This table has no such hand. Load the page again."))
    seats, seen = asked.get("seats", ""), _numbers([asked.get("seen", "")])
    if act == "confirm":
        drives.services.agree_from_table(
            link=link, round_number=number, hand=hand, seats=seats, seen=seen
        )
        return
    typed = asked.getlist("score")
    if len(typed) == 2 and not typed[0].strip():
        raise ScoreRefused(_("Write what the first side made."))
    drives.services.enter_from_table(
        link=link,
        round_number=number,
        hand=hand,
        seats=seats,
        score=_numbers(typed),
        extras=_numbers(asked.getlist("extras"), empty=0),
        seen=seen,
        side=asked.get("side", ""),
        key=asked.get("key", "")[:40],
    )


def _numbers(texts: Sequence[str], empty: int | None = None) -> list[int]:
    """Read whole numbers, one a box, or from one text with commas; "" counts as `empty`.

    Raises ScoreRefused. The page's script sends one text; a form without it several boxes.
    """
    split = texts[0].split(",") if len(texts) == 1 else texts
    parts = [part.strip() for part in split]
    found = [signed(part) if part else empty for part in parts]
    if any(part and value is None for part, value in zip(parts, found, strict=True)):
        raise ScoreRefused(_("Write whole numbers."))
    return [value for value in found if value is not None]
