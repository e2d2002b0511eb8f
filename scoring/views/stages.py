"""The pages of the finals: their rule, a preview, the draw, and the boards that all finals
play.
"""

from datetime import date as Date
from fractions import Fraction
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

import scoring.services
import tournaments.services
from boards.whist import WhistError
from clubs import audit
from clubs.views.undo_messages import offer_undo
from scoring import page_loaders
from scoring.errors import StageRefused
from scoring.models import Final, Stage
from scoring.services.stages import assign_entries_to_finals
from scoring.sheets.stages import (
    FinalGroup,
    build_final_groups,
    build_final_groups_from_draw,
    build_final_note,
)
from server.numbers import parse_exact_number
from tournaments.event_access import EventAccess
from tournaments.models import Event, Session
from tournaments.stages.rules import (
    CarryOverKind,
    FinalsCriterion,
    StageRules,
    describe_carry_over,
    read_rules,
)

FORM_ROW_NUMBERS = range(1, 7)
DEFAULT_FINAL_NAMES = (
    gettext_lazy("A final"),
    gettext_lazy("B final"),
    gettext_lazy("Consolation"),
)
STAGE_ACTIONS = ("stage.settled", "stage.drawn", "stage.undrawn")


class StageForm(forms.Form):
    """The rule that assigns entries to finals by rank."""

    by = forms.ChoiceField(
        label=gettext_lazy("Qualifiers"),
        choices=[
            (
                FinalsCriterion.RANK,
                gettext_lazy("by place, from the top"),
            ),
            (
                FinalsCriterion.SECTIONS,
                gettext_lazy("the top of each section, then the best runners-up"),
            ),
            (FinalsCriterion.STRATA, gettext_lazy("each stratum in its own final")),
        ],
    )
    each = forms.IntegerField(
        label=gettext_lazy("Qualifiers per section"), min_value=0, max_value=99, required=False
    )
    others = forms.IntegerField(
        label=gettext_lazy("Best runners-up"), min_value=0, max_value=99, required=False
    )
    carry = forms.ChoiceField(
        label=gettext_lazy("Carry-forward from the qualifying stage"),
        choices=[
            (CarryOverKind.SHARE, gettext_lazy("a share of the plus/minus per board")),
            (CarryOverKind.ALL, gettext_lazy("the whole plus/minus")),
            (CarryOverKind.NONE, gettext_lazy("nothing")),
        ],
    )
    share = forms.CharField(
        label=gettext_lazy("Share in percent"), max_length=8, required=False
    )
    cap = forms.CharField(
        label=gettext_lazy("Maximum (tricks per board)"),
        max_length=8,
        required=False,
    )

    def build_stage_rules(
        self, finals: list[tuple[str, int | None]], withdrawn_entries: tuple[int, ...]
    ) -> StageRules:
        """Return the input as the rule of the finals.

        Raises StageRefused for a text that is not a number, and InvalidRule for an invalid
        rule.
        """
        cleaned_data = self.cleaned_data
        share_text, max_carry_over_text = (
            cleaned_data["share"].strip(),
            cleaned_data["cap"].strip(),
        )
        return StageRules(
            finals=tuple(finals),
            criterion=FinalsCriterion(cleaned_data["by"]),
            places_per_section=cleaned_data["each"] or 0,
            other_place_count=cleaned_data["others"] or 0,
            carry_over_kind=CarryOverKind(cleaned_data["carry"]),
            share=_parse_number(share_text) / 100 if share_text else Fraction(1, 2),
            cap=_parse_number(max_carry_over_text) if max_carry_over_text else None,
            withdrawn_entries=withdrawn_entries,
        )


@require_http_methods(["GET", "POST"])
def edit_stages(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and set the rule of the finals, draw the finals, or undo the draw."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    stage = Stage.objects.filter(event=event).first()
    form = StageForm(request.POST if "by" in request.POST else _build_initial_values(stage))
    problem = ""
    if request.method == "POST":
        try:
            if _run_action(request, access, form):
                return redirect("stages", slug)
        except WhistError as error:
            problem = str(error)
    has_errors = bool(problem or (form.is_bound and form.errors and request.method == "POST"))
    context = _build_context(access, stage, form, request) | {"problem": problem}
    return render(request, "scoring/stages.html", context, status=400 if has_errors else 200)


def _run_action(request: HttpRequest, access: EventAccess, form: StageForm) -> bool:
    """Run the submitted action; return False if the form is invalid."""
    action, event = request.POST.get("act", ""), access.event
    if action == "settle":
        if not form.is_valid():
            return False
        stage_rules = form.build_stage_rules(
            _read_finals(request), _read_withdrawn_numbers(request, event)
        )
        scoring.services.set_stage_rules(event=event, stage_rules=stage_rules, by=request.user)
        _show_success(request, access, _("Rule saved."))
    elif action == "remove":
        scoring.services.set_stage_rules(event=event, stage_rules=None, by=request.user)
        _show_success(request, access, _("Finals removed."))
    elif action == "draw":
        date = _parse_date(request.POST.get("date", ""))
        scoring.services.draw_finals(event=event, date=date, by=request.user)
        _show_success(request, access, _("Finals drawn. Each is a separate event."))
    elif action == "undraw":
        scoring.services.undo_finals(event=event, by=request.user)
        _show_success(request, access, _("Finals draw undone."))
    elif action == "share":
        _share_boards(request, event)
    return True


def _parse_date(date_text: str) -> Date | None:
    """Return the date of the finals; None means the date of the qualifying event.

    Raises StageRefused for an invalid date.
    """
    try:
        return Date.fromisoformat(date_text) if date_text else None
    except ValueError:
        message = _("“%(text)s” isn’t a date. Enter it as 2026-12-31.")
        raise StageRefused(message % {"text": date_text[:20]}) from None


def _share_boards(request: HttpRequest, event: Event) -> None:
    """Give each final without boards the boards of the first final that has some."""
    sessions = Session.objects.filter(event__final__stage__event=event, number=1)
    final_sessions = list(sessions.select_related("event__club", "board_set", "evening"))
    session_with_boards = next(
        (session for session in final_sessions if session.board_set is not None), None
    )
    if session_with_boards is None:
        raise StageRefused(_("No final has boards yet. Deal the boards for one final first."))
    for session in final_sessions:
        if session.board_set is None:
            tournaments.services.share_boards(
                session=session, other_session=session_with_boards, by=request.user
            )
    message = _("All finals play the same boards as %(final)s.") % {
        "final": session_with_boards.event.name
    }
    messages.success(request, message)


def _show_success(request: HttpRequest, access: EventAccess, message: str) -> None:
    acts = audit.list_acts(access.event).filter(action__in=STAGE_ACTIONS)
    offer_undo(request, message, acts, reverse("stages", args=[access.address]))


def _build_context(
    access: EventAccess, stage: Stage | None, form: StageForm, request: HttpRequest
) -> dict[str, Any]:
    event = access.event
    is_drawn = stage is not None and stage.drawn_at is not None
    stage_rules = read_rules(stage.rule) if stage else None
    final_groups: tuple[FinalGroup, ...] = ()
    if stage is not None and is_drawn:
        final_groups = build_final_groups_from_draw(event, stage)
    elif stage is not None and stage_rules is not None:
        final_groups = build_final_groups(
            event, assign_entries_to_finals(event, stage_rules), stage
        )
    return access.context | {
        "stage": stage,
        "is_drawn": is_drawn,
        "rule": stage_rules,
        "carried": describe_carry_over(stage_rules.carry_over) if stage_rules else "",
        "groups": final_groups,
        "form": form,
        "finals": _build_final_rows(request, stage_rules),
        "entries": event.entries.all(),
        "withdrawn": stage_rules.withdrawn_entries if stage_rules else (),
        "is_over": event.state == Session.State.CLOSED,
        "note": build_final_note(event, should_include_hidden_results=True),
        "may_share": is_drawn and _can_share_boards(event),
        "has_strata": hasattr(event, "strata"),
    }


def _can_share_boards(event: Event) -> bool:
    board_sets = list(
        Final.objects.filter(stage__event=event, event__sessions__number=1).values_list(
            "event__sessions__board_set", flat=True
        )
    )
    return None in board_sets and set(board_sets) != {None}


def _build_final_rows(
    request: HttpRequest, stage_rules: StageRules | None
) -> list[dict[str, Any]]:
    """Return the rows of the finals, as submitted or as stored."""
    if "by" in request.POST:
        final_rows = [
            (
                request.POST.get(f"name_{row_number}", ""),
                request.POST.get(f"size_{row_number}", ""),
            )
            for row_number in FORM_ROW_NUMBERS
        ]
    elif stage_rules is not None:
        final_rows = [
            (name, "" if entry_count is None else str(entry_count))
            for name, entry_count in stage_rules.finals
        ]
    else:
        final_rows = [(str(name), "") for name in DEFAULT_FINAL_NAMES]
    final_rows += [("", "")] * (len(FORM_ROW_NUMBERS) - len(final_rows))
    return [
        {"nr": row_number, "name": name, "size": size}
        for row_number, (name, size) in zip(FORM_ROW_NUMBERS, final_rows, strict=False)
    ]


def _build_initial_values(stage: Stage | None) -> dict[str, Any]:
    stage_rules = read_rules(stage.rule) if stage else StageRules((("A", None),))
    percent = stage_rules.share * 100
    return {
        "by": stage_rules.criterion,
        "each": stage_rules.places_per_section or "",
        "others": stage_rules.other_place_count or "",
        "carry": stage_rules.carry_over_kind,
        "share": str(percent),
        "cap": "" if stage_rules.cap is None else str(stage_rules.cap),
    }


def _read_finals(request: HttpRequest) -> list[tuple[str, int | None]]:
    finals: list[tuple[str, int | None]] = []
    size_field = forms.IntegerField(required=False, min_value=0, max_value=999)
    for row_number in FORM_ROW_NUMBERS:
        name = " ".join(request.POST.get(f"name_{row_number}", "").split())[:40]
        size_text = request.POST.get(f"size_{row_number}", "").strip()
        if not name:
            continue
        try:
            finals.append((name, size_field.clean(size_text)))
        except forms.ValidationError:
            raise StageRefused(
                _("“%(sent)s” isn’t a number. Enter how many qualify.")
                % {"sent": size_text[:20]}
            ) from None
    return finals


def _read_withdrawn_numbers(request: HttpRequest, event: Event) -> tuple[int, ...]:
    withdrawn_numbers = set(request.POST.getlist("withdrawn"))
    return tuple(
        entry.number for entry in event.entries.all() if str(entry.number) in withdrawn_numbers
    )


def _parse_number(number_text: str) -> Fraction:
    try:
        return parse_exact_number(number_text)
    except ValueError:
        raise StageRefused(
            _("“%(text)s” isn’t a number. Enter 50 or 0.5.") % {"text": number_text}
        ) from None
