"""Reading of hands as a table enters them: `{"contract": "misere", "by": [1], "tricks": [0]}`.

Nothing is guessed: each fault is reported with its place and reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.games import find_game
from drives.games.contracts import TRICKS, Contract, Game, Goal, PointsTable, Side
from drives.games.house import MAX_TIMES, build_points_table
from drives.games.places import WordedPlace
from drives.games.settling import SEATS, BidHand, Fine, Settlement, settle_hand
from server.json_reader.decoder import decode_json
from server.json_reader.formats import find_reader, list_of, report_unknown_keys
from server.json_reader.problems import JsonPlace, Problems, can_be_printed, format_value
from server.json_reader.values import anything, convert_with, text, whole_number

MAX_HANDS = 10_000
MAX_PASSED, MAX_REVOKES, MAX_FINES, MAX_FINE = 9, 4, 12, 1000
Seats = Sequence[int | str]


@dataclass(frozen=True, kw_only=True)
class _FiledFine:
    by: Annotated[Any, anything]
    each: Annotated[int, whole_number(1, MAX_FINE)]
    why: Annotated[str, text(200, 0)] = ""


@dataclass(frozen=True, kw_only=True)
class _FiledHand:
    """A hand before its values are compared with the table of points."""

    contract: Annotated[str | None, text(60)]
    by: Annotated[tuple[Any, ...], list_of(anything, 1, 4)] = ()
    tricks: Annotated[Any, anything] = None
    made: Annotated[Any, anything] = None
    passed: Annotated[int, whole_number(0, MAX_PASSED)] = 0
    times: Annotated[int, whole_number(1, MAX_TIMES)] = 1
    revokes: Annotated[int, whole_number(0, MAX_REVOKES)] = 0
    fines: Annotated[tuple[_FiledFine, ...], list_of(_FiledFine, max_length=MAX_FINES)] = ()


@dataclass(frozen=True, kw_only=True)
class _FiledHands:
    """A file of hands, whose hands are read after its table of points."""

    game: Annotated[Game, convert_with(find_game, text())]
    custom: Annotated[str | None, text()]
    house: Annotated[Any, anything] = field(default_factory=dict)
    seats: Annotated[Any, anything] = SEATS
    hands: Annotated[tuple[Any, ...], list_of(anything, max_length=MAX_HANDS)]


@dataclass(frozen=True, kw_only=True)
class HandFile:
    """A game's table of points, the names of the four players, and their settled hands."""

    game: Game
    variant: str | None
    house: Mapping[str, Any]
    table: PointsTable
    seats: tuple[int | str, ...]
    settlements: tuple[Settlement, ...]


def parse_hand_file(document: object) -> HandFile:
    """Parse and settle a file of hands, as text or data; raise UnreadableDrive."""
    data = (
        decode_json(document, UnreadableDrive)
        if isinstance(document, str | bytes)
        else document
    )
    problems = Problems(UnreadableDrive)
    at = WordedPlace("", problems)
    filed = find_reader(_FiledHands)(data, at)
    problems.raise_if_any()
    table = build_points_table(filed.game, filed.custom, filed.house, at)
    seats = _read_seats(filed.seats, at.key("seats"))
    problems.raise_if_any()
    read = [
        read_hand(hand, place, table, seats) for place, hand in at.items("hands", filed.hands)
    ]
    problems.raise_if_any()
    settlements = tuple(each for each in read if each is not None)
    return HandFile(
        game=filed.game,
        variant=filed.custom,
        house=filed.house,
        table=table,
        seats=seats,
        settlements=settlements,
    )


def _read_seats(value: Any, at: JsonPlace) -> tuple[int | str, ...]:
    """Read the names or numbers of the four players."""
    names = tuple(value) if isinstance(value, list | tuple) else ()
    is_read = all(
        isinstance(each, int | str) and not isinstance(each, bool) and _is_valid_name(each)
        for each in names
    )
    if len(names) != len(SEATS) or not is_read or len({*names}) != len(SEATS):
        at.report(_("enter four different names or numbers."))
        return SEATS
    return names


def _is_valid_name(name: int | str) -> bool:
    return 0 < len(str(name).strip()) <= 200 and can_be_printed(str(name))


def parse_hand(value: object, table: PointsTable, seats: Seats = SEATS) -> Settlement:
    """Parse and settle one hand; raise UnreadableDrive with the place in it, e.g. "by"."""
    problems = Problems(UnreadableDrive)
    found = read_hand(value, WordedPlace("", problems), table, seats)
    problems.raise_if_any()
    return found  # type: ignore[return-value]  # problems are raised


def read_hand(
    value: object, at: JsonPlace, table: PointsTable, seats: Seats = SEATS
) -> Settlement | None:
    """Read and settle a hand; `seats` are the names in it of the players in seat order.

    Returns None and reports the problems if it is invalid.
    """
    before = len(at.problems)
    filed = find_reader(_FiledHand)(value, at)
    if filed is None:
        return None
    if at.problems.other_keys and isinstance(value, Mapping):
        report_unknown_keys(value, list(_FiledHand.__dataclass_fields__), at)
    hand = _HandReader(table, seats, filed, at).read()
    if len(at.problems) > before or hand is None:
        return None
    try:
        return settle_hand(table, hand)
    except UnreadableDrive as problem:
        at.key("by").report(str(problem))
        return None


@dataclass(frozen=True)
class _HandReader:
    """The values of a hand, compared with the table of points."""

    table: PointsTable
    seats: Seats
    filed: _FiledHand
    at: JsonPlace

    def read(self) -> BidHand | None:
        """Read the hand, or report its problems."""
        filed = self.filed
        fines = self._read_fines()
        if filed.contract is None:
            self._check_stopped_hand()
            return BidHand(passed=filed.passed, fines=fines)
        contract = self._find_contract(filed.contract)
        if contract is None:
            return None
        self._check_terms(contract)
        by = self._read_players(contract)
        return BidHand(
            contract=contract,
            by=by,
            tricks=self._read_tricks(contract, len(by)),
            made=self._read_made(contract, len(by)),
            passed=filed.passed,
            times=filed.times,
            revokes=filed.revokes,
            fines=fines,
        )

    def _check_stopped_hand(self) -> None:
        """Check a hand without a contract, which has only fines."""
        filed = self.filed
        values = (filed.by, filed.tricks, filed.made, filed.revokes, filed.times > 1)
        if any(each not in ((), None, 0, False) for each in values):
            self.at.key("contract").report(_("This is missing."))
        elif not filed.fines:
            self.at.report(_("enter a contract or a fine."))

    def _find_contract(self, code: str) -> Contract | None:
        contract = self.table.by_code.get(code)
        if contract is not None and contract.rule.played:
            return contract
        words = (
            _("unknown contract %(shown)s. Choose from %(codes)s.")
            if contract is None
            else _("%(shown)s isn't played here.")
        )
        codes = ", ".join(each.code for each in self.table.played)
        self.at.key("contract").report(words, shown=format_value(code), codes=codes)
        return None

    def _check_terms(self, contract: Contract) -> None:
        """Check that the house doubles and counts revokes as entered."""
        filed, table = self.filed, self.table
        if filed.times > 1 and filed.times not in table.times:
            place = self.at.key("times")
            if table.times:
                listed = ", ".join(map(str, table.times))
                place.report(_("only %(times)s is played here."), times=listed)
            else:
                place.report(_("doubling isn't played here."))
        if not filed.revokes:
            return
        place = self.at.key("revokes")
        if table.revoke is None:
            place.report(_("enter revokes as fines."))
        elif contract.rule.side is Side.EACH and len(filed.by) > 1:
            place.report(_("several players play for themselves. Enter a fine."))
        elif filed.made is not None and not contract.rule.needs_all_or_none:
            self.at.key("made").report(_("enter tricks, because a revoke takes some off."))

    def _read_players(self, contract: Contract) -> tuple[int, ...]:
        """Read the seats of the players, in the order as entered."""
        place, by = self.at.key("by"), self.filed.by
        counts = contract.rule.player_counts
        if not by:
            place.report(_("This is missing."))
        elif len(by) not in counts:
            words = _("%(contract)s is played by %(count)s, not %(got)s.")
            count = f"{counts[0]}–{counts[-1]}" if counts[1:] else counts[0]
            place.report(words, contract=contract.code, count=count, got=len(by))
        return self._find_seats(by, place)

    def _find_seats(self, names: Sequence[Any], at: JsonPlace) -> tuple[int, ...]:
        found = []
        for name in names:
            if type(name) not in (int, str) or name not in self.seats:
                words = _("%(shown)s isn't at this table. Choose from %(names)s.")
                listed = ", ".join(map(str, self.seats))
                at.report(words, shown=format_value(name), names=listed)
                return ()
            found.append(self.seats.index(name) + 1)
        if len({*found}) < len(found):
            at.report(_("a player is entered twice."))
        return tuple(found)

    def _read_tricks(self, contract: Contract, count: int) -> tuple[int, ...]:
        place, tricks = self.at.key("tricks"), self.filed.tricks
        is_loser_paying = contract.rule.how is Goal.LOSES
        if tricks is None:
            if self.filed.made is None and not is_loser_paying:
                place.report(_("This is missing."))
            return ()
        if is_loser_paying:
            place.report(_("no tricks are entered for this contract."))
            return ()
        is_each = contract.rule.side is Side.EACH
        numbers = tricks if isinstance(tricks, list | tuple) else [tricks]
        if len(numbers) != (count if is_each else 1):
            words = _("enter one number for each player.")
            place.report(words if is_each else _("enter one number for the side."))
        return self._read_trick_numbers(numbers, place)

    def _read_trick_numbers(self, tricks: Sequence[Any], at: JsonPlace) -> tuple[int, ...]:
        read, before = whole_number(0, TRICKS), len(at.problems)
        numbers = [read(each, at) for each in tricks[:4]]
        if len(at.problems) > before:
            return ()
        if sum(numbers) > TRICKS:
            at.report(_("the players' tricks add up to more than 13."))
        return tuple(numbers)

    def _read_made(self, contract: Contract, count: int) -> tuple[bool, ...]:
        place, made = self.at.key("made"), self.filed.made
        if made is None:
            return ()
        if self.filed.tricks is not None:
            place.report(_("enter either tricks or made."))
        elif contract.rule.how is Goal.LOSES:
            place.report(_("the player of this contract always pays."))
        elif not contract.rule.is_flat:
            place.report(_("enter tricks, because their number counts."))
        values = made if isinstance(made, list | tuple) else [made]
        is_each = contract.rule.side is Side.EACH
        if len(values) != (count if is_each else 1):
            words = _("enter one value for each player.") if is_each else _("enter one value.")
            place.report(words)
        elif not all(isinstance(each, bool) for each in values):
            place.report(_("enter true or false."))
        return tuple(values)

    def _read_fines(self) -> tuple[Fine, ...]:
        found = []
        for place, fine in self.at.items("fines", self.filed.fines):
            for seat in self._find_seats([fine.by], place.key("by")):
                found.append(Fine(seat, fine.each, fine.why))
        if found and not self.table.fines:
            self.at.key("fines").report(_("fines aren't played here."))
        return tuple(found)


def build_hand_data(hand: BidHand) -> dict[str, Any]:
    """Return a hand in the format of files and rows, with seats from 1 to 4."""
    contract = hand.contract
    is_each = contract is not None and contract.rule.side is Side.EACH
    data: dict[str, Any] = {"contract": contract.code, "by": list(hand.by)} if contract else {}
    for name in ("tricks", "made"):
        if values := getattr(hand, name):
            data[name] = list(values) if is_each else values[0]
    data |= {name: v for name in ("passed", "revokes") if (v := getattr(hand, name))}
    data |= {"times": hand.times} if hand.times > 1 else {}
    if hand.fines:
        data["fines"] = [
            {"by": fine.by, "each": fine.each} | ({"why": fine.why} if fine.why else {})
            for fine in hand.fines
        ]
    return data
