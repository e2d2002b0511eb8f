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
from clubs.errors import EnteredMeanwhile
from drives import drive_access
from drives.errors import ScoreRefused
from drives.numbers import parse_signed_number
from drives.scores.score_format import format_signed
from drives.services import CardAlreadyEntered
from drives.sheets.hands_check import build_hands_report
from drives.sheets.people import Person, build_person
from drives.sheets.standing import build_totals_report, find_differing_totals
from drives.snapshot import DriveSnapshot, RoundSnapshot, load_drive
from drives.drive_access import DriveAccess
from server.numbers import parse_whole_number


@require_http_methods(["GET", "POST"])
def show_or_save_sheets(request: HttpRequest, slug: str) -> HttpResponse:
    """Show or save the scores of all tables in a round, or in one hand of the round."""
    access = drive_access.load_scorer_drive_access(request, slug)
    snapshot = load_drive(access.drive)
    parameters = request.POST if request.method == "POST" else request.GET
    round_number = parse_whole_number(parameters.get("round", "")) or access.drive.at_round
    hand = parse_whole_number(parameters.get("hand", "")) or 0
    problems: dict[int, WhistError] = {}
    if request.method == "POST" and round_number in snapshot.rounds:
        problems, entered_count = _enter_sheets(request, snapshot, round_number, hand)
        if entered_count:
            message = ngettext("%(n)s table saved.", "%(n)s tables saved.", entered_count)
            messages.success(request, message % {"n": entered_count})
        if not problems:
            return redirect(f"{request.path}?round={round_number}&hand={hand}")
        snapshot = load_drive(access.drive)
    context = _build_sheets_context(access, snapshot, round_number, hand, problems, request.POST)
    status = 422 if problems else 200
    return render(request, "drives/sheets.html", context, status=status)


def _enter_sheets(
    request: HttpRequest, snapshot: DriveSnapshot, round_number: int, hand: int
) -> tuple[dict[int, WhistError], int]:
    """Enter the typed scores that are new; return problems by table, and the number entered.

    A score is new if it differs from the score that the page showed. So an unchanged line does
    not overwrite a score that was entered on another screen in the meantime.
    """
    problems: dict[int, WhistError] = {}
    entered_count = 0
    for table in snapshot.rounds[round_number].tables:
        if not any(name in request.POST for name in _list_box_names(snapshot, table)):
            continue  # the page showed the sums of the hands instead of boxes
        stored_values = _list_stored_values(snapshot, round_number, table, hand)
        typed_values = _list_typed_values(snapshot, request.POST, table, stored_values)
        shown_text = request.POST.get(f"s{table}")
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
        score, extras = _split_scores_and_extras(snapshot, typed_values)
        try:
            entry = drives.services.enter_sheet(
                drive=snapshot.drive, round_number=round_number, table=table, hand=hand,
                score=_complete_scores(
                    snapshot, typed_values, _parse_whole_numbers(score, table), hand
                ),
                extras=_parse_whole_numbers(extras, table),
                reason=request.POST.get("reason", ""),
                seen=None if shown_text is None else _parse_whole_numbers(shown_values, table),
                by=request.user,
            )  # fmt: skip
        except WhistError as error:
            problems[table] = error
        else:
            entered_count += entry.is_changed
    return problems, entered_count


def _list_box_names(snapshot: DriveSnapshot, table: int) -> list[str]:
    """Return the names of the input boxes for a table: first its scores, then its extras."""
    score_indexes = range(snapshot.scoring.scores_per_sheet)
    extras = score_indexes if snapshot.scoring.extras else ()
    return [
        *(f"t{table}-{index}" for index in score_indexes),
        *(f"x{table}-{index}" for index in extras),
    ]


def _list_typed_values(
    snapshot: DriveSnapshot, form_data: Mapping[str, str], table: int, stored_values: list[str]
) -> list[str]:
    """Return the typed values of a table.

    If the page has no input boxes for extras, the stored extras are returned.
    """
    score_input_names = _list_box_names(snapshot, table)
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
        value or "0" for value in typed_values[score_count:]
    ]


def _split_shown_values(shown_text: str, box_count: int) -> list[str]:
    """Split the text of a line's hidden field into the values that the input boxes showed."""
    return shown_text.split(",") if shown_text else [""] * box_count


def _parse_whole_numbers(texts: list[str], table: int) -> list[int]:
    """Parse the texts that are not empty; raise ScoreRefused if one is no whole number."""
    numbers = [parse_signed_number(text) for text in texts if text]
    if None in numbers:
        message = _("Table %(table)s: enter whole numbers.")
        raise ScoreRefused(message % {"table": table})
    return [number for number in numbers if number is not None]


def _complete_scores(
    snapshot: DriveSnapshot, typed_values: list[str], score: list[int], hand: int
) -> list[int]:
    """Compute the first side's score if only the second side's score was typed."""
    sheet_total = snapshot.scoring.sheet_total
    if (
        snapshot.scoring.scores_per_sheet == 2
        and len(score) == 1
        and not typed_values[0]
        and sheet_total is not None
    ):
        hand_count = 1 if hand else snapshot.scoring.hands
        return [sheet_total // snapshot.scoring.hands * hand_count - score[0], score[0]]
    return score


def _list_stored_values(
    snapshot: DriveSnapshot, round_number: int, table: int, hand: int
) -> list[str]:
    """Return a table's stored score as the texts of its input boxes.

    If all hands of a round were entered one by one, its score is their sum.
    """
    round_ = snapshot.rounds[round_number]
    sheet = round_.sheets.get((table, hand))
    score: Sequence[int] = sheet.score if sheet else ()
    extras: Sequence[int] = sheet.extras if sheet else ()
    if (
        not hand
        and round_.count_hands_entered(table, snapshot.drive.hands) >= snapshot.drive.hands
    ):
        score, extras = round_.compute_table_score(table)
    box_count = len(_list_box_names(snapshot, table))
    values = [*map(str, score), *map(str, extras)]
    return [*values, *[""] * (box_count - len(values))]


def _build_sheets_context(
    access: DriveAccess,
    snapshot: DriveSnapshot,
    round_number: int,
    hand: int,
    problems: Mapping[int, WhistError],
    form_data: Mapping[str, str],
) -> dict[str, Any]:
    """Return the context of the page; values with problems are shown as they were typed."""
    round_ = snapshot.rounds.get(round_number)
    hand_count = snapshot.drive.hands
    sheet_total = snapshot.scoring.sheet_total
    tables = round_.tables if round_ else {}
    table_contexts = [
        _build_sheet_context(
            snapshot, round_number, hand, table, problems.get(table), form_data
        )
        for table in tables
    ]
    return access.context | {
        "round": round_number,
        "hand": hand,
        "hands": range(1, hand_count + 1) if hand_count > 1 else (),
        "lines": table_contexts,
        "has_boxes": not all(line["by_hand"] for line in table_contexts),
        "rest": [
            build_person(snapshot, player_id, format_full_name)
            for player_id in (round_.rest if round_ else ())
        ],
        "rounds": [number for number in snapshot.rounds if number <= access.drive.at_round],
        "is_sided": snapshot.scoring.scores_per_sheet == 2,
        "keyboard": snapshot.scoring.input_mode,
        "total": ""
        if sheet_total is None
        else (sheet_total // hand_count if hand else sheet_total),
        "problems": problems,
        "is_known": round_ is not None,
        "asks_reason": snapshot.points_table is not None
        and round_number < access.drive.at_round,
        "reason": form_data.get("reason", "") if problems else "",
        "is_complete": _is_current_round_complete(snapshot, round_number),
        "is_last": access.drive.rounds is not None and round_number >= access.drive.rounds,
    }


def _is_current_round_complete(snapshot: DriveSnapshot, round_number: int) -> bool:
    """Return whether every table of the round in play has all its scores."""
    drive, round_ = snapshot.drive, snapshot.current_round
    if round_ is None or drive.is_closed or round_number != drive.at_round:
        return False
    return all(
        round_.count_hands_entered(table, drive.hands) >= drive.hands for table in round_.tables
    )


def _build_sheet_context(
    snapshot: DriveSnapshot,
    round_number: int,
    hand: int,
    table: int,
    problem: WhistError | None,
    form_data: Mapping[str, str],
) -> dict[str, Any]:
    """Return the template context of a table's line.

    The line shows the stored values. If there is a problem, it shows the typed values instead.
    """
    round_, hand_count, score_input_names = (
        snapshot.rounds[round_number],
        snapshot.drive.hands,
        _list_box_names(snapshot, table),
    )
    people = [
        build_person(snapshot, player_id, format_full_name)
        for player_id in round_.tables[table]
        if isinstance(player_id, int)
    ]
    values = _list_stored_values(snapshot, round_number, table, hand)
    scores, extras = round_.compute_table_score(table)
    sums = [*map(format_signed, (*scores, *extras)), *[""] * len(score_input_names)]
    shown_text = ",".join(values) if any(values) else ""
    if problem is not None:
        if not isinstance(problem, EnteredMeanwhile):
            # Not after a conflict: then the hidden field has the values that are stored now.
            shown_text = form_data.get(f"s{table}", shown_text)
        values = [form_data.get(name, "") for name in score_input_names]
    score_inputs = [
        {
            "name": name,
            "value": value,
            "sum": sums[index],
            "who": _list_score_owners(snapshot, people, index),
            "is_extra": index >= snapshot.scoring.scores_per_sheet,
        }
        for index, (name, value) in enumerate(zip(score_input_names, values, strict=True))
    ]
    return {
        "table": table,
        "shown": shown_text,
        "problem": problem or "",
        "boxes": score_inputs,
        "by_hand": _count_single_hands(round_, table, hand, hand_count)
        if hand_count > 1
        else 0,
    }


def _count_single_hands(
    round_: RoundSnapshot | None, table: int, hand: int, hand_count: int
) -> int:
    """Return how many hands of a table were entered one by one, for the page of whole rounds.

    If the number is not 0, no score can be entered for the whole round.
    """
    if round_ is None or hand:
        return 0
    round_sheet = round_.sheets.get((table, 0))
    return (
        0
        if round_sheet and round_sheet.score
        else round_.count_hands_entered(table, hand_count)
    )


def _list_score_owners(
    snapshot: DriveSnapshot, people: list[Person], box_index: int
) -> list[str]:
    """Return the names of the players whose score is typed in an input box: one or two."""
    box_index %= snapshot.scoring.scores_per_sheet
    if snapshot.scoring.scores_per_sheet == 4:
        return [people[box_index].numbered_name]
    return [people[box_index].numbered_name, people[box_index + 2].numbered_name]


@require_http_methods(["GET", "POST"])
def show_or_save_totals(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the totals of score cards and whether their sum is right; a POST saves one total."""
    access = drive_access.load_scorer_drive_access(request, slug)
    part = parse_whole_number(request.POST.get("part", request.GET.get("part", ""))) or 1
    problem, existing_card = "", None
    if request.method == "POST":
        try:
            message = _enter_total(request, access, part)
        except CardAlreadyEntered as error:
            problem, existing_card = str(error), error.card
        except WhistError as error:
            problem = str(error)
        else:
            messages.success(request, message)
            return redirect(f"{request.path}?part={part}")
    context = _build_totals_context(access, part) | {
        "problem": problem,
        "taken": existing_card,
        "typed": request.POST if problem else {},
    }
    return render(request, "drives/totals.html", context, status=422 if problem else 200)


def _enter_total(request: HttpRequest, access: DriveAccess, part: int) -> str:
    player_number = parse_whole_number(request.POST.get("number", ""), maximum=10_000)
    total = parse_signed_number(request.POST.get("total", ""))
    if player_number is None or (total is None and "remove" not in request.POST):
        raise ScoreRefused(_("Enter the card number and its total."))
    entry = drives.services.enter_total(
        drive=access.drive,
        number=player_number,
        total=None if "remove" in request.POST else total,
        part=part,
        rests=parse_whole_number(request.POST.get("rests", ""), maximum=100) or 0,
        corrects="corrects" in request.POST or "remove" in request.POST,
        by=request.user,
    )
    name = entry.card.player.full_name
    if entry.card.total is None:
        return _("Card %(number)s, %(name)s: total removed.") % {
            "number": player_number,
            "name": name,
        }
    message = _("Card %(number)s, %(name)s: %(total)s.")
    return message % {"number": player_number, "name": name, "total": entry.card.total}


def _build_totals_context(access: DriveAccess, part: int) -> dict[str, Any]:
    snapshot = load_drive(access.drive)
    card_by_player_number = {
        card.player.number: card
        for card in snapshot.totals
        if card.part == part and card.total is not None
    }
    players_without_card = [
        player
        for player in snapshot.ranked_players
        if player.number not in card_by_player_number
    ]
    return access.context | {
        "part": part,
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
def compare_second_typing(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a form to type all totals a second time, and then the differences between both."""
    access = drive_access.load_scorer_drive_access(request, slug)
    part = parse_whole_number(request.POST.get("part", request.GET.get("part", ""))) or 1
    snapshot = load_drive(access.drive)
    typed_totals: dict[int, int] = {}
    differences: list[dict[str, Any]] | None = None
    if request.method == "POST":
        for player in snapshot.ranked_players:
            total = parse_signed_number(request.POST.get(f"n{player.number}", ""))
            if total is not None:
                typed_totals[player.number] = total
        stored_totals = {
            card.player.number: card.total for card in snapshot.totals if card.part == part
        }
        differences = [
            {
                "person": build_person(snapshot, player_number, format_full_name),
                "first": stored_totals.get(player_number),
                "second": typed_totals[player_number],
            }
            for player_number in find_differing_totals(snapshot, typed_totals, part)
            if player_number in typed_totals
        ]
    context = access.context | {
        "part": part,
        "parts": (1, 2) if access.drive.halves else (),
        "keyboard": snapshot.scoring.input_mode,
        "people": [
            {
                "person": build_person(snapshot, player.number, format_full_name),
                "typed": typed_totals.get(player.number, ""),
            }
            for player in sorted(
                snapshot.ranked_players, key=lambda ranked_player: ranked_player.number
            )
        ],
        "differ": differences,
        "compared": len(typed_totals),
    }
    return render(request, "drives/again.html", context)
