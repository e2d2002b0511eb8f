"""The marker page of one table, for a login and for the table's own device."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from boards.whist import WhistError
from clubs.activities.secrecy import full
from clubs.audit import Actor
from rubbers import services
from rubbers.errors import RubberMeanwhile, RubberRefused
from rubbers.files.night_file import cuts_data, read_cuts
from rubbers.held import NOBODY, HeldNight, HeldTable, read_night
from rubbers.models import RubberNight
from rubbers.rubber.cutting import HIGHEST, Cut
from rubbers.rubber.hands import HONOURS, TRICKS
from rubbers.rubber.seating import Cuts, Stage
from rubbers.services import CutAgain, Guest
from rubbers.services.hands import told_text
from rubbers.sheets.marker import TRICKS as TAPPED
from rubbers.sheets.marker import (
    HandOnMarker,
    Marker,
    NextFour,
    marker,
    next_four,
    penalty_words,
)
from server.fragments import ASKED_BY_A_PAGE
from server.numbers import number_or_zero, whole_number

CARDS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
PAGE, PART = "rubbers/table.html", "rubbers/_marker.html"
MOST_REVOKES = 2
"""The maximum of a side's revokes in one hand on the page; the API accepts more."""


@dataclass(frozen=True, kw_only=True)
class At:
    """The context of a marker page: table, URL and actor."""

    night: RubberNight
    table: int
    round: int
    here: str
    back: str
    """The URL of the page that led here."""
    by: Actor
    is_guest: bool = False
    """Whether it is the table's own device, which has neither a login nor a cookie."""

    @property
    def seen(self) -> str:
        """The version of the page; a drive's next round also changes it."""
        drive = self.night.drive
        return f"{self.night.revision}.{drive.revision if drive else 0}"

    @property
    def place(self) -> dict[str, Any]:
        """The arguments of services that identify the table."""
        return {"night": self.night, "table": self.table, "by": self.by}


def answer(request: HttpRequest, at: At) -> HttpResponse:
    """Show the marker page, or perform the act of a signed-in user."""
    problem = None
    if request.method == "POST":
        try:
            take_act(at, request.POST)
        except WhistError as refused:
            problem = refused
        else:
            if ASKED_BY_A_PAGE not in request.headers:
                return redirect(at.here)
    return show(request, at, problem)


def take_act(at: At, posted: QueryDict) -> None:
    """Perform an act posted by a marker page; raise WhistError."""
    act = _ACTS.get(posted.get("act", ""))
    if act is None:
        raise RubberRefused(_("There is no such thing to do here."))
    act(at, posted)


def show(request: HttpRequest, at: At, problem: WhistError | None) -> HttpResponse:
    """Show the marker page, a changed fragment of it, or one hand to correct."""
    if request.method == "POST":
        at.night.refresh_from_db()
    if problem is not None:
        found = _refused(request, at, problem)
    elif ASKED_BY_A_PAGE in request.headers:
        if request.GET.get("seen") == at.seen:
            found = HttpResponse(status=204)
        else:
            found = render(request, PART, _context(at))
    elif "hand" in request.GET:
        found = _one_hand(request, at, request.GET)
    else:
        found = render(request, PAGE, _context(at))
    patch_vary_headers(found, [ASKED_BY_A_PAGE])
    return found


def _refused(request: HttpRequest, at: At, problem: WhistError) -> HttpResponse:
    template = PART if ASKED_BY_A_PAGE in request.headers else PAGE
    if isinstance(problem, CutAgain):
        held = read_night(at.night)
        wanted = next_four(held, _table(held, at), full, problem.cuts)
        return render(request, template, _context(at, wanted, problem.cuts))
    is_there = not isinstance(problem, RubberMeanwhile)
    if is_there and request.POST.get("act") == "correct":
        return _one_hand(request, at, request.POST, str(problem))
    return render(request, template, _context(at) | {"problem": str(problem)}, status=422)


def _context(
    at: At, wanted: NextFour | None = None, cuts: Cuts | None = None
) -> dict[str, Any]:
    held = read_night(at.night)
    sheet = marker(held, _table(held, at), full)
    return _frame(at) | {
        "marker": sheet,
        "sides": _sides(held, sheet),
        "following": wanted or sheet.following,
        "cuts": json.dumps(cuts_data("cards", cuts)) if cuts else "",
        "cards": list(enumerate(CARDS, start=1)),
        "revokes": range(1, MOST_REVOKES + 1),
    }


def _frame(at: At) -> dict[str, Any]:
    return {"at": at, "night": at.night, "club": at.night.club}


def _sides(held: HeldNight, sheet: Marker) -> list[dict[str, Any]]:
    """Return each side with the buttons for its tricks and the penalties of its revokes."""
    penalties = [(each, penalty_words(held, each)) for each in sheet.penalties]
    return [
        {"on": each, "side": each.side, "names": each.payers, "tricks": TAPPED,
         "penalties": penalties}
        for each in sheet.sides
    ]  # fmt: skip


def _table(held: HeldNight, at: At) -> HeldTable:
    found = held.table(at.table, at.round)
    if found is None:
        raise Http404
    return found


def _one_hand(
    request: HttpRequest, at: At, asked: Mapping[str, str], problem: str = ""
) -> HttpResponse:
    """Show the form that corrects a recorded hand."""
    held = read_night(at.night)
    found = _table(held, at)
    sheet = marker(held, found, full)
    spell, number = number_or_zero(asked.get("spell")), number_or_zero(asked.get("hand"))
    line = _line(sheet, spell, number)
    penalties = [(each, penalty_words(held, each)) for each in sheet.penalties]
    seats = found.spells[spell - 1].seats
    context = _frame(at) | {
        "marker": sheet,
        "line": line,
        "sides": [
            {
                "side": side,
                "names": " + ".join(full(held.people[each]) for each in pair if each != NOBODY),
                "penalties": penalties,
            }
            for side, pair in (("A", seats[:2]), ("B", seats[2:]))
        ],
        "made": range(TRICKS, -1, -1),
        "given": _given(found.told[spell - 1][number - 1]),
        "seen": told_text(found.told[spell - 1][number - 1]),
        "revokes": range(1, MOST_REVOKES + 1),
        "problem": problem,
    }
    status = 422 if problem else 200
    return render(request, "rubbers/hand.html", context, status=status)


def _line(sheet: Marker, spell: int, number: int) -> HandOnMarker:
    for each in (*sheet.hands, *sheet.earlier):
        if (each.spell, each.number) == (spell, number):
            return each
    raise Http404


def _given(told: Mapping[str, Any]) -> dict[str, str]:
    """Return a hand as the values of its form fields."""
    found = {"called": told.get("called", "")}
    if "tricks" in told:
        found["made"] = f"A{told['tricks']['A']}"
    for side, number in told.get("honours", {}).items():
        if number >= 3 and told.get("claimed", True):
            found["honours"] = f"{side}{number}"
    counts = {"A": 0, "B": 0}
    for revoke in told.get("revokes", ()):
        if revoke.get("dummy"):
            continue
        counts[revoke["by"]] += 1
        found[f"revoke-{revoke['by']}{counts[revoke['by']]}"] = revoke.get("penalty", "yes")
    return found


def read_marked(posted: Mapping[str, str]) -> dict[str, Any]:
    """Read a hand from a posted form: tricks by one button, honours, revokes, a call."""
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
        {"by": by, "penalty": posted[name][:10]}
        for by in ("A", "B")
        for at in range(1, MOST_REVOKES + 1)
        if posted.get(name := f"revoke-{by}{at}")
    ]
    return hand | ({"revokes": revokes} if revokes else {})


def _mark(at: At, posted: Any) -> None:
    """Record a hand; a hand that waited on a device belongs to the round it was played in."""
    round_ = number_or_zero(posted.get("round"))
    has_waited = "waited" in posted and 0 < round_ < at.round
    if round_ != at.round and not has_waited:
        raise RubberMeanwhile(_("Another round is in play now. Look again."))
    services.mark_hand(
        **at.place,
        round=round_,
        spell=number_or_zero(posted.get("spell")),
        number=number_or_zero(posted.get("hand")),
        hand=read_marked(posted),
    )


def _check_round(at: At, posted: Any) -> None:
    """Refuse a form of another round, since its hands have the same numbers."""
    if "round" in posted and number_or_zero(posted["round"]) != at.round:
        raise RubberMeanwhile(_("Another round is in play now. Look again."))


def _correct(at: At, posted: Any) -> None:
    _check_round(at, posted)
    services.correct_hand(
        **at.place,
        round=at.round,
        spell=number_or_zero(posted.get("spell")),
        number=number_or_zero(posted.get("hand")),
        hand=read_marked(posted),
        seen=posted.get("seen"),
        reason=posted.get("reason", "")[:300],
    )


def _seat(at: At, posted: Any) -> None:
    services.seat_next(
        **at.place,
        spell=number_or_zero(posted.get("spell")),
        how="lot" if posted.get("how") == "lot" else "",
        seats=[number_or_zero(each) for each in posted.getlist("seats")],
        dealer=whole_number(posted.get("dealer", "")),
    )


def _cut(at: At, posted: Any) -> None:
    """Read cards that were cut at the table, and seat by them and the earlier cuts."""
    cut: Cut = {
        name.removeprefix("cut-"): card
        for name, text in posted.items()
        if name.startswith("cut-") and (card := whole_number(str(text), most=HIGHEST))
    }
    stage = Stage.OUT if posted.get("stage") == Stage.OUT else Stage.IN
    services.seat_next(
        **at.place,
        spell=number_or_zero(posted.get("spell")),
        how="cards",
        cuts=_cuts(posted.get("cuts", "")).more(stage, cut),
    )


def _cuts(text: str) -> Cuts:
    try:
        data = json.loads(text[:20_000]) if text else {}
    except (ValueError, RecursionError):
        data = {}
    return read_cuts(data, _("cuts")) if isinstance(data, dict) else Cuts()


def _undo(at: At, posted: Any) -> None:
    _check_round(at, posted)
    services.undo_last_at(**at.place, round=at.round)


def _join(at: At, posted: Any) -> None:
    services.join_table(**at.place, guest=Guest(name=posted.get("name", "")[:300]))


def _leave(at: At, posted: Any) -> None:
    services.leave_table(**at.place, number=number_or_zero(posted.get("number")))


def _substitute(at: At, posted: Any) -> None:
    services.substitute_at_table(
        **at.place,
        number=number_or_zero(posted.get("number")),
        name=posted.get("name", "")[:300],
    )


def _settle(at: At, posted: Any) -> None:
    _check_round(at, posted)
    services.settle_table(**at.place, round=at.round, settled="on" not in posted)


_ACTS: Mapping[str, Callable[[At, Any], None]] = {
    "mark": _mark,
    "correct": _correct,
    "seat": _seat,
    "cut": _cut,
    "undo": _undo,
    "join": _join,
    "leave": _leave,
    "substitute": _substitute,
    "settle": _settle,
}
