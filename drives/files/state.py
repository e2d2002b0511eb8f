"""The tables of a drive at one moment, as `drive next` and `drive draw` read them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from boards.whist.words import gettext as _
from drives.draw.company import Company, Drawn, Player, Seats
from drives.files.reading import Value, parse, read_tie_rule
from drives.forms import Form, form_named
from drives.forms.ties import TieRule
from drives.moves.mover import Moved
from drives.moves.state import Side, Table

FORMAT = "overplay-drive-state"


@dataclass(frozen=True, kw_only=True)
class State:
    """What a file of a moment holds; `standing` is best first."""

    form: Form
    terms: dict[str, Any]
    tie_rule: TieRule
    tables: tuple[Table, ...]
    rests: Mapping[Player, int] | None
    played: tuple[Drawn, ...]
    standing: tuple[Player, ...]
    secret: bytes


def read_state(text: str) -> tuple[State, Value]:
    """Read a state; UnreadableDrive or UnplayableDrive names the place of what is wrong."""
    whole = parse(text)
    if whole.get("format").data != FORMAT:
        raise whole.get("format").fault(_("this must be %(format)s.") % {"format": FORMAT})
    rests = whole.get("rests")
    state = State(
        form=form_named(whole.get("form").data),
        terms=whole.get("terms").mapping(),
        tie_rule=read_tie_rule(whole.get("terms")),
        tables=tuple(_table(each) for each in whole.get("tables").items()),
        rests=None if rests.is_missing else _counts(rests),
        played=tuple(_drawn(each) for each in whole.get("history").items()),
        standing=tuple(each.player() for each in whole.get("standing").items()),
        secret=whole.get("seed").seed(),
    )
    return state, whole


def read_company(state: State, whole: Value) -> Company:
    """The players of a state: those it names, or all of its last round and its tables.

    Negative numbers are house players.
    """
    named = [each.player() for each in whole.get("players").items()]
    people = named or _ordered(_present(state))
    apart = [pair.items() for pair in whole.get("apart").items()]
    return Company(
        players=tuple(who for who in people if not is_house(who)),
        apart=frozenset(frozenset(each.player() for each in pair) for pair in apart),
        seated=tuple(each.player() for each in whole.get("seated").items()),
        house=tuple(sorted((who for who in people if is_house(who)), key=str)),
        ledger=state.rests or {},
    )


def is_house(player: Player) -> bool:
    """Whether a number is a house player's."""
    return isinstance(player, int) and player < 0


def _ordered(people: set[Player]) -> list[Player]:
    """Numbers in their order, then names."""
    numbers = sorted(who for who in people if isinstance(who, int))
    return [*numbers, *sorted(who for who in people if isinstance(who, str))]


def rounds_played(state: State) -> list[Drawn]:
    """The rounds of the history, and the tables of the moment where it has not got them."""
    now = tuple(seats for table in state.tables if (seats := four(table.seats)))
    if now and not (state.played and state.played[-1].tables == now):
        resting = [p for t in state.tables if not t.is_full for p in t.seats if p is not None]
        return [*state.played, Drawn(now, tuple(resting))]
    return list(state.played)


def four(seats: tuple[Player | None, ...]) -> Seats | None:
    """The four of a full table, or None."""
    players = [player for player in seats if player is not None]
    return (players[0], players[1], players[2], players[3]) if len(players) == 4 else None


def answer(moved: Moved | Drawn, call: str) -> dict[str, object]:
    """The tables of the next round, as both commands write them."""
    return {"tables": tables_data(moved.tables), "rest": list(moved.rest), "call": call}


def tables_data(tables: tuple[Seats, ...]) -> list[dict[str, object]]:
    """Tables with their numbers, as files write them."""
    return [{"table": n, "seats": list(seats)} for n, seats in enumerate(tables, start=1)]


def _present(state: State) -> set[Player]:
    found = {player for table in state.tables for player in table.seats if player is not None}
    if state.played and not found:
        last = state.played[-1]
        found = {player for table in last.tables for player in table} | set(last.rest)
    elif state.played:
        found |= set(state.played[-1].rest)
    return found


def _table(value: Value) -> Table:
    number = value.get("table").whole(1, 1000)
    value = value.named(_("table %(table)s") % {"table": number})
    seats = tuple(
        None if seat.is_missing else seat.player() for seat in value.get("seats").items()
    )
    if not 1 <= len(seats) <= 4:
        raise value.fault(_("a table has one to four seats."))
    winner = value.get("winner")
    side = None if winner.is_missing else Side(winner.one_of([*Side]))
    return Table(number, (*seats, None) if len(seats) in (1, 3) else seats, side)


def _drawn(value: Value) -> Drawn:
    value = value.named(value.place.replace("history", _("history, round")))
    seen: set[Player] = set()
    tables = []
    for table in value.get("tables").items():
        seats = [seat.player() for seat in table.items()]
        if len(seats) != 4:
            raise table.fault(_("a table has four seats."))
        tables.append((seats[0], seats[1], seats[2], seats[3]))
    rest = tuple(each.player() for each in value.get("rest").items())
    for player in (*(who for table in tables for who in table), *rest):
        if player in seen:
            raise value.fault(_("%(player)s is there twice.") % {"player": player})
        seen.add(player)
    return Drawn(tuple(tables), rest)


def _counts(value: Value) -> dict[Player, int]:
    """Rests by player; the keys of an object are texts, so a number is found by its digits."""
    found: dict[Player, int] = {}
    for name in value.mapping():
        found[name] = value.get(name).whole(0)
        if name.isascii() and name.isdecimal() and len(name) < 7:
            found[int(name)] = found[name]
    return found
