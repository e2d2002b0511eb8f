"""What the records of papers ask of an evening: when a paper is needed, and for whom."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import TableLink
from scoring.models import Result
from scoring.sittings import SeatedSession
from server.door import phone_address
from tournaments.models import EntryLink, Event, Session
from tournaments.movements.drawn import DRAWN
from tournaments.movements.own_cards import own_cards_needed


def partners_go_their_own_way(found: SeatedSession) -> bool:
    """Whether somebody cannot find his way by his table's card."""
    return any(map(own_cards_needed, found.movements.values()))


def turn_ups_are_not_known(found: SeatedSession) -> bool:
    """Whether the trump slips tell nothing.

    Where the deals are known they show the turn-ups, so they are ordered by name alone.
    """
    return found.session.deals != Session.Deals.RECORDED


def turns_a_card(event: Event) -> bool:
    """Whether a card is turned up for trumps, so that a slip has to tell it."""
    return event.turns_a_card


def is_drawn(event: Event) -> bool:
    """Whether rounds of the event are drawn one after another."""
    return event.is_drawn


def counts_victory_points(event: Event) -> bool:
    """Whether matches are worth victory points, so that their scale is told before play."""
    return bool(event.terms.method == "victory_points")


def has_bracket(event: Event) -> bool:
    """Whether the event has a bracket of a knock-out."""
    return hasattr(event, "knockout")


def has_strata(event: Event) -> bool:
    """Whether the event is ranked by strata."""
    return hasattr(event, "strata")


def has_prizes(event: Event) -> bool:
    """Whether the event has a list of prizes."""
    return event.prizes.exists()


def for_a_bracket(session: Session) -> str:
    """A bracket hangs up once it is laid."""
    return "" if has_bracket(session.event) else _("the bracket")


def for_prizes(session: Session) -> str:
    """A list of prizes is written first, and given out by results."""
    is_there = has_prizes(session.event)
    return for_first_results(session) if is_there else _("the list of prizes")


def for_strata(session: Session) -> str:
    """A ranking of each stratum wants strata, and results."""
    return for_first_results(session) if has_strata(session.event) else _("the strata")


def for_a_draw(session: Session) -> str:
    """A list of who plays whom tells a round that was drawn."""
    drawn = session.sections.filter(movement=DRAWN)
    is_there = session.event.is_drawn and drawn.exists()
    return "" if is_there else _("a round that is drawn")


def is_memory(event: Event) -> bool:
    """Whether the boards are played a second time from memory."""
    return event.contest == Event.Contest.MEMORY


def for_first_results(session: Session) -> str:
    """Standings of an event in which nothing was played are sheets of zeros."""
    results = Result.objects.filter(sitting__section__session__event=session.event_id)
    return "" if results.exists() else _("the first results")


def for_results_of_the_session(session: Session) -> str:
    """A recap tells the boards of its session alone."""
    results = Result.objects.filter(sitting__section__session=session)
    return "" if results.exists() else _("the first results")


def for_links_of_tables(session: Session) -> str:
    """A card for phones tells an address: phones are let in, and the table has one."""
    links = TableLink.objects.filter(evening=session.evening_id, revoked_at__isnull=True)
    return _phones_let_in() or ("" if links.exists() else _("the links of the tables"))


def for_links_of_entries(session: Session) -> str:
    """A slip with somebody's own address needs one."""
    links = EntryLink.objects.filter(entry__event=session.event_id, revoked_at__isnull=True)
    return _phones_let_in() or ("" if links.exists() else _("the links of the pairs"))


def _phones_let_in() -> str:
    return "" if phone_address() else _("phones connected")


def paper_of_all_figures(event: Event) -> str:
    """Warn of how much paper everybody's figures take."""
    sheets = event.entries.count()
    return ngettext(
        "Everybody's figures with the arithmetic behind them: %(sheets)s sheet at least.",
        "Everybody's figures with the arithmetic behind them: %(sheets)s sheets at least.",
        sheets,
    ) % {"sheets": sheets}
