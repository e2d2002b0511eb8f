"""The data of the page that a pair, player or team opens on its own phone during play.

The page shows the entry's rank, its next table and its disputed scores. A score is disputed if
the two sides of a table typed different scores (rules D2).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from boards.whist.seats import Seat, Side
from hall.phones.disputes import Dispute, list_disputes
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from scoring.sheets.next_moves import (
    find_seat,
    format_overplay_instruction,
    is_start_of_overplay,
)
from scoring.sheets.own_places import OwnRank, load_own_ranks
from scoring.standings_engine.knockouts import find_knockout, load_bracket
from server.formatting import format_ranges
from tournaments.models import Entry, Event, Session
from tournaments.swiss.plan import read_plan


@dataclass(frozen=True, slots=True)
class NextTable:
    """The table that an entry plays at now or next: round, side, opponents and boards."""

    round_number: int
    round_count: int  # the number of rounds in the section
    table_label: str  # "3", or "A3" with several sections
    side_or_seat_name: str  # the name of the side, or of the seat for a single player
    opponents: str
    boards_text: str  # "5–8", or "1, 5" for boards that are not consecutive
    sit_out_rounds: tuple[int, ...]  # the rounds before this one in which the entry sits out
    has_begun: bool  # whether a result of the round has been entered
    partner: str = ""  # the name of the partner, for a single player
    seated_member_names: str = ""  # the names of the two members of a larger team at the table
    arrow_switch_text: str = ""  # a sentence about the arrow switch


@dataclass(frozen=True, slots=True)
class EntryPage:
    """The contents of an entry's own page before and during play."""

    place: OwnRank | None
    next_tables: tuple[NextTable, ...]  # for a team, the tables that are still in play
    is_over: bool  # whether all results of the entry have been entered
    disputes: tuple[Dispute, ...]
    notes: tuple[str, ...] = ()  # sentences about a sit-out and about undrawn rounds


def build_entry_page(entry: Entry) -> EntryPage:
    """Return the own page of an entry, for its session in play or else for its next session."""
    event = entry.event
    session = _find_current_session(event)
    own_rank = next(iter(load_own_ranks(event, [entry.number])), None)
    if session is None:
        return EntryPage(own_rank, (), False, ())
    snapshot = load_session_snapshot(session)
    own_tables = sorted(
        (table for table in snapshot.tables if table.is_played and _is_seated(table, entry)),
        key=lambda table: table.round,
    )
    current_table = next(
        (table for table in own_tables if not _is_table_complete(snapshot, table)), None
    )
    bracket_state = _get_bracket_state(snapshot, entry)
    has_no_further_rounds = bracket_state.is_eliminated or not any(
        map(snapshot.describe_undrawn_rounds, snapshot.last_seated_round_by_section)
    )
    return EntryPage(
        place=own_rank,
        next_tables=tuple(
            _build_next_table(snapshot, entry, own_tables, table)
            for table in own_tables
            if current_table
            and table.round == current_table.round
            and not _is_table_complete(snapshot, table)
        ),
        is_over=bool(own_tables) and current_table is None and has_no_further_rounds,
        disputes=list_disputes(snapshot, own_tables)
        if session.state == Session.State.OPEN
        else (),
        notes=()
        if current_table or bracket_state.is_eliminated
        else tuple(_iter_notes(snapshot, entry, own_tables, bracket_state)),
    )


class _BracketState(NamedTuple):
    """The state of an entry in the knockout bracket of its section."""

    is_in_knockout: bool = False
    is_eliminated: bool = False
    has_bye: bool = False


def _iter_notes(
    snapshot: SessionSnapshot,
    entry: Entry,
    own_tables: list[SeatedTable],
    bracket_state: _BracketState,
) -> Iterator[str]:
    """Yield notes about a sit-out or bye in the last drawn round, and about undrawn rounds."""
    entry_section_letter = _find_section_letter(snapshot, entry)
    if entry_section_letter is None or not snapshot.has_drawn_rounds(entry_section_letter):
        return
    last_seated_round = snapshot.last_seated_round_by_section.get(entry_section_letter, 0)
    if bracket_state.has_bye and not own_tables:
        yield _("You have a bye to the next round.")
    elif (
        not bracket_state.is_in_knockout
        and last_seated_round
        and not any(table.round == last_seated_round for table in own_tables)
    ):
        yield _("You sit out round %(round)s and score the average.") % {
            "round": last_seated_round
        }
    if undrawn_text := snapshot.describe_undrawn_rounds(entry_section_letter):
        yield undrawn_text


def _find_section_letter(snapshot: SessionSnapshot, entry: Entry) -> str | None:
    sections = (
        place.section for place in snapshot.places if place.entry and place.entry.pk == entry.pk
    )
    return next((section.letter for section in sections), None)


def _get_bracket_state(snapshot: SessionSnapshot, entry: Entry) -> _BracketState:
    """Return the entry's state in the bracket, using only results that players may see."""
    entry_section_letter = _find_section_letter(snapshot, entry)
    section_plans = [
        read_plan(section.options)
        for section in snapshot.sections
        if section.letter == entry_section_letter
    ]
    is_knockout = any(plan is not None and plan.knockout for plan in section_plans)
    knockout = find_knockout(entry.event) if is_knockout else None
    if knockout is None:
        return _BracketState()
    seed_number = (
        knockout.seeds.index(entry.number) + 1 if entry.number in knockout.seeds else 0
    )
    rounds = load_bracket(knockout, has_only_public_results=True).rounds
    matches = [
        match
        for round_matches in rounds
        for match in round_matches
        if seed_number in match.sides
    ]
    return _BracketState(
        is_in_knockout=True,
        is_eliminated=any(seed_number in match.losers for match in matches),
        has_bye=any(match.is_bye for match in matches),
    )


def _find_current_session(event: Event) -> Session | None:
    sessions = sorted(event.sessions.all(), key=lambda session: session.number)
    for state in (Session.State.OPEN, Session.State.PLANNED):
        for session in sessions:
            if session.state == state:
                return session
    return None


def _is_seated(table: SeatedTable, entry: Entry) -> bool:
    return entry.number in (*table.ns.entries, *table.ew.entries)


def _is_table_complete(snapshot: SessionSnapshot, table: SeatedTable) -> bool:
    return all(
        snapshot.has_result_or_ruling(table, board_number) for board_number in table.boards
    )


def _build_next_table(
    snapshot: SessionSnapshot,
    entry: Entry,
    own_tables: list[SeatedTable],
    current_table: SeatedTable,
) -> NextTable:
    is_ns = entry.number in current_table.ns.entries
    own_side, opposing_side = (
        (current_table.ns, current_table.ew) if is_ns else (current_table.ew, current_table.ns)
    )
    current_tables = [table for table in own_tables if table.round == current_table.round]
    has_begun = any(
        snapshot.has_result_or_ruling(table, board_number)
        for table in current_tables
        for board_number in table.boards
    )
    is_overplay_starting = is_start_of_overplay(snapshot, current_table) and not has_begun
    earlier_rounds = [table.round for table in own_tables if table.round < current_table.round]
    sit_out_rounds = range(
        (earlier_rounds[-1] if earlier_rounds else 0) + 1, current_table.round
    )
    return NextTable(
        round_number=current_table.round,
        round_count=snapshot.find_last_planned_round(current_table.section),
        table_label=current_table.label,
        side_or_seat_name=_describe_seat(snapshot, entry, current_table),
        opponents=f"{opposing_side.short_label} {opposing_side.name}",
        boards_text=format_ranges(current_table.boards),
        sit_out_rounds=tuple(sit_out_rounds),
        has_begun=has_begun,
        partner=snapshot.format_partner(entry.number, current_table),
        seated_member_names=own_side.name
        if own_side.name != entry.name and not snapshot.has_changing_partners
        else "",
        arrow_switch_text=format_overplay_instruction(
            is_everyone_seated=not snapshot.has_changing_partners
        )
        if is_overplay_starting
        else "",
    )


def _describe_seat(snapshot: SessionSnapshot, entry: Entry, table: SeatedTable) -> str:
    """Return the name of an entry's seat: a side for a pair, a seat for a single player."""
    if not snapshot.has_changing_partners:
        return Side("NS" if entry.number in table.ns.entries else "EW").word
    place_pk = next(place.pk for place in snapshot.places if place.entry_id == entry.pk)
    return Seat(find_seat(table, place_pk)).word
