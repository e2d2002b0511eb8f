"""Service that sets how an event is scored: method, tie-breaks, carry-over and more."""

from collections.abc import Collection, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from scoring.errors import TermsRefused
from scoring.methods import find_method_for_contest, list_methods
from scoring.methods.tie_breaks import TIE_BREAKS_BY_NAME
from scoring.models import Outcome, Result, Ruling, Terms
from scoring.services.recompute import enqueue_recomputation
from server.numbers import format_exact_number, parse_exact_number
from tournaments.models import MAX_POINTS_PER_BOARD, Event, Session
from tournaments.services.groundwork.revisions import count_write_for_event


class UnchangedSentinel(Enum):
    """The type of `UNCHANGED`, the default of an argument for which None has a meaning."""

    UNCHANGED = "as_it_is"


UNCHANGED = UnchangedSentinel.UNCHANGED


@transaction.atomic
def set_scoring_terms(
    *,
    event: Event,
    method: str,
    tie_breaks: Sequence[str] = (),
    carry_over: Fraction | int | str = 1,
    revokes_read: str = Terms.RevokeReading.KEEP_TRICKS_ABOVE_AVERAGE,
    whole_averages: bool = False,
    unequal_boards: str = Terms.UnequalBoardsScore.PER_BOARD,
    totals_grow: str = Terms.TotalsUpdateTime.AFTER_EACH_ROUND,
    by_corrected: bool | None = None,
    most_points: int | UnchangedSentinel | None = UNCHANGED,
    across: Collection[int] = (),
    by: Actor,
) -> Event:
    """Set how an event is scored; the standings are recomputed.

    Results are tricks, or points if `most_points` (the maximum of a side on a board) is given.
    By default this is not changed. It cannot be changed after a result is entered.

    `across` has the numbers of the sessions whose sections are compared as one field. If
    `by_corrected` is None, that setting is not changed. Raises UnknownMethod, and TermsRefused
    for any other invalid value.
    """
    # Two directors may submit the same page at once.
    events = Event.objects.select_for_update(of=("self",)).select_related("club", "terms")
    event = events.get(pk=event.pk)
    former_terms = build_terms_arguments(event)
    _set_scoring_unit(event, most_points)
    scoring_method = find_method_for_contest(
        event.contest,
        method,
        has_whole_averages=whole_averages,
        is_in_points=event.is_scored_in_points,
    )
    _check_tie_breaks(tie_breaks)
    _check_term_choices(revokes_read, unequal_boards, totals_grow)
    if whole_averages and not scoring_method.has_whole_averages:
        raise TermsRefused(
            _("Only plus/minus against a field has averages to round to whole tricks.")
        )
    terms = event.terms
    terms.method, terms.tie_breaks = method, list(tie_breaks)
    terms.carry_over, terms.revokes_read = _format_carry_over(carry_over), revokes_read
    terms.whole_averages = whole_averages
    terms.unequal_boards, terms.totals_grow = unequal_boards, totals_grow
    if by_corrected is not None:
        terms.by_corrected = by_corrected
    terms.validate_fields()
    terms.save()
    count_write_for_event(event)
    for session in event.sessions.all():
        session.across_sections = session.number in across
        session.save(update_fields=["across_sections"])
    new_terms = build_terms_arguments(event)
    if former_terms != new_terms:
        former_values = {
            term_name: former_value
            for term_name, former_value in former_terms.items()
            if former_value != new_terms[term_name]
        }
        undo_subjects = tuple(f"event {term_name}" for term_name in former_values)
        audit.record(
            by,
            "scoring.settled",
            subject=event,
            before={"scoring": former_terms},
            after={"scoring": new_terms},
            undo=Undo(undo_subjects, "scoring.settle", former_values),
        )
    enqueue_recomputation(event)
    return event


def build_terms_arguments(event: Event) -> dict[str, Any]:
    """Return the terms of an event as arguments of `set_scoring_terms`."""
    sessions = Session.objects.filter(event=event, across_sections=True)
    terms = event.terms
    return {
        "method": terms.method,
        "tie_breaks": list(terms.tie_breaks),
        "carry_over": terms.carry_over,
        "revokes_read": str(terms.revokes_read),
        "whole_averages": terms.whole_averages,
        "unequal_boards": str(terms.unequal_boards),
        "totals_grow": str(terms.totals_grow),
        "by_corrected": terms.by_corrected,
        "most_points": event.most_points,
        "across": sorted(sessions.values_list("number", flat=True)),
    }


def check_max_points(contest: str, max_points: int | None) -> None:
    """Raise TermsRefused for points in a contest without them, or a limit out of range."""
    if max_points is None:
        return
    if not list_methods(contest, is_in_points=True):
        raise TermsRefused(
            _(
                "Teams are scored in tricks. Points are for pairs, "
                "individuals and memory duplicate."
            )
        )
    if not 1 <= max_points <= MAX_POINTS_PER_BOARD:
        raise TermsRefused(
            _("Enter 1–%(most)s as the maximum points per side.")
            % {"most": MAX_POINTS_PER_BOARD}
        )


def _set_scoring_unit(event: Event, max_points: int | UnchangedSentinel | None) -> None:
    """Set whether an event counts tricks or points, and the maximum of points.

    Raises TermsRefused if this contradicts results that are already entered.
    """
    if isinstance(max_points, UnchangedSentinel) or max_points == event.most_points:
        return
    check_max_points(event.contest, max_points)
    results = Result.objects.filter(sitting__section__session__event=event)
    has_unit_changed = (max_points is None) != (event.most_points is None)
    entered_results = results.exclude(outcome=Outcome.CLEARED)
    rulings = Ruling.objects.exclude_withdrawn().filter(session__event=event)
    if has_unit_changed and (entered_results.exists() or rulings.exists()):
        raise TermsRefused(
            _(
                "Results in tricks are already in. Clear them and withdraw "
                "the rulings first, or create another event."
            )
        )
    if max_points is not None:
        over_limit_condition = Q(ns_points__gt=max_points) | Q(ew_points__gt=max_points)
        if results.filter(over_limit_condition).exists():
            raise TermsRefused(_("A side already has more points than that."))
    event.most_points = max_points
    event.save(update_fields=["most_points"])


def _check_tie_breaks(tie_breaks: Sequence[str]) -> None:
    unknown_names = [
        tie_break_name
        for tie_break_name in tie_breaks
        if tie_break_name not in TIE_BREAKS_BY_NAME
    ]
    if unknown_names:
        raise TermsRefused(
            _("Tie-break %(name)s not found. Choose from: %(names)s.")
            % {"name": unknown_names[0], "names": ", ".join(TIE_BREAKS_BY_NAME)}
        )
    if len(set(tie_breaks)) < len(tie_breaks):
        raise TermsRefused(_("Use each tie-break only once."))


def _check_term_choices(revoke_reading: str, unequal_boards: str, totals_grow: str) -> None:
    if revoke_reading not in Terms.RevokeReading.values:
        raise TermsRefused(_("Choose how tricks won before a revoke count."))
    if unequal_boards not in Terms.UnequalBoardsScore.values:
        raise TermsRefused(_("Choose how to rank unequal numbers of boards."))
    if totals_grow not in Terms.TotalsUpdateTime.values:
        raise TermsRefused(_("Choose when live standings update."))


def _format_carry_over(carry_over: Fraction | int | str) -> str:
    try:
        carry_over_share = parse_exact_number(format_exact_number(carry_over))
    except ValueError:
        carry_over_share = Fraction(-1)
    if not 0 <= carry_over_share <= 1:
        raise TermsRefused(_("Enter a carry-forward from 0 to 1: 1 for all, 1/2 for half."))
    return str(carry_over_share)
