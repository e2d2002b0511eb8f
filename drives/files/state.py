"""The schema of the input of `drive next` and `drive draw`: the tables after a round."""

from dataclasses import dataclass, field
from typing import Annotated, Any

from drives.draw.participants import Participants, PlayerId, SeatedRound, Seats, read_player_id
from drives.errors import UnreadableDrive
from drives.files.values import read_secret, read_terms
from drives.moves.table_result import Side, TableResult
from drives.play_forms import DriveForm, find_play_form
from drives.play_forms.ties import TieRule, get_tie_rule
from server.json_reader.formats import (
    JsonKey,
    build_list_reader,
    build_mapping_reader,
    build_row_reader,
    read_document,
    report_duplicates,
)
from server.json_reader.problems import JsonPath
from server.json_reader.values import (
    build_converting_reader,
    build_text_reader,
    build_whole_number_reader,
)
from server.translation import gettext_noop

STATE_FORMAT = "overplay-drive-state"


def _read_seat(value: Any, json_path: JsonPath) -> Any:
    return None if value is None else read_player_id(value, json_path)


FilePlayerId = Annotated[PlayerId, read_player_id]
FOUR_SEATS_READER = build_row_reader(
    *[read_player_id] * 4, description=gettext_noop("enter four seats for each table.")
)


@dataclass(frozen=True, kw_only=True)
class StateTable:
    """A table of one to four seats; an empty seat is null."""

    table_number: Annotated[int, JsonKey("table"), build_whole_number_reader(1, 1000)]
    seats_in_file: Annotated[
        tuple[PlayerId | None, ...], JsonKey("seats"), build_list_reader(_read_seat, 1, 4)
    ]
    winner: Side | None

    @property
    def table(self) -> TableResult:
        """The table as a `TableResult`; one or three seats get an additional empty seat."""
        seats = self.seats_in_file
        padding = (None,) if len(seats) in (1, 3) else ()
        return TableResult(self.table_number, (*seats, *padding), self.winner)


@dataclass(frozen=True, kw_only=True)
class StateRound:
    """A round that was played before the present one, as an item of `history`."""

    tables: tuple[Annotated[Seats, FOUR_SEATS_READER], ...] = ()
    rest: tuple[FilePlayerId, ...] = ()

    @property
    def seated_round(self) -> SeatedRound:
        """The round as a `SeatedRound`, the input of a draw."""
        return SeatedRound(self.tables, self.rest)

    def validate(self, json_path: JsonPath) -> None:
        """Report players who occur twice."""
        tables = json_path.iter_items("tables", self.tables)
        seats = (
            (json_path.get_item_path(seat_index), player)
            for json_path, table_seats in tables
            for seat_index, player in enumerate(table_seats)
        )
        report_duplicates((*seats, *json_path.iter_items("rest", self.rest)))


@dataclass(frozen=True, kw_only=True)
class DriveState:
    """The content of a state file; `standing` lists the players, the best first."""

    form: Annotated[DriveForm, build_converting_reader(find_play_form, build_text_reader())]
    terms: Annotated[dict[str, Any], read_terms] = field(default_factory=dict)
    tables_in_file: Annotated[
        tuple[StateTable, ...], JsonKey("tables"), build_list_reader(StateTable)
    ] = ()
    rest_counts_in_file: Annotated[
        dict[str, int] | None,
        JsonKey("rests"),
        build_mapping_reader(build_whole_number_reader(0)),
    ]
    history: tuple[StateRound, ...] = ()
    standing: tuple[FilePlayerId, ...] = ()
    secret: Annotated[bytes, JsonKey("seed"), read_secret] = b""
    players: tuple[FilePlayerId, ...] = ()
    apart: tuple[tuple[FilePlayerId, ...], ...] = ()
    seated_player_ids: Annotated[tuple[FilePlayerId, ...], JsonKey("seated")] = ()

    @property
    def tie_rule(self) -> TieRule:
        """The rule that decides a tied table."""
        return get_tie_rule(self.terms)

    @property
    def tables(self) -> tuple[TableResult, ...]:
        """The tables of the round that was just played, with their winners."""
        return tuple(table_in_file.table for table_in_file in self.tables_in_file)

    @property
    def played_rounds(self) -> tuple[SeatedRound, ...]:
        """The rounds in `history`, as the input of a draw."""
        return tuple(round_.seated_round for round_ in self.history)

    @property
    def rest_counts_by_player(self) -> dict[PlayerId, int] | None:
        """The number of rests of each player.

        Keys of a JSON file are strings. So a player's number occurs here both as a string and
        as an integer.
        """
        if self.rest_counts_in_file is None:
            return None
        rest_count_by_player: dict[PlayerId, int] = {}
        for name, rest_count in self.rest_counts_in_file.items():
            rest_count_by_player[name] = rest_count
            if name.isascii() and name.isdecimal() and len(name) < 7:
                rest_count_by_player[int(name)] = rest_count
        return rest_count_by_player


def parse_state(document: str) -> DriveState:
    """Parse a state; raise UnreadableDrive with the path of the invalid value."""
    return read_document(
        document,
        DriveState,
        UnreadableDrive,
        format=STATE_FORMAT,
        should_ignore_unknown_keys=True,
    )


def build_participants(state: DriveState) -> Participants:
    """Return the participants of a state: its `players` or, if it has none, all at its tables.

    Negative numbers are house players.
    """
    players = state.players or _sort_players(_list_present_players(state))
    return Participants(
        players=tuple(player for player in players if not is_house_player(player)),
        pairs_kept_apart=frozenset(map(frozenset, state.apart)),
        stationary_players=state.seated_player_ids,
        house_players=tuple(
            sorted((player for player in players if is_house_player(player)), key=str)
        ),
        season_rest_counts=state.rest_counts_by_player or {},
    )


def is_house_player(player: PlayerId) -> bool:
    """Return whether a number belongs to a house player."""
    return isinstance(player, int) and player < 0


def _sort_players(players: set[PlayerId]) -> list[PlayerId]:
    """Return the numbers in ascending order, then the names."""
    player_numbers = sorted(player for player in players if isinstance(player, int))
    return [*player_numbers, *sorted(player for player in players if isinstance(player, str))]


def list_played_rounds(state: DriveState) -> list[SeatedRound]:
    """Return the rounds of the history, followed by the present tables.

    The present tables are omitted if they equal the last round of the history.
    """
    current_tables = tuple(
        seats for table in state.tables if (seats := to_full_seats(table.seats))
    )
    if current_tables and not (
        state.played_rounds and state.played_rounds[-1].tables == current_tables
    ):
        resting_players = [
            player
            for table in state.tables
            if not table.is_full
            for player in table.seats
            if player is not None
        ]
        return [*state.played_rounds, SeatedRound(current_tables, tuple(resting_players))]
    return list(state.played_rounds)


def to_full_seats(seats: tuple[PlayerId | None, ...]) -> Seats | None:
    """Return the four players of a full table, or None if a seat is empty."""
    players = [player for player in seats if player is not None]
    return (players[0], players[1], players[2], players[3]) if len(players) == 4 else None


def build_round_data(next_round: SeatedRound, call: str) -> dict[str, object]:
    """Return the next round in the output format of `drive next` and `drive draw`."""
    return {
        "tables": build_tables_data(next_round.tables),
        "rest": list(next_round.resting_players),
        "call": call,
    }


def build_tables_data(tables: tuple[Seats, ...]) -> list[dict[str, object]]:
    """Return tables and their numbers in the format of drive files."""
    return [
        {"table": table_number, "seats": list(seats)}
        for table_number, seats in enumerate(tables, start=1)
    ]


def _list_present_players(state: DriveState) -> set[PlayerId]:
    players = {player for table in state.tables for player in table.seats if player is not None}
    if state.played_rounds and not players:
        last_round = state.played_rounds[-1]
        players = {player for table in last_round.tables for player in table} | set(
            last_round.resting_players
        )
    elif state.played_rounds:
        players |= set(state.played_rounds[-1].resting_players)
    return players
