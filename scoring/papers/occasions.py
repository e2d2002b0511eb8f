"""What the records of papers ask of an evening: when a paper is needed, and for whom."""

from django.utils.translation import ngettext

from tournaments.models import Event, Session
from tournaments.movements.own_cards import own_cards_needed
from tournaments.seating_snapshot import held_movement


def partners_go_their_own_way(session: Session) -> bool:
    """Whether somebody cannot find his way by his table's card."""
    return any(own_cards_needed(held_movement(each)) for each in session.sections.all())


def turn_ups_are_not_known(session: Session) -> bool:
    """Whether the trump slips tell nothing.

    Where the deals are known they show the turn-ups, so they are ordered by name alone.
    """
    return session.deals != Session.Deals.RECORDED


def is_memory(event: Event) -> bool:
    """Whether the boards are played a second time from memory."""
    return event.contest == Event.Contest.MEMORY


def paper_of_all_figures(event: Event) -> str:
    """Warn of how much paper everybody's figures take."""
    sheets = event.entries.count()
    return ngettext(
        "Everybody's figures with the arithmetic behind them: %(sheets)s sheet at least.",
        "Everybody's figures with the arithmetic behind them: %(sheets)s sheets at least.",
        sheets,
    ) % {"sheets": sheets}
