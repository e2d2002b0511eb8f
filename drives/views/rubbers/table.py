"""The marker of one table: a tap a hand, who plays next, one undo; it follows other screens."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from boards.whist import WhistError
from drives import visits
from drives.errors import RubberRefused
from drives.held_rubbers import HeldNight, HeldTable, read_night
from drives.rubber.cutting import HIGHEST, Cut
from drives.rubber.hands import HONOURS, TRICKS
from drives.rubber.night_file import cuts_data, read_cuts
from drives.rubber.seating import Cuts, Stage
from drives.secrecy import full
from drives.services import rubbers
from drives.services.rubbers import CutAgain, Guest
from drives.sheets.rubbers.marker import (
    TRICKS as TAPPED,
)
from drives.sheets.rubbers.marker import Marker, NextFour, marker, next_four, penalty_words
from drives.visits import RubberVisit
from server.numbers import whole_number
from server.parts import part_of

CARDS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
MOST_REVOKES = 2
"""A side's revokes in one hand that the page asks for; programs may send more."""
ACTS = ("mark", "seat", "cut", "undo", "join", "leave", "substitute", "settle")


@require_safe
def rubber_table(request: HttpRequest, slug: str, table: str) -> HttpResponse:
    """The marker of a table."""
    visit = visits.scorer_night(request, slug)
    return render(request, "drives/rubbers/table.html", _context(visit, table))


@require_safe
@part_of("rubber_table")
def rubber_table_now(request: HttpRequest, slug: str, table: str) -> HttpResponse:
    """The marker alone, where something has changed since the screen was drawn."""
    visit = visits.scorer_night(request, slug)
    if request.GET.get("seen") == str(visit.night.revision):
        return HttpResponse(status=204)
    return render(request, "drives/rubbers/_marker.html", _context(visit, table))


def _context(
    visit: RubberVisit, address: str, wanted: NextFour | None = None, cuts: Cuts | None = None
) -> dict[str, Any]:
    held = read_night(visit.night)
    found = _table(held, address)
    sheet = marker(held, found, full)
    return {
        "visit": visit,
        "night": visit.night,
        "club": visit.night.club,
        "marker": sheet,
        "sides": _sides(held, sheet),
        "following": wanted or sheet.following,
        "cuts": json.dumps(cuts_data("cards", cuts)) if cuts else "",
        "cards": list(enumerate(CARDS, start=1)),
        "revokes": range(1, MOST_REVOKES + 1),
    }


def _sides(held: HeldNight, sheet: Marker) -> list[dict[str, Any]]:
    """Each side with the buttons of its tricks and what its revoke may cost."""
    penalties = [(each, penalty_words(held, each)) for each in sheet.penalties]
    return [{"on": each, "tricks": TAPPED, "penalties": penalties} for each in sheet.sides]


def _table(held: HeldNight, address: str) -> HeldTable:
    round_, number = _numbers(address)
    found = held.table(number, round_)
    if found is None:
        raise Http404
    return found


def _numbers(address: str) -> tuple[int, int]:
    first, dash, second = address.partition("-")
    numbers = [
        whole_number(part, most=10_000) for part in ((first, second) if dash else (first,))
    ]
    if None in numbers:
        raise Http404
    return (numbers[0] or 0, numbers[1] or 0) if dash else (0, numbers[0] or 0)


@require_POST
def rubber_table_act(request: HttpRequest, slug: str, table: str, act: str) -> HttpResponse:
    """Do one thing at a table, and show it again."""
    visit = visits.scorer_night(request, slug)
    round_, number = _numbers(table)
    try:
        _ACTS[act](request, visit, number, round_)
    except CutAgain as refused:
        return _cut_again(request, visit, table, refused)
    except WhistError as refused:
        messages.error(request, str(refused))
    return redirect("rubber_table", slug, table)


def _cut_again(
    request: HttpRequest, visit: RubberVisit, table: str, refused: CutAgain
) -> HttpResponse:
    held = read_night(visit.night)
    wanted = next_four(held, _table(held, table), full, refused.cuts)
    context = _context(visit, table, wanted, refused.cuts)
    return render(request, "drives/rubbers/table.html", context)


def _mark(request: HttpRequest, visit: RubberVisit, table: int, round_: int) -> None:
    posted = request.POST
    rubbers.mark_hand(
        night=visit.night,
        table=table,
        round=round_,
        spell=whole_number(posted.get("spell", "")) or 0,
        number=whole_number(posted.get("hand", "")) or 0,
        hand=read_marked(posted),
        by=request.user,
    )


def read_marked(posted: Mapping[str, str]) -> dict[str, Any]:
    """Read a hand as the marker sends it: tricks by one button, honours, revokes, a call."""
    if posted.get("called") in ("A", "B"):
        return {"called": posted["called"]}
    made = posted.get("made", "")
    side, tricks = made[:1], whole_number(made[1:], most=TRICKS)
    if side not in ("A", "B") or tricks is None:
        raise RubberRefused(_("Tap the tricks of one side."))
    other = "B" if side == "A" else "A"
    hand: dict[str, Any] = {"tricks": {side: tricks, other: TRICKS - tricks}}
    honours = posted.get("honours", "")
    held = whole_number(honours[1:], most=HONOURS)
    if honours[:1] in ("A", "B") and held:
        hand["honours"] = {honours[0]: held}
    revokes = [
        {"by": by} | ({} if posted[name] == "yes" else {"penalty": posted[name][:10]})
        for by in ("A", "B")
        for at in range(1, MOST_REVOKES + 1)
        if posted.get(name := f"revoke-{by}{at}")
    ]
    return hand | ({"revokes": revokes} if revokes else {})


def _seat(request: HttpRequest, visit: RubberVisit, table: int, round_: int) -> None:
    posted = request.POST
    how = posted.get("how", "")
    seats = [whole_number(each) or 0 for each in posted.getlist("seats")]
    rubbers.seat_next(
        night=visit.night,
        table=table,
        spell=whole_number(posted.get("spell", "")) or 0,
        how="lot" if how == "lot" else "",
        seats=seats,
        dealer=whole_number(posted.get("dealer", "")),
        by=request.user,
    )


def _cut(request: HttpRequest, visit: RubberVisit, table: int, round_: int) -> None:
    """Take cards that were cut at the table, with those of the cuts before."""
    posted = request.POST
    cut: Cut = {
        name.removeprefix("cut-"): card
        for name, text in posted.items()
        if name.startswith("cut-") and (card := whole_number(str(text), most=HIGHEST))
    }
    stage = Stage.OUT if posted.get("stage") == Stage.OUT else Stage.IN
    rubbers.seat_next(
        night=visit.night,
        table=table,
        spell=whole_number(posted.get("spell", "")) or 0,
        how="cards",
        cuts=_cuts(posted.get("cuts", "")).more(stage, cut),
        by=request.user,
    )


def _cuts(text: str) -> Cuts:
    try:
        data = json.loads(text[:20_000]) if text else {}
    except (ValueError, RecursionError):
        data = {}
    return read_cuts(data, _("cuts")) if isinstance(data, dict) else Cuts()


def _undo(request: HttpRequest, visit: RubberVisit, table: int, round_: int) -> None:
    rubbers.undo_last_at(night=visit.night, table=table, round=round_, by=request.user)


def _join(request: HttpRequest, visit: RubberVisit, table: int, round_: int) -> None:
    guest = Guest(name=request.POST.get("name", "")[:300])
    rubbers.join_table(night=visit.night, table=table, guest=guest, by=request.user)


def _leave(request: HttpRequest, visit: RubberVisit, table: int, round_: int) -> None:
    number = whole_number(request.POST.get("number", "")) or 0
    rubbers.leave_table(night=visit.night, table=table, number=number, by=request.user)


def _substitute(request: HttpRequest, visit: RubberVisit, table: int, round_: int) -> None:
    rubbers.substitute_at_table(
        night=visit.night,
        table=table,
        number=whole_number(request.POST.get("number", "")) or 0,
        name=request.POST.get("name", "")[:300],
        by=request.user,
    )


def _settle(request: HttpRequest, visit: RubberVisit, table: int, round_: int) -> None:
    rubbers.settle_table(
        night=visit.night,
        table=table,
        round=round_,
        settled="on" not in request.POST,
        by=request.user,
    )


_ACTS: Mapping[str, Callable[[HttpRequest, RubberVisit, int, int], None]] = {
    "mark": _mark,
    "seat": _seat,
    "cut": _cut,
    "undo": _undo,
    "join": _join,
    "leave": _leave,
    "substitute": _substitute,
    "settle": _settle,
}


@require_http_methods(["GET", "POST"])
def rubber_hand(
    request: HttpRequest, slug: str, table: str, spell: int, hand: int
) -> HttpResponse:
    """Put one hand right; what follows from it follows."""
    visit = visits.scorer_night(request, slug)
    round_, number = _numbers(table)
    problem = ""
    if request.method == "POST":
        try:
            rubbers.correct_hand(
                night=visit.night,
                table=number,
                round=round_,
                spell=spell,
                number=hand,
                hand=read_marked(request.POST),
                reason=request.POST.get("reason", "")[:300],
                by=request.user,
            )
        except WhistError as refused:
            problem = str(refused)
        else:
            messages.success(request, _("Put right; the score follows."))
            return redirect("rubber_table", slug, table)
    held = read_night(visit.night)
    found = _table(held, table)
    sheet = marker(held, found, full)
    line = next(
        (
            each
            for each in (*sheet.hands, *sheet.earlier)
            if (each.spell, each.number) == (spell, hand)
        ),
        None,
    )
    if line is None:
        raise Http404
    context = {
        "visit": visit,
        "night": visit.night,
        "club": visit.night.club,
        "marker": sheet,
        "line": line,
        "sides": _sides_of(held, found, spell, sheet),
        "made": range(TRICKS, -1, -1),
        "given": _given(found.told[spell - 1][hand - 1]),
        "revokes": range(1, MOST_REVOKES + 1),
        "problem": problem,
    }
    status = 422 if problem else 200
    return render(request, "drives/rubbers/hand.html", context, status=status)


def _sides_of(
    held: HeldNight, table: HeldTable, spell: int, sheet: Marker
) -> list[dict[str, Any]]:
    """The sides of a spell with their names, and what a revoke may cost."""
    seats = table.spells[spell - 1].seats
    penalties = [(each, penalty_words(held, each)) for each in sheet.penalties]
    return [
        {
            "side": side,
            "names": " + ".join(full(held.people[number]) for number in pair),
            "penalties": penalties,
        }
        for side, pair in (("A", seats[:2]), ("B", seats[2:]))
    ]


def _given(told: Mapping[str, Any]) -> dict[str, str]:
    """A hand as the fields of its page have it."""
    found = {"called": told.get("called", "")}
    if "tricks" in told:
        found["made"] = f"A{told['tricks']['A']}"
    for side, number in told.get("honours", {}).items():
        if number >= 3 and told.get("claimed", True):
            found["honours"] = f"{side}{number}"
    counts = {"A": 0, "B": 0}
    for revoke in told.get("revokes", ()):
        counts[revoke["by"]] += 1
        found[f"revoke-{revoke['by']}{counts[revoke['by']]}"] = revoke.get("penalty", "yes")
    return found
