"""Conditions of papers: when a paper is needed, and for which events.

The functions `for_…` return what a paper waits for, as text, or "".
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import TableLink
from scoring.models import Result
from scoring.sittings import SeatedSession
from server.door import phone_address
from tournaments.models import EntryLink, Event, Session
from tournaments.movements.drawn import DRAWN
from tournaments.movements.own_cards import own_cards_needed


def has_moves_of_single_players(found: SeatedSession) -> bool:
    """Return whether some players cannot find their way by their table's card."""
    return any(map(own_cards_needed, found.movements.values()))


def has_unknown_turn_ups(found: SeatedSession) -> bool:
    """Return whether the trump slips show no cards.

    If the deals are recorded the slips show the turn-ups, so they are made only when ordered.
    """
    return found.session.deals != Session.Deals.RECORDED


def has_turn_up(event: Event) -> bool:
    """Return whether a card is turned up for trumps, so that a slip has to show it."""
    return event.turns_a_card


def is_drawn(event: Event) -> bool:
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


def describe_wait_for_bracket(session: Session) -> str:
    """Return what a bracket waits for: that it is set."""
    return "" if has_bracket(session.event) else _("the bracket")


def describe_wait_for_prizes(session: Session) -> str:
    """Return what a prize list waits for: that it is written, then the first results."""
    is_there = has_prizes(session.event)
    return describe_wait_for_results(session) if is_there else _("the list of prizes")


def describe_wait_for_strata(session: Session) -> str:
    """Return what a ranking of strata waits for: the strata, then the first results."""
    return describe_wait_for_results(session) if has_strata(session.event) else _("the strata")


def describe_wait_for_draw(session: Session) -> str:
    """Return what a list of pairings waits for: a drawn round."""
    drawn = session.sections.filter(movement=DRAWN)
    is_there = session.event.is_drawn and drawn.exists()
    return "" if is_there else _("a round that is drawn")


def is_memory(event: Event) -> bool:
    """Return whether the boards are played a second time from memory."""
    return event.contest == Event.Contest.MEMORY


def describe_wait_for_results(session: Session) -> str:
    """Return what standings wait for: a first result, as without any they are all zeros."""
    results = Result.objects.filter(sitting__section__session__event=session.event_id)
    return "" if results.exists() else _("the first results")


def describe_wait_for_session_results(session: Session) -> str:
    """Return what a recap waits for: a first result of its session, the only one it shows."""
    results = Result.objects.filter(sitting__section__session=session)
    return "" if results.exists() else _("the first results")


def describe_wait_for_table_links(session: Session) -> str:
    """Return what cards for phones wait for: phones connected, and links of the tables."""
    links = TableLink.objects.filter(evening=session.evening_id, revoked_at__isnull=True)
    return _describe_wait_for_phones() or (
        "" if links.exists() else _("the links of the tables")
    )


def describe_wait_for_entry_links(session: Session) -> str:
    """Return what slips with links wait for: phones connected, and links of the entries."""
    links = EntryLink.objects.filter(entry__event=session.event_id, revoked_at__isnull=True)
    return _describe_wait_for_phones() or (
        "" if links.exists() else _("the links of the pairs")
    )


def _describe_wait_for_phones() -> str:
    return "" if phone_address() else _("phones connected")


def format_explanations_blurb(event: Event) -> str:
    """Return a warning about the number of sheets that all entries' numbers take."""
    sheets = event.entries.count()
    return ngettext(
        "Everybody's figures with the arithmetic behind them: %(sheets)s sheet at least.",
        "Everybody's figures with the arithmetic behind them: %(sheets)s sheets at least.",
        sheets,
    ) % {"sheets": sheets}
