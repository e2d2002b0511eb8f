"""The results of an event, loaded once for all export files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from boards.whist import Deal, Seat
from boards.whist.cards import Suit
from scoring.methods import METHODS, Method
from scoring.seated_sides import SeatedSide
from scoring.second_plays import is_played_in_other_suits
from scoring.secrecy import can_see_hands
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.travellers import load_travellers
from scoring.sheets.values import RankTable, TravellerLine
from scoring.standings_engine import standings
from scoring.standings_engine.result_lines import PlayKey, load_tally
from scoring.standings_engine.scores import SideValues, compute_play_values, find_method
from tournaments.entry_words import join_entry_name
from tournaments.models import Entry, Event, Place, Session

SEAT_ORDER = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)


@dataclass(frozen=True, slots=True)
class EntryNames:
    """The number and name of an entry, and the names of its players."""

    number: int
    name: str
    player_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardPlayResult:
    """One play of a board, with its seating, its result and its score."""

    session: int
    section: str
    round: int
    table: int
    board: int
    dealer: Seat
    trumps: Suit | None  # None if unknown, or if tables declare trumps
    names_by_seat: Mapping[Seat, str]  # for a large team: the team's name at North or East
    ns_entries: tuple[int, ...]  # entry numbers
    ew_entries: tuple[int, ...]
    line: TravellerLine
    matchpoints: SideValues
    pool: str = ""  # the section whose plays it is compared with; "" for all sections
    in_other_suits: bool = False  # whether it is a second play with exchanged suits


@dataclass(frozen=True, slots=True)
class EventResults:
    """The standings and plays of an event, and its hands once they may be shown."""

    event: Event
    method: Method
    entries: Mapping[int, EntryNames]
    rank_table: RankTable
    sessions: tuple[SessionSnapshot, ...]
    plays: tuple[BoardPlayResult, ...]
    deals: Mapping[tuple[int, int], Deal]  # public deals by session and board number


def load_results(event: Event, *, in_full: bool) -> EventResults:
    """Load all results of an event, for the club's own use.

    With `in_full`, names are the full names instead of the public display names.
    """
    standings.update_standings(event)
    entries = _load_entry_names(event, in_full=in_full)
    points = _compute_matchpoints(event)
    snapshots, plays = [], []
    deals: dict[tuple[int, int], Deal] = {}
    for session in event.sessions.order_by("number"):
        snapshot = load_session_snapshot(session)
        snapshots.append(snapshot)
        known_deals = session.deals_known()
        plays += _build_plays(snapshot, entries, points, known_deals)
        if can_see_hands(session):
            deals |= {(session.number, board): deal for board, deal in known_deals.items()}
    table = load_rank_table(event, all_results=True)
    return EventResults(
        event, find_method(event), entries, table, tuple(snapshots), tuple(plays), deals
    )


def load_plays(snapshot: SessionSnapshot) -> list[BoardPlayResult]:
    """Return the plays of a session with public names but without matchpoints.

    The hands of the session must be public.
    """
    entries = _load_entry_names(snapshot.session.event, in_full=False)
    return _build_plays(snapshot, entries, {}, snapshot.session.deals_known())


def _load_entry_names(event: Event, *, in_full: bool) -> dict[int, EntryNames]:
    names_by_entry = {}
    for entry in event.entries.prefetch_related("memberships__player"):
        people = [membership.player for membership in entry.memberships.all()]
        shown_names = [player.shown_name for player in people]
        names = [player.name for player in people] if in_full else shown_names
        is_own = entry.name != join_entry_name(shown_names)
        shown_name = entry.name if is_own or not in_full else join_entry_name(names)
        names_by_entry[entry.number] = EntryNames(entry.number, shown_name, tuple(names))
    return names_by_entry


def _compute_matchpoints(event: Event) -> Mapping[PlayKey, SideValues]:
    """Return the matchpoints of every play, even if the event uses another method."""
    if event.contest not in METHODS["matchpoints"].contests:
        return {}
    counts = compute_play_values(load_tally(event), METHODS["matchpoints"])
    return {play: play_values.scores for play, play_values in counts.items()}


def _build_plays(
    snapshot: SessionSnapshot,
    entries: Mapping[int, EntryNames],
    points: Mapping[PlayKey, SideValues],
    deals: Mapping[int, Deal],
) -> list[BoardPlayResult]:
    tables = {table.sitting: table for table in snapshot.tables}
    places = {place.pk: place for place in snapshot.places}
    plays = []
    for sheet in load_travellers(snapshot, all_results=True):
        deal = deals.get(sheet.board)
        for line in sheet.lines:
            table = tables[line.sitting]
            plays.append(
                BoardPlayResult(
                    session=snapshot.session.number,
                    section=line.section,
                    round=line.round,
                    table=line.table,
                    board=sheet.board,
                    dealer=sheet.dealer,
                    trumps=deal.trumps if deal and not sheet.notes_trumps else None,
                    names_by_seat=_map_seat_names(table, places, entries),
                    ns_entries=table.ns.entries,
                    ew_entries=table.ew.entries,
                    line=line,
                    matchpoints=points.get((line.sitting, sheet.board), (None, None)),
                    pool="" if snapshot.session.across_sections else line.section,
                    in_other_suits=is_played_in_other_suits(snapshot, table, sheet.board),
                )
            )
    return plays


def _map_seat_names(
    table: SeatedTable, places: Mapping[int, Place], entries: Mapping[int, EntryNames]
) -> dict[Seat, str]:
    sides = (
        _list_side_names(table.ns, places, entries),
        _list_side_names(table.ew, places, entries),
    )
    return dict(zip(SEAT_ORDER, (*sides[0], *sides[1]), strict=True))


def _list_side_names(
    side: SeatedSide, places: Mapping[int, Place], entries: Mapping[int, EntryNames]
) -> tuple[str, str]:
    """Return the names of a side's two players; for a larger team, the team's name.

    Any two members of a larger team may have played.
    """
    seated_entries = [entry for key in side.places if (entry := places[key].entry) is not None]
    numbers = list(dict.fromkeys(entry.number for entry in seated_entries))
    if len(numbers) == 2:
        one, other = (entries[number].name for number in numbers)
        return one, other
    people = _list_entry_names(seated_entries, entries)
    if len(people) == 2:
        return people[0], people[1]
    return (entries[numbers[0]].name if numbers else side.name), ""


def _list_entry_names(
    seated_entries: Sequence[Entry], entries: Mapping[int, EntryNames]
) -> tuple[str, ...]:
    return entries[seated_entries[0].number].player_names if seated_entries else ()


def find_session(results: EventResults, number: int) -> Session:
    """Return the loaded session that has the given number."""
    return next(
        snapshot.session for snapshot in results.sessions if snapshot.session.number == number
    )


def side_scores(play: BoardPlayResult) -> tuple[Fraction | None, Fraction | None]:
    """Return the scores of N-S and E-W for a play, by the event's scoring method."""
    return play.line.ns_score, play.line.ew_score
