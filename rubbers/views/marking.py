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
from clubs.activities.secrecy import format_full_name
from clubs.audit import Actor
from rubbers import services
from rubbers.errors import RubberConflict, RubberRefused
from rubbers.files.night_file import build_cuts, parse_cuts
from rubbers.models import RubberNight
from rubbers.rubber.cuts import HIGHEST_RANK, Cut
from rubbers.rubber.hands import HONOURS_PER_SUIT, TRICKS_PER_HAND
from rubbers.rubber.seating import CutPurpose, Cuts
from rubbers.services import CutsNeeded, NewRubberPlayer
from rubbers.services.hands import serialize_hand
from rubbers.sheets.marker import TRICK_BUTTONS as TAPPED
from rubbers.sheets.marker import (
    HandOnMarker,
    Marker,
    NextFour,
    build_marker,
    build_next_four,
    format_penalty,
)
from rubbers.snapshot import DUMMY_NUMBER, NightSnapshot, TableSnapshot, load_night
from server.fragments import HTMX_HEADER
from server.numbers import parse_number_or_zero, parse_whole_number

CARD_CHOICES = ("A", *map(str, range(2, 11)), "J", "Q", "K")
PAGE_TEMPLATE, FRAGMENT_TEMPLATE = "rubbers/table.html", "rubbers/_marker.html"
MAX_REVOKES_PER_SIDE = 2
"""The maximum of a side's revokes in one hand on the page; the API accepts more."""


@dataclass(frozen=True, kw_only=True)
class MarkerPage:
    """The context of a marker page: table, URL and actor."""

    night: RubberNight
    table: int
    round: int
    page_url: str
    back_url: str
    """The URL of the page that led here."""
    actor: Actor
    is_guest: bool = False
    """Whether it is the table's own device, which has neither a login nor a cookie."""

    @property
    def page_version(self) -> str:
        """The version of the page; a drive's next round also changes it."""
        drive = self.night.drive
        return f"{self.night.revision}.{drive.revision if drive else 0}"

    @property
    def service_arguments(self) -> dict[str, Any]:
        """The keyword arguments that identify the table in calls of services."""
        return {"night": self.night, "table": self.table, "by": self.actor}


def handle_marker_page(request: HttpRequest, page: MarkerPage) -> HttpResponse:
    """Show the marker page of a table, or perform the posted act of a signed-in user."""
    problem = None
    if request.method == "POST":
        try:
            perform_act(page, request.POST)
        except WhistError as error:
            problem = error
        else:
            if HTMX_HEADER not in request.headers:
                return redirect(page.page_url)
    return show_marker_page(request, page, problem)


def perform_act(page: MarkerPage, posted: QueryDict) -> None:
    """Perform the posted act of a marker page; raise WhistError."""
    act = _ACTS.get(posted.get("act", ""))
    if act is None:
        raise RubberRefused(_("Action not found on this page."))
    act(page, posted)


def show_marker_page(
    request: HttpRequest, page: MarkerPage, problem: WhistError | None
) -> HttpResponse:
    """Show the marker page, a changed fragment of it, or one hand to correct."""
    if request.method == "POST":
        page.night.refresh_from_db()
    if problem is not None:
        response = _show_refusal(request, page, problem)
    elif HTMX_HEADER in request.headers:
        if request.GET.get("seen") == page.page_version:
            response = HttpResponse(status=204)
        else:
            response = render(request, FRAGMENT_TEMPLATE, _build_context(page))
    elif "hand" in request.GET:
        response = _show_hand_form(request, page, request.GET)
    else:
        response = render(request, PAGE_TEMPLATE, _build_context(page))
    patch_vary_headers(response, [HTMX_HEADER])
    return response


def _show_refusal(request: HttpRequest, page: MarkerPage, problem: WhistError) -> HttpResponse:
    template = FRAGMENT_TEMPLATE if HTMX_HEADER in request.headers else PAGE_TEMPLATE
    if isinstance(problem, CutsNeeded):
        snapshot = load_night(page.night)
        next_four = build_next_four(
            snapshot, _load_table(snapshot, page), format_full_name, problem.cuts
        )
        return render(request, template, _build_context(page, next_four, problem.cuts))
    is_current = not isinstance(problem, RubberConflict)
    if is_current and request.POST.get("act") == "correct":
        return _show_hand_form(request, page, request.POST, str(problem))
    return render(
        request, template, _build_context(page) | {"problem": str(problem)}, status=422
    )


def _build_context(
    page: MarkerPage, next_four: NextFour | None = None, cuts: Cuts | None = None
) -> dict[str, Any]:
    snapshot = load_night(page.night)
    sheet = build_marker(snapshot, _load_table(snapshot, page), format_full_name)
    return _build_frame(page) | {
        "marker": sheet,
        "sides": _build_sides(snapshot, sheet),
        "following": next_four or sheet.following,
        "cuts": json.dumps(build_cuts("cards", cuts)) if cuts else "",
        "cards": list(enumerate(CARD_CHOICES, start=1)),
        "revokes": range(1, MAX_REVOKES_PER_SIDE + 1),
    }


def _build_frame(page: MarkerPage) -> dict[str, Any]:
    return {"at": page, "night": page.night, "club": page.night.club}


def _build_sides(snapshot: NightSnapshot, sheet: Marker) -> list[dict[str, Any]]:
    """Return each side with the buttons for its tricks and the penalties of its revokes."""
    penalties = [(penalty, format_penalty(snapshot, penalty)) for penalty in sheet.penalties]
    return [
        {"on": side, "side": side.side, "names": side.payers, "tricks": TAPPED,
         "penalties": penalties}
        for side in sheet.sides
    ]  # fmt: skip


def _load_table(snapshot: NightSnapshot, page: MarkerPage) -> TableSnapshot:
    table = snapshot.get_table(page.table, page.round)
    if table is None:
        raise Http404
    return table


def _show_hand_form(
    request: HttpRequest, page: MarkerPage, form_input: Mapping[str, str], problem: str = ""
) -> HttpResponse:
    """Show the form that corrects a recorded hand."""
    snapshot = load_night(page.night)
    table_snapshot = _load_table(snapshot, page)
    sheet = build_marker(snapshot, table_snapshot, format_full_name)
    spell, number = (
        parse_number_or_zero(form_input.get("spell")),
        parse_number_or_zero(form_input.get("hand")),
    )
    line = _find_hand(sheet, spell, number)
    penalties = [(penalty, format_penalty(snapshot, penalty)) for penalty in sheet.penalties]
    seats = table_snapshot.spells[spell - 1].seats
    context = _build_frame(page) | {
        "marker": sheet,
        "line": line,
        "sides": [
            {
                "side": side,
                "names": " + ".join(
                    format_full_name(snapshot.players[person])
                    for person in pair
                    if person != DUMMY_NUMBER
                ),
                "penalties": penalties,
            }
            for side, pair in (("A", seats[:2]), ("B", seats[2:]))
        ],
        "made": range(TRICKS_PER_HAND, -1, -1),
        "given": _to_form_values(table_snapshot.stored_hands[spell - 1][number - 1]),
        "seen": serialize_hand(table_snapshot.stored_hands[spell - 1][number - 1]),
        "revokes": range(1, MAX_REVOKES_PER_SIDE + 1),
        "problem": problem,
    }
    status = 422 if problem else 200
    return render(request, "rubbers/hand.html", context, status=status)


def _find_hand(sheet: Marker, spell: int, number: int) -> HandOnMarker:
    for hand in (*sheet.hands, *sheet.earlier):
        if (hand.spell, hand.number) == (spell, number):
            return hand
    raise Http404


def _to_form_values(hand: Mapping[str, Any]) -> dict[str, str]:
    """Return a hand as the values of its form fields."""
    values = {"called": hand.get("called", "")}
    if "tricks" in hand:
        values["made"] = f"A{hand['tricks']['A']}"
    for side, number in hand.get("honours", {}).items():
        if number >= 3 and hand.get("claimed", True):
            values["honours"] = f"{side}{number}"
    counts = {"A": 0, "B": 0}
    for revoke in hand.get("revokes", ()):
        if revoke.get("dummy"):
            continue
        counts[revoke["by"]] += 1
        values[f"revoke-{revoke['by']}{counts[revoke['by']]}"] = revoke.get("penalty", "yes")
    return values


def parse_hand_form(posted: Mapping[str, str]) -> dict[str, Any]:
    """Read a hand from a posted form: tricks by one button, honours, revokes, a call."""
    if posted.get("called") in ("A", "B"):
        return {"called": posted["called"]}
    tricks_button = posted.get("made", "")
    side, tricks = (
        tricks_button[:1],
        parse_whole_number(tricks_button[1:], maximum=TRICKS_PER_HAND),
    )
    if side not in ("A", "B") or tricks is None:
        raise RubberRefused(_("Tap one side’s tricks."))
    other_side = "B" if side == "A" else "A"
    hand: dict[str, Any] = {"tricks": {side: tricks, other_side: TRICKS_PER_HAND - tricks}}
    honours = posted.get("honours", "")
    snapshot = parse_whole_number(honours[1:], maximum=HONOURS_PER_SUIT)
    if honours[:1] in ("A", "B") and snapshot:
        hand["honours"] = {honours[0]: snapshot}
    revokes = [
        {"by": by, "penalty": posted[name][:10]}
        for by in ("A", "B")
        for index in range(1, MAX_REVOKES_PER_SIDE + 1)
        if posted.get(name := f"revoke-{by}{index}")
    ]
    return hand | ({"revokes": revokes} if revokes else {})


def _record_hand(page: MarkerPage, posted: Any) -> None:
    """Record a hand; a hand that was delayed on a device belongs to the round in which it was
    played.
    """
    round_ = parse_number_or_zero(posted.get("round"))
    has_waited = "waited" in posted and 0 < round_ < page.round
    if round_ != page.round and not has_waited:
        raise RubberConflict(_("Another round is in play now. Check the table."))
    services.record_hand(
        **page.service_arguments,
        round=round_,
        spell=parse_number_or_zero(posted.get("spell")),
        number=parse_number_or_zero(posted.get("hand")),
        hand=parse_hand_form(posted),
    )


def _check_round(page: MarkerPage, posted: Any) -> None:
    """Refuse a form of another round, since its hands have the same numbers."""
    if "round" in posted and parse_number_or_zero(posted["round"]) != page.round:
        raise RubberConflict(_("Another round is in play now. Check the table."))


def _correct_hand(page: MarkerPage, posted: Any) -> None:
    _check_round(page, posted)
    services.correct_hand(
        **page.service_arguments,
        round=page.round,
        spell=parse_number_or_zero(posted.get("spell")),
        number=parse_number_or_zero(posted.get("hand")),
        hand=parse_hand_form(posted),
        seen=posted.get("seen"),
        reason=posted.get("reason", "")[:300],
    )


def _seat_next(page: MarkerPage, posted: Any) -> None:
    services.seat_next(
        **page.service_arguments,
        spell=parse_number_or_zero(posted.get("spell")),
        how="lot" if posted.get("how") == "lot" else "",
        seats=[parse_number_or_zero(number_text) for number_text in posted.getlist("seats")],
        dealer=parse_whole_number(posted.get("dealer", "")),
    )


def _seat_by_cards(page: MarkerPage, posted: Any) -> None:
    """Read cards that were cut at the table, and seat by them and the earlier cuts."""
    cut: Cut = {
        name.removeprefix("cut-"): card
        for name, text in posted.items()
        if name.startswith("cut-")
        and (card := parse_whole_number(str(text), maximum=HIGHEST_RANK))
    }
    stage = CutPurpose.OUT if posted.get("stage") == CutPurpose.OUT else CutPurpose.IN
    services.seat_next(
        **page.service_arguments,
        spell=parse_number_or_zero(posted.get("spell")),
        how="cards",
        cuts=_parse_cuts(posted.get("cuts", "")).with_cut(stage, cut),
    )


def _parse_cuts(text: str) -> Cuts:
    try:
        data = json.loads(text[:20_000]) if text else {}
    except (ValueError, RecursionError):
        data = {}
    return parse_cuts(data, _("cuts")) if isinstance(data, dict) else Cuts()


def _undo_last_act(page: MarkerPage, posted: Any) -> None:
    _check_round(page, posted)
    services.undo_last_act(**page.service_arguments, round=page.round)


def _join_table(page: MarkerPage, posted: Any) -> None:
    services.join_table(
        **page.service_arguments, guest=NewRubberPlayer(name=posted.get("name", "")[:300])
    )


def _leave_table(page: MarkerPage, posted: Any) -> None:
    services.leave_table(
        **page.service_arguments, number=parse_number_or_zero(posted.get("number"))
    )


def _set_substitute(page: MarkerPage, posted: Any) -> None:
    services.substitute_at_table(
        **page.service_arguments,
        number=parse_number_or_zero(posted.get("number")),
        name=posted.get("name", "")[:300],
    )


def _settle_table(page: MarkerPage, posted: Any) -> None:
    _check_round(page, posted)
    services.settle_table(
        **page.service_arguments, round=page.round, settled="on" not in posted
    )


_ACTS: Mapping[str, Callable[[MarkerPage, Any], None]] = {
    "mark": _record_hand,
    "correct": _correct_hand,
    "seat": _seat_next,
    "cut": _seat_by_cards,
    "undo": _undo_last_act,
    "join": _join_table,
    "leave": _leave_table,
    "substitute": _set_substitute,
    "settle": _settle_table,
}
