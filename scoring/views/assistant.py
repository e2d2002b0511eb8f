"""The ruling assistant: the incident, the board and table, a few questions, the remedy."""

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
    SITUATIONS,
    SITUATIONS_BY_MOMENT,
    Advice,
    Effect,
    advise,
    format_citation,
    list_questions,
    search_law_book,
)
from laws.book.questions import Question, QuestionName
from laws.book.situation import Moment
from laws.views import group_situations
from scoring import page_loaders
from scoring.forms import ClaimForm, find_last_moment
from scoring.models import Ruling
from scoring.session_snapshot import SeatedTable, load_session_snapshot
from scoring.sheets.assistant import (
    PlayInQuestion,
    count_rounds_begun,
    find_play,
    list_boards_so_far,
    list_table_choices,
)
from scoring.sheets.ruling_panel import RulingPreview, preview_ruling
from server.errors import PageNotFound
from server.numbers import parse_number_or_zero, parse_whole_number
from tournaments.models import Sitting
from tournaments.models.seating import has_several_sections
from tournaments.movements.formatting import format_table
from tournaments.visits import Visit

TRUMP_CARD_SITUATIONS = SITUATIONS_BY_MOMENT[Moment.TRUMP]
"""The situations about a turned-up card and its slip; events with declared trumps lack them."""


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with its answer, given or already known."""

    question: Question
    answer: str


@require_safe
def show_assistant(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the questions from the incident to the remedy; the URL has all answers so far."""
    visit = page_loaders.director_event(request, slug)
    code = request.GET.get("code", "").upper()
    if code not in SITUATIONS:
        return _show_situations(request, visit)
    visit = visit.at(parse_whole_number(request.GET.get("session", "")))
    session = page_loaders.load_session(visit)
    snapshot = load_session_snapshot(session)
    place = _find_play(request.GET, visit)
    context: dict[str, Any] = visit.context | {
        "session": session,
        "situation": SITUATIONS[code],
        "boards": snapshot.boards,
        "tables": list_table_choices(snapshot),
        "board": parse_number_or_zero(request.GET.get("board", "")),
        "table": request.GET.get("table", ""),
        "place": place,
        "laws": [(key, format_citation(key)) for key in SITUATIONS[code].laws],
        "nowhere": bool(request.GET.get("board")) and place is None,
    }
    rounds_begun = count_rounds_begun(snapshot)
    rounds_so_far = list_boards_so_far(snapshot, context["table"], rounds_begun)
    played_boards = {number for _round, numbers in rounds_so_far for number in numbers}
    context |= {
        "near": rounds_so_far,
        "others": [board for board in snapshot.boards if board not in played_boards],
    }
    if place is not None and place.table.round > rounds_begun:
        context["ahead"] = rounds_begun
    if place is not None:
        context |= (
            _build_advice_context(request, code, place)
            if place.is_settled
            else _build_round_question(request, place)
        )
    return render(request, "scoring/assistant.html", context)


@require_POST
def record_advice(request: HttpRequest, slug: str) -> HttpResponse:
    """Record the assistant's advice as a ruling."""
    visit = page_loaders.director_event(request, slug)
    code, place = request.POST.get("code", ""), _find_play(request.POST, visit)
    if code not in SITUATIONS or place is None:
        raise PageNotFound(_("First enter what happened, and on which board and table."))
    answers = _read_answers(request.POST, code, place)
    advice = advise(code, answers, place.facts)
    if advice.open_questions or advice.other_situation_code or not place.is_settled:
        messages.error(request, _("Answer the questions first, then record the ruling."))
        return redirect(_format_url(slug, request.POST))
    try:
        scoring.services.make_ruling(
            kind=advice.effect.value,
            by=request.user,
            **_build_ruling_subject(advice, place, answers),
            **_build_ruling_terms(advice, answers, request.POST.get("reason", "")),
            **_parse_claim_time(advice, request.POST.get("claimed", "")),
        )
    except WhistError as error:
        messages.error(request, str(error))
        return redirect(_format_url(slug, request.POST))
    messages.success(
        request,
        _("%(where)s: recorded under %(law)s.")
        % {"where": place.play, "law": format_citation(advice.law)},
    )
    table = _find_ruled_table(advice, place, answers)
    panel = reverse("ruling_panel", args=[slug])
    return redirect(f"{panel}?sitting={table.sitting}&board={place.board}")


def _show_situations(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show the list of situations by the moment of play, or those that match a search."""
    query = " ".join(request.GET.get("q", "").split())[:100]
    matches = search_law_book(query)
    if not visit.event.turns_a_card:  # then there are no trump cards and slips
        other_situations = tuple(
            situation
            for situation in matches.situations
            if situation not in TRUMP_CARD_SITUATIONS
        )
        matches = replace(matches, situations=other_situations)
    kept_parameters = {
        key: request.GET[key] for key in ("session", "board", "table") if request.GET.get(key)
    }
    context = visit.context | {
        "query": query,
        "groups": group_situations(matches),
        "often": ()
        if query
        else [
            situation for situation in FREQUENT_SITUATIONS if situation in matches.situations
        ],
        "about": _describe_play(visit, kept_parameters),
        "kept": kept_parameters,
        "tail": "".join(
            f"&{key}={value}" for key, value in _filter_safe_values(kept_parameters).items()
        ),
    }
    return render(request, "scoring/assistant_list.html", context)


def _describe_play(visit: Visit, parameters: dict[str, str]) -> str:
    """Return the play from whose page the assistant was opened, as a sentence, or ""."""
    board = parse_number_or_zero(parameters.get("board", ""))
    letter, _dash, table = parameters.get("table", "").partition("-")
    if not board or not parse_number_or_zero(table):
        return ""
    is_lettered = has_several_sections(page_loaders.load_session(visit).pk)
    table_label = format_table(parse_number_or_zero(table), letter[:2] if is_lettered else "")
    placeholders = {"board": board, "table": table_label}
    return _("Board %(board)s, table %(table)s.") % placeholders


def _build_advice_context(
    request: HttpRequest, code: str, place: PlayInQuestion
) -> dict[str, Any]:
    known_answers = {
        QuestionName.OVERPLAYED.value: "yes" if place.facts.is_overplayed else "no"
    }
    answers = known_answers | _read_answers(request.GET, code, place)
    advice = advise(code, answers, place.facts)
    has_asked = "asked" in request.GET
    questions = list_questions(code, answers, place.facts)
    is_advice_shown = not advice.open_questions and (has_asked or not questions)
    table_turns = (
        [AnsweredQuestion(place.round_question, str(place.table.round))] if place.rounds else []
    )
    return {
        "questions": table_turns
        + [
            AnsweredQuestion(question, answers.get(question.name, "")) for question in questions
        ],
        "unanswered": advice.open_questions[0].name
        if advice.open_questions and has_asked
        else "",
        "advice": advice if is_advice_shown else None,
        "law": format_citation(advice.law),
        "see": SITUATIONS.get(advice.other_situation_code),
        "see_tail": _format_situation_query(request.GET, answers),
        "alters": advice.effect is not Effect.NOTED,
        "claims": advice.effect.value == Ruling.Kind.REVOKE,
        "reason": SITUATIONS[code].offence,
        "answers": answers,
        "turn": place.facts.update_from(answers).is_original,
        **(_preview_advice(advice, place, answers) if is_advice_shown else {}),
    }


def _build_round_question(request: HttpRequest, place: PlayInQuestion) -> dict[str, Any]:
    """Return the first question: the round of the play, if there are several."""
    has_asked = "asked" in request.GET
    return {
        "questions": [AnsweredQuestion(place.round_question, "")],
        "unanswered": QuestionName.BOARD_ROUND if has_asked else "",
    }


def _format_situation_query(query_data: QueryDict, answers: dict[str, str]) -> str:
    """Return the query string for another situation about the same play."""
    kept_values = _read_values(query_data, ("session", "board", "table"))
    known_answers = {
        name: answers[name]
        for name in (QuestionName.BOARD_ROUND, QuestionName.FIRST_TABLE)
        if name in answers
    }
    return urlencode(kept_values | known_answers)


def _preview_advice(
    advice: Advice, place: PlayInQuestion, answers: dict[str, str]
) -> dict[str, Any]:
    """Return the effect of the advised ruling, or why it is impossible; nothing is saved."""
    if advice.effect is Effect.NOTED or advice.other_situation_code:
        return {}
    try:
        draft_ruling = scoring.services.draft_ruling(
            kind=advice.effect.value,
            **_build_ruling_subject(advice, place, answers),
            **_build_ruling_terms(advice, answers, ""),
        )
        ruling_preview: RulingPreview = preview_ruling(draft_ruling)
    except WhistError as error:
        return {"problem": str(error)}
    return {"tried": ruling_preview}


def _find_ruled_table(
    advice: Advice, place: PlayInQuestion, answers: dict[str, str]
) -> SeatedTable:
    """Return the table of the ruling: the original play's, if the law says that."""
    return place.find_original_play(answers) if advice.is_for_original_table else place.table


def _build_ruling_subject(
    advice: Advice, place: PlayInQuestion, answers: dict[str, str]
) -> dict[str, Any]:
    table = _find_ruled_table(advice, place, answers)
    event_lookup = "section__session__event"
    sittings = Sitting.objects.select_related(
        f"{event_lookup}__club", f"{event_lookup}__terms", "north", "east"
    )
    return {"sitting": sittings.get(pk=table.sitting), "board": place.board}


def _build_ruling_terms(advice: Advice, answers: dict[str, str], reason: str) -> dict[str, Any]:
    terms: dict[str, Any] = {
        "law": advice.law,
        "situation": advice.situation.code,
        "reason": reason.strip()[:500] or advice.situation.offence,
    }
    if advice.effect.value == Ruling.Kind.REVOKE:
        terms |= {
            "side": answers[QuestionName.CHARGED_SIDE],
            "revokes": int(answers[QuestionName.REVOKE_COUNT]),
            "won_before": int(answers[QuestionName.TRICKS_WON_BEFORE]),
        }
    return terms


def _parse_claim_time(advice: Advice, clock: str) -> dict[str, Any]:
    """Return the time at which a revoke was claimed (rules H9); an invalid time is left out."""
    form = ClaimForm({"claimed": clock})
    if advice.effect.value != Ruling.Kind.REVOKE or not form.is_valid():
        return {}
    claimed_at = form.cleaned_data["claimed"]
    return {"claimed_at": find_last_moment(claimed_at)} if claimed_at else {}


def _read_answers(query_data: QueryDict, code: str, place: PlayInQuestion) -> dict[str, str]:
    """Return the answers so far: the play, the first table, and the situation's questions."""
    names = [QuestionName.BOARD_ROUND] if place.rounds else []
    return _read_values(
        query_data, [*names, QuestionName.FIRST_TABLE, *SITUATIONS[code].questions]
    )


def _read_values(query_data: QueryDict, names: Iterable[str]) -> dict[str, str]:
    return {str(name): str(query_data[name]) for name in names if query_data.get(name)}


def _find_play(query_data: QueryDict, visit: Visit) -> PlayInQuestion | None:
    section, _dash, table = query_data.get("table", "").rpartition("-")
    board, number = (
        parse_number_or_zero(query_data.get("board", "")),
        parse_number_or_zero(table),
    )
    if not board or not number:
        return None
    session = page_loaders.load_session(
        visit.at(parse_whole_number(query_data.get("session", "")))
    )
    round_ = parse_number_or_zero(query_data.get(QuestionName.BOARD_ROUND, ""))
    return find_play(load_session_snapshot(session), board, section, number, round_=round_)


def _format_url(slug: str, query_data: QueryDict) -> str:
    """Return the URL of the assistant's page with all answers so far."""
    names = (
        "code",
        "session",
        "board",
        "table",
        "asked",
        *[question_name.value for question_name in QuestionName],
    )
    return f"{reverse('assistant', args=[slug])}?{urlencode(_read_values(query_data, names))}"


def _filter_safe_values(parameters: dict[str, str]) -> dict[str, str]:
    """Return only values that can be a number or a table's name."""
    return {key: value for key, value in parameters.items() if value.replace("-", "").isalnum()}
