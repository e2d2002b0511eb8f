"""Reads hands in the format of files: `{"contract": "misere", "by": [1], "tricks": [0]}`.

Missing and invalid values are not guessed, but reported with their place and the reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.games import find_game
from drives.games.contracts import (
    TRICKS_PER_DEAL,
    Contract,
    DeclaringSide,
    Game,
    PointsTable,
    TrickGoal,
    replace_local_names_by_titles,
)
from drives.games.house import MAX_POINTS_MULTIPLIER, build_points_table
from drives.games.places import JsonPathInWords
from drives.games.settling import SEATS, BidHand, Fine, Settlement, settle_hand
from server.json_reader.decoder import decode_json
from server.json_reader.formats import (
    JsonKey,
    build_list_reader,
    find_reader,
    map_keys_by_field,
    report_unknown_keys,
)
from server.json_reader.problems import JsonPath, Problems, can_be_printed, format_value
from server.json_reader.values import (
    build_converting_reader,
    build_text_reader,
    build_whole_number_reader,
    read_anything,
)

MAX_HANDS = 10_000
MAX_PASSED_DEALS, MAX_REVOKES, MAX_FINES, MAX_FINE_POINTS = 9, 4, 12, 1000
SeatNames = Sequence[int | str]
"""The names or numbers of the four players of a table, in seat order."""


@dataclass(frozen=True, kw_only=True)
class _FineData:
    """A fine in the JSON format: player `by` pays `each` points to the three others."""

    by: Annotated[Any, read_anything]
    each: Annotated[int, build_whole_number_reader(1, MAX_FINE_POINTS)]
    reason: Annotated[str, JsonKey("why"), build_text_reader(200, 0)] = ""


@dataclass(frozen=True, kw_only=True)
class _HandData:
    """A hand as it is in the file, with valid keys.

    `_HandReader` then checks its values against the table of points.
    """

    contract: Annotated[str | None, build_text_reader(60)]
    by: Annotated[tuple[Any, ...], build_list_reader(read_anything, 1, 4)] = ()
    tricks: Annotated[Any, read_anything] = None
    made: Annotated[Any, read_anything] = None
    passed: Annotated[int, build_whole_number_reader(0, MAX_PASSED_DEALS)] = 0
    table_multiple: Annotated[
        int, JsonKey("times"), build_whole_number_reader(1, MAX_POINTS_MULTIPLIER)
    ] = 1
    revokes: Annotated[int, build_whole_number_reader(0, MAX_REVOKES)] = 0
    fines: Annotated[
        tuple[_FineData, ...], build_list_reader(_FineData, max_length=MAX_FINES)
    ] = ()


@dataclass(frozen=True, kw_only=True)
class _HandFileData:
    """A file of hands. Its hands are checked later, because that needs the points table."""

    game: Annotated[Game, build_converting_reader(find_game, build_text_reader())]
    custom: Annotated[str | None, build_text_reader()]
    club_changes: Annotated[Any, JsonKey("house"), read_anything] = field(default_factory=dict)
    seats: Annotated[Any, read_anything] = SEATS
    hands: Annotated[tuple[Any, ...], build_list_reader(read_anything, max_length=MAX_HANDS)]


@dataclass(frozen=True, kw_only=True)
class HandFile:
    """A game's points table, the names of the four players, and the points of their hands."""

    game: Game
    variant: str | None
    club_changes: Mapping[str, Any]
    points_table: PointsTable
    seats: tuple[int | str, ...]
    settlements: tuple[Settlement, ...]


def parse_hand_file(document: object) -> HandFile:
    """Parse a file of hands and compute their points; raise UnreadableDrive."""
    file_json = (
        decode_json(document, UnreadableDrive)
        if isinstance(document, str | bytes)
        else document
    )
    problems = Problems(UnreadableDrive)
    root_json_path = JsonPathInWords("", problems)
    file_data = find_reader(_HandFileData)(file_json, root_json_path)
    problems.raise_if_any()
    points_table = replace_local_names_by_titles(
        build_points_table(
            file_data.game, file_data.custom, file_data.club_changes, root_json_path
        )
    )
    seats = _read_seats(file_data.seats, root_json_path.get_key_path("seats"))
    problems.raise_if_any()
    settled_hands = [
        read_hand(hand, hand_path, points_table, seats)
        for hand_path, hand in root_json_path.iter_items("hands", file_data.hands)
    ]
    problems.raise_if_any()
    settlements = tuple(settlement for settlement in settled_hands if settlement is not None)
    return HandFile(
        game=file_data.game,
        variant=file_data.custom,
        club_changes=file_data.club_changes,
        points_table=points_table,
        seats=seats,
        settlements=settlements,
    )


def _read_seats(json_value: Any, json_path: JsonPath) -> tuple[int | str, ...]:
    """Read the names or numbers of the four players."""
    seat_names = tuple(json_value) if isinstance(json_value, list | tuple) else ()
    are_names_valid = all(
        isinstance(name, int | str) and not isinstance(name, bool) and _is_valid_name(name)
        for name in seat_names
    )
    if len(seat_names) != len(SEATS) or not are_names_valid or len({*seat_names}) != len(SEATS):
        json_path.report(_("enter four different names or numbers."))
        return SEATS
    return seat_names


def _is_valid_name(name: int | str) -> bool:
    return 0 < len(str(name).strip()) <= 200 and can_be_printed(str(name))


def parse_hand(
    hand_json: object, points_table: PointsTable, seats: SeatNames = SEATS
) -> Settlement:
    """Parse a hand and compute its points.

    Raises UnreadableDrive, whose message begins with the invalid key, e.g. "by".
    """
    problems = Problems(UnreadableDrive)
    settlement = read_hand(hand_json, JsonPathInWords("", problems), points_table, seats)
    problems.raise_if_any()
    return settlement  # type: ignore[return-value]  # problems are raised


def read_hand(
    hand_json: object, json_path: JsonPath, points_table: PointsTable, seats: SeatNames = SEATS
) -> Settlement | None:
    """Read a hand and compute its points; return None and report the problems if it is invalid.

    `seats` are the names or numbers of the players in seat order.
    """
    previous_problem_count = len(json_path.problems)
    hand_data = find_reader(_HandData)(hand_json, json_path)
    if hand_data is None:
        return None
    if json_path.problems.should_ignore_unknown_keys and isinstance(hand_json, Mapping):
        report_unknown_keys(hand_json, list(map_keys_by_field(_HandData).values()), json_path)
    hand = _HandReader(points_table, seats, hand_data, json_path).read()
    if len(json_path.problems) > previous_problem_count or hand is None:
        return None
    try:
        return settle_hand(points_table, hand)
    except UnreadableDrive as problem:
        json_path.get_key_path("by").report(str(problem))
        return None


@dataclass(frozen=True)
class _HandReader:
    """Reads the values of a hand, and checks them against the points table."""

    points_table: PointsTable
    seats: SeatNames
    hand_data: _HandData
    hand_path: JsonPath

    def read(self) -> BidHand | None:
        """Read the hand, or report its problems."""
        hand_data = self.hand_data
        fines = self._read_fines()
        if hand_data.contract is None:
            self._check_hand_without_contract()
            return BidHand(passed=hand_data.passed, fines=fines)
        contract = self._find_contract(hand_data.contract)
        if contract is None:
            return None
        self._check_terms(contract)
        declarers = self._read_players(contract)
        return BidHand(
            contract=contract,
            declarers=declarers,
            tricks=self._read_tricks(contract, len(declarers)),
            made_results=self._read_made_results(contract, len(declarers)),
            passed=hand_data.passed,
            table_multiple=hand_data.table_multiple,
            revokes=hand_data.revokes,
            fines=fines,
        )

    def _check_hand_without_contract(self) -> None:
        """Report a hand without a contract unless it has fines and nothing else."""
        hand_data = self.hand_data
        hand_values = (
            hand_data.by,
            hand_data.tricks,
            hand_data.made,
            hand_data.revokes,
            hand_data.table_multiple > 1,
        )
        if any(hand_value not in ((), None, 0, False) for hand_value in hand_values):
            self.hand_path.get_key_path("contract").report(_("This is missing."))
        elif not hand_data.fines:
            self.hand_path.report(_("enter a contract or a fine."))

    def _find_contract(self, code: str) -> Contract | None:
        contract = self.points_table.contracts_by_code.get(code)
        if contract is not None and contract.rule.played:
            return contract
        message = (
            _("unknown contract %(shown)s. Choose from %(codes)s.")
            if contract is None
            else _("%(shown)s isn’t played here.")
        )
        codes = ", ".join(contract.code for contract in self.points_table.playable_contracts)
        shown_text = format_value(str(contract.label.local) if contract else code)
        self.hand_path.get_key_path("contract").report(message, shown=shown_text, codes=codes)
        return None

    def _check_terms(self, contract: Contract) -> None:
        """Check that the points table allows the doubling and the revokes of the hand."""
        hand_data, points_table = self.hand_data, self.points_table
        if hand_data.table_multiple > 1 and hand_data.table_multiple not in points_table.times:
            key_path = self.hand_path.get_key_path("times")
            if points_table.times:
                multipliers_text = ", ".join(map(str, points_table.times))
                key_path.report(_("only %(times)s is played here."), times=multipliers_text)
            else:
                key_path.report(_("doubling isn’t played here."))
        if not hand_data.revokes:
            return
        key_path = self.hand_path.get_key_path("revokes")
        if points_table.revoke is None:
            key_path.report(_("enter revokes as fines."))
        elif contract.rule.side is DeclaringSide.EACH and len(hand_data.by) > 1:
            key_path.report(_("several players play for themselves. Enter a fine."))
        elif hand_data.made is not None and not contract.rule.is_all_or_none:
            self.hand_path.get_key_path("made").report(
                _("enter the tricks, because a revoke costs some.")
            )

    def _read_players(self, contract: Contract) -> tuple[int, ...]:
        """Return the seats of the contract's players, in the order of entry."""
        by_path, declarer_names = self.hand_path.get_key_path("by"), self.hand_data.by
        allowed_counts = contract.rule.player_counts
        if not declarer_names:
            by_path.report(_("This is missing."))
        elif len(declarer_names) not in allowed_counts:
            message = _("%(contract)s is played by %(count)s, not %(got)s.")
            count_text = (
                f"{allowed_counts[0]}–{allowed_counts[-1]}"
                if allowed_counts[1:]
                else allowed_counts[0]
            )
            contract_name = contract.label.local
            by_path.report(
                message, contract=contract_name, count=count_text, got=len(declarer_names)
            )
        return self._find_seats(declarer_names, by_path)

    def _find_seats(self, seat_names: Sequence[Any], json_path: JsonPath) -> tuple[int, ...]:
        seats = []
        for name in seat_names:
            if type(name) not in (int, str) or name not in self.seats:
                message = _("%(shown)s isn’t at this table. Choose from %(names)s.")
                player_names = ", ".join(map(str, self.seats))
                json_path.report(message, shown=format_value(name), names=player_names)
                return ()
            seats.append(self.seats.index(name) + 1)
        if len({*seats}) < len(seats):
            json_path.report(_("a player is entered twice."))
        return tuple(seats)

    def _read_tricks(self, contract: Contract, player_count: int) -> tuple[int, ...]:
        tricks_path, tricks = self.hand_path.get_key_path("tricks"), self.hand_data.tricks
        does_declarer_always_pay = contract.rule.goal is TrickGoal.ALWAYS_LOSES
        if tricks is None:
            if self.hand_data.made is None and not does_declarer_always_pay:
                tricks_path.report(_("This is missing."))
            return ()
        if does_declarer_always_pay:
            tricks_path.report(_("no tricks are entered for this contract."))
            return ()
        is_per_player = contract.rule.side is DeclaringSide.EACH
        trick_counts = tricks if isinstance(tricks, list | tuple) else [tricks]
        if len(trick_counts) != (player_count if is_per_player else 1):
            message = _("enter one number for each player.")
            tricks_path.report(
                message if is_per_player else _("enter one number for the side.")
            )
        return self._read_trick_numbers(trick_counts, tricks_path)

    def _read_trick_numbers(
        self, tricks: Sequence[Any], json_path: JsonPath
    ) -> tuple[int, ...]:
        read_number, previous_problem_count = (
            build_whole_number_reader(0, TRICKS_PER_DEAL),
            len(json_path.problems),
        )
        trick_counts = [read_number(trick_count, json_path) for trick_count in tricks[:4]]
        if len(json_path.problems) > previous_problem_count:
            return ()
        if sum(trick_counts) > TRICKS_PER_DEAL:
            json_path.report(_("the players’ tricks add up to more than 13."))
        return tuple(trick_counts)

    def _read_made_results(self, contract: Contract, player_count: int) -> tuple[bool, ...]:
        made_path, raw_made_results = self.hand_path.get_key_path("made"), self.hand_data.made
        if raw_made_results is None:
            return ()
        if self.hand_data.tricks is not None:
            made_path.report(_("enter either tricks or made."))
        elif contract.rule.goal is TrickGoal.ALWAYS_LOSES:
            made_path.report(_("the player of this contract always pays."))
        elif not contract.rule.is_flat_rate:
            made_path.report(_("enter tricks, because the score depends on them."))
        made_values = (
            raw_made_results
            if isinstance(raw_made_results, list | tuple)
            else [raw_made_results]
        )
        is_per_player = contract.rule.side is DeclaringSide.EACH
        if len(made_values) != (player_count if is_per_player else 1):
            message = (
                _("enter one value for each player.")
                if is_per_player
                else _("enter one value.")
            )
            made_path.report(message)
        elif not all(isinstance(made_value, bool) for made_value in made_values):
            made_path.report(_("enter true or false."))
        return tuple(made_values)

    def _read_fines(self) -> tuple[Fine, ...]:
        fines = []
        for fine_path, fine_data in self.hand_path.iter_items("fines", self.hand_data.fines):
            for seat_number in self._find_seats([fine_data.by], fine_path.get_key_path("by")):
                fines.append(Fine(seat_number, fine_data.each, fine_data.reason))
        if fines and not self.points_table.fines:
            self.hand_path.get_key_path("fines").report(_("fines aren’t played here."))
        return tuple(fines)


def build_hand_data(hand: BidHand) -> dict[str, Any]:
    """Return a hand as JSON data for drive files and the database, with seats from 1 to 4."""
    contract = hand.contract
    is_per_player = contract is not None and contract.rule.side is DeclaringSide.EACH
    hand_data: dict[str, Any] = (
        {"contract": contract.code, "by": list(hand.declarers)} if contract else {}
    )
    for name, declarer_results in (("tricks", hand.tricks), ("made", hand.made_results)):
        if declarer_results:
            hand_data[name] = list(declarer_results) if is_per_player else declarer_results[0]
    hand_data |= {
        name: number for name in ("passed", "revokes") if (number := getattr(hand, name))
    }
    hand_data |= {"times": hand.table_multiple} if hand.table_multiple > 1 else {}
    if hand.fines:
        hand_data["fines"] = [
            {"by": fine.payer_seat, "each": fine.points_per_opponent}
            | ({"why": fine.reason} if fine.reason else {})
            for fine in hand.fines
        ]
    return hand_data
