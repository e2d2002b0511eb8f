"""The pages of a knock-out: set the bracket, record matches, and create a plate for losers."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe

import scoring.services
from boards.whist import WhistError
from clubs import audit
from clubs.views.undo_messages import offer_undo
from scoring import page_loaders
from scoring.errors import StageRefused
from scoring.models import Knockout
from scoring.services.knockouts import is_bracket_seated
from scoring.sheets.brackets import build_bracket_sheet
from scoring.standings_engine.overall_order import has_seeds, list_entries_by_seed
from scoring.views.matches import MatchRefused, fill_submitted_margins, record_round_scores
from scoring.views.public import build_frame_context
from server.errors import PageNotFound
from server.numbers import parse_number_or_zero
from tournaments.addresses import format_event_address
from tournaments.event_access import EventAccess
from tournaments.models import Event, Session
from tournaments.services.swiss import MIN_TEAMS, MIN_TEAMS_WITH_THREE_WAY
from tournaments.stages.brackets import build_bracket, can_replace_byes

BRACKET_ACTIONS = ("knockout.settled", "match.decided")


class BracketForm(forms.Form):
    """The settings of the bracket."""

    segments = forms.IntegerField(
        label=gettext_lazy("Segments per match"),
        min_value=1,
        max_value=8,
        help_text=gettext_lazy("The line-up may change between segments."),
    )
    seed_wins = forms.BooleanField(
        label=gettext_lazy("If level after two extra boards, the higher seed goes through"),
        required=False,
    )
    three_way = forms.BooleanField(
        label=gettext_lazy("Three-way matches in round 1 (no byes)"),
        required=False,
        help_text=gettext_lazy(
            "Each of the three plays half a match against both others. "
            "Choose an even number of boards."
        ),
    )

    def __init__(self, *args: Any, event: Event, entrant_count: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if event.contest != Event.Contest.TEAMS or not can_replace_byes(entrant_count):
            del self.fields["three_way"]


class BracketSessionForm(forms.Form):
    """The settings for playing the matches in a session of the event."""

    boards_a_round = forms.IntegerField(
        label=gettext_lazy("Boards per segment"), min_value=1, max_value=24, initial=4
    )
    copies = forms.IntegerField(
        label=gettext_lazy("Copies of each board"), min_value=1, max_value=200, initial=1
    )
    own_boards = forms.BooleanField(
        label=gettext_lazy("Each match has its own boards (no copies)"),
        required=False,
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if event.contest != Event.Contest.TEAMS:
            del self.fields["own_boards"]  # all pairs must play the same boards


@require_http_methods(["GET", "POST"])
def edit_bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the bracket, record matches, and create a plate for losers."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    problem, match_in_question = "", ""
    if request.method == "POST":
        try:
            return _run_action(request, access)
        except MatchRefused as error:
            problem, match_in_question = (
                str(error),
                error.match_key if error.is_question else "",
            )
        except WhistError as error:
            problem = str(error)
    knockout = Knockout.objects.filter(event=event).first()
    bracket_sheet = build_bracket_sheet(event, should_include_hidden_results=True)
    if problem and bracket_sheet:
        round_number = parse_number_or_zero(request.POST.get("round", ""))
        bracket_sheet = fill_submitted_margins(bracket_sheet, round_number, request.POST)
    entry_by_number = {entry.number: entry for entry in event.entries.all()}
    seeds = knockout.seeds if knockout else list_entries_by_seed(event)
    form = BracketForm(
        event=event, entrant_count=len(seeds), initial=_build_initial_values(knockout)
    )
    context = access.context | {
        "problem": problem,
        "asked": match_in_question,
        "sent": _list_sent_fields(request),
        "sheet": bracket_sheet,
        "form": form,
        "segments": range(knockout.segments) if knockout else (),
        "has_seeds": has_seeds(event, seeds),
        "seeds": [
            (seed_number, entry_by_number[entry_number])
            for seed_number, entry_number in enumerate(seeds, 1)
        ],
        "fits": event.contest in (Event.Contest.PAIRS, Event.Contest.TEAMS),
        "threes": _describe_three_way_round(len(seeds)) if "three_way" in form.fields else "",
        "is_begun": bool(knockout and knockout.matches) or is_bracket_seated(event),
        "play": BracketSessionForm(event=event)
        if _can_play_at_tables(access, knockout)
        else None,
        "is_drawn": event.is_drawn,
    }
    return render(request, "scoring/bracket_desk.html", context, status=400 if problem else 200)


def _list_sent_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of a refused form, to be submitted again with a decision."""
    return [
        (name, str(value))
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken"
    ]


def _build_initial_values(knockout: Knockout | None) -> dict[str, Any]:
    """Return the settings of the bracket, or the form's initial values without one."""
    if knockout is None:
        return {"segments": 1}
    return {
        "segments": knockout.segments,
        "seed_wins": knockout.seed_wins,
        "three_way": knockout.three_way,
    }


def _describe_three_way_round(entrant_count: int) -> str:
    """Return the sizes of the matches in round 1 as text, if three-way matches replace byes."""
    first_round_matches = build_bracket(entrant_count, has_three_way_matches=True)[0]
    three_way_matches = [match for match in first_round_matches if match.third_side is not None]
    other_match_count = len(first_round_matches) - len(three_way_matches)
    match_count_texts = [
        ngettext(
            "%(number)d match of three", "%(number)d matches of three", len(three_way_matches)
        )
        % {"number": len(three_way_matches)}
    ]
    if other_match_count:
        match_count_texts.append(
            ngettext("%(number)d match of two", "%(number)d matches of two", other_match_count)
            % {"number": other_match_count}
        )
    message = _("With three-way matches there are no byes. Round 1: %(sizes)s.")
    if len(three_way_matches[0].next_positions) > 1:
        advance_text = _("The best two of three go through.")
    else:
        advance_text = _("The best of three goes through.")
    return f"{message % {'sizes': ', '.join(match_count_texts)}} {advance_text}"


def _can_play_at_tables(access: EventAccess, knockout: Knockout | None) -> bool:
    if knockout is None or access.session.state != Session.State.PLANNED:
        return False
    is_bracket_unplayed = not knockout.matches and not is_bracket_seated(
        access.event, ignored_session=access.session
    )
    min_team_count = MIN_TEAMS_WITH_THREE_WAY if knockout.three_way else MIN_TEAMS
    # With fewer teams no session is drawn, and margins are entered in the bracket.
    return is_bracket_unplayed and len(knockout.seeds) >= min_team_count


def _run_action(request: HttpRequest, access: EventAccess) -> HttpResponse:
    action, event = request.POST.get("act", ""), access.event
    if action == "lay":
        seeds = list_entries_by_seed(event)
        form = BracketForm(request.POST, event=event, entrant_count=len(seeds))
        if form.is_valid():
            scoring.services.set_bracket(
                event=event, seeds=seeds, by=request.user, **form.cleaned_data
            )
            _show_success(request, access, _("Bracket created from the seeds."))
    elif action == "remove":
        scoring.services.set_bracket(event=event, seeds=[], by=request.user)
        _show_success(request, access, _("Bracket removed."))
    elif action == "plate":
        name = request.POST.get("name", "").strip()[:40] or _("Plate")
        plate_event = scoring.services.create_plate(
            event=event,
            round_number=parse_number_or_zero(request.POST.get("round", "")),
            name=name,
            by=request.user,
        )
        message = _("%(plate)s created as a new event, with its own bracket.") % {
            "plate": plate_event.name
        }
        messages.success(request, message)
        return redirect("bracket_desk", format_event_address(plate_event.slug, 1))
    elif action == "play":
        return _seat_first_matches(request, access)
    else:
        _record_matches(request, access)
    return redirect("bracket_desk", access.address)


def _seat_first_matches(request: HttpRequest, access: EventAccess) -> HttpResponse:
    form = BracketSessionForm(request.POST, event=access.event)
    if not form.is_valid():
        raise StageRefused(_("Enter the boards per segment and the copies."))
    session = page_loaders.load_session(access)
    scoring.services.seat_knockout(session=session, by=request.user, **form.cleaned_data)
    messages.success(request, _("First matches seated."))
    return redirect("draws", access.address)


def _record_matches(request: HttpRequest, access: EventAccess) -> None:
    bracket_sheet = build_bracket_sheet(access.event, should_include_hidden_results=True)
    round_number = parse_number_or_zero(request.POST.get("round", ""))
    if bracket_sheet is None:
        raise StageRefused(_("This event has no bracket."))
    saved_count = record_round_scores(
        event=access.event,
        bracket_sheet=bracket_sheet,
        round_number=round_number,
        post_data=request.POST,
        by=request.user,
    )
    if not saved_count:
        messages.info(request, _("No changes."))
        return
    message = ngettext(
        "Round %(round)s: %(count)s match saved.",
        "Round %(round)s: %(count)s matches saved.",
        saved_count,
    )
    _show_success(request, access, message % {"round": round_number, "count": saved_count})


def _show_success(request: HttpRequest, access: EventAccess, message: str) -> None:
    acts = audit.list_acts(access.event).filter(action__in=BRACKET_ACTIONS)
    offer_undo(request, message, acts, reverse("bracket_desk", args=[access.address]))


@login_not_required
@require_safe
def show_bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everyone the current bracket."""
    access = page_loaders.load_public_event(slug)
    bracket_sheet = build_bracket_sheet(access.event)
    if bracket_sheet is None:
        raise PageNotFound(_("This event has no bracket."))
    context: dict[str, Any] = build_frame_context(access) | {"sheet": bracket_sheet}
    return render(request, "scoring/bracket.html", context)
