"""The marker page of a table, for signed-in users and for devices with the table's link."""

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
from rubbers.files.night_file import build_stored_cuts_data, parse_cuts
from rubbers.models import RubberNight
from rubbers.rubber.cuts import HIGHEST_RANK, Cut
from rubbers.rubber.hands import HONOURS_PER_SUIT, TRICKS_PER_HAND
from rubbers.rubber.seating import CutPurpose, Cuts
from rubbers.services import CutsRequired, NewRubberPlayer
from rubbers.services.hands import serialize_hand
from rubbers.sheets.marker import (
    TRICK_CHOICES,
    MarkerHand,
    MarkerPageData,
    NextSeatingChoices,
    build_marker_page_data,
    build_next_seating,
    format_penalty,
)
from rubbers.snapshot import DUMMY_NUMBER, NightSnapshot, TableSnapshot, load_night
from server.fragments import HTMX_HEADER
from server.numbers import parse_number_or_zero, parse_whole_number

CARD_CHOICES = ("A", *map(str, range(2, 11)), "J", "Q", "K")
PAGE_TEMPLATE, FRAGMENT_TEMPLATE = "rubbers/table.html", "rubbers/_marker.html"
MAX_REVOKES_PER_SIDE = 2
"""The number of revokes that the form accepts for each side; the API accepts more."""


@dataclass(frozen=True, kw_only=True)
class MarkerPage:
    """A request's marker page: the table, the URLs and the actor."""

    night: RubberNight
    table_number: int
    round_number: int
    page_url: str
    back_url: str
    """The URL of the night's page, to which the page has a link."""
    actor: Actor
    is_guest: bool = False
    """Whether the page is shown to a device with the table's link, which is not signed in."""

    @property
    def page_version(self) -> str:
        """The version of the page, which changes with every act of the night or its drive."""
        drive = self.night.drive
        return f"{self.night.revision}.{drive.revision if drive else 0}"

    @property
    def service_arguments(self) -> dict[str, Any]:
        """The keyword arguments of services that identify the table and the actor."""
        return {"night": self.night, "table": self.table_number, "by": self.actor}


def handle_marker_page(request: HttpRequest, page: MarkerPage) -> HttpResponse:
    """Show the marker page to a signed-in user, or perform the posted act."""
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


def perform_act(page: MarkerPage, form_data: QueryDict) -> None:
    """Perform the posted act of a marker page; raise WhistError if it is refused."""
    handler = _HANDLER_BY_ACT.get(form_data.get("act", ""))
    if handler is None:
        raise RubberRefused(_("Action not found on this page."))
    handler(page, form_data)


def show_marker_page(
    request: HttpRequest, page: MarkerPage, problem: WhistError | None
) -> HttpResponse:
    """Show the marker page, its fragment, or the form that corrects a hand.

    For a fragment the status is 204 if the page has not changed.
    """
    if request.method == "POST":
        page.night.refresh_from_db()
    if problem is not None:
        response = _show_problem(request, page, problem)
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


def _show_problem(request: HttpRequest, page: MarkerPage, problem: WhistError) -> HttpResponse:
    template = FRAGMENT_TEMPLATE if HTMX_HEADER in request.headers else PAGE_TEMPLATE
    if isinstance(problem, CutsRequired):
        snapshot = load_night(page.night)
        next_seating = build_next_seating(
            snapshot, _load_table(snapshot, page), format_full_name, problem.cuts
        )
        return render(request, template, _build_context(page, next_seating, problem.cuts))
    is_current = not isinstance(problem, RubberConflict)
    if is_current and request.POST.get("act") == "correct":
        return _show_hand_form(request, page, request.POST, str(problem))
    return render(
        request, template, _build_context(page) | {"problem": str(problem)}, status=422
    )


def _build_context(
    page: MarkerPage, next_seating: NextSeatingChoices | None = None, cuts: Cuts | None = None
) -> dict[str, Any]:
    snapshot = load_night(page.night)
    page_data = build_marker_page_data(snapshot, _load_table(snapshot, page), format_full_name)
    return _build_page_context(page) | {
        "marker": page_data,
        "sides": _build_sides(snapshot, page_data),
        "next_seating": next_seating or page_data.next_seating,
        "cuts": json.dumps(build_stored_cuts_data("cards", cuts)) if cuts else "",
        "cards": list(enumerate(CARD_CHOICES, start=1)),
        "revokes": range(1, MAX_REVOKES_PER_SIDE + 1),
    }


def _build_page_context(page: MarkerPage) -> dict[str, Any]:
    return {"at": page, "night": page.night, "club": page.night.club}


def _build_sides(snapshot: NightSnapshot, page_data: MarkerPageData) -> list[dict[str, Any]]:
    """Return the data of each side's buttons: its tricks and the penalties for its revokes."""
    penalties = [
        (penalty, format_penalty(snapshot, penalty)) for penalty in page_data.penalties
    ]
    return [
        {"on": side, "side": side.side, "names": side.penalised_player_names,
         "tricks": TRICK_CHOICES, "penalties": penalties}
        for side in page_data.sides
    ]  # fmt: skip


def _load_table(snapshot: NightSnapshot, page: MarkerPage) -> TableSnapshot:
    table = snapshot.get_table(page.table_number, page.round_number)
    if table is None:
        raise Http404
    return table


def _show_hand_form(
    request: HttpRequest, page: MarkerPage, form_input: Mapping[str, str], problem: str = ""
) -> HttpResponse:
    """Show the form that corrects a recorded hand; `form_input` has the hand's numbers."""
    snapshot = load_night(page.night)
    table_snapshot = _load_table(snapshot, page)
    page_data = build_marker_page_data(snapshot, table_snapshot, format_full_name)
    spell_number, hand_number = (
        parse_number_or_zero(form_input.get("spell")),
        parse_number_or_zero(form_input.get("hand")),
    )
    hand = _find_hand(page_data, spell_number, hand_number)
    penalties = [
        (penalty, format_penalty(snapshot, penalty)) for penalty in page_data.penalties
    ]
    seats = table_snapshot.spells[spell_number - 1].seats
    context = _build_page_context(page) | {
        "marker": page_data,
        "hand": hand,
        "sides": [
            {
                "side": side,
                "names": " + ".join(
                    format_full_name(snapshot.players[player_number])
                    for player_number in side_seats
                    if player_number != DUMMY_NUMBER
                ),
                "penalties": penalties,
            }
            for side, side_seats in (("A", seats[:2]), ("B", seats[2:]))
        ],
        "made": range(TRICKS_PER_HAND, -1, -1),
        "given": _build_form_values(
            table_snapshot.stored_hands[spell_number - 1][hand_number - 1]
        ),
        "seen": serialize_hand(table_snapshot.stored_hands[spell_number - 1][hand_number - 1]),
        "revokes": range(1, MAX_REVOKES_PER_SIDE + 1),
        "problem": problem,
    }
    status = 422 if problem else 200
    return render(request, "rubbers/hand.html", context, status=status)


def _find_hand(page_data: MarkerPageData, spell_number: int, hand_number: int) -> MarkerHand:
    for hand in (*page_data.hands, *page_data.earlier_hands):
        if (hand.spell, hand.number) == (spell_number, hand_number):
            return hand
    raise Http404


def _build_form_values(hand_data: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of a stored hand's form fields, by field name."""
    form_values = {"called": hand_data.get("called", "")}
    if "tricks" in hand_data:
        form_values["made"] = f"A{hand_data['tricks']['A']}"
    for side, honour_count in hand_data.get("honours", {}).items():
        if honour_count >= 3 and hand_data.get("claimed", True):
            form_values["honours"] = f"{side}{honour_count}"
    revoke_counts = {"A": 0, "B": 0}
    for revoke in hand_data.get("revokes", ()):
        if revoke.get("dummy"):
            continue
        revoke_counts[revoke["by"]] += 1
        form_values[f"revoke-{revoke['by']}{revoke_counts[revoke['by']]}"] = revoke.get(
            "penalty", "yes"
        )
    return form_values


def parse_hand_form(form_data: Mapping[str, str]) -> dict[str, Any]:
    """Return the hand in a posted form, in the format of the rubber file."""
    if form_data.get("called") in ("A", "B"):
        return {"called": form_data["called"]}
    tricks_button_value = form_data.get("made", "")
    side, tricks = (
        tricks_button_value[:1],
        parse_whole_number(tricks_button_value[1:], maximum=TRICKS_PER_HAND),
    )
    if side not in ("A", "B") or tricks is None:
        raise RubberRefused(_("Tap one side’s tricks."))
    other_side = "B" if side == "A" else "A"
    hand_data: dict[str, Any] = {"tricks": {side: tricks, other_side: TRICKS_PER_HAND - tricks}}
    honours_button_value = form_data.get("honours", "")
    honour_count = parse_whole_number(honours_button_value[1:], maximum=HONOURS_PER_SUIT)
    if honours_button_value[:1] in ("A", "B") and honour_count:
        hand_data["honours"] = {honours_button_value[0]: honour_count}
    revokes = [
        {"by": revoking_side, "penalty": form_data[field_name][:10]}
        for revoking_side in ("A", "B")
        for revoke_number in range(1, MAX_REVOKES_PER_SIDE + 1)
        if form_data.get(field_name := f"revoke-{revoking_side}{revoke_number}")
    ]
    return hand_data | ({"revokes": revokes} if revokes else {})


def _record_hand(page: MarkerPage, form_data: Any) -> None:
    """Record a hand; a device that was offline may send a hand of an earlier round."""
    round_number = parse_number_or_zero(form_data.get("round"))
    was_delayed = "waited" in form_data and 0 < round_number < page.round_number
    if round_number != page.round_number and not was_delayed:
        raise RubberConflict(_("Another round is in play now. Check the table."))
    services.record_hand(
        **page.service_arguments,
        round=round_number,
        spell=parse_number_or_zero(form_data.get("spell")),
        number=parse_number_or_zero(form_data.get("hand")),
        hand=parse_hand_form(form_data),
    )


def _check_round(page: MarkerPage, form_data: Any) -> None:
    """Refuse a form for another round of a drive.

    Hands are numbered from 1 in each round, so the number could mean another hand.
    """
    if "round" in form_data and parse_number_or_zero(form_data["round"]) != page.round_number:
        raise RubberConflict(_("Another round is in play now. Check the table."))


def _correct_hand(page: MarkerPage, form_data: Any) -> None:
    _check_round(page, form_data)
    services.correct_hand(
        **page.service_arguments,
        round=page.round_number,
        spell=parse_number_or_zero(form_data.get("spell")),
        number=parse_number_or_zero(form_data.get("hand")),
        hand=parse_hand_form(form_data),
        seen=form_data.get("seen"),
        reason=form_data.get("reason", "")[:300],
    )


def _seat_next_players(page: MarkerPage, form_data: Any) -> None:
    services.seat_next_players(
        **page.service_arguments,
        spell=parse_number_or_zero(form_data.get("spell")),
        seating_mode="lot" if form_data.get("how") == "lot" else "",
        seats=[parse_number_or_zero(number_text) for number_text in form_data.getlist("seats")],
        dealer=parse_whole_number(form_data.get("dealer", "")),
    )


def _seat_by_cards(page: MarkerPage, form_data: Any) -> None:
    """Seat the players by all cuts of the form, including the cards that were just cut."""
    cut: Cut = {
        name.removeprefix("cut-"): card_rank
        for name, card_text in form_data.items()
        if name.startswith("cut-")
        and (card_rank := parse_whole_number(str(card_text), maximum=HIGHEST_RANK))
    }
    cut_purpose = CutPurpose.OUT if form_data.get("stage") == CutPurpose.OUT else CutPurpose.IN
    services.seat_next_players(
        **page.service_arguments,
        spell=parse_number_or_zero(form_data.get("spell")),
        seating_mode="cards",
        cuts=_parse_cuts(form_data.get("cuts", "")).with_cut(cut_purpose, cut),
    )


def _parse_cuts(cuts_text: str) -> Cuts:
    try:
        cuts_data = json.loads(cuts_text[:20_000]) if cuts_text else {}
    except (ValueError, RecursionError):
        cuts_data = {}
    return parse_cuts(cuts_data, _("cuts")) if isinstance(cuts_data, dict) else Cuts()


def _undo_last_act(page: MarkerPage, form_data: Any) -> None:
    _check_round(page, form_data)
    services.undo_last_act(**page.service_arguments, round=page.round_number)


def _join_table(page: MarkerPage, form_data: Any) -> None:
    services.join_table(
        **page.service_arguments, guest=NewRubberPlayer(name=form_data.get("name", "")[:300])
    )


def _remove_table_member(page: MarkerPage, form_data: Any) -> None:
    services.remove_table_member(
        **page.service_arguments, number=parse_number_or_zero(form_data.get("number"))
    )


def _set_substitute(page: MarkerPage, form_data: Any) -> None:
    services.substitute_player_at_table(
        **page.service_arguments,
        number=parse_number_or_zero(form_data.get("number")),
        name=form_data.get("name", "")[:300],
    )


def _set_table_round_ended(page: MarkerPage, form_data: Any) -> None:
    _check_round(page, form_data)
    services.set_table_round_ended(
        **page.service_arguments, round=page.round_number, settled="on" not in form_data
    )


_HANDLER_BY_ACT: Mapping[str, Callable[[MarkerPage, Any], None]] = {
    "mark": _record_hand,
    "correct": _correct_hand,
    "seat": _seat_next_players,
    "cut": _seat_by_cards,
    "undo": _undo_last_act,
    "join": _join_table,
    "leave": _remove_table_member,
    "substitute": _set_substitute,
    "settle": _set_table_round_ended,
}
