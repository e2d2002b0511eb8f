"""The conditions of papers: which events offer a paper, and the next step before it can be
made.

The functions `describe_step_before_…` return the missing step as text ("draw a round"), or "".
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import TableLink
from scoring.models import Result
from scoring.session_snapshot import SessionSnapshot
from server.hall_network import find_phone_url
from tournaments.models import EntryLink, Event, Session
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.movements.own_cards import needs_own_guide_cards


def has_separately_moving_players(snapshot: SessionSnapshot) -> bool:
    """Return whether players move separately, so that they need their own guide cards."""
    return any(map(needs_own_guide_cards, snapshot.movements.values()))


def has_unknown_turn_ups(snapshot: SessionSnapshot) -> bool:
    """Return whether the trump slips of a session show no cards.

    If the deals are recorded the slips show the turn-ups, so they are made only when ordered.
    """
    return snapshot.session.deals != Session.DealsState.RECORDED


def has_turn_up(event: Event) -> bool:
    """Return whether a card is turned up for trumps, so that a slip has to show it."""
    return event.has_turn_up


def has_drawn_rounds(event: Event) -> bool:
    """Return whether rounds of the event are drawn one after another."""
    return event.is_drawn


def has_victory_points(event: Event) -> bool:
    """Return whether matches count victory points, so that their scale is announced."""
    return bool(event.terms.method == "victory_points")


def has_bracket(event: Event) -> bool:
    """Return whether the event has a bracket."""
    return hasattr(event, "knockout")


def has_strata(event: Event) -> bool:
    """Return whether the event has strata."""
    return hasattr(event, "strata")


def has_prizes(event: Event) -> bool:
    """Return whether the event has a prize list."""
    return event.prizes.exists()


def describe_step_before_bracket(session: Session) -> str:
    """Return "set up a bracket" if the event has no bracket to print yet, else ""."""
    return "" if has_bracket(session.event) else _("set up a bracket")


def describe_step_before_prizes(session: Session) -> str:
    """Return "enter prizes" or "enter scores" if prizes cannot be listed yet, else ""."""
    is_available = has_prizes(session.event)
    return describe_step_before_results(session) if is_available else _("enter prizes")


def describe_step_before_strata(session: Session) -> str:
    """Return "set strata" or "enter scores" if strata cannot be ranked yet, else ""."""
    return (
        describe_step_before_results(session) if has_strata(session.event) else _("set strata")
    )


def describe_step_before_draw(session: Session) -> str:
    """Return "draw a round" if there are no pairings to print yet, else ""."""
    drawn_sections = session.sections.filter(movement=DRAWN_MOVEMENT_NAME)
    is_available = session.event.is_drawn and drawn_sections.exists()
    return "" if is_available else _("draw a round")


def is_memory_duplicate(event: Event) -> bool:
    """Return whether the boards are played a second time from memory."""
    return event.contest == Event.Contest.MEMORY


def describe_step_before_results(session: Session) -> str:
    """Return "enter scores" if the event has no result yet, else ""."""
    results = Result.objects.filter(sitting__section__session__event=session.event_id)
    return "" if results.exists() else _("enter scores")


def describe_step_before_session_results(session: Session) -> str:
    """Return "enter scores" if the session has no result yet, else ""."""
    results = Result.objects.filter(sitting__section__session=session)
    return "" if results.exists() else _("enter scores")


def describe_step_before_table_links(session: Session) -> str:
    """Return "connect phones" or "create table links" if no link can be printed, else ""."""
    links = TableLink.objects.filter(evening=session.evening_id, revoked_at__isnull=True)
    return _describe_step_before_phone_links() or (
        "" if links.exists() else _("create table links")
    )


def describe_step_before_entry_links(session: Session) -> str:
    """Return the step to do before personal links can be printed, else "".

    The step is "connect phones" or "create personal links".
    """
    links = EntryLink.objects.filter(entry__event=session.event_id, revoked_at__isnull=True)
    return _describe_step_before_phone_links() or (
        "" if links.exists() else _("create personal links")
    )


def _describe_step_before_phone_links() -> str:
    return "" if find_phone_url() else _("connect phones")


def format_explanations_blurb(event: Event) -> str:
    """Return the description of the paper that explains all scores, with its sheet count."""
    sheet_count = event.entries.count()
    return ngettext(
        "Everyone’s scores with the arithmetic: at least %(sheets)s sheet.",
        "Everyone’s scores with the arithmetic: at least %(sheets)s sheets.",
        sheet_count,
    ) % {"sheets": sheet_count}
