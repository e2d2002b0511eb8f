"""What an entry's own page says while play is on: its place, what is next, what is not agreed.

Of boards it tells the numbers, and a score only where both sides of the entry's own table have
typed different ones: they have played it, and the director has to know (rules D2).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from boards.whist.figures import numbers
from boards.whist.seats import Side
from hall.phones.disputes import Disputed, disputed
from scoring.sheets.own_places import OwnPlace, own_places
from scoring.sittings import SeatedSession, SeatedTable, read_sittings
from tournaments.models import Entry, Event, Session


@dataclass(frozen=True, slots=True)
class NextTable:
    """Where an entry plays next, or plays now: the round, the table, the side, whom, what."""

    round: int
    rounds: int
    table: str  # as players know it
    side: str  # in words; of a single player the seat's side
    opponents: str
    boards: str  # "5–8", and "1, 5" where one strayed
    sits_out: tuple[int, ...]  # rounds before it in which the entry has no table
    is_begun: bool


@dataclass(frozen=True, slots=True)
class OwnPage:
    """All that is said while play is on or to come."""

    place: OwnPlace | None
    next: NextTable | None
    is_over: bool  # every board of the entry is in
    disputed: tuple[Disputed, ...]
    told: tuple[str, ...] = ()  # a round sat out, and rounds that are still to be drawn


def own_page(entry: Entry) -> OwnPage:
    """Read what an entry's page says of the session in play, or of the next one to come."""
    event = entry.event
    session = _at_hand(event)
    place = next(iter(own_places(event, [entry.number])), None)
    if session is None:
        return OwnPage(place, None, False, ())
    found = read_sittings(session)
    own = sorted(
        (table for table in found.tables if table.is_played and _sits(table, entry)),
        key=lambda table: table.round,
    )
    on = next((table for table in own if not _is_done(found, table)), None)
    return OwnPage(
        place=place,
        next=_next(found, entry, own, on) if on else None,
        is_over=bool(own) and on is None and not any(map(found.undrawn, found.last_round)),
        disputed=disputed(found, own) if session.state == Session.State.OPEN else (),
        told=() if on else tuple(_waiting(found, entry, own)),
    )


def _waiting(found: SeatedSession, entry: Entry, own: list[SeatedTable]) -> Iterator[str]:
    """What is said between two draws: a round that is sat out, and what is still to come."""
    here = next(
        (each.section for each in found.places if each.entry and each.entry.pk == entry.pk),
        None,
    )
    if here is None or not found.is_drawn(here.letter):
        return
    last = found.last_round.get(here.letter, 0)
    if last and not any(table.round == last for table in own):
        yield _("You sit out round %(round)s; it counts as the average.") % {"round": last}
    if undrawn := found.undrawn(here.letter):
        yield undrawn


def _at_hand(event: Event) -> Session | None:
    sessions = sorted(event.sessions.all(), key=lambda session: session.number)
    for state in (Session.State.OPEN, Session.State.PLANNED):
        for session in sessions:
            if session.state == state:
                return session
    return None


def _sits(table: SeatedTable, entry: Entry) -> bool:
    return entry.number in (*table.ns.entries, *table.ew.entries)


def _is_done(found: SeatedSession, table: SeatedTable) -> bool:
    return all(found.is_in(table, board) for board in table.boards)


def _next(
    found: SeatedSession, entry: Entry, own: list[SeatedTable], on: SeatedTable
) -> NextTable:
    is_ns = entry.number in on.ns.entries
    opponents = on.ew if is_ns else on.ns
    before = [table.round for table in own if table.round < on.round]
    rested = range((before[-1] if before else 0) + 1, on.round)
    return NextTable(
        round=on.round,
        rounds=found.rounds_planned,
        table=on.label,
        side=Side("NS" if is_ns else "EW").word,
        opponents=f"{opponents.short} {opponents.name}",
        boards=numbers(on.boards),
        sits_out=tuple(rested),
        is_begun=any(found.is_in(on, board) for board in on.boards),
    )
