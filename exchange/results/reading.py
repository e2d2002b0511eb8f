"""The data of an event for its export files, read once for all files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from boards.whist import Deal, Seat
from boards.whist.cards import Suit
from scoring.methods import METHODS, Method
from scoring.reckoning import standings
from scoring.reckoning.lines import Play, tally
from scoring.reckoning.scores import Both, counts_of, method_of
from scoring.second_play import is_in_other_suits
from scoring.secrecy import hands_may_be_seen
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.travellers import load_travellers
from scoring.sheets.values import RankTable, TravellerLine
from scoring.sittings import SeatedSession, SeatedSide, SeatedTable, read_sittings
from tournaments.entry_words import entry_name
from tournaments.models import Entry, Event, Place, Session

SEATS = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)


@dataclass(frozen=True, slots=True)
class EntryNames:
    """An entry: its number, its name, and its players' names."""

    number: int
    name: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FiledBoardPlay:
    """One play of a board: the seating, the result and the score."""

    session: int
    section: str
    round: int
    table: int
    board: int
    dealer: Seat
    trumps: Suit | None  # None if not known, or if tables declare them
    people: Mapping[Seat, str]  # for a team, its name at North or East
    ns: tuple[int, ...]  # entry numbers
    ew: tuple[int, ...]
    line: TravellerLine
    matchpoints: Both
    pool: str = ""  # the section that it is compared with; empty for all sections
    in_other_suits: bool = False  # a second play with exchanged suits


@dataclass(frozen=True, slots=True)
class EventResults:
    """An event with its standings, its plays and, once they may be shown, its hands."""

    event: Event
    method: Method
    entries: Mapping[int, EntryNames]
    table: RankTable
    rooms: tuple[SeatedSession, ...]
    plays: tuple[FiledBoardPlay, ...]
    deals: Mapping[tuple[int, int], Deal]  # by session and board, without secret ones


def read_results(event: Event, *, in_full: bool) -> EventResults:
    """Read a whole event with all results, for the club's own use.

    Names are the public ones, or the full ones with `in_full`.
    """
    standings.recompute(event)
    entries = _entries(event, in_full=in_full)
    points = _matchpoints(event)
    rooms, plays = [], []
    deals: dict[tuple[int, int], Deal] = {}
    for session in event.sessions.order_by("number"):
        room = read_sittings(session)
        rooms.append(room)
        known = session.deals_known()
        plays += _plays(room, entries, points, known)
        if hands_may_be_seen(session):
            deals |= {(session.number, board): deal for board, deal in known.items()}
    table = load_rank_table(event, all_results=True)
    return EventResults(
        event, method_of(event), entries, table, tuple(rooms), tuple(plays), deals
    )


def read_plays(room: SeatedSession) -> list[FiledBoardPlay]:
    """Read the plays of one session whose hands may be seen, with public names.

    The plays have no matchpoints.
    """
    entries = _entries(room.session.event, in_full=False)
    return _plays(room, entries, {}, room.session.deals_known())


def _entries(event: Event, *, in_full: bool) -> dict[int, EntryNames]:
    found = {}
    for entry in event.entries.prefetch_related("memberships__player"):
        people = [each.player for each in entry.memberships.all()]
        shown = [each.shown_name for each in people]
        names = [each.name for each in people] if in_full else shown
        is_own = entry.name != entry_name(shown)
        called = entry.name if is_own or not in_full else entry_name(names)
        found[entry.number] = EntryNames(entry.number, called, tuple(names))
    return found


def _matchpoints(event: Event) -> Mapping[Play, Both]:
    """Return the matchpoints of every play, whatever the event's method."""
    if event.contest not in METHODS["matchpoints"].contests:
        return {}
    counts = counts_of(tally(event), METHODS["matchpoints"])
    return {play: each.scores for play, each in counts.items()}


def _plays(
    room: SeatedSession,
    entries: Mapping[int, EntryNames],
    points: Mapping[Play, Both],
    deals: Mapping[int, Deal],
) -> list[FiledBoardPlay]:
    tables = {table.sitting: table for table in room.tables}
    places = {place.pk: place for place in room.places}
    found = []
    for sheet in load_travellers(room, all_results=True):
        deal = deals.get(sheet.board)
        for line in sheet.lines:
            table = tables[line.sitting]
            found.append(
                FiledBoardPlay(
                    session=room.session.number,
                    section=line.section,
                    round=line.round,
                    table=line.table,
                    board=sheet.board,
                    dealer=sheet.dealer,
                    trumps=deal.trumps if deal and not sheet.notes_trumps else None,
                    people=_people(table, places, entries),
                    ns=table.ns.entries,
                    ew=table.ew.entries,
                    line=line,
                    matchpoints=points.get((line.sitting, sheet.board), (None, None)),
                    pool="" if room.session.across_sections else line.section,
                    in_other_suits=is_in_other_suits(room, table, sheet.board),
                )
            )
    return found


def _people(
    table: SeatedTable, places: Mapping[int, Place], entries: Mapping[int, EntryNames]
) -> dict[Seat, str]:
    sides = (_side(table.ns, places, entries), _side(table.ew, places, entries))
    return dict(zip(SEATS, (*sides[0], *sides[1]), strict=True))


def _side(
    side: SeatedSide, places: Mapping[int, Place], entries: Mapping[int, EntryNames]
) -> tuple[str, str]:
    """Return the two names of a side; for teams the team's name, as any two members may sit."""
    sat = [entry for key in side.places if (entry := places[key].entry) is not None]
    numbers = list(dict.fromkeys(entry.number for entry in sat))
    if len(numbers) == 2:
        one, other = (entries[number].name for number in numbers)
        return one, other
    people = _of(sat, entries)
    if len(people) == 2:
        return people[0], people[1]
    return (entries[numbers[0]].name if numbers else side.name), ""


def _of(sat: Sequence[Entry], entries: Mapping[int, EntryNames]) -> tuple[str, ...]:
    return entries[sat[0].number].people if sat else ()


def session_of(found: EventResults, number: int) -> Session:
    """Return the session with a number from the results that were read."""
    return next(room.session for room in found.rooms if room.session.number == number)


def score_of(play: FiledBoardPlay) -> tuple[Fraction | None, Fraction | None]:
    """Return the scores of a play for both sides, by the event's own method."""
    return play.line.ns_score, play.line.ew_score
