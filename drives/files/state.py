"""The input of `drive next` and `drive draw`: the tables of a drive at one moment."""

from dataclasses import dataclass, field
from typing import Annotated, Any

from drives.draw.participants import Participants, PlayerId, SeatedRound, Seats, read_player
from drives.errors import UnreadableDrive
from drives.files.values import read_secret, read_terms
from drives.moves.table_result import Side, TableResult
from drives.play_forms import DriveForm, find_play_form
from drives.play_forms.ties import TieRule, get_tie_rule
from server.json_reader.formats import (
    Key,
    list_of,
    mapping_of,
    read_document,
    report_duplicates,
    row_of,
)
from server.json_reader.problems import JsonPlace
from server.json_reader.values import convert_with, text, whole_number
from server.translation import gettext_noop

STATE_FORMAT = "overplay-drive-state"


def _read_seat(value: Any, at: JsonPlace) -> Any:
    return None if value is None else read_player(value, at)


PlayerHere = Annotated[PlayerId, read_player]
FOUR_SEATS = row_of(*[read_player] * 4, description=gettext_noop("a table has four seats."))


@dataclass(frozen=True, kw_only=True)
class StateTable:
    """A table of one to four seats; an empty seat is null."""

    number: Annotated[int, Key("table"), whole_number(1, 1000)]
    filed_seats: Annotated[tuple[PlayerId | None, ...], Key("seats"), list_of(_read_seat, 1, 4)]
    winner: Side | None

    @property
    def table(self) -> TableResult:
        """The table as a value for moves, with an even number of seats."""
        seats = self.filed_seats
        padding = (None,) if len(seats) in (1, 3) else ()
        return TableResult(self.number, (*seats, *padding), self.winner)


@dataclass(frozen=True, kw_only=True)
class StateRound:
    """A round of the history."""

    tables: tuple[Annotated[Seats, FOUR_SEATS], ...] = ()
    rest: tuple[PlayerHere, ...] = ()

    @property
    def drawn(self) -> SeatedRound:
        """The round as a value for draws."""
        return SeatedRound(self.tables, self.rest)

    def validate(self, at: JsonPlace) -> None:
        """Check that no player occurs twice."""
        tables = at.items("tables", self.tables)
        seats = (
            (at.item(n), player)
            for at, table_seats in tables
            for n, player in enumerate(table_seats)
        )
        report_duplicates((*seats, *at.items("rest", self.rest)))


@dataclass(frozen=True, kw_only=True)
class DriveState:
    """The content of a state file; `standing` is best first."""

    form: Annotated[DriveForm, convert_with(find_play_form, text())]
    terms: Annotated[dict[str, Any], read_terms] = field(default_factory=dict)
    filed_tables: Annotated[tuple[StateTable, ...], Key("tables"), list_of(StateTable)] = ()
    filed_rests: Annotated[dict[str, int] | None, Key("rests"), mapping_of(whole_number(0))]
    history: tuple[StateRound, ...] = ()
    standing: tuple[PlayerHere, ...] = ()
    secret: Annotated[bytes, Key("seed"), read_secret] = b""
    players: tuple[PlayerHere, ...] = ()
    apart: tuple[tuple[PlayerHere, ...], ...] = ()
    seated: tuple[PlayerHere, ...] = ()

    @property
    def tie_rule(self) -> TieRule:
        """The rule that decides a tied table."""
        return get_tie_rule(self.terms)

    @property
    def tables(self) -> tuple[TableResult, ...]:
        """The present tables."""
        return tuple(filed_table.table for filed_table in self.filed_tables)

    @property
    def played_rounds(self) -> tuple[SeatedRound, ...]:
        """The rounds of the history."""
        return tuple(round_.drawn for round_ in self.history)

    @property
    def rests_by_player(self) -> dict[PlayerId, int] | None:
        """The number of rests by player number; file keys are strings, so numbers are looked up
        as text.
        """
        if self.filed_rests is None:
            return None
        rests: dict[PlayerId, int] = {}
        for name, count in self.filed_rests.items():
            rests[name] = count
            if name.isascii() and name.isdecimal() and len(name) < 7:
                rests[int(name)] = count
        return rests


def parse_state(document: str) -> DriveState:
    """Parse a state; raise UnreadableDrive with the place of a problem."""
    return read_document(
        document, DriveState, UnreadableDrive, format=STATE_FORMAT, allow_unknown_keys=True
    )


def build_participants(state: DriveState) -> Participants:
    """Return the players of a state: those listed, or all of its last round and its tables.

    Negative numbers are house players.
    """
    players = state.players or _sort_players(_list_present(state))
    return Participants(
        players=tuple(player for player in players if not is_house_number(player)),
        apart=frozenset(map(frozenset, state.apart)),
        seated=state.seated,
        house=tuple(sorted((player for player in players if is_house_number(player)), key=str)),
        ledger=state.rests_by_player or {},
    )


def is_house_number(player: PlayerId) -> bool:
    """Return whether a number belongs to a house player."""
    return isinstance(player, int) and player < 0


def _sort_players(people: set[PlayerId]) -> list[PlayerId]:
    """Return the numbers in ascending order, then the names."""
    numbers = sorted(player for player in people if isinstance(player, int))
    return [*numbers, *sorted(player for player in people if isinstance(player, str))]


def list_rounds_played(state: DriveState) -> list[SeatedRound]:
    """Return the rounds of the history, with the present tables if they are not the last."""
    now = tuple(seats for table in state.tables if (seats := to_full_seats(table.seats)))
    if now and not (state.played_rounds and state.played_rounds[-1].tables == now):
        resting = [p for t in state.tables if not t.is_full for p in t.seats if p is not None]
        return [*state.played_rounds, SeatedRound(now, tuple(resting))]
    return list(state.played_rounds)


def to_full_seats(seats: tuple[PlayerId | None, ...]) -> Seats | None:
    """Return the four of a full table, or None."""
    players = [player for player in seats if player is not None]
    return (players[0], players[1], players[2], players[3]) if len(players) == 4 else None


def build_round_data(next_round: SeatedRound, call: str) -> dict[str, object]:
    """Return the next round in the output format of `drive next` and `drive draw`."""
    return {
        "tables": build_tables_data(next_round.tables),
        "rest": list(next_round.rest),
        "call": call,
    }


def build_tables_data(tables: tuple[Seats, ...]) -> list[dict[str, object]]:
    """Return tables with their numbers, in the format of files."""
    return [{"table": n, "seats": list(seats)} for n, seats in enumerate(tables, start=1)]


def _list_present(state: DriveState) -> set[PlayerId]:
    players = {player for table in state.tables for player in table.seats if player is not None}
    if state.played_rounds and not players:
        last = state.played_rounds[-1]
        players = {player for table in last.tables for player in table} | set(last.rest)
    elif state.played_rounds:
        players |= set(state.played_rounds[-1].rest)
    return players
