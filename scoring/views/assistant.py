"""Pages of the ruling assistant: questions to the director about an incident, and a remedy."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import scoring.services
from boards.whist import WhistError
from laws.book import (
    FREQUENT_SITUATIONS,
    SITUATIONS_BY_CODE,
    SITUATIONS_BY_MOMENT,
    Advice,
    RulingEffect,
    format_citation,
    get_advice,
    list_questions,
    search_law_book,
)
from laws.book.questions import Question, QuestionName
from laws.book.situation import IncidentMoment
from laws.views import group_situations
from scoring import page_loaders
from scoring.forms import ClaimForm, find_latest_occurrence
from scoring.models import Ruling
from scoring.session_snapshot import SeatedTable, load_session_snapshot
from scoring.sheets.assistant import (
    PlayNeedingRuling,
    count_begun_rounds,
    find_play,
    list_begun_rounds,
    list_table_choices,
)
from scoring.sheets.ruling_panel import RulingPreview, preview_ruling
from server.errors import PageNotFound
from server.numbers import parse_number_or_zero, parse_whole_number
from tournaments.event_access import EventAccess
from tournaments.models import Sitting
from tournaments.models.seating import has_several_sections
from tournaments.movements.formatting import format_table

TRUMP_CARD_SITUATIONS = SITUATIONS_BY_MOMENT[IncidentMoment.TRUMP]
"""The situations about the turn-up and the trump slip, which do not occur if trumps are
declared.
"""


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question of the assistant, and the director's answer, which is "" until it is given."""

    question: Question
    answer: str


@require_safe
def show_assistant(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the assistant's questions about an incident, and then the advice.

    The query string contains the situation and all answers so far.
    """
    access = page_loaders.load_director_event(request, slug)
    situation_code = request.GET.get("code", "").upper()
    if situation_code not in SITUATIONS_BY_CODE:
        return _show_situations(request, access)
    access = access.with_session(parse_whole_number(request.GET.get("session", "")))
    session = page_loaders.load_session(access)
    snapshot = load_session_snapshot(session)
    play_needing_ruling = _find_play_needing_ruling(request.GET, access)
    context: dict[str, Any] = access.context | {
        "session": session,
        "situation": SITUATIONS_BY_CODE[situation_code],
        "boards": snapshot.boards,
        "tables": list_table_choices(snapshot),
        "board": parse_number_or_zero(request.GET.get("board", "")),
        "table": request.GET.get("table", ""),
        "place": play_needing_ruling,
        "laws": [
            (citation, format_citation(citation))
            for citation in SITUATIONS_BY_CODE[situation_code].laws
        ],
        "nowhere": bool(request.GET.get("board")) and play_needing_ruling is None,
    }
    begun_round_count = count_begun_rounds(snapshot)
    begun_rounds_with_boards = list_begun_rounds(snapshot, context["table"], begun_round_count)
    played_boards = {
        board_number
        for _round, round_boards in begun_rounds_with_boards
        for board_number in round_boards
    }
    context |= {
        "near": begun_rounds_with_boards,
        "others": [
            board_number
            for board_number in snapshot.boards
            if board_number not in played_boards
        ],
    }
    if play_needing_ruling is not None and play_needing_ruling.table.round > begun_round_count:
        context["ahead"] = begun_round_count
    if play_needing_ruling is not None:
        context |= (
            _build_advice_context(request, situation_code, play_needing_ruling)
            if play_needing_ruling.is_settled
            else _build_round_question(request, play_needing_ruling)
        )
    return render(request, "scoring/assistant.html", context)


@require_POST
def record_advice(request: HttpRequest, slug: str) -> HttpResponse:
    """Record the assistant's advice as a ruling."""
    access = page_loaders.load_director_event(request, slug)
    situation_code, play_needing_ruling = (
        request.POST.get("code", ""),
        _find_play_needing_ruling(request.POST, access),
    )
    if situation_code not in SITUATIONS_BY_CODE or play_needing_ruling is None:
        raise PageNotFound(_("First enter what happened, and on which board and table."))
    answers_by_question = _read_answers(request.POST, situation_code, play_needing_ruling)
    advice = get_advice(situation_code, answers_by_question, play_needing_ruling.facts)
    if (
        advice.open_questions
        or advice.other_situation_code
        or not play_needing_ruling.is_settled
    ):
        messages.error(request, _("Answer the questions first, then record the ruling."))
        return redirect(_build_assistant_url(slug, request.POST))
    try:
        scoring.services.make_ruling(
            kind=advice.effect.value,
            by=request.user,
            **_build_ruling_subject(advice, play_needing_ruling, answers_by_question),
            **_build_ruling_fields(advice, answers_by_question, request.POST.get("reason", "")),
            **_parse_claim_time(advice, request.POST.get("claimed", "")),
        )
    except WhistError as error:
        messages.error(request, str(error))
        return redirect(_build_assistant_url(slug, request.POST))
    messages.success(
        request,
        _("%(where)s: recorded under %(law)s.")
        % {"where": play_needing_ruling.location, "law": format_citation(advice.law)},
    )
    ruled_table = _find_ruled_table(advice, play_needing_ruling, answers_by_question)
    panel_url = reverse("ruling_panel", args=[slug])
    return redirect(
        f"{panel_url}?sitting={ruled_table.sitting_id}&board={play_needing_ruling.board_number}"
    )


def _show_situations(request: HttpRequest, access: EventAccess) -> HttpResponse:
    """List the situations, grouped by the moment of play, or only those that match a search."""
    search_text = " ".join(request.GET.get("q", "").split())[:100]
    search_result = search_law_book(search_text)
    if not access.event.has_turn_up:  # then there are no trump cards and slips
        non_trump_situations = tuple(
            situation
            for situation in search_result.situations
            if situation not in TRUMP_CARD_SITUATIONS
        )
        search_result = replace(search_result, situations=non_trump_situations)
    parameters_by_name = {
        name: request.GET[name]
        for name in ("session", "board", "table")
        if request.GET.get(name)
    }
    context = access.context | {
        "query": search_text,
        "groups": group_situations(search_result),
        "often": ()
        if search_text
        else [
            situation
            for situation in FREQUENT_SITUATIONS
            if situation in search_result.situations
        ],
        "about": _describe_play(access, parameters_by_name),
        "kept": parameters_by_name,
        "tail": "".join(
            f"&{name}={value}"
            for name, value in _filter_safe_parameters(parameters_by_name).items()
        ),
    }
    return render(request, "scoring/assistant_list.html", context)


def _describe_play(access: EventAccess, parameters_by_name: dict[str, str]) -> str:
    """Return text such as "Board 5, table 2." for the play in the query parameters.

    Return "" if the assistant was opened without a play.
    """
    board_number = parse_number_or_zero(parameters_by_name.get("board", ""))
    section_letter, _dash, table_number = parameters_by_name.get("table", "").partition("-")
    if not board_number or not parse_number_or_zero(table_number):
        return ""
    has_section_letters = has_several_sections(page_loaders.load_session(access).pk)
    table_label = format_table(
        parse_number_or_zero(table_number), section_letter[:2] if has_section_letters else ""
    )
    placeholders = {"board": board_number, "table": table_label}
    return _("Board %(board)s, table %(table)s.") % placeholders


def _build_advice_context(
    request: HttpRequest, situation_code: str, play_needing_ruling: PlayNeedingRuling
) -> dict[str, Any]:
    known_answers_by_question = {
        QuestionName.OVERPLAYED.value: "yes"
        if play_needing_ruling.facts.is_overplayed
        else "no"
    }
    answers_by_question = known_answers_by_question | _read_answers(
        request.GET, situation_code, play_needing_ruling
    )
    advice = get_advice(situation_code, answers_by_question, play_needing_ruling.facts)
    has_submitted_answers = "asked" in request.GET
    questions = list_questions(situation_code, answers_by_question, play_needing_ruling.facts)
    is_advice_shown = not advice.open_questions and (has_submitted_answers or not questions)
    answered_round_questions = (
        [
            AnsweredQuestion(
                play_needing_ruling.round_question, str(play_needing_ruling.table.round)
            )
        ]
        if play_needing_ruling.rounds
        else []
    )
    return {
        "questions": answered_round_questions
        + [
            AnsweredQuestion(question, answers_by_question.get(question.name, ""))
            for question in questions
        ],
        "unanswered": advice.open_questions[0].name
        if advice.open_questions and has_submitted_answers
        else "",
        "advice": advice if is_advice_shown else None,
        "law": format_citation(advice.law),
        "see": SITUATIONS_BY_CODE.get(advice.other_situation_code),
        "see_tail": _format_situation_query(request.GET, answers_by_question),
        "alters": advice.effect is not RulingEffect.NOTED,
        "claims": advice.effect.value == Ruling.Kind.REVOKE,
        "reason": SITUATIONS_BY_CODE[situation_code].offence,
        "answers": answers_by_question,
        "turn": play_needing_ruling.facts.apply_answers(answers_by_question).is_original_play,
        **(
            _preview_advice(advice, play_needing_ruling, answers_by_question)
            if is_advice_shown
            else {}
        ),
    }


def _build_round_question(
    request: HttpRequest, play_needing_ruling: PlayNeedingRuling
) -> dict[str, Any]:
    """Return the template context with the question in which round the play took place.

    It is the first question if the table has the board in more than one round.
    """
    has_submitted_answers = "asked" in request.GET
    return {
        "questions": [AnsweredQuestion(play_needing_ruling.round_question, "")],
        "unanswered": QuestionName.ROUND_OF_BOARD if has_submitted_answers else "",
    }


def _format_situation_query(query_data: QueryDict, answers_by_question: dict[str, str]) -> str:
    """Return the query string of a link to another situation, about the same play."""
    play_parameters_by_name = _read_parameters(query_data, ("session", "board", "table"))
    known_answers_by_question = {
        name: answers_by_question[name]
        for name in (QuestionName.ROUND_OF_BOARD, QuestionName.FIRST_TABLE)
        if name in answers_by_question
    }
    return urlencode(play_parameters_by_name | known_answers_by_question)


def _preview_advice(
    advice: Advice, play_needing_ruling: PlayNeedingRuling, answers_by_question: dict[str, str]
) -> dict[str, Any]:
    """Return the template context with a preview of the advised ruling, which is not saved.

    The key is "tried" for the preview, or "problem" for the reason why the ruling is
    impossible. The dict is empty if the advice needs no ruling.
    """
    if advice.effect is RulingEffect.NOTED or advice.other_situation_code:
        return {}
    try:
        draft_ruling = scoring.services.draft_ruling(
            kind=advice.effect.value,
            **_build_ruling_subject(advice, play_needing_ruling, answers_by_question),
            **_build_ruling_fields(advice, answers_by_question, ""),
        )
        ruling_preview: RulingPreview = preview_ruling(draft_ruling)
    except WhistError as error:
        return {"problem": str(error)}
    return {"tried": ruling_preview}


def _find_ruled_table(
    advice: Advice, play_needing_ruling: PlayNeedingRuling, answers_by_question: dict[str, str]
) -> SeatedTable:
    """Return the table to which the advised ruling applies.

    For some laws this is the table of the original play. Otherwise it is the table of the play
    in question.
    """
    return (
        play_needing_ruling.find_original_play(answers_by_question)
        if advice.is_for_original_table
        else play_needing_ruling.table
    )


def _build_ruling_subject(
    advice: Advice, play_needing_ruling: PlayNeedingRuling, answers_by_question: dict[str, str]
) -> dict[str, Any]:
    table = _find_ruled_table(advice, play_needing_ruling, answers_by_question)
    event_lookup = "section__session__event"
    sittings = Sitting.objects.select_related(
        f"{event_lookup}__club", f"{event_lookup}__terms", "north", "east"
    )
    return {
        "sitting": sittings.get(pk=table.sitting_id),
        "board_number": play_needing_ruling.board_number,
    }


def _build_ruling_fields(
    advice: Advice, answers_by_question: dict[str, str], reason: str
) -> dict[str, Any]:
    ruling_fields: dict[str, Any] = {
        "law": advice.law,
        "situation": advice.situation.code,
        "reason": reason.strip()[:500] or advice.situation.offence,
    }
    if advice.effect.value == Ruling.Kind.REVOKE:
        ruling_fields |= {
            "side": answers_by_question[QuestionName.CHARGED_SIDE],
            "revokes": int(answers_by_question[QuestionName.REVOKE_COUNT]),
            "won_before": int(answers_by_question[QuestionName.TRICKS_WON_BEFORE]),
        }
    return ruling_fields


def _parse_claim_time(advice: Advice, clock_text: str) -> dict[str, Any]:
    """Return {"claimed_at": time} for the ruling on a revoke (rules H9), if the time is valid.

    Return {} for other rulings, or without a valid time.
    """
    form = ClaimForm({"claimed": clock_text})
    if advice.effect.value != Ruling.Kind.REVOKE or not form.is_valid():
        return {}
    claimed_at = form.cleaned_data["claimed"]
    return {"claimed_at": find_latest_occurrence(claimed_at)} if claimed_at else {}


def _read_answers(
    query_data: QueryDict, situation_code: str, play_needing_ruling: PlayNeedingRuling
) -> dict[str, str]:
    """Return the director's answers so far, by the name of the question.

    They are the round of the play, the original table, and answers about the situation.
    """
    question_names = [QuestionName.ROUND_OF_BOARD] if play_needing_ruling.rounds else []
    return _read_parameters(
        query_data,
        [
            *question_names,
            QuestionName.FIRST_TABLE,
            *SITUATIONS_BY_CODE[situation_code].questions,
        ],
    )


def _read_parameters(query_data: QueryDict, parameter_names: Iterable[str]) -> dict[str, str]:
    return {
        str(name): str(query_data[name]) for name in parameter_names if query_data.get(name)
    }


def _find_play_needing_ruling(
    query_data: QueryDict, access: EventAccess
) -> PlayNeedingRuling | None:
    section_letter, _dash, table_text = query_data.get("table", "").rpartition("-")
    board_number, table_number = (
        parse_number_or_zero(query_data.get("board", "")),
        parse_number_or_zero(table_text),
    )
    if not board_number or not table_number:
        return None
    session = page_loaders.load_session(
        access.with_session(parse_whole_number(query_data.get("session", "")))
    )
    round_number = parse_number_or_zero(query_data.get(QuestionName.ROUND_OF_BOARD, ""))
    return find_play(
        load_session_snapshot(session),
        board_number,
        section_letter,
        table_number,
        round_number=round_number,
    )


def _build_assistant_url(slug: str, query_data: QueryDict) -> str:
    """Return the URL of the assistant's page with all answers so far."""
    parameter_names = (
        "code",
        "session",
        "board",
        "table",
        "asked",
        *[question_name.value for question_name in QuestionName],
    )
    parameters_by_name = _read_parameters(query_data, parameter_names)
    return f"{reverse('assistant', args=[slug])}?{urlencode(parameters_by_name)}"


def _filter_safe_parameters(parameters_by_name: dict[str, str]) -> dict[str, str]:
    """Return the parameters whose values contain only letters, digits and hyphens."""
    return {
        name: value
        for name, value in parameters_by_name.items()
        if value.replace("-", "").isalnum()
    }
