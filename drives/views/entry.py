"""The pages on which scorers enter table scores and card totals, and compare totals."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

import drives.services
from boards.whist import WhistError
from clubs.activities.secrecy import format_full_name
from clubs.errors import EntryConflict
from drives import drive_access
from drives.drive_access import DriveAccess
from drives.errors import InvalidScore
from drives.numbers import parse_signed_number
from drives.scores.score_format import format_signed
from drives.services import TotalAlreadyEntered
from drives.sheets.hands_check import build_hands_report
from drives.sheets.people import Person, build_person
from drives.sheets.standing import build_totals_report, find_differing_totals
from drives.snapshot import DriveSnapshot, RoundSnapshot, load_drive_snapshot
from server.numbers import parse_whole_number


@require_http_methods(["GET", "POST"])
def show_or_save_sheets(request: HttpRequest, slug: str) -> HttpResponse:
    """Show or save the scores of all tables in a round, or in one hand of the round."""
    access = drive_access.load_scorer_drive_access(request, slug)
    snapshot = load_drive_snapshot(access.drive)
    parameters = request.POST if request.method == "POST" else request.GET
    round_number = parse_whole_number(parameters.get("round", "")) or access.drive.at_round
    hand_number = parse_whole_number(parameters.get("hand", "")) or 0
    problems_by_table: dict[int, WhistError] = {}
    if request.method == "POST" and round_number in snapshot.round_by_number:
        problems_by_table, entered_count = _enter_sheets(
            request, snapshot, round_number, hand_number
        )
        if entered_count:
            message = ngettext("%(n)s table saved.", "%(n)s tables saved.", entered_count)
            messages.success(request, message % {"n": entered_count})
        if not problems_by_table:
            return redirect(f"{request.path}?round={round_number}&hand={hand_number}")
        snapshot = load_drive_snapshot(access.drive)
    context = _build_sheets_context(
        access, snapshot, round_number, hand_number, problems_by_table, request.POST
    )
    status = 422 if problems_by_table else 200
    return render(request, "drives/sheets.html", context, status=status)


def _enter_sheets(
    request: HttpRequest, snapshot: DriveSnapshot, round_number: int, hand_number: int
) -> tuple[dict[int, WhistError], int]:
    """Enter the typed scores that are new; return problems by table, and the number entered.

    A score is new if it differs from the score that the page showed. So an unchanged line does
    not overwrite a score that was entered on another screen in the meantime.
    """
    problems_by_table: dict[int, WhistError] = {}
    entered_count = 0
    for table_number in snapshot.round_by_number[round_number].seats_by_table:
        if not any(name in request.POST for name in _list_input_names(snapshot, table_number)):
            continue  # the page showed the sums of the hands instead of boxes
        stored_values = _list_stored_values(snapshot, round_number, table_number, hand_number)
        typed_values = _list_typed_values(snapshot, request.POST, table_number, stored_values)
        shown_text = request.POST.get(f"s{table_number}")
        shown_values = (
            stored_values
            if shown_text is None
            else _split_shown_values(shown_text, len(typed_values))
        )
        if _split_scores_and_extras(snapshot, typed_values) in (
            _split_scores_and_extras(snapshot, shown_values),
            _split_scores_and_extras(snapshot, stored_values),
        ):
            continue
        score_texts, extra_points_texts = _split_scores_and_extras(snapshot, typed_values)
        try:
            entered_sheet = drives.services.enter_sheet(
                drive=snapshot.drive, round_number=round_number, table=table_number,
                hand=hand_number, score=_complete_scores(
                    snapshot, typed_values, _parse_whole_numbers(score_texts, table_number),
                    hand_number,
                ),
                extras=_parse_whole_numbers(extra_points_texts, table_number),
                reason=request.POST.get("reason", ""),
                seen=None if shown_text is None
                    else _parse_whole_numbers(shown_values, table_number),
                by=request.user,
            )  # fmt: skip
        except WhistError as error:
            problems_by_table[table_number] = error
        else:
            entered_count += entered_sheet.is_changed
    return problems_by_table, entered_count


def _list_input_names(snapshot: DriveSnapshot, table_number: int) -> list[str]:
    """Return the names of the input boxes for a table: first its scores, then its extras."""
    score_indexes = range(snapshot.scoring.scores_per_sheet)
    extra_points_indexes = score_indexes if snapshot.scoring.extras_step else ()
    return [
        *(f"t{table_number}-{index}" for index in score_indexes),
        *(f"x{table_number}-{index}" for index in extra_points_indexes),
    ]


def _list_typed_values(
    snapshot: DriveSnapshot,
    form_data: Mapping[str, str],
    table_number: int,
    stored_values: list[str],
) -> list[str]:
    """Return the typed values of a table.

    If the page has no input boxes for extras, the stored extras are returned.
    """
    score_input_names = _list_input_names(snapshot, table_number)
    typed_values = [form_data.get(name, "").strip() for name in score_input_names]
    score_count = snapshot.scoring.scores_per_sheet
    if any(typed_values) and not any(
        name in form_data for name in score_input_names[score_count:]
    ):
        return [*typed_values[:score_count], *stored_values[score_count:]]
    return typed_values


def _split_scores_and_extras(
    snapshot: DriveSnapshot, typed_values: list[str]
) -> tuple[list[str], list[str]]:
    """Return the typed scores that are not empty, and the typed extras, "0" for empty ones."""
    score_count = snapshot.scoring.scores_per_sheet
    return [*filter(None, typed_values[:score_count])], [
        typed_value or "0" for typed_value in typed_values[score_count:]
    ]


def _split_shown_values(shown_text: str, input_count: int) -> list[str]:
    """Split the text of a line's hidden field into the values that the input boxes showed."""
    return shown_text.split(",") if shown_text else [""] * input_count


def _parse_whole_numbers(number_texts: list[str], table_number: int) -> list[int]:
    """Parse the texts that are not empty; raise InvalidScore if one is no whole number."""
    parsed_numbers = [
        parse_signed_number(number_text) for number_text in number_texts if number_text
    ]
    if None in parsed_numbers:
        message = _("Table %(table)s: enter whole numbers.")
        raise InvalidScore(message % {"table": table_number})
    return [parsed_number for parsed_number in parsed_numbers if parsed_number is not None]


def _complete_scores(
    snapshot: DriveSnapshot, typed_values: list[str], typed_scores: list[int], hand_number: int
) -> list[int]:
    """Compute the first side's score if only the second side's score was typed."""
    sheet_total = snapshot.scoring.sheet_total
    if (
        snapshot.scoring.scores_per_sheet == 2
        and len(typed_scores) == 1
        and not typed_values[0]
        and sheet_total is not None
    ):
        hand_count = 1 if hand_number else snapshot.scoring.hands_per_round
        return [
            sheet_total // snapshot.scoring.hands_per_round * hand_count - typed_scores[0],
            typed_scores[0],
        ]
    return typed_scores


def _list_stored_values(
    snapshot: DriveSnapshot, round_number: int, table_number: int, hand_number: int
) -> list[str]:
    """Return a table's stored score as the texts of its input boxes.

    If all hands of a round were entered one by one, its score is their sum.
    """
    round_ = snapshot.round_by_number[round_number]
    sheet = round_.sheet_by_table_and_hand.get((table_number, hand_number))
    side_scores: Sequence[int] = sheet.score if sheet else ()
    extra_points: Sequence[int] = sheet.extras if sheet else ()
    if (
        not hand_number
        and round_.count_hands_entered(table_number, snapshot.drive.hands)
        >= snapshot.drive.hands
    ):
        side_scores, extra_points = round_.compute_table_score(table_number)
    input_count = len(_list_input_names(snapshot, table_number))
    stored_texts = [*map(str, side_scores), *map(str, extra_points)]
    return [*stored_texts, *[""] * (input_count - len(stored_texts))]


def _build_sheets_context(
    access: DriveAccess,
    snapshot: DriveSnapshot,
    round_number: int,
    hand_number: int,
    problems_by_table: Mapping[int, WhistError],
    form_data: Mapping[str, str],
) -> dict[str, Any]:
    """Return the context of the page; values with problems are shown as they were typed."""
    round_ = snapshot.round_by_number.get(round_number)
    hand_count = snapshot.drive.hands
    sheet_total = snapshot.scoring.sheet_total
    seats_by_table = round_.seats_by_table if round_ else {}
    table_contexts = [
        _build_sheet_context(
            snapshot,
            round_number,
            hand_number,
            table_number,
            problems_by_table.get(table_number),
            form_data,
        )
        for table_number in seats_by_table
    ]
    return access.context | {
        "round": round_number,
        "hand": hand_number,
        "hands": range(1, hand_count + 1) if hand_count > 1 else (),
        "lines": table_contexts,
        "has_boxes": not all(table_context["by_hand"] for table_context in table_contexts),
        "rest": [
            build_person(snapshot, player_id, format_full_name)
            for player_id in (round_.resting_players if round_ else ())
        ],
        "rounds": [
            begun_round_number
            for begun_round_number in snapshot.round_by_number
            if begun_round_number <= access.drive.at_round
        ],
        "is_sided": snapshot.scoring.scores_per_sheet == 2,
        "keyboard": snapshot.scoring.input_mode,
        "total": ""
        if sheet_total is None
        else (sheet_total // hand_count if hand_number else sheet_total),
        "problems": problems_by_table,
        "is_known": round_ is not None,
        "asks_reason": snapshot.points_table is not None
        and round_number < access.drive.at_round,
        "reason": form_data.get("reason", "") if problems_by_table else "",
        "is_complete": _is_current_round_complete(snapshot, round_number),
        "is_last": access.drive.rounds is not None and round_number >= access.drive.rounds,
    }


def _is_current_round_complete(snapshot: DriveSnapshot, round_number: int) -> bool:
    """Return whether every table of the round in play has all its scores."""
    drive, round_ = snapshot.drive, snapshot.current_round
    if round_ is None or drive.is_closed or round_number != drive.at_round:
        return False
    return all(
        round_.count_hands_entered(table_number, drive.hands) >= drive.hands
        for table_number in round_.seats_by_table
    )


def _build_sheet_context(
    snapshot: DriveSnapshot,
    round_number: int,
    hand_number: int,
    table_number: int,
    problem: WhistError | None,
    form_data: Mapping[str, str],
) -> dict[str, Any]:
    """Return the template context of a table's line.

    The line shows the stored values. If there is a problem, it shows the typed values instead.
    """
    round_, hand_count, score_input_names = (
        snapshot.round_by_number[round_number],
        snapshot.drive.hands,
        _list_input_names(snapshot, table_number),
    )
    people = [
        build_person(snapshot, player_id, format_full_name)
        for player_id in round_.seats_by_table[table_number]
        if isinstance(player_id, int)
    ]
    input_values = _list_stored_values(snapshot, round_number, table_number, hand_number)
    scores, extra_points = round_.compute_table_score(table_number)
    sums = [*map(format_signed, (*scores, *extra_points)), *[""] * len(score_input_names)]
    shown_text = ",".join(input_values) if any(input_values) else ""
    if problem is not None:
        if not isinstance(problem, EntryConflict):
            # Not after a conflict: then the hidden field has the values that are stored now.
            shown_text = form_data.get(f"s{table_number}", shown_text)
        input_values = [form_data.get(name, "") for name in score_input_names]
    score_inputs = [
        {
            "name": name,
            "value": input_value,
            "sum": sums[index],
            "who": _list_score_owners(snapshot, people, index),
            "is_extra": index >= snapshot.scoring.scores_per_sheet,
        }
        for index, (name, input_value) in enumerate(
            zip(score_input_names, input_values, strict=True)
        )
    ]
    return {
        "table": table_number,
        "shown": shown_text,
        "problem": problem or "",
        "boxes": score_inputs,
        "by_hand": _count_separately_entered_hands(
            round_, table_number, hand_number, hand_count
        )
        if hand_count > 1
        else 0,
    }


def _count_separately_entered_hands(
    round_: RoundSnapshot | None, table_number: int, hand_number: int, hand_count: int
) -> int:
    """Return how many hands of a table were entered one by one, for the page of whole rounds.

    If the number is not 0, no score can be entered for the whole round.
    """
    if round_ is None or hand_number:
        return 0
    round_sheet = round_.sheet_by_table_and_hand.get((table_number, 0))
    return (
        0
        if round_sheet and round_sheet.score
        else round_.count_hands_entered(table_number, hand_count)
    )


def _list_score_owners(
    snapshot: DriveSnapshot, people: list[Person], input_index: int
) -> list[str]:
    """Return the names of the players whose score is typed in an input box: one or two."""
    input_index %= snapshot.scoring.scores_per_sheet
    if snapshot.scoring.scores_per_sheet == 4:
        return [people[input_index].numbered_name]
    return [people[input_index].numbered_name, people[input_index + 2].numbered_name]


@require_http_methods(["GET", "POST"])
def show_or_save_totals(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the totals of score cards and whether their sum is right; a POST saves one total."""
    access = drive_access.load_scorer_drive_access(request, slug)
    part_number = parse_whole_number(request.POST.get("part", request.GET.get("part", ""))) or 1
    problem, existing_card = "", None
    if request.method == "POST":
        try:
            message = _enter_total(request, access, part_number)
        except TotalAlreadyEntered as error:
            problem, existing_card = str(error), error.card
        except WhistError as error:
            problem = str(error)
        else:
            messages.success(request, message)
            return redirect(f"{request.path}?part={part_number}")
    context = _build_totals_context(access, part_number) | {
        "problem": problem,
        "taken": existing_card,
        "typed": request.POST if problem else {},
    }
    return render(request, "drives/totals.html", context, status=422 if problem else 200)


def _enter_total(request: HttpRequest, access: DriveAccess, part_number: int) -> str:
    player_number = parse_whole_number(request.POST.get("number", ""), maximum=10_000)
    total = parse_signed_number(request.POST.get("total", ""))
    if player_number is None or (total is None and "remove" not in request.POST):
        raise InvalidScore(_("Enter the card number and its total."))
    entered_total = drives.services.enter_total(
        drive=access.drive,
        number=player_number,
        total=None if "remove" in request.POST else total,
        part=part_number,
        rests=parse_whole_number(request.POST.get("rests", ""), maximum=100) or 0,
        corrects="corrects" in request.POST or "remove" in request.POST,
        by=request.user,
    )
    player_name = entered_total.card.player.full_name
    if entered_total.card.total is None:
        return _("Card %(number)s, %(name)s: total removed.") % {
            "number": player_number,
            "name": player_name,
        }
    message = _("Card %(number)s, %(name)s: %(total)s.")
    return message % {
        "number": player_number,
        "name": player_name,
        "total": entered_total.card.total,
    }


def _build_totals_context(access: DriveAccess, part_number: int) -> dict[str, Any]:
    snapshot = load_drive_snapshot(access.drive)
    card_by_player_number = {
        card.player.number: card
        for card in snapshot.card_totals
        if card.part == part_number and card.total is not None
    }
    players_without_card = [
        player
        for player in snapshot.ranked_players
        if player.number not in card_by_player_number
    ]
    return access.context | {
        "part": part_number,
        "parts": (1, 2) if access.drive.halves else (),
        "keyboard": snapshot.scoring.input_mode,
        "handed": [
            {
                "person": build_person(snapshot, player_number, format_full_name),
                "total": card.total,
                "rests": card.rests,
            }
            for player_number, card in sorted(card_by_player_number.items())
        ],
        "missing": players_without_card,
        "check": build_totals_report(snapshot, format_full_name),
        "hands_check": build_hands_report(snapshot, format_full_name),
        "asks_rests": not snapshot.last_round_number
        or snapshot.last_round_number < snapshot.planned_round_count,
        "is_complete": not players_without_card,
        "again": reverse("drive_again", args=[access.address]),
    }


@require_http_methods(["GET", "POST"])
def compare_retyped_totals(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a form to type all totals a second time, and then the differences between both."""
    access = drive_access.load_scorer_drive_access(request, slug)
    part_number = parse_whole_number(request.POST.get("part", request.GET.get("part", ""))) or 1
    snapshot = load_drive_snapshot(access.drive)
    typed_totals_by_player: dict[int, int] = {}
    differences: list[dict[str, Any]] | None = None
    if request.method == "POST":
        for player in snapshot.ranked_players:
            total = parse_signed_number(request.POST.get(f"n{player.number}", ""))
            if total is not None:
                typed_totals_by_player[player.number] = total
        stored_totals_by_player = {
            card.player.number: card.total
            for card in snapshot.card_totals
            if card.part == part_number
        }
        differences = [
            {
                "person": build_person(snapshot, player_number, format_full_name),
                "first": stored_totals_by_player.get(player_number),
                "second": typed_totals_by_player[player_number],
            }
            for player_number in find_differing_totals(
                snapshot, typed_totals_by_player, part_number
            )
            if player_number in typed_totals_by_player
        ]
    context = access.context | {
        "part": part_number,
        "parts": (1, 2) if access.drive.halves else (),
        "keyboard": snapshot.scoring.input_mode,
        "people": [
            {
                "person": build_person(snapshot, player.number, format_full_name),
                "typed": typed_totals_by_player.get(player.number, ""),
            }
            for player in sorted(
                snapshot.ranked_players, key=lambda ranked_player: ranked_player.number
            )
        ],
        "differ": differences,
        "compared": len(typed_totals_by_player),
    }
    return render(request, "drives/again.html", context)
