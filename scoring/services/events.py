"""Services that create and edit events, with the scoring terms of each event."""

from collections.abc import Collection
from datetime import date as Date
from typing import Any

from django.db import transaction

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club
from scoring.methods import list_methods
from scoring.models import Terms
from scoring.services.recompute import enqueue_recomputation
from scoring.services.terms import check_max_points
from tournaments.models import Event
from tournaments.services.groundwork import events as groundwork


@transaction.atomic
def create_event(
    *,
    club: Club,
    name: str,
    date: Date,
    contest: str = Event.Contest.PAIRS,
    method: str = "",
    standings_shown: str = Event.StandingsVisibility.ALWAYS,
    paper_size: str = Event.PaperSize.A4,
    most_points: int | None = None,
    form_key: str | None = None,
    by: Actor,
) -> Event:
    """Create an event with its first session.

    A second call with the same `form_key` returns the event that the first call created. An
    empty `method` selects the default method of the contest. Results are tricks, or points
    if `most_points` (the maximum of a side on a board) is given. Raises ValidationError;
    InvalidDay for an impossible date; TermsRefused if the contest cannot use points.
    """
    check_max_points(contest, most_points)
    if existing_event := Event.objects.find_by_form_key(club, form_key):
        return existing_event
    event = groundwork.create_event(
        club=club,
        name=name,
        date=date,
        contest=contest,
        standings_shown=standings_shown,
        paper_size=paper_size,
        most_points=most_points,
        form_key=form_key,
        by=by,
    )
    terms = Terms(event=event, method=method or _choose_default_method(event))
    terms.validate_fields()
    terms.save()
    return event


def _choose_default_method(event: Event) -> str:
    return list_methods(event.contest, is_in_points=event.is_scored_in_points)[0].code


@transaction.atomic
def edit_event(
    *,
    event: Event,
    name: str,
    date: Date,
    method: str,
    standings_shown: str,
    paper_size: str,
    sessions: Collection[int] | None = None,
    with_series: Collection[int] = (),
    by: Actor,
) -> Event:
    """Change an event's name, date, scoring or display settings; its URL does not change.

    By default, a new date also moves the sessions that were on the old date. An undo passes
    `sessions`, the keys of the sessions to move, and `with_series`, the keys of the fixtures to
    attach to their series again. The standings are recomputed. Raises ValidationError, and
    InvalidDay for an impossible date.
    """
    events = Event.objects.select_for_update(of=("self",)).select_related("club", "terms")
    event = events.get(pk=event.pk)
    former_arguments = build_edit_arguments(event)
    new_arguments = {
        "name": name,
        "date": date,
        "method": method,
        "standings_shown": standings_shown,
        "paper_size": paper_size,
    }
    changed_fields = [
        field_name
        for field_name in new_arguments
        if former_arguments[field_name] != new_arguments[field_name]
    ]
    if changed_fields:
        event_fields = {
            field_name: field_value
            for field_name, field_value in new_arguments.items()
            if field_name != "method"
        }
        moved_record_keys = groundwork.update_event(event, event_fields, sessions, with_series)
        event.terms.method = method
        event.terms.validate_fields()
        event.terms.save(update_fields=["method"])
        undo_arguments: dict[str, Any] = {
            field_name: str(former_arguments[field_name]) for field_name in changed_fields
        }
        if "date" in changed_fields:
            undo_arguments["sessions"] = moved_record_keys.sessions
            if moved_record_keys.detached_fixture_keys:
                undo_arguments["with_series"] = moved_record_keys.detached_fixture_keys
        audit.record(
            by,
            "event.changed",
            subject=event,
            where={"fields": changed_fields},
            before={
                field_name: str(former_arguments[field_name]) for field_name in changed_fields
            },
            after={field_name: str(new_arguments[field_name]) for field_name in changed_fields},
            undo=Undo(
                tuple(f"event {field_name}" for field_name in changed_fields),
                "event.edit",
                undo_arguments,
            ),
        )
    enqueue_recomputation(event)
    return event


def build_edit_arguments(event: Event) -> dict[str, Any]:
    """Return the editable fields of an event, as arguments of `edit_event`."""
    return {
        "name": event.name,
        "date": event.date,
        "method": event.terms.method,
        "standings_shown": event.standings_shown,
        "paper_size": event.paper_size,
    }
